//! Every contact of a round body with a polyhedron is found, and nothing else, by an oracle that
//! knows only signed distances.
//!
//! The oracle takes the motion from its own power series in twice the precision, samples the signed
//! distance of each vertex, of each edge's line (by ternary search: the distance from a convex body
//! is convex) and of each face's plane (by the support function), and bisects each change of sign.
//! Of an ellipsoid it is what its quadratic form says, which has the same sign.

use chasles::glam::DVec3;
use chasles::round::{self, Contact, Feature, Options, Round, Workspace};
use chasles::{Collider, Motion, Polygons, Polyhedron, Pose, Step};
use chasles_testkit::cone::Cone;
use chasles_testkit::dd::{Dd, Vector};
use chasles_testkit::ellipsoid::Ellipsoid;
use chasles_testkit::generate::{self, Random};
use chasles_testkit::motion::{self, Path};
use chasles_testkit::query::collider;
use chasles_testkit::shapes;

/// The shape of the round body, in the words of the oracle.
#[derive(Clone, Copy, Debug)]
struct Shape {
    is_cylinder: bool,
    is_cone: bool,
    radius: f64,
    half: f64,
    /// Those of an ellipsoid, of which the last is along the axis.
    half_axes: Option<[f64; 3]>,
}

/// A sphere, of which others have some more.
const BALL: Shape =
    Shape { is_cylinder: false, is_cone: false, radius: 1.0, half: 0.0, half_axes: None };

/// The round body placed.
#[derive(Clone, Copy, Debug)]
struct Placed {
    shape: Shape,
    centre: DVec3,
    axis: DVec3,
    egg: Option<Ellipsoid>,
    cone: Option<Cone>,
}

impl Placed {
    /// Signed distance of a point, negative inside.
    fn distance(&self, x: DVec3) -> f64 {
        if let Some(egg) = &self.egg {
            return egg.distance(x);
        }
        if let Some(cone) = &self.cone {
            return cone.distance(x);
        }
        let Shape { is_cylinder, radius, half, .. } = self.shape;
        let along = (x - self.centre).dot(self.axis);
        if !is_cylinder {
            let nearest = self.centre + self.axis * along.max(-half).min(half);
            return (x - nearest).length() - radius;
        }
        let out = (x - self.centre - along * self.axis).length() - radius;
        let up = along.abs() - half;
        if out > 0.0 && up > 0.0 { (out * out + up * up).sqrt() } else { out.max(up) }
    }

    /// The lowest signed distance on a line, and where.
    fn on_line(&self, p: DVec3, u: DVec3) -> (f64, f64) {
        if let Some(egg) = &self.egg {
            let (_, along) = egg.on_line(p, u);
            return (egg.distance(p + along * u), along);
        }
        if let Some(cone) = &self.cone {
            let along = cone.on_line(p, u);
            return (cone.distance(p + along * u), along);
        }
        let foot = (self.centre - p).dot(u);
        let reach =
            2.0 * (self.shape.half + self.shape.radius) + (p + foot * u).distance(self.centre);
        let [mut low, mut high] = [foot - reach, foot + reach];
        for _ in 0..90 {
            let [s, t] = [low + (high - low) * 0.381_966, low + (high - low) * 0.618_034];
            if self.distance(p + s * u) < self.distance(p + t * u) {
                high = t;
            } else {
                low = s;
            }
        }
        let along = 0.5 * (low + high);
        (self.distance(p + along * u), along)
    }

    /// The lowest signed distance on a segment.
    fn on_edge(&self, p: DVec3, u: DVec3, half: f64) -> f64 {
        let (lowest, along) = self.on_line(p, u);
        let ends = [-half, half].map(|end| self.distance(p + end * u));
        if along.abs() <= half { lowest } else { ends[0].min(ends[1]) }
    }

