//! Translations that separate bodies in each other: the shortest for convex ones; for others one
//! that does, hardly longer than any that is found, and a bound that no other is below.

use chasles::distance::{Penetration, Workspace, distance, penetration};
use chasles::glam::DVec3;
use chasles::mesh::shapes::{Shape, Sphere};
use chasles::{Collider, Polygons, Polyhedron, Pose};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::shapes;

/// Two meshes at rest.
struct Rest {
    bodies: [Collider; 2],
    poses: [Pose; 2],
}

impl Rest {
    fn new(meshes: [Polygons; 2], poses: [Pose; 2]) -> Self {
        let collider = |mesh: &Polygons| Collider::new(Polyhedron::new(mesh).expect("a mesh"));
        Self { bodies: meshes.each_ref().map(collider), poses }
    }

    fn penetration(&self, workspace: &mut Workspace) -> Option<Penetration> {
        let [a, b] = &self.bodies;
        penetration(a, b, self.poses, workspace)
    }

    /// The poses with B elsewhere.
    fn moved(&self, by: DVec3) -> [Pose; 2] {
        let [a, b] = self.poses;
        [a, Pose::new(b.position() + by, b.rotation()).expect("finite")]
    }

    fn overlaps(&self, by: DVec3, workspace: &mut Workspace) -> bool {
        let [a, b] = &self.bodies;
        distance(a, b, self.moved(by), workspace).overlaps
    }

    fn points(&self, body: usize) -> Vec<DVec3> {
        let positions = self.bodies[body].mesh().positions().iter();
        positions.map(|&p| self.poses[body].point(p)).collect()
    }

    /// How far B goes until the hulls are apart.
    fn width(&self, toward: DVec3) -> f64 {
        let along = |body: usize| self.points(body).into_iter().map(move |p| p.dot(toward));
        let [end, start] = [along(0).fold(f64::MIN, f64::max), along(1).fold(f64::MAX, f64::min)];
        end - start
    }

    /// The way out along a direction, by steps from outside that are as long as the bodies are
    /// apart.
    fn exit(&self, toward: DVec3, workspace: &mut Workspace) -> f64 {
        let [a, b] = &self.bodies;
        let mut length = self.width(toward) + 1e-3;
        for _ in 0..400 {
            let found = distance(a, b, self.moved(length * toward), workspace);
            if found.overlaps || found.distance < 1e-7 {
                break;
            }
            length -= found.distance;
        }
        length
    }

    fn size(&self) -> f64 {
        let size = |collider: &Collider| {
            let [low, high] = collider.mesh().bounds();
            (high - low).length()
        };
        self.bodies.iter().map(size).sum()
    }
}

fn overlapping(seed: u64, mesh: impl Fn(&mut Random) -> Polygons) -> Rest {
    let mut random = Random::new(seed);
    let meshes = [mesh(&mut random), mesh(&mut random)];
    let at = random.vector();
    let aside = random.between(0.0, 1.8) * random.direction();
    let poses = [at, at + aside].map(|at| Pose::new(at, random.rotation()).unwrap());
    Rest::new(meshes, poses)
}

/// The shortest way out of convex bodies: across a face of one, or across an edge of each.
fn shortest(rest: &Rest) -> f64 {
    let normals = |body: usize| {
        let mesh = rest.bodies[body].mesh();
        let normals = (0..mesh.face_count() as u32).map(|f| mesh.normal(f));
        normals.map(|n| rest.poses[body].vector(n)).collect::<Vec<_>>()
    };
    let edges = |body: usize| {
        let mesh = rest.bodies[body].mesh();
        let ends = (0..mesh.edge_count() as u32).map(|e| mesh.edge(e).map(|v| mesh.position(v)));
        ends.map(|[p, q]| rest.poses[body].vector(q - p)).collect::<Vec<_>>()
    };
    let [points_a, points_b] = [rest.points(0), rest.points(1)];
    let width = |toward: DVec3| {
        let along = |points: &[DVec3]| {
            let fold = |[low, high]: [f64; 2], p: &DVec3| {
                [low.min(p.dot(toward)), high.max(p.dot(toward))]
            };
            points.iter().fold([f64::MAX, f64::MIN], fold)
        };
        let [a, b] = [along(&points_a), along(&points_b)];
        (a[1] - b[0]).min(b[1] - a[0])
    };
    let faces = normals(0).into_iter().chain(normals(1));
    let across = edges(0).into_iter().flat_map(|p| edges(1).into_iter().map(move |q| p.cross(q)));
    let directions = faces.chain(across.filter_map(|c| c.try_normalize()));
    directions.map(width).fold(f64::INFINITY, f64::min)
}

