//! What can be said about a mesh: counts, sizes, and everything that is odd about it.
//!
//! Nothing here is an error: the library accepts open, non-manifold and badly wound meshes. But a
//! hole or a flipped face is often a mistake of the file, and this is where it shows.

mod loops;
mod sentences;
mod surface;

use super::{Polygons, Polyhedron};

pub use surface::{EdgeKind, is_pinched};

/// How many features of one kind there are, and the first few of them.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Sample<T> {
    /// How many there are.
    pub total: usize,
    /// The first of them, at most [`Inspection::LISTED`].
    pub first: Vec<T>,
}

impl<T> Default for Sample<T> {
    fn default() -> Self {
        Self { total: 0, first: Vec::new() }
    }
}

impl<T> Sample<T> {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    pub(in crate::mesh) fn push(&mut self, item: T) {
        self.total += 1;
        if self.first.len() < Inspection::LISTED {
            self.first.push(item);
        }
    }
}

/// How much there is of everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Counts {
    /// Vertices of the input.
    pub input_vertices: usize,
    /// Faces of the input.
    pub input_faces: usize,
    /// Distinct vertices in use.
    pub vertices: usize,
    /// Edges, lone segments included.
    pub edges: usize,
    /// Planar faces, after the splitting of non-planar polygons.
    pub faces: usize,
    /// Edges without a face.
    pub lone_segments: usize,
    /// Vertices without an edge.
    pub lone_points: usize,
}

/// A polygon that leaves its mean plane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Bent {
    /// The face's number in the input.
    pub face: u32,
    /// The largest distance of a corner from the mean plane.
    pub deviation: f64,
}

/// Faces that are connected through edges.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Component {
    /// The lowest number of its faces in the input.
    pub first_face: u32,
    /// How many planar faces it has.
    pub faces: usize,
    /// Whether each of its edges has as many faces on the left as on the right.
    pub closed: bool,
    /// The enclosed volume if it is closed; negative if it is oriented inwards.
    pub volume: Option<f64>,
    /// Vertices less edges plus faces.
    pub euler: i64,
    /// The number of handles, if it is closed, manifold and consistently oriented.
    pub genus: Option<u64>,
}

/// Everything that [`Inspection::new`] finds out. Feature numbers are those of the input.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, schemars::JsonSchema))]
pub struct Inspection {
    /// How much there is of everything.
    pub counts: Counts,
    /// Whether every component is closed and nothing is lone.
    pub closed: bool,
    /// Whether every edge has at most two faces, every vertex one fan of faces, and nothing is
    /// lone.
    pub manifold: bool,
    /// Whether the two faces at each edge agree on which side is outside.
    pub oriented: bool,
    /// Whether every polygon of the input is planar.
    pub planar: bool,
    /// Edges with more faces on one side than on the other; 0 if the surface is closed.
    pub open_edges: usize,
    /// A length within which joining vertices closes the surface, about the smallest, if it is open
    /// and one is found; not looked for beyond 200,000 open edges.
    pub closing_weld: Option<f64>,
    /// The length within which vertices were joined.
    pub weld: f64,
    /// Vertices that became one with an earlier one at another place.
    pub joined_vertices: Sample<u32>,
    /// Vertices that are as near to another, and that joining would collapse an edge or a face.
    pub kept_apart_vertices: Sample<u32>,
    /// Edges with a single face.
    pub border_edges: Sample<[u32; 2]>,
    /// Edges with more than two faces.
    pub crowded_edges: Sample<[u32; 2]>,
    /// Edges whose two faces disagree on which side is outside.
    pub twisted_edges: Sample<[u32; 2]>,
    /// Vertices whose faces are not a single fan.
    pub pinched_vertices: Sample<u32>,
    /// Closed components with a negative volume, by their first face.
    pub inward_components: Sample<u32>,
    /// Those of them that lie in no other, and what lies in these: they are inside out, and
    /// [`Polyhedron::turn_outward`] turns them.
    pub inside_out_components: Sample<u32>,
    /// Whether that would take too long to tell: then none is listed, and none is turned.
    pub inside_out_undecided: bool,
    /// Closed components that pass through themselves, so that their volume has one sign and most
    /// of their faces look the other way, by their first face.
    pub doubtful_components: Sample<u32>,
    /// Polygons that are not planar and were split.
    pub bent_faces: Sample<Bent>,
    /// The largest deviation of a polygon from its plane.
    pub worst_deviation: f64,
    /// Faces without area, which are treated as segments.
    pub flat_faces: Sample<u32>,
    /// Faces with the same vertices as an earlier face.
    pub repeated_faces: Sample<u32>,
    /// Polygons with a reflex corner.
    pub concave_faces: Sample<u32>,
    /// Polygons whose boundary crosses itself; looked for up to 256 corners.
    pub crossing_faces: Sample<u32>,
    /// Vertices at the place of an earlier vertex.
    pub repeated_vertices: Sample<u32>,
    /// Vertices that nothing uses.
    pub unused_vertices: Sample<u32>,
    /// Each component of faces.
    pub components: Vec<Component>,
    /// Vertices less edges plus faces.
    pub euler: i64,
    /// Lowest and highest coordinates of the vertices in use.
    pub bounds: [[f64; 3]; 2],
    /// The volume enclosed by closed components; 0 if there is none.
    pub volume: f64,
    /// The area of all faces.
    pub area: f64,
    /// Lengths of the shortest and the longest edge, if there is one.
    pub edge_lengths: Option<[f64; 2]>,
    /// All findings as sentences, the most serious first.
    pub findings: Vec<String>,
}

