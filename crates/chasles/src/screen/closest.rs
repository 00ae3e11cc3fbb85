//! When two features come closest: bounds of their distance over a part of the step, halved until
//! they are sharp.
//!
//! A point of a body that moves along a screw has the velocity `flow(x) = w x x + v`. Over a time
//! `u` from the middle of a span it departs from `x + u flow(x)` by at most `|w| |flow(x)| u² / 2`,
//! and its velocity from that of a point at the distance `r` by at most `|w| r`. So over a span of
//! half-length `half` a feature that reaches `r` to either side of its middle moves as if it slid
//! along a straight line, up to an error of
//!
//! ```text
//!   |w| r half + (|w x flow(middle)| + |w|² r) half² / 2
//! ```
//!
//! with `|w x d|` for `|w| r` where the feature is an edge of the half-length `d`.
//!
//! The least distance of what slides is known in closed form: that of a segment, the way of a
//! vertex, from a face; or that of a segment, one edge, from the parallelogram that the other edge
//! sweeps. With the error it bounds the distance of the features from below, which leaves spans
//! out; where the error is small against the distance asked for, it is the distance.
//!
//! Long edges that turn past each other at a constant gap would be halved until `|w| r half` is small. The
//! distance of their lines bounds that of the edges too, and hardly changes then: it is `|S| / sin`, with the
//! side product `S` of unit vectors along them, whose control coefficients bound it over a span
//! ([`gaps`](crate::numeric::gaps)), and the sine of their angle, which grows by at most `|w| half`.

use glam::{DMat3, DVec3};

use super::judge::UNSEEN;
use super::locate::{PARALLEL, side_product};
use super::relative::Relative;
use crate::bounds::Collider;
use crate::contact::locate::{Place, in_polygon};
use crate::contact::{Met, Pair};
use crate::motion::Screw;
use crate::numeric::Helix;
use crate::numeric::gaps::LineGap;
use crate::numeric::roots::Gap;

/// How a body moves past another, in the local coordinates of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage<'q> {
    pub(super) screw: Screw,
    helix: &'q Helix,
    turned: DMat3,
    offset: DVec3,
}

/// Where a body is at one time, in the local coordinates of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) turned: DMat3,
    pub(super) offset: DVec3,
}

impl Placed {
    #[inline]
    pub(super) fn point(&self, local: DVec3) -> DVec3 {
        self.turned * local + self.offset
    }
}

impl<'q> Passage<'q> {
    /// B past A, and A past B.
    pub(super) fn both(relative: &'q Relative) -> [Self; 2] {
        let &Relative { screw, ref helix, turned, offset } = relative;
        let back = turned.transpose();
        [
            Self { screw, helix, turned, offset },
            Self {
                screw: relative.screw_in_b().reversed(),
                helix,
                turned: back,
                offset: -(back * offset),
            },
        ]
    }

    /// The body at a time.
    pub(super) fn at(&self, time: f64) -> Placed {
        let at = self.helix.at(time);
        let turn = |axis: DVec3| self.screw.turn(axis, &at, 1.0);
        let DMat3 { x_axis, y_axis, z_axis } = self.turned;
        Placed {
            turned: DMat3::from_cols(turn(x_axis), turn(y_axis), turn(z_axis)),
            offset: at.along(&self.screw.spread(self.offset, 1.0)),
        }
    }

    /// Where a point of the body is at a time.
    #[inline]
    pub(super) fn point(&self, local: DVec3, time: f64) -> DVec3 {
        let start = self.turned * local + self.offset;
        self.helix.at(time).along(&self.screw.spread(start, 1.0))
    }

    /// How far something that reaches `radius` around a point with this velocity may depart from
    /// sliding, within `half` of a time.
    #[inline]
    pub(super) fn error(&self, radius: f64, velocity: DVec3, half: f64) -> f64 {
        self.departure(self.screw.angle() * radius, velocity, half)
    }

    /// How far an edge with half of it this long, and with this velocity of its middle, may depart from
    /// sliding, within `half` of a time.
    #[inline]
    pub(super) fn error_of_edge(&self, half_edge: DVec3, velocity: DVec3, half: f64) -> f64 {
        self.departure(self.screw.angular().cross(half_edge).length(), velocity, half)
    }

