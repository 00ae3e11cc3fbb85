//! Two features of deforming surfaces in one step.

use glam::DVec3;

use super::closest::{on_segments, on_triangle};
use super::exact::{self, Polygon};
use super::filter::{self, Answer, Crossing};
use super::fine;
use super::forms::{EDGE_EDGE, Paths, Shape, VERTEX_TRIANGLE};
use crate::numeric::double::Double;

/// What kind of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A vertex and the three corners of a triangle.
    VertexTriangle,
    /// The two ends of one edge and those of another.
    EdgeEdge,
}

/// Two features whose four vertices move in straight lines at constant speed.
///
/// ```
/// use chasles::deform::Pair;
/// // A point falls onto a triangle that does not move.
/// let triangle = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]];
/// let at = |z: f64| [[0.25, 0.25, z], triangle[0], triangle[1], triangle[2]];
/// let pair = Pair::vertex_triangle(at(1.0), at(-3.0))?;
/// assert!(pair.touches());
/// let touch = pair.first().expect("they touch");
/// assert_eq!(touch.time, 0.25);
/// assert_eq!(touch.weights, [1.0, 0.5, 0.25, 0.25]);
/// # Ok::<(), chasles::deform::PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    kind: Kind,
    /// At the start and at the end of the step.
    ends: [[DVec3; 4]; 2],
}

/// A position that is not a number or infinite.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("vertex {vertex} is at {position} at the {}: every coordinate must be a finite number",
    if *.at_end { "end" } else { "start" })]
pub struct PositionError {
    /// Which vertex of the pair or of the surface, from 0.
    pub vertex: usize,
    /// At the end of the step; otherwise at its start.
    pub at_end: bool,
    /// The position.
    pub position: DVec3,
}

/// One uninterrupted touch of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// When it begins, as a fraction of the step.
    pub time: f64,
    /// An interval that holds the true time; the pair does not touch before it, unless an earlier
    /// touch was reported.
    pub bracket: [f64; 2],
    /// When it ends: at `time` too, except for pairs that slide along each other in a plane.
    pub until: f64,
    /// The height is a multiple root, at which features usually touch without crossing, or they
    /// stay in one plane.
    pub grazing: bool,
    /// How much each of the four vertices weighs at the point of touch, in each feature: 1 for
    /// a vertex, then the three corners of the triangle; or both ends of each edge.
    pub weights: [f64; 4],
    /// Where.
    pub point: DVec3,
    /// Unit normal, on the side from which the first feature comes; on either side where it comes
    /// from neither, to rounding.
    pub normal: DVec3,
    /// How fast the first feature moves along the normal, relative to the second; not positive, and
    /// infinite where it exceeds all doubles.
    pub normal_speed: f64,
}

/// An answer, and how it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Whether the pair touches at some time of the step.
    pub touches: bool,
    /// Whether rounding was in the way, so that exact arithmetic had to decide.
    pub exact: bool,
}

impl Pair {
    /// A vertex and a triangle, at the start and at the end of the step; the vertex comes first.
    ///
    /// *Accepts* any finite positions, degenerate triangles among them. *Fails* on others.
    pub fn vertex_triangle<P: Into<DVec3>>(
        start: [P; 4],
        end: [P; 4],
    ) -> Result<Self, PositionError> {
        Self::new(Kind::VertexTriangle, [start.map(P::into), end.map(P::into)])
    }

    /// Two edges, at the start and at the end of the step; the ends of the first edge come first.
    ///
    /// *Accepts* any finite positions, edges without length among them. *Fails* on others.
    pub fn edge_edge<P: Into<DVec3>>(start: [P; 4], end: [P; 4]) -> Result<Self, PositionError> {
        Self::new(Kind::EdgeEdge, [start.map(P::into), end.map(P::into)])
    }

    /// A pair of either kind.
    ///
    /// *Accepts* any finite positions. *Fails* on others.
    pub fn new(kind: Kind, ends: [[DVec3; 4]; 2]) -> Result<Self, PositionError> {
        for (end, at_end) in ends.iter().zip([false, true]) {
            if let Some(vertex) = end.iter().position(|p| !p.is_finite()) {
                return Err(PositionError { vertex, at_end, position: end[vertex] });
            }
        }
        Ok(Self { kind, ends })
    }

