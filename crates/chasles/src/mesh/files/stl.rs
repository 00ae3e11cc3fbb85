//! STL, text and binary.
//!
//! A facet lists coordinates; equal ones are one vertex, numbered by first appearance. Normals are
//! ignored: the order of the corners says which side is outside.

use glam::DVec3;
use rustc_hash::FxHashMap;

use super::error::{ParseError, Place, Problem};
use super::text::{Line, finite, lines, shown};
use super::{checked, unmarked};
use crate::mesh::Polygons;

const HEADER: usize = 84;
const FACET: usize = 50;

/// Reads an STL file.
///
/// *Accepts* text and binary files; a file is binary if its length is the one that its header
/// announces, or if it does not begin with `solid`. *Guarantees* facets in the order of the file,
/// and text read as `f64`. *Cost* linear. *Fails* with the line or the byte.
///
/// ```
/// use chasles::mesh::files::parse_stl;
/// let text = b"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
///     vertex 0 1 0\nendloop\nendfacet\nendsolid\n";
/// assert_eq!(parse_stl(text)?.faces, [[0, 1, 2]]);
/// # Ok::<(), chasles::mesh::files::ParseError>(())
/// ```
pub fn parse_stl(bytes: impl AsRef<[u8]>) -> Result<Polygons, ParseError> {
    let bytes = bytes.as_ref();
    let is_whole =
        |bytes: &[u8]| announced(bytes).is_some_and(|(_, length)| length == bytes.len() as u64);
    // Before any decoding: the header of a binary file may begin with any bytes.
    if is_whole(bytes) {
        return binary(bytes);
    }
    let bytes = &*unmarked(bytes);
    if bytes.is_empty() {
        return Err(ParseError::whole(Problem::Empty));
    }
    let begins = bytes.trim_ascii_start();
    let is_text = begins.len() >= 5 && begins[..5].eq_ignore_ascii_case(b"solid");
    if is_text && !is_whole(bytes) { text(bytes) } else { binary(bytes) }
}

/// The number of facets that a binary header announces, and the length of such a file.
fn announced(bytes: &[u8]) -> Option<(u32, u64)> {
    let facets = u32::from_le_bytes(bytes.get(80..HEADER)?.try_into().ok()?);
    Some((facets, HEADER as u64 + FACET as u64 * u64::from(facets)))
}

fn binary(bytes: &[u8]) -> Result<Polygons, ParseError> {
    let Some((facets, length)) = announced(bytes) else {
        let wanted = "the end of a binary header of 84 bytes, and it does not begin with `solid`";
        return Err(ParseError::whole(Problem::Truncated { wanted: wanted.to_owned() }));
    };
    if length > bytes.len() as u64 {
        let wanted = format!("byte {length}, where the {facets} facets of its header end");
        let place = Place::Byte(bytes.len());
        return Err(ParseError { place, problem: Problem::Truncated { wanted } });
    }
    let mut welder = Welder::default();
    let facets = bytes[HEADER..].chunks_exact(FACET).take(facets as usize);
    for (i, facet) in facets.enumerate() {
        // The first 12 bytes are the normal, the last two are attributes.
        let mut corners = facet[12..48].chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]);
        let mut face = Vec::with_capacity(3);
        while let (Some(x), Some(y), Some(z)) = (corners.next(), corners.next(), corners.next()) {
            let place = DVec3::from([x, y, z].map(|c| f64::from(f32::from_le_bytes(c))));
            let error = |problem| ParseError { place: Place::Byte(HEADER + FACET * i), problem };
            face.push(welder.vertex(place).map_err(error)?);
        }
        welder.polygons.faces.push(face);
    }
    checked(welder.polygons)
}

fn text(bytes: &[u8]) -> Result<Polygons, ParseError> {
    let mut reader = TextReader::default();
    for line in lines(bytes).filter(|line| !line.is_blank()) {
        reader.read(line)?;
    }
    if reader.in_solid || reader.facet.is_some() {
        let wanted = "`endsolid`".to_owned();
        return Err(ParseError::whole(Problem::Truncated { wanted }));
    }
    checked(reader.welder.polygons)
}

#[derive(Default)]
struct TextReader {
    welder: Welder,
    in_solid: bool,
    /// The corners so far, within a facet.
    facet: Option<Vec<u32>>,
}

