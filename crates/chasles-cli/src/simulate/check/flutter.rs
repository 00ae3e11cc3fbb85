//! Whether sheets crossed anything on their way, asked by the exact contacts of straight motions.
//!
//! A sheet goes from stop to stop, its vertices on straight lines, the sheets before it straight
//! through the whole part of the step. Bodies go as the parts of the step were recorded for them,
//! not as the sheets were told: straight from the beginning of a part to its end, and of the
//! sheet's own part. The world trusts bounds on distances; this asks for the roots of contact of
//! all features ([`deform::contacts`]).

use std::collections::BTreeMap;

use chasles::deform::{self, Options, Surface, SurfaceError, Workspace};
use chasles::glam::DVec3;
use chasles::{Pose, Screw};
use chasles_dynamics::spring::sheet::Stop;
use chasles_dynamics::world::SheetPart;
use chasles_dynamics::{Report, World};

use super::findings::Overlap;
use super::pairs::around;

/// Moments that are closer to the ends of a part of the step than this share of it are the ends.
const SAME: f64 = 1e-9;

/// Looks at the sheets of one world as it goes on.
#[derive(Debug, Default)]
pub(super) struct Flutter {
    workspace: Workspace,
    /// For each body that a sheet came near; none for those without a surface.
    surfaces: BTreeMap<usize, Option<Surface>>,
}

/// Shares of a part of a step, and where vertices are then.
type Places = Vec<(f64, Vec<DVec3>)>;

/// What goes straight from stop to stop through a part of a step.
struct Beside<'s> {
    number: usize,
    surface: &'s Surface,
    /// Shares of the part, from 0 to 1, and where the vertices are then.
    stops: Places,
}

impl Beside<'_> {
    fn at(&self, share: f64) -> Vec<DVec3> {
        let next =
            self.stops.partition_point(|(at, _)| *at <= share).clamp(1, self.stops.len() - 1);
        let [(from, start), (to, end)] = [&self.stops[next - 1], &self.stops[next]];
        lerp(start, end, (share - from) / (to - from))
    }
}

fn lerp(start: &[DVec3], end: &[DVec3], share: f64) -> Vec<DVec3> {
    start.iter().zip(end).map(|(p, q)| p.lerp(*q, share)).collect()
}

/// What the parts of a step did with a body: times, and the poses between which it went.
type Way = Vec<([f64; 2], [Pose; 2])>;

/// Where a body was at a time; where it stands, if it did not move.
fn pose(way: &Way, standing: Pose, time: f64) -> Pose {
    let next = way.partition_point(|(times, _)| times[0] <= time);
    let Some((times, [start, end])) = way.get(next.max(1) - 1) else { return standing };
    let share = ((time - times[0]) / (times[1] - times[0])).clamp(0.0, 1.0);
    match share {
        0.0 => *start,
        1.0 => *end,
        _ => Screw::between(start, end).pose_at(share).after(start),
    }
}

impl Flutter {
    /// Sheets that touched bodies, each other or themselves, once for each part of a step. Sheets
    /// are numbered behind the bodies.
    pub(super) fn crossings(&mut self, world: &World, report: &Report) -> Vec<Overlap> {
        let record = &report.sheet_record;
        if record.is_empty() {
            return Vec::new();
        }
        let mut ways = vec![Way::new(); world.bodies().len()];
        for part in &report.record {
            part.moves.iter().for_each(|way| ways[way.body.0].push((part.times, way.poses)));
        }
        let mut found = Vec::new();
        for (index, part) in record.iter().enumerate() {
            let number = world.bodies().len() + part.sheet.0;
            // The sheets of a part of the step stand in their order.
            let before = &record[index - part.sheet.0.min(index)..index];
            let places = self.places(world, part, &ways);
            let bodies = places.into_iter().filter_map(|(number, stops)| {
                let surface = self.surfaces.get(&number)?.as_ref()?;
                Some(Beside { number, surface, stops })
            });
            let others: Vec<Beside<'_>> = bodies.chain(sheets(world, before)).collect();
            let met = touched(world, part, &others, &mut self.workspace);
            let met = met.into_iter().map(|other| [other.min(number), other.max(number)]);
            found.extend(met.map(|bodies| Overlap { time: world.time(), bodies }));
        }
        found
    }

