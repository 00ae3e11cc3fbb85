//! When a vertex that falls into a face on the screen meets it: Newton's method [Buss04 §9].
//!
//! The paper looks for the point of the face that falls on the pixel of the vertex, and takes the
//! difference of both times. That point is where the vertex itself passes the plane of the face, so
//! one unknown is enough: the time `t` at which the height of the vertex over the plane is 0.
//!
//! ```text
//!   t  <-  t - height(t) / height'(t)           height(t) = n . x(t) + d
//! ```
//!
//! On the part of a face that faces the motion the height falls all along, and bends little; from
//! the time of the pixels a few steps are enough.
//!
//! Differs from [Buss04 §9]: where a face is seen nearly edge-on or lies around the axis, a pixel
//! says little about the time, and the height may fall twice. All of its roots are taken there, and
//! where the method ends far from the time of the pixels.

use crate::contact::locate::Place;
use crate::contact::{Met, Pair};
use crate::numeric::gaps::PlaneGap;
use crate::numeric::roots::Gap;
use crate::screen::judging::judge::{Entry, Guess, Judge, UNSEEN};

/// Newton's method doubles the digits in every step; 40 bits from one need six, and a bad start
/// some more.
const STEPS: usize = 16;

/// Steps shorter than this change no digit that counts.
const STILL: f64 = 1e-13;

/// Of a guess that may be off by more than this many times the time resolution, Newton's method
/// could end at any root: all are asked for instead, as the other drawings do.
const VAGUE: f32 = 8.0;

impl Judge<'_> {
    /// Judges a vertex (A's if `from_a`) that is in a face of the other body on the screen.
    pub(super) fn vertex_in_face(&mut self, from_a: bool, vertex: u32, face: u32, guess: Guess) {
        if !self.may_meet(from_a, vertex, face, guess) || self.mark_pair(from_a, vertex, face) {
            return;
        }
        let approach = self.approach(from_a, vertex, face);
        let is_vague = guess.slack > VAGUE * self.time_resolution;
        let near = if is_vague { None } else { self.passes_near(&approach.gap(), guess) };
        if let Some((time, speed)) = near {
            let is_met = (self.window[0]..=self.window[1]).contains(&time);
            if is_met && (speed <= 0.0 || approach.is_two_sided()) {
                let place = approach.place(time, self.outside * self.pixel);
                self.enter(from_a, [vertex, face], (time, place));
            }
            return;
        }
        // A vertex that slides in the plane all the time is asked where it is at the guess.
        let time = f64::from(guess.time).clamp(self.window[0], self.window[1]);
        for (time, place) in self.meetings(from_a, vertex, face, time) {
            self.enter(from_a, [vertex, face], (time, place));
        }
    }

    /// Keeps a vertex in a face at a time, if it is in it and proper enough.
    fn enter(&mut self, from_a: bool, [vertex, face]: [u32; 2], (time, place): (f64, Place)) {
        if place == Place::Outside || !self.is_proper(from_a, vertex, face, time) {
            return;
        }
        let pair = if from_a {
            Pair { met: Met::VertexFace, a: vertex, b: face }
        } else {
            Pair { met: Met::FaceVertex, a: face, b: vertex }
        };
        self.entries.push(Entry { pair, time, settled: true });
    }

    /// The time about a guess at which a vertex passes a plane, and how fast its height grows then;
    /// `None` if that is nowhere near, and the guess may have been another root's.
    fn passes_near(&self, gap: &PlaneGap<'_>, guess: Guess) -> Option<(f64, f64)> {
        let [soonest, latest] = self.window;
        let start = f64::from(guess.time);
        let mut time = start.clamp(soonest, latest);
        let [mut height, mut speed, _] = gap.at(time);
        for _ in 0..STEPS {
            let step = height / speed;
            // A vertex that slides in the plane is in it at any time.
            if !step.is_finite() || step.abs() <= STILL {
                break;
            }
            time -= step;
            [height, speed, _] = gap.at(time);
        }
        let reach = f64::from(guess.slack + self.time_resolution);
        let is_near = height.abs() <= UNSEEN * self.pixel && (time - start).abs() <= reach;
        is_near.then_some((time, speed))
    }
}
