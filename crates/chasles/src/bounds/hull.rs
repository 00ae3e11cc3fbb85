//! What a query wants to know of a node of the tree before it looks at the node's features: a box
//! that lies as the surface does, and which way its faces look.

use glam::{DMat3, DVec3, Vec3};
use wide::f32x4;

use super::tree::Node;
use crate::mesh::Polyhedron;
use crate::motion::Screw;

/// Nodes with more faces than this are too much curved for a box of their own axes to be smaller.
const FLAT: usize = 64;

/// The thinnest box, in units of the collider's size: below the rounding of bounds in a chart.
const THIN: f64 = 1e-6;

/// A node of the tree from outside.
#[derive(Clone, Debug)]
pub(crate) struct Hull {
    /// Middle of the box, in the collider's local coordinates.
    pub(super) centre: DVec3,
    /// Half the box's sides, in units of the collider's size.
    pub(super) sides: [Vec3; 3],
    /// No corner of the box is farther from its centre.
    radius: f64,
    /// Holds the normals of all faces at its features.
    normals: Cone,
}

impl Hull {
    /// The box of a node along the body's axes; its faces may look anywhere.
    pub(super) fn upright(node: &Node, scale: f64) -> Self {
        Self::new(node.centre, (DMat3::IDENTITY, node.half), scale)
    }

    /// The hull of a node whose faces look into a cone.
    pub(super) fn around(node: &Node, normals: Cone, mesh: &Polyhedron, units: Units) -> Self {
        let mut hull = Self { normals, ..Self::upright(node, units.scale) };
        if node.faces.len() <= FLAT {
            hull.fit(node, mesh, units);
        }
        hull
    }

    /// A box with these axes and half sides; its faces may look anywhere.
    pub(super) fn new(centre: DVec3, (axes, half): (DMat3, DVec3), scale: f64) -> Self {
        // Rounded up a little, and never so thin that its direction is lost.
        let half_sides = (half * ((1.0 + 1e-6) / scale)).max(DVec3::splat(THIN));
        let side = |i: usize| (axes.col(i) * half_sides[i]).as_vec3();
        let radius = half.length() * (1.0 + 1e-12);
        Self { centre, sides: [side(0), side(1), side(2)], radius, normals: Cone::ALL }
    }

    /// Takes the box along the middle normal and the first edge instead.
    fn fit(&mut self, node: &Node, mesh: &Polyhedron, Units { pivot, scale }: Units) {
        let Some(axes) = self.axes(node, mesh) else { return };
        let inverse = axes.transpose();
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        // What has normals has no segments and points of its own.
        for &v in node.faces.clone().flat_map(|f| mesh.face(f)) {
            let at = inverse * (mesh.position(v) - pivot);
            low = low.min(at);
            high = high.max(at);
        }
        let [centre, half] = [0.5 * (low + high), 0.5 * (high - low)];
        *self = Self { normals: self.normals, ..Self::new(axes * centre, (axes, half), scale) };
    }

    fn axes(&self, node: &Node, mesh: &Polyhedron) -> Option<DMat3> {
        if self.normals == Cone::ALL || node.faces.is_empty() {
            return None;
        }
        let normal = self.normals.axis;
        let [p, q] = mesh.edge(mesh.face_edges(node.faces.start)[0]).map(|v| mesh.position(v));
        let along = (q - p).reject_from_normalized(normal).try_normalize()?;
        Some(DMat3::from_cols(along, normal.cross(along), normal))
    }

    /// How far the box reaches from its centre in four directions, whose components in some axes
    /// are given, as are the components of the body's axes in these.
    #[inline]
    pub(super) fn reach(&self, axes: &[[f32x4; 3]; 3], directions: [f32x4; 3]) -> f32x4 {
        let [x, y, z] = directions;
        let [along_x, along_y, along_z] = axes.map(|[i, j, k]| i * x + j * y + k * z);
        let one = |side: Vec3| {
            let [x, y, z] = side.to_array().map(f32x4::splat);
            (along_x * x + along_y * y + along_z * z).abs()
        };
        let [first, second, third] = self.sides.map(one);
        first + second + third
    }

    /// Centre, in the collider's local coordinates, and radius of a ball around the node.
    pub(crate) fn ball(&self) -> (DVec3, f64) {
        (self.centre, self.radius)
    }

