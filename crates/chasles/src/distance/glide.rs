//! How near a cylinder or a cone comes to a mesh, or to another one, over a whole motion.
//!
//! In the frame of what stands, the cylinder moves on a screw: its middle `c` with `V = w x c + v`,
//! accelerated by `w x V`, and its axis `u` turns about `w`. Let `n` be any fixed unit direction. A
//! convex part of what stands that reaches as far as `p` along `n` is apart from the cylinder by at
//! least
//!
//! ```text
//! g(t) = n . c(t) - l |n . u(t)| - r |n x u(t)| - p          half its length l, its radius r
//! g(t) = n . c(t) + min(l n . u, -l n . u - r |n x u|) - p    a cone, its tip along u
//! ```
//!
//! and if `n` is the direction between the closest points at a time, `g` is the distance then. The
//! second derivative of `g` is nowhere above `M = |w x V| + (l + r) |w|²`: those of `n . u` and of
//! `n x u` are no longer than `|w|²`, and where absolute values or the least have kinks they only
//! bend `g` down. So `g - M t²/2` is concave, and over a while from `-h` to `h`
//!
//! ```text
//! g(t) >= min(g(-h), g(h)) - M h²/2
//! ```
//!
//! which is off by the square of `h` alone. Parts are faces with their borders, edges and vertices
//! without faces, or another cylinder.

use glam::{DMat3, DVec3};

use super::both_revolved::{Nearest, between_revolved};
use super::clearance::{Clearance, FIRST_PIECES, MOST_PAIRS, SPARED, WIDEST, While};
use super::from_revolved::{Search, from_revolved};
use super::leaf::Spot;
use super::revolved::Revolved;
use super::{Workspace, poses_at};
use crate::bounds::{Collider, Node};
use crate::motion::{Pose, Screw, Step};
use crate::numeric::Elementary;
use crate::round::Round;

/// What stands while a cylinder moves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Standing<'q> {
    /// A mesh, a point or a segment.
    Mesh(&'q Collider),
    /// Another cylinder.
    Revolved(&'q Round),
}

/// Which of the bodies of a step is the cylinder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moving {
    /// The first.
    A,
    /// The second.
    B,
}

/// The least distance of a cylinder and another body over a motion, as an interval no wider than
/// `width`.
///
/// *Accepts* a cylinder and what it moves past, any step of the two, and any width; the motion is
/// that of [`clearance`](super::clearance()). *Guarantees* that the distance at every time is at
/// least `lower`, that it is `upper` at `time`, and that they differ by the width at most, or by
/// rounding if that is more. If the bodies touch, `lower` is 0, and `upper` at most the width.
/// *Cost* some ten to a hundred distances, more where the other body turns far away from the
/// cylinder, which then goes a long way as that body sees it. *Fails* never; after 2^24 nodes the
/// interval is as wide as it is.
pub(crate) fn beside_revolved(
    standing: Standing<'_>,
    (cylinder, moving): (&Round, Moving),
    step: &Step,
    width: f64,
    workspace: &mut Workspace,
) -> Clearance {
    let seen = if moving == Moving::B { *step } else { step.swapped() };
    let mut glide = Glide::new(standing, cylinder, &seen);
    let start = told(standing, cylinder, (step, moving), 0.0, workspace);
    [glide.upper, glide.time] = [start.upper, 0.0];
    let lower = if start.upper > 0.0 {
        // The narrowest interval that rounding allows, or what was asked for if that is more.
        glide.search(SPARED * width.max(WIDEST * f64::EPSILON * glide.far()), workspace)
    } else {
        0.0
    };
    let found = told(standing, cylinder, (step, moving), glide.time, workspace);
    Clearance { lower: lower.max(0.0).min(found.upper), pairs: glide.visits, ..found }
}

/// The distance at a time.
fn told(
    standing: Standing<'_>,
    cylinder: &Round,
    (step, moving): (&Step, Moving),
    time: f64,
    workspace: &mut Workspace,
) -> Clearance {
    let mut poses = poses_at(step, time);
    if moving == Moving::A {
        poses.reverse();
    }
    let (gap, [p, q], normal) = match standing {
        Standing::Mesh(mesh) => {
            let found = from_revolved(mesh, cylinder, poses, workspace);
            (found.gap, found.points, found.normal)
        }
        Standing::Revolved(other) => {
            let found = between_revolved([other, cylinder], poses);
            (found.gap, found.points, found.normal)
        }
    };
    // Bodies that touch share a point.
    let points = if gap > 0.0 { [p, q] } else { [0.5 * (p + q); 2] };
    let (points, normal) = match moving {
        Moving::B => (points, normal),
        Moving::A => ([points[1], points[0]], -normal),
    };
    Clearance { lower: 0.0, upper: gap.max(0.0), time, points, normal, pairs: 0 }
}

/// Roundings of coordinates in a bound.
const ROUNDINGS: f64 = 64.0;

