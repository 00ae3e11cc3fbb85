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

use glam::{DMat3, DVec3};
use wide::f64x4;

use super::leaf::{Extent, Leaves};
use super::scene::{Lanes, Scene, cross, dot};
use super::segment::{Segment, closest};
use crate::bounds::Node;
use crate::contact::locate::{Place, in_polygon};
use crate::motion::Screw;

/// How often pairs of features halve a while for themselves, at most.
const LEVELS: usize = 4;

/// How B moves in A's local frame around a time.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    angular: DVec3,
    /// Velocity of what is at the origin.
    linear: DVec3,
    /// Half the while.
    half: f64,
    /// How what is there in the middle of the while lies in the middle of its halves, of their
    /// halves, and so on: rotations and shifts.
    placed: [(DMat3, DVec3); 2 << LEVELS],
}

/// A while, or a half of one, or a half of that.
#[derive(Clone, Copy, Debug)]
struct Share {
    level: u32,
    index: usize,
}

impl Share {
    const WHOLE: Self = Self { level: 0, index: 0 };

    fn halves(self) -> [Self; 2] {
        [0, 1].map(|i| Self { level: self.level + 1, index: 2 * self.index + i })
    }

    fn place(self) -> usize {
        (1 << self.level) + self.index
    }

    /// Its middle, in half whiles from the middle of the whole.
    fn time(self) -> f64 {
        let count = f64::from(1_u32 << self.level);
        (2.0 * self.index as f64 + 1.0 - count) / count
    }
}

impl Sweep {
    pub(super) fn new(screw: &Screw, half: f64) -> Self {
        let mut placed = [(DMat3::IDENTITY, DVec3::ZERO); 2 << LEVELS];
        for level in 0..=LEVELS as u32 {
            for index in 0..1 << level {
                let share = Share { level, index };
                let pose = screw.pose_at(half * share.time());
                placed[share.place()] = (DMat3::from_quat(pose.rotation()), pose.position());
            }
        }
        Self { angular: screw.angular(), linear: screw.linear(), half, placed }
    }

    /// Where a point of B is in the middle of a share.
    #[inline]
    fn moved(&self, share: Share, point: DVec3) -> DVec3 {
        let (turn, shift) = &self.placed[share.place()];
        *turn * point + *shift
    }

    /// Half a share.
    fn half_of(&self, share: Share) -> f64 {
        self.half / f64::from(1_u32 << share.level)
    }

    /// A lower bound by those of shares, which are halved where they are below `wanted`.
    fn by_shares(&self, share: Share, wanted: f64, bound: &impl Fn(Share) -> f64) -> f64 {
        let lower = bound(share);
        if lower >= wanted || share.level as usize == LEVELS {
            return lower;
        }
        let halves = share.halves().map(|half| self.by_shares(half, wanted, bound));
        lower.max(halves[0].min(halves[1]))
    }

    #[inline]
    fn flow(&self, point: DVec3) -> DVec3 {
        self.angular.cross(point) + self.linear
    }

    /// How much nearer a point comes along a unit direction at most.
    #[inline]
    fn approach(&self, toward: DVec3, point: DVec3, half: f64) -> f64 {
        let flow = self.flow(point);
        let bend = self.angular.cross(flow);
        let third = self.angular.length() * bend.length();
        nearest([toward.dot(flow).abs(), toward.dot(bend), third], half)
    }

