//! The zone around a lone segment, for corners of the world.
//!
//! A segment that moves in the plane of a sheet meets its border at a corner, or along an edge that
//! is parallel to it, and none of the edges that it crosses comes closer on the way. So corners are
//! asked about segments too, as they are about faces: four panels without width around a segment
//! are the sides of a square tube.
//!
//! ```text
//!    ________
//!   |＼ cell／|   the cells of the four sides; each side looks outward
//!   |  ＼ ／  |
//!   |  ／ ＼  |   every point of the tube is nearer than the thickness: what rests
//!   |／_____＼|   a thickness above corners of one height gets past them
//! ```

use glam::DVec3;

use super::model::Panel;
use super::zone::Cells;

/// Half of the width of a tube, in thicknesses: a little below the square root of a half.
const HALF_WIDTH: f64 = 0.7;

/// Adds four panels for each lone segment, under the numbers of parts after those of the faces.
pub(super) fn add_tubes(cells: &mut Cells) {
    let mesh = cells.mesh;
    let lone = (0..mesh.edge_count() as u32).filter(|&edge| mesh.edge_sides(edge).is_empty());
    for (part, edge) in (mesh.face_count() as u32..).zip(lone) {
        let [start, end] = mesh.edge(edge).map(|v| mesh.position(v));
        let along = (end - start).normalize();
        let (u, v) = along.any_orthonormal_pair();
        for (normal, aside) in [(u, v), (v, -u), (-u, -v), (-v, u)] {
            let first_bound = cells.bounds.len() as u32;
            cells.add_bound((normal + aside).normalize(), DVec3::ZERO, 0.0);
            cells.add_bound((normal - aside).normalize(), DVec3::ZERO, 0.0);
            cells.add_bound(along, DVec3::ZERO, 0.0);
            cells.add_bound(-along, end - start, 0.0);
            let end_bound = cells.bounds.len() as u32;
            cells.panels.push(Panel {
                face: part,
                normal,
                point: start,
                rise: HALF_WIDTH,
                is_sheet: false,
                first_bound,
                end_bound,
            });
        }
        cells.face_panels.push(cells.panels.len() as u32);
    }
}
