//! Arrays of NumPy: `.npy`, and `.npz`, which is a zip archive of them.
//!
//! Nothing is allocated for what a header claims: the claim is compared with a limit, and then only
//! what is there is read. Pickled objects, which could run any program, are refused.

use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::file::{FormError, Numbers};

/// The beginning of a `.npy` file and of a zip archive.
pub(super) const NPY: &[u8] = b"\x93NUMPY";
pub(super) const ZIP: &[u8] = b"PK\x03\x04";

/// The most bytes of an array, 5 million queries of doubles: an archive of a few kilobytes may
/// claim any number, and unpack to a thousand times its size.
const MOST_BYTES: usize = 1 << 30;

/// The longest header; that of an array of numbers has some 100 bytes.
const LONGEST_HEADER: usize = 1 << 16;

/// Reads queries with their labels from a `.npy` file: an array of shape (n, 25).
pub(super) fn read_array(bytes: &[u8]) -> Result<Numbers, FormError> {
    let array = Array::read(bytes)?;
    match array.shape[..] {
        [_, 25] => Ok(array.into_numbers()),
        _ => Err(FormError::Array(format!(
            "the array has the shape {}, but queries with labels have (n, 25); write labels beside \
             (n, 8, 3) into an .npz file",
            array.shown()
        ))),
    }
}

/// Reads queries from an `.npz` file: one array of shape (n, 25), or one of shape (n, 8, 3),
/// (n, 2, 4, 3) or (n, 24), and one named `labels` of n numbers.
pub(super) fn read_archive(bytes: &[u8]) -> Result<Numbers, FormError> {
    let wrong =
        |error: zip::result::ZipError| FormError::Array(format!("not an .npz file: {error}"));
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(wrong)?;
    let names = archive.file_names().map(|name| name.map(|name| name.into_owned()));
    let names = names.collect::<Result<Vec<String>, _>>().map_err(wrong)?;
    let (labels, others): (Vec<&String>, Vec<&String>) =
        names.iter().partition(|name| *name == "labels.npy");
    let &[queries] = &others[..] else {
        let message =
            format!("the archive has {} arrays besides `labels`, but must have one", others.len());
        return Err(FormError::Array(message));
    };
    let mut array = |name: &str| {
        let file = archive.by_name(name).map_err(wrong)?;
        Array::read(file).map_err(|error| error.of(name))
    };
    let queries = array(queries)?;
    match labels.first() {
        None if matches!(queries.shape[..], [_, 25]) => Ok(queries.into_numbers()),
        None => Err(FormError::Array("the archive has no array `labels`".to_string())),
        Some(name) => labelled(queries, array(name)?),
    }
}

/// Queries without labels, and the labels.
fn labelled(queries: Array, labels: Array) -> Result<Numbers, FormError> {
    let count = match queries.shape[..] {
        [n, 8, 3] | [n, 2, 4, 3] | [n, 24] => n,
        _ => {
            let shape = queries.shown();
            let message =
                format!("queries have the shape {shape}, but must have (n, 8, 3), beside labels");
            return Err(FormError::Array(message));
        }
    };
    if labels.values.len() != count {
        let found = labels.values.len();
        return Err(FormError::Array(format!("{found} labels for {count} queries")));
    }
    let rounded = queries.rounded + labels.rounded;
    let rows = queries.values.chunks_exact(24).zip(&labels.values);
    let values = rows.flat_map(|(row, &label)| row.iter().copied().chain([label])).collect();
    Ok(Numbers { values, rounded })
}

/// An array of numbers, the last index running fastest.
struct Array {
    shape: Vec<usize>,
    values: Vec<f64>,
    /// How many whole numbers no double holds.
    rounded: usize,
}

impl Array {
    fn read(mut from: impl Read) -> Result<Self, FormError> {
        let header = Header::read(&mut from)?;
        let mut bytes = Vec::new();
        let limit = header.bytes()?;
        // Grows with what comes, not with what is claimed; one more byte shows that more would.
        from.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() != limit {
            let what = if bytes.len() > limit { "more" } else { "fewer" };
            let message =
                format!("the array has {what} bytes than the {limit} that its header states");
            return Err(FormError::Array(message));
        }
        let mut rounded = 0;
        let items = bytes.chunks_exact(header.size);
        let values = items.map(|item| header.number(item, &mut rounded)).collect();
        let values = if header.by_columns { by_rows(values, &header.shape) } else { values };
        Ok(Self { shape: header.shape, values, rounded })
    }

    fn shown(&self) -> String {
        let sizes: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        format!("({})", sizes.join(", "))
    }

    fn into_numbers(self) -> Numbers {
        Numbers { values: self.values, rounded: self.rounded }
    }
}

fn unreadable(error: std::io::Error) -> FormError {
    FormError::Array(format!("the array cannot be read: {error}"))
}

