//! The relative motion of one part of a step, with everything kernels need, in local coordinates.
//!
//! A's local coordinates have A's axes and A's pivot as origin; B's those of B. The motion takes
//! B's points, placed at the start of the part, through A's local coordinates.

use glam::{DMat3, DVec3};

use crate::bounds::{Affine, Collider, Placement};
use crate::motion::{Part, Screw};
use crate::numeric::roots::Root;
use crate::numeric::{Helix, HelixAt, lower, upper};

/// Rounding unit.
const U: f64 = f64::EPSILON / 2.0;

/// One relative screw in A's local coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Relative {
    pub(crate) helix: Helix,
    pub(crate) screw: Screw,
    pub(crate) angle: f64,
    /// Turns B's local axes into A's at the start.
    pub(crate) turned: DMat3,
    /// B's pivot at the start.
    pub(crate) offset: DVec3,
    /// The sum of both bodies' radii about their pivots.
    radius: f64,
    /// No coordinate of a path or its control points is larger.
    pub(crate) reach: f64,
    /// No point of either body moves faster relative to the other.
    pub(crate) speed: f64,
    /// Rounding error of a plane gap; measured at 5 units of `reach` (MATH 4), taken as 128.
    pub(crate) plane_noise: f64,
    /// Rounding error of a line gap; measured 6, taken as 256.
    pub(crate) line_noise: f64,
    /// Features that come closer than this touch; above the rounding of positions.
    pub(crate) tolerance: f64,
    /// Speeds below this are rounding; they count as facing, as those of tangential motion do in
    /// [Buss04 §4.2].
    pub(crate) slow: f64,
}

/// A body is fast if it goes so many times the size of both.
const FAST: f64 = 64.0;

/// A time that is uncertain by more than this does not tell a place.
pub(crate) const WIDE: f64 = 1e-6;

impl Relative {
    pub(crate) fn new(part: &Part, a: &Collider, b: &Collider) -> Self {
        let (screw, turned, from) = part.about([a.pivot(), b.pivot()]);
        Self::with(screw, turned, from, a.radius() + b.radius())
    }

    fn with(screw: Screw, turned: DMat3, offset: DVec3, radius: f64) -> Self {
        let angle = screw.angle();
        let helix = Helix::new(angle);
        let far = offset.length() + radius;
        let speed = screw.linear().length() + angle * far;
        let reach = far + speed;
        Self {
            helix,
            screw,
            angle,
            turned,
            offset,
            radius,
            reach,
            speed,
            plane_noise: 128.0 * U * reach,
            line_noise: 256.0 * U * reach,
            tolerance: 256.0 * U * reach,
            slow: 1e-12 * reach,
        }
    }

    /// When the bodies can touch, if that is much less than the whole part, as for a bullet: bounds
    /// in units of its whole way would be too coarse for the bodies.
    pub(crate) fn meeting(&self) -> [f64; 2] {
        if self.speed <= FAST * self.radius {
            return [0.0, 1.0];
        }
        let path = self.screw.spread(self.offset, 1.0);
        // Points of a screw motion have constant speeds, so pivots come closer no faster than this.
        let rate = 1.0 / path[1].length();
        let spare = |t: f64| (self.helix.at(t).along(&path).length() - self.radius) * rate;
        let [mut from, mut to] = [0.0, 1.0];
        // Each step is safe, so any number of them is.
        for _ in 0..40 {
            from += spare(from).max(0.0);
            to -= spare(to).max(0.0);
            if from > to {
                break;
            }
        }
        let rounding = 16.0 * f64::EPSILON;
        [(from - rounding).max(0.0), (to + rounding).min(1.0)]
    }

    /// The motion between two times only.
    pub(crate) fn during(&self, [from, to]: [f64; 2]) -> Self {
        let at = self.helix.at(from);
        let part = to - from;
        let screw = Screw::from_valid(self.screw.angular() * part, self.screw.linear() * part);
        let axis = |axis: DVec3| self.screw.turn(axis, &at, 1.0);
        let DMat3 { x_axis, y_axis, z_axis } = self.turned;
        let turned = DMat3::from_cols(axis(x_axis), axis(y_axis), axis(z_axis));
        let offset = at.along(&self.screw.spread(self.offset, 1.0));
        Self::with(screw, turned, offset, self.radius)
    }

