//! Whether sheets crossed anything on their way, asked by the exact contacts of straight motions.
//!
//! A sheet goes from stop to stop, its vertices on straight lines, while bodies and the sheets before
//! it go straight through the whole part of the step. The world trusts bounds on distances; this asks
//! for the roots of contact of all features ([`deform::contacts`]).

use chasles::deform::{self, Moving, Options, Surface, SurfaceError, Workspace};
use chasles::glam::DVec3;
use chasles_dynamics::World;
use chasles_dynamics::spring::sheet::Stop;
use chasles_dynamics::world::{Move, SheetPart};

use super::Overlap;

/// Looks at the sheets of one world as it goes on.
#[derive(Debug, Default)]
pub(super) struct Flutter {
    workspace: Workspace,
    /// For each body that a sheet came near.
    surfaces: Vec<Option<Surface>>,
}

/// What goes straight through a part of a step.
struct Straight<'s> {
    number: usize,
    surface: &'s Surface,
    ends: [Vec<DVec3>; 2],
}

impl Straight<'_> {
    fn at(&self, fraction: f64) -> Vec<DVec3> {
        let [start, end] = &self.ends;
        start.iter().zip(end).map(|(p, q)| p.lerp(*q, fraction)).collect()
    }
}

impl Flutter {
    /// Sheets that touched bodies, each other or themselves, once for each part of a step. Sheets are
    /// numbered behind the bodies.
    pub(super) fn crossings(&mut self, world: &World, record: &[SheetPart]) -> Vec<Overlap> {
        for Move { body, .. } in record.iter().flat_map(|part| &part.moves) {
            self.surfaces.resize_with(self.surfaces.len().max(body.0 + 1), || None);
            let mesh = world.bodies()[body.0].collider().mesh();
            let surface = &mut self.surfaces[body.0];
            // A mesh without extent has no surface, and nothing crosses it.
            *surface = surface.take().or_else(|| Surface::new(&mesh.to_polygons()).ok());
        }
        let mut found = Vec::new();
        for (index, part) in record.iter().enumerate() {
            let number = world.bodies().len() + part.sheet.0;
            // The sheets of a part of the step stand in their order.
            let before = &record[index - part.sheet.0.min(index)..index];
            let others = others(&self.surfaces, world, (part, before));
            let met = touched(world, part, &others, &mut self.workspace);
            let met = met.into_iter().map(|other| [other.min(number), other.max(number)]);
            found.extend(met.map(|bodies| Overlap { time: world.time(), bodies }));
        }
        found
    }
}

/// What moves beside a sheet in a part of a step: bodies, and the sheets before it.
fn others<'s>(
    surfaces: &'s [Option<Surface>],
    world: &'s World,
    (part, before): (&SheetPart, &[SheetPart]),
) -> Vec<Straight<'s>> {
    let body = |Move { body, poses }: &Move| {
        let surface = surfaces[body.0].as_ref()?;
        let positions = world.bodies()[body.0].collider().mesh().positions();
        let ends = poses.map(|pose| positions.iter().map(|p| pose.point(*p)).collect());
        Some(Straight { number: body.0, surface, ends })
    };
    let sheet = |part: &SheetPart| {
        let end = part.stops.last()?.positions.clone();
        let surface = world.sheets()[part.sheet.0].surface();
        let number = world.bodies().len() + part.sheet.0;
        Some(Straight { number, surface, ends: [part.start.clone(), end] })
    };
    part.moves.iter().filter_map(body).chain(before.iter().filter_map(sheet)).collect()
}