    /// The same for something whose velocity differs by up to `aside` from that of its middle.
    #[inline]
    fn departure(&self, aside: f64, velocity: DVec3, half: f64) -> f64 {
        let bend = self.screw.angular().cross(velocity).length() + self.screw.angle() * aside;
        (aside + 0.5 * bend * half) * half
    }
}

/// The closest approach of two features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closest {
    pub(super) time: f64,
    pub(super) gap: f64,
}

impl Closest {
    /// Whether the gap is smaller, by more than rounding: of equal ones the first counts.
    pub(super) fn is_closer(&self, other: &Self) -> bool {
        self.gap < (1.0 - 1e-9) * other.gap
    }
}

/// The least distance of what slides for `half` to either side of a time.
#[derive(Clone, Copy, Debug)]
struct Sliding {
    distance: f64,
    /// When, from the middle on.
    at: f64,
    error: f64,
}

/// Approaches that differ by less than this part of the distance asked for are equally close, and spans are
/// halved until no closer one can be left in them.
const EQUAL: f64 = 0.05;

/// So many spans of one pair are looked at before none is halved any more. Edges of a hundred pixels
/// that turn by a radian at a constant gap need some thousand.
const MOST_SPANS: usize = 1 << 13;

/// Halvings at most: times are then exact to 1e-12 of the part.
const DEEPEST: usize = 40;

/// What is this part of the width of borders away from a seam is above it: much more than rounding,
/// and less than matters.
const SEAM: f64 = 1e-3;

/// Halvings around a closest approach.
const STEPS: usize = 6;

/// The closest approach within a span, if it may be within `reach`; no farther than a twentieth more.
///
/// `slide(middle, half, far)` is the least distance of features that slide, exact where it is not
/// above `far`; `least(middle, half)` is another lower bound of their distance, asked where that is not
/// sharp.
fn search(
    [from, to]: [f64; 2],
    reach: f64,
    slide: impl Fn(f64, f64, f64) -> Sliding,
    least: impl Fn(f64, f64) -> f64,
) -> Option<Closest> {
    let mut best: Option<Closest> = None;
    let mut width = 0.0;
    let mut waiting = [[0.0; 2]; DEEPEST + 1];
    waiting[0] = [from, to];
    let [mut count, mut looked] = [1, 0];
    while count > 0 {
        count -= 1;
        looked += 1;
        let [from, to] = waiting[count];
        let [middle, half] = [0.5 * (from + to), 0.5 * (to - from)];
        let mut limit = reach.min(best.map_or(reach, |best| best.gap - EQUAL * reach));
        if limit <= 0.0 {
            break;
        }
        let Sliding { distance, at, error } = slide(middle, half, limit);
        if distance - error > limit {
            continue;
        }
        let time = middle + at;
        let gap = slide(time, 0.0, f64::INFINITY).distance;
        let found = Closest { time, gap };
        if best.is_none_or(|best| found.is_closer(&best)) {
            best = Some(found);
            width = half;
            limit = limit.min(gap - EQUAL * reach);
        }
        let is_sharp = error <= 0.5 * EQUAL * reach || distance - error > limit;
        if !is_sharp && count + 2 <= DEEPEST && looked < MOST_SPANS && least(middle, half) <= limit
        {
            waiting[count] = [middle, to];
            waiting[count + 1] = [from, middle];
            count += 2;
        }
    }
    let found = best.filter(|best| best.gap <= (1.0 + EQUAL) * reach)?;
    Some(polished(found, (width, [from, to]), UNSEEN * reach, slide))
}

/// The closest approach near another, which was found in a span of this half-length: by spans around the
/// closest one so far that are halved, and their errors with them. Gaps up to `unseen` are small enough.
fn polished(
    mut found: Closest,
    (mut half, [from, to]): (f64, [f64; 2]),
    unseen: f64,
    slide: impl Fn(f64, f64, f64) -> Sliding,
) -> Closest {
    for _ in 0..STEPS {
        if found.gap <= unseen {
            break;
        }
        let [low, high] = [(found.time - half).max(from), (found.time + half).min(to)];
        let middle = 0.5 * (low + high);
        let time = middle + slide(middle, 0.5 * (high - low), f64::INFINITY).at;
        let gap = slide(time, 0.0, f64::INFINITY).distance;
        let candidate = Closest { time, gap };
        if candidate.is_closer(&found) {
            found = candidate;
        }
        half *= 0.5;
    }
    found
}