impl Inspection {
    /// How many features of one kind are listed by number.
    pub const LISTED: usize = 5;

    /// Looks the mesh over.
    ///
    /// *Accepts* a mesh as stated and as built from that statement. *Guarantees* exact counts;
    /// whether a polygon is planar is decided as [`Polyhedron::new`] decides it. *Cost* nearly
    /// linear, and quadratic in the corners of a polygon up to 256. *Fails* never; a polyhedron
    /// built from other polygons gives findings that fit neither.
    ///
    /// ```
    /// use chasles::Polyhedron;
    /// use chasles::mesh::Inspection;
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// let mut polygons = Shape::Box(Cuboid::default()).polygons()?;
    /// polygons.faces.pop();
    /// let inspection = Inspection::new(&polygons, &Polyhedron::new(&polygons)?);
    /// assert!(!inspection.closed);
    /// assert_eq!(inspection.border_edges.total, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(polygons: &Polygons, mesh: &Polyhedron) -> Self {
        let loops = loops::Loops::of(polygons);
        let surface = surface::Surface::of(mesh);
        let [low, high] = mesh.bounds();
        let opening = mesh.opening();
        let outside = mesh.inside_out();
        let lone = surface.lone_segments + surface.lone_points > 0;
        let mut inspection = Self {
            counts: counts(polygons, mesh, &surface),
            closed: mesh.is_closed(),
            manifold: surface.crowded_edges.is_empty() && surface.pinched.is_empty() && !lone,
            oriented: surface.twisted_edges.is_empty(),
            planar: loops.bent.is_empty(),
            open_edges: opening.map_or(0, |opening| opening.edges),
            closing_weld: opening.and_then(|opening| opening.remedy.weld()),
            weld: mesh.weld().length,
            joined_vertices: mesh.weld().joined.clone(),
            kept_apart_vertices: mesh.weld().kept_apart.clone(),
            border_edges: surface.border_edges,
            crowded_edges: surface.crowded_edges,
            twisted_edges: surface.twisted_edges,
            pinched_vertices: surface.pinched,
            inward_components: surface.inward,
            inside_out_components: sample(outside.components),
            inside_out_undecided: outside.undecided,
            doubtful_components: sample(outside.doubtful),
            bent_faces: loops.bent,
            worst_deviation: loops.worst_deviation,
            flat_faces: loops.flat,
            repeated_faces: loops.repeated,
            concave_faces: loops.concave,
            crossing_faces: loops.crossing,
            repeated_vertices: loops.repeated_vertices,
            unused_vertices: loops.unused_vertices,
            components: surface.components,
            euler: mesh.vertex_count() as i64 - mesh.edge_count() as i64 + mesh.face_count() as i64,
            bounds: [low.to_array(), high.to_array()],
            volume: mesh.volume(),
            area: mesh.area(),
            edge_lengths: surface.edge_lengths,
            findings: Vec::new(),
        };
        inspection.findings = sentences::of(&inspection, opening);
        inspection
    }
}