/// What is known of a motion so far.
struct Glide<'q> {
    standing: Place<'q>,
    cylinder: &'q Round,
    step: &'q Step,
    upper: f64,
    time: f64,
    /// The distance is at least this in all whiles that need not be looked at any more.
    lower: f64,
    visits: u64,
    /// Bounds are wrong by this at most: some dozens of roundings of coordinates.
    noise: f64,
}

/// What stands, in its local frame.
enum Place<'q> {
    Mesh(&'q Collider),
    Revolved(Revolved, DVec3),
}

impl Place<'_> {
    fn pivot(&self) -> DVec3 {
        match self {
            Self::Mesh(mesh) => mesh.pivot(),
            Self::Revolved(_, pivot) => *pivot,
        }
    }

    fn radius(&self) -> f64 {
        match self {
            Self::Mesh(mesh) => mesh.radius(),
            Self::Revolved(cylinder, _) => cylinder.half.hypotenuse(cylinder.radius),
        }
    }
}

/// The middle of a round body, in its frame.
fn middle(round: &Round) -> DVec3 {
    let [from, to] = round.ends();
    0.5 * from + 0.5 * to
}

/// A cylinder on a screw for a while.
struct Gliding {
    /// In the middle of the while, and at its ends.
    middle: Revolved,
    ends: [Revolved; 2],
    /// No part comes nearer along a fixed direction than at an end of the while by more than this.
    bend: f64,
    /// No point goes farther.
    travel: f64,
}

impl Gliding {
    /// How far from a part that reaches so far along a direction the cylinder stays.
    fn stays(&self, toward: DVec3, reach: f64) -> f64 {
        let low = self.ends.map(|cylinder| -cylinder.extent(-toward));
        low[0].min(low[1]) - self.bend - reach
    }
}

/// One relative screw, from the pivot of what stands.
struct Way {
    screw: Screw,
    /// The cylinder at the start.
    start: Revolved,
    times: [f64; 2],
}

impl Way {
    fn at(&self, time: f64) -> Revolved {
        let pose = self.screw.pose_at(time);
        let turn = DMat3::from_quat(pose.rotation());
        let Revolved { centre, axis, .. } = self.start;
        Revolved { centre: pose.point(centre), axis: turn * axis, ..self.start }
    }

    fn during(&self, whole: &While) -> Gliding {
        let (angular, half) = (self.screw.angular(), whole.half());
        let middle = self.at(whole.middle());
        let flow = angular.cross(middle.centre) + self.screw.linear();
        let Revolved { half: long, radius, .. } = middle;
        let most = angular.cross(flow).length() + (long + radius) * angular.length_squared();
        Gliding {
            middle,
            ends: [whole.from, whole.to].map(|time| self.at(time)),
            bend: 0.5 * most * half * half,
            travel: half * (flow.length() + angular.length() * long.hypotenuse(radius)),
        }
    }
}

impl<'q> Glide<'q> {
    fn new(standing: Standing<'q>, cylinder: &'q Round, step: &'q Step) -> Self {
        let standing = match standing {
            Standing::Mesh(mesh) => Place::Mesh(mesh),
            Standing::Revolved(round) => {
                let pivot = middle(round);
                Place::Revolved(Revolved::new(round, &Pose::IDENTITY, pivot), pivot)
            }
        };
        let [upper, lower] = [f64::INFINITY; 2];
        let mut glide =
            Self { standing, cylinder, step, upper, time: 0.0, lower, visits: 0, noise: 0.0 };
        glide.noise = ROUNDINGS * f64::EPSILON * glide.far();
        glide
    }

    fn way(&self, part: u32) -> Way {
        let part = self.step.part(part);
        let pivots = [self.standing.pivot(), middle(self.cylinder)];
        let (screw, turn, centre) = part.about(pivots);
        let [from, to] = self.cylinder.ends();
        let axis = turn * (to - from).normalize_or_zero();
        let start = Revolved::new(self.cylinder, &Pose::IDENTITY, middle(self.cylinder));
        Way { screw, start: Revolved { centre, axis, ..start }, times: part.times() }
    }

    /// The largest coordinate.
    fn far(&self) -> f64 {
        let own = self.cylinder.half_length().hypotenuse(self.cylinder.radius());
        let far = |part: u32| self.way(part).start.centre.length();
        (0..self.step.parts()).map(far).fold(own + self.standing.radius(), f64::max)
    }

