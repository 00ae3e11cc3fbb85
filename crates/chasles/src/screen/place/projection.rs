//! What the screen shows, for pictures: the drawn edges of both bodies as curves, and where
//! contacts fall among them [Buss04 §9.2].
//!
//! The coordinates, facing parts and copies are those of the queries. Nothing is left out for being
//! out of reach, and curves are kept as points instead of records.

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DVec3};

use crate::bounds::Collider;
use crate::motion::Part;
use crate::numeric::Elementary;
use crate::screen::drawing::doppel::Sectors;
use crate::screen::drawing::facing::{Class, Facing, Slope};
use crate::screen::pixels;
use crate::screen::place::axes::{Axes, Dot, Frame, Sector};
use crate::screen::place::lanes::Lanes;
use crate::screen::place::relative::Relative;
use crate::screen::query::DEPARTURE;

/// A place on the screen, and when it is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Distance from the axis, or a length across the motion: see [`Projection::is_from_axis`].
    pub r: f64,
    /// Which of the spirals at that distance, as a length along the screen.
    pub h: f64,
    /// When the point reaches the screen, in parts of the step: a place of A and one of B meet at
    /// the difference of their times.
    pub t: f64,
}

/// An axis is far away if the bodies reach less than this part of the way to it: numbers that agree
/// in more than four digits are hard to read.
const FAR: f64 = 1e-4;

/// A turn is rounding, or as good as none, if it moves the bodies by less than this part of what
/// the translation does: far below what a picture shows, and far above the last digits of poses.
const SLIGHT: f64 = 1e-9;

/// Both bodies on the screen of one part of a step.
#[derive(Clone, Debug)]
pub struct Projection {
    canvas: Canvas,
    curves: [Vec<Vec<Place>>; 2],
}

/// Projects the backward parts of A and the forward parts of B.
///
/// *Accepts* any two bodies, any part of a step, and a pixel above 0. *Guarantees* curves within an
/// eighth of a pixel of the true ones, those of A that are drawn twice included; `None` if the
/// bodies do not move, or stay on different sides of the axis. *Cost* linear in the edges and in
/// the pixels that they cover. *Fails* never.
///
/// ```
/// use chasles::{Collider, Polygons, Polyhedron, Pose, Motion, Step, screen::projection};
/// let triangle = Polygons::new([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]], [[0, 1, 2]]);
/// let body = Collider::new(Polyhedron::new(&triangle)?);
/// let fall = [Pose::from_position([0., 0., 2.])?, Pose::from_position([0., 0., -2.])?];
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(fall[0], fall[1]));
/// let screen = projection([&body, &body], &step.part(0), 0.1).expect("the bodies move");
/// assert_eq!(screen.curves().map(<[_]>::len), [3, 3]);
/// // What is seen at the same place meets at the difference of the times: half way down.
/// let [a, b] = screen.curves().map(|curves| curves[0][0]);
/// assert!((a.r - b.r).abs() < 1e-6 && (a.t - b.t - 0.5).abs() < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn projection(bodies: [&Collider; 2], part: &Part, pixel: f64) -> Option<Projection> {
    let relative = Relative::new(part, bodies[0], bodies[1]);
    let balls = relative.balls(bodies);
    let relative = relative.straightened(&balls, SLIGHT);
    let (axes, _) = Axes::place(&relative, &balls, pixel)?;
    let Relative { screw, turned, offset, .. } = relative;
    let frames = [axes.frame(&DMat3::IDENTITY, DVec3::ZERO), axes.frame(&turned, offset)];
    let facing =
        [Facing::new(bodies[0], screw, -1.0), Facing::new(bodies[1], relative.screw_in_b(), 1.0)];
    let reach = |i: usize| frames[i].at(bodies[i].nodes()[0].centre).length() + balls[i].radius;
    let reach = reach(0).max(reach(1));
    let is_far = axes.kappa * reach <= FAR;
    let r0 = if is_far { None } else { Some(1.0 / axes.kappa) };
    let canvas = Canvas { axes, lanes: axes.lanes(reach), pixel, r0, pivot: bodies[0].pivot() };
    let reached_from = [axes.theta, 0.0];
    let curves = [0, 1].map(|i| {
        let sectors = axes.wraps.then(|| Sectors::new(&axes, reached_from[i]));
        Sheet { canvas: &canvas, facing: facing[i], frame: frames[i], sectors }.curves()
    });
    Some(Projection { canvas, curves })
}

impl Projection {
    /// The drawn edges of A and B and the outlines of faces of which a part is drawn, each a row of
    /// places. *Cost* constant. *Fails* never.
    pub fn curves(&self) -> [&[Vec<Place>]; 2] {
        [&self.curves[0], &self.curves[1]]
    }

