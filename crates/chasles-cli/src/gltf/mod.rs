//! Bodies that move as an animated GLB file, which viewers and 3D programs play.
//!
//! ```text
//! header | JSON: scene, nodes, meshes, materials, animation | binary: times, tracks, meshes
//! ```
//!
//! Each body is a node at its first pose, with a mesh that it may share; those that move have a
//! channel for their position and one for their rotation, with a key for each frame. One that
//! deforms has a second shape, and a channel for its share of that. All numbers of the binary part
//! are four bytes, so everything in it is aligned.

mod document;
mod film;
mod stage;
pub(crate) mod step;
mod surface;

use std::io::{self, Write};

use chasles::glam::DVec3;
use miette::Diagnostic;
use thiserror::Error;

use document::Document;
pub use film::{Film, Track};
pub(crate) use stage::{Node, Part, Stage};
use surface::Surface;

/// What the JSON takes for each body and mesh at most, but for their names.
const WORDS: usize = 2048;

/// A body that a film cannot show.
#[derive(Debug, Error, Diagnostic)]
#[error(
    "the film cannot show {0:?}, which is farther from the origin than single precision reaches"
)]
#[diagnostic(help(
    "move the body to within 1e38 of the origin, or write the scene in larger units"
))]
pub(crate) struct TooFar(String);

impl Stage<'_> {
    /// The bytes of a GLB file, or somewhat more: lengths in it are of 32 bits.
    pub(crate) fn size_bound(&self, frames: usize, moving: usize) -> usize {
        let names: usize = self.nodes.iter().map(|node| node.name.len()).sum();
        let words = WORDS * (self.nodes.len() + 1) + 6 * names;
        let meshes: usize = self.parts.iter().map(Surface::size_bound).sum();
        let weights = 4 * self.parts.iter().filter(|part| part.shifts.is_some()).count();
        frames.saturating_mul(4 + 28 * moving + weights).saturating_add(words + meshes)
    }

    /// Fails on a body that is farther away than singles reach.
    pub(crate) fn check(&self, film: &Film) -> Result<(), TooFar> {
        let is_far = |place: &DVec3| !place.as_vec3().is_finite();
        let is_large = |part: &Part| {
            part.mesh.positions().iter().chain(part.shifts.iter().flatten()).any(is_far)
        };
        let goes_far =
            |track: &&Track| track.positions.as_flattened().iter().any(|x| !x.is_finite());
        let far = film.tracks.iter().find(goes_far).map(|track| track.body);
        let stands =
            |node: &Node| is_far(&node.pose.position()) || is_large(&self.parts[node.part]);
        match far.or_else(|| self.nodes.iter().position(stands)) {
            Some(body) => Err(TooFar(crate::words::plain(self.nodes[body].name))),
            None => Ok(()),
        }
    }

    /// Writes a film of the bodies, which are [near enough](Stage::check).
    ///
    /// *Fails* where `out` does.
    pub(crate) fn write(&self, film: &Film, out: &mut dyn Write) -> io::Result<()> {
        let surfaces: Vec<Surface> = self.parts.iter().map(Surface::new).collect();
        let mut document = Document::default();
        document.animate(self, film);
        document.shapes(self, &surfaces);
        let mut text = document.finish(self).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        out.write_all(b"glTF")?;
        let length = document.length();
        words(&[2, 12 + 8 + text.len() + 8 + length, text.len()], out)?;
        out.write_all(b"JSON")?;
        out.write_all(&text)?;
        words(&[length], out)?;
        out.write_all(b"BIN\0")?;
        self.write_numbers(film, &surfaces, out)
    }

    /// The binary part, in the order in which the document has it.
    fn write_numbers(
        &self,
        film: &Film,
        surfaces: &[Surface],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        floats(&film.times, out)?;
        for Track { positions, rotations, .. } in &film.tracks {
            floats(positions.as_flattened(), out)?;
            floats(rotations.as_flattened(), out)?;
        }
        for _ in self.deforming() {
            floats(&shares(film), out)?;
        }
        for surface in surfaces {
            floats(surface.positions.as_flattened(), out)?;
            surface.corners.iter().try_for_each(|corner| out.write_all(&corner.to_le_bytes()))?;
            floats(surface.shifts.as_flattened(), out)?;
        }
        Ok(())
    }
}

/// How far the film is at each frame.
fn shares(film: &Film) -> Vec<f32> {
    let end = film.times.last().copied().unwrap_or(1.0).max(f32::MIN_POSITIVE);
    film.times.iter().map(|time| time / end).collect()
}

fn words(numbers: &[usize], out: &mut dyn Write) -> io::Result<()> {
    numbers.iter().try_for_each(|&number| {
        let word = u32::try_from(number).map_err(io::Error::other)?;
        out.write_all(&word.to_le_bytes())
    })
}

fn floats(numbers: &[f32], out: &mut dyn Write) -> io::Result<()> {
    numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}
