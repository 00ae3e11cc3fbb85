//! The point of a height field's surface nearest to a point.
//!
//! The surface is the triangles above, the floor, and the walls. The rim of a wall belongs to
//! triangles, to the floor and to its upright edges, so besides those only its inside counts, where
//! a point is across from it.

use glam::{DVec2, DVec3};

use super::HeightField;
use super::tiles::Tile;

/// The nearest point so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// The square of its distance.
    pub(super) sq: f64,
    /// From there to the point.
    pub(super) arm: DVec3,
    /// The outward normal, where it is inside a flat piece.
    pub(super) normal: Option<DVec3>,
}

impl Near {
    pub(super) fn new(field: &HeightField, point: DVec3) -> Self {
        let mut near = Self { sq: f64::INFINITY, arm: DVec3::Y, normal: None };
        near.floor(field, point);
        near.walls(field, point);
        // The cell below is likely the nearest; what it says spares the rest.
        near.cell(field, point, field.cell(field.in_cells(point)));
        near.tile(field, point, field.tiles.top());
        near
    }

    #[inline]
    fn add(&mut self, arm: DVec3, normal: Option<DVec3>) {
        let sq = arm.length_squared();
        if sq < self.sq {
            *self = Self { sq, arm, normal };
        }
    }

    fn floor(&mut self, field: &HeightField, point: DVec3) {
        let [low, high] = [field.low, field.high.with_y(field.floor)];
        let nearest = point.clamp(low, high);
        let is_across = nearest.x == point.x && nearest.z == point.z;
        self.add(point - nearest, is_across.then_some(DVec3::NEG_Y));
    }

    fn walls(&mut self, field: &HeightField, point: DVec3) {
        for (axis, other) in [(0, 2), (2, 0)] {
            for (side, sign) in [(field.low, -1.0), (field.high, 1.0)] {
                // The coordinate itself, so that rounding does not put the point off the wall.
                let mut on_wall = point;
                on_wall[axis] = side[axis];
                if field.contains(on_wall) {
                    self.add(point - on_wall, Some(sign * DVec3::AXES[axis]));
                }
                for end in [field.low, field.high] {
                    // Each upright edge is met twice, once for each axis.
                    on_wall[other] = end[other];
                    self.upright(field, point, on_wall);
                }
            }
        }
    }

    fn upright(&mut self, field: &HeightField, point: DVec3, foot: DVec3) {
        let place = field.in_cells(foot);
        let top = field.height_by(place, place);
        self.add(point - foot.with_y(point.y.clamp(field.floor, top)), None);
    }

    /// Opens the boxes that are nearer than the best so far, the nearest first.
    fn tile(&mut self, field: &HeightField, point: DVec3, tile: Tile) {
        if tile.level == 0 {
            self.cell(field, point, tile.at);
            return;
        }
        let mut parts = [(f64::INFINITY, tile); 4];
        for (slot, part) in parts.iter_mut().zip(field.tiles.parts(tile)) {
            *slot = (away_sq(field, point, part), part);
        }
        parts.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (away_sq, part) in parts {
            if away_sq < self.sq {
                self.tile(field, point, part);
            }
        }
    }

    /// The two triangles of a cell.
    fn cell(&mut self, field: &HeightField, point: DVec3, [i, j]: [usize; 2]) {
        let [low, high] = [field.vertex(i, j), field.vertex(i + 1, j + 1)];
        self.triangle(point, [low, high, field.vertex(i + 1, j)]);
        self.triangle(point, [low, field.vertex(i, j + 1), high]);
    }

    /// A triangle that is counter-clockwise seen from above.
    ///
    /// The point is across from it if it lies on the inner side of the three planes through its
    /// edges along its normal; otherwise an edge is the nearest.
    fn triangle(&mut self, point: DVec3, corners: [DVec3; 3]) {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize();
        let is_inside = |p: DVec3, q: DVec3| normal.cross(q - p).dot(point - p) >= 0.0;
        if is_inside(a, b) && is_inside(b, c) && is_inside(c, a) {
            self.add(normal * normal.dot(point - a), Some(normal));
            return;
        }
        for [p, q] in [[a, b], [b, c], [c, a]] {
            let edge = q - p;
            let along = (edge.dot(point - p) / edge.length_squared()).clamp(0.0, 1.0);
            self.add(point - p - edge * along, None);
        }
    }
}

/// The square of the distance of a point from the box of a tile.
fn away_sq(field: &HeightField, point: DVec3, tile: Tile) -> f64 {
    let [first, end] = tile.cells();
    let place = |cell: [usize; 2]| DVec2::new(cell[0] as f64, cell[1] as f64);
    let [low, high] = [first, end].map(|cell| field.origin + field.spacing * place(cell));
    let [least, greatest] = field.tiles.range(tile);
    let (low, high) = (DVec3::new(low.x, least, low.y), DVec3::new(high.x, greatest, high.y));
    (low - point).max(point - high).max(DVec3::ZERO).length_squared()
}
