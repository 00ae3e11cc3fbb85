//! The surfaces of a page.

use crate::data::MeshData;
use crate::encode::isolated;
use crate::frame::Frame;
use crate::limits::MESHES;
use crate::mesh::Surface;
use crate::thin::thinned;
use crate::words::listed;

/// Bytes that a mesh keeps, however many others there are: a hundred triangles.
const FEWEST: usize = 1_500;

/// The surfaces of a page, each once; large ones are thinned.
#[derive(Debug, Default)]
pub struct Surfaces {
    kept: Vec<Surface>,
    /// The bodies that have each.
    names: Vec<Vec<String>>,
}

impl Surfaces {
    /// Adds a surface of a body, if it is new; its number.
    pub fn add(&mut self, surface: Surface, name: &str) -> usize {
        let number = self.kept.iter().position(|kept| *kept == surface).unwrap_or_else(|| {
            self.kept.push(surface);
            self.names.push(Vec::new());
            self.kept.len() - 1
        });
        self.names[number].push(name.to_string());
        number
    }

    /// One more body has the surface of this number.
    pub fn share(&mut self, number: usize, name: &str) {
        self.names[number].push(name.to_string());
    }

    /// The bytes of all, before any is thinned.
    pub fn bytes(&self) -> usize {
        self.kept.iter().map(Surface::bytes).sum()
    }

    /// The meshes as the page has them, and notes on those that are coarser than they were.
    pub fn finish(self, frame: &Frame) -> (Vec<MeshData>, Vec<String>) {
        let share = fair_share(self.kept.iter().map(Surface::bytes).collect(), MESHES);
        let share = share.max(FEWEST);
        let mut notes = Vec::new();
        let one = |(surface, names): (Surface, Vec<String>)| {
            if surface.bytes() <= share {
                return surface.data(frame, false);
            }
            let coarse = thinned(&surface, share);
            notes.push(coarser(&names, [&coarse, &surface]));
            coarse.data(frame, true)
        };
        let meshes = self.kept.into_iter().zip(self.names).map(one).collect();
        (meshes, notes)
    }
}

/// The most that each may take so that all together take at most `room`: those that need less keep
/// all, and the others have equal shares of what is left, so that a large one takes nothing from a
/// small one.
fn fair_share(mut needs: Vec<usize>, room: usize) -> usize {
    needs.sort_unstable();
    let mut left = room;
    for (number, &need) in needs.iter().enumerate() {
        let share = left / (needs.len() - number);
        if need > share {
            return share;
        }
        left -= need;
    }
    usize::MAX
}

/// What is said of bodies that are drawn with a coarser mesh than they have.
fn coarser(names: &[String], [coarse, whole]: [&Surface; 2]) -> String {
    let names: Vec<String> = names.iter().map(|name| isolated(name)).collect();
    let (are, their) = if names.len() == 1 { ("is", "its") } else { ("are each", "their") };
    format!(
        "{} {are} drawn with {} of {their} {} triangles and without edges. What is found is that of the whole mesh.",
        listed(&names),
        coarse.triangles.len(),
        whole.triangles.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_small_keeps_all_and_large_ones_share_the_rest() {
        assert_eq!(fair_share(vec![30, 20, 50], 100), usize::MAX, "all fit");
        assert_eq!(fair_share(vec![1_000_000, 20, 50], 100), 40);
        assert_eq!(fair_share(vec![10, 1_000_000, 900, 20], 100), 35);
        assert_eq!(fair_share(vec![usize::MAX; 4], 100), 25);
        assert_eq!(fair_share(Vec::new(), 100), usize::MAX);
    }
}
