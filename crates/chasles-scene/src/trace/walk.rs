//! A walk: legs of equal moves, with falls and jumps.
//!
//! [`Walker`] answers one move. What lasts from move to move is the speed along up:
//!
//! ```text
//! on the ground    0, or that of a jump
//! in the air       what the last move did along up, less the gravity
//! ```
//!
//! So a ceiling ends a rise, and a slope that is too steep to stand on slows a fall. Who walks over
//! an edge begins to fall with the next move.

use chasles::Pose;
use chasles::glam::DVec3;
use chasles::motion::MotionError;
use chasles::trace::{Body, Trace, Walk, Walker, Workspace, World};
use toml::Spanned;

use super::entry::{LegEntry, WalkEntry};
use super::error::TraceProblem;
use super::fault;
use crate::error::Fault;
use crate::file::Vector;
use crate::motion;

/// The steepest slope in degrees, unless the scene says otherwise: as steep as stairs.
const SLOPE: f64 = 45.0;

/// The most moves of a walk: each is up to 28 traces, and a row of the result.
const MOST_MOVES: u32 = 1 << 16;

/// More than the rounding of a vector that is meant to be level, as the library has it.
const LEVEL: f64 = 1e-9;

/// Where a character wants to go, and what it can do.
#[derive(Clone, Debug)]
pub struct Route {
    up: DVec3,
    step: f64,
    /// In radians.
    slope: f64,
    gravity: f64,
    legs: Vec<Leg>,
}

/// A part of a route: equal moves, of which the first may be a jump.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leg {
    by: DVec3,
    moves: u32,
    jump: f64,
}

/// One move of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// Of which leg, from 0.
    pub leg: usize,
    /// Where it got.
    pub walk: Walk,
}

impl Route {
    /// Checks what a scene says of a body's walk.
    pub(super) fn new(entry: &WalkEntry) -> Result<Self, Fault> {
        let WalkEntry { step, slope, gravity, up, legs } = entry;
        let step = not_negative("step", step)?;
        let gravity = not_negative("gravity", gravity)?;
        let degrees = slope.as_ref().map_or(SLOPE, |slope| *slope.get_ref());
        if let Some(slope) = slope.as_ref().filter(|_| !(0.0..=90.0).contains(&degrees)) {
            return Err(fault(TraceProblem::Slope(degrees), slope.span()));
        }
        let direction = |up: &Spanned<Vector>| {
            motion::unit(up.get_ref().0).map_err(|problem| Fault::new(problem, up.span()))
        };
        let up = up.as_ref().map_or(Ok(DVec3::Y), direction)?;
        let legs = Leg::all(legs, up)?;
        Ok(Self { up, step, slope: degrees.to_radians(), gravity, legs })
    }

    /// How many moves the legs have together.
    pub fn moves(&self) -> u32 {
        self.legs.iter().map(|leg| leg.moves).sum()
    }

    /// Walks all legs from `start`. A body that starts in the world makes no move.
    ///
    /// *Cost* up to 28 traces a move. *Fails* where a fall leads beyond 1e100.
    pub(super) fn run(
        &self,
        (world, body): (&World, &Body),
        start: &Pose,
        workspace: &mut Workspace,
    ) -> Result<(Trace, Vec<Move>), MotionError> {
        let trace = world.translate(body, start, DVec3::ZERO, workspace)?;
        if trace.started_solid {
            return Ok((trace, Vec::new()));
        }
        let walker = Walker::new(body.clone(), self.up, self.step, self.slope)?;
        let mut stands = walker.walk(world, start, DVec3::ZERO, workspace)?.ground.is_some();
        let (mut pose, mut speed) = (*start, 0.0);
        let mut moves = Vec::with_capacity(self.moves() as usize);
        for (leg, by, jump) in self.wanted() {
            speed = if stands { jump } else { speed - self.gravity };
            let by = by + self.up * speed;
            let walk = walker.walk(world, &pose, by, workspace)?;
            let rise = self.up.dot(walk.end.position() - pose.position());
            // What slides on cannot gain: a speed is lost, and not turned round.
            speed = if speed < 0.0 { rise.clamp(speed, 0.0) } else { rise.clamp(0.0, speed) };
            (pose, stands) = (walk.end, walk.ground.is_some());
            moves.push(Move { leg, walk });
        }
        Ok((Trace { end: pose, ..trace }, moves))
    }

    /// Every move: its leg, what is wanted along the level, and the jump it may begin with.
    fn wanted(&self) -> impl Iterator<Item = (usize, DVec3, f64)> {
        self.legs.iter().enumerate().flat_map(|(index, leg)| {
            let by = leg.by / f64::from(leg.moves);
            (0..leg.moves).map(move |i| (index, by, if i == 0 { leg.jump } else { 0.0 }))
        })
    }
}

impl Leg {
    fn all(entries: &Spanned<Vec<Spanned<LegEntry>>>, up: DVec3) -> Result<Vec<Self>, Fault> {
        if entries.get_ref().is_empty() {
            return Err(fault(TraceProblem::NoLegs, entries.span()));
        }
        let mut left = MOST_MOVES;
        let leg = |entry: &Spanned<LegEntry>| {
            let LegEntry { translate, moves, jump } = entry.get_ref();
            let by = DVec3::from_array(translate.get_ref().0);
            let rise = by.dot(up);
            if rise.abs() > LEVEL * by.length() {
                return Err(fault(TraceProblem::NotLevel(rise), translate.span()));
            }
            let number = *moves.get_ref();
            let fewer = left.checked_sub(number).filter(|_| number > 0);
            left = fewer.ok_or_else(|| fault(TraceProblem::Moves(number), moves.span()))?;
            let jump = jump.as_ref().map(|jump| not_negative("jump", jump)).transpose()?;
            Ok(Self { by: by - up * rise, moves: number, jump: jump.unwrap_or(0.0) })
        };
        entries.get_ref().iter().map(leg).collect()
    }
}

fn not_negative(key: &'static str, entry: &Spanned<f64>) -> Result<f64, Fault> {
    let number = *entry.get_ref();
    match number < 0.0 {
        true => Err(fault(TraceProblem::Negative { key, number }, entry.span())),
        false => Ok(number),
    }
}