    /// How far a point moves at most.
    #[inline]
    fn travel(&self, point: DVec3, half: f64) -> f64 {
        half * self.flow(point).length()
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
    fn new(p: &'s Segment, q: &'s Segment) -> Self {
        let (places, square) = closest(p, q, f64::INFINITY).unwrap_or(([0.0; 2], 0.0));
        Self { p, q, places, distance: square.sqrt() }
    }

    /// A lower bound of the distance of the edges over a while.
    fn bound(&self, sweep: &Sweep, half: f64) -> f64 {
        let [p, q] = [self.p.at(self.places[0]), self.q.at(self.places[1])];
        let Some(toward) = (q - p).try_normalize() else { return 0.0 };
        let fixed = self.bound_along(sweep, half, [toward, DVec3::ZERO]);
        let turn = self.turn(sweep, toward);
        // A bound that cannot be better need not be found.
        if turn.length() * half > FASTEST || turn == DVec3::ZERO || fixed >= self.distance {
            return fixed;
        }
        fixed.max(self.bound_along(sweep, half, [toward, turn]))
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
    fn bound_along(&self, sweep: &Sweep, half: f64, [toward, turn]: [DVec3; 2]) -> f64 {
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

/// What is known of the distance over a while.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swept {
    /// It is at least this at all times.
    pub(super) lower: f64,
    /// It is at most this in the middle.
    pub(super) upper: f64,
}

impl Leaves {
    /// Looks at all pairs of features of two leaves that may come nearer than what is known.
    pub(super) fn sweep(
        &mut self,
        scene: &Scene,
        numbers: [u32; 2],
        sweep: &Sweep,
        swept: &mut Swept,
    ) {
        let nodes = [&scene.a.nodes()[numbers[0] as usize], &scene.b.nodes()[numbers[1] as usize]];
        let other = Extent::new(scene.b.fitted().of(numbers[1]));
        let sides = other.sides.map(|side| scene.turn * side);
        let approach =
            |toward: DVec3| sweep.approach_of_box(toward, scene.point(other.centre), sides);
        let reach = self.gather(scene, numbers, nodes, |toward| swept.lower + approach(toward));
        self.swept_edges(sweep, reach, swept);
        for owner in [0, 1] {
            self.swept_heights(scene, (owner, nodes[owner]), sweep, swept);
        }
    }

    /// Pairs of edges. `reach` is how far apart along the line of the middles they may be.
    fn swept_edges(&self, sweep: &Sweep, reach: f64, swept: &mut Swept) {
        for q in &self.bars[1] {
            let ends = q.ends.ends();
            let travel =
                ends.map(|end| sweep.travel(end, sweep.half)).into_iter().fold(0.0, f64::max);
            for p in &self.bars[0] {
                if -q.toward - p.toward >= reach {
                    continue;
                }
                let least = swept.lower + travel;
                let Some((_, square)) = closest(&p.ends, &q.ends, least * least) else {
                    continue;
                };
                let bound = |share: Share| {
                    let moved = Segment::new(ends.map(|end| sweep.moved(share, end)));
                    Crosswise::new(&p.ends, &moved).bound(sweep, sweep.half_of(share))
                };
                let lower = sweep.by_shares(Share::WHOLE, swept.lower, &bound);
                swept.lower = swept.lower.min(lower);
                swept.upper = swept.upper.min(square.sqrt());
            }
        }
    }

    /// Vertices of the other body over faces of `owner`. One whose foot is farther from the face
    /// than it moves is not over it in this while; what it comes near is an edge.
    fn swept_heights(
        &self,
        scene: &Scene,
        (owner, node): (usize, &Node),
        sweep: &Sweep,
        swept: &mut Swept,
    ) {
        let collider = [scene.a, scene.b][owner];
        let mesh = collider.mesh();
        for face in node.faces.clone() {
            let [normal, origin] = [mesh.normal(face), collider.face_local(face)];
            let toward = if owner == 0 { normal } else { scene.turn * normal };
            let ring = mesh.face(face);
            let corner = |i: usize| collider.local(ring[i]);
            for &(vertex, at) in &self.vertices[1 - owner] {
                let in_a = if owner == 0 { at } else { scene.a.local(vertex) };
                let height = |at: DVec3| normal.dot(at - origin);
                let is_over = |at: DVec3, margin: f64| {
                    let foot = at - height(at) * normal;
                    in_polygon(foot, normal, corner, ring.len(), margin) != Place::Outside
                };
                let bound = |share: Share| {
                    // As B sees it, points of A move the other way; shares of the one way are,
                    // in another order, those of the other.
                    let (half, moved) = (sweep.half_of(share), sweep.moved(share, in_a));
                    let at = if owner == 0 { moved } else { scene.point_in_b(moved) };
                    let outward = if height(at) < 0.0 { -toward } else { toward };
                    let lower = height(at).abs() - sweep.approach(outward, moved, half);
                    let margin = sweep.travel(moved, half) + scene.noise;
                    if lower < swept.lower && is_over(at, margin) { lower } else { f64::INFINITY }
                };
                let lower = sweep.by_shares(Share::WHOLE, swept.lower, &bound);
                swept.lower = swept.lower.min(lower);
                if height(at).abs() < swept.upper && is_over(at, 0.0) {
                    swept.upper = height(at).abs();
                }
            }
        }
    }
}