    /// Bodies that come into the box of a sheet in a part of a step, with their places in it.
    fn places(&mut self, world: &World, part: &SheetPart, ways: &[Way]) -> Vec<(usize, Places)> {
        let [low, high] = around_sheet(part);
        let mut found = Vec::new();
        for (number, body) in world.bodies().iter().enumerate().filter(|(_, b)| !b.is_intangible())
        {
            let way = &ways[number];
            let moments: Vec<f64> = moments(way, part.times);
            let [begin, end] = part.times;
            let poses: Vec<Pose> = moments
                .iter()
                .map(|share| pose(way, body.pose(), begin + share * (end - begin)))
                .collect();
            let boxes = poses.iter().map(|pose| around((body, pose)));
            let all = boxes.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], [l, h]| {
                [low.min(l), high.max(h)]
            });
            if low.cmple(all[1]).all() && all[0].cmple(high).all() {
                let mesh = body.collider().mesh();
                // A mesh without extent has no surface, and nothing crosses it.
                let make = || Surface::new(&mesh.to_polygons()).ok();
                self.surfaces.entry(number).or_insert_with(make);
                let at = |pose: &Pose| mesh.positions().iter().map(|p| pose.point(*p)).collect();
                found.push((number, moments.into_iter().zip(poses.iter().map(at)).collect()));
            }
        }
        found
    }
}

/// The ends of a part of a step for a sheet, and those of parts for a body in between, as shares.
fn moments(way: &Way, [begin, end]: [f64; 2]) -> Vec<f64> {
    let times = way.iter().flat_map(|(times, _)| times);
    let shares = times.map(|time| (time - begin) / (end - begin));
    let mut moments: Vec<f64> =
        shares.filter(|share| *share > SAME && *share < 1.0 - SAME).collect();
    moments.extend([0.0, 1.0]);
    moments.sort_unstable_by(f64::total_cmp);
    moments.dedup();
    moments
}

/// The box around all places of a sheet in a part of a step.
fn around_sheet(part: &SheetPart) -> [DVec3; 2] {
    let points = part.stops.iter().flat_map(|stop| &stop.positions).chain(&part.start);
    let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    points.fold(none, |[low, high], point| [low.min(*point), high.max(*point)])
}

/// The sheets before one in a part of a step.
fn sheets<'s>(world: &'s World, before: &[SheetPart]) -> impl Iterator<Item = Beside<'s>> {
    before.iter().filter_map(|part| {
        let end = part.stops.last()?.positions.clone();
        let surface = world.sheets()[part.sheet.0].surface();
        let number = world.bodies().len() + part.sheet.0;
        Some(Beside { number, surface, stops: vec![(0.0, part.start.clone()), (1.0, end)] })
    })
}

