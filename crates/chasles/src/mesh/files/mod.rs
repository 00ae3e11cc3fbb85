//! Meshes from files and to files: OBJ, STL, PLY, OFF, glTF and GLB.
//!
//! Polygons stay polygons, and numbers are those of the file: vertices and faces in the order in
//! which they stand there. STL has no vertex numbers; its vertices are numbered by first
//! appearance. Coordinates are read as `f64` wherever the format has the digits.
//!
//! The parsers are our own, because the crates at hand do not keep this promise: tobj renumbers
//! vertices per object and drops `p` elements, stl_io rounds text to `f32`, ply-rs-bw makes as many
//! empty elements as a header claims, and gltf indexes out of range while it validates. Every count
//! in a file is checked against the bytes that are there, so that no header can make us allocate or
//! loop beyond the size of the file. Only glTF says much in few bytes, by copies of meshes and by
//! zeros that the file does not hold; both have limits of their own, a gigabyte and a few seconds.
//! Text is UTF-8, or UTF-16 if it begins with its byte order mark.

mod error;
mod gltf;
mod obj;
mod off;
mod ply;
mod save;
mod stl;
mod text;

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

pub use error::{FileError, ParseError, Place, Problem};
pub use gltf::parse_gltf;
pub use obj::parse_obj;
pub use off::parse_off;
pub use ply::parse_ply;
pub use save::{save, to_obj, to_off, to_ply, to_stl};
pub use stl::parse_stl;

use super::Polygons;

/// The extensions that [`load`] knows, in lower case.
pub const EXTENSIONS: [&str; 6] = ["obj", "stl", "ply", "off", "gltf", "glb"];

/// Reads a mesh file; its extension, in any case, says how.
///
/// *Accepts* OBJ, STL (text and binary), PLY (text and binary), OFF, glTF and GLB. *Guarantees*
/// vertices and faces in the order of the file, with finite coordinates and numbers in range.
/// *Cost* linear in the size of the file, which is read as a whole. *Fails* with the file, the line
/// where there are lines, what is wrong and what would be right.
///
/// ```no_run
/// use chasles::{Polyhedron, mesh::files};
/// let polygons = files::load("torus.obj")?;
/// let torus = Polyhedron::new(&polygons)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load(path: impl AsRef<Path>) -> Result<Polygons, FileError> {
    let path = path.as_ref();
    extension(path)?;
    parse(path, &read(path, u64::MAX)?, Some(path.parent().unwrap_or(Path::new(""))))
}

/// Reads the bytes of a mesh file; the extension of its name, in any case, says how.
///
/// *Accepts* what [`load`] does, and the folder in which the files of glTF buffers are looked up:
/// without one only embedded buffers are read. *Guarantees* as [`load`]; no file but those is
/// opened. *Cost* linear in the bytes. *Fails* as [`load`], but for what the system says.
///
/// ```
/// use chasles::mesh::files;
/// let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// assert_eq!(files::parse("triangle.obj", text, None)?.faces, [[0, 1, 2]]);
/// # Ok::<(), files::FileError>(())
/// ```
pub fn parse(
    name: impl AsRef<Path>,
    bytes: impl AsRef<[u8]>,
    folder: Option<&Path>,
) -> Result<Polygons, FileError> {
    let bytes = bytes.as_ref();
    let path = name.as_ref();
    let parsed = match extension(path)? {
        "obj" => parse_obj(bytes),
        "stl" => parse_stl(bytes),
        "ply" => parse_ply(bytes),
        "off" => parse_off(bytes),
        _ => parse_gltf(bytes, folder),
    };
    parsed.map_err(|error| FileError::Parse { path: path.to_owned(), error })
}

/// The known extension of a path.
fn extension(path: &Path) -> Result<&'static str, FileError> {
    let given = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let known = EXTENSIONS.into_iter().find(|known| *known == given);
    known.ok_or_else(|| FileError::UnknownExtension { path: path.to_owned(), extension: given })
}

/// The first `limit` bytes of a regular file. Devices and pipes, which may never end, are refused.
fn read(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let failed = |source: io::Error| FileError::Read { path: path.to_owned(), source };
    let kind = fs::metadata(path).map_err(failed)?;
    if !kind.is_file() {
        let found = if kind.is_dir() { "a directory" } else { "a device or pipe" };
        return Err(FileError::NotAFile { path: path.to_owned(), found });
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(failed)?;
    file.take(limit).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// The bytes of a text in UTF-8, without a byte order mark; one of UTF-16 says how to decode it.
fn unmarked(bytes: &[u8]) -> Cow<'_, [u8]> {
    match bytes {
        [0xef, 0xbb, 0xbf, text @ ..] => Cow::Borrowed(text),
        [0xff, 0xfe, text @ ..] => Cow::Owned(from_utf16(text, u16::from_le_bytes)),
        [0xfe, 0xff, text @ ..] => Cow::Owned(from_utf16(text, u16::from_be_bytes)),
        _ => Cow::Borrowed(bytes),
    }
}

/// UTF-16 as UTF-8. What is none becomes a character that no number and no keyword has.
fn from_utf16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Vec<u8> {
    let pairs = bytes.chunks(2).map(|pair| match pair {
        &[a, b] => unit([a, b]),
        // Half of a surrogate pair, for a byte that is left over.
        _ => 0xd800,
    });
    let text: String =
        char::decode_utf16(pairs).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    text.into_bytes()
}

/// Checks what no parser checks on the way: numbers in range, coordinates of sane size.
fn checked(polygons: Polygons) -> Result<Polygons, ParseError> {
    polygons.check().map_err(|error| ParseError::whole(Problem::Mesh(error)))?;
    Ok(polygons)
}

/// A vertex number in the file's own count, `from` 0 or 1, as a number from 0.
fn vertex_number(index: i64, from: i64, count: usize) -> Result<u32, Problem> {
    let number =
        u32::try_from(index.saturating_sub(from)).ok().filter(|&number| (number as usize) < count);
    number.ok_or(Problem::NoSuchVertex { index, count, from })
}
