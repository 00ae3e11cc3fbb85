//! Bodies that stand, and how far another gets among them.

use std::num::NonZeroU32;

use chasles::glam::DVec3;
use chasles::trace::{self, Fixture, Trace, Travel, Turn, Workspace, World};
use wasm_bindgen::prelude::*;

use crate::features::coded;
use crate::motion::{numbers, pose, vector};
use crate::{Body, Wrong};

/// How far a body got, and what stopped it.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct Stop {
    trace: Trace,
}

#[wasm_bindgen]
impl Stop {
    /// How much of the way is done, from 0 to 1.
    #[wasm_bindgen(getter)]
    pub fn fraction(&self) -> f64 {
        self.trace.fraction
    }

    /// Where the body is then: seven numbers.
    #[wasm_bindgen(getter)]
    pub fn end(&self) -> Vec<f64> {
        numbers(&self.trace.end).to_vec()
    }

    /// Whether it was in something at the start. It then does not move at all.
    #[wasm_bindgen(getter, js_name = startedSolid)]
    pub fn started_solid(&self) -> bool {
        self.trace.started_solid
    }

    /// What stopped it: point, normal towards the body, and how far apart the features are; nothing
    /// if nothing did.
    #[wasm_bindgen(getter)]
    pub fn touch(&self) -> Vec<f64> {
        self.trace.touch.map_or_else(Vec::new, |touch| {
            let vectors = [touch.point, touch.normal];
            let vectors = vectors.iter().flat_map(|vector| vector.to_array());
            vectors.chain([touch.distance]).collect()
        })
    }

    /// The features that touch, that of the body first, and which body of the room it is; nothing
    /// if nothing stopped it. The numbers are those of contacts, and one more.
    #[wasm_bindgen(getter)]
    pub fn features(&self) -> Vec<u32> {
        self.trace.touch.map_or_else(Vec::new, |touch| {
            coded(touch.features.into()).into_iter().chain([touch.fixture]).collect()
        })
    }
}

impl Stop {
    /// What a trace of the library came to.
    pub(crate) fn of(trace: Trace) -> Self {
        Self { trace }
    }
}

/// Bodies that stand: what others are moved through, and never enter.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Room {
    fixtures: Vec<Fixture>,
    /// Made when it is first asked.
    world: Option<World>,
    workspace: Workspace,
}

/// A body that can be moved through rooms.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct Mover {
    body: trace::Body,
}

#[wasm_bindgen]
impl Mover {
    /// A mesh, made ready to be moved.
    ///
    /// *Accepts* a body that is a mesh. *Fails* on others.
    #[wasm_bindgen(constructor)]
    pub fn new(body: &Body) -> Result<Mover, Wrong> {
        let polygons = body.polygons().ok_or_else(no_mesh)?;
        Ok(Self { body: trace::Body::new(polygons).map_err(Wrong::new)? })
    }
}

#[wasm_bindgen]
impl Room {
    /// An empty room.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Room {
        Self::default()
    }

    /// Puts a body into the room; its number, from 0.
    ///
    /// *Accepts* a mesh and a pose. *Fails* on bodies that are none.
    pub fn add(&mut self, body: &Body, at: &[f64]) -> Result<usize, Wrong> {
        let polygons = body.polygons().ok_or_else(no_mesh)?;
        self.fixtures.push(Fixture::new(polygons.clone()).at(pose(at)?));
        self.world = None;
        Ok(self.fixtures.len() - 1)
    }

    /// Moves a body by a shift, and by a turn about its place, until something stops it.
    ///
    /// *Accepts* a pose, a shift, a turn as an axis times radians, and in how many portions both
    /// are made. *Guarantees* that the body is in nothing on the way and at the end, unless it was
    /// at the start. *Cost* logarithmic in the room, linear in what is near; the first move
    /// prepares the room. *Fails* on an empty room, and on faces without area.
    pub fn travel(&mut self, mover: &Mover, way: &Way) -> Result<Stop, Wrong> {
        if self.world.is_none() {
            self.world = Some(World::new(self.fixtures.clone()).map_err(Wrong::new)?);
        }
        let world = self.world.as_ref().expect("it was made above");
        way.follow(world, &mover.body, &mut self.workspace)
    }
}

/// A way through a room: from a pose by a shift and a turn.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub struct Way {
    start: chasles::Pose,
    travel: Travel,
}

#[wasm_bindgen]
impl Way {
    /// From a pose by a shift, and by a turn about the place of the pose: an axis times radians.
    /// Both together are made in so many portions.
    ///
    /// *Fails* on what is not finite.
    #[wasm_bindgen(constructor)]
    pub fn new(start: &[f64], by: &[f64], turn: &[f64], portions: u32) -> Result<Way, Wrong> {
        let start = pose(start)?;
        let (by, turn) = (vector(by, "shift")?, vector(turn, "turn")?);
        let parts = NonZeroU32::new(portions).unwrap_or(NonZeroU32::MIN);
        let angle = turn.length();
        if angle == 0.0 {
            return Ok(Self { start, travel: Travel::shift(by) });
        }
        let turn = Turn::new(start.position(), turn / angle, angle).map_err(Wrong::new)?;
        let travel = match by == DVec3::ZERO {
            true => Travel::turn(turn),
            false => Travel { by, turn, parts },
        };
        Ok(Self { start, travel })
    }
}

impl Way {
    /// How far a body gets on it.
    pub(crate) fn follow(
        &self,
        world: &World,
        body: &trace::Body,
        workspace: &mut Workspace,
    ) -> Result<Stop, Wrong> {
        let trace = world.travel(body, &self.start, &self.travel, workspace);
        Ok(Stop::of(trace.map_err(Wrong::new)?))
    }
}

fn no_mesh() -> Wrong {
    Wrong::new("rooms take meshes: this body is none")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube of size 1 about the origin: corner `i` is at the low or high x, y and z by its bits.
    fn cube() -> Body {
        let side = |i: u32, axis: u32| f64::from(i >> axis & 1) - 0.5;
        let corners: Vec<f64> = (0..8).flat_map(|i| [0, 1, 2].map(|axis| side(i, axis))).collect();
        let faces =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Body::mesh(&corners, &[4; 6], faces.as_flattened()).unwrap()
    }

    #[test]
    fn a_cube_stops_on_a_cube() {
        let cube = cube();
        let mut room = Room::new();
        let mover = Mover::new(&cube).unwrap();
        let start = [0.3, 3.0, 0.2, 0.0, 0.0, 0.0, 1.0];
        let way = Way::new(&start, &[0.0, -4.0, 0.0], &[0.0; 3], 1).unwrap();
        assert!(room.travel(&mover, &way).unwrap_err().to_string().contains("no fixture"));
        room.add(&cube, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]).unwrap();
        let stop = room.travel(&mover, &way).unwrap();
        assert!((stop.fraction() - 0.5).abs() < 1e-9);
        assert_eq!((stop.touch()[4], stop.features().len()), (1.0, 9));
        assert!(Way::new(&start, &[f64::NAN; 3], &[0.0; 3], 1).is_err());
    }
}