    /// The lowest height over a plane, and the point that has it.
    fn over_plane(&self, p: DVec3, n: DVec3) -> (f64, DVec3) {
        if let Some(egg) = &self.egg {
            return egg.over_plane(p, n);
        }
        if let Some(cone) = &self.cone {
            return cone.over_plane(p, n);
        }
        let Shape { is_cylinder, radius, half, .. } = self.shape;
        let end = self.centre - self.axis * half * 1.0_f64.copysign(self.axis.dot(n));
        let out = n - self.axis * self.axis.dot(n);
        let down = if is_cylinder { out.normalize_or_zero() } else { n };
        let lowest = end - radius * down;
        (n.dot(lowest - p), lowest)
    }
}

/// One random question.
struct Case {
    mesh: Polyhedron,
    collider: Collider,
    body: Round,
    step: Step,
    shape: Shape,
    ends: [Path; 2],
    /// The end of the first axis of an ellipsoid.
    beside: Path,
}

impl Case {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let polygons = mesh(&mut random);
        let radius = random.one_of(&[1e-6, 0.05, 0.3, 0.7, 3.0]) * random.between(0.5, 1.0);
        let half = random.one_of(&[0.02, 0.3, 1.0, 5.0]) * random.between(0.5, 1.0);
        let (centre, axis) = (0.3 * random.vector(), random.direction());
        let ends = [centre - half * axis, centre + half * axis];
        let (body, shape) = match random.below(3) {
            0 => (Round::sphere_at(centre, radius), Shape { radius, half: 0.0, ..BALL }),
            1 => (Round::capsule(ends, radius), Shape { radius, half, ..BALL }),
            _ => (Round::cylinder(ends, radius), Shape { is_cylinder: true, radius, half, ..BALL }),
        };
        let angle = generate::angle(&mut random);
        let [a, b] = [poses(&mut random, angle), poses(&mut random, angle)];
        let ends = if shape.half == 0.0 { [centre, centre + axis] } else { ends };
        Self::of(&polygons, (body.expect("fits"), shape, ends), [a, b])
    }

    /// The same with a cone.
    fn with_cone(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let polygons = mesh(&mut random);
        let radius = random.one_of(&[0.02, 0.1, 0.5, 3.0]) * random.between(0.5, 1.0);
        let height = random.one_of(&[0.1, 0.3, 1.0, 5.0]) * random.between(0.5, 1.0);
        let (centre, axis) = (0.3 * random.vector(), random.direction());
        let ends = [-0.5, 0.5].map(|share| centre + share * height * axis);
        let body = Round::cone(ends, radius).expect("fits");
        let angle = generate::angle(&mut random);
        let [a, b] = [poses(&mut random, angle), poses(&mut random, angle)];
        let shape = Shape { radius, half: 0.5 * height, is_cone: true, ..BALL };
        Self::of(&polygons, (body, shape, ends), [a, b])
    }

    /// The same with an ellipsoid.
    fn with_ellipsoid(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let polygons = mesh(&mut random);
        let size = random.one_of(&[1e-4, 0.1, 0.5, 2.0]);
        let half_axes = [(); 3].map(|()| size * random.one_of(&[0.03, 0.3, 1.0, 1.0]));
        let half_axes = half_axes.map(|half| half * random.between(0.5, 1.0));
        let frame = Pose::new(0.3 * random.vector(), random.rotation()).expect("finite");
        let angle = generate::angle(&mut random);
        let [a, b] = [poses(&mut random, angle), poses(&mut random, angle)];
        Self::of_ellipsoid(&polygons, half_axes, &frame, [a, b])
    }

    fn of_ellipsoid(
        polygons: &Polygons,
        half_axes: [f64; 3],
        frame: &Pose,
        poses: [[Pose; 2]; 2],
    ) -> Self {
        let body = Round::ellipsoid_at(frame, half_axes).expect("fits");
        let shape = Shape { half: 1.0, half_axes: Some(half_axes), ..BALL };
        let [side, axis] = [DVec3::X, DVec3::Z].map(|axis| frame.vector(axis));
        let ends = [-axis, axis].map(|end| frame.position() + end);
        let motion = motion::Motion::new(&poses[0], &poses[1]);
        let beside = motion.path(motion.placed(frame.position() + side));
        Self { beside, ..Self::of(polygons, (body, shape, ends), poses) }
    }

    /// A box and a body along its axes but for next to nothing, that turns by next to nothing, with
    /// places on a grid: they meet flat, slide, and lie in line.
    fn aligned(seed: u64, is_cone: bool) -> Self {
        let mut random = Random::new(seed);
        let size = DVec3::new(random.one_of(&[0.5, 2.0, 9.0]), 2.0, random.one_of(&[0.5, 2.0]));
        let tilt = random.one_of(&[0.0, 0.0, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4]);
        let slanted = DVec3::new(0.0, 0.6, 0.8);
        let axis = random.one_of(&[DVec3::X, DVec3::Y, DVec3::Z, slanted]);
        let axis = (axis + tilt * random.vector()).normalize();
        let (half, radius) = (random.one_of(&[0.25, 1.0, 3.0]), random.one_of(&[0.125, 0.5, 1.0]));
        let is_cylinder = !is_cone && random.below(2) == 0;
        let ends = [-half * axis, half * axis];
        let make = match (is_cone, is_cylinder) {
            (true, _) => Round::cone,
            (_, true) => Round::cylinder,
            _ => Round::capsule,
        };
        let angle = random.one_of(&[0.0, 1e-14, 1e-9, 1e-6, 1e-3]);
        let turn = chasles::glam::DQuat::from_axis_angle(random.direction(), angle);
        let mut start = [0; 3].map(|_| 0.25 * (random.below(21) as f64 - 10.0));
        let along = random.below(3);
        start[along] = -4.0;
        let from = Pose::from_position(start).expect("finite");
        start[along] = 4.0;
        let to = Pose::new(start, turn).expect("finite");
        let body = make(ends, radius).expect("fits");
        let body = (body, Shape { is_cylinder, is_cone, radius, half, ..BALL }, ends);
        Self::of(&shapes::cuboid(size), body, [[Pose::IDENTITY; 2], [from, to]])
    }

    fn of(
        polygons: &Polygons,
        (body, shape, ends): (Round, Shape, [DVec3; 2]),
        [a, b]: [[Pose; 2]; 2],
    ) -> Self {
        let motion = motion::Motion::new(&a, &b);
        let path = |x: DVec3| motion.path(motion.placed(x));
        Self {
            mesh: Polyhedron::new(polygons).expect("a mesh"),
            collider: collider(polygons),
            body,
            step: Step::new(Motion::between(a[0], a[1]), Motion::between(b[0], b[1])),
            shape,
            beside: path(ends[0]),
            ends: ends.map(path),
        }
    }

    /// How deep the body is in the box, by its vertices, by its edges and by the points of the body
    /// that are lowest over faces; negative if none of them says that it is in it.
    fn depth(&self, placed: &Placed) -> f64 {
        let mesh = &self.mesh;
        let of_hull = |(_, hull): (Feature, Hull)| match hull {
            Hull::Vertex(v) => -placed.distance(v),
            Hull::Edge(p, u, half) => -placed.on_edge(p, u, half),
            Hull::Face(f, n) => {
                let (_, lowest) = placed.over_plane(mesh.face_point(f), n);
                let over = |g: u32| mesh.normal(g).dot(lowest - mesh.face_point(g));
                -(0..mesh.face_count() as u32).map(over).fold(f64::NEG_INFINITY, f64::max)
            }
        };
        hulls(mesh).into_iter().map(of_hull).fold(f64::NEG_INFINITY, f64::max)
    }

    fn at(&self, t: f64) -> Placed {
        let [p, q]: [DVec3; 2] = [0, 1].map(|i| {
            let at: Vector = self.ends[i].at(Dd::from(t));
            at.to_f64()
        });
        let centre = if self.shape.half == 0.0 { p } else { 0.5 * (p + q) };
        let axis = (q - p).normalize();
        let egg = self.shape.half_axes.map(|half_axes| {
            let beside: Vector = self.beside.at(Dd::from(t));
            let side = (beside.to_f64() - centre).normalize();
            Ellipsoid { centre, axes: [side, axis.cross(side), axis], half_axes }
        });
        let radius = self.shape.radius;
        let cone = self.shape.is_cone.then_some(Cone { base: p, tip: q, radius });
        Placed { shape: self.shape, centre, axis, egg, cone }
    }

    /// The signed distance of a feature's hull, and how far inside the feature the nearest point
    /// is.
    fn gap(&self, feature: &Hull, placed: &Placed) -> (f64, f64) {
        match *feature {
            Hull::Vertex(v) => (placed.distance(v), 1.0),
            Hull::Edge(p, u, half) => {
                let (gap, along) = placed.on_line(p, u);
                (gap, half - along.abs())
            }
            Hull::Face(f, n) => {
                let (gap, point) = placed.over_plane(self.mesh.face_point(f), n);
                (gap, depth_in_face(&self.mesh, f, point))
            }
        }
    }
}

