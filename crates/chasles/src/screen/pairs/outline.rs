//! A face as a polygon on the screen: its border as chords, how far it departs from them, and how
//! its times go with the place. For few faces, which are not drawn in rows.
//!
//! Of a face that is cut only the part that faces the other body counts. On that part the
//! projection does not fold, so its border on the screen is the projected border, and a place is
//! inside if the border winds around it.

use crate::numeric::{lower, upper};
use crate::screen::drawing::body::{Body, Ramp};
use crate::screen::drawing::facing::Class;
use crate::screen::drawing::front_faces::Tiles;
use crate::screen::judging::judge::Guess;
use crate::screen::place::axes::Dot;
use crate::screen::place::extent::Extent;
use crate::screen::place::lanes::{Lanes, Spot};

/// Departures are sampled in the middle of the sides, and of large polygons. They are nearly
/// quadratic, and so nowhere larger than this many times the largest sample.
const MOST: f32 = 2.0;

/// The outline of one face at a time. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Outline {
    spots: Vec<Spot>,
    dots: Vec<Dot>,
    bounds: Bounds,
}

/// What is known of an outline.
#[derive(Clone, Copy, Debug, Default)]
struct Bounds {
    extent: Extent,
    /// How far the border may depart from the chords, in pixels.
    border: f32,
    ramp: Ramp,
    /// How far times may depart from the ramp.
    slack: f32,
}

impl Outline {
    /// Finds the outline of a face.
    pub(in crate::screen) fn trace(&mut self, body: &Body<'_>, tiles: &Tiles, face: u32) {
        self.spots.clear();
        self.dots.clear();
        if tiles.class(face) == Class::Cut {
            self.clip(body, tiles, face);
            body.lanes.project(&self.spots, &mut self.dots);
        } else {
            let corners = body.facing.collider.mesh().face(face);
            self.spots.extend(corners.iter().map(|&v| tiles.spots[v as usize]));
            self.dots.extend(corners.iter().map(|&v| tiles.dots[v as usize]));
        }
        self.bounds = self.measured(&body.lanes);
    }

    /// When the face is at a place on the screen, if it is there or within `margin`.
    #[inline]
    pub(in crate::screen) fn time_at(&self, dot: Dot, margin: f32) -> Option<Guess> {
        let Bounds { extent, ramp, slack, .. } = &self.bounds;
        if !extent.meets(&Extent::around(dot, margin)) || !self.covers(dot, margin) {
            return None;
        }
        let times = [extent.low.t, extent.high.t];
        let near = |time| Guess::near(time, *slack, times);
        Some(ramp.time(dot).map_or(Guess::between(times), near))
    }

    /// The corners of the part of a face that faces the other body.
    fn clip(&mut self, body: &Body<'_>, tiles: &Tiles, face: u32) {
        let slope = body.facing.slope(face);
        let corners = body.facing.collider.mesh().face(face);
        let knot = |v: u32| (tiles.spots[v as usize], slope.at(body.facing.collider.local(v)));
        let mut p = knot(corners[corners.len() - 1]);
        for &v in corners {
            let q = knot(v);
            if (p.1 < 0.0) != (q.1 < 0.0) {
                self.spots.push(Spot::between(p.0, q.0, (p.1 / (p.1 - q.1)) as f32));
            }
            if q.1 >= 0.0 {
                self.spots.push(q.0);
            }
            p = q;
        }
    }

    /// The departure of the border, and of times from a linear function, by samples.
    fn measured(&self, lanes: &Lanes) -> Bounds {
        let Self { spots, dots, .. } = self;
        let count = spots.len();
        if count == 0 {
            return Bounds::default();
        }
        let third = |i: usize| dots[i * count / 3];
        let ramp = Ramp::new([third(0), third(1), third(2)]);
        let off = |dot: Dot| (dot.t - ramp.at(dot)).abs();
        let mut extent = Extent::EMPTY;
        let [mut border, mut late, mut slack] = [0.0; 3];
        for &dot in dots {
            extent.add(dot);
            slack = upper(slack, off(dot));
        }
        let next = |i: usize| if i + 1 < count { i + 1 } else { 0 };
        let middle = |i: usize| {
            let i = i.min(count - 1);
            Spot::between(spots[i], spots[next(i)], 0.5)
        };
        for first in (0..count).step_by(4) {
            let samples = lanes.four([0, 1, 2, 3].map(|i| middle(first + i)));
            for (i, sample) in (first..count).zip(samples) {
                let [away, time] = Dot::apart(Dot::between(dots[i], dots[next(i)], 0.5), sample);
                [border, late] = [upper(border, away), upper(late, time)];
                slack = upper(slack, off(sample));
            }
        }
        // On a parallelogram a quadratic is at most the sum of what it is on two sides; sides of
        // polygons with more corners say little of the middle.
        if count > 4 {
            let [p, q, r] = [0, 1, 2].map(|i| spots[i * count / 3]);
            let sample = Spot::between(p, Spot::between(q, r, 0.5), 2.0 / 3.0);
            slack = upper(slack, off(lanes.four([sample; 4])[0]));
        }
        let [border, late, slack] = [border, late, slack].map(|x| MOST * x);
        Bounds { extent: extent.widened(border, late), border, ramp, slack }
    }

    /// Whether a place is in the face, or within `margin` of it.
    ///
    /// Beyond the departure of the border and the margin from every side, the winding number of the
    /// corners tells inside from outside.
    #[inline]
    fn covers(&self, dot: Dot, margin: f32) -> bool {
        let corners = &self.dots;
        let near = self.bounds.border + margin;
        let to = |corner: &Dot| [corner.rho - dot.rho, corner.h - dot.h];
        let mut winding = 0;
        let mut p = to(&corners[corners.len() - 1]);
        for corner in corners {
            let q = to(corner);
            let side = p[0] * q[1] - p[1] * q[0];
            let beside = |i: usize| (lower(p[i], q[i]) <= near) & (upper(p[i], q[i]) >= -near);
            let length = (q[0] - p[0]).abs() + (q[1] - p[1]).abs();
            if (side.abs() <= near * length) & beside(0) & beside(1) {
                return true;
            }
            let [up, down] = [(p[1] <= 0.0) & (q[1] > 0.0), (p[1] > 0.0) & (q[1] <= 0.0)];
            winding += i32::from(up & (side > 0.0)) - i32::from(down & (side < 0.0));
            p = q;
        }
        winding != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An L of which the border departs by a tenth of a pixel.
    fn outline() -> Outline {
        let corners = [[0., 0.], [8., 0.], [8., 4.], [4., 4.], [4., 8.], [0., 8.]];
        let dots = corners.map(|[rho, h]: [f32; 2]| Dot { rho, h, t: 0.0 }).to_vec();
        let bounds = Bounds { border: 0.1, ..Bounds::default() };
        Outline { dots, bounds, ..Outline::default() }
    }

    #[test]
    fn places_in_an_outline_or_near_it_are_covered() {
        let covers = |rho, h| outline().covers(Dot { rho, h, t: 0.0 }, 0.5);
        for [rho, h] in [[1., 1.], [7., 2.], [2., 7.], [4.5, 6.], [-0.5, 3.]] {
            assert!(covers(rho, h), "{rho} {h}");
        }
        for [rho, h] in [[6., 6.], [-0.7, 3.], [9., 2.], [2., 9.]] {
            assert!(!covers(rho, h), "{rho} {h}");
        }
    }
}
