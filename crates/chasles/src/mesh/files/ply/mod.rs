//! Polygon File Format: text, and binary of either byte order.
//!
//! Read are the elements `vertex` (x, y, z), `face` (`vertex_indices` or `vertex_index`),
//! `tristrips` (likewise; -1 begins the next strip) and `edge` (`vertex1`, `vertex2`); all others,
//! and all other properties, are skipped.

mod header;
mod values;

use glam::DVec3;

use self::header::{Element, Header, Kind};
use self::values::Value;
use super::error::{ParseError, Problem};
use super::text::finite;
use super::{checked, unmarked, vertex_number};
use crate::mesh::Polygons;

/// Reads a PLY file.
///
/// *Accepts* text and binary files. *Guarantees* vertices and faces in the order of the file; edges
/// become segments. *Cost* linear. *Fails* with the line, or the byte in binary data.
///
/// ```
/// use chasles::mesh::files::parse_ply;
/// let text = b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n\
///     property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n\
///     0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
/// assert_eq!(parse_ply(text)?.faces, [[0, 1, 2]]);
/// # Ok::<(), chasles::mesh::files::ParseError>(())
/// ```
pub fn parse_ply(bytes: impl AsRef<[u8]>) -> Result<Polygons, ParseError> {
    let bytes = bytes.as_ref();
    let bytes = &*unmarked(bytes);
    if bytes.is_empty() {
        return Err(ParseError::whole(Problem::Empty));
    }
    let (header, mut source) = Header::read(bytes)?;
    let vertices = header.elements.iter().find(|e| e.kind == Kind::Vertex).map_or(0, |e| e.count);
    let mut polygons = Polygons::default();
    for element in &header.elements {
        // An element without properties takes no bytes, however many the header claims.
        if element.properties.is_empty() {
            continue;
        }
        for number in 0..element.count {
            let row = source.row(element, number)?;
            add(&mut polygons, element, row, vertices).map_err(|p| source.error(p))?;
        }
    }
    checked(polygons)
}

/// Adds what one row of an element says.
fn add(
    polygons: &mut Polygons,
    element: &Element,
    row: &[Value],
    vertices: usize,
) -> Result<(), Problem> {
    let scalar = |name: &str| element.position(&[name]).and_then(|i| row[i].scalar());
    let number = |value: f64| {
        let not_whole =
            || Problem::NotWhole { found: value.to_string(), wanted: "a vertex number" };
        let whole = (value.fract() == 0.0).then_some(value as i64).ok_or_else(not_whole)?;
        vertex_number(whole, 0, vertices)
    };
    let corners = || {
        let list = element.position(&["vertex_indices", "vertex_index"]);
        let corners = list.and_then(|i| row[i].list());
        corners.ok_or(Problem::Missing { wanted: "the list `vertex_indices`" })
    };
    match element.kind {
        Kind::Vertex => {
            let coordinate =
                |name, wanted| finite(scalar(name).ok_or(Problem::Missing { wanted })?, wanted);
            polygons.vertices.push(DVec3::new(
                coordinate("x", "the x coordinate")?,
                coordinate("y", "the y coordinate")?,
                coordinate("z", "the z coordinate")?,
            ));
        }
        Kind::Face => {
            let face: Result<Vec<u32>, Problem> = corners()?.iter().map(|&v| number(v)).collect();
            polygons.faces.push(face?);
        }
        Kind::Strips => {
            for strip in corners()?.split(|&v| v == -1.0) {
                let strip: Result<Vec<u32>, Problem> = strip.iter().map(|&v| number(v)).collect();
                polygons.faces.extend(triangles(&strip?));
            }
        }
        Kind::Edge => {
            let end = |name, wanted| number(scalar(name).ok_or(Problem::Missing { wanted })?);
            let ends = [end("vertex1", "`vertex1`")?, end("vertex2", "`vertex2`")?];
            polygons.segments.push(ends);
        }
        Kind::Other => {}
    }
    Ok(())
}

