//! Object File Format: `OFF` and its variants with colours, normals and textures, as text.

use super::error::{ParseError, Place, Problem};
use super::text::{Line, Words, lines, shown};
use super::{checked, unmarked, vertex_number};
use crate::mesh::Polygons;

/// Reads an OFF file.
///
/// *Accepts* text with or without the word `OFF`, counts on the same line or the next, faces over
/// several lines, comments after `#`, and the prefixes `C`, `N` and `ST`, whose extra numbers are
/// skipped. *Guarantees*
/// vertices and faces in the order of the file. *Cost* linear. *Fails* with the line.
///
/// ```
/// use chasles::mesh::files::parse_off;
/// let square = parse_off(b"OFF 4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n")?;
/// assert_eq!(square.faces, [[0, 1, 2, 3]]);
/// # Ok::<(), chasles::mesh::files::ParseError>(())
/// ```
pub fn parse_off(bytes: impl AsRef<[u8]>) -> Result<Polygons, ParseError> {
    let bytes = bytes.as_ref();
    let bytes = &*unmarked(bytes);
    if bytes.is_empty() {
        return Err(ParseError::whole(Problem::Empty));
    }
    let mut reader =
        Reader { lines: lines(bytes).map(Line::without_comment).filter(|line| !line.is_blank()) };
    let [vertices, faces] = reader.counts()?;
    let mut polygons = Polygons::default();
    for i in 0..vertices {
        let mut words = reader.line(|| format!("vertex {i} of {vertices}"))?.words()?;
        polygons.vertices.push(words.position()?);
    }
    for i in 0..faces {
        let words = reader.line(|| format!("face {i} of {faces}"))?.words()?;
        polygons.faces.push(reader.face(words, vertices)?);
    }
    match reader.lines.next() {
        None => checked(polygons),
        Some(line) => {
            let found = shown(&String::from_utf8_lossy(line.bytes.trim_ascii()));
            let wanted = "the end of the file after the last face";
            Err(line.error(Problem::Unexpected { found, wanted }))
        }
    }
}

struct Reader<I> {
    lines: I,
}

impl<'a, I: Iterator<Item = Line<'a>>> Reader<I> {
    fn line(&mut self, wanted: impl Fn() -> String) -> Result<Line<'a>, ParseError> {
        let error =
            || ParseError { place: Place::Whole, problem: Problem::Truncated { wanted: wanted() } };
        self.lines.next().ok_or_else(error)
    }

    /// The numbers of vertices and faces; the number of edges may be there and is ignored.
    fn counts(&mut self) -> Result<[usize; 2], ParseError> {
        let wanted = || "the numbers of vertices and faces".to_owned();
        let first = self.line(wanted)?;
        let mut words = first.words()?;
        let keyword = words.next().unwrap_or_default();
        if !keyword.ends_with("OFF") {
            return counts_of(first.words()?);
        }
        let prefix = &keyword[..keyword.len() - 3];
        if !matches!(prefix, "" | "C" | "N" | "CN" | "ST" | "STC" | "STN" | "STCN") {
            let what = format!("`{}`", shown(keyword));
            let instead = "write three-dimensional OFF, COFF or NOFF";
            return Err(first.error(Problem::Unsupported { what, instead }));
        }
        let mut rest = first.words()?;
        rest.next();
        match words.next() {
            None => counts_of(self.line(wanted)?.words()?),
            Some("BINARY") => {
                let (what, instead) = ("binary OFF".to_owned(), "write it as text");
                Err(first.error(Problem::Unsupported { what, instead }))
            }
            Some(_) => counts_of(rest),
        }
    }

    /// `n v1 ... vn` on one line or on several, and perhaps a colour on the last.
    fn face(&mut self, mut words: Words<'a>, vertices: usize) -> Result<Vec<u32>, ParseError> {
        let corners = words.count("the number of corners")?;
        if corners == 0 {
            return Err(words.error(Problem::Missing { wanted: "a corner of the face" }));
        }
        let mut face = Vec::new();
        while face.len() < corners {
            if words.is_empty() {
                words = self.lines.next().map_or(Ok(words), Line::words)?;
            }
            let index = words.whole("a vertex number")?;
            face.push(vertex_number(index, 0, vertices).map_err(|problem| words.error(problem))?);
        }
        Ok(face)
    }
}

fn counts_of(mut words: Words) -> Result<[usize; 2], ParseError> {
    Ok([words.count("the number of vertices")?, words.count("the number of faces")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_variants_of_the_header_are_read() {
        let body = "0 0 0 9 9\n1 0 0 9 9\n0 1 0 9 9\n3 0 1 2 0.5 0.5 0.5\n";
        let heads = [
            "OFF\n3 1 0\n",
            "COFF 3 1\n",
            "# a\n\nNOFF # b\n3 1 3\n",
            "3 1 0\n",
            "STOFF\r\n3 1 0\r\n",
        ];
        for head in heads {
            let mesh = parse_off(format!("{head}{body}").as_bytes()).unwrap();
            assert_eq!((mesh.vertices.len(), &mesh.faces[0]), (3, &vec![0, 1, 2]), "{head}");
        }
    }

    #[test]
    fn a_face_may_go_on_on_the_next_line() {
        let text = "OFF 4 3 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1\n2 3 255 0 0\n3\n0\n# c\n\n1\n2\n\
                    3 2 1 0 0.5\n";
        let mesh = parse_off(text.as_bytes()).unwrap();
        assert_eq!(mesh.faces, [vec![0, 1, 2, 3], vec![0, 1, 2], vec![2, 1, 0]]);
        let error = parse_off(b"OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0\n1\n").unwrap_err();
        assert_eq!(error.to_string(), "line 6: a vertex number is missing");
    }

    #[test]
    fn errors_name_the_line_or_what_is_missing() {
        let error = |text: &str| parse_off(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(
            error("OFF 4000000000 4000000000 0\n0 0 0\n"),
            "the file ends before vertex 1 of 4000000000"
        );
        assert_eq!(
            error("OFF 1 1 0\n0 0 0\n3 0 0 1\n"),
            "line 3: vertex 1 does not exist: there are 1 vertices, counted from 0"
        );
        assert_eq!(
            error("OFF 1 1 0\n0 0 0\n4000000000 0 0 0\n"),
            "line 3: a vertex number is missing"
        );
        assert_eq!(
            error("OFF 1 0 0\n0 0 0\n1 1 1\n"),
            "line 3: found `1 1 1`, but expected the end of the file after the last face"
        );
        assert_eq!(
            error("4OFF\n"),
            "line 1: `4OFF` is not supported: write three-dimensional OFF, COFF or NOFF"
        );
        assert_eq!(
            error("OFF -1 0 0\n"),
            "line 1: `-1` is not a whole number, but the number of vertices must be one"
        );
        assert_eq!(
            error("ply\n"),
            "line 1: `ply` is not a whole number, but the number of vertices must be one"
        );
    }
}
