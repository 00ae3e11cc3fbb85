//! Arrays of NumPy: `.npy`, and `.npz`, which is a zip archive of them.
//!
//! Nothing is allocated for what a header claims: the claim is compared with a limit, and then only
//! what is there is read. Pickled objects, which could run any program, are refused.

use std::io::{BufReader, Cursor, ErrorKind, Read};

use chasles::deform::Kind;
use zip::ZipArchive;

use super::file::{FormError, Queries, Wrong};

/// The beginning of a `.npy` file and of a zip archive.
pub(super) const NPY: &[u8] = b"\x93NUMPY";
pub(super) const ZIP: &[u8] = b"PK\x03\x04";

/// The most numbers of an array, 1.3 million queries: an archive of a few kilobytes may unpack to a
/// thousand times its size, and so many queries take 0.6 GB while they are read and timed.
const MOST_NUMBERS: usize = 1 << 25;

/// The longest header; that of an array of numbers has some 100 bytes.
const LONGEST_HEADER: usize = 1 << 16;

/// What an array is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Positions, with or without labels.
    Queries,
    /// Labels alone, which may be bytes.
    Labels,
}

/// Queries as arrays have them.
pub(super) struct Arrays {
    queries: Array,
    /// Absent if the 25th number of a query is its label.
    labels: Option<Array>,
}

impl Arrays {
    /// The queries, made of the arrays one by one.
    pub(super) fn queries(&self, kind: Kind) -> Result<Queries, Wrong> {
        let count = self.queries.shape[0];
        let columns = self.queries.columns();
        let row = |index: usize| {
            let mut row = [0.0; 25];
            for (number, column) in row.iter_mut().zip(&columns.places) {
                *number = self.queries.values[index * columns.row + column];
            }
            if let Some(labels) = &self.labels {
                row[24] = labels.values[index];
            }
            row
        };
        let rounded = self.queries.rounded + self.labels.as_ref().map_or(0, |l| l.rounded);
        Queries::new(kind, rounded, (0..count).map(row))
    }
}

/// Reads queries with their labels from a `.npy` file: an array of shape (n, 25).
pub(super) fn read_array(bytes: &[u8]) -> Result<Arrays, FormError> {
    let queries = Array::read(bytes, Role::Queries)?;
    match queries.shape[..] {
        [_, 25] => Ok(Arrays { queries, labels: None }),
        _ => Err(FormError::Array(format!(
            "the array has the shape {}, but queries with labels have (n, 25); write labels beside \
             (n, 8, 3) into an .npz file",
            queries.shown()
        ))),
    }
}

/// Reads queries from an `.npz` file: one array of shape (n, 25), or one of shape (n, 8, 3),
/// (n, 2, 4, 3) or (n, 24), and one named `labels` of n numbers.
pub(super) fn read_archive(bytes: &[u8]) -> Result<Arrays, FormError> {
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
    let mut array = |name: &str, role: Role| {
        let file = archive.by_name(name).map_err(wrong)?;
        Array::read(file, role).map_err(|error| error.of(name))
    };
    let queries = array(queries, Role::Queries)?;
    match labels.first() {
        None if matches!(queries.shape[..], [_, 25]) => Ok(Arrays { queries, labels: None }),
        None => Err(FormError::Array("the archive has no array `labels`".to_string())),
        Some(name) => labelled(queries, array(name, Role::Labels)?),
    }
}

/// Queries without labels, and the labels.
fn labelled(queries: Array, labels: Array) -> Result<Arrays, FormError> {
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
    Ok(Arrays { queries, labels: Some(labels) })
}

/// An array of numbers, in the order of the file.
struct Array {
    shape: Vec<usize>,
    /// Whether the first index runs fastest, and not the last.
    by_columns: bool,
    values: Vec<f64>,
    /// How many whole numbers no double holds.
    rounded: usize,
}

/// Where the numbers of a row are.
struct Columns {
    /// From one row to the next.
    row: usize,
    /// From the first number of a row to each.
    places: Vec<usize>,
}

impl Array {
    /// Reads number by number; the list grows with what comes, not with what is claimed.
    fn read(from: impl Read, role: Role) -> Result<Self, FormError> {
        let mut from = BufReader::new(from);
        let header = Header::read(&mut from)?;
        header.check(role)?;
        let count = header.count()?;
        let differs = |what: &str| {
            let bytes = count * header.size;
            FormError::Array(format!(
                "the array has {what} bytes than the {bytes} that its header states"
            ))
        };
        let (mut values, mut rounded, mut item) = (Vec::new(), 0, [0; 8]);
        let item = &mut item[..header.size];
        for _ in 0..count {
            from.read_exact(item).map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => differs("fewer"),
                _ => unreadable(error),
            })?;
            values.push(header.number(item, &mut rounded));
        }
        match from.read(item).map_err(unreadable)? {
            0 => Ok(Self { shape: header.shape, by_columns: header.by_columns, values, rounded }),
            _ => Err(differs("more")),
        }
    }

    fn shown(&self) -> String {
        shown(&self.shape)
    }

    /// Where the numbers of a row are. The shape has a first index.
    fn columns(&self) -> Columns {
        let (count, inner) = (self.shape[0], &self.shape[1..]);
        let length = inner.iter().product();
        if !self.by_columns {
            return Columns { row: length, places: (0..length).collect() };
        }
        let place = |mut column: usize| {
            let mut index = vec![0; inner.len()];
            for (index, &size) in index.iter_mut().zip(inner).rev() {
                *index = column % size;
                column /= size;
            }
            let from_last = index.iter().zip(inner).rev();
            count * from_last.fold(0, |place, (&index, &size)| place * size + index)
        };
        Columns { row: 1, places: (0..length).map(place).collect() }
    }
}

