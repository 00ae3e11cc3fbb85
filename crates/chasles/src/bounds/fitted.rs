//! Boxes that lie as the surface does, for queries of distance: made when first asked for.
//!
//! Two curved surfaces at a distance far below their size are told apart only by boxes whose
//! thickness is that of the bend of the surface, `s²/8R` for a patch of size `s` on a radius `R`.
//! A box along the axes of the body is as thick as the patch is tilted.

use glam::{DMat3, DVec3};
use wide::f64x2;

use super::tree::Node;
use crate::mesh::Polyhedron;
use crate::numeric::Elementary;

/// The boxes of all nodes of a tree, two children side by side.
#[derive(Clone, Debug)]
pub(crate) struct Fitted {
    twins: Vec<Twins>,
}

/// The boxes of two children of a node, coordinate by coordinate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twins {
    /// Middles, in the collider's local coordinates.
    pub(crate) centre: [f64x2; 3],
    /// Unit axes.
    pub(crate) axes: [[f64x2; 3]; 3],
    /// Half the sides along these.
    pub(crate) half: [f64x2; 3],
}

impl Fitted {
    /// Fits a box to each node.
    ///
    /// *Accepts* the nodes of a tree, its mesh and the origin of local coordinates. *Guarantees*
    /// that each box holds the faces, edges and vertices of its node. *Cost* a pass over the faces
    /// for each level of the tree.
    pub(super) fn new(nodes: &[Node], mesh: &Polyhedron, pivot: DVec3) -> Self {
        let mut moments = vec![Moments::default(); nodes.len()];
        let mut boxes = Vec::with_capacity(nodes.len());
        // Children stand behind their parents.
        for (i, node) in nodes.iter().enumerate().rev() {
            let child = node.child as usize;
            moments[i] = if node.is_leaf() {
                Moments::of(node, mesh, pivot)
            } else {
                moments[child].joined(&moments[child + 1])
            };
            boxes.push(Fit::new(moments[i].axes(), points(node, mesh, pivot)));
        }
        boxes.reverse();
        let of = |i: usize| [boxes[i.max(1) - 1], boxes[i]];
        // The root stands beside itself; all others are behind a parent, two by two.
        let root = Twins::of(of(0));
        let twins = (2..nodes.len()).step_by(2).map(|i| Twins::of(of(i)));
        let twins = std::iter::once(root).chain(twins).collect();
        Self { twins }
    }

    /// The boxes of a node and the one beside it, and which of the two it is.
    #[inline]
    pub(crate) fn of(&self, node: u32) -> (&Twins, usize) {
        let place = node as usize + 1;
        (&self.twins[place / 2], place % 2)
    }
}

impl Twins {
    fn of([p, q]: [Fit; 2]) -> Self {
        let both = |f: fn(&Fit) -> DVec3| {
            let [x, y] = [f(&p), f(&q)];
            [0, 1, 2].map(|i| f64x2::new([x[i], y[i]]))
        };
        let axes =
            [both(|fit| fit.axes.x_axis), both(|fit| fit.axes.y_axis), both(|fit| fit.axes.z_axis)];
        Self { centre: both(|fit| fit.centre), axes, half: both(|fit| fit.half) }
    }
}

/// All points that span a node: corners of faces, ends of lone edges, lone vertices.
fn points<'m>(
    node: &Node,
    mesh: &'m Polyhedron,
    pivot: DVec3,
) -> impl Iterator<Item = DVec3> + Clone + 'm {
    let of_faces = node.faces.clone().flat_map(|f| mesh.face(f)).copied();
    let lone = node.edges.clone().filter(|&e| mesh.edge_sides(e).is_empty());
    let of_edges = lone.flat_map(|e| mesh.edge(e));
    let of_vertices = node.vertices.clone().filter(|&v| mesh.vertex_faces(v).is_empty());
    of_faces.chain(of_edges).chain(of_vertices).map(move |v| mesh.position(v) - pivot)
}

/// A box around points.
#[derive(Clone, Copy, Debug)]
struct Fit {
    centre: DVec3,
    axes: DMat3,
    half: DVec3,
}

/// A box grows by this part of its coordinates, above the rounding of products and sums.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

impl Fit {
    fn new(axes: DMat3, points: impl Iterator<Item = DVec3>) -> Self {
        let inverse = axes.transpose();
        let [mut low, mut high] = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        for point in points {
            let at = inverse * point;
            low = low.min(at);
            high = high.max(at);
        }
        let far = low.abs().max(high.abs()).max_element();
        let half = 0.5 * (high - low) + DVec3::splat(ROUNDING * far);
        Self { centre: axes * (0.5 * (low + high)), axes, half }
    }
}

/// Sums over the corners of faces, each with its part of the area.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    area: f64,
    first: DVec3,
    second: DMat3,
    /// The area with its direction.
    normal: DVec3,
}

/// Surfaces with this part of their area facing one way have a normal; others are measured along
/// the directions in which they extend most and least.
const FACING: f64 = 0.7;