    /// How boxes of B, in units of `scale`, lie in space until some time.
    pub(crate) fn placement(&self, scale: f64, until: f64) -> Placement {
        let [w, v] = [self.screw.angular(), self.screw.linear()];
        let DMat3 { x_axis, y_axis, z_axis } = self.turned;
        let once = [x_axis, y_axis, z_axis].map(|axis| w.cross(axis));
        let twice = once.map(|axis| w.cross(axis));
        let [once, twice] = [once, twice].map(|[x, y, z]| DMat3::from_cols(x, y, z));
        let turned = |at: &HelixAt| self.turned + once * at.s1 + twice * at.c2;
        let end = self.helix.at(until);
        let offset = end.along(&self.screw.spread(self.offset, 1.0));
        let ends = [
            Affine { turned: self.turned, offset: self.offset },
            Affine { turned: turned(&end), offset },
        ];
        let acceleration = Affine { turned: twice, offset: w.cross(w.cross(self.offset) + v) };
        let motion = (acceleration.scaled(until * until), self.angle * until);
        let half_way = turned(&self.helix.at(0.5 * until));
        Placement::moving(ends, half_way, motion, (self.reach, scale))
    }

    /// How uncertain the place of a touch is: rounding, and the uncertainty of the time, up to
    /// [`WIDE`], times the speed there. The greatest speed serves where the time is sharp.
    #[inline]
    pub(crate) fn tolerance_at(&self, root: &Root, speed: impl Fn() -> f64) -> f64 {
        let width = root.width();
        let speed = if width < 1e-11 { self.speed } else { speed() };
        self.tolerance + lower(width, WIDE) * speed
    }
}

/// How B is turned at a few times, each computed when first asked for: near enough for bounds.
#[derive(Debug)]
pub(crate) struct Turns {
    axes: [DMat3; Self::COUNT],
    known: u32,
    /// How the axes change at the start, once and twice: they are a combination of these.
    rates: [DMat3; 2],
}

impl Turns {
    /// More would be nearer, and shared by fewer.
    const COUNT: usize = 8;

    pub(crate) fn new() -> Self {
        Self { axes: [DMat3::IDENTITY; Self::COUNT], known: 0, rates: [DMat3::ZERO; 2] }
    }

    /// A matrix that turns B's local axes into A's at some time near the window, and the angle that
    /// B is at most away from it during the window.
    #[inline]
    pub(crate) fn near(&mut self, relative: &Relative, [from, to]: [f64; 2]) -> (&DMat3, f64) {
        // Adding this leaves the nearest whole number in the last bits.
        const WHOLE: f64 = (1_u64 << 52) as f64;
        let last = (Self::COUNT - 1) as f64;
        let whole = 0.5 * last * (from + to) + WHOLE;
        let slot = whole.to_bits() as usize % Self::COUNT;
        let time = (whole - WHOLE) * (1.0 / last);
        if self.known & (1 << slot) == 0 {
            self.turn(relative, slot, time);
        }
        (&self.axes[slot], relative.angle * upper(time - from, to - time))
    }

    #[inline(never)]
    fn turn(&mut self, relative: &Relative, slot: usize, time: f64) {
        if self.known == 0 {
            let w = relative.screw.angular();
            let DMat3 { x_axis, y_axis, z_axis } = relative.turned;
            let once = [x_axis, y_axis, z_axis].map(|axis| w.cross(axis));
            let twice = once.map(|axis| w.cross(axis));
            self.rates = [once, twice].map(|[x, y, z]| DMat3::from_cols(x, y, z));
        }
        self.known |= 1 << slot;
        let at = relative.helix.at(time);
        self.axes[slot] = relative.turned + self.rates[0] * at.s1 + self.rates[1] * at.c2;
    }
}