fn mesh(random: &mut Random) -> Polygons {
    match random.below(6) {
        0 => generate::open_mesh(random),
        1 => shapes::l_prism(),
        2 => generate::closed_mesh(random),
        _ => generate::convex_mesh(random),
    }
}

fn poses(random: &mut Random, angle: f64) -> [Pose; 2] {
    let start = Pose::new(1.5 * random.vector(), random.rotation()).expect("finite");
    let turn = chasles::glam::DQuat::from_axis_angle(random.direction(), 0.5 * angle);
    let end = Pose::new(1.5 * random.vector(), turn * start.rotation()).expect("finite");
    [start, end]
}

/// The point, line or plane of a feature.
enum Hull {
    Vertex(DVec3),
    Edge(DVec3, DVec3, f64),
    /// With the normal of the side that is looked at.
    Face(u32, DVec3),
}

fn hulls(mesh: &Polyhedron) -> Vec<(Feature, Hull)> {
    let mut all = Vec::new();
    for v in 0..mesh.vertex_count() as u32 {
        all.push((Feature::Vertex(mesh.vertex_label(v)), Hull::Vertex(mesh.position(v))));
    }
    for e in 0..mesh.edge_count() as u32 {
        let [p, q] = mesh.edge(e).map(|v| mesh.position(v));
        let hull = Hull::Edge(0.5 * (p + q), (q - p).normalize(), 0.5 * p.distance(q));
        all.push((Feature::Edge(mesh.edge_label(e)), hull));
    }
    for f in 0..mesh.face_count() as u32 {
        let sides: &[f64] = if mesh.is_two_sided(f) { &[1.0, -1.0] } else { &[1.0] };
        for &side in sides {
            let hull = Hull::Face(f, side * mesh.normal(f));
            all.push((Feature::Face(mesh.face_label(f)), hull));
        }
    }
    all
}

