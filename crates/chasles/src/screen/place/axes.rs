//! Where the collision screen stands, and where a point falls on it [Buss04 §7].
//!
//! The screen is crossed at right angles by the paths of all points. On the cylinder of radius `r`
//! about the axis the paths are parallel spirals; unrolled, with `y` the height and `arc` the
//! length around, the motion is along `(r theta, g)`, and
//!
//! ```text
//!   y |   . h          h = (y r theta - arc g) / D        which path
//!     |  .   ' t       t = (y g + arc r theta) / D²       when, in steps
//!     | . '            D = sqrt(g² + r² theta²)           length of the motion
//!     +--------- arc
//! ```
//!
//! `r` and `h` never change, `t` grows by 1 in the step, and all three are lengths (or times) as a
//! ruler would measure them: two points that are one pixel apart on the screen pass at the
//! distance of one pixel.
//!
//! The printed formulas lack the factor `r` in `arc = r phi`. As in `bounds::Chart` we put the
//! origin near the bodies, at distance `r0 = 1/kappa` from the axis, and measure `rho = r - r0` and
//! `arc` without cancellation, so that the screen becomes a plane as the angle goes to zero and a
//! translation is no special case:
//!
//! ```text
//!   root = r / r0 = sqrt((1 + kappa Z)² + (kappa X)²)
//!   rho  = (2 Z + kappa (X² + Z²)) / (1 + root)
//!   arc  = root atan2(kappa X, 1 + kappa Z) / kappa       X for a translation
//!   r theta = sigma root                                  sigma = theta r0
//! ```

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DVec3};

use crate::numeric::Elementary;
use crate::numeric::{ANGLE_ERROR, angle, upper};
use crate::screen::place::extent::{Extent, product, sum};
use crate::screen::place::lanes::{Lanes, Spot};
use crate::screen::place::relative::{Ball, Relative};

/// A curvature that bends bodies by less than this part of their size is below the rounding of
/// singles.
const FLAT: f64 = 1e-9;

/// A point on the screen: `rho` and `h` in pixels, `t` in steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::screen) struct Dot {
    pub(in crate::screen) rho: f32,
    pub(in crate::screen) h: f32,
    pub(in crate::screen) t: f32,
}

impl Dot {
    #[inline]
    pub(in crate::screen) fn between(p: Self, q: Self, f: f32) -> Self {
        let mix = |a: f32, b: f32| a + f * (b - a);
        Self { rho: mix(p.rho, q.rho), h: mix(p.h, q.h), t: mix(p.t, q.t) }
    }

    /// How far apart two points are, the larger of both distances in pixels, and in time.
    #[inline]
    pub(in crate::screen) fn apart(p: Self, q: Self) -> [f32; 2] {
        [upper((p.rho - q.rho).abs(), (p.h - q.h).abs()), (p.t - q.t).abs()]
    }
}

/// A range of angles about the axis, and by how many turns it is shifted on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::screen) struct Sector {
    pub(in crate::screen) from: f64,
    pub(in crate::screen) to: f64,
    pub(in crate::screen) shift: f64,
}

/// The coordinates of the screen of one relative screw.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Axes {
    /// Rows X (along the motion), Y (the axis), Z (away from the axis).
    rows: DMat3,
    origin: DVec3,
    pub(in crate::screen) kappa: f64,
    sigma: f64,
    glide: f64,
    /// Pixels per unit of length.
    per_length: f64,
    /// The angle of the step.
    pub(in crate::screen) theta: f64,
    /// Whether something may reach the cut behind the axis, where angles jump; if not, nothing is
    /// drawn twice.
    pub(in crate::screen) wraps: bool,
}

/// Angles under which a body is seen from the axis; `None` if the axis passes through it or is not
/// there, or if the body may reach the cut.
pub(in crate::screen) type Angles = Option<[f64; 2]>;

/// How a body's local coordinates lie among the axes.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Frame {
    axes: DMat3,
    offset: DVec3,
}

impl Frame {
    /// A local point along X, Y and Z.
    #[inline]
    pub(in crate::screen) fn at(&self, local: DVec3) -> DVec3 {
        self.axes * local + self.offset
    }

