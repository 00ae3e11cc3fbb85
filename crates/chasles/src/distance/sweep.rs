//! Lower bounds of the distance of two bodies over a while.
//!
//! As A sees it, a point `x` of B on a screw has the velocity `V(x) = w x x + v` and the
//! acceleration `w x V(x)`, both of constant size, and the next derivative is `w x (w x V)`. So in
//! a while of length `2 h` its way along a unit direction `n`, from the middle on, is
//!
//! ```text
//! s t + q t²/2 + r t³/6        s = n . V,   q = n . (w x V),   |r| <= |w| |w x V|,   |t| <= h
//! ```
//!
//! Let two convex parts be apart along `n` in the middle. Then they stay apart by the least of what
//! lies between corners of A's and of B's part along `n`, less the most that B's corner comes
//! nearer, since a way is linear in `x`. Where the distance is least, `s` vanishes at the closest
//! points; where B turns, `q` points to its axis, mostly away from A. So these bounds are off by
//! the cube of `h`, or by its square, where the speed of B alone gives bounds that are off by `h`.
//!
//! An edge of B that is nearest between its ends turns, and its ends have speeds of their own along
//! a fixed direction. There the direction turns too, `n + m t`, so that the edge stays across it:
//! `m . e = -n . (w x e)` for B's edge `e`, and `m . f = 0` for A's edge `f` if that is nearest
//! between its ends. With `y` from A's corner to B's, what lies between them is
//!
//! ```text
//! (n + m t) . (y + V t + a t²/2 + ..) / |n + m t|        a = w x V
//!    = (n . y + (n . V + m . y) t + (n . a + 2 m . V) t²/2 + r t³/6) / √(1 + m² t²)
//!    |r| <= 3 |m| |a| + |w| |a| (1 + |m| h)
//! ```

use glam::DVec3;
use wide::f64x4;

use super::leaf::{Extent, Leaves};
use super::scene::{Lanes, Scene, cross, dot};
use super::segment::{Segment, closest};
use crate::bounds::Node;
use crate::contact::locate::{Place, in_polygon};
use crate::motion::Screw;

/// How B moves in A's local frame around a time.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    angular: DVec3,
    /// Velocity of what is at the origin.
    linear: DVec3,
    /// Half the while.
    half: f64,
}

impl Sweep {
    pub(super) fn new(screw: &Screw, half: f64) -> Self {
        Self { angular: screw.angular(), linear: screw.linear(), half }
    }

    #[inline]
    fn flow(&self, point: DVec3) -> DVec3 {
        self.angular.cross(point) + self.linear
    }

    /// How much nearer a point comes along a unit direction at most.
    #[inline]
    fn approach(&self, toward: DVec3, point: DVec3) -> f64 {
        let flow = self.flow(point);
        let bend = self.angular.cross(flow);
        let third = self.angular.length() * bend.length();
        nearest([toward.dot(flow).abs(), toward.dot(bend), third], self.half)
    }

    /// How far a point moves at most.
    #[inline]
    fn travel(&self, point: DVec3) -> f64 {
        self.half * self.flow(point).length()
    }

    /// How much nearer a box of B comes, its middle and half sides in A's frame.
    fn approach_of_box(&self, toward: DVec3, centre: DVec3, sides: [DVec3; 3]) -> f64 {
        let w = self.angular;
        let flow = self.flow(centre);
        let bend = w.cross(flow);
        let turn = toward.cross(w);
        let across = turn.cross(w);
        let reach = |direction: DVec3| sides.iter().map(|s| s.dot(direction).abs()).sum::<f64>();
        let size: f64 = sides.iter().map(|side| side.length()).sum();
        let third = w.length() * (bend.length() + w.length_squared() * size);
        let speed = toward.dot(flow).abs() + reach(turn);
        nearest([speed, toward.dot(bend) - reach(across), third], self.half)
    }

    /// The same for four boxes and directions.
    #[inline]
    pub(super) fn approach_of_boxes(&self, toward: &[f64x4; 3], boxes: &Lanes) -> f64x4 {
        let angular = self.angular.to_array().map(f64x4::splat);
        let half = f64x4::splat(self.half);
        let turned = cross(&angular, &boxes.centre);
        let linear = self.linear.to_array().map(f64x4::splat);
        let flow = [0, 1, 2].map(|i| turned[i] + linear[i]);
        let bend = cross(&angular, &flow);
        let turn = cross(toward, &angular);
        let across = cross(&turn, &angular);
        let reach = |direction: &[f64x4; 3]| {
            dot(&boxes.axes.each_ref().map(|axis| dot(axis, direction).abs()), &boxes.half)
        };
        let size = boxes.half[0] + boxes.half[1] + boxes.half[2];
        let square = dot(&angular, &angular);
        let third = square.sqrt() * (dot(&bend, &bend).sqrt() + square * size);
        let speed = dot(toward, &flow).abs() + reach(&turn);
        let bent = dot(toward, &bend) - reach(&across);
        let top = (bent * half).simd_gt(speed).select(speed / bent, half);
        let third = third * f64x4::splat(self.half.powi(3) / 6.0);
        top * (speed - f64x4::splat(0.5) * top * bent) + third
    }
}

/// The most of `speed t - bend t²/2 + third t³/6` up to a time: a parabola that opens downward has
/// its top before, or else it is the end.
#[inline]
fn nearest([speed, bend, third]: [f64; 3], half: f64) -> f64 {
    let top = if bend * half > speed { speed / bend } else { half };
    top * (speed - 0.5 * top * bend) + half.powi(3) / 6.0 * third
}

/// Two edges, their closest places, and how far these are apart.
struct Crosswise<'s> {
    p: &'s Segment,
    q: &'s Segment,
    places: [f64; 2],
    distance: f64,
}

