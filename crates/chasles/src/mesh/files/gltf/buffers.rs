//! Numbers from the buffers of a glTF document.

use std::borrow::Cow;
use std::io;
use std::path::{Component, Path};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::{DMat4, DVec3};

use super::super::error::{ParseError, Problem};
use super::super::text::shown;
use super::super::{read, text};
use super::document::{Accessor, Buffer, Document, InstanceAttributes, Placement, Sparse, item};

/// A sparse accessor without a buffer view begins as zeros, of which the file holds no byte. More
/// than this many, 24 MB as vectors, are refused.
const MOST_ZEROS: usize = 1 << 20;

/// The attributes that place instances.
const PLACED_BY: &str = "`TRANSLATION`, `ROTATION` or `SCALE`";

/// The bytes of all buffers.
pub(super) struct Buffers<'a> {
    document: &'a Document,
    bytes: Vec<Cow<'a, [u8]>>,
}

/// Where equally spaced numbers are.
struct Numbers<'a> {
    bytes: &'a [u8],
    stride: usize,
    kind: u64,
    normalized: bool,
}

impl<'a> Buffers<'a> {
    pub(super) fn load(
        document: &'a Document,
        blob: Option<&'a [u8]>,
        folder: Option<&Path>,
    ) -> Result<Self, ParseError> {
        let mut bytes = Vec::new();
        for (i, buffer) in document.buffers.iter().enumerate() {
            let found = contents(buffer, blob.filter(|_| i == 0), folder);
            let found = found.and_then(|bytes| {
                let wanted = format!("byte {} of the buffer", buffer.byte_length);
                let truncated = Problem::Truncated { wanted };
                if bytes.len() < buffer.byte_length { Err(truncated) } else { Ok(bytes) }
            });
            bytes.push(found.map_err(|p| ParseError::part(format!("buffer {i}"), p))?);
        }
        Ok(Self { document, bytes })
    }

    /// The places in an accessor of vectors.
    pub(super) fn positions(&self, number: usize) -> Result<Vec<DVec3>, ParseError> {
        let error = |problem| ParseError::part(format!("accessor {number}"), problem);
        let flat = self.values(number, "VEC3").map_err(error)?;
        for &coordinate in &flat {
            text::finite(coordinate, "a coordinate").map_err(error)?;
        }
        Ok(flat.chunks_exact(3).map(DVec3::from_slice).collect())
    }

    /// The vertex numbers in an accessor of scalars.
    pub(super) fn indices(&self, number: usize) -> Result<Vec<u32>, ParseError> {
        let error = |problem| ParseError::part(format!("accessor {number}"), problem);
        let accessor = item(&self.document.accessors, number, "accessor").map_err(error)?;
        if !matches!(accessor.component_type, 5121 | 5123 | 5125) {
            let found = accessor.component_type.to_string();
            let wanted = "one of the index types 5121, 5123 and 5125";
            return Err(error(Problem::Unexpected { found, wanted }));
        }
        let flat = self.values(number, "SCALAR").map_err(error)?;
        Ok(flat.into_iter().map(|v| v as u32).collect())
    }

    /// How many instances there are, by the first of the attributes.
    pub(super) fn instance_count(&self, of: &InstanceAttributes) -> Result<usize, Problem> {
        let first = of.translation.or(of.rotation).or(of.scale);
        let accessor = first.ok_or(Problem::Missing { wanted: PLACED_BY })?;
        Ok(item(&self.document.accessors, accessor, "accessor")?.count)
    }

    /// From each instance's frame to its node's.
    pub(super) fn instances(&self, of: &InstanceAttributes) -> Result<Vec<DMat4>, Problem> {
        let read = |accessor: Option<usize>, shape| {
            accessor.map(|accessor| self.values(accessor, shape)).transpose()
        };
        let translations = read(of.translation, "VEC3")?;
        let rotations = read(of.rotation, "VEC4")?;
        let scales = read(of.scale, "VEC3")?;
        let counts = [(&translations, 3), (&rotations, 4), (&scales, 3)];
        let mut counts = counts.iter().filter_map(|(all, width)| Some(all.as_ref()?.len() / width));
        let count = counts.next().ok_or(Problem::Missing { wanted: PLACED_BY })?;
        if let Some(other) = counts.find(|&other| other != count) {
            let wanted = "as many instances in each attribute";
            return Err(Problem::Unexpected { found: format!("{other}, not {count}"), wanted });
        }
        let instance = |i: usize| {
            let place = Placement {
                translation: element(&translations, i).unwrap_or([0.0; 3]),
                rotation: element(&rotations, i).unwrap_or([0.0, 0.0, 0.0, 1.0]),
                scale: element(&scales, i).unwrap_or([1.0; 3]),
            };
            place.transform()
        };
        (0..count).map(instance).collect()
    }