/// Numbers of which the first index runs fastest, so that the last does.
fn by_rows(values: Vec<f64>, shape: &[usize]) -> Vec<f64> {
    let place = |mut row: usize| {
        let mut index = vec![0; shape.len()];
        for (index, &size) in index.iter_mut().zip(shape).rev() {
            *index = row % size;
            row /= size;
        }
        let from_last = index.iter().zip(shape).rev();
        from_last.fold(0, |place, (&index, &size)| place * size + index)
    };
    (0..values.len()).map(|row| values[place(row)]).collect()
}

/// The type of the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Float,
    Signed,
    Unsigned,
}

/// What the header of an array says.
struct Header {
    kind: Type,
    size: usize,
    is_big: bool,
    by_columns: bool,
    shape: Vec<usize>,
}

impl Header {
    fn read(from: &mut impl Read) -> Result<Self, FormError> {
        let mut start = [0; 8];
        from.read_exact(&mut start).map_err(unreadable)?;
        if !start.starts_with(NPY) {
            return Err(FormError::Array("this is not an array of NumPy".to_string()));
        }
        let length = match start[6] {
            1 => {
                let mut length = [0; 2];
                from.read_exact(&mut length).map_err(unreadable)?;
                usize::from(u16::from_le_bytes(length))
            }
            _ => {
                let mut length = [0; 4];
                from.read_exact(&mut length).map_err(unreadable)?;
                u32::from_le_bytes(length) as usize
            }
        };
        if length > LONGEST_HEADER {
            let message = format!("the header of the array is {length} bytes long");
            return Err(FormError::Array(message));
        }
        let mut text = vec![0; length];
        from.read_exact(&mut text).map_err(unreadable)?;
        Self::parse(&String::from_utf8_lossy(&text))
    }

    /// `{'descr': '<f8', 'fortran_order': False, 'shape': (2, 25), }`
    fn parse(text: &str) -> Result<Self, FormError> {
        let missing = |key: &str| FormError::Array(format!("the header of the array has no {key}"));
        let after = |key: &str| {
            let (_, rest) = text.split_once(&format!("'{key}':"))?;
            Some(rest.trim_start())
        };
        let of_type = after("descr").ok_or_else(|| missing("'descr'"))?;
        let (is_big, kind, size) = item(of_type)?;
        let order = after("fortran_order").ok_or_else(|| missing("'fortran_order'"))?;
        let shape = after("shape").and_then(|rest| rest.strip_prefix('(')?.split_once(')'));
        let sizes = shape.ok_or_else(|| missing("'shape'"))?.0.split(',').map(str::trim);
        let sizes: Option<Vec<usize>> =
            sizes.filter(|size| !size.is_empty()).map(|size| size.parse().ok()).collect();
        let shape = sizes.ok_or_else(|| missing("'shape' of whole numbers"))?;
        Ok(Self { kind, size, is_big, by_columns: order.starts_with("True"), shape })
    }

    /// How many bytes the items take, if that is not too many.
    fn bytes(&self) -> Result<usize, FormError> {
        let bytes = self.shape.iter().try_fold(self.size, |n, &size| n.checked_mul(size));
        bytes.filter(|&bytes| bytes <= MOST_BYTES).ok_or_else(|| {
            let sizes: Vec<String> = self.shape.iter().map(usize::to_string).collect();
            let message = format!(
                "an array of shape ({}) is larger than {MOST_BYTES} bytes: split it",
                sizes.join(", ")
            );
            FormError::Array(message)
        })
    }

    fn number(&self, item: &[u8], rounded: &mut usize) -> f64 {
        let mut raw = [0; 8];
        let raw_item = &mut raw[..self.size];
        raw_item.copy_from_slice(item);
        if self.is_big {
            raw_item.reverse();
        }
        let bits = u64::from_le_bytes(raw);
        let unused = 64 - 8 * self.size as u32;
        let (value, whole) = match (self.kind, self.size) {
            (Type::Float, 4) => return f64::from(f32::from_bits(bits as u32)),
            (Type::Float, _) => return f64::from_bits(bits),
            (Type::Signed, _) => {
                let whole = (bits << unused) as i64 >> unused;
                (whole as f64, i128::from(whole))
            }
            (Type::Unsigned, _) => (bits as f64, i128::from(bits)),
        };
        *rounded += usize::from(value as i128 != whole);
        value
    }
}

