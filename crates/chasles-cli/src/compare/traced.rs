//! The trace as one more method: it says when each pair first meets, and nothing of later contacts.
//!
//! Seen from A, which then is the world, B goes along a line or turns about an axis. The trace
//! stops B in the expel zone, a hair before it touches, so its time is compared with that of the
//! exact method's first contact of facing, approaching features.

use std::time::{Duration, Instant};

use chasles::glam::DVec3;
use chasles::trace::{Body, Fixture, Trace, Turn, Workspace, World};
use chasles::{Pose, Step};
use chasles_scene::{Form, Scene};

use super::matching::Against;
use super::rows::Row;
use crate::collide::Repeat;
use crate::results::{PairResult, Results, Timing};

/// A turn or a shift below this is none: far above the rounding of poses, far below what is seen.
const NONE: f64 = 1e-9;

/// How B goes as A sees it.
enum Way {
    Shift(DVec3),
    Turn(Turn),
}

/// A pair that the trace takes.
struct Traced {
    world: World,
    body: Body,
    start: Pose,
    way: Way,
}

/// What the trace says of all pairs; `facing` are the exact method's contacts of facing features.
///
/// *Accepts* any scene. *Fails* with what the trace does not take.
pub(super) fn row(scene: &Scene, facing: &Results, repeat: Repeat) -> Result<Row, String> {
    let pairs = facing.pairs.iter().map(|pair| Traced::new(scene, pair));
    let pairs: Vec<Traced> = pairs.collect::<Result<_, _>>()?;
    let mut workspace = Workspace::new();
    let mut durations = Vec::new();
    let mut run = || {
        let started = Instant::now();
        let found: Vec<Trace> = pairs.iter().map(|pair| pair.trace(&mut workspace)).collect();
        (found, started.elapsed())
    };
    let (found, _) = run();
    while !repeat.is_enough(&durations) {
        durations.push(run().1);
    }
    let none = Timing { runs: 0, median: Duration::ZERO, min: Duration::ZERO };
    let mut times: Vec<f64> =
        found.iter().filter(|trace| stops(trace)).map(|trace| trace.fraction).collect();
    times.sort_by(f64::total_cmp);
    Ok(Row {
        method: "trace",
        options: "the first contact of each pair".to_string(),
        timing: Timing::of(durations).unwrap_or(none),
        times,
        matched: "sought is the first facing contact of each pair; matched with that of the trace",
        missed: None,
        against: Some(against(&found, &facing.pairs)),
    })
}

fn stops(trace: &Trace) -> bool {
    trace.touch.is_some() && !trace.started_solid
}

/// Compares the first contacts; bodies that are in each other from the start have none.
fn against(found: &[Trace], pairs: &[PairResult]) -> Against {
    let mut sum = Against::default();
    for (trace, pair) in found.iter().zip(pairs).filter(|(trace, _)| !trace.started_solid) {
        let first = pair.contacts.first().map(|contact| contact.time);
        sum.sought += usize::from(first.is_some());
        match (first, stops(trace)) {
            (Some(first), true) => {
                sum.found += 1;
                sum.errors.push([first, (first - trace.fraction).abs()]);
            }
            (None, true) => sum.extra += 1,
            (_, false) => {}
        }
    }
    sum
}

impl Traced {
    fn new(scene: &Scene, pair: &PairResult) -> Result<Self, String> {
        let [a, b] = pair.bodies.map(|body| scene.bodies()[body].rigid());
        let (Some(a), Some(b), Some(step)) = (a, b, &pair.step) else {
            let bodies = pair.bodies.map(|body| &scene.bodies()[body].form);
            let is_solid = bodies.iter().any(|form| matches!(form, Form::Solid(_)));
            let reason = match is_solid {
                true => "takes meshes only, and a body is none",
                false => "takes rigid bodies only, and one has frames",
            };
            return Err(reason.to_string());
        };
        let way = way(step).ok_or(
            "not run: it needs pure translation or pure rotation; a pair of this scene does both",
        )?;
        let fixture = Fixture::new(a.collider.mesh().to_polygons());
        let world = World::new(vec![fixture]).map_err(|error| error.to_string())?;
        let body =
            Body::new(&b.collider.mesh().to_polygons()).map_err(|error| error.to_string())?;
        Ok(Self { world, body, start: step.part(0).b_in_a()[0], way })
    }

    fn trace(&self, workspace: &mut Workspace) -> Trace {
        match &self.way {
            Way::Turn(turn) => self.world.rotate(&self.body, &self.start, turn, workspace),
            Way::Shift(by) => self
                .world
                .translate(&self.body, &self.start, *by, workspace)
                .expect("scenes have finite poses"),
        }
    }
}

/// How B goes as A sees it, if it does so along a line or about an axis all the while.
fn way(step: &Step) -> Option<Way> {
    let first = step.part(0).relative();
    let parts = f64::from(step.parts());
    let is_near = |p: DVec3, q: DVec3| (p - q).length() <= NONE * (1.0 + p.length());
    let same = (1..step.parts()).map(|index| step.part(index).relative()).all(|other| {
        is_near(other.linear(), first.linear()) && is_near(other.angular(), first.angular())
    });
    if !same {
        return None;
    }
    if first.angle() <= NONE {
        return Some(Way::Shift(first.linear() * parts));
    }
    if first.translation().abs() > NONE {
        return None;
    }
    let turn = Turn::new(first.axis_point(), first.axis_direction(), first.angle() * parts);
    turn.ok().map(Way::Turn)
}
