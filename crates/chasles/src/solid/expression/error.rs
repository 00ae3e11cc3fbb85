//! Why a text is not a formula, and where.

use std::fmt;

use thiserror::Error;

use super::parse::{MAX_DEPTH, MAX_LENGTH, functions};

/// A text that is not a formula: where it stops being one, and what would be right there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct ParseError {
    /// The byte of the character that is wrong, from 0; the length of the text if that ends early.
    pub byte: usize,
    /// The line of that character, from 1.
    pub line: usize,
    /// How many characters of its line come before it, plus 1.
    pub column: usize,
    /// What is wrong.
    pub kind: ParseErrorKind,
}

/// What is wrong with a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// A character that cannot stand here, or the end.
    Unexpected {
        /// It, or none at the end.
        found: Option<char>,
        /// What could.
        expected: Expected,
    },
    /// A name that is neither a variable nor a constant nor a function.
    UnknownName {
        /// It.
        name: String,
    },
    /// A function with too few or too many arguments.
    Arguments {
        /// Its name.
        name: String,
        /// How many there are.
        found: usize,
        /// The least and the largest number of them.
        expected: [usize; 2],
    },
    /// A number without digits, or beyond the largest double.
    Number {
        /// It.
        written: String,
    },
    /// Nested deeper than [`Expression::MAX_DEPTH`](super::Expression::MAX_DEPTH).
    TooDeep,
    /// Longer than [`Expression::MAX_LENGTH`](super::Expression::MAX_LENGTH).
    TooLong {
        /// In bytes.
        length: usize,
    },
}

/// What could stand where something else does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A number, a name or a parenthesis.
    Operand,
    /// One of `+ - * / ^`, or the end.
    Operator,
    /// The parenthesis after the name of a function.
    Opening,
    /// An operator or the parenthesis that closes.
    Closing,
    /// An operator, a comma, or the parenthesis that closes.
    ArgumentEnd,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Operand => "a number, x, y, z, pi, tau, e, a function or '('",
            Self::Operator => "an operator (+ - * / ^) or the end",
            Self::Opening => "'(' after the name of a function",
            Self::Closing => "an operator (+ - * / ^) or ')'",
            Self::ArgumentEnd => "an operator (+ - * / ^), ',' or ')'",
        })
    }
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected { found: Some(found), expected } => {
                write!(f, "expected {expected}, found {found:?}")
            }
            Self::Unexpected { found: None, expected } => {
                write!(f, "expected {expected}, found the end")
            }
            Self::UnknownName { name } => {
                let known: Vec<&str> = functions().collect();
                write!(f, "{name:?} is not known; expected x, y, z, pi, tau, e or a function: ")?;
                f.write_str(&known.join(" "))
            }
            Self::Arguments { name, found, expected: [least, most] } => {
                let or_more = if least == most { "" } else { " or more" };
                let plural = if *most == 1 { "" } else { "s" };
                write!(f, "{name} takes {least}{or_more} argument{plural}, found {found}")
            }
            Self::Number { written } => {
                write!(f, "expected a finite number with digits, found {written:?}")
            }
            Self::TooDeep => write!(f, "nested too deeply; expected at most {MAX_DEPTH} levels"),
            Self::TooLong { length } => {
                write!(f, "the formula has {length} bytes; expected at most {MAX_LENGTH}")
            }
        }
    }
}

impl ParseError {
    pub(super) fn new(text: &str, byte: usize, kind: ParseErrorKind) -> Self {
        let before = &text[..byte];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = 1 + before.matches('\n').count();
        Self { byte, line, column: 1 + before[line_start..].chars().count(), kind }
    }

    /// The line of the text that is wrong, and below it a mark under the character.
    ///
    /// *Accepts* the text that was parsed; any other gives some line of it. *Guarantees* two lines,
    /// the mark in the column of the character. *Cost* linear in the text. *Fails* never.
    pub fn marked(&self, text: &str) -> String {
        let line = text.lines().nth(self.line - 1).unwrap_or("");
        format!("{line}\n{}^", " ".repeat(self.column.saturating_sub(1)))
    }
}
