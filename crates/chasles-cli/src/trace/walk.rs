//! The moves of a walk for eyes: a row for as many as have the same leg, ground and wall.

use std::io::{self, Write};

use chasles::trace::Touch;
use chasles_scene::{Fixed, Move};

use crate::words::{plain, plural, point};

/// Rows shown at most: more than the legs of a run through a level, steps of its stairs included.
const MOST_ROWS: usize = 40;

/// What is the same in all moves of a row.
type Key = (usize, Option<u32>, Option<u32>);

/// Writes the moves, those that are alike together.
pub(super) fn write(fixed: &[Fixed], moves: &[Move], out: &mut dyn Write) -> io::Result<()> {
    let rows = rows(fixed, moves);
    let head = ["leg", "moves", "to", "on", "meets"].map(String::from);
    let shown = || std::iter::once(&head).chain(rows.iter().take(MOST_ROWS));
    let mut widths = [0; 5];
    for (column, width) in widths.iter_mut().enumerate() {
        *width = shown().map(|row| row[column].chars().count()).max().unwrap_or(0);
    }
    writeln!(out)?;
    for row in shown() {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        writeln!(out, "  {}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    match rows.len().checked_sub(MOST_ROWS) {
        Some(more @ 1..) => writeln!(out, "  ... and {more} more"),
        _ => Ok(()),
    }
}

/// How many moves there are, and how many end on the ground.
pub(super) fn count(moves: &[Move]) -> String {
    let grounded = moves.iter().filter(|one| one.walk.ground.is_some()).count();
    format!("{}, {grounded} of them on the ground", plural(moves.len(), "move"))
}

fn rows(fixed: &[Fixed], moves: &[Move]) -> Vec<[String; 5]> {
    let mut first = 1;
    let row = |alike: &[Move]| {
        let last = first + alike.len() - 1;
        let numbers = if first == last { format!("{first}") } else { format!("{first}-{last}") };
        first = last + 1;
        let Move { leg, walk } = &alike[alike.len() - 1];
        let name = |touch: &Touch| plain(&fixed[touch.fixture as usize].name);
        let ground = walk.ground.as_ref().map_or_else(|| "air".to_string(), name);
        let wall = walk.wall.as_ref().map(name).unwrap_or_default();
        [(leg + 1).to_string(), numbers, point(walk.end.position()), ground, wall]
    };
    moves.chunk_by(|p, q| key(p) == key(q)).map(row).collect()
}

fn key(Move { leg, walk }: &Move) -> Key {
    let whose = |touch: &Option<Touch>| touch.as_ref().map(|touch| touch.fixture);
    (*leg, whose(&walk.ground), whose(&walk.wall))
}