    /// The same as pixels of this length: for each curve a chain of them, as whole numbers of
    /// pixels along `r` and `h`, in which each touches the next.
    ///
    /// *Accepts* any length above 0. *Guarantees* what
    /// [`Drawing::Pixels`](crate::screen::Drawing::Pixels) draws of what is in reach, up to
    /// where its pixels begin. *Cost* linear in the pixels. *Fails* never; of curves of more than a
    /// million pixels only the first.
    pub fn pixels(&self, pixel: f64) -> [Vec<Vec<[i32; 2]>>; 2] {
        let chain = |curve: &Vec<Place>| {
            let in_pixels = |place: &Place| [place.r, place.h].map(|x| (x / pixel) as f32);
            pixels::chain(&curve.iter().map(in_pixels).collect::<Vec<_>>())
        };
        self.curves.each_ref().map(|curves| curves.iter().map(chain).collect())
    }

    /// Whether `r` is the distance from the axis. If there is none, or if it is more than ten
    /// thousand times as far away as the bodies reach, `r` is a length across the motion, from a
    /// place near the bodies. *Cost* constant. *Fails* never.
    pub fn is_from_axis(&self) -> bool {
        self.canvas.r0.is_some()
    }

    /// Where a contact falls: its point in A's frame, and its time as a fraction of the part.
    ///
    /// *Accepts* any finite point and time. *Guarantees* the place of the two edges or faces that
    /// meet there. *Cost* constant. *Fails* never.
    pub fn place(&self, point_in_a: DVec3, time: f64) -> Place {
        let Canvas { axes, pivot, .. } = &self.canvas;
        let at = axes.frame(&DMat3::IDENTITY, DVec3::ZERO).at(point_in_a - *pivot);
        if !axes.wraps {
            return self.canvas.plain(at);
        }
        // The point of B started so much behind; if that is beyond the cut, the copy is met.
        let phi = (axes.kappa * at.x).arctangent_over(1.0 + axes.kappa * at.z);
        let shift = if phi - axes.theta * time < -PI { TAU } else { 0.0 };
        self.canvas.in_sector(at, &Sector { from: -PI, to: PI, shift })
    }
}

/// The coordinates of the screen, in lengths.
#[derive(Clone, Copy, Debug)]
struct Canvas {
    axes: Axes,
    lanes: Lanes,
    pixel: f64,
    /// The distance of the origin from the axis, unless that is far away.
    r0: Option<f64>,
    /// The origin of A's local coordinates.
    pivot: DVec3,
}

impl Canvas {
    fn scaled(&self, dot: Dot) -> Place {
        let [r, h] = [dot.rho, dot.h].map(|x| f64::from(x) * self.pixel);
        Place { r: r + self.r0.unwrap_or(0.0), h, t: f64::from(dot.t) }
    }

    fn plain(&self, at: DVec3) -> Place {
        let [dot, _] = self.lanes.pair([self.axes.spot(at); 2]);
        self.scaled(dot)
    }

    fn in_sector(&self, at: DVec3, sector: &Sector) -> Place {
        self.scaled(self.axes.dot_in(at, sector))
    }

    /// The curve of a segment, halved until it is straight.
    fn curve(&self, [p, q]: [DVec3; 2], place: &impl Fn(DVec3) -> Place) -> Vec<Place> {
        let mut points = vec![place(p)];
        self.halve([p, q], [points[0], place(q)], place, &mut points);
        points
    }

    /// Appends the places after the first end.
    fn halve(
        &self,
        [p, q]: [DVec3; 2],
        [from, to]: [Place; 2],
        place: &impl Fn(DVec3) -> Place,
        points: &mut Vec<Place>,
    ) {
        let off = |f: f64| {
            let at = place(p.lerp(q, f));
            let mix = |a: f64, b: f64| a + f * (b - a);
            (at.r - mix(from.r, to.r)).abs().max((at.h - mix(from.h, to.h)).abs())
        };
        let allowed = f64::from(DEPARTURE) * self.pixel;
        let long = (from.r - to.r).abs() + (from.h - to.h).abs() > self.pixel;
        if long && off(0.25).max(off(0.5)).max(off(0.75)) > allowed {
            let middle = p.lerp(q, 0.5);
            let at = place(middle);
            self.halve([p, middle], [from, at], place, points);
            self.halve([middle, q], [at, to], place, points);
        } else {
            points.push(to);
        }
    }
}