fn shown(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    format!("({})", sizes.join(", "))
}

fn unreadable(error: std::io::Error) -> FormError {
    FormError::Array(format!("the array cannot be read: {error}"))
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

    /// Fails on items of one byte, unless they are labels: no positions are so few numbers, and
    /// they unpack to more than others.
    fn check(&self, role: Role) -> Result<(), FormError> {
        if self.size > 1 || role == Role::Labels {
            return Ok(());
        }
        let message = "the array holds bytes, but positions must be float64 or float32";
        Err(FormError::Array(message.to_string()))
    }

    /// How many numbers there are, if that is not too many.
    fn count(&self) -> Result<usize, FormError> {
        let count = self.shape.iter().try_fold(1_usize, |n, &size| n.checked_mul(size));
        count.filter(|&count| count <= MOST_NUMBERS).ok_or_else(|| {
            let shape = shown(&self.shape);
            let message =
                format!("an array of shape {shape} has more than {MOST_NUMBERS} numbers: split it");
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
        read_array(bytes).map(|_| ()).expect_err("wrong").to_string()
    }

    /// Two queries, with labels 1 and 0.
    fn two() -> Vec<f64> {
        let query = |label: u8| (0..24).map(f64::from).chain([f64::from(label)]);
        query(1).chain(query(0)).collect()
    }

    fn queries(bytes: &[u8]) -> Queries {
        read_array(bytes).expect("an array").queries(Kind::EdgeEdge).expect("queries")
    }

    #[test]
    fn arrays_of_either_byte_order_and_index_order_are_read() {
        let values = two();
        let rows = values.as_chunks().0.iter().copied();
        let expected = Queries::new(Kind::EdgeEdge, 0, rows).expect("queries");
        assert_eq!(expected.queries.iter().map(|q| q.touches).collect::<Vec<_>>(), [true, false]);
        let read = |descr: &str, order: &str, items: &[u8]| {
            assert_eq!(queries(&npy(descr, order, "(2, 25)", items)), expected, "{descr}");
        };
        read("'<f8'", "False", &doubles(values.clone()));
        read("'>f8'", "False", &values.iter().flat_map(|x| x.to_be_bytes()).collect::<Vec<_>>());
        let single = values.iter().flat_map(|x| (*x as f32).to_le_bytes());
        read("'<f4'", "False", &single.collect::<Vec<_>>());
        let columns = doubles((0..25).flat_map(|i| [values[i], values[25 + i]]));
        read("'<f8'", "True", &columns);
        let whole = values.iter().flat_map(|x| (*x as i64).to_le_bytes());
        read("'<i8'", "False", &whole.collect::<Vec<_>>());
        let large = [i64::MIN + 1; 24].into_iter().chain([1]).flat_map(i64::to_le_bytes);
        let items: Vec<u8> = large.collect();
        assert_eq!(queries(&npy("'<i8'", "False", "(1, 25)", &items)).rounded, 24);
    }

    #[test]
    fn places_of_three_indices_are_found_in_either_order() {
        let array = |by_columns: bool| Array {
            shape: vec![2, 8, 3],
            by_columns,
            values: Vec::new(),
            rounded: 0,
        };
        let [rows, columns] = [false, true].map(|by_columns| array(by_columns).columns());
        assert_eq!((rows.row, rows.places), (24, (0..24).collect()));
        assert_eq!((columns.row, &columns.places[..4]), (1, &[0, 16, 32, 2][..]));
    }

    #[test]
    fn a_small_file_takes_no_gigabytes() {
        // Nothing is read of what is too much, so that no bytes need to be there.
        let bytes = error(&npy("'|u1'", "False", "(42949672, 25)", &[]));
        assert!(bytes.contains("the array holds bytes"), "{bytes}");
        for descr in ["'<f4'", "'<f8'", "'<i2'"] {
            let many = error(&npy(descr, "False", "(1342178, 25)", &[]));
            assert!(many.contains("more than 33554432 numbers: split it"), "{many}");
            let fewer = error(&npy(descr, "False", "(1342177, 25)", &[]));
            assert!(fewer.contains("fewer bytes"), "{fewer}");
        }
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
        assert!(claim.contains("more than 33554432 numbers"), "{claim}");
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
