//! Surfaces given by a function of two parameters, as triangles with a stated error.
//!
//! *Question.* Which triangles are no farther than a tolerance from the surface `f(u, v)` over
//! `[0, 1]²`? The square is cut into `n_u` by `n_v` rectangles of sides `h_u, h_v`, each into two
//! triangles, whose corners are mapped by `f`.
//!
//! A point `x` of such a triangle is `Σ λ_i v_i` of its corners, with weights that are not negative
//! and sum to 1. By Taylor's formula at `x`, the first derivative drops out of the mean:
//!
//! ```text
//!   |Σ λ_i f(v_i) - f(x)| <= ½ Σ λ_i (M_uu a_i² + 2 M_uv |a_i b_i| + M_vv b_i²),   v_i - x = (a_i, b_i)
//! ```
//!
//! where `M` bounds the second derivatives. `Σ λ_i a_i²` is the variance of numbers in an interval
//! of length `h_u`, hence at most `h_u² / 4`, and `Σ λ_i |a_i b_i| <= h_u h_v / 4` by Cauchy and
//! Schwarz:
//!
//! ```text
//!   error <= (h_u² M_uu + 2 h_u h_v M_uv + h_v² M_vv) / 8
//! ```
//!
//! Points of equal parameters are this close, so the bound holds both ways: every point of the
//! surface has triangles near it, and every point of the triangles the surface.
//!
//! *Accepts* functions with bounded second derivatives; the caller knows the bounds, or gives the
//! control points of a Bezier patch. *Guarantees* the error, up to the rounding of `f` itself.
//! *Cost* one call for each corner. *Fails* with [`SolidError`] on bounds that are none, on more
//! than four million triangles, and where `f` is not finite. Edges of neighbouring patches that are
//! cut into different numbers leave gaps up to the sum of their errors.

use glam::DVec3;

use super::SolidError;
use super::shapes::{ROUNDING, place, size, sum};
use crate::mesh::Polygons;

/// How much a surface bends: bounds on the lengths of its second derivatives over `[0, 1]²`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bend {
    /// Of the second derivative along u.
    pub uu: f64,
    /// Of the mixed derivative.
    pub uv: f64,
    /// Of the second derivative along v.
    pub vv: f64,
}

impl Bend {
    /// The bound on the error of triangles over rectangles of these sides.
    fn error(&self, h_u: f64, h_v: f64) -> f64 {
        (h_u * h_u * self.uu + 2.0 * h_u * h_v * self.uv + h_v * h_v * self.vv) / 8.0
    }

    fn check(&self) -> Result<(), SolidError> {
        let is_wrong = |value: &f64| !(0.0..=1e60).contains(value);
        match [self.uu, self.uv, self.vv].into_iter().find(is_wrong) {
            Some(value) => Err(SolidError::Number {
                what: "the bound of a second derivative",
                value,
                expected: "a number from 0 to 1e60",
            }),
            None => Ok(()),
        }
    }
}

/// Rectangles that a patch is cut into at most; twice as many triangles, some 100 megabytes.
const MAX_RECTANGLES: f64 = 2e6;

/// A surface over two parameters, cut into triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    polygons: Polygons,
    error: f64,
}

impl Patch {
    /// The triangles of `f` over `[0, 1]²` that are no farther from it than `tolerance`.
    ///
    /// *Accepts* a tolerance above zero, and true bounds of the second derivatives. *Guarantees*
    /// that [`Patch::error`] is at most the tolerance but for rounding; faces are counter-clockwise
    /// seen from where `∂f/∂u × ∂f/∂v` points. *Cost* one call of `f` for each corner. *Fails* with
    /// [`SolidError::Number`] if the tolerance needs more than four million triangles, if a bound
    /// is negative or not finite, or if `f` is not finite or beyond 1e60 somewhere.
    ///
    /// ```
    /// use chasles::glam::DVec3;
    /// use chasles::solid::{Bend, Patch};
    /// // A quarter of a cylinder of radius 1.
    /// let quarter = std::f64::consts::FRAC_PI_2;
    /// let round = |u: f64, v: f64| DVec3::new((quarter * u).cos(), (quarter * u).sin(), v);
    /// let bend = Bend { uu: quarter * quarter, ..Bend::default() };
    /// let patch = Patch::new(round, bend, 1e-3)?;
    /// assert!(patch.error() <= 1e-3 && patch.polygons().faces.len() < 100);
    /// # Ok::<(), chasles::solid::SolidError>(())
    /// ```
    pub fn new(
        f: impl Fn(f64, f64) -> DVec3,
        bend: Bend,
        tolerance: f64,
    ) -> Result<Self, SolidError> {
        bend.check()?;
        let [n_u, n_v] = counts(&bend, size("the tolerance", tolerance)?)?;
        let at = |i: usize, n: usize| i as f64 / n as f64;
        let mut vertices = Vec::with_capacity((n_u + 1) * (n_v + 1));
        for j in 0..=n_v {
            for i in 0..=n_u {
                vertices.push(place("a coordinate of the patch", f(at(i, n_u), at(j, n_v)))?);
            }
        }
        let largest = vertices.iter().map(|&v| sum(v)).fold(0.0, f64::max);
        let error = bend.error(1.0 / n_u as f64, 1.0 / n_v as f64) + ROUNDING * largest;
        let polygons = Polygons::new(vertices, triangles(n_u, n_v));
        Ok(Self { polygons, error })
    }

