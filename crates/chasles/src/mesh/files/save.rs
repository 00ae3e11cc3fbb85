//! Meshes to text.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::error::FileError;
use crate::mesh::Polygons;
use crate::mesh::split::{LARGEST_SPLIT, triangles};

/// Writes a mesh file; its extension says how: `obj`, `ply`, `off` or `stl`.
///
/// *Accepts* polygons with vertex numbers in range. *Guarantees* that [`super::load`] reads the
/// same vertices, faces, segments and points back, as far as the format has them (STL has neither
/// vertex numbers nor polygons, OFF and STL have no segments). *Cost* linear. *Fails* on other
/// extensions and where the system does not let us write; nothing is written then.
///
/// ```no_run
/// use chasles::mesh::{files, shapes::{Shape, Torus}};
/// files::save("torus.obj", &Shape::Torus(Torus::default()).polygons()?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save(path: impl AsRef<Path>, polygons: &Polygons) -> Result<(), FileError> {
    let path = path.as_ref();
    let text = match super::extension(path)? {
        "obj" => to_obj(polygons),
        "ply" => to_ply(polygons),
        "off" => to_off(polygons),
        "stl" => to_stl(polygons),
        _ => return Err(FileError::OnlyRead { path: path.to_owned() }),
    };
    fs::write(path, text).map_err(|source| FileError::Write { path: path.to_owned(), source })
}

/// The mesh as OBJ text.
///
/// *Accepts* any polygons. *Guarantees* that [`super::parse_obj`] reads the same back, bit for bit.
/// *Cost* linear. *Fails* never.
///
/// ```
/// use chasles::{Polygons, mesh::files::to_obj};
/// let triangle = Polygons::new([[0., 0., 0.], [1., 0., 0.], [0., 0.5, 0.]], [[0, 1, 2]]);
/// assert_eq!(to_obj(&triangle), "v 0.0 0.0 0.0\nv 1.0 0.0 0.0\nv 0.0 0.5 0.0\nf 1 2 3\n");
/// ```
pub fn to_obj(polygons: &Polygons) -> String {
    let mut text = Text::default();
    for v in &polygons.vertices {
        text.line(format_args!("v {:?} {:?} {:?}", v.x, v.y, v.z));
    }
    for face in &polygons.faces {
        text.line(format_args!("f{}", numbers(face, 1)));
    }
    for segment in &polygons.segments {
        text.line(format_args!("l{}", numbers(segment, 1)));
    }
    for &point in &polygons.points {
        text.line(format_args!("p{}", numbers(&[point], 1)));
    }
    text.0
}

/// The mesh as PLY text with `double` coordinates; segments become edges, points are lost.
///
/// *Accepts* any polygons. *Guarantees* that [`super::parse_ply`] reads the same vertices, faces
/// and segments back, bit for bit. *Cost* linear. *Fails* never.
pub fn to_ply(polygons: &Polygons) -> String {
    let mut text = Text::default();
    text.line(format_args!("ply\nformat ascii 1.0\nelement vertex {}", polygons.vertices.len()));
    text.line(format_args!("property double x\nproperty double y\nproperty double z"));
    text.line(format_args!("element face {}", polygons.faces.len()));
    // Many readers expect `uchar` and know nothing else.
    let short = polygons.faces.iter().all(|face| face.len() <= 255);
    let length = if short { "uchar" } else { "uint" };
    text.line(format_args!("property list {length} uint vertex_indices"));
    text.line(format_args!("element edge {}", polygons.segments.len()));
    text.line(format_args!("property uint vertex1\nproperty uint vertex2\nend_header"));
    text.vertices(polygons);
    for face in &polygons.faces {
        text.line(format_args!("{}{}", face.len(), numbers(face, 0)));
    }
    for [p, q] in &polygons.segments {
        text.line(format_args!("{p} {q}"));
    }
    text.0
}

/// The mesh as OFF text; segments and points are lost.
///
/// *Accepts* any polygons. *Guarantees* that [`super::parse_off`] reads the same vertices and faces
/// back, bit for bit. *Cost* linear. *Fails* never.
pub fn to_off(polygons: &Polygons) -> String {
    let mut text = Text::default();
    text.line(format_args!("OFF\n{} {} 0", polygons.vertices.len(), polygons.faces.len()));
    text.vertices(polygons);
    for face in &polygons.faces {
        text.line(format_args!("{}{}", face.len(), numbers(face, 0)));
    }
    text.0
}

/// The mesh as STL text; polygons are split into triangles, segments and points are lost.
///
/// *Accepts* any polygons. *Guarantees* that the triangles cover the faces with all digits of the
/// coordinates; a polygon of more than 4096 corners stays whole, which only [`super::parse_stl`]
/// reads. *Cost* linear, quadratic in the corners of a polygon. *Fails* never.
pub fn to_stl(polygons: &Polygons) -> String {
    let mut text = Text::default();
    text.line(format_args!("solid mesh"));
    for face in polygons.faces.iter().filter(|face| face.len() > 2) {
        let corners: Vec<_> = face.iter().map(|&v| polygons.vertices[v as usize]).collect();
        if (4..=LARGEST_SPLIT).contains(&corners.len()) {
            triangles(&corners).iter().for_each(|t| text.facet(&t.map(|i| corners[i])));
        } else {
            text.facet(&corners);
        }
    }
    text.line(format_args!("endsolid mesh"));
    text.0
}

#[derive(Default)]
struct Text(String);

impl Text {
    fn line(&mut self, line: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{line}");
    }

    fn vertices(&mut self, polygons: &Polygons) {
        for v in &polygons.vertices {
            self.line(format_args!("{:?} {:?} {:?}", v.x, v.y, v.z));
        }
    }

    /// A facet with a normal of zeros: readers compute it.
    fn facet(&mut self, corners: &[glam::DVec3]) {
        self.line(format_args!("facet normal 0 0 0\nouter loop"));
        for v in corners {
            self.line(format_args!("vertex {:?} {:?} {:?}", v.x, v.y, v.z));
        }
        self.line(format_args!("endloop\nendfacet"));
    }
}

/// Vertex numbers counted from `from`, each after a space.
fn numbers(vertices: &[u32], from: u64) -> String {
    vertices.iter().map(|&v| format!(" {}", u64::from(v) + from)).collect()
}