/// How far a point of a plane is from the border of a face, negative outside: by angles.
fn depth_in_face(mesh: &Polyhedron, f: u32, x: DVec3) -> f64 {
    let n = mesh.normal(f);
    let corners: Vec<DVec3> = mesh.face(f).iter().map(|&v| mesh.position(v)).collect();
    let x = x - n * n.dot(x - corners[0]);
    let (mut turned, mut nearest) = (0.0, f64::INFINITY);
    for i in 0..corners.len() {
        let [p, q] = [corners[i] - x, corners[(i + 1) % corners.len()] - x];
        turned += f64::atan2(n.dot(p.cross(q)), p.dot(q));
        let way = q - p;
        let along = (-p.dot(way) / way.length_squared()).clamp(0.0, 1.0);
        nearest = nearest.min((p + along * way).length());
    }
    if turned.abs() > 3.0 { nearest } else { -nearest }
}

fn all(case: &Case, options: &Options) -> Vec<Contact> {
    let mut workspace = Workspace::new();
    round::contacts(&case.collider, &case.body, &case.step, options, &mut workspace).to_vec()
}

/// Times are compared to this: rounding of the oracle's doubles over a slow crossing.
const NEAR: f64 = 1e-8;

/// A place this close to a border is left out of the comparison.
const BORDER: f64 = 1e-6;