/// The triangles of a strip. Every other one runs backwards; those that only turn the strip, with a
/// corner twice, are left out.
fn triangles(strip: &[u32]) -> impl Iterator<Item = Vec<u32>> + '_ {
    let all = strip.windows(3).enumerate();
    all.filter(|(_, t)| t[0] != t[1] && t[1] != t[2] && t[2] != t[0]).map(|(i, t)| match i % 2 {
        0 => t.to_vec(),
        _ => vec![t[1], t[0], t[2]],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "ply\nformat FORMAT 1.0\ncomment a square and an edge\n\
        element vertex 4\nproperty uchar red\nproperty double x\nproperty double y\n\
        property double z\nelement stuff 2\nproperty list uchar short list\nproperty char c\n\
        element nothing 4000000000\n\
        element face 1\nproperty list uint uint vertex_index\n\
        element edge 1\nproperty int vertex1\nproperty int vertex2\nend_header\n";

    fn text() -> String {
        HEAD.replace("FORMAT", "ascii")
            + "9 0 0 0\n9 1 0 0\n9 1 1 0.1\n9 0 1 0\n2 5 6 1\n0 1\n4 0 1 2 3\n0 2\n"
    }

    fn binary(big: bool) -> Vec<u8> {
        let name = if big { "binary_big_endian" } else { "binary_little_endian" };
        let mut bytes = HEAD.replace("FORMAT", name).into_bytes();
        let mut put = |value: &[u8]| {
            let mut value = value.to_vec();
            if big {
                value.reverse();
            }
            bytes.extend(value);
        };
        for place in [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.1], [0., 1., 0.0_f64]] {
            put(&[9]);
            place.iter().for_each(|c| put(&c.to_le_bytes()));
        }
        put(&[2]);
        [5_i16, 6].iter().for_each(|c| put(&c.to_le_bytes()));
        put(&[1]);
        put(&[0]);
        put(&[1]);
        [4_u32, 0, 1, 2, 3, 0, 2].iter().for_each(|c| put(&c.to_le_bytes()));
        bytes
    }

    #[test]
    fn text_and_binary_of_both_byte_orders_agree() {
        let mesh = parse_ply(text().as_bytes()).unwrap();
        assert_eq!(mesh.vertices[2].to_array(), [1.0, 1.0, 0.1]);
        assert_eq!(mesh.faces, [[0, 1, 2, 3]]);
        assert_eq!(mesh.segments, [[0, 2]]);
        assert_eq!(parse_ply(binary(false)).unwrap(), mesh);
        assert_eq!(parse_ply(binary(true)).unwrap(), mesh);
    }

    #[test]
    fn strips_begin_again_after_minus_one() {
        let text = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n\
            property float z\nelement tristrips 1\nproperty list int int vertex_indices\n\
            end_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n2 2 0\n14 0 1 2 3 -1 1 3 4 4 2 -1 -1 0 1\n";
        let mesh = parse_ply(text.as_bytes()).unwrap();
        assert_eq!(mesh.faces, [[0, 1, 2], [2, 1, 3], [1, 3, 4]]);
        let error = parse_ply(text.replacen("3 4 4 2", "3 4 -2 2", 1).as_bytes()).unwrap_err();
        assert!(error.to_string().contains("vertex -2 does not exist"), "{error}");
    }

    #[test]
    fn errors_say_where() {
        let error = |bytes: &[u8]| parse_ply(bytes).unwrap_err().to_string();
        let with = |from: &str, to: &str| error(text().replacen(from, to, 1).as_bytes());
        assert_eq!(
            with("4 0 1 2 3", "4 0 1 2 4"),
            "line 25: vertex 4 does not exist: there are 4 vertices, counted from 0"
        );
        assert_eq!(with("9 1 0 0", "9 1 0"), "line 20: a value of `vertex` is missing");
        assert_eq!(
            with("9 1 0 0", "9 1 0 0 0"),
            "line 20: found `0`, but expected the end of the line"
        );
        assert_eq!(
            with("9 1 0 0", "9 1 nan 0"),
            "line 20: the y coordinate is NaN, but must be finite"
        );
        assert_eq!(
            with("element vertex 4", "element vertex 4000000000"),
            "line 24: a value of `vertex` is missing"
        );
        assert_eq!(with("4 0 1 2 3", "4000000000 0"), "line 25: a value of `face` is missing");
        assert_eq!(
            with("4 0 1 2 3", "-1 0"),
            "line 25: `-1` is not a whole number, but the length of a list must be one"
        );
        assert_eq!(with("ply", "plx"), "line 1: found `plx`, but expected `ply`");
        assert_eq!(
            with("double z", "quad z"),
            "line 8: found `quad`, but expected a type such as `float`, `double`, `int` or `uchar`"
        );
        let cut = binary(false);
        let place = cut.len() - 1;
        let message = error(&cut[..place]);
        assert_eq!(message, format!("byte {place}: the file ends before edge 0 of 1"));
    }
}
