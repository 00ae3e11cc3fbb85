//! A level to trace through: a closed hall with steps, ramps and pillars, in any size.
//!
//! The hall stands on a grid of cells of one metre. Each cell has a floor at a whole number of
//! steps, level or rising by one step along x, or is filled by a pillar. Walls between cells are
//! cut at every step, so that neighbours share whole edges and the surface is closed.

use std::collections::BTreeMap;

use chasles::Polygons;
use chasles::glam::DVec3;
use chasles_testkit::generate::Random;

/// The height of a step.
const STEP: f64 = 0.25;

/// The height of the ceiling, in steps.
const CEILING: u32 = 12;

/// Floors of the rooms, from 0 to one less than this; bumps and ramps add up to two.
const FLOORS: usize = 4;

/// Cells along each side of a room with one floor.
const ROOM: u32 = 4;

/// The hall with at least so many polygons, faces towards the inside, and the length of its sides.
///
/// *Guarantees* planar convex faces, whole shared edges and the same hall for the same number.
pub fn hall(polygons: usize) -> (Polygons, DVec3) {
    let mesh = |side: u32| (Hall::new(side).polygons(), side);
    let is_enough = |(mesh, _): &(Polygons, u32)| mesh.faces.len() >= polygons;
    let (mesh, side) = (4..).map(mesh).find(is_enough).expect("larger halls have more polygons");
    (mesh, DVec3::new(f64::from(side), f64::from(CEILING) * STEP, f64::from(side)))
}

/// What stands on a square metre: the floor at its low and at its high end along x, in steps.
type Cell = [u32; 2];

const FILLED: Cell = [CEILING; 2];

struct Hall {
    side: u32,
    cells: Vec<Cell>,
    faces: Vec<Vec<u32>>,
    /// The vertices by their places: cells along x, steps up, cells along z.
    numbers: BTreeMap<[u32; 3], u32>,
    vertices: Vec<DVec3>,
}

impl Hall {
    fn new(side: u32) -> Self {
        let mut random = Random::new(u64::from(side));
        let rooms = side.div_ceil(ROOM);
        let floors: Vec<u32> = (0..rooms * rooms).map(|_| random.below(FLOORS) as u32).collect();
        let cell = |i: u32| {
            let [x, z] = [i % side, i / side];
            let floor = floors[(z / ROOM * rooms + x / ROOM) as usize];
            match random.below(60) {
                0..4 => [floor, floor + 1],
                4..8 => [floor + 1; 2],
                8..14 if x % 2 == 1 && z % 2 == 1 => FILLED,
                _ => [floor; 2],
            }
        };
        Self {
            side,
            cells: (0..side * side).map(cell).collect(),
            faces: Vec::new(),
            numbers: BTreeMap::new(),
            vertices: Vec::new(),
        }
    }

    fn polygons(mut self) -> Polygons {
        for i in 0..=self.side {
            for k in 0..=self.side {
                self.add_floor(i, k);
                self.add_walls(i, k);
            }
        }
        Polygons::new(self.vertices, self.faces)
    }

    /// A cell, or what stands around the hall.
    fn cell(&self, x: Option<u32>, z: Option<u32>) -> Cell {
        match (x, z) {
            (Some(x), Some(z)) if x.max(z) < self.side => self.cells[(z * self.side + x) as usize],
            _ => FILLED,
        }
    }

    fn add_floor(&mut self, x: u32, z: u32) {
        let [low, high] = self.cell(Some(x), Some(z));
        if low < CEILING {
            let square = |a, b| [[x, a, z], [x, a, z + 1], [x + 1, b, z + 1], [x + 1, b, z]];
            self.add_face(&square(low, high));
            let mut ceiling = square(CEILING, CEILING);
            ceiling.reverse();
            self.add_face(&ceiling);
        }
    }

    /// The walls towards the cells before this one along x and along z.
    fn add_walls(&mut self, x: u32, z: u32) {
        let [before, beside] = [x.checked_sub(1), z.checked_sub(1)];
        let here = self.cell(Some(x), Some(z));
        let west = self.cell(before, Some(z));
        let south = self.cell(Some(x), beside);
        self.add_wall([[x, z], [x, z + 1]], [[west[1]; 2], [here[0]; 2]]);
        self.add_wall([[x, z], [x + 1, z]], [here, south]);
    }

    /// The wall over a side of a cell, between the floors at its two ends on either hand; the
    /// first hand is the one that a wall from the first end to the second looks to.
    fn add_wall(&mut self, [p, q]: [[u32; 2]; 2], [first, second]: [Cell; 2]) {
        let looks_to_first = first.iter().sum::<u32>() < second.iter().sum();
        let [mut low, high] = if looks_to_first { [first, second] } else { [second, first] };
        while low != high {
            let top = low[0].min(low[1]) + 1;
            let next = [0, 1].map(|i| high[i].min(top).max(low[i]));
            let mut wall = vec![
                [p[0], low[0], p[1]],
                [q[0], low[1], q[1]],
                [q[0], next[1], q[1]],
                [p[0], next[0], p[1]],
            ];
            // Where the floors meet at one end, the wall is a triangle.
            wall.dedup();
            if wall.first() == wall.last() {
                wall.pop();
            }
            if !looks_to_first {
                wall.reverse();
            }
            self.add_face(&wall);
            low = next;
        }
    }

    fn add_face(&mut self, places: &[[u32; 3]]) {
        let face = places.iter().map(|&place| {
            *self.numbers.entry(place).or_insert_with(|| {
                let [x, level, z] = place.map(f64::from);
                self.vertices.push(DVec3::new(x, level * STEP, z));
                self.vertices.len() as u32 - 1
            })
        });
        let face = face.collect();
        self.faces.push(face);
    }
}

#[cfg(test)]
mod tests {
    use chasles::Polyhedron;
    use chasles_testkit::shapes::six_volumes;

    use super::*;

    #[test]
    fn a_hall_is_closed_and_looks_inward() {
        let (mesh, size) = hall(3000);
        assert!((3000..3500).contains(&mesh.faces.len()), "{}", mesh.faces.len());
        let solid = Polyhedron::new(&mesh).expect("a mesh");
        assert!((0..solid.face_count() as u32).all(|face| !solid.is_two_sided(face)));
        let volume = -six_volumes(&mesh) / 6.0;
        assert!((0.5..1.0).contains(&(volume / size.element_product())), "{volume}");
    }
}