/// A vertex and a face that it passes.
#[derive(Clone, Copy, Debug)]
pub(super) struct VertexOverFace<'q> {
    pub(super) passage: &'q Passage<'q>,
    /// The vertex, in the local coordinates of its body.
    pub(super) vertex: DVec3,
    /// The other body, with the face.
    pub(super) body: &'q Collider,
    pub(super) face: u32,
}

impl<'q> VertexOverFace<'q> {
    /// Those of a pair; `None` if it is not a vertex and a face.
    pub(super) fn of(
        Pair { met, a, b }: Pair,
        bodies: [&'q Collider; 2],
        passages: &'q [Passage<'q>; 2],
    ) -> Option<Self> {
        let (moving, vertex, face) = match met {
            Met::FaceVertex => (1, b, a),
            Met::VertexFace => (0, a, b),
            _ => return None,
        };
        let vertex = bodies[moving].local(vertex);
        Some(Self { passage: &passages[1 - moving], vertex, body: bodies[1 - moving], face })
    }

    /// The closest approach within a span, if it may be within `reach`.
    pub(super) fn closest(&self, span: [f64; 2], reach: f64) -> Option<Closest> {
        search(span, reach, |middle, half, far| self.slide(middle, half, far), |_, _| 0.0)
    }

    /// The distance at a time.
    pub(super) fn gap(&self, time: f64) -> f64 {
        self.slide(time, 0.0, f64::INFINITY).distance
    }

    #[inline]
    fn slide(&self, middle: f64, half: f64, far: f64) -> Sliding {
        let x = self.passage.point(self.vertex, middle);
        let velocity = self.passage.screw.flow(x);
        let error = self.passage.error(0.0, velocity, half);
        let way = [x - half * velocity, x + half * velocity];
        let (distance, f) = self.way_to_face(way, far + error);
        Sliding { distance, at: (2.0 * f - 1.0) * half, error }
    }

    #[inline]
    fn corner(&self, i: usize) -> DVec3 {
        self.body.local(self.body.mesh().face(self.face)[i])
    }

    fn height(&self, x: DVec3) -> f64 {
        self.body.mesh().normal(self.face).dot(x - self.body.face_local(self.face))
    }

    fn located(&self, x: DVec3, border: f64) -> Place {
        let normal = self.body.mesh().normal(self.face);
        let foot = x - self.height(x) * normal;
        let count = self.body.mesh().face(self.face).len();
        in_polygon(foot, normal, |i| self.corner(i), count, border)
    }

    /// The distance of a way from the face and the place on the way, as a fraction; of ways farther
    /// than `far` something above that.
    fn way_to_face(&self, way: [DVec3; 2], far: f64) -> (f64, f64) {
        let [p, q] = way;
        let heights = way.map(|x| self.height(x));
        let least = heights[0].abs().min(heights[1].abs());
        let crosses = (heights[0] < 0.0) != (heights[1] < 0.0);
        if !crosses && least > far {
            return (least, 0.5);
        }
        if crosses {
            let f = heights[0] / (heights[0] - heights[1]);
            if self.located(p.lerp(q, f), 0.0) != Place::Outside {
                return (0.0, f);
            }
        }
        let mut best = (f64::INFINITY, 0.5);
        for (i, end) in way.into_iter().enumerate() {
            let height = heights[i].abs();
            if height < best.0 && self.located(end, 0.0) != Place::Outside {
                best = (height, i as f64);
            }
        }
        let count = self.body.mesh().face(self.face).len();
        for i in 0..count {
            let side = [self.corner(i), self.corner((i + 1) % count)];
            let ([f, _], distance) = closest_on_segments(way, side);
            if distance < best.0 {
                best = (distance, f);
            }
        }
        best
    }

    /// Where the vertex is over the face at a time: at the border within `near` of it or beyond it.
    /// `None` where the border is a seam within a plane: the face behind it is as near, or nearer. Above
    /// the seam itself, where rounding might leave it to neither or both, the first of the faces has it.
    pub(super) fn place(&self, time: f64, near: f64) -> Option<Place> {
        let x = self.passage.point(self.vertex, time);
        let place = match self.located(x, near) {
            Place::Outside => self.on_border(x, near),
            place => place,
        };
        if self.is_feature(place) {
            return Some(place);
        }
        let mesh = self.body.mesh();
        let is_first = match self.located(x, SEAM * near) {
            Place::Outside => false,
            Place::Inside => true,
            place if self.is_feature(place) => return Some(place),
            Place::Edge(i) => {
                let sides = mesh.edge_sides(mesh.face_edges(self.face)[i]);
                sides.iter().all(|side| self.face <= side.face)
            }
            Place::Corner(i) => {
                let around = mesh.vertex_faces(mesh.face(self.face)[i]);
                around.iter().all(|&face| self.face <= face)
            }
        };
        is_first.then_some(Place::Inside)
    }