#[test]
fn convex_bodies_go_the_shortest_way() {
    let mut workspace = Workspace::new();
    let mut count = 0;
    for seed in 0..150 {
        let rest = overlapping(seed, generate::convex_mesh);
        let Some(found) = rest.penetration(&mut workspace) else { continue };
        let expected = shortest(&rest);
        let length = found.translation.length();
        assert!((length - expected).abs() < 1e-10, "{seed}: {found:?}, not {expected}");
        assert!(found.exact && found.lower <= length, "{seed}: {found:?}");
        assert!(found.translation.abs_diff_eq(length * found.normal, 1e-10), "{seed}: {found:?}");
        count += 1;
    }
    assert!(count > 100, "only {count}");
}

/// Of balls with one middle all ways out are about as long, and each is near a face of its own.
#[test]
fn spheres_of_many_faces_go_the_shortest_way() {
    let mut workspace = Workspace::new();
    for segments in [[16, 8], [32, 16], [64, 32]] {
        let sphere = Shape::Sphere(Sphere { segments, ..Sphere::default() });
        let mesh = sphere.polygons().expect("fitting parameters");
        for offset in [[0.0; 3], [0.01, 0.003, 0.002], [0.3, 0.2, 0.1]] {
            let poses = [Pose::IDENTITY, Pose::from_position(offset).unwrap()];
            let rest = Rest::new([mesh.clone(), mesh.clone()], poses);
            let found = rest.penetration(&mut workspace).expect("in each other");
            assert!(found.exact, "{segments:?} {offset:?}: {found:?}");
            let faces = rest.bodies[0].mesh();
            for normal in (0..faces.face_count() as u32).map(|f| faces.normal(f)) {
                for toward in [normal, -normal] {
                    assert!(rest.width(toward) >= found.lower - 1e-12, "{segments:?} {offset:?}");
                }
            }
        }
    }
}

#[test]
fn convex_bodies_of_many_faces_are_told_at_once() {
    let sphere = Shape::Sphere(Sphere { segments: [256, 128], ..Sphere::default() });
    let mesh = sphere.polygons().expect("fitting parameters");
    let poses = [Pose::IDENTITY, Pose::from_position([0.3, 0.2, 0.1]).unwrap()];
    let rest = Rest::new([mesh.clone(), mesh], poses);
    let start = std::time::Instant::now();
    let found = rest.penetration(&mut Workspace::new()).expect("in each other");
    // A hull that is made point by point takes minutes.
    assert!(found.exact && start.elapsed().as_secs_f64() < 2.0, "{:?} {found:?}", start.elapsed());
}

/// Rounding of the large body's coordinates is all of the small one.
#[test]
fn specks_in_large_bodies_are_taken_out() {
    let mut workspace = Workspace::new();
    for scale in [1e-2, 1e-4, 1e-6, 1e-8] {
        let mut random = Random::new(17);
        for _ in 0..6 {
            let speck = shapes::mapped(shapes::torus(12, 8, 1.0, 0.4), |v| scale * v);
            let at = DVec3::new(4.0, 0.0, 4.0) * random.vector();
            let at = at + DVec3::Y * (0.5 + scale * random.unit());
            let poses = [Pose::IDENTITY, Pose::new(at, random.rotation()).unwrap()];
            let rest = Rest::new([shapes::cuboid(DVec3::new(10.0, 1.0, 10.0)), speck], poses);
            let Some(found) = rest.penetration(&mut workspace) else { continue };
            assert!(!rest.overlaps(found.translation, &mut workspace), "{scale}: {found:?}");
        }
    }
}

fn any_mesh(random: &mut Random) -> Polygons {
    match random.below(3) {
        0 => shapes::torus(12, 8, 1.0, 0.4),
        _ => generate::closed_mesh(random),
    }
}