    /// A lower bound for all times, by halving the while with the least bound.
    fn search(&mut self, width: f64, workspace: &mut Workspace) -> f64 {
        workspace.whiles.clear();
        for part in 0..self.step.parts() {
            for i in 0..FIRST_PIECES {
                let [from, to] = [i, i + 1].map(|i| f64::from(i) / f64::from(FIRST_PIECES));
                self.look(While { lower: 0.0, part, from, to, leaves: None }, workspace);
            }
        }
        while self.upper > 0.0
            && let Some(next) = workspace.whiles.pop()
        {
            if next.lower >= self.upper - width || self.visits >= MOST_PAIRS {
                return self.lower.min(next.lower);
            }
            if self.stays_apart(&next, self.upper - width) {
                self.lower = self.lower.min(self.upper - width);
                continue;
            }
            let middle = next.middle();
            self.look(While { to: middle, ..next }, workspace);
            self.look(While { from: middle, ..next }, workspace);
        }
        if self.upper > 0.0 { self.lower.min(self.upper) } else { 0.0 }
    }

    /// Finds the distance in the middle of a while, if it is less than all that is known, and keeps
    /// the while: no point moves farther from there than its speed says.
    fn look(&mut self, whole: While, workspace: &mut Workspace) {
        let way = self.way(whole.part);
        let gliding = way.during(&whole);
        let gap = self.nearer(gliding.middle, workspace);
        if gap < self.upper {
            self.upper = gap.max(0.0);
            self.time = way.times[0] + whole.middle() * (way.times[1] - way.times[0]);
        }
        let lower = (gap - gliding.travel - self.noise).max(whole.lower);
        workspace.whiles.push(While { lower, ..whole });
    }

    /// The distance of a cylinder from what stands, if it is less than all that is known, which it
    /// is else.
    fn nearer(&mut self, cylinder: Revolved, workspace: &mut Workspace) -> f64 {
        match &self.standing {
            Place::Mesh(mesh) => {
                let mut search = Search::new(mesh, cylinder, self.upper);
                search.run(&mut workspace.nodes);
                self.visits += search.visits;
                search.best.gap
            }
            Place::Revolved(own, _) => {
                self.visits += 1;
                Nearest::new(own, &cylinder).gap.min(self.upper)
            }
        }
    }

    /// Whether the bodies are at least `goal` apart for all of a while.
    fn stays_apart(&mut self, whole: &While, goal: f64) -> bool {
        let gliding = self.way(whole.part).during(whole);
        let goal = goal + self.noise;
        match &self.standing {
            Place::Mesh(mesh) => {
                let leaves = Leaves { mesh, gliding: &gliding, goal };
                leaves.stay_apart(0, &mut self.visits)
            }
            Place::Revolved(own, _) => {
                self.visits += 1;
                let found = Nearest::new(own, &gliding.middle);
                found.gap > 0.0 && gliding.stays(found.away, own.extent(found.away)) >= goal
            }
        }
    }
}

/// The parts of a mesh beside a cylinder that moves.
struct Leaves<'q> {
    mesh: &'q Collider,
    gliding: &'q Gliding,
    goal: f64,
}

impl Leaves<'_> {
    /// Whether all below a node stay apart.
    fn stay_apart(&self, number: u32, visits: &mut u64) -> bool {
        *visits += 1;
        let node = &self.mesh.nodes()[number as usize];
        let Gliding { middle, travel, .. } = self.gliding;
        if middle.distance(node.centre).0 - node.half.length() - travel >= self.goal {
            return true;
        }
        if node.is_leaf() {
            return self.leaf_stays_apart(node);
        }
        (node.child..node.child + 2).all(|child| self.stay_apart(child, visits))
    }

    fn leaf_stays_apart(&self, node: &Node) -> bool {
        let mesh = self.mesh.mesh();
        let lone_edge = |e: &u32| mesh.edge_sides(*e).is_empty();
        let lone_vertex = |v: &u32| mesh.vertex_edges(*v).is_empty();
        let faces = node.faces.clone().all(|f| {
            self.part_stays_apart(mesh.face(f), |search: &mut Search<'_>| search.whole_face(f))
        });
        let edges = || {
            node.edges.clone().filter(lone_edge).all(|e| {
                let ends = mesh.edge(e);
                self.part_stays_apart(&ends, |search: &mut Search<'_>| search.whole_edge(e))
            })
        };
        let vertices = || {
            node.vertices.clone().filter(lone_vertex).all(|v| {
                let look = |search: &mut Search<'_>| {
                    search.look(self.mesh.local(v), Spot::Vertex(v));
                };
                self.part_stays_apart(&[v], look)
            })
        };
        faces && edges() && vertices()
    }

    /// Whether the hull of some vertices stays apart, along the direction between the closest
    /// points in the middle of the while.
    fn part_stays_apart(&self, corners: &[u32], look: impl Fn(&mut Search<'_>)) -> bool {
        let mut search = Search::new(self.mesh, self.gliding.middle, f64::INFINITY);
        look(&mut search);
        if search.best.gap <= 0.0 {
            return false;
        }
        let toward = -search.best.away;
        let along = corners.iter().map(|&v| self.mesh.local(v).dot(toward));
        let reach = along.fold(f64::NEG_INFINITY, f64::max);
        self.gliding.stays(toward, reach) >= self.goal
    }
}