    /// Holds the normals of all faces at its features.
    #[inline]
    pub(super) fn normals(&self) -> &Cone {
        &self.normals
    }

    /// Whether no face of the box with a normal of the cone can move outward, or by less than
    /// `slow`, if the body moves like this and turns by `angle`.
    #[inline]
    pub(super) fn turns_away(&self, normals: &Cone, motion: &Screw, angle: f64, slow: f64) -> bool {
        normals.cosine > 0.0
            && normals.greatest(motion.flow(self.centre)) + angle * self.radius < -slow
    }
}

/// Origin of the local coordinates and the unit of the sides of boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    pub(super) pivot: DVec3,
    pub(super) scale: f64,
}

/// Directions no farther than an angle from an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cone {
    axis: DVec3,
    /// Of the angle; the cosine is negative for all directions.
    cosine: f64,
    sine: f64,
}

impl Cone {
    /// All directions.
    pub(crate) const ALL: Self = Self { axis: DVec3::Z, cosine: -1.0, sine: 0.0 };

    /// A cone that holds these unit vectors; all directions if they need more than a half-space.
    pub(super) fn around(normals: impl Iterator<Item = DVec3> + Clone) -> Self {
        let axis = normals.clone().sum::<DVec3>().normalize_or_zero();
        let cosine = normals.map(|n| n.dot(axis)).fold(1.0, f64::min) - 1e-12;
        if cosine <= 0.0 {
            return Self::ALL;
        }
        Self { axis, cosine, sine: (1.0 - cosine * cosine).max(0.0).sqrt() }
    }

    /// A cone that holds two others.
    pub(super) fn joined(&self, other: &Self) -> Self {
        let axis = (self.axis + other.axis).normalize_or_zero();
        let widest = |cone: &Self| {
            let between = axis.dot(cone.axis);
            let sine = (1.0 - between * between).max(0.0).sqrt();
            between * cone.cosine - sine * cone.sine
        };
        let cosine = widest(self).min(widest(other)) - 1e-12;
        if self.cosine.min(other.cosine).min(cosine) <= 0.0 {
            return Self::ALL;
        }
        Self { axis, cosine, sine: (1.0 - cosine * cosine).max(0.0).sqrt() }
    }

    /// The greatest component of a vector along a direction of the cone.
    #[inline]
    pub(crate) fn greatest(&self, vector: DVec3) -> f64 {
        let length_sq = vector.length_squared();
        let along = vector.dot(self.axis);
        let length = length_sq.sqrt();
        if self.cosine < 0.0 || along >= length * self.cosine {
            return length;
        }
        along * self.cosine + (length_sq - along * along).max(0.0).sqrt() * self.sine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cone_bounds_all_its_directions() {
        let normals = [[0.1, 0.0, 1.0], [-0.3, 0.2, 1.0], [0.2, -0.4, 0.9]];
        let normals = normals.map(|n| DVec3::from(n).normalize());
        let cone = Cone::around(normals.iter().copied());
        assert!(cone.cosine > 0.8);
        for i in 0..200 {
            let [a, b] = [0.7 * f64::from(i), 0.13 * f64::from(i)];
            let vector = 3.0 * DVec3::new(a.cos() * b.sin(), a.sin() * b.sin(), b.cos());
            let greatest = normals.iter().map(|n| n.dot(vector)).fold(f64::MIN, f64::max);
            assert!(greatest <= cone.greatest(vector) + 1e-9);
            // Not much more than the widest of the three.
            assert!(cone.greatest(vector) <= greatest + 3.0);
        }
        assert!(cone.greatest(-DVec3::Z) < -0.8);
        assert_eq!(Cone::around([DVec3::X, -DVec3::X].into_iter()), Cone::ALL);
        let other = Cone::around([DVec3::new(0.1, 0.3, 1.0).normalize()].into_iter());
        let both = cone.joined(&other);
        assert!(both.cosine > 0.7 && both.cosine < cone.cosine);
        for normal in normals.into_iter().chain([other.axis]) {
            assert!(normal.dot(both.axis) >= both.cosine);
        }
        assert_eq!(cone.joined(&Cone::ALL), Cone::ALL);
        assert_eq!(Cone::ALL.greatest(DVec3::new(0.0, 0.0, -2.0)), 2.0);
    }
}
