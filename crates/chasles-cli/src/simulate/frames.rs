//! Which moments of a simulation its picture shows: one, or as many as an animation has frames.

use std::collections::BTreeSet;
use std::path::Path;

use chasles_scene::SimulateScene;

use super::course::Course;
use crate::args::{FilmError, SimulateArgs};
use crate::progress::Progress;
use crate::still;

/// Fails on options that the picture does not have.
pub(super) fn check(args: &SimulateArgs) -> Result<(), FilmError> {
    let is_one = args.at.is_some().then_some("--at");
    args.film.check(args.output.picture.as_deref(), is_one)
}

/// The steps after which a frame is kept; none without an animation.
///
/// By default they are as far apart as frames are shown, so that the animation takes the time that
/// passes; farther if there would be too many, and nearer if it would be over before it is seen.
pub(super) fn kept(args: &SimulateArgs, steps: u32, dt: f64) -> BTreeSet<u32> {
    if !args.film.is_animated(args.output.picture.as_deref()) {
        return BTreeSet::new();
    }
    let [frames, _] = args.film.pace(steps, dt);
    let step = |frame: u32| {
        let share = f64::from(frame) / f64::from(frames.max(2) - 1);
        (share * f64::from(steps)).round() as u32
    };
    (0..frames).map(step).collect()
}

/// The picture as its name says.
pub(super) fn draw(
    scene: &SimulateScene,
    course: &Course,
    args: &SimulateArgs,
    (path, progress): (&Path, &Progress),
) -> Vec<u8> {
    let canvas = args.output.look.canvas(path);
    match args.film.reel(path) {
        Some(reel) => {
            let [_, fps] = args.film.pace(scene.steps(), scene.dt());
            let reel = still::Reel { fps, ..reel };
            still::animate_simulation(scene, course, (&canvas, &reel), progress)
        }
        None => still::draw_simulation_on(scene, course, &canvas, path),
    }
}
