//! How bodies in each other are separated by a translation.

use std::sync::OnceLock;

use glam::{DMat3, DVec3};

use super::polytope::{self, Out};
use super::scene::Scene;
use super::search::Ending;
use super::{Workspace, distance};
use crate::bounds::Collider;
use crate::contact::Options;
use crate::mesh::{Polygons, Polyhedron};
use crate::motion::{Motion, Pose, Step};
use crate::numeric::Elementary;
use crate::{near, screw};

/// A translation that separates two bodies. Every field is valid whenever a `Penetration` exists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penetration {
    /// Added to B's position, it leaves the bodies in touch and not in each other; in the world
    /// frame.
    pub translation: DVec3,
    /// No shorter translation separates the bodies.
    pub lower: f64,
    /// Unit, from A to B where they touch then, in the world frame.
    pub normal: DVec3,
    /// Whether the translation is the shortest, up to rounding: of convex bodies, and of others
    /// where the bound happens to reach it.
    pub exact: bool,
}

/// Lengths this part of the size apart are equal.
const SAME: f64 = 1e-12;

/// A translation of B that separates two bodies in each other; none if they are not.
///
/// *Accepts* any two colliders and any poses. *Guarantees* that the bodies touch after the
/// translation and do not overlap, by what [`distance`] calls overlapping, and that no translation
/// shorter than `lower` separates them. Of convex bodies it is the shortest there is, and `exact`.
/// Of others it is the shortest of those found along some hundred directions, each the way back to
/// the first contact from outside; neither its length nor the bound is *the* depth. The bound is
/// that of balls inside the bodies; it is 0 where both are open. *Cost* of convex bodies a hull of
/// those corners of their difference that are near the shortest way: a few dozen, and all of them
/// if every way is about as long, as of balls with one middle; else about 150 queries for a first
/// contact. The first query of a body judges whether it is convex, in linear time. It allocates.
/// *Fails* never; beyond 262,144 corners `exact` is false.
///
/// ```
/// use chasles::distance::{Workspace, penetration};
/// use chasles::mesh::shapes::{Cuboid, Shape};
/// use chasles::{Collider, Pose, glam::DVec3};
///
/// let cube = Collider::new(Shape::Box(Cuboid { size: [1.0; 3] }).build()?);
/// let poses = [Pose::IDENTITY, Pose::from_position([0.25, 0.875, 0.25])?];
/// let found = penetration(&cube, &cube, poses, &mut Workspace::new()).expect("they overlap");
/// assert!(found.exact && found.translation.abs_diff_eq(DVec3::Y * 0.125, 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn penetration(
    a: &Collider,
    b: &Collider,
    poses: [Pose; 2],
    workspace: &mut Workspace,
) -> Option<Penetration> {
    let found = distance(a, b, poses, workspace);
    if !found.overlaps {
        return None;
    }
    let b_in_a = poses[0].inverse_after(&poses[1]);
    let pair = Pair::new(a, b, b_in_a);
    let first = poses[0].inverse().vector(found.normal);
    let way = match pair.convex_way(&mut workspace.stack) {
        Some(way) => way,
        None => pair.shortest_way(first, workspace),
    };
    let way = pair.made_free(way, workspace);
    let translation = poses[0].vector(way.translation);
    let length = translation.length();
    let lower = way.lower.min(length);
    Some(Penetration {
        translation,
        lower,
        normal: poses[0].vector(way.normal),
        exact: length - lower <= SAME * pair.size,
    })
}

/// A translation of B in A's frame.
#[derive(Clone, Copy, Debug)]
struct Way {
    translation: DVec3,
    normal: DVec3,
    lower: f64,
}

/// How far B goes out along a direction until it is free, and where it touches last.
#[derive(Clone, Copy, Debug)]
struct Exit {
    toward: DVec3,
    length: f64,
    /// At the touch, from A to B.
    normal: DVec3,
    point: DVec3,
}

/// Two bodies in the frame of A.
struct Pair<'c> {
    a: &'c Collider,
    b: &'c Collider,
    b_in_a: Pose,
    size: f64,
}

/// Directions that are tried first: about 25 degrees apart.
const DIRECTIONS: u32 = 64;

/// Of the first ways out so many are made shorter.
const REFINED: usize = 6;

/// Steps of one refinement at most.
const STEPS: u32 = 12;

/// How far directions next to the best are tried, in radians; then halves of it.
const ASIDE: f64 = 0.3;

/// Halvings of that.
const HALVINGS: u32 = 5;

impl<'c> Pair<'c> {
    fn new(a: &'c Collider, b: &'c Collider, b_in_a: Pose) -> Self {
        Self { a, b, b_in_a, size: a.radius() + b.radius() }
    }

    /// The shortest way of convex bodies.
    fn convex_way(&self, stack: &mut Vec<u32>) -> Option<Way> {
        if !(self.a.is_convex() && self.b.is_convex()) {
            return None;
        }
        let farthest = |toward: DVec3| {
            let [end, start] = self.ends(toward, stack);
            end - start
        };
        let Out { toward, length, lower } = polytope::out(farthest, self.size)?;
        Some(Way { translation: length * toward, normal: toward, lower })
    }