    /// Half the sizes, along X, Y and Z, of the box around a local box of these half sizes.
    #[inline]
    pub(in crate::screen) fn sizes(&self, half: DVec3) -> DVec3 {
        let DMat3 { x_axis, y_axis, z_axis } = self.axes;
        x_axis.abs() * half.x + y_axis.abs() * half.y + z_axis.abs() * half.z
    }
}

impl Axes {
    /// Places the screen: Y along the axis, both bodies near the plane of X and Z, and the cut away
    /// from them if that can be; with the angles under which A and B are seen at the start. `None`
    /// if the bodies stay on different sides of the axis, or do not move at all.
    pub(in crate::screen) fn place(
        relative: &Relative,
        balls: &[Ball; 2],
        pixel: f64,
    ) -> Option<(Self, [Angles; 2])> {
        let screw = &relative.screw;
        let theta = screw.angle();
        let [a, b] = balls;
        let velocity = screw.flow(a.centre);
        let axis = if theta > 0.0 {
            screw.axis_direction()
        } else {
            velocity.try_normalize()?.any_orthonormal_vector()
        };
        let across = velocity.reject_from_normalized(axis);
        let level = across.try_normalize().map(|x| x.reject_from_normalized(axis));
        let (x, speed) = match level {
            Some(x) if x.length_squared() > 0.5 => (x.normalize(), across.length()),
            _ => (axis.any_orthonormal_vector(), 0.0),
        };
        let z = x.cross(axis);
        // A's centre is at distance speed / theta from the axis; the origin moves outward if the
        // axis passes through A, so that lengths of arcs stay of the size of the bodies.
        let distance = speed / theta;
        let r0 = distance.max(a.radius).max(1e-6 * a.centre.distance(b.centre)).max(1e-150);
        let turning = theta > 0.0 && r0 < 1e150;
        let [kappa, sigma, shift] =
            if turning { [1.0 / r0, theta * r0, r0 - distance] } else { [0.0, speed, 0.0] };
        let mut axes = Self {
            rows: DMat3::from_cols(x, axis, z).transpose(),
            origin: a.centre + z * shift,
            kappa,
            sigma,
            glide: velocity.dot(axis),
            per_length: 1.0 / pixel,
            theta,
            wraps: false,
        };
        let angles = axes.turn_away_from_cut(balls)?;
        let heights = balls.map(|ball| axes.at(ball.centre).y);
        axes.origin += axis * (0.5 * (heights[0] + heights[1]));
        (axes.length_of_motion(1.0) > 0.0).then_some((axes, angles))
    }

    /// Turns the axes so that the cut, half a turn away from Z, is as far as possible from both
    /// bodies all along the motion; returns the angles of both at the start. `None` if they never
    /// meet.
    fn turn_away_from_cut(&mut self, balls: &[Ball; 2]) -> Option<[Angles; 2]> {
        if self.kappa == 0.0 {
            return Some([None; 2]);
        }
        let [Some(a), Some(b)] = [0, 1].map(|i| self.angles(&balls[i])) else {
            self.wraps = true;
            return Some([None; 2]);
        };
        let meets = |k: &f64| b[0] + TAU * k <= a[1] && b[1] + self.theta + TAU * k >= a[0];
        let mut turns = [-1.0, 0.0, 1.0].into_iter().filter(meets);
        let first = TAU * turns.next()?;
        let b = b.map(|phi| phi + first);
        let all = [a[0].min(b[0]), a[1].max(b[1] + self.theta)];
        // A little less than a turn, so that rounding does not reach the cut.
        self.wraps = turns.next().is_some() || all[1] - all[0] > TAU - 1e-3;
        if self.wraps {
            return Some([None; 2]);
        }
        let middle = 0.5 * (all[0] + all[1]);
        self.turn_by(middle);
        Some([a, b].map(|angles| Some(angles.map(|phi| phi - middle))))
    }

    /// The angles under which a ball is seen.
    fn angles(&self, ball: &Ball) -> Angles {
        let at = self.at(ball.centre);
        let [cx, cz] = [self.kappa * at.x, 1.0 + self.kappa * at.z];
        let sine = self.kappa * ball.radius / self.root(at);
        let half = (sine < 0.999).then(|| sine.arcsine())?;
        let middle = cx.arctangent_over(cz);
        Some([middle - half, middle + half])
    }

