//! A coarse polytope around each body, collided before the bodies [Buss04 §10].
//!
//! *For comparison with the paper*: boxes of the hierarchy leave out as much or more in nearly
//! every case measured (`docs/screen.md`, "Extensions, in pixels").
//!
//! Going back along its path, a point of A leaves the polytope of A through a backward face, and so
//! earlier; a point of B goes on and leaves that of B through a forward one, later. So where two
//! points meet on the screen such faces do, and at no later time:
//!
//! ```text
//!   t_A - t_B  >=  t of the backward face  -  t of the forward face
//! ```
//!
//! Each face has bounds on the screen, and all of a body an outline: the convex hull of the corners
//! there. Where outlines are apart, or no face of A meets one of B in time, nothing meets; else
//! everything does within the bounds of what they share.

use crate::bounds::Facet;
use crate::numeric::upper;
use crate::screen::drawing::body::Body;
use crate::screen::drawing::facing::Slope;
use crate::screen::place::axes::Dot;
use crate::screen::place::extent::Extent;
use crate::screen::place::lanes::Spot;

/// The faces of the polytopes of two bodies on the screen. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Hulls {
    shadows: [Shadow; 2],
    spots: Vec<Spot>,
    dots: Vec<Dot>,
    clipped: [Vec<Corner>; 2],
}

/// A place on the screen, along `rho` and `h`.
type Corner = [f32; 2];

/// The faces of one body's polytope that look at the other.
#[derive(Clone, Debug, Default)]
struct Shadow {
    faces: Vec<Extent>,
    /// All of them are within this distance of the outline.
    pad: f32,
    outline: Vec<Corner>,
}

impl Hulls {
    /// Where what is in both polytopes can meet until the end of `window`; `None` if nowhere. `pad`
    /// is the distance in pixels at which bounds still meet.
    pub(in crate::screen) fn collide(
        &mut self,
        bodies: &[Body<'_>; 2],
        window: [f32; 2],
        pad: f32,
    ) -> Option<Extent> {
        let are_known = [0, 1].map(|i| self.place(i, &bodies[i], pad));
        if are_known != [true; 2] {
            return Some(Extent::EVERYTHING);
        }
        let [a, b] = &self.shadows;
        let mut region = Extent::EMPTY;
        for (a, b) in a.faces.iter().flat_map(|a| b.faces.iter().map(move |b| (a, b))) {
            if a.meets(b) && a.low.t - b.high.t <= window[1] {
                region.join(&a.at_any_time().shared(&b.at_any_time()));
            }
        }
        let region = region.shared(&common(&self.shadows, &mut self.clipped));
        (region != Extent::EMPTY).then_some(region)
    }

    /// Bounds of the faces that look at the other body; false if there are none, as near the axis.
    fn place(&mut self, which: usize, body: &Body<'_>, pad: f32) -> bool {
        let Self { shadows, spots, dots, .. } = self;
        let shadow = &mut shadows[which];
        shadow.faces.clear();
        shadow.outline.clear();
        shadow.pad = pad;
        let collider = body.facing.collider;
        let polytope = collider.polytope();
        let centre = body.frame.at(collider.nodes()[0].centre);
        let Some(nearest) = body.nearest_of(centre, polytope.radius) else { return false };
        let bend = body.axes.bend(nearest);
        for Facet { normal, corners, diameter_sq } in &polytope.facets {
            let slope = Slope::new(*normal, &body.facing.screw, body.facing.sign);
            if corners.iter().all(|p| slope.at(*p) < 0.0) {
                continue;
            }
            spots.clear();
            spots.extend(corners.iter().map(|p| body.axes.spot(body.frame.at(*p))));
            dots.clear();
            body.lanes.project(spots, dots);
            let mut extent = Extent::EMPTY;
            dots.iter().for_each(|dot| extent.add(*dot));
            let pixels = (bend * diameter_sq) as f32;
            let time = pixels * body.axes.steps_per_pixel(nearest);
            shadow.faces.push(extent.widened(pixels + pad, time));
            shadow.pad = upper(shadow.pad, pixels + pad);
            shadow.outline.extend(dots.iter().map(|dot| [dot.rho, dot.h]));
        }
        surround(&mut shadow.outline);
        // A body without size has no faces around it.
        !shadow.faces.is_empty()
    }
}

/// Twice the area of a triangle; above 0 if it turns to the left.
fn turn(p: Corner, q: Corner, r: Corner) -> f32 {
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
}

/// Leaves of some places the corners of their convex hull, turning to the left: Andrew's chains
/// (1979).
fn surround(places: &mut Vec<Corner>) {
    places.sort_unstable_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
    places.dedup();
    let count = places.len();
    // The chain below, and then the one above, go to the end of the list.
    let mut chain = |order: &mut dyn Iterator<Item = usize>| {
        let start = places.len();
        for i in order {
            let next = places[i];
            while places.len() >= start + 2
                && turn(places[places.len() - 2], places[places.len() - 1], next) <= 0.0
            {
                places.pop();
            }
            places.push(next);
        }
        // The last place begins the other chain.
        if places.len() > start + 1 {
            places.pop();
        }
    };
    chain(&mut (0..count));
    chain(&mut (0..count).rev());
    places.drain(..count);
}

/// Bounds of what both outlines share, with their pads: those of A's clipped by the sides of B's.
fn common([a, b]: &[Shadow; 2], [left, next]: &mut [Vec<Corner>; 2]) -> Extent {
    left.clear();
    left.extend(&a.outline);
    let count = b.outline.len();
    for i in (0..count).filter(|_| count > 2) {
        let [p, q] = [b.outline[i], b.outline[(i + 1) % count]];
        let [x, y] = [q[0] - p[0], q[1] - p[1]];
        let length = (x * x + y * y).sqrt();
        let inside = |r: &Corner| turn(p, q, *r) + (a.pad + b.pad) * length;
        next.clear();
        for (r, s) in left.iter().zip(left.iter().cycle().skip(1)) {
            let [from, to] = [inside(r), inside(s)];
            if from >= 0.0 {
                next.push(*r);
            }
            if (from < 0.0) != (to < 0.0) {
                let f = from / (from - to);
                next.push([r[0] + f * (s[0] - r[0]), r[1] + f * (s[1] - r[1])]);
            }
        }
        std::mem::swap(left, next);
    }
    let mut extent = Extent::EMPTY;
    left.iter().for_each(|&[rho, h]| extent.add(Dot { rho, h, t: 0.0 }));
    if left.is_empty() { extent } else { extent.widened(a.pad, 0.0).at_any_time() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(seed: u32) -> impl FnMut() -> f32 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        }
    }