    /// The Bezier patch of a grid of control points, in rows along u of `columns` points each.
    ///
    /// With degrees `m, n` the second derivatives are Bezier patches of the second differences,
    /// times `m (m - 1)`, `m n` and `n (n - 1)`, and a patch is no longer than its longest control
    /// point: that is the bend.
    ///
    /// *Accepts* two or more rows and columns, up to 64 of each. *Guarantees* as [`Patch::new`].
    /// *Cost* the control points squared for each corner at most. *Fails* as [`Patch::new`], and
    /// on counts that do not fit.
    pub fn bezier(control: &[DVec3], columns: usize, tolerance: f64) -> Result<Self, SolidError> {
        let net = Net::new(control, columns)?;
        Self::new(|u, v| net.at(u, v), net.bend(), tolerance)
    }

    /// Vertices and triangles, for a mesh.
    pub fn polygons(&self) -> &Polygons {
        &self.polygons
    }

    /// How far the triangles and the surface are from each other at most.
    pub fn error(&self) -> f64 {
        self.error
    }
}

/// Rectangles along u and v that keep the tolerance.
///
/// `2 h_u h_v <= h_u² + h_v²` shares the mixed term out; each direction has half of the tolerance.
fn counts(bend: &Bend, tolerance: f64) -> Result<[usize; 2], SolidError> {
    let count = |bend: f64| (bend / (4.0 * tolerance)).sqrt().ceil().max(1.0);
    let [n_u, n_v] = [count(bend.uu + bend.uv), count(bend.vv + bend.uv)];
    if n_u * n_v <= MAX_RECTANGLES {
        return Ok([n_u as usize, n_v as usize]);
    }
    let expected = "larger: the patch needs more than four million triangles";
    Err(SolidError::Number { what: "the tolerance", value: tolerance, expected })
}

/// Two triangles for each rectangle of a grid of vertices in rows.
fn triangles(n_u: usize, n_v: usize) -> impl Iterator<Item = [u32; 3]> {
    let at = move |i: usize, j: usize| (j * (n_u + 1) + i) as u32;
    let cells = (0..n_v).flat_map(move |j| (0..n_u).map(move |i| (i, j)));
    cells.flat_map(move |(i, j)| {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    })
}

/// The control points of a Bezier patch.
struct Net<'a> {
    control: &'a [DVec3],
    columns: usize,
    rows: usize,
}

/// Rows or columns of control points at most: beyond, the polynomials lose digits.
const MAX_CONTROL: usize = 64;

impl<'a> Net<'a> {
    fn new(control: &'a [DVec3], columns: usize) -> Result<Self, SolidError> {
        let rows = control.len() / columns.max(1);
        let fits = |count| (2..=MAX_CONTROL).contains(&count);
        if !fits(columns) || !fits(rows) || rows * columns != control.len() {
            return Err(SolidError::Number {
                what: "the number of control points",
                value: control.len() as f64,
                expected: "that of a grid of 2 to 64 rows and columns",
            });
        }
        for &point in control {
            place("a control point", point)?;
        }
        Ok(Self { control, columns, rows })
    }

    fn point(&self, i: usize, j: usize) -> DVec3 {
        self.control[j * self.columns + i]
    }

    /// The longest difference, `of` each place of a grid of these counts.
    fn longest(counts: [usize; 2], of: impl Fn(usize, usize) -> DVec3) -> f64 {
        let all = (0..counts[1]).flat_map(|j| (0..counts[0]).map(move |i| (i, j)));
        all.map(|(i, j)| of(i, j).length()).fold(0.0, f64::max)
    }

    fn bend(&self) -> Bend {
        let (m, n) = (self.columns - 1, self.rows - 1);
        let p = |i: usize, j: usize| self.point(i, j);
        let along_u = |i, j| p(i + 2, j) - 2.0 * p(i + 1, j) + p(i, j);
        let along_v = |i, j| p(i, j + 2) - 2.0 * p(i, j + 1) + p(i, j);
        let mixed = |i, j| p(i + 1, j + 1) - p(i + 1, j) - p(i, j + 1) + p(i, j);
        // The factor is for the rounding of the differences.
        let largest = self.control.iter().map(|&v| sum(v)).fold(0.0, f64::max);
        let bound = |factor: usize, longest: f64| factor as f64 * (longest + ROUNDING * largest);
        Bend {
            uu: bound(
                m * (m - 1),
                Self::longest([self.columns.saturating_sub(2), self.rows], along_u),
            ),
            uv: bound(m * n, Self::longest([m, n], mixed)),
            vv: bound(
                n * (n - 1),
                Self::longest([self.columns, self.rows.saturating_sub(2)], along_v),
            ),
        }
    }

    /// The point at parameters, by repeated means.
    fn at(&self, u: f64, v: f64) -> DVec3 {
        let mut row = [DVec3::ZERO; MAX_CONTROL];
        let mut column = [DVec3::ZERO; MAX_CONTROL];
        for (j, slot) in column[..self.rows].iter_mut().enumerate() {
            let start = j * self.columns;
            row[..self.columns].copy_from_slice(&self.control[start..start + self.columns]);
            *slot = mean(&mut row[..self.columns], u);
        }
        mean(&mut column[..self.rows], v)
    }
}

/// The Bezier curve of points at a parameter; the points are used up.
fn mean(points: &mut [DVec3], t: f64) -> DVec3 {
    for count in (1..points.len()).rev() {
        for i in 0..count {
            points[i] = points[i].lerp(points[i + 1], t);
        }
    }
    points[0]
}