    /// Whether a place is in the face, or at an edge or a vertex that is not within a plane.
    fn is_feature(&self, place: Place) -> bool {
        let mesh = self.body.mesh();
        match place {
            Place::Edge(i) => self.body.is_ridge(mesh.face_edges(self.face)[i]),
            Place::Corner(i) => self.body.is_corner(mesh.face(self.face)[i]),
            Place::Inside | Place::Outside => true,
        }
    }

    /// The place of the border that is closest to a point.
    fn on_border(&self, x: DVec3, near: f64) -> Place {
        let count = self.body.mesh().face(self.face).len();
        let mut best = (f64::INFINITY, Place::Outside);
        for i in 0..count {
            let next = (i + 1) % count;
            let side = [self.corner(i), self.corner(next)];
            let ([_, f], distance) = closest_on_segments([x; 2], side);
            if distance < best.0 {
                let length = side[0].distance(side[1]);
                let place = match f {
                    _ if f * length <= near && f <= 0.5 => Place::Corner(i),
                    _ if (1.0 - f) * length <= near => Place::Corner(next),
                    _ => Place::Edge(i),
                };
                best = (distance, place);
            }
        }
        best.1
    }
}

/// Two edges that pass each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeOverEdge<'q> {
    pub(super) passage: &'q Passage<'q>,
    /// The ends of the edge that stands still.
    pub(super) still: [DVec3; 2],
    /// The ends of the edge that moves, in the local coordinates of its body.
    pub(super) moving: [DVec3; 2],
}

impl EdgeOverEdge<'_> {
    /// The closest approach within a span, if it may be within `reach`.
    pub(super) fn closest(&self, span: [f64; 2], reach: f64) -> Option<Closest> {
        let lines = self.lines();
        let least = |middle, half| self.lines_stay_apart(&lines, middle, half);
        search(span, reach, |middle, half, far| self.slide(middle, half, far), least)
    }

    /// The side product of the lines of both edges.
    fn lines(&self) -> LineGap<'_> {
        let &Passage { ref screw, helix, turned, offset } = self.passage;
        let unit = |[p, q]: [DVec3; 2]| (q - p).normalize_or_zero();
        let still = [self.still[0], unit(self.still)];
        let moving = [turned * self.moving[0] + offset, turned * unit(self.moving)];
        side_product(still, moving, screw, helix)
    }

    /// A lower bound of the distance of the lines of both edges, and so of the edges, over a span.
    fn lines_stay_apart(&self, gap: &LineGap<'_>, middle: f64, half: f64) -> f64 {
        let [a, b] = [middle - half, middle + half].map(|t| (t, gap.at(t)));
        let sides = gap.coefficients(a, b);
        let side = |sign: f64| sides.iter().fold(f64::INFINITY, |least, s| least.min(sign * s));
        let [p, q] = self.still;
        let moving = self.moving.map(|end| self.passage.point(end, middle));
        let size = (q - p).length() * (moving[1] - moving[0]).length();
        let sine = (q - p).cross(moving[1] - moving[0]).length() / size;
        let sine = (sine + self.passage.screw.angle() * half).min(1.0);
        if sine > 0.0 { side(1.0).max(side(-1.0)).max(0.0) / sine } else { 0.0 }
    }

    /// Where on both edges they are closest at a time, as fractions.
    pub(super) fn places(&self, time: f64) -> [f64; 2] {
        closest_on_segments(self.still, self.moving.map(|end| self.passage.point(end, time))).0
    }

    #[inline]
    fn slide(&self, middle: f64, half: f64, far: f64) -> Sliding {
        let edge = self.moving.map(|end| self.passage.point(end, middle));
        if half == 0.0 {
            let (_, distance) = closest_on_segments(self.still, edge);
            return Sliding { distance, at: 0.0, error: 0.0 };
        }
        let velocity = self.passage.screw.flow(0.5 * (edge[0] + edge[1]));
        let error = self.passage.error_of_edge(0.5 * (edge[1] - edge[0]), velocity, half);
        let least = self.lines_apart(edge, velocity * half);
        let (distance, at) = if least > far + error {
            (least, 0.0)
        } else {
            from_swept(self.still, edge, velocity * half)
        };
        Sliding { distance, at: at * half, error }
    }

    /// A lower bound: along the common perpendicular of the edges, and across the one that stands
    /// still and the motion.
    fn lines_apart(&self, [r, s]: [DVec3; 2], half_way: DVec3) -> f64 {
        let [p, q] = self.still;
        let between = r - p;
        let along = |across: DVec3, way: DVec3| {
            let [apart, way] = [between.dot(across).abs(), way.dot(across).abs()];
            let length = across.length();
            if length > 0.0 { (apart - way) / length } else { 0.0 }
        };
        let by_edges = along((q - p).cross(s - r), half_way);
        let middle = between + 0.5 * (s - r);
        let across = (q - p).cross(half_way);
        let length = across.length();
        let by_motion = if length > 0.0 {
            (middle.dot(across).abs() - 0.5 * (s - r).dot(across).abs()) / length
        } else {
            0.0
        };
        by_edges.max(by_motion)
    }
}

