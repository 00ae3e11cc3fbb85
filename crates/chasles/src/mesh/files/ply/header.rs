//! The header: which elements there are, with which properties, in which encoding.

use super::super::error::{ParseError, Problem};
use super::super::text::{Line, Words, lines, shown};
use super::values::{Encoding, Source};

/// What an element stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Vertex,
    Face,
    Edge,
    Strips,
    Other,
}

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// A property: one number, or a list with its length before it.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) scalar: Scalar,
    pub(super) length: Option<Scalar>,
}

/// A block of rows with the same properties.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
}

impl Element {
    /// The position of the first property with one of the names.
    pub(super) fn position(&self, names: &[&str]) -> Option<usize> {
        self.properties.iter().position(|property| names.contains(&property.name.as_str()))
    }
}

/// All elements in the order of the file.
pub(super) struct Header {
    pub(super) elements: Vec<Element>,
}

impl Header {
    /// Reads up to `end_header`, and returns what follows as a source of values.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, Source<'_>), ParseError> {
        let mut elements = Vec::new();
        let mut encoding = None;
        let mut offset = 0;
        for line in lines(bytes) {
            offset += line.bytes.len() + 1;
            if line.number == 1 {
                expect_ply(line)?;
                continue;
            }
            // Comments may be in any encoding.
            let skipped: [&[u8]; 2] = [b"comment", b"obj_info"];
            if line.is_blank() || skipped.iter().any(|start| line.bytes.starts_with(start)) {
                continue;
            }
            let mut words = line.words()?;
            match words.next() {
                Some("format") => encoding = Some(format(&mut words)?),
                Some("element") => elements.push(element(&mut words)?),
                Some("property") => {
                    let property = property(&mut words)?;
                    let missing = || line.error(Problem::Missing { wanted: "an `element` before" });
                    elements.last_mut().ok_or_else(missing)?.properties.push(property);
                }
                Some("end_header") => {
                    let missing = || line.error(Problem::Missing { wanted: "the `format` line" });
                    let encoding = encoding.ok_or_else(missing)?;
                    let source = Source::new(bytes, offset, line.number, encoding);
                    return Ok((Self { elements }, source));
                }
                word => {
                    let found = shown(word.unwrap_or_default());
                    let wanted = "`element`, `property`, `comment` or `end_header`";
                    return Err(line.error(Problem::Unexpected { found, wanted }));
                }
            }
        }
        Err(ParseError::whole(Problem::Truncated { wanted: "`end_header`".to_owned() }))
    }
}

fn expect_ply(line: Line) -> Result<(), ParseError> {
    if line.bytes.trim_ascii() == b"ply" {
        return Ok(());
    }
    let found = shown(&String::from_utf8_lossy(line.bytes.trim_ascii()));
    Err(line.error(Problem::Unexpected { found, wanted: "`ply`" }))
}

fn format(words: &mut Words) -> Result<Encoding, ParseError> {
    let wanted = "`ascii`, `binary_little_endian` or `binary_big_endian`";
    match words.word(wanted)? {
        "ascii" => Ok(Encoding::Text),
        "binary_little_endian" => Ok(Encoding::LittleEndian),
        "binary_big_endian" => Ok(Encoding::BigEndian),
        found => Err(words.error(Problem::Unexpected { found: shown(found), wanted })),
    }
}

fn element(words: &mut Words) -> Result<Element, ParseError> {
    let name = words.word("the name of the element")?;
    let kind = match name {
        "vertex" => Kind::Vertex,
        "face" => Kind::Face,
        "edge" => Kind::Edge,
        "tristrips" => Kind::Strips,
        _ => Kind::Other,
    };
    let count = words.count("the number of elements")?;
    Ok(Element { kind, name: name.to_owned(), count, properties: Vec::new() })
}

fn property(words: &mut Words) -> Result<Property, ParseError> {
    let wanted = "a type such as `float`, `double`, `int` or `uchar`";
    let scalar = |words: &mut Words, word: &str| {
        let unknown = Problem::Unexpected { found: shown(word), wanted };
        Scalar::named(word).ok_or_else(|| words.error(unknown))
    };
    let first = words.word(wanted)?;
    let length = match first {
        "list" => {
            let word = words.word(wanted)?;
            Some(scalar(words, word)?)
        }
        _ => None,
    };
    let word = if length.is_some() { words.word(wanted)? } else { first };
    let scalar = scalar(words, word)?;
    let name = words.word("the name of the property")?.to_owned();
    Ok(Property { name, scalar, length })
}
