//! Files of labelled queries: pairs, and whether they touch.
//!
//! A query is 25 doubles, lowest byte first: x, y and z of four vertices at the start, the same at
//! the end, and 1 if they touch or 0 if not. A file holds queries of one kind, which its name
//! tells: `.vf.` for a vertex and a triangle, `.ee.` for two edges.

use glam::DVec3;
use thiserror::Error;

use super::pair::{Kind, Pair, PositionError};

/// A pair and whether it touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Labelled {
    /// The pair.
    pub pair: Pair,
    /// Whether it touches at some time.
    pub touches: bool,
}

/// What is wrong with a file of queries.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LabelledError {
    /// The name does not tell the kind.
    #[error("the name has neither `.vf.` (vertex and triangle) nor `.ee.` (two edges) in it")]
    Kind,
    /// The name tells two kinds.
    #[error("the name has both `.vf.` (vertex and triangle) and `.ee.` (two edges) in it")]
    TwoKinds,
    /// The file ends within a query.
    #[error("{length} bytes are not whole queries of {QUERY} bytes: {rest} left over")]
    Length {
        /// The length of the file.
        length: usize,
        /// What is left over.
        rest: usize,
    },
    /// A position that is not finite.
    #[error("query {index}: {error}")]
    Position {
        /// The query, from 0.
        index: usize,
        /// What is wrong.
        error: PositionError,
    },
    /// A label that is neither 0 nor 1.
    #[error("query {index}: the label is {label:?}; it must be 1 (they touch) or 0 (they do not)")]
    Label {
        /// The query, from 0.
        index: usize,
        /// The label.
        label: f64,
    },
}

/// Doubles in a query, and bytes.
const NUMBERS: usize = 25;
const QUERY: usize = 8 * NUMBERS;

impl Kind {
    /// The kind that the name of a file of queries tells.
    ///
    /// *Accepts* any name. *Fails* if neither `.vf.` nor `.ee.` is in it, or both are.
    pub fn of_file(name: &str) -> Result<Self, LabelledError> {
        match [".vf.", ".ee."].map(|kind| name.contains(kind)) {
            [true, false] => Ok(Self::VertexTriangle),
            [false, true] => Ok(Self::EdgeEdge),
            [false, false] => Err(LabelledError::Kind),
            [true, true] => Err(LabelledError::TwoKinds),
        }
    }
}

/// Reads the queries of a file.
///
/// *Accepts* the bytes of the file. *Guarantees* all queries in order. *Cost* linear. *Fails* on
/// a part of a query, on numbers that are not finite and on other labels than 0 and 1.
pub fn labelled(kind: Kind, bytes: &[u8]) -> Result<Vec<Labelled>, LabelledError> {
    let rest = bytes.len() % QUERY;
    if rest != 0 {
        return Err(LabelledError::Length { length: bytes.len(), rest });
    }
    bytes.chunks_exact(QUERY).enumerate().map(|(index, query)| one(kind, index, query)).collect()
}

fn one(kind: Kind, index: usize, query: &[u8]) -> Result<Labelled, LabelledError> {
    let mut numbers = [0.0; NUMBERS];
    for (number, bytes) in numbers.iter_mut().zip(query.as_chunks().0) {
        *number = f64::from_le_bytes(*bytes);
    }
    Labelled::from_numbers(kind, index, &numbers)
}

impl Labelled {
    /// The query of 25 numbers: x, y and z of four vertices at the start and at the end, and the
    /// label. `index` is its number, for errors.
    ///
    /// *Accepts* any numbers. *Cost* none. *Fails* on positions that are not finite and on other
    /// labels than 0 and 1.
    pub fn from_numbers(
        kind: Kind,
        index: usize,
        numbers: &[f64; 25],
    ) -> Result<Self, LabelledError> {
        let vertex = |i: usize| DVec3::from_slice(&numbers[3 * i..]);
        let ends = [[0, 1, 2, 3], [4, 5, 6, 7]].map(|end| end.map(vertex));
        let pair =
            Pair::new(kind, ends).map_err(|error| LabelledError::Position { index, error })?;
        match numbers[NUMBERS - 1] {
            0.0 => Ok(Self { pair, touches: false }),
            1.0 => Ok(Self { pair, touches: true }),
            label => Err(LabelledError::Label { index, label }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(numbers: &[f64]) -> Vec<u8> {
        numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
    }

    #[test]
    fn queries_are_read_in_order_and_faults_are_named() {
        let mut numbers = [0.5; 50];
        [numbers[24], numbers[49]] = [1.0, 0.0];
        let read = labelled(Kind::EdgeEdge, &bytes(&numbers)).expect("two queries");
        assert_eq!(read.iter().map(|q| q.touches).collect::<Vec<_>>(), [true, false]);
        assert!(read[0].pair.touches());
        numbers[49] = 2.0;
        let fault = labelled(Kind::EdgeEdge, &bytes(&numbers)).expect_err("a wrong label");
        assert_eq!(fault, LabelledError::Label { index: 1, label: 2.0 });
        // Bytes of something else are small numbers, which three hundred zeros would not tell.
        numbers[49] = 1e-300;
        let fault = labelled(Kind::EdgeEdge, &bytes(&numbers)).expect_err("a wrong label");
        assert!(fault.to_string().contains("the label is 1e-300;"), "{fault}");
        numbers[3] = f64::NAN;
        let fault = labelled(Kind::EdgeEdge, &bytes(&numbers)).expect_err("not a number");
        assert!(fault.to_string().starts_with("query 0: vertex 1 is at"), "{fault}");
        let fault = labelled(Kind::EdgeEdge, &[0; 208]).expect_err("a part of a query");
        assert_eq!(fault, LabelledError::Length { length: 208, rest: 8 });
        assert_eq!(Kind::of_file("rod.vf.bin"), Ok(Kind::VertexTriangle));
        assert_eq!(Kind::of_file("rod.ee.bin"), Ok(Kind::EdgeEdge));
        assert_eq!(Kind::of_file("rod.bin"), Err(LabelledError::Kind));
        assert_eq!(Kind::of_file("rod.ee.vf.bin"), Err(LabelledError::TwoKinds));
    }
}