    fn turn_by(&mut self, phi: f64) {
        let [x, axis, z] = [self.rows.row(0), self.rows.row(1), self.rows.row(2)];
        let (half_sin, half_cos) = (0.5 * phi).sine_cosine();
        let [sin, less] = [2.0 * half_sin * half_cos, 2.0 * half_sin * half_sin];
        let cos = 1.0 - less;
        self.origin += (sin * x - less * z) / self.kappa;
        let [x, z] = [cos * x - sin * z, sin * x + cos * z];
        self.rows = DMat3::from_cols(x, axis, z).transpose();
    }

    /// How body-local coordinates, turned and moved, lie among the axes.
    pub(in crate::screen) fn frame(&self, turned: &DMat3, offset: DVec3) -> Frame {
        Frame { axes: self.rows * *turned, offset: self.at(offset) }
    }

    /// A point of A's local coordinates along X, Y and Z.
    fn at(&self, point: DVec3) -> DVec3 {
        self.rows * (point - self.origin)
    }

    /// How far a point at `root` times `r0` from the axis moves in the step.
    pub(in crate::screen) fn length_of_motion(&self, root: f64) -> f64 {
        (self.sigma * root * self.sigma * root + self.glide * self.glide).sqrt()
    }

    /// An upper bound of how far points of a ball move in the step.
    pub(in crate::screen) fn fastest_on(&self, ball: &Ball) -> f64 {
        self.length_of_motion(self.root(self.at(ball.centre)) + self.kappa * ball.radius)
    }

    /// Distance from the axis over `r0`, for a point given along X, Y and Z.
    #[inline]
    pub(in crate::screen) fn root(&self, at: DVec3) -> f64 {
        let [cx, cz] = [self.kappa * at.x, 1.0 + self.kappa * at.z];
        (cx * cx + cz * cz).sqrt()
    }

    /// A point, given along X, Y and Z, in pixels.
    #[inline]
    pub(in crate::screen) fn spot(&self, at: DVec3) -> Spot {
        let [x, y, z] = (at * self.per_length).to_array().map(|c| c as f32);
        Spot { x, y, z }
    }

    /// The projection in singles, for bodies not farther from the origin than `reach`.
    pub(in crate::screen) fn lanes(&self, reach: f64) -> Lanes {
        let flat = self.kappa * reach < FLAT;
        Lanes {
            kappa: if flat { 0.0 } else { (self.kappa / self.per_length) as f32 },
            sigma: (self.sigma * self.per_length) as f32,
            glide: (self.glide * self.per_length) as f32,
        }
    }

    /// Where a point of a sector falls: its angle is taken in the sector, whatever rounding says.
    pub(in crate::screen) fn dot_in(&self, at: DVec3, sector: &Sector) -> Dot {
        let [cx, cz] = [self.kappa * at.x, 1.0 + self.kappa * at.z];
        let mut phi = cx.arctangent_over(cz);
        let middle = 0.5 * (sector.from + sector.to);
        if (phi - middle).abs() > PI {
            phi -= TAU * (phi - middle).signum();
        }
        let phi = phi.clamp(sector.from, sector.to) + sector.shift;
        self.dot_with(at, cx.hypotenuse(cz), phi / self.kappa)
    }

    /// Distance from the axis less `r0`, without cancellation.
    #[inline]
    fn rho(&self, at: DVec3, root: f64) -> f64 {
        (2.0 * at.z + self.kappa * (at.x * at.x + at.z * at.z)) / (1.0 + root)
    }

    #[inline]
    fn dot_with(&self, at: DVec3, root: f64, s: f64) -> Dot {
        let rho = self.rho(at, root);
        // On the axis itself the limit is taken, where the motion is 0/0 if nothing glides.
        let across = (self.sigma * root).max(1e-12 * self.sigma);
        let arc = root * s;
        let speed_sq = across * across + self.glide * self.glide;
        let inverse = 1.0 / speed_sq.sqrt();
        let h = (at.y * across - arc * self.glide) * inverse;
        let t = (at.y * self.glide + arc * across) * inverse * inverse;
        Dot { rho: (rho * self.per_length) as f32, h: (h * self.per_length) as f32, t: t as f32 }
    }

