//! Wavefront OBJ: `v`, `f`, `l` and `p`; everything else is skipped.
//!
//! Vertices are numbered across objects and groups, from 1, or backwards from the last one with
//! negative numbers. A face may use vertices that come later. Curves and surfaces are not read.

use std::borrow::Cow;

use super::error::{ParseError, Place, Problem};
use super::text::{Line, Words, lines, shown, whole};
use super::{checked, unmarked, vertex_number};
use crate::mesh::Polygons;

/// Reads an OBJ file.
///
/// *Accepts* the bytes or the text of the file; vertices may carry colours, corners textures and
/// normals, and lines may be continued with a backslash. *Guarantees* faces in the order of the `f`
/// lines; `l` lines become segments and `p` lines points. *Cost* linear. *Fails* with the line.
///
/// ```
/// use chasles::mesh::files::parse_obj;
/// let square = parse_obj(b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/2 3/3 -1/4\n")?;
/// assert_eq!(square.faces, [[0, 1, 2, 3]]);
/// let text = String::from("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
/// assert_eq!(parse_obj(&text)?.faces, [[0, 1, 2]]);
/// # Ok::<(), chasles::mesh::files::ParseError>(())
/// ```
pub fn parse_obj(bytes: impl AsRef<[u8]>) -> Result<Polygons, ParseError> {
    let bytes = bytes.as_ref();
    let bytes = &*unmarked(bytes);
    if bytes.is_empty() {
        return Err(ParseError::whole(Problem::Empty));
    }
    let mut reader = Reader::default();
    let mut lines = lines(bytes);
    while let Some(line) = lines.next() {
        let mut text = Cow::Borrowed(line.without_comment().bytes.trim_ascii_end());
        while text.last() == Some(&b'\\') {
            let joined = text.to_mut();
            joined.pop();
            joined.push(b' ');
            let next = lines.next().map_or(&b""[..], |next| next.without_comment().bytes);
            joined.extend_from_slice(next.trim_ascii_end());
        }
        reader.read(Line { number: line.number, bytes: &text })?;
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    polygons: Polygons,
    /// The highest vertex number so far, from 1, and its line.
    highest: (i64, usize),
}

impl Reader {
    fn read(&mut self, line: Line) -> Result<(), ParseError> {
        let text = line.bytes.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        // Names of objects and materials may be in any encoding, so other lines stay unread.
        if !matches!(&text[..end], b"v" | b"f" | b"l" | b"p") {
            return Ok(());
        }
        let mut words = line.words()?;
        match words.next() {
            Some("v") => self.polygons.vertices.push(words.position()?),
            Some("f") => {
                let face = self.corners(line, words, 1)?;
                self.polygons.faces.push(face);
            }
            Some("l") => {
                let chain = self.corners(line, words, 2)?;
                self.polygons.segments.extend(chain.windows(2).map(|pair| [pair[0], pair[1]]));
            }
            _ => {
                let points = self.corners(line, words, 1)?;
                self.polygons.points.extend(points);
            }
        }
        Ok(())
    }

    fn corners(
        &mut self,
        line: Line,
        mut words: Words,
        least: usize,
    ) -> Result<Vec<u32>, ParseError> {
        let mut corners = Vec::new();
        while let Some(word) = words.next() {
            corners.push(self.corner(word, line.number).map_err(|problem| line.error(problem))?);
        }
        if corners.len() < least {
            return Err(line.error(Problem::Missing { wanted: "a vertex number" }));
        }
        Ok(corners)
    }

    /// A corner such as `7`, `7/1`, `7//3` or `-1/2/3`.
    fn corner(&mut self, word: &str, line: usize) -> Result<u32, Problem> {
        let number = word.split('/').next().unwrap_or(word);
        let index = whole(number, "a vertex number")
            .map_err(|_| Problem::NotWhole { found: shown(word), wanted: "a vertex number" })?;
        let count = self.polygons.vertices.len();
        if index < 0 {
            let from_first = index.saturating_add(count as i64 + 1);
            return vertex_number(from_first, 1, count).map_err(|_| Problem::NoSuchVertex {
                index,
                count,
                from: 1,
            });
        }
        if index > self.highest.0 {
            self.highest = (index, line);
        }
        vertex_number(index, 1, u32::MAX as usize).map_err(|_| Problem::NoSuchVertex {
            index,
            count,
            from: 1,
        })
    }

    fn finish(self) -> Result<Polygons, ParseError> {
        let (index, line) = self.highest;
        let count = self.polygons.vertices.len();
        if index > count as i64 {
            let problem = Problem::NoSuchVertex { index, count, from: 1 };
            return Err(ParseError { place: Place::Line(line), problem });
        }
        checked(self.polygons)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse_obj(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn numbers_run_on_across_objects() {
        let text = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 0 0 1\nv 1 0 1 0.5 0.5 0.5\n\
                    f -1 -2 1 2\nl 1 2 4\np 5 1\n";
        let mesh = parse_obj(text.as_bytes()).unwrap();
        assert_eq!(mesh.vertices.len(), 5);
        assert_eq!(mesh.faces, [vec![0, 1, 2], vec![4, 3, 0, 1]]);
        assert_eq!(mesh.segments, [[0, 1], [1, 3]]);
        assert_eq!(mesh.points, [4, 0]);
    }

    #[test]
    fn coordinates_keep_all_their_digits() {
        let mesh = parse_obj(b"v 0.1 1e-300 -3.141592653589793\r\n").unwrap();
        assert_eq!(mesh.vertices[0].to_array(), [0.1, 1e-300, -std::f64::consts::PI]);
    }

    #[test]
    fn faces_may_come_before_their_vertices_and_lines_may_go_on() {
        let mesh = parse_obj(b"f 1 \\\n 2/7 \\\n3\nv 0 0 0\nv 1 0 0 # corner\nv 0 1 0").unwrap();
        assert_eq!(mesh.faces, [[0, 1, 2]]);
    }

    #[test]
    fn names_in_other_encodings_do_not_matter() {
        assert!(parse_obj(b"o M\xfcller\n# caf\xe9\nv 0 0 0\n").is_ok());
        assert_eq!(parse_obj(b"v 0 \xfc 0\n").unwrap_err().problem, Problem::NotText);
    }

    #[test]
    fn errors_name_the_line() {
        let vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
        let with = |line: &str| error(&format!("{vertices}{line}"));
        let missing =
            |i| format!("line 4: vertex {i} does not exist: there are 3 vertices, counted from 1");
        assert_eq!(with("f 1 2 4"), missing(4));
        assert_eq!(with("f 1 2 0"), missing(0));
        assert_eq!(with("f 1 2 -4"), missing(-4));
        assert_eq!(with("f 1 2 99999999999"), missing(99_999_999_999_i64));
        assert_eq!(
            with("f 1 2 x"),
            "line 4: `x` is not a whole number, but a vertex number must be one"
        );
        assert_eq!(with("f"), "line 4: a vertex number is missing");
        assert_eq!(with("v 1 2"), "line 4: the z coordinate is missing");
        assert_eq!(
            with("v 1 2 zero"),
            "line 4: `zero` is not a number, but the z coordinate must be one"
        );
        assert_eq!(with("v 1 nan 2"), "line 4: the y coordinate is NaN, but must be finite");
        assert_eq!(with("v 1 1e999 2"), "line 4: the y coordinate is inf, but must be finite");
        assert_eq!(error(""), "the file is empty, but must hold a mesh");
        assert_eq!(error("# nothing\n"), "the mesh is empty: it has no vertex, segment or face");
    }
}
