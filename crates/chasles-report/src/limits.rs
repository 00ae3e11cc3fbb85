//! How much a page has: some 1.5 MB of text at most, whatever the scene.
//!
//! Numbers are text in base64, four bytes for three. As text, the parts take at most
//!
//! ```text
//! the page itself                          0.12 MB
//! stills                                   0.15 MB
//! meshes, poses, positions of sheets       0.67 MB
//! events: contacts, impacts, touches       0.40 MB
//! curves of screens, screws of parts       0.20 MB
//! ```
//!
//! Names of bodies come on top, and some 200 bytes for each body. What does not fit is made coarser
//! or left out, and the page says so.

/// Bytes of all that is drawn in space: meshes, poses, and positions of sheets.
const DRAWN: usize = 500_000;

/// Those of meshes; poses take what meshes leave.
pub const MESHES: usize = 340_000;

/// Bytes of a pose: seven singles.
pub const POSE: usize = 28;

/// Rows of the table: a table of more is not read, and each takes some 130 bytes.
pub const EVENTS: usize = 3_000;

/// Pairs that may be chosen.
pub const PAIRS: usize = 100;

/// Bytes of the curves of all screens.
pub const CURVES: usize = 120_000;

/// Screws that are listed, over all pairs.
pub const AXES: usize = 256;

/// Bytes of stills, as text.
pub const STILLS: usize = 150_000;

/// How many frames fit beside meshes of so many bytes if each frame takes `bytes`; at least two.
pub fn frames(meshes: usize, bytes: usize) -> usize {
    ((DRAWN - meshes.min(MESHES)) / bytes.max(1)).max(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_take_what_meshes_leave() {
        assert_eq!(frames(0, DRAWN / 4), 4);
        assert_eq!(frames(usize::MAX, DRAWN - MESHES), 2);
        assert_eq!(frames(0, usize::MAX), 2, "a beginning and an end");
        assert_eq!(frames(0, 0), DRAWN);
    }
}