impl Moments {
    fn of(leaf: &Node, mesh: &Polyhedron, pivot: DVec3) -> Self {
        let mut sums = Self::default();
        for face in leaf.faces.clone() {
            let ring = mesh.face(face);
            let at = |i: usize| mesh.position(ring[i]) - pivot;
            let fan = (1..ring.len() - 1).map(|i| (at(i) - at(0)).cross(at(i + 1) - at(0)));
            let normal: DVec3 = fan.sum();
            let area = normal.length();
            let share = area / ring.len() as f64;
            sums.area += area;
            sums.normal += normal;
            for i in 0..ring.len() {
                sums.first += share * at(i);
                sums.second += outer(share * at(i), at(i));
            }
        }
        sums
    }

    fn joined(&self, other: &Self) -> Self {
        Self {
            area: self.area + other.area,
            first: self.first + other.first,
            second: self.second + other.second,
            normal: self.normal + other.normal,
        }
    }

    /// Axes at right angles: the normal and the directions of greatest and least extent across it.
    fn axes(&self) -> DMat3 {
        // Without area, or where squares under- or overflow, there is nothing to choose by.
        if !(self.area.is_normal() && self.second.is_finite()) {
            return DMat3::IDENTITY;
        }
        let mean = self.first / self.area;
        let spread = self.second * self.area.recip() - outer(mean, mean);
        if self.normal.length() < FACING * self.area {
            return principal(spread);
        }
        let normal = self.normal.normalize();
        let (u, v) = normal.any_orthonormal_pair();
        let [across, twice] = [u.dot(spread * u) - v.dot(spread * v), 2.0 * u.dot(spread * v)];
        let (sin, cos) = (0.5 * twice.arctangent_over(across)).sine_cosine();
        DMat3::from_cols(cos * u + sin * v, cos * v - sin * u, normal)
    }
}

fn outer(p: DVec3, q: DVec3) -> DMat3 {
    DMat3::from_cols(p * q.x, p * q.y, p * q.z)
}

/// Turns in each pair of coordinates; each round squares what is left of the products.
const ROUNDS: usize = 4;

/// The directions in which a symmetric matrix has no products: Jacobi's method. They stay at right
/// angles whatever the matrix.
fn principal(mut spread: DMat3) -> DMat3 {
    let mut axes = DMat3::IDENTITY;
    for _ in 0..ROUNDS {
        for [i, j] in [[0, 1], [0, 2], [1, 2]] {
            let twice = 2.0 * spread.col(i)[j];
            let across = spread.col(i)[i] - spread.col(j)[j];
            let (sin, cos) = (0.5 * twice.arctangent_over(across)).sine_cosine();
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(i)[i] = cos;
            turn.col_mut(i)[j] = sin;
            turn.col_mut(j)[i] = -sin;
            turn.col_mut(j)[j] = cos;
            spread = turn.transpose() * spread * turn;
            axes *= turn;
        }
    }
    axes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::Collider;
    use crate::mesh::shapes::{Shape, Sphere, Torus};

    fn fits(shape: Shape) -> (Collider, Vec<Fit>) {
        let collider = Collider::new(shape.build().expect("a shape"));
        let fit = |i: u32| {
            let (twins, lane) = collider.fitted().of(i);
            let at = |x: &[f64x2; 3]| DVec3::from_array(x.map(|x| x.to_array()[lane]));
            let [x, y, z] = twins.axes.each_ref().map(at);
            let axes = DMat3::from_cols(x, y, z);
            Fit { centre: at(&twins.centre), axes, half: at(&twins.half) }
        };
        let fits = (0..collider.nodes().len() as u32).map(fit).collect();
        (collider, fits)
    }

    #[test]
    fn boxes_hold_their_nodes_and_have_right_angles() {
        for shape in [Shape::Torus(Torus::default()), Shape::Sphere(Sphere::default())] {
            let (collider, fits) = fits(shape);
            for (node, fit) in collider.nodes().iter().zip(&fits) {
                let square = fit.axes.transpose() * fit.axes;
                assert!(square.abs_diff_eq(DMat3::IDENTITY, 1e-14));
                for point in points(node, collider.mesh(), collider.pivot()) {
                    let at = fit.axes.transpose() * (point - fit.centre);
                    assert!((at.abs() - fit.half).max_element() <= 1e-15, "{at} in {}", fit.half);
                }
            }
        }
    }

    #[test]
    fn leaves_of_a_sphere_are_as_thin_as_its_bend() {
        let sphere = Sphere { segments: [64, 32], ..Sphere::default() };
        let (collider, fits) = fits(Shape::Sphere(sphere));
        let radius = collider.radius();
        let leaves = collider.nodes().iter().zip(&fits).filter(|(node, _)| node.is_leaf());
        for (_, fit) in leaves {
            let size = fit.half.max_element();
            assert!(fit.half.min_element() <= size * size / radius, "{}", fit.half);
        }
    }
}