/// The byte order, the kind and the size of an item, from a text that begins with its description.
fn item(text: &str) -> Result<(bool, Type, usize), FormError> {
    let quoted = text.strip_prefix('\'').and_then(|rest| rest.split_once('\''));
    let name = quoted.map_or("a structure", |(name, _)| name);
    if name.contains('O') {
        let message = "the array holds pickled objects, which are not read: write numbers";
        return Err(FormError::Array(message.to_string()));
    }
    let is_big = name.starts_with('>');
    let found = match name.trim_start_matches(['<', '>', '|', '=']) {
        "f8" => Some((Type::Float, 8)),
        "f4" => Some((Type::Float, 4)),
        "i8" => Some((Type::Signed, 8)),
        "i4" => Some((Type::Signed, 4)),
        "i2" => Some((Type::Signed, 2)),
        "i1" => Some((Type::Signed, 1)),
        "u8" => Some((Type::Unsigned, 8)),
        "u4" => Some((Type::Unsigned, 4)),
        "u2" => Some((Type::Unsigned, 2)),
        "u1" | "b1" => Some((Type::Unsigned, 1)),
        _ => None,
    };
    let (kind, size) = found.ok_or_else(|| {
        let name: String = name.chars().take(40).collect();
        FormError::Array(format!("the array holds `{name}`, but must hold float64 or float32"))
    })?;
    Ok((is_big, kind, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn npy(descr: &str, order: &str, shape: &str, items: &[u8]) -> Vec<u8> {
        let text = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let mut bytes = [NPY, b"\x01\x00", &(text.len() as u16).to_le_bytes()].concat();
        bytes.extend(text.as_bytes());
        bytes.extend(items);
        bytes
    }

    fn doubles(values: impl IntoIterator<Item = f64>) -> Vec<u8> {
        values.into_iter().flat_map(f64::to_le_bytes).collect()
    }

    fn error(bytes: &[u8]) -> String {
        read_array(bytes).expect_err("wrong").to_string()
    }

    #[test]
    fn arrays_of_either_byte_order_and_index_order_are_read() {
        let values: Vec<f64> = (0..50).map(f64::from).collect();
        let items = doubles(values.clone());
        let read = |bytes: &[u8]| read_array(bytes).expect("two queries").values;
        assert_eq!(read(&npy("'<f8'", "False", "(2, 25)", &items)), values);
        let big: Vec<u8> = values.iter().flat_map(|x| x.to_be_bytes()).collect();
        assert_eq!(read(&npy("'>f8'", "False", "(2, 25)", &big)), values);
        let single: Vec<u8> = values.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect();
        assert_eq!(read(&npy("'<f4'", "False", "(2,25)", &single)), values);
        let columns = doubles((0..25).flat_map(|i| [f64::from(i), f64::from(i + 25)]));
        assert_eq!(read(&npy("'<f8'", "True", "(2, 25)", &columns)), values);
        let whole: Vec<u8> = (0..50_i64).flat_map(i64::to_le_bytes).collect();
        assert_eq!(read(&npy("'<i8'", "False", "(2, 25)", &whole)), values);
        let large: Vec<u8> = [i64::MIN + 1; 25].iter().flat_map(|x| x.to_le_bytes()).collect();
        let read = read_array(&npy("'<i8'", "False", "(1, 25)", &large)).expect("a query");
        assert_eq!((read.values[0], read.rounded), (-(2_f64.powi(63)), 25));
    }

    #[test]
    fn what_is_not_read_is_said() {
        let items = doubles([0.5; 25]);
        let objects = error(&npy("'|O'", "False", "(1, 25)", b"\x80\x04K\x01."));
        assert!(objects.contains("pickled objects"), "{objects}");
        let text = error(&npy("'<U5'", "False", "(1, 25)", &items));
        assert!(text.contains("`<U5`"), "{text}");
        let fields = error(&npy("[('x', '<f8')]", "False", "(25,)", &items));
        assert!(fields.contains("a structure"), "{fields}");
        let shape = error(&npy("'<f8'", "False", "(5, 5)", &items));
        assert!(shape.contains("(5, 5)") && shape.contains("(n, 25)"), "{shape}");
        let claim = error(&npy("'<f8'", "False", "(99999999999, 25)", &items));
        assert!(claim.contains("larger than"), "{claim}");
        let claim = error(&npy("'<f8'", "False", "(9999999999999999999999, 25)", &items));
        assert!(claim.contains("whole numbers"), "{claim}");
        let claim = error(&npy("'<f8'", "False", "(1000000, 25)", &items));
        assert!(claim.contains("fewer bytes than the 200000000"), "{claim}");
        let rest = error(&npy("'<f8'", "False", "(1, 25)", &doubles([0.5; 26])));
        assert!(rest.contains("more bytes"), "{rest}");
    }

    #[test]
    fn no_bytes_make_the_reader_panic() {
        let bytes = npy("'<f8'", "False", "(1, 25)", &doubles([0.5; 25]));
        for end in 0..bytes.len() {
            assert!(read_array(&bytes[..end]).is_err());
        }
        for i in 0..100 {
            for value in [0, 255, b'9', b'(', b'\''] {
                let mut broken = bytes.clone();
                broken[i] = value;
                let _ = read_array(&broken);
                let _ = read_archive(&broken);
            }
        }
    }
}