    /// The point of A farthest along a direction, and that of B farthest against it.
    fn ends(&self, toward: DVec3, stack: &mut Vec<u32>) -> [DVec3; 2] {
        let of_a = farthest(self.a, toward, stack);
        let of_b = farthest(self.b, self.b_in_a.inverse().vector(-toward), stack);
        [self.a.mesh().position(of_a), self.b_in_a.point(self.b.mesh().position(of_b))]
    }

    /// How far B goes along a unit direction until the hulls are apart, and a little farther.
    fn apart(&self, toward: DVec3, stack: &mut Vec<u32>) -> f64 {
        let [end, start] = self.ends(toward, stack);
        (end - start).dot(toward) + APART * self.size
    }

    /// The shortest of many ways.
    fn shortest_way(&self, first: DVec3, workspace: &mut Workspace) -> Way {
        let middles = self.b_in_a.point(middle(self.b)) - middle(self.a);
        let given = [first, middles.normalize_or(first)];
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let turned = axes.map(|axis| self.b_in_a.vector(axis));
        let along = axes.into_iter().chain(turned).flat_map(|axis| [axis, -axis]);
        let directions = given.into_iter().chain(along).chain(spread());
        let mut exits: Vec<Exit> = directions.map(|d| self.exit(d, workspace)).collect();
        exits.sort_by(|p, q| p.length.total_cmp(&q.length));
        exits.truncate(REFINED);
        for exit in &mut exits {
            self.follow_normals(exit, workspace);
        }
        exits.sort_by(|p, q| p.length.total_cmp(&q.length));
        let mut best = exits[0];
        self.look_aside(&mut best, workspace);
        self.follow_normals(&mut best, workspace);
        exits.push(best);
        let lower = self.bound(&exits, workspace);
        Way { translation: best.length * best.toward, normal: best.normal, lower }
    }

    /// The way out along a unit direction: from where the hulls are apart back to the first
    /// contact.
    fn exit(&self, toward: DVec3, workspace: &mut Workspace) -> Exit {
        // The bodies do not touch at the start.
        let length = self.apart(toward, &mut workspace.stack);
        let out = self.moved(length * toward);
        let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(out, self.b_in_a));
        let closed = [self.a, self.b].iter().all(|body| body.is_closed());
        let options = Options { first_only: true, facing: closed, ..Options::default() };
        let memory = workspace.screw.get_or_insert_default();
        match screw::contacts(self.a, self.b, &step, &options, memory).first() {
            Some(first) => Exit {
                toward,
                length: length * (1.0 - first.time),
                normal: first.normal_in_a,
                point: first.point_in_a,
            },
            // Bodies in each other meet on the way; if rounding hides it, the hulls are apart.
            None => Exit { toward, length, normal: toward, point: middle(self.a) },
        }
    }

    fn moved(&self, by: DVec3) -> Pose {
        Pose::from_valid(self.b_in_a.position() + by, self.b_in_a.rotation())
    }

    /// Takes the normal of the touch for the direction as long as that is shorter: the plane of the
    /// touch is nearest along its normal.
    fn follow_normals(&self, exit: &mut Exit, workspace: &mut Workspace) {
        for _ in 0..STEPS {
            let next = self.exit(exit.normal, workspace);
            if next.length >= exit.length * (1.0 - SAME) {
                return;
            }
            *exit = next;
        }
    }

    /// Tries directions around the best, nearer and nearer.
    fn look_aside(&self, best: &mut Exit, workspace: &mut Workspace) {
        let mut angle = ASIDE;
        for _ in 0..HALVINGS {
            let (u, v) = best.toward.any_orthonormal_pair();
            let aside = [u, v, -u, -v, u + v, u - v, -u - v, v - u];
            let tries = aside.map(|aside| (best.toward + angle * aside).normalize());
            let exits = tries.map(|toward| self.exit(toward, workspace));
            let least = exits.into_iter().min_by(|p, q| p.length.total_cmp(&q.length));
            match least {
                Some(exit) if exit.length < best.length => *best = exit,
                _ => angle *= 0.5,
            }
        }
    }

    /// The way, made longer by as little as rounding asks for until the bodies are not in each
    /// other.
    fn made_free(&self, mut way: Way, workspace: &mut Workspace) -> Way {
        let toward = way.translation.try_normalize().unwrap_or(way.normal);
        let mut more = FIRST_MORE * self.size;
        for _ in 0..=MOST_MORE {
            let poses = [Pose::IDENTITY, self.moved(way.translation)];
            if !distance(self.a, self.b, poses, workspace).overlaps {
                return way;
            }
            way.translation += more * toward;
            more *= 4.0;
        }
        // Beyond all of A nothing overlaps.
        way.translation = self.apart(toward, &mut workspace.stack) * toward;
        way
    }

    /// No translation shorter than this separates the bodies.
    ///
    /// Let a ball of radius `r` about `x` be inside A and one of radius `s` about `y` inside B.
    /// They share a point, and so do the bodies, until B has moved by `r + s - |x - y|`. Centres
    /// are looked for behind the places where the bodies touch last, and at vertices, which are
    /// balls without radius of their own body.
    fn bound(&self, exits: &[Exit], workspace: &mut Workspace) -> f64 {
        let mut balls = Balls { pair: self, inside: [Vec::new(), Vec::new()] };
        for exit in exits {
            for part in [0.25, 0.5, 1.0, 2.0, 4.0] {
                let inward = part * exit.length * exit.normal;
                balls.add(exit.point - inward, workspace);
                balls.add(exit.point - exit.length * exit.toward + inward, workspace);
            }
        }
        let of_a = sample(self.a).map(|vertex| (0, vertex));
        let of_b = sample(self.b).map(|vertex| (1, self.b_in_a.point(vertex)));
        for (body, vertex) in of_a.chain(of_b) {
            balls.inside[body].push((vertex, 0.0));
            balls.add(vertex, workspace);
        }
        let mut lower = 0.0_f64;
        for (x, r) in &balls.inside[0] {
            for (y, s) in &balls.inside[1] {
                lower = lower.max(r + s - x.distance(*y));
            }
        }
        (lower - SAME * self.size).max(0.0)
    }
}