/// The numbers of what a sheet touched on its way, itself included.
fn touched(
    world: &World,
    part: &SheetPart,
    others: &[Straight<'_>],
    workspace: &mut Workspace,
) -> Vec<usize> {
    let surface = world.sheets()[part.sheet.0].surface();
    let start = Stop { fraction: 0.0, positions: part.start.clone() };
    let mut found = Vec::new();
    let mut last = &start;
    for next in &part.stops {
        let way = surface.moving(&last.positions, &next.positions);
        let fractions = [last.fraction, next.fraction];
        last = next;
        // Vertices that are lost are found when the next frame is looked at.
        let Ok(way) = way else { continue };
        if !deform::self_contacts(&way, &Options::default(), workspace).is_empty() {
            found.push(world.bodies().len() + part.sheet.0);
        }
        for other in others {
            if meets(&way, other, fractions, workspace).unwrap_or(true) {
                found.push(other.number);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a piece of a way touches what moves beside it.
fn meets(
    way: &Moving<'_>,
    other: &Straight<'_>,
    fractions: [f64; 2],
    workspace: &mut Workspace,
) -> Result<bool, SurfaceError> {
    let [start, end] = fractions.map(|fraction| other.at(fraction));
    let beside = other.surface.moving(&start, &end)?;
    Ok(!deform::contacts(way, &beside, &Options::default(), workspace).is_empty())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chasles::mesh::shapes::{Cuboid, Shape};
    use chasles::{Collider, Pose};
    use chasles_dynamics::spring::net::{Fabric, Net};
    use chasles_dynamics::spring::sheet::Sheet;
    use chasles_dynamics::world::SheetId;
    use chasles_dynamics::{Body, BodyId};

    use super::*;

    fn at(z: f64) -> Pose {
        Pose::from_position([0.0, 0.0, z]).expect("a pose")
    }

    /// A cube of one metre around the origin, and two sheets of three cells, one and two metres up.
    fn world() -> World {
        let cube = Shape::Box(Cuboid::default()).build().expect("a cube");
        let mut world = World::new(chasles_dynamics::Options::default());
        world.add(Body::fixed(Arc::new(Collider::new(cube))));
        for z in [1.0, 2.0] {
            let corner = DVec3::new(0.1, 0.2, z);
            let sides = [DVec3::X * 0.3, DVec3::Y * 0.1];
            let net = Net::grid(corner, sides, [3, 1], &Fabric::default()).expect("a net");
            world.lay(Sheet::new(net).expect("a sheet"));
        }
        world
    }

    /// A sheet that goes to these heights one after the other, beside the cube that moves up.
    fn part(world: &World, sheet: usize, stops: &[(f64, f64)], rise: f64) -> SheetPart {
        let start = world.sheets()[sheet].positions();
        let raised = |z: f64| start.iter().map(|p| p.with_z(z)).collect();
        let stops = stops.iter().map(|&(fraction, z)| Stop { fraction, positions: raised(z) });
        let moves = vec![Move { body: BodyId(0), poses: [at(0.0), at(rise)] }];
        SheetPart { sheet: SheetId(sheet), start: start.to_vec(), stops: stops.collect(), moves }
    }

    fn met(world: &World, record: &[SheetPart]) -> Vec<[usize; 2]> {
        let found = Flutter::default().crossings(world, record);
        found.iter().map(|one| one.bodies).collect()
    }

    #[test]
    fn a_sheet_that_goes_through_a_body_and_back_is_found() {
        let world = world();
        let through = part(&world, 0, &[(0.5, -1.0), (1.0, 1.0)], 0.0);
        assert_eq!(met(&world, &[through]), [[0, 1]]);
        let above = part(&world, 0, &[(0.5, 0.51), (1.0, 1.0)], 0.0);
        assert!(met(&world, &[above]).is_empty());
    }

    #[test]
    fn bodies_go_on_from_piece_to_piece() {
        let world = world();
        // After half of the part the cube is at 0.8, and then the sheet has left.
        let away = part(&world, 0, &[(0.5, 0.9), (1.0, 1.9)], 0.6);
        assert!(met(&world, &[away]).is_empty());
        let late = part(&world, 0, &[(0.9, 0.9), (1.0, 1.9)], 0.6);
        assert_eq!(met(&world, &[late]), [[0, 1]]);
    }

    #[test]
    fn sheets_are_held_against_those_before_them_in_the_same_part() {
        let world = world();
        let down = part(&world, 1, &[(1.0, 1.2)], 0.0);
        let waits = part(&world, 0, &[(1.0, 1.0)], 0.0);
        let rises = part(&world, 0, &[(1.0, 1.7)], 0.0);
        assert!(met(&world, &[waits, down.clone()]).is_empty());
        assert_eq!(met(&world, &[rises, down]), [[1, 2]]);
    }

    #[test]
    fn a_sheet_that_folds_through_itself_is_found() {
        let world = world();
        // The last corners go back over the first cell, and then down.
        let folded = |height: f64| {
            let mut fold = part(&world, 0, &[(0.5, 1.0), (1.0, 1.0)], 0.0);
            for (stop, z) in fold.stops.iter_mut().zip([1.1, height]) {
                let last = stop.positions.iter_mut().filter(|p| p.x > 0.35);
                last.for_each(|p| *p = DVec3::new(0.15, 0.99 * p.y + 0.0025, z));
            }
            met(&world, &[fold])
        };
        assert!(folded(1.01).is_empty());
        assert_eq!(folded(0.9), [[1, 1]]);
    }
}