/// One body before its screen.
struct Sheet<'c> {
    canvas: &'c Canvas,
    facing: Facing<'c>,
    frame: Frame,
    sectors: Option<Sectors>,
}

impl Sheet<'_> {
    fn curves(&self) -> Vec<Vec<Place>> {
        let mut curves = Vec::new();
        let mesh = self.facing.collider.mesh();
        for edge in 0..mesh.edge_count() as u32 {
            let ends = mesh.edge(edge).map(|v| self.facing.collider.local(v));
            for part in self.parts(edge) {
                self.draw(part.map(|f| ends[0].lerp(ends[1], f)), &mut curves);
            }
        }
        let mut crossings = Vec::new();
        let faces = 0..mesh.face_count() as u32;
        for face in faces.filter(|&face| self.facing.class(face) == Class::Cut) {
            self.facing.cut(face, &mut crossings);
            for pair in crossings.chunks_exact(2) {
                self.draw([pair[0].point, pair[1].point], &mut curves);
            }
        }
        curves
    }

    /// The parts of an edge along which one of its faces is drawn, as fractions.
    fn parts(&self, edge: u32) -> Vec<[f64; 2]> {
        let sides = self.facing.collider.mesh().edge_sides(edge);
        if sides.is_empty() {
            return vec![[0.0, 1.0]];
        }
        let part = |face: u32| match self.facing.class(face) {
            Class::Away => None,
            Class::Whole => Some([0.0, 1.0]),
            Class::Cut => Slope::part_of(self.facing.along(face, edge)),
        };
        let mut parts: Vec<[f64; 2]> = sides.iter().filter_map(|side| part(side.face)).collect();
        parts.sort_unstable_by(|p, q| p[0].total_cmp(&q[0]));
        parts.dedup_by(|next, kept| {
            let joins = next[0] <= kept[1];
            kept[1] = if joins { kept[1].max(next[1]) } else { kept[1] };
            joins
        });
        parts
    }

    /// Draws a segment of the body's local coordinates, once or in several sectors.
    fn draw(&self, ends: [DVec3; 2], curves: &mut Vec<Vec<Place>>) {
        let canvas = self.canvas;
        let ends = ends.map(|point| self.frame.at(point));
        let Some(sectors) = &self.sectors else {
            return curves.push(canvas.curve(ends, &|at| canvas.plain(at)));
        };
        for (_, sector) in sectors.all() {
            if let Some(part) = sectors.part_of(ends, &sector) {
                let ends = part.map(|f| ends[0].lerp(ends[1], f));
                curves.push(canvas.curve(ends, &|at| canvas.in_sector(at, &sector)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::{Bolt, Cuboid, Nut, Shape, Torus};
    use crate::motion::{Motion, Pose, Step};
    use crate::screen::{Options, Workspace, contacts};
    use glam::DQuat;

    /// Of a contact's two points, A's and B's, both fall on the same place, and the difference of
    /// their times is that of the contact.
    fn expect_at_one_place(bodies: [&Collider; 2], step: &Step) {
        let mut workspace = Workspace::new();
        let options = Options::default();
        let found = contacts(bodies[0], bodies[1], step, &options, &mut workspace).unwrap();
        let part = step.part(0);
        let screen = projection(bodies, &part, 0.01).unwrap();
        assert!(found.len() > 10);
        for contact in found {
            let start = part.relative().pose_at(-contact.time).point(contact.point_in_a);
            let a = screen.place(contact.point_in_a, contact.time);
            let b = screen.place(start, 0.0);
            assert!((a.r - b.r).abs() < 1e-4 && (a.h - b.h).abs() < 1e-4, "{a:?} {b:?}");
            assert!((a.t - b.t - contact.time).abs() < 1e-4, "{a:?} {b:?} {}", contact.time);
        }
    }

    #[test]
    fn contacts_fall_where_both_bodies_are() {
        let torus = Collider::new(Shape::Torus(Torus::default()).build().unwrap());
        let pose = |y, angle| Pose::new([0.7, y, 0.1], DQuat::from_rotation_x(angle)).unwrap();
        let step = Step::new(
            Motion::still(Pose::IDENTITY),
            Motion::between(pose(1.8, 0.5), pose(-1.8, 1.2)),
        );
        expect_at_one_place([&torus, &torus], &step);
    }

    /// A bolt that is pulled as it turns is stuck in its nut on all sides, behind the cut too.
    #[test]
    fn contacts_behind_the_cut_fall_where_both_bodies_are() {
        let [nut, bolt] = [Shape::Nut(Nut::default()), Shape::Bolt(Bolt::default())]
            .map(|shape| Collider::new(shape.build().unwrap()));
        let turned = Pose::new([0.0, 0.15, 0.0], DQuat::from_rotation_y(-1.2)).unwrap();
        let step =
            Step::new(Motion::still(Pose::IDENTITY), Motion::between(Pose::IDENTITY, turned));
        expect_at_one_place([&nut, &bolt], &step);
    }

    /// A body around the axis is drawn in sectors, and what is met from behind the cut twice.
    #[test]
    fn a_body_around_the_axis_is_drawn_in_sectors() {
        let torus = Collider::new(Shape::Torus(Torus::default()).build().unwrap());
        let turned = Pose::new([0.0, 0.5, 0.0], DQuat::from_rotation_y(1.0)).unwrap();
        let step =
            Step::new(Motion::still(Pose::IDENTITY), Motion::between(Pose::IDENTITY, turned));
        let screen = projection([&torus, &torus], &step.part(0), 0.01).unwrap();
        let [a, b] = screen.curves().map(|curves| {
            let places = || curves.iter().flatten();
            assert!(places().all(|p| (0.69..1.31).contains(&p.r)), "about the axis");
            let h = places().map(|p| p.h);
            h.clone().fold(f64::MIN, f64::max) - h.fold(f64::MAX, f64::min)
        });
        assert!(a > b, "{a} and {b}");
    }
    /// A turned box that goes down onto a plate, and turns by an angle on its way.
    fn turned_box(angle: f64, way: DVec3) -> ([Collider; 2], Step) {
        let boxes = [[4.0, 0.2, 4.0], [1.0; 3]]
            .map(|size| Collider::new(Shape::Box(Cuboid { size }).build().unwrap()));
        let axis = DVec3::new(-0.73, 0.69, 0.53).normalize();
        let pose = |way, angle| Pose::new(way, DQuat::from_axis_angle(axis, angle)).unwrap();
        let start = DVec3::new(0.0, 2.0, 0.0);
        let tilt = 12.5_f64.to_radians();
        let moving = [pose(start, tilt), pose(start + way, tilt + angle)];
        (boxes, Step::new(Motion::still(Pose::IDENTITY), Motion::between(moving[0], moving[1])))
    }

    fn span(screen: &Projection, body: usize, of: fn(&Place) -> f64) -> f64 {
        let all = || screen.curves()[body].iter().flatten().map(of);
        all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min)
    }

    /// The turn that rounding leaves has an axis 1e16 away, or through the bodies: neither is seen.
    #[test]
    fn bodies_that_are_turned_alike_are_seen_as_in_a_translation() {
        for way in [DVec3::new(0.3, -2.5, 0.0), DVec3::new(0.0, -2.5, 0.0), DVec3::NEG_Y] {
            let (boxes, step) = turned_box(0.0, way);
            assert!(step.part(0).relative().angle() > 0.0, "rounding leaves no turn");
            let screen = projection([&boxes[0], &boxes[1]], &step.part(0), 0.01).unwrap();
            assert!(!screen.is_from_axis());
            for of in [|p: &Place| p.r, |p: &Place| p.h] {
                let spans = [0, 1].map(|body| span(&screen, body, of));
                assert!((3.9..5.8).contains(&spans[0]), "{spans:?} along {way}");
                assert!((0.9..1.8).contains(&spans[1]), "{spans:?} along {way}");
            }
        }
    }

    /// From no turn to one that is seen, the picture changes as little as the motion does.
    #[test]
    fn slight_turns_have_a_screen_as_large_as_the_bodies() {
        let way = DVec3::new(0.3, -2.5, 0.0);
        for angle in [1e-12, 1e-9, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2] {
            let (boxes, step) = turned_box(angle, way);
            let screen = projection([&boxes[0], &boxes[1]], &step.part(0), 0.01).unwrap();
            assert_eq!(screen.is_from_axis(), angle >= 1e-4, "{angle}");
            for of in [|p: &Place| p.r, |p: &Place| p.h] {
                let spans = [0, 1].map(|body| span(&screen, body, of));
                assert!((2.0..6.0).contains(&spans[0]), "{spans:?} at {angle}");
                assert!((0.5..1.9).contains(&spans[1]), "{spans:?} at {angle}");
            }
            let contact = DVec3::new(0.3, 0.1, 0.2);
            let place = screen.place(contact, 0.5);
            let nearest = screen.curves()[0].iter().flatten();
            let nearest = nearest.map(|p| (p.r - place.r).hypot(p.h - place.h));
            assert!(nearest.fold(f64::MAX, f64::min) < 4.0, "{place:?} at {angle}");
        }
    }
}