    /// Positions that are known to be finite.
    pub(super) fn from_finite(kind: Kind, ends: [[DVec3; 4]; 2]) -> Self {
        debug_assert!(ends.as_flattened().iter().all(|p| p.is_finite()), "positions are checked");
        Self { kind, ends }
    }

    /// The four vertices at the start and at the end of the step.
    pub fn ends(&self) -> &[[DVec3; 4]; 2] {
        &self.ends
    }

    /// The kind of features.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether the closed features have a point in common at some time in `[0, 1]`.
    ///
    /// *Guarantees* the answer that real arithmetic would give for these positions. *Cost* about
    /// 0.1 us where rounding is not in the way, some microseconds otherwise. *Fails* never.
    pub fn touches(&self) -> bool {
        self.decide().touches
    }

    /// As [`Pair::touches`], and whether exact arithmetic was needed.
    pub fn decide(&self) -> Decision {
        let Filtered { answer, exact } = self.filtered(false);
        match answer {
            Answer::Clear => Decision { touches: false, exact },
            Answer::Touch(_) => Decision { touches: true, exact },
            Answer::Unknown => Decision { touches: self.touches_exactly(), exact: true },
        }
    }

    /// As [`Pair::touches`], by exact arithmetic alone: slower, and a check of the other.
    pub fn touches_exactly(&self) -> bool {
        self.polygon().touches()
    }

    /// The first touch of the step.
    ///
    /// *Guarantees* one exactly if [`Pair::touches`]; its bracket holds the true time. *Cost* as
    /// there, and some tens of microseconds for the bracket where exact arithmetic is needed.
    /// *Fails* never.
    pub fn first(&self) -> Option<Touch> {
        match self.filtered(true).answer {
            Answer::Clear => None,
            Answer::Touch(crossing) => {
                let (time, bracket) = crossing.time();
                Some(self.touch(time, bracket))
            }
            Answer::Unknown => self.all().first().copied(),
        }
    }

    /// All touches of the step, in order: at most three moments, or intervals for features that
    /// stay in one plane.
    ///
    /// *Guarantees* as [`Pair::first`]. *Cost* always that of exact arithmetic. *Fails* never.
    pub fn all(&self) -> Vec<Touch> {
        self.polygon().touches_all().into_iter().map(|touch| self.rounded(touch)).collect()
    }

    /// An exact touch in doubles.
    fn rounded(&self, exact: exact::Touch) -> Touch {
        let bracket = exact.from.bracket();
        let time = 0.5 * (bracket[0] + bracket[1]);
        let [_, until] = exact.until.bracket();
        let until = if until <= bracket[1] { time } else { until };
        Touch { until, grazing: exact.grazing, ..self.touch(time, bracket) }
    }

    fn polygon(&self) -> Polygon {
        match self.kind {
            Kind::VertexTriangle => Polygon::new(&self.ends, &VERTEX_TRIANGLE),
            Kind::EdgeEdge => Polygon::new(&self.ends, &EDGE_EDGE),
        }
    }

    fn filtered(&self, first: bool) -> Filtered {
        if self.is_apart() {
            return Filtered { answer: Answer::Clear, exact: false };
        }
        match self.kind {
            Kind::VertexTriangle => self.filter(&VERTEX_TRIANGLE, first),
            Kind::EdgeEdge => self.filter(&EDGE_EDGE, first),
        }
    }

    /// Whether the features are on different sides along some axis during the whole step.
    #[inline]
    fn is_apart(&self) -> bool {
        let bounds = |vertices: &[DVec3]| {
            let first = vertices[0];
            let join = |[low, high]: [DVec3; 2], v: &DVec3| [low.min(*v), high.max(*v)];
            vertices[1..].iter().fold([first, first], join)
        };
        let beside = self.ends.map(|end| {
            let (first, second) = end.split_at(self.vertices_of_first());
            let [first, second] = [bounds(first), bounds(second)];
            [first[0].cmpgt(second[1]), first[1].cmplt(second[0])]
        });
        (beside[0][0] & beside[1][0]).any() || (beside[0][1] & beside[1][1]).any()
    }