    /// All numbers of an accessor, one element after the other.
    fn values(&self, number: usize, shape: &'static str) -> Result<Vec<f64>, Problem> {
        let accessor = item(&self.document.accessors, number, "accessor")?;
        if accessor.shape != shape {
            let found = shown(&accessor.shape);
            return Err(Problem::Unexpected { found, wanted: shape });
        }
        let width = match shape {
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 1,
        };
        let mut values = match accessor.buffer_view {
            Some(view) => {
                let place = (view, accessor.byte_offset);
                let kind = (accessor.component_type, accessor.normalized);
                self.numbers(place, kind, (accessor.count, width))?.read(accessor.count, width)?
            }
            None => zeros(accessor, width)?,
        };
        if let Some(sparse) = &accessor.sparse {
            self.replace(&mut values, accessor, sparse, width)?;
        }
        Ok(values)
    }

    /// Puts the values of a sparse accessor in their places.
    fn replace(
        &self,
        values: &mut [f64],
        accessor: &Accessor,
        sparse: &Sparse,
        width: usize,
    ) -> Result<(), Problem> {
        let place = (sparse.indices.buffer_view, sparse.indices.byte_offset);
        let kind = (sparse.indices.component_type, false);
        let places = self.numbers(place, kind, (sparse.count, 1))?.read(sparse.count, 1)?;
        let place = (sparse.values.buffer_view, sparse.values.byte_offset);
        let kind = (accessor.component_type, accessor.normalized);
        let new = self.numbers(place, kind, (sparse.count, width))?.read(sparse.count, width)?;
        for (&index, new) in places.iter().zip(new.chunks_exact(width)) {
            let start = (index as usize).saturating_mul(width);
            let old = values.get_mut(start..start.saturating_add(width));
            let count = accessor.count;
            let missing = Problem::NoSuchVertex { index: index as i64, count, from: 0 };
            old.ok_or(missing)?.copy_from_slice(new);
        }
        Ok(())
    }

    /// Finds `count` elements of `width` numbers in a view, and makes sure that they are there.
    fn numbers(
        &self,
        (view, offset): (usize, usize),
        (kind, normalized): (u64, bool),
        (count, width): (usize, usize),
    ) -> Result<Numbers<'_>, Problem> {
        let view = item(&self.document.buffer_views, view, "buffer view")?;
        item(&self.document.buffers, view.buffer, "buffer")?;
        let size = size(kind)? * width;
        let stride = view.byte_stride.filter(|&stride| stride != 0).unwrap_or(size);
        if stride < size {
            let wanted = "a stride of at least the size of an element";
            return Err(Problem::Unexpected { found: stride.to_string(), wanted });
        }
        let end = view.byte_offset.checked_add(view.byte_length);
        let bytes = end.and_then(|end| self.bytes[view.buffer].get(view.byte_offset..end));
        let bytes = bytes.and_then(|bytes| bytes.get(offset..));
        let needed = count.saturating_sub(1).checked_mul(stride).and_then(|n| n.checked_add(size));
        let needed = if count == 0 { Some(0) } else { needed };
        let wanted = || format!("the end of {count} elements");
        match (bytes, needed) {
            (Some(bytes), Some(needed)) if needed <= bytes.len() => {
                Ok(Numbers { bytes, stride, kind, normalized })
            }
            _ => Err(Problem::Truncated { wanted: wanted() }),
        }
    }
}