#[test]
fn separated_bodies_touch_and_are_not_in_each_other() {
    let mut workspace = Workspace::new();
    let mut counts = [0, 0];
    for seed in 0..60 {
        let rest = overlapping(seed ^ 0xf1ee, any_mesh);
        let Some(found) = rest.penetration(&mut workspace) else { continue };
        let [a, b] = &rest.bodies;
        let after = distance(a, b, rest.moved(found.translation), &mut workspace);
        assert!(
            !after.overlaps && after.distance < 1e-9 * rest.size(),
            "{seed}: {after:?} {found:?}"
        );
        assert!(
            found.normal.is_normalized() && found.lower <= found.translation.length(),
            "{seed}"
        );
        counts[usize::from(found.exact)] += 1;
    }
    assert!(counts[0] > 10 && counts[1] > 5, "{counts:?}");
}

#[test]
fn bodies_apart_or_in_touch_have_no_penetration() {
    let cube = || shapes::cuboid(DVec3::ONE);
    for x in [1.0, 1.5] {
        let poses = [Pose::IDENTITY, Pose::from_position([x, 0.0, 0.0]).unwrap()];
        let rest = Rest::new([cube(), cube()], poses);
        assert_eq!(rest.penetration(&mut Workspace::new()), None);
    }
}

/// The shortest way out along any of so many directions, and of those next to the best.
fn best_found(rest: &Rest, directions: u32, workspace: &mut Workspace) -> f64 {
    let mut random = Random::new(99);
    let mut exits: Vec<(f64, DVec3)> = (0..directions)
        .map(|_| random.direction())
        .map(|toward| (rest.exit(toward, workspace), toward))
        .collect();
    exits.sort_by(|p, q| p.0.total_cmp(&q.0));
    exits.truncate(4);
    for (length, toward) in &mut exits {
        let mut angle = 0.2;
        while angle > 1e-3 {
            let next = (*toward + angle * random.direction()).normalize();
            let exit = rest.exit(next, workspace);
            if exit < *length {
                (*length, *toward) = (exit, next);
            } else {
                angle *= 0.9;
            }
        }
    }
    exits.iter().map(|exit| exit.0).fold(f64::INFINITY, f64::min)
}

/// No way out is shorter than the bound, and the one that is found hardly longer than the best.
fn check_against_directions(seeds: u64, directions: u32) {
    let mut workspace = Workspace::new();
    let mut random = Random::new(3);
    let mut ratios = Vec::new();
    for seed in 0..seeds {
        let rest = overlapping(seed ^ 0xbe57, any_mesh);
        let Some(found) = rest.penetration(&mut workspace) else { continue };
        for _ in 0..directions {
            let by = 0.999 * found.lower * random.unit().cbrt() * random.direction();
            assert!(rest.overlaps(by, &mut workspace), "{seed}: {by} separates, {found:?}");
        }
        let best = best_found(&rest, directions, &mut workspace);
        assert!(best >= found.lower - 1e-6, "{seed}: {best} {found:?}");
        ratios.push(found.translation.length() / best);
    }
    ratios.sort_by(f64::total_cmp);
    let [median, worst] = [ratios[ratios.len() / 2], ratios[ratios.len() - 1]];
    assert!(median <= 1.05 && worst <= 1.5, "median {median}, worst {worst} of {ratios:?}");
}

#[test]
fn no_way_out_is_shorter_than_the_bound_nor_much_shorter_than_the_one_found() {
    check_against_directions(10, 100);
}

/// `cargo test --release -p chasles --test penetration -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn no_way_out_of_two_thousand_is_shorter_than_the_bound() {
    check_against_directions(40, 2000);
}

#[test]
fn an_open_body_is_separated_too() {
    let mut workspace = Workspace::new();
    let poses = [Pose::IDENTITY, Pose::from_position([1.4, 1.3, 0.2]).unwrap()];
    let rest = Rest::new([shapes::sheet(3, 3), shapes::icosahedron()], poses);
    let found = rest.penetration(&mut workspace).expect("the ball is in the sheet");
    assert!(found.lower > 0.2 && !rest.overlaps(found.translation, &mut workspace), "{found:?}");
    let mut random = Random::new(5);
    for _ in 0..200 {
        let by = 0.999 * found.lower * random.direction();
        assert!(rest.overlaps(by, &mut workspace), "{by} separates, {found:?}");
    }
    assert!(found.translation.length() < 1.2, "{found:?}");
}