/// The distance of a segment from what an edge sweeps that goes by `half_way` to either side, and
/// when: from -1 to 1.
fn from_swept(still: [DVec3; 2], [r, s]: [DVec3; 2], half_way: DVec3) -> (f64, f64) {
    let along = s - r;
    let across = along.cross(half_way);
    let size = across.length_squared();
    let mut best = (f64::INFINITY, 0.0);
    // Narrower ones are what their sides are.
    if size > (NARROW * NARROW) * along.length_squared() * half_way.length_squared() {
        let inside = |x: DVec3| {
            let from = x - r;
            let place = from.cross(half_way).dot(across) / size;
            let time = along.cross(from).dot(across) / size;
            ((0.0..=1.0).contains(&place) && time.abs() <= 1.0).then_some(time)
        };
        let heights = still.map(|x| (x - r).dot(across));
        if (heights[0] < 0.0) != (heights[1] < 0.0) {
            let f = heights[0] / (heights[0] - heights[1]);
            if let Some(time) = inside(still[0].lerp(still[1], f)) {
                return (0.0, time);
            }
        }
        for (x, height) in still.into_iter().zip(heights) {
            let distance = height.abs() / size.sqrt();
            if distance < best.0
                && let Some(time) = inside(x)
            {
                best = (distance, time);
            }
        }
    }
    for time in [-1.0, 1.0] {
        let (_, distance) = closest_on_segments(still, [r, s].map(|x| x + time * half_way));
        if distance < best.0 {
            best = (distance, time);
        }
    }
    for end in [r, s] {
        let ([_, f], distance) = closest_on_segments(still, [end - half_way, end + half_way]);
        if distance < best.0 {
            best = (distance, 2.0 * f - 1.0);
        }
    }
    best
}

/// A parallelogram with a smaller sine between its sides is taken for these: it is narrower than what
/// they are long by this factor.
const NARROW: f64 = 1e-9;

/// The closest points of two segments as fractions, and their distance. Of parallel segments an end
/// of one; a segment may be a point.
pub(super) fn closest_on_segments([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> ([f64; 2], f64) {
    let [d, e, between] = [q - p, s - r, r - p];
    let across = d.cross(e);
    let size = across.length_squared();
    if size > (PARALLEL * PARALLEL) * d.length_squared() * e.length_squared() {
        let u = between.cross(e).dot(across) / size;
        let v = between.cross(d).dot(across) / size;
        if (0.0..=1.0).contains(&u) && (0.0..=1.0).contains(&v) {
            return ([u, v], (p + u * d).distance(r + v * e));
        }
    }
    let foot = |x: DVec3, from: DVec3, along: DVec3| {
        let length_sq = along.length_squared();
        if length_sq > 0.0 { ((x - from).dot(along) / length_sq).clamp(0.0, 1.0) } else { 0.0 }
    };
    let ends =
        [[0.0, foot(p, r, e)], [foot(r, p, d), 0.0], [1.0, foot(q, r, e)], [foot(s, p, d), 1.0]];
    let mut best = ([0.0; 2], f64::INFINITY);
    for [u, v] in ends {
        let distance = (p + u * d).distance(r + v * e);
        if distance < best.1 {
            best = ([u, v], distance);
        }
    }
    best
}
