//! The polygon that must hold the origin, and the polynomials that tell whether it does.
//!
//! Subtract the vertex from the corners of the triangle, or one edge from the other: features touch
//! when the origin lies in a polygon with corners `q_i(t)`, each of which moves in a straight line.
//!
//! ```text
//!  vertex p, triangle abc           edges p0 p1 and r0 r1, parallelogram of differences
//!  a-p, b-p, c-p                    p0-r0, p1-r0, p1-r1, p0-r1
//! ```
//!
//! With edges `e_i = q_i+1 - q_i`, `n = e_0 x e_1` and `m_i = q_i x e_i`, the origin lies in the
//! plane when the height `f = q_0 . n` is zero, a cubic in the time. Then, where `n` is not zero,
//! all `m_i` are parallel to `n`, and the polygon holds the origin if none points against it.

use std::ops::{Add, Mul, Sub};

use glam::DVec3;

use crate::numeric::double::Double;

/// Which vertices are subtracted from which, for corners and edges.
pub(super) struct Shape<const M: usize> {
    pub(super) corners: [(usize, usize); M],
    pub(super) edges: [(usize, usize); M],
}

/// A vertex, then the corners of a triangle.
pub(super) const VERTEX_TRIANGLE: Shape<3> =
    Shape { corners: [(1, 0), (2, 0), (3, 0)], edges: [(2, 1), (3, 2), (1, 3)] };

/// The ends of one edge, then of the other.
pub(super) const EDGE_EDGE: Shape<4> =
    Shape { corners: [(0, 2), (1, 2), (1, 3), (0, 3)], edges: [(1, 0), (2, 3), (0, 1), (3, 2)] };

/// Numbers that forms can be made of.
pub(super) trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    fn new(value: f64) -> Self;

    fn difference(to: f64, from: f64) -> Self;
}

impl Number for f64 {
    #[inline]
    fn new(value: f64) -> Self {
        value
    }

    #[inline]
    fn difference(to: f64, from: f64) -> Self {
        to - from
    }
}

impl Number for Double {
    #[inline]
    fn new(value: f64) -> Self {
        Self::new(value)
    }

    #[inline]
    fn difference(to: f64, from: f64) -> Self {
        Self::sum(to, -from)
    }
}

pub(super) type Vector<T> = [T; 3];

/// Corners and edges at the start and at the end of the step.
pub(super) struct Paths<T, const M: usize> {
    pub(super) corners: [[Vector<T>; 2]; M],
    pub(super) edges: [[Vector<T>; 2]; M],
}

/// Coefficients of `f` and of all `n . m_i` in Bernstein form.
pub(super) type Coefficients<T, const M: usize> = ([T; 4], [[T; 5]; M]);

impl<T: Number, const M: usize> Paths<T, M> {
    #[inline]
    pub(super) fn new(ends: &[[DVec3; 4]; 2], shape: &Shape<M>) -> Self {
        let path = |(to, from): (usize, usize)| {
            [0, 1].map(|end| {
                let [to, from] = [&ends[end][to], &ends[end][from]];
                [0, 1, 2].map(|axis| T::difference(to[axis], from[axis]))
            })
        };
        Self { corners: shape.corners.map(path), edges: shape.edges.map(path) }
    }

    #[inline]
    pub(super) fn normal(&self) -> [Vector<T>; 3] {
        product(&self.edges[0], &self.edges[1])
    }

    #[inline]
    pub(super) fn height(&self, n: &[Vector<T>; 3]) -> [T; 4] {
        let [q0, q1] = &self.corners[0];
        let [two, third] = [2.0, 1.0 / 3.0].map(T::new);
        [
            dot(q0, &n[0]),
            (two * dot(q0, &n[1]) + dot(q1, &n[0])) * third,
            (dot(q0, &n[2]) + two * dot(q1, &n[1])) * third,
            dot(q1, &n[2]),
        ]
    }

    #[inline]
    pub(super) fn sides(&self, n: &[Vector<T>; 3]) -> [[T; 5]; M] {
        std::array::from_fn(|i| quartic(n, &product(&self.corners[i], &self.edges[i])))
    }
}

/// The cross product of two moving vectors.
#[inline]
fn product<T: Number>(p: &[Vector<T>; 2], q: &[Vector<T>; 2]) -> [Vector<T>; 3] {
    let [p0q1, p1q0] = [cross(&p[0], &q[1]), cross(&p[1], &q[0])];
    let half = T::new(0.5);
    let middle = std::array::from_fn(|axis| half * (p0q1[axis] + p1q0[axis]));
    [cross(&p[0], &q[0]), middle, cross(&p[1], &q[1])]
}

#[inline]
fn quartic<T: Number>(n: &[Vector<T>; 3], m: &[Vector<T>; 3]) -> [T; 5] {
    let d = |i: usize, j: usize| dot(&n[i], &m[j]);
    let [half, four, sixth] = [0.5, 4.0, 1.0 / 6.0].map(T::new);
    [
        d(0, 0),
        half * (d(0, 1) + d(1, 0)),
        (d(0, 2) + four * d(1, 1) + d(2, 0)) * sixth,
        half * (d(1, 2) + d(2, 1)),
        d(2, 2),
    ]
}

#[inline]
pub(super) fn cross<T: Number>(p: &Vector<T>, q: &Vector<T>) -> Vector<T> {
    [0, 1, 2].map(|axis| cross_along(p, q, axis))
}

/// One component of the cross product.
#[inline]
pub(super) fn cross_along<T: Number>(p: &Vector<T>, q: &Vector<T>, axis: usize) -> T {
    let [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
    p[i] * q[j] - p[j] * q[i]
}

#[inline]
pub(super) fn dot<T: Number>(p: &Vector<T>, q: &Vector<T>) -> T {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}