impl Numbers<'_> {
    fn read(&self, count: usize, width: usize) -> Result<Vec<f64>, Problem> {
        let size = size(self.kind)?;
        let mut values = Vec::with_capacity(count * width);
        for element in self.bytes.chunks(self.stride).take(count) {
            values.extend(element.chunks_exact(size).take(width).map(|raw| self.number(raw)));
        }
        Ok(values)
    }

    /// A number; normalized integers stand for fractions of their largest value.
    fn number(&self, raw: &[u8]) -> f64 {
        let (value, largest) = match (self.kind, raw) {
            (5120, &[a]) => (f64::from(a as i8), 127.0),
            (5121, &[a]) => (f64::from(a), 255.0),
            (5122, &[a, b]) => (f64::from(i16::from_le_bytes([a, b])), 32767.0),
            (5123, &[a, b]) => (f64::from(u16::from_le_bytes([a, b])), 65535.0),
            (5125, &[a, b, c, d]) => (f64::from(u32::from_le_bytes([a, b, c, d])), 1.0),
            (_, &[a, b, c, d]) => (f64::from(f32::from_le_bytes([a, b, c, d])), 1.0),
            _ => unreachable!("`size` gives every kind its number of bytes"),
        };
        if self.normalized { (value / largest).max(-1.0) } else { value }
    }
}

/// Element `i` of a list of numbers, if there is the list.
fn element<const N: usize>(values: &Option<Vec<f64>>, i: usize) -> Option<[f64; N]> {
    values.as_ref()?.get(N * i..N * (i + 1))?.try_into().ok()
}

fn size(kind: u64) -> Result<usize, Problem> {
    match kind {
        5120 | 5121 => Ok(1),
        5122 | 5123 => Ok(2),
        5125 | 5126 => Ok(4),
        _ => {
            let wanted = "a component type from 5120 to 5126";
            Err(Problem::Unexpected { found: kind.to_string(), wanted })
        }
    }
}

fn zeros(accessor: &Accessor, width: usize) -> Result<Vec<f64>, Problem> {
    if accessor.sparse.is_none() {
        return Err(Problem::Missing { wanted: "the buffer view" });
    }
    if accessor.count > MOST_ZEROS {
        let what =
            format!("a sparse accessor of {} elements without a buffer view", accessor.count);
        return Err(Problem::Unsupported { what, instead: "give it a buffer view" });
    }
    Ok(vec![0.0; accessor.count * width])
}

/// The bytes of a buffer: the chunk of a GLB file, a data URI, or a file beside this one.
fn contents<'a>(
    buffer: &'a Buffer,
    blob: Option<&'a [u8]>,
    folder: Option<&Path>,
) -> Result<Cow<'a, [u8]>, Problem> {
    let Some(uri) = &buffer.uri else {
        return blob.map(Cow::Borrowed).ok_or(Problem::Missing { wanted: "the binary chunk" });
    };
    if let Some(data) = uri.strip_prefix("data:") {
        let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
        let encoded = encoded.ok_or(Problem::Missing { wanted: "`;base64,` in the data URI" })?;
        let decoded = STANDARD.decode(encoded);
        return decoded.map(Cow::Owned).map_err(|e| Problem::Buffer(format!("data URI: {e}")));
    }
    let refused = || {
        let what = format!("the buffer address `{}`", shown(uri));
        let instead = "embed the buffer, or name a file in the folder of this one or below it";
        Problem::Unsupported { what, instead }
    };
    let name = unescaped(uri).filter(|name| stays_inside(name)).ok_or_else(refused)?;
    let folder = folder.ok_or_else(refused)?;
    let path = folder.join(name);
    if !is_really_in(&path, folder)
        .map_err(|e| Problem::Buffer(format!("`{}`: {e}", shown(uri))))?
    {
        return Err(refused());
    }
    let bytes = read(&path, buffer.byte_length as u64);
    bytes.map(Cow::Owned).map_err(|error| Problem::Buffer(error.to_string()))
}

/// Whether a name is of a file here or below, as far as the name says. A backslash separates
/// folders on some systems, and a colon ends the name of a drive.
fn stays_inside(name: &str) -> bool {
    let is_plain = !name.contains("://") && !name.contains([':', '\\', '\0']);
    let mut parts = Path::new(name).components();
    is_plain && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Whether a file is in a folder or below it once all links are followed.
fn is_really_in(path: &Path, folder: &Path) -> io::Result<bool> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    Ok(path.canonicalize()?.starts_with(folder.canonicalize()?))
}

/// A relative address with its `%20` and the like as characters.
fn unescaped(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = str::from_utf8(tail.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &tail[2..];
    }
    String::from_utf8(bytes).ok()
}