/// Directions that turn faster than this, in radians per while, are of no use.
const FASTEST: f64 = 1.0;

impl<'s> Crosswise<'s> {
    /// A lower bound of the distance of the edges over a while.
    fn bound(&self, sweep: &Sweep) -> f64 {
        let [p, q] = [self.p.at(self.places[0]), self.q.at(self.places[1])];
        let Some(toward) = (q - p).try_normalize() else { return 0.0 };
        let fixed = self.bound_along(sweep, [toward, DVec3::ZERO]);
        let turn = self.turn(sweep, toward);
        // A bound that cannot be better need not be found.
        if turn.length() * sweep.half > FASTEST || turn == DVec3::ZERO || fixed >= self.distance {
            return fixed;
        }
        fixed.max(self.bound_along(sweep, [toward, turn]))
    }

    /// How the direction turns with the edges.
    fn turn(&self, sweep: &Sweep, toward: DVec3) -> DVec3 {
        let is_between = |segment: &Segment, place: f64| place > 0.0 && place < segment.length;
        let [e, f] = [self.q.direction, self.p.direction];
        if !is_between(self.q, self.places[1]) {
            return DVec3::ZERO;
        }
        let wanted = -toward.dot(sweep.angular.cross(e));
        let along = if is_between(self.p, self.places[0]) { toward.cross(f) } else { e };
        let turn = along * (wanted / along.dot(e));
        if turn.is_finite() { turn } else { DVec3::ZERO }
    }

    /// The least that lies between corners along `toward`, which turns.
    fn bound_along(&self, sweep: &Sweep, [toward, turn]: [DVec3; 2]) -> f64 {
        let half = sweep.half;
        let mut least = f64::INFINITY;
        let [rate, w] = [turn.length(), sweep.angular.length()];
        for corner in self.q.ends() {
            let flow = sweep.flow(corner);
            let bend = sweep.angular.cross(flow);
            let third = bend.length() * (3.0 * rate + w * (1.0 + rate * half));
            let bent = toward.dot(bend) + 2.0 * turn.dot(flow);
            for from in self.p.ends() {
                let between = corner - from;
                let speed = (toward.dot(flow) + turn.dot(between)).abs();
                least = least.min(toward.dot(between) - nearest([speed, bent, third], half));
            }
        }
        // A positive one shrinks with the length of the direction.
        if least > 0.0 { least / (1.0 + (rate * half).powi(2)).sqrt() } else { least }
    }
}

impl Leaves {
    /// A lower bound of the distance of two leaves over a while, of at most `goal`: the first pair
    /// of features below it is the last that is looked at.
    pub(super) fn sweep(
        &mut self,
        scene: &Scene,
        numbers: [u32; 2],
        sweep: &Sweep,
        goal: f64,
    ) -> f64 {
        let nodes = [&scene.a.nodes()[numbers[0] as usize], &scene.b.nodes()[numbers[1] as usize]];
        let other = Extent::new(scene.b.fitted().of(numbers[1]));
        let sides = other.sides.map(|side| scene.turn * side);
        let approach =
            |toward: DVec3| sweep.approach_of_box(toward, scene.point(other.centre), sides);
        let reach = self.gather(scene, numbers, nodes, |toward| goal + approach(toward));
        self.swept_edges(sweep, reach, goal)
            .or_else(|| self.swept_heights(scene, (0, nodes[0]), sweep, goal))
            .or_else(|| self.swept_heights(scene, (1, nodes[1]), sweep, goal))
            .unwrap_or(goal)
    }

    /// A bound below `goal` of a pair of edges, if there is one. `reach` is how far apart along the
    /// line of the middles they may be.
    fn swept_edges(&self, sweep: &Sweep, reach: f64, goal: f64) -> Option<f64> {
        for q in &self.bars[1] {
            let travel = q.ends.ends().map(|end| sweep.travel(end)).into_iter().fold(0.0, f64::max);
            let near = goal + travel;
            for p in &self.bars[0] {
                if -q.toward - p.toward >= reach {
                    continue;
                }
                let [p, q] = [&p.ends, &q.ends];
                let Some((places, square)) = closest(p, q, near * near) else { continue };
                let lower = Crosswise { p, q, places, distance: square.sqrt() }.bound(sweep);
                if lower < goal {
                    return Some(lower);
                }
            }
        }
        None
    }

    /// A bound below `goal` of a vertex of the other body over a face of `owner`, if there is one.
    /// A vertex whose foot is farther from the face than it moves is not over it in this while;
    /// what it comes near is an edge.
    fn swept_heights(
        &self,
        scene: &Scene,
        (owner, node): (usize, &Node),
        sweep: &Sweep,
        goal: f64,
    ) -> Option<f64> {
        let collider = [scene.a, scene.b][owner];
        let mesh = collider.mesh();
        for face in node.faces.clone() {
            let [normal, origin] = [mesh.normal(face), collider.face_local(face)];
            let toward = if owner == 0 { normal } else { scene.turn * normal };
            let ring = mesh.face(face);
            let corner = |i: usize| collider.local(ring[i]);
            for &(vertex, at) in &self.vertices[1 - owner] {
                // As B sees it, points of A move the other way, and as far.
                let in_a = if owner == 0 { at } else { scene.a.local(vertex) };
                let height = normal.dot(at - origin);
                let outward = if height < 0.0 { -toward } else { toward };
                let lower = height.abs() - sweep.approach(outward, in_a);
                if lower >= goal {
                    continue;
                }
                let margin = sweep.travel(in_a) + scene.noise;
                let foot = at - height * normal;
                if in_polygon(foot, normal, corner, ring.len(), margin) != Place::Outside {
                    return Some(lower);
                }
            }
        }
        None
    }
}