impl TextReader {
    fn read(&mut self, line: Line) -> Result<(), ParseError> {
        let trimmed = line.bytes.trim_ascii();
        let end = trimmed.iter().position(u8::is_ascii_whitespace).unwrap_or(trimmed.len());
        let keyword = trimmed[..end].to_ascii_lowercase();
        match (&keyword[..], &mut self.facet) {
            // The name of the solid may be in any encoding.
            (b"solid", None) => self.in_solid = true,
            (b"endsolid", None) => self.in_solid = false,
            (b"facet", facet @ None) => *facet = Some(Vec::new()),
            (b"outer" | b"endloop", Some(_)) => {}
            (b"vertex", Some(facet)) => {
                let mut words = line.words()?;
                words.next();
                let place = words.position()?;
                facet.push(self.welder.vertex(place).map_err(|problem| line.error(problem))?);
            }
            (b"endfacet", Some(facet)) if facet.len() >= 3 => {
                self.welder.polygons.faces.push(std::mem::take(facet));
                self.facet = None;
            }
            (b"endfacet", Some(_)) => {
                return Err(line.error(Problem::Missing { wanted: "a third vertex of the facet" }));
            }
            (_, facet) => {
                let wanted = match facet {
                    Some(_) => "`vertex`, `endloop` or `endfacet`",
                    None => "`facet` or `endsolid`",
                };
                let found = shown(&String::from_utf8_lossy(&trimmed[..end]));
                return Err(line.error(Problem::Unexpected { found, wanted }));
            }
        }
        Ok(())
    }
}

/// Numbers places by first appearance.
#[derive(Default)]
struct Welder {
    polygons: Polygons,
    numbers: FxHashMap<[u64; 3], u32>,
}

impl Welder {
    fn vertex(&mut self, place: DVec3) -> Result<u32, Problem> {
        let coordinates = place.to_array();
        for c in coordinates {
            finite(c, "a coordinate")?;
        }
        // Adding 0.0 turns -0.0 into 0.0, so that equal coordinates have equal bits.
        let key = coordinates.map(|c| (c + 0.0).to_bits());
        let next = self.polygons.vertices.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.polygons.vertices.push(place);
        }
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_FACETS: &str = "solid a square\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n\
        vertex 1 0 0\nvertex 1 1 0.1\nendloop\nendfacet\n  FACET normal 0 0 1\nouter loop\n\
        vertex -0 0 0\nvertex 1 1 0.1\nvertex 0 1 0\nendloop\nendfacet\nendsolid a square\n";

    fn binary_file(facets: u32, corners: &[[f32; 3]]) -> Vec<u8> {
        let mut bytes = vec![b' '; 80];
        bytes.extend(facets.to_le_bytes());
        for facet in corners.chunks(3) {
            bytes.extend([0; 12]);
            bytes.extend(facet.iter().flatten().flat_map(|c| c.to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    #[test]
    fn vertices_are_numbered_by_first_appearance() {
        let mesh = parse_stl(TWO_FACETS.as_bytes()).unwrap();
        assert_eq!(mesh.faces, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(mesh.vertices[2].z, 0.1, "text is read with all digits");
    }

    #[test]
    fn a_binary_file_may_begin_with_solid() {
        let corners =
            [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 0., 0.], [1., 1., 0.5], [0., 1., 0.]];
        let mut bytes = binary_file(2, &corners);
        bytes[..5].copy_from_slice(b"solid");
        let mesh = parse_stl(&bytes).unwrap();
        assert_eq!(mesh.faces, [[0, 1, 2], [1, 3, 2]]);
        assert_eq!(mesh.vertices[3].z, 0.5);
    }

    #[test]
    fn errors_say_where() {
        let bytes = binary_file(4_000_000_000, &[[0.; 3]; 3]);
        let error = parse_stl(&bytes).unwrap_err().to_string();
        assert_eq!(
            error,
            "byte 134: the file ends before byte 200000000084, where the 4000000000 facets of its header end"
        );
        let bad = TWO_FACETS.replace("vertex 1 0 0", "vertex 1 O 0");
        let error = parse_stl(bad.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "line 5: `O` is not a number, but the y coordinate must be one");
        let cut = TWO_FACETS.trim_end_matches("endsolid a square\n");
        let error = parse_stl(cut.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, "the file ends before `endsolid`");
        let bytes = binary_file(1, &[[0.; 3], [f32::NAN, 0., 0.], [1.; 3]]);
        let error = parse_stl(&bytes).unwrap_err().to_string();
        assert_eq!(error, "byte 84: a coordinate is NaN, but must be finite");
    }
}