    /// Doubles first, then twice the digits; at a single root exact arithmetic if need be.
    fn filter<const M: usize>(&self, shape: &Shape<M>, first: bool) -> Filtered {
        let mut exact = false;
        let paths = Paths::<f64, M>::new(&self.ends, shape);
        let Some((sizes, bounds)) = filter::bounds(&paths) else {
            return Filtered { answer: Answer::Unknown, exact };
        };
        let pairs = || Paths::<Double, M>::new(&self.ends, shape);
        let mut settle = |crossing: &Crossing| {
            fine::holds_origin(&pairs(), crossing, sizes).unwrap_or_else(|doubt| {
                exact = true;
                self.polygon().touches_between([crossing.from, crossing.to], &doubt)
            })
        };
        let mut answer = filter::decide(&paths, (sizes[0], bounds), first, &mut settle);
        if answer == Answer::Unknown {
            answer = fine::decide(&pairs(), bounds, first, settle);
        }
        Filtered { answer, exact }
    }

    /// The four vertices at a time.
    pub(super) fn at(&self, time: f64) -> [DVec3; 4] {
        std::array::from_fn(|i| self.ends[0][i].lerp(self.ends[1][i], time))
    }

    /// Weights of the points of both features that are closest to each other.
    pub(super) fn closest(&self, [p, q, r, s]: [DVec3; 4]) -> [f64; 4] {
        match self.kind {
            Kind::VertexTriangle => {
                let [b, c] = on_triangle(p, [q, r, s]);
                [1.0, 1.0 - b - c, b, c]
            }
            Kind::EdgeEdge => {
                let [on_first, on_second] = on_segments([p, q], [r, s]);
                [1.0 - on_first, on_first, 1.0 - on_second, on_second]
            }
        }
    }

    /// From the point of the second feature that these weights mean to that of the first, and the
    /// latter.
    pub(super) fn between(&self, of: &[DVec3; 4], weights: &[f64; 4]) -> (DVec3, DVec3) {
        let sum = |from: usize, to: usize| {
            (from..to).map(|i| weights[i] * of[i]).fold(DVec3::ZERO, |sum, p| sum + p)
        };
        let first = sum(0, self.vertices_of_first());
        (first - sum(self.vertices_of_first(), 4), first)
    }

    pub(super) fn vertices_of_first(&self) -> usize {
        match self.kind {
            Kind::VertexTriangle => 1,
            Kind::EdgeEdge => 2,
        }
    }

    /// The pair times a power of two that makes the largest coordinate about 1, and that power:
    /// squares and products then neither overflow nor lose digits that count.
    pub(super) fn scaled(&self) -> (Self, f64) {
        let all = self.ends.as_flattened().iter();
        let size = all.fold(0.0, |most: f64, p| most.max(p.abs().max_element()));
        // The exponent, within what a double can undo.
        let exponent = ((size.to_bits() >> 52) as i32 - 1022).clamp(-1000, 1000);
        let scale = if size > 0.0 { 2_f64.powi(-exponent) } else { 1.0 };
        (Self { ends: self.ends.map(|end| end.map(|p| p * scale)), ..*self }, scale)
    }

    /// A touch at a simple root.
    fn touch(&self, time: f64, bracket: [f64; 2]) -> Touch {
        let (pair, scale) = self.scaled();
        let vertices = pair.at(time);
        let weights = pair.closest(vertices);
        let (_, point) = self.between(&self.at(time), &weights);
        let moves: [DVec3; 4] = std::array::from_fn(|i| pair.ends[1][i] - pair.ends[0][i]);
        let (velocity, _) = pair.between(&moves, &weights);
        let normal = pair.normal(&vertices).or_else(|| velocity.try_normalize());
        let mut normal = normal.unwrap_or(DVec3::Z);
        if normal.dot(velocity) > 0.0 {
            normal = -normal;
        }
        let normal_speed = normal.dot(velocity) / scale;
        Touch { time, bracket, until: time, grazing: false, weights, point, normal, normal_speed }
    }

    /// The normal of the triangle, or of both edges, if there is one.
    pub(super) fn normal(&self, [p, q, r, s]: &[DVec3; 4]) -> Option<DVec3> {
        let [u, w] = match self.kind {
            Kind::VertexTriangle => [r - q, s - q],
            Kind::EdgeEdge => [q - p, s - r],
        };
        let across = u.try_normalize()?.cross(w.try_normalize()?);
        // Below this the direction of the product is mostly rounding.
        (across.length() > 1e-12).then(|| across.normalize())
    }
}

/// What the filter says, and whether exact arithmetic had to help.
struct Filtered {
    answer: Answer,
    exact: bool,
}