    fn shadow(places: &[Corner]) -> Shadow {
        let mut outline = places.to_vec();
        surround(&mut outline);
        Shadow { outline, pad: 0.01, ..Shadow::default() }
    }

    #[test]
    fn an_outline_holds_all_places_and_turns_to_the_left() {
        let mut number = numbers(2);
        for count in (1..60).cycle().take(300) {
            let places: Vec<Corner> =
                (0..count).map(|_| [number(), number()].map(|x| (4.0 * x).round())).collect();
            let outline = shadow(&places).outline;
            assert!(!outline.is_empty() && outline.iter().all(|p| places.contains(p)));
            for i in (0..outline.len()).filter(|_| outline.len() > 2) {
                let [p, q] = [outline[i], outline[(i + 1) % outline.len()]];
                assert!(places.iter().all(|r| turn(p, q, *r) >= 0.0), "{places:?} {outline:?}");
            }
        }
    }

    /// A place in both outlines, as a mean of corners of each, is in the bounds.
    #[test]
    fn what_is_in_both_outlines_is_in_the_bounds() {
        let mut number = numbers(5);
        let [mut apart, mut narrow] = [0, 0];
        for i in 0..2000 {
            let shift = [0.0, 1.0, 2.0][i % 3] * number();
            let mut places = |shift: f32| -> Vec<Corner> {
                (0..9).map(|_| [number() + shift, number()]).collect()
            };
            let [a, b] = [places(0.0), places(shift)];
            let shadows = [shadow(&a), shadow(&b)];
            let bounds = common(&shadows, &mut Default::default());
            apart += u32::from(bounds == Extent::EMPTY);
            narrow += u32::from(bounds.high.h - bounds.low.h < 1.0);
            for _ in 0..50 {
                let [x, y] = [2.0 * number(), number()];
                let holds = |shadow: &Shadow| {
                    let all = &shadow.outline;
                    let next = all.iter().cycle().skip(1);
                    all.iter().zip(next).all(|(p, q)| turn(*p, *q, [x, y]) >= 0.0)
                };
                let is_in = bounds.low.rho <= x && x <= bounds.high.rho;
                let is_in = is_in && bounds.low.h <= y && y <= bounds.high.h;
                assert!(is_in || !shadows.iter().all(holds), "{x} {y} {bounds:?}");
            }
        }
        assert!(apart > 100 && narrow > 300, "{apart} {narrow}");
    }
}
