//! What all methods say of a scene.

use super::matching::Against;
use crate::results::{Missed, Timing};

/// What all methods say of a scene.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The name of the scene.
    pub title: String,
    /// How many bodies and pairs it has.
    pub bodies: usize,
    /// Without any pair there are no rows.
    pub pairs: usize,
    /// A row for each method that takes the scene.
    pub rows: Vec<Row>,
    /// The other methods.
    pub refused: Vec<Refused>,
}

/// What one method says.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name of the method.
    pub method: &'static str,
    /// Its options in words.
    pub options: String,
    /// How long it took.
    pub timing: Timing,
    /// When its contacts are, sorted.
    pub times: Vec<f64>,
    /// What is sought of the exact method, and what is matched with what; one to one.
    pub matched: &'static str,
    /// How deep points may be in another body unnoticed; none unless the method samples.
    pub missed: Option<Missed>,
    /// How that compares with the exact method; absent for that method itself, and where it does
    /// not take the scene.
    pub against: Option<Against>,
}

/// A method that does not take the scene.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The name of the method.
    pub method: &'static str,
    /// What it does not take.
    pub reason: String,
}
