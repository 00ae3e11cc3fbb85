//! Elements of XML that know where they stand.

use std::path::Path;

use chasles::glam::{DQuat, DVec3};
use roxmltree::{Document, Node, ParsingOptions};

use crate::error::RobotError;

/// The longest text that is read, in bytes: far beyond any robot's.
pub(crate) const MOST_BYTES: u64 = 1 << 25;

/// The most nodes of a text.
const MOST_NODES: u32 = 1 << 20;

/// The largest number that a robot's file may have: lengths in metres and angles in radians.
const LARGEST: f64 = 1e6;

/// Parses a text. Documents with a type definition are refused, and with it all entities.
pub(crate) fn parse<'t>(text: &'t str, path: &Path) -> Result<Document<'t>, RobotError> {
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..Default::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        let what = match error {
            roxmltree::Error::DtdDetected => {
                "a document type definition (<!DOCTYPE ..>) is not read: write the file without"
                    .into()
            }
            other => format!("not well-formed XML: {other}"),
        };
        RobotError::Text { path: path.to_owned(), line: place.row, column: place.col, what }
    })
}

/// Reads a text file of bounded size.
pub(crate) fn read(path: &Path) -> Result<String, RobotError> {
    let failed = |reason: String| RobotError::File { path: path.to_owned(), reason };
    check_size(path, MOST_BYTES).map_err(failed)?;
    std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))
}

/// Refuses what is no file, such as a device that never ends, and files that are too large.
pub(crate) fn check_size(path: &Path, most: u64) -> Result<(), String> {
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is no file".into());
    }
    match about.len() {
        size if size > most => Err(format!("it has {size} bytes; at most {most} are read")),
        _ => Ok(()),
    }
}

/// An element, with the file that it is in.
#[derive(Clone, Copy)]
pub(crate) struct Element<'d> {
    node: Node<'d, 'd>,
    path: &'d Path,
}

impl<'d> Element<'d> {
    /// The root of a document, which must have this name.
    pub(crate) fn root(
        document: &'d Document<'d>,
        path: &'d Path,
        name: &str,
    ) -> Result<Self, RobotError> {
        let root = Self { node: document.root_element(), path };
        if root.name() == name {
            Ok(root)
        } else {
            Err(root.error(format!("the root is <{}>; it should be <{name}>", root.name())))
        }
    }

    pub(crate) fn name(&self) -> &'d str {
        self.node.tag_name().name()
    }

    /// Whether it is one of xacro, by its namespace.
    pub(crate) fn is_macro(&self) -> bool {
        self.node.tag_name().namespace().is_some_and(|space| space.contains("xacro"))
    }

    /// An error at the beginning of the element.
    pub(crate) fn error(&self, what: impl Into<String>) -> RobotError {
        let place = self.node.document().text_pos_at(self.node.range().start);
        let (line, column) = (place.row, place.col);
        RobotError::Text { path: self.path.to_owned(), line, column, what: what.into() }
    }

    /// All elements in it, however deep.
    pub(crate) fn descendants(self) -> impl Iterator<Item = Self> {
        let path = self.path;
        self.node.descendants().filter(Node::is_element).map(move |node| Self { node, path })
    }

    /// All elements in it.
    pub(crate) fn elements(self) -> impl Iterator<Item = Self> {
        let path = self.path;
        self.node.children().filter(Node::is_element).map(move |node| Self { node, path })
    }

    /// All elements in it of one name.
    pub(crate) fn all(self, name: &str) -> impl Iterator<Item = Self> {
        self.elements().filter(move |element| element.name() == name)
    }

    /// The element in it of that name, if there is one.
    pub(crate) fn child(self, name: &str) -> Result<Option<Self>, RobotError> {
        let mut found = self.all(name);
        match (found.next(), found.next()) {
            (_, Some(second)) => {
                Err(second.error(format!("a second <{name}> in <{}>", self.name())))
            }
            (first, None) => Ok(first),
        }
    }

    /// The element in it of that name.
    pub(crate) fn needed_child(self, name: &str) -> Result<Self, RobotError> {
        let missing = || self.error(format!("<{}> needs a <{name}>", self.name()));
        self.child(name)?.ok_or_else(missing)
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&'d str> {
        self.node.attribute(name)
    }

    pub(crate) fn needed(&self, name: &str) -> Result<&'d str, RobotError> {
        match self.attribute(name).map(str::trim) {
            Some(text) if !text.is_empty() => Ok(text),
            _ => Err(self.error(format!("<{}> needs the attribute `{name}`", self.name()))),
        }
    }

    /// A number, if the attribute is there.
    pub(crate) fn number(&self, name: &str) -> Result<Option<f64>, RobotError> {
        self.attribute(name).map(|text| self.read_number(name, text)).transpose()
    }

    pub(crate) fn needed_number(&self, name: &str) -> Result<f64, RobotError> {
        self.read_number(name, self.needed(name)?)
    }

    /// A limit, if the attribute is there: any number, also one that stands for none.
    pub(crate) fn limit(&self, name: &str) -> Result<Option<f64>, RobotError> {
        let Some(text) = self.attribute(name) else { return Ok(None) };
        match text.trim().parse::<f64>() {
            Ok(value) if !value.is_nan() => Ok(Some(value)),
            _ => Err(self.error(format!("`{name}` is {text:?}: it should be a number"))),
        }
    }

    /// A length that is not 0.
    pub(crate) fn length(&self, name: &str) -> Result<f64, RobotError> {
        let length = self.needed_number(name)?;
        if length > 0.0 {
            Ok(length)
        } else {
            Err(self.error(format!("`{name}` is {length}: it should be more than 0")))
        }
    }

    /// Three numbers, if the attribute is there.
    pub(crate) fn triple(&self, name: &str) -> Result<Option<DVec3>, RobotError> {
        let Some(text) = self.attribute(name) else { return Ok(None) };
        let mut words = text.split_whitespace();
        let mut next = || {
            let word = words.next().ok_or_else(|| {
                self.error(format!("`{name}` is {text:?}: it should be three numbers"))
            })?;
            self.read_number(name, word)
        };
        let value = DVec3::new(next()?, next()?, next()?);
        if words.next().is_some() {
            return Err(self.error(format!("`{name}` is {text:?}: it should be three numbers")));
        }
        Ok(Some(value))
    }

    /// The pose of its <origin>; the identity without one. `rpy` are turns about the fixed axes x,
    /// y and z, in this order.
    pub(crate) fn origin(self) -> Result<(DVec3, DQuat), RobotError> {
        let Some(origin) = self.child("origin")? else {
            return Ok((DVec3::ZERO, DQuat::IDENTITY));
        };
        let [xyz, rpy] = ["xyz", "rpy"].map(|name| origin.triple(name));
        let turns = rpy?.unwrap_or_default();
        let turn = DQuat::from_rotation_z(turns.z)
            * DQuat::from_rotation_y(turns.y)
            * DQuat::from_rotation_x(turns.x);
        Ok((xyz?.unwrap_or_default(), turn.normalize()))
    }

    fn read_number(&self, name: &str, text: &str) -> Result<f64, RobotError> {
        match text.trim().parse::<f64>() {
            Ok(value) if value.abs() <= LARGEST => Ok(value),
            Ok(value) => Err(self.error(format!(
                "`{name}` is {value}: it should be finite and at most {LARGEST:e}"
            ))),
            Err(_) => Err(self.error(format!("`{name}` is {text:?}: it should be a number"))),
        }
    }
}