const SAMPLES: u32 = 300;

/// Times at which a feature's hull begins or ceases to meet the body, with the place.
fn crossings(case: &Case, hull: &Hull, placed: &[Placed]) -> Vec<(f64, f64)> {
    let time = |i: usize| i as f64 / f64::from(SAMPLES);
    let gaps: Vec<f64> = placed.iter().map(|placed| case.gap(hull, placed).0).collect();
    let mut found = Vec::new();
    for i in 1..gaps.len() {
        if (gaps[i - 1] < 0.0) == (gaps[i] < 0.0) {
            continue;
        }
        let [mut low, mut high] = [time(i - 1), time(i)];
        for _ in 0..45 {
            let middle = 0.5 * (low + high);
            if (case.gap(hull, &case.at(middle)).0 < 0.0) == (gaps[i] < 0.0) {
                high = middle;
            } else {
                low = middle;
            }
        }
        let at = 0.5 * (low + high);
        found.push((at, case.gap(hull, &case.at(at)).1));
    }
    found
}

fn check(seed: u64, case: &Case, counts: &mut [u32; 3]) {
    let contacts = all(case, &Options::default());
    let placed: Vec<Placed> =
        (0..=SAMPLES).map(|i| case.at(f64::from(i) / f64::from(SAMPLES))).collect();
    let hulls = hulls(&case.mesh);
    let mut earliest = f64::INFINITY;
    for (feature, hull) in &hulls {
        let of_feature = || contacts.iter().filter(|contact| contact.features.a == *feature);
        for (time, inside) in crossings(case, hull, &placed) {
            if inside.abs() < BORDER {
                continue;
            }
            let near = |c: &&Contact| (c.time - time).abs() < NEAR;
            let side = |c: &&Contact| match hull {
                Hull::Face(_, n) => c.normal_in_a.dot(*n) > 0.0,
                _ => true,
            };
            let found = of_feature().filter(near).filter(side).count();
            let expected = usize::from(inside > 0.0);
            assert_eq!(found, expected, "seed {seed}: {feature:?} at {time}, {inside} inside");
            counts[0] += expected as u32;
            if inside > 0.0 {
                earliest = earliest.min(time);
            }
        }
    }
    for contact in &contacts {
        check_contact(seed, case, &hulls, contact);
        counts[1] += 1;
    }
    let first = all(case, &Options { first_only: true, ..Options::default() });
    assert_eq!(first.is_empty(), contacts.is_empty(), "seed {seed}");
    if let (Some(first), Some(of_all)) = (first.first(), contacts.first()) {
        assert!((first.time - of_all.time).abs() < 1e-12, "seed {seed}: {first:?} {of_all:?}");
        counts[2] += 1;
        assert!(first.time <= earliest + NEAR, "seed {seed}: {} {earliest}", first.time);
    }
}