    /// How far the curve of an edge departs from its chord at most, in pixels over its length
    /// squared, if it is nowhere nearer to the axis than `nearest` times `r0`.
    ///
    /// `rho` departs by `kappa len² / 8` over `nearest`, the arc by as much over its square, and
    /// `h` and `t` again by as much through the change of their directions with the distance.
    pub(in crate::screen) fn bend(&self, nearest: f64) -> f64 {
        0.5 * self.kappa * self.per_length / (nearest * nearest)
    }

    /// How long the motion takes for a pixel, at `root` times `r0` from the axis.
    pub(in crate::screen) fn steps_per_pixel(&self, root: f64) -> f32 {
        (1.0 / (self.per_length * self.length_of_motion(root))) as f32
    }

    /// `rho` of the axis, in pixels; minus infinity for a translation.
    pub(in crate::screen) fn rho_of_axis(&self) -> f32 {
        (-self.per_length / self.kappa) as f32
    }

    /// Bounds of a box, given along X, Y and Z by its middle and by half its sizes, that keeps
    /// away from the cut and the axis.
    ///
    /// Seen along the axis the box is a rectangle, with half-widths `out` along the direction from
    /// the axis and `side` across it, as in `bounds::Chart`.
    pub(in crate::screen) fn boxed(&self, at: DVec3, size: DVec3) -> Extent {
        let root = self.root(at);
        let [cx, cz] = [self.kappa * at.x, 1.0 + self.kappa * at.z];
        let [ux, uz] = [cx.abs() / root, cz.abs() / root];
        let [out, side] = [size.x * ux + size.z * uz, size.x * uz + size.z * ux];
        let farther = out + 0.5 * self.kappa * side * side / root;
        let rho = self.rho(at, root);
        let nearest = root - self.kappa * out;
        let s = if self.kappa > 0.0 { angle(cx, cz) / self.kappa } else { at.x };
        let turn = side / nearest + ANGLE_ERROR * s.abs();
        let roots = [nearest, root + self.kappa * farther];
        let y = [at.y - size.y, at.y + size.y];
        self.extent_between([rho - out, rho + farther], [s - turn, s + turn], y, roots)
    }

    /// Bounds of a ball that is seen under these angles, or `None` if it may reach the cut or the
    /// axis.
    pub(in crate::screen) fn extent(&self, ball: &Ball, angles: Angles) -> Option<Extent> {
        if self.wraps {
            return None;
        }
        let at = self.at(ball.centre);
        let root = self.root(at);
        let rho = self.rho(at, root);
        let s = if self.kappa > 0.0 {
            angles?.map(|phi| phi / self.kappa)
        } else {
            [at.x - ball.radius, at.x + ball.radius]
        };
        let y = [at.y - ball.radius, at.y + ball.radius];
        let roots = [-1.0, 1.0].map(|side| root + side * self.kappa * ball.radius);
        let rho = [rho - ball.radius, rho + ball.radius];
        Some(self.extent_between(rho, s, y, roots))
    }

    /// Bounds of everything in ranges of distance from the axis, of arc and of height; `roots` is
    /// the range of distances over `r0`.
    fn extent_between(&self, rho: [f64; 2], s: [f64; 2], y: [f64; 2], roots: [f64; 2]) -> Extent {
        let factors = roots.map(|root| {
            let speed = self.length_of_motion(root);
            let [across, glide] = [self.sigma * root / speed, self.glide / speed];
            [across, -root * glide, glide / speed, root * across / speed]
        });
        // Each factor is monotone in the distance from the axis.
        let factor = |i: usize| [factors[0][i], factors[1][i]];
        let [h, t] = [0, 2].map(|i| sum(product(y, factor(i)), product(s, factor(i + 1))));
        let dot = |i: usize| Dot {
            rho: (rho[i] * self.per_length) as f32,
            h: (h[i] * self.per_length) as f32,
            t: t[i] as f32,
        };
        Extent { low: dot(0), high: dot(1) }
    }
}
