//! The step as an animation: bodies move, and contacts appear at their times.

use chasles::glam::DVec3;
use chasles_picture::{Look, palette};
use chasles_scene::Scene;

use super::choice::{Moment, Shown, first, view};
use super::{Canvas, FLOOR, LINES, Paths, Placed, Reel, diameter, look_of, sight_of};
use crate::progress::Progress;
use crate::results::{Found, Results};

/// Moments at which bodies are looked at for the frame of all pictures.
const LOOKS: u32 = 24;

/// Draws the scene from the start of the step to its end.
///
/// *Accepts* any scene and its results. *Guarantees* the same bytes for the same input, and one
/// view for all frames. Nothing is written. *Cost* of the pixels and of all vertices, for each
/// frame.
pub fn animate(
    scene: &Scene,
    results: &Results,
    (canvas, reel): (&Canvas, &Reel),
    progress: &Progress,
) -> Vec<u8> {
    let moment = Moment::of(results, None);
    let paths = Paths { scene, results, moment };
    let shown = Shown::of(results);
    let curves: Vec<Vec<Vec<DVec3>>> = (0..scene.bodies().len()).map(|i| paths.of(i)).collect();
    let has_lines = curves.iter().any(|curves| !curves.is_empty());
    let lines = if has_lines { format!("; {LINES}") } else { String::new() };
    let placed = paths.placed(moment.time);
    let sight = shown.contacts.iter().find(|(_, contact)| contact.time >= moment.time);
    let sight = sight.map(|&(a, c)| sight_of(&placed[a], paths.mark(a, &placed[a], c)));
    let view = view(sight);
    let looks = (0..=LOOKS).map(|i| paths.placed(f64::from(i) / f64::from(LOOKS)));
    let points: Vec<DVec3> = looks.flat_map(|placed| seen(scene, &placed)).collect();
    let (times, held) = times(reel.frames, first(results).map(|(_, contact)| contact.time));
    let frame = |number: u32| {
        let time = times[number as usize];
        let placed = paths.placed(time);
        let so_far = results.pairs.iter().flat_map(|pair| &pair.contacts);
        let so_far = so_far.filter(|contact| contact.time <= time).count();
        let mut still = canvas.still();
        still.title(scene.title()).view(view).steady(&points);
        let all = results.contact_count();
        still.caption(&format!("Time {time:.3}; {so_far} of {all} contacts so far{lines}"));
        for (index, body) in scene.bodies().iter().enumerate() {
            let look = look_of(body, index);
            still.body(&placed[index].mesh, &placed[index].pose, look);
            for path in &curves[index] {
                still.curve(path, palette(index), 1.6);
            }
            still.body_key(Look::of(index).colour, &body.name);
        }
        let met = shown.contacts.iter().filter(|(_, contact)| contact.time <= time);
        let met: Vec<(usize, &Found)> = met.copied().collect();
        paths.add_markers(&mut still, &placed, &met);
        still.render()
    };
    reel.roll(canvas.size, (frame, held), progress)
}

/// The time of each frame, in even steps but for that next to the first contact, which is moved
/// there; and its number, to stay longer.
fn times(frames: u32, contact: Option<f64>) -> (Vec<f64>, Option<u32>) {
    let last = frames.max(2) - 1;
    let mut times: Vec<f64> = (0..frames).map(|i| f64::from(i) / f64::from(last)).collect();
    let held = contact.map(|time| ((time * f64::from(last)).round() as u32).min(last));
    if let (Some(time), Some(slot)) = (contact, held.and_then(|i| times.get_mut(i as usize))) {
        *slot = time;
    }
    (times, held)
}

/// The vertices of all bodies but floors.
fn seen(scene: &Scene, placed: &[Placed]) -> Vec<DVec3> {
    let sizes: Vec<f64> = scene.bodies().iter().map(|body| diameter(body.mesh())).collect();
    let is_floor = |index: usize| {
        let others = sizes.iter().enumerate().filter(|(other, _)| *other != index);
        let largest = others.map(|(_, size)| *size).fold(0.0, f64::max);
        largest > 0.0 && sizes[index] > FLOOR * largest
    };
    let framed = placed.iter().enumerate().filter(|(index, _)| !is_floor(*index));
    framed.flat_map(|(_, body)| body.corners().collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_at_the_first_contact_and_stays() {
        let (even, held) = times(5, None);
        assert_eq!((even, held), (vec![0.0, 0.25, 0.5, 0.75, 1.0], None));
        let (moved, held) = times(5, Some(0.3));
        assert_eq!((moved, held), (vec![0.0, 0.3, 0.5, 0.75, 1.0], Some(1)));
        assert_eq!(times(2, Some(1.0)).1, Some(1));
    }
}