/// The first of them.
fn sample(numbers: Vec<u32>) -> Sample<u32> {
    let mut sample = Sample::default();
    numbers.into_iter().for_each(|number| sample.push(number));
    sample
}

fn counts(polygons: &Polygons, mesh: &Polyhedron, surface: &surface::Surface) -> Counts {
    Counts {
        input_vertices: polygons.vertices.len(),
        input_faces: polygons.faces.len(),
        vertices: mesh.vertex_count(),
        edges: mesh.edge_count(),
        faces: mesh.face_count(),
        lone_segments: surface.lone_segments,
        lone_points: surface.lone_points,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::{Bolt, Car, Cuboid, Gear, Nut, Shape, Torus};

    fn inspect(polygons: &Polygons) -> Inspection {
        Inspection::new(polygons, &Polyhedron::new(polygons).unwrap())
    }

    fn cube() -> Polygons {
        Shape::Box(Cuboid::default()).polygons().unwrap()
    }

    fn append(mesh: &mut Polygons, other: &Polygons) {
        let shift = mesh.vertices.len() as u32;
        mesh.vertices.extend(&other.vertices);
        mesh.faces.extend(other.faces.iter().map(|f| f.iter().map(|v| v + shift).collect()));
    }

    #[test]
    fn sound_shapes_have_no_findings_and_the_right_genus() {
        let shapes = [
            (Shape::Box(Cuboid::default()), 0),
            (Shape::Car(Car::default()), 0),
            (Shape::Torus(Torus::default()), 1),
            (Shape::Bolt(Bolt::default()), 0),
            (Shape::Nut(Nut::default()), 1),
            (Shape::Gear(Gear { bore: Some(0.3), ..Gear::default() }), 1),
        ];
        for (shape, genus) in shapes {
            let found = inspect(&shape.polygons().unwrap());
            assert!(found.closed && found.manifold && found.oriented && found.planar, "{shape:?}");
            assert_eq!(found.components.len(), 1);
            assert_eq!(found.components[0].genus, Some(genus), "{shape:?}");
            assert!(found.crossing_faces.is_empty(), "{shape:?}");
            let serious = found.findings.iter().filter(|f| !f.contains("reflex"));
            assert_eq!(serious.count(), 0, "{:?}", found.findings);
        }
    }

    #[test]
    fn a_flipped_face_is_seen_at_its_edges() {
        let mut polygons = cube();
        polygons.faces[3].reverse();
        let found = inspect(&polygons);
        assert_eq!(found.twisted_edges.total, 4);
        assert!(!found.oriented && !found.closed && found.manifold);
        assert_eq!(found.components[0].genus, None);
    }

    #[test]
    fn a_cube_inside_out_is_reported_by_its_first_face() {
        let mut polygons = cube();
        let mut inside_out = cube();
        inside_out.vertices.iter_mut().for_each(|v| v.x += 5.0);
        inside_out.faces.iter_mut().for_each(|f| f.reverse());
        append(&mut polygons, &inside_out);
        let found = inspect(&polygons);
        assert_eq!(
            (found.inward_components.total, &found.inward_components.first[..]),
            (1, &[6][..])
        );
        assert_eq!(found.inside_out_components.first, [6]);
        assert!(found.findings[1].contains("is inside out"), "{:?}", found.findings);
        assert_eq!(found.components[1].volume, Some(-1.0));
        assert_eq!(found.components.len(), 2);
    }

    #[test]
    fn two_cubes_at_a_corner_pinch_the_vertex() {
        let mut polygons = cube();
        let mut other = cube();
        other.vertices.iter_mut().for_each(|v| *v += 1.0);
        append(&mut polygons, &other);
        let found = inspect(&polygons);
        assert_eq!(found.pinched_vertices.first, [7]);
        assert_eq!(found.repeated_vertices.first, [8]);
        assert!(found.closed && !found.manifold);
    }

    #[test]
    fn faces_without_area_repeated_and_bent_ones_are_named() {
        let mut polygons = cube();
        polygons.faces.push(vec![0, 1, 0]);
        polygons.faces.push(vec![6, 4, 0, 2]);
        polygons.faces.push(vec![0, 1, 2, 7]);
        polygons.vertices.push(glam::DVec3::splat(9.0));
        let found = inspect(&polygons);
        assert_eq!(found.flat_faces.first, [6]);
        assert_eq!(found.repeated_faces.first, [7]);
        assert_eq!(found.bent_faces.first[0].face, 8);
        assert!(found.worst_deviation > 0.1 && !found.planar);
        assert_eq!(found.unused_vertices.first, [8]);
        assert!(found.findings.iter().any(|f| f.starts_with("face 6 has no area")));
    }

    #[test]
    fn a_bow_tie_crosses_itself_and_an_arrow_is_only_concave() {
        let bow = [[0., 0., 0.], [2., 2., 0.], [2., 0., 0.], [0., 1., 0.]];
        let found = inspect(&Polygons::new(bow, [[0, 1, 2, 3]]));
        assert_eq!(found.crossing_faces.first, [0]);
        let star = [0_u32, 2, 4, 1, 3].map(|i| {
            let (y, x) = (f64::from(i) * std::f64::consts::TAU / 5.0).sin_cos();
            [x, y, 0.0]
        });
        let found = inspect(&Polygons::new(star, [[0, 1, 2, 3, 4]]));
        assert_eq!((found.crossing_faces.total, found.concave_faces.total), (1, 0));
        let arrow = [[0., 0., 0.], [2., 1., 0.], [0., 2., 0.], [0.5, 1., 0.]];
        let found = inspect(&Polygons::new(arrow, [[0, 1, 2, 3]]));
        assert!(found.crossing_faces.is_empty());
        assert_eq!(found.concave_faces.total, 1);
    }

    #[test]
    fn lone_points_and_segments_are_counted() {
        let mut polygons = cube();
        polygons.vertices.extend([glam::DVec3::splat(3.0), glam::DVec3::splat(4.0)]);
        polygons.segments.push([0, 8]);
        polygons.points.push(9);
        let found = inspect(&polygons);
        assert_eq!((found.counts.lone_segments, found.counts.lone_points), (1, 1));
        assert!(!found.closed && !found.manifold);
        let [shortest, longest] = found.edge_lengths.unwrap();
        assert_eq!((shortest, longest), (1.0, (3.0 * 3.5 * 3.5_f64).sqrt()));
    }

    #[test]
    fn long_lists_are_cut_and_keep_their_total() {
        let mut polygons = cube();
        polygons.vertices.extend([glam::DVec3::ZERO; 100]);
        let found = inspect(&polygons);
        assert_eq!((found.unused_vertices.total, found.unused_vertices.first.len()), (100, 5));
        let sentence = found.findings.iter().find(|f| f.contains("used by nothing")).unwrap();
        assert_eq!(sentence, "100 vertices are used by nothing: 8, 9, 10, 11, 12 and 95 more");
    }
}