/// A contact touches, where it says, and is sound in itself.
fn check_contact(seed: u64, case: &Case, hulls: &[(Feature, Hull)], contact: &Contact) {
    let at = format!("seed {seed}: {contact:?}");
    let placed = case.at(contact.time);
    let gap = |(feature, hull): &(Feature, Hull)| {
        let (gap, inside) = case.gap(hull, &placed);
        (*feature == contact.features.a && inside > -BORDER).then_some(gap.abs())
    };
    let nearest = hulls.iter().filter_map(gap).fold(f64::INFINITY, f64::min);
    assert!(nearest < 1e-9, "{at}: {nearest} from touching");
    assert!(placed.distance(contact.point_in_a).abs() < 1e-9, "{at}: not on the body");
    assert!((contact.normal_in_a.length() - 1.0).abs() < 1e-12, "{at}");
    let [low, high] = contact.time_bracket;
    assert!(low <= contact.time && contact.time <= high && (0.0..=1.0).contains(&low), "{at}");
    let world = case.step.pose_of_a(contact.time).point(contact.point_in_a);
    assert!(world.distance(contact.point) < 1e-9, "{at}");
    if !contact.grazing && low > 0.0 && high < 1.0 {
        let signs = [low, high].map(|t| {
            let on_side = |(_, hull): &&(Feature, Hull)| match hull {
                Hull::Face(_, n) => n.dot(contact.normal_in_a) > 0.0,
                _ => true,
            };
            let own = hulls.iter().filter(|h| h.0 == contact.features.a).find(on_side);
            case.gap(&own.expect("known").1, &case.at(t)).0
        });
        // The oracle's own rounding is below the width that the library allows for its own.
        assert!(signs[0] * signs[1] <= 0.0, "{at}: {signs:?} at the ends of the bracket");
    }
}

#[test]
fn every_contact_of_a_feature_is_found_once_and_in_its_place() {
    let mut counts = [0; 3];
    for seed in 0..250 {
        check(seed, &Case::new(seed), &mut counts);
    }
    assert!(counts[0] > 600 && counts[2] > 90, "too little was tested: {counts:?}");
    // Pairs of roots between two samples, most of them of thin bodies, are few.
    assert!(f64::from(counts[1] - counts[0]) < 0.1 * f64::from(counts[0]), "{counts:?}");
}

#[test]
fn every_contact_of_a_cone_is_found_once_and_in_its_place() {
    let mut counts = [0; 3];
    for seed in 0..350 {
        check(seed, &Case::with_cone(seed), &mut counts);
    }

    assert!(counts[0] > 600 && counts[2] > 90, "too little was tested: {counts:?}");
    assert!(f64::from(counts[1] - counts[0]) < 0.1 * f64::from(counts[0]), "{counts:?}");
}

#[test]
fn every_contact_of_an_ellipsoid_is_found_once_and_in_its_place() {
    let mut counts = [0; 3];
    for seed in 0..350 {
        check(seed, &Case::with_ellipsoid(seed), &mut counts);
    }
    assert!(counts[0] > 600 && counts[2] > 90, "too little was tested: {counts:?}");
    assert!(f64::from(counts[1] - counts[0]) < 0.1 * f64::from(counts[0]), "{counts:?}");
}

#[test]
fn bodies_that_are_nearly_aligned_touch_where_they_are_said_to_and_not_before() {
    let mut counts = [0; 2];
    for seed in 0..2500 {
        let case = Case::aligned(seed, seed >= 1500);
        let contacts = all(&case, &Options::default());
        for contact in &contacts {
            let at = format!("seed {seed}: {contact:?}");
            let placed = case.at(contact.time);
            let off = placed.distance(contact.point_in_a).abs();
            assert!(off < 1e-11, "{at}: {off:e} from the body");
            let over =
                |f: u32| case.mesh.normal(f).dot(contact.point_in_a - case.mesh.face_point(f));
            let over = (0..6).map(over).fold(f64::NEG_INFINITY, f64::max);
            assert!(over.abs() < 1e-11, "{at}: {over:e} from the box");
            counts[0] += 1;
        }
        if case.depth(&case.at(0.0)) > -1e-9 {
            continue;
        }
        let until = contacts.first().map_or(1.0, |first| first.time_bracket[0]);
        for i in 0..=20 {
            let t = until * f64::from(i) / 20.0;
            let depth = case.depth(&case.at(t));
            assert!(depth < 1e-9, "seed {seed}: {depth:e} deep at {t}, {:?}", contacts.first());
        }
        counts[1] += usize::from(!contacts.is_empty());
    }
    assert!(counts[0] > 3000 && counts[1] > 400, "{counts:?}");
}