/// Balls in A's frame that are inside A, and those inside B.
struct Balls<'p> {
    pair: &'p Pair<'p>,
    inside: [Vec<(DVec3, f64)>; 2],
}

impl Balls<'_> {
    /// Adds the largest balls about a point, if that is inside a body.
    fn add(&mut self, centre: DVec3, workspace: &mut Workspace) {
        let Pair { a, b, b_in_a, .. } = self.pair;
        let places = [(a, centre), (b, b_in_a.inverse().point(centre))];
        for ((collider, place), balls) in places.into_iter().zip(&mut self.inside) {
            if let Some(radius) = depth(collider, place, workspace) {
                balls.push((centre, radius));
            }
        }
    }
}

/// Hulls are this part of the size apart where ways out begin: above rounding, and nothing beside a
/// way.
const APART: f64 = 1e-6;

/// A way is first made longer by this part of the size: the rounding of a contact's time.
const FIRST_MORE: f64 = 1e-14;

/// Each time four times as much: the last is 1e-7 of the size, as much as bodies in touch may be in
/// each other.
const MOST_MORE: u32 = 12;

/// Vertices of a body that are looked at.
const SAMPLES: usize = 48;

fn sample(collider: &Collider) -> impl Iterator<Item = DVec3> {
    let points = collider.mesh().positions();
    let taken = points.len().min(SAMPLES);
    (0..taken).map(move |i| points[i * points.len() / taken])
}

/// Directions that are spread evenly, along a spiral.
fn spread() -> impl Iterator<Item = DVec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..DIRECTIONS).map(move |i| {
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(DIRECTIONS);
        let (sin, cos) = (golden * f64::from(i)).sine_cosine();
        let across = (1.0 - z * z).sqrt();
        DVec3::new(across * cos, across * sin, z)
    })
}

/// The vertex that is farthest along a direction of the body's frame, up to rounding.
fn farthest(collider: &Collider, toward: DVec3, stack: &mut Vec<u32>) -> u32 {
    let nodes = collider.nodes();
    let reach = |number: u32| {
        let node = &nodes[number as usize];
        node.centre.dot(toward) + node.half.dot(toward.abs())
    };
    let mut best = (f64::NEG_INFINITY, 0);
    stack.clear();
    stack.push(0);
    while let Some(number) = stack.pop() {
        if reach(number) <= best.0 {
            continue;
        }
        let node = &nodes[number as usize];
        if !node.is_leaf() {
            let [p, q] = [node.child, node.child + 1];
            stack.extend(if reach(p) < reach(q) { [p, q] } else { [q, p] });
            continue;
        }
        for v in node.vertices.clone() {
            let along = collider.local(v).dot(toward);
            if along > best.0 {
                best = (along, v);
            }
        }
    }
    best.1
}

fn middle(collider: &Collider) -> DVec3 {
    collider.nodes()[0].centre + collider.pivot()
}

/// The radius of the largest ball about a point of the body's frame that is inside the body; none
/// if the point is not.
fn depth(collider: &Collider, point: DVec3, workspace: &mut Workspace) -> Option<f64> {
    let local = point - collider.pivot();
    let is_inside =
        collider.is_closed() && near::contains(collider, local, 0.0, &mut workspace.stack);
    let dot = dot().filter(|_| is_inside)?;
    match workspace.search.run(&Scene::placed(collider, dot, DMat3::IDENTITY, local)) {
        Ending::Apart(distance, _) => Some(distance),
        Ending::Crossing(_) => None,
    }
}

/// A body that is a point.
fn dot() -> Option<&'static Collider> {
    static DOT: OnceLock<Option<Collider>> = OnceLock::new();
    let make = || {
        let polygons =
            Polygons { vertices: vec![DVec3::ZERO], points: vec![0], ..Polygons::default() };
        Polyhedron::new(&polygons).ok().map(Collider::new)
    };
    DOT.get_or_init(make).as_ref()
}