/// The numbers of what a sheet touched on its way, itself included.
fn touched(
    world: &World,
    part: &SheetPart,
    others: &[Beside<'_>],
    workspace: &mut Workspace,
) -> Vec<usize> {
    let surface = world.sheets()[part.sheet.0].surface();
    let start = Stop { fraction: 0.0, positions: part.start.clone() };
    let mut found = Vec::new();
    let mut last = &start;
    for next in &part.stops {
        let ends = [last, next];
        last = next;
        // Vertices that are lost are found when the next frame is looked at.
        let Ok(way) = surface.moving(&ends[0].positions, &ends[1].positions) else { continue };
        if !deform::self_contacts(&way, &Options::default(), workspace).is_empty() {
            found.push(world.bodies().len() + part.sheet.0);
        }
        for other in others {
            if meets(surface, ends, other, workspace).unwrap_or(true) {
                found.push(other.number);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a sheet on its way between two stops touches what moves beside it.
fn meets(
    surface: &Surface,
    [last, next]: [&Stop; 2],
    other: &Beside<'_>,
    workspace: &mut Workspace,
) -> Result<bool, SurfaceError> {
    let [from, to] = [last.fraction, next.fraction];
    let inside = other.stops.iter().map(|(at, _)| *at).filter(|at| *at > from && *at < to);
    let moments: Vec<f64> = std::iter::once(from).chain(inside).chain([to]).collect();
    for ends in moments.windows(2) {
        let shares = [ends[0], ends[1]];
        let place = |share: f64| {
            lerp(&last.positions, &next.positions, ((share - from) / (to - from)).clamp(0.0, 1.0))
        };
        let [start, end] = shares.map(place);
        let [beside_start, beside_end] = shares.map(|share| other.at(share));
        let way = surface.moving(&start, &end)?;
        let beside = other.surface.moving(&beside_start, &beside_end)?;
        if !deform::contacts(&way, &beside, &Options::default(), workspace).is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chasles::mesh::shapes::{Cuboid, Shape};
    use chasles::{Collider, Pose};
    use chasles_dynamics::spring::net::{Fabric, Net};
    use chasles_dynamics::spring::sheet::Sheet;
    use chasles_dynamics::world::{Move, Part, SheetId};
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
            world.add_sheet(Sheet::new(net).expect("a sheet"));
        }
        world
    }

    /// A sheet that goes to these heights one after the other.
    fn part(world: &World, sheet: usize, stops: &[(f64, f64)]) -> SheetPart {
        let start = world.sheets()[sheet].positions();
        let raised = |z: f64| start.iter().map(|p| p.with_z(z)).collect();
        let stops = stops.iter().map(|&(fraction, z)| Stop { fraction, positions: raised(z) });
        let (start, stops) = (start.to_vec(), stops.collect());
        SheetPart { sheet: SheetId(sheet), times: [2.0, 3.0], start, stops, moves: Vec::new() }
    }

    /// What is met beside the cube that stands at these heights one after the other.
    fn met_beside(world: &World, record: &[SheetPart], heights: &[f64]) -> Vec<[usize; 2]> {
        let seconds = 1.0 / (heights.len().max(2) as f64 - 1.0);
        let part = |(i, ends): (usize, &[f64])| {
            let times = [0.0, 1.0].map(|more| 2.0 + seconds * (i as f64 + more));
            let moves = vec![Move { body: BodyId(0), poses: [at(ends[0]), at(ends[1])] }];
            Part { times, moves }
        };
        let report = Report {
            record: heights.windows(2).enumerate().map(part).collect(),
            sheet_record: record.to_vec(),
            ..Report::default()
        };
        let found = Flutter::default().crossings(world, &report);
        found.iter().map(|one| one.bodies).collect()
    }

    fn met(world: &World, record: &[SheetPart]) -> Vec<[usize; 2]> {
        met_beside(world, record, &[])
    }

    #[test]
    fn a_sheet_that_goes_through_a_body_and_back_is_found() {
        let world = world();
        let through = part(&world, 0, &[(0.5, -1.0), (1.0, 1.0)]);
        assert_eq!(met(&world, &[through]), [[0, 1]]);
        let above = part(&world, 0, &[(0.5, 0.51), (1.0, 1.0)]);
        assert!(met(&world, &[above]).is_empty());
    }

    #[test]
    fn bodies_go_on_from_piece_to_piece() {
        let world = world();
        // After half of the part the cube is at 0.8, and then the sheet has left.
        let away = part(&world, 0, &[(0.5, 0.9), (1.0, 1.9)]);
        assert!(met_beside(&world, &[away], &[0.0, 0.6]).is_empty());
        let late = part(&world, 0, &[(0.9, 0.9), (1.0, 1.9)]);
        assert_eq!(met_beside(&world, &[late], &[0.0, 0.6]), [[0, 1]]);
    }

    #[test]
    fn a_body_that_goes_through_a_sheet_and_back_between_its_stops_is_found() {
        let world = world();
        let waits = part(&world, 0, &[(1.0, 1.0)]);
        assert_eq!(met_beside(&world, std::slice::from_ref(&waits), &[0.0, 1.2, 0.0]), [[0, 1]]);
        assert!(met_beside(&world, &[waits], &[0.0, 0.4, 0.0]).is_empty());
    }

    #[test]
    fn sheets_are_held_against_those_before_them_in_the_same_part() {
        let world = world();
        let down = part(&world, 1, &[(1.0, 1.2)]);
        let waits = part(&world, 0, &[(1.0, 1.0)]);
        let rises = part(&world, 0, &[(1.0, 1.7)]);
        assert!(met(&world, &[waits, down.clone()]).is_empty());
        assert_eq!(met(&world, &[rises, down]), [[1, 2]]);
    }

    #[test]
    fn a_sheet_that_folds_through_itself_is_found() {
        let world = world();
        // The last corners go back over the first cell, and then down.
        let folded = |height: f64| {
            let mut fold = part(&world, 0, &[(0.5, 1.0), (1.0, 1.0)]);
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
