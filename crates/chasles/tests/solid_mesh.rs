//! What a mesh says about points, boxes and segments is true: by brute force over its triangles.

use chasles::glam::{DMat3, DQuat, DVec2, DVec3};
use chasles::mesh::shapes::{Shape, Sphere};
use chasles::solid::{Block, Interval, MeshSolid, Place, Solid};
use chasles::{Polygons, Polyhedron};
use chasles_testkit::dd::{Dd, Vector};
use chasles_testkit::generate::{Random, convex_mesh};
use chasles_testkit::shapes;

/// The triangles of a mesh with convex faces, by fans.
fn triangles(mesh: &Polygons) -> Vec<[DVec3; 3]> {
    let at = |v: u32| mesh.vertices[v as usize];
    let fan = |f: &Vec<u32>| -> Vec<[DVec3; 3]> {
        (2..f.len()).map(|i| [at(f[0]), at(f[i - 1]), at(f[i])]).collect()
    };
    let faces = mesh.faces.iter().flat_map(fan);
    let segments = mesh.segments.iter().map(|&[p, q]| [at(p), at(q), at(q)]);
    faces.chain(segments).chain(mesh.points.iter().map(|&p| [at(p); 3])).collect()
}

fn edge_distance_sq(p: Vector, a: Vector, b: Vector) -> Dd {
    let (along, from) = (b - a, p - a);
    let [length_sq, dot] = [along.dot(along), from.dot(along)];
    let zero = Dd::from(0.0);
    let away = if length_sq.to_f64() == 0.0 || dot.is_negative() {
        from
    } else if (length_sq - dot).is_negative() {
        p - b
    } else {
        from - along * (dot / length_sq)
    };
    zero + away.dot(away)
}

/// The distance to a triangle with thirty digits: to its plane if all edges see the foot on their
/// inner side, else to an edge.
fn triangle_distance(p: DVec3, triangle: [DVec3; 3]) -> f64 {
    let corners = triangle.map(Vector::from);
    let p = Vector::from(p);
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let inner = |i: usize| {
        let [from, to] = [corners[i], corners[(i + 1) % 3]];
        !normal.dot((to - from).cross(p - from)).is_negative()
    };
    let area_sq = normal.dot(normal);
    if area_sq.to_f64() > 0.0 && (0..3).all(inner) {
        return (normal.dot(p - a).abs() / area_sq.sqrt()).to_f64();
    }
    let edges = [(a, b), (b, c), (c, a)].map(|(a, b)| edge_distance_sq(p, a, b).sqrt().to_f64());
    edges.into_iter().fold(f64::INFINITY, f64::min)
}

/// The winding number by the solid angles of all triangles, of a point off the surface.
fn winding(p: DVec3, triangles: &[[DVec3; 3]]) -> f64 {
    let angle = |t: &[DVec3; 3]| {
        let [a, b, c] = t.map(|corner| corner - p);
        let [x, y, z] = [a, b, c].map(DVec3::length);
        let across = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
        2.0 * a.dot(b.cross(c)).atan2(across)
    };
    triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// A mesh whose closed parts and sheets are known apart.
struct Case {
    name: &'static str,
    closed: Polygons,
    sheets: Polygons,
}

impl Case {
    fn closed(name: &'static str, closed: Polygons) -> Self {
        Self { name, closed, sheets: Polygons::default() }
    }

    fn sheets(name: &'static str, sheets: Polygons) -> Self {
        Self { name, closed: Polygons::default(), sheets }
    }

    fn moved(self, map: impl Fn(DVec3) -> DVec3) -> Self {
        let [closed, sheets] = [self.closed, self.sheets].map(|m| shapes::mapped(m, &map));
        Self { closed, sheets, ..self }
    }

    fn both(&self) -> Polygons {
        shapes::joined(&[self.closed.clone(), self.sheets.clone()])
    }

    fn solid(&self) -> MeshSolid {
        MeshSolid::from_polygons(&self.both()).expect("a mesh")
    }

    /// The signed distance; at the surface, where solid angles do not know the side, unsigned.
    fn distance(&self, p: DVec3) -> f64 {
        let nearest = |triangles: &[[DVec3; 3]]| {
            let each = triangles.iter().map(|&t| triangle_distance(p, t));
            each.fold(f64::INFINITY, f64::min)
        };
        let closed = triangles(&self.closed);
        let to_closed = nearest(&closed);
        if to_closed > 1e-9 && winding(p, &closed).abs() > 0.5 {
            return -to_closed;
        }
        to_closed.min(nearest(&triangles(&self.sheets)))
    }
}

fn inverted(mut mesh: Polygons) -> Polygons {
    mesh.faces.iter_mut().for_each(|face| face.reverse());
    mesh
}

fn shifted(mesh: Polygons, by: DVec3) -> Polygons {
    shapes::mapped(mesh, |p| p + by)
}

/// A cube in which every face is a pyramid, up to or down to `height`.
fn star(height: f64) -> Polygons {
    let cube = shapes::cube();
    let mut mesh = Polygons { faces: Vec::new(), ..cube.clone() };
    for face in &cube.faces {
        let middle: DVec3 = face.iter().map(|&v| cube.vertices[v as usize]).sum::<DVec3>() / 4.0;
        let tip = mesh.vertices.len() as u32;
        mesh.vertices.push(middle * height);
        mesh.faces.extend((0..4).map(|i| vec![face[i], face[(i + 1) % 4], tip]));
    }
    mesh
}

fn soup(random: &mut Random, count: usize, thin: f64) -> Polygons {
    let mut mesh = Polygons::default();
    for _ in 0..count {
        let (at, along) = (random.vector(), random.vector());
        let third = at + along * random.between(-0.2, 1.2) + random.vector() * thin;
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend([at, at + along, third]);
        mesh.faces.push(vec![first, first + 1, first + 2]);
    }
    mesh
}

fn wires(random: &mut Random) -> Polygons {
    let mut all = Vec::new();
    for _ in 0..5 {
        all.push(shapes::segment(random.vector(), random.vector()));
        all.push(Polygons { points: vec![0], ..shapes::point(random.vector()) });
    }
    shapes::joined(&all)
}

fn cases(random: &mut Random) -> Vec<Case> {
    let cube = shapes::cube;
    let small = || shapes::mapped(cube(), |p| p * 0.5);
    let pair = |by: DVec3| shapes::joined(&[cube(), shifted(cube(), by)]);
    let shells = |parts: &[Polygons]| shapes::joined(parts);
    let size = (cube().vertices[0] - cube().vertices[6]).abs().max_element();
    let round = Shape::Sphere(Sphere { radius: 1.0, segments: [16, 12] });
    vec![
        Case::closed("cube", cube()),
        Case::closed("torus", shapes::torus(12, 8, 1.0, 0.4)),
        Case::closed("icosahedron", shapes::icosahedron()),
        Case::closed("sphere", round.polygons().expect("a sphere")),
        Case::closed("spikes", star(8.0)),
        Case::closed("dents", star(0.05)),
        Case::closed("convex", convex_mesh(random)),
        Case::closed("inside out", inverted(cube())),
        Case::closed("cavity", shells(&[cube(), inverted(small())])),
        Case::closed("shell in shell", shells(&[cube(), small()])),
        Case::closed("a body in a cavity", {
            let tiny = shapes::mapped(cube(), |p| p * 0.2);
            shells(&[cube(), inverted(small()), tiny])
        }),
        Case::closed("touching at a corner", pair(DVec3::splat(size))),
        Case::closed("touching at an edge", pair(DVec3::new(size, size, 0.0))),
        Case::closed("touching at a face", pair(DVec3::new(size, 0.0, 0.0))),
        Case::closed("overlapping", pair(DVec3::splat(0.3 * size))),
        Case::sheets("sheet", shapes::sheet(4, 3)),
        Case::sheets("soup", soup(random, 40, 1.0)),
        Case::sheets("thin soup", soup(random, 40, 1e-7)),
        Case::sheets("soup as thin as rounding", soup(random, 40, 1e-15)),
        Case::sheets("wires", wires(random)),
        Case {
            name: "a cube and sheets through it",
            closed: cube(),
            sheets: shapes::mapped(soup(random, 12, 1.0), |p| p * 2.0),
        },
    ]
}

/// All cases as they are, turned, and turned far from the origin.
fn all_cases(seed: u64) -> Vec<Case> {
    let mut random = Random::new(seed);
    let mut all = cases(&mut random);
    let turn = random.rotation();
    all.extend(cases(&mut random).into_iter().map(|case| case.moved(|p| turn * p)));
    let far = DVec3::new(1e3, -2e3, 5e2);
    all.extend(cases(&mut random).into_iter().map(|case| case.moved(|p| turn * p * 3.0 + far)));
    all
}

/// Points around a mesh: anywhere, and on or very near to its features.
fn points(case: &Case, random: &mut Random, count: usize) -> Vec<DVec3> {
    let both = triangles(&case.both());
    let [low, high] = case.solid().bounds();
    let mut all = Vec::new();
    for _ in 0..count {
        let unit = DVec3::new(random.unit(), random.unit(), random.unit());
        all.push(low + (high - low) * (unit * 1.6 - 0.3));
        let [a, b, c] = both[random.below(both.len())];
        let [u, v] = [random.unit(), random.unit()];
        let inner = a + (b - a) * u * (1.0 - v) + (c - a) * v * u;
        let on = random.one_of(&[a, b, a.lerp(b, u), c.lerp(a, 0.5), inner]);
        let off = random.one_of(&[0.0, 1e-15, 1e-12, 1e-6, 1e-2, 0.3]);
        all.push(on + random.direction() * off);
    }
    all
}

/// What a distance may be wrong by, as the module states it.
fn stated_error(solid: &MeshSolid, p: DVec3) -> f64 {
    let [low, high] = solid.bounds();
    let center = 0.5 * (low + high);
    50.0 * f64::EPSILON * (p.distance(center) + high.distance(center))
}

#[test]
fn distances_contain_those_of_brute_force_and_are_as_narrow_as_stated() {
    for case in all_cases(1) {
        let solid = case.solid();
        for p in points(&case, &mut Random::new(2), 60) {
            let [found, truth] = [solid.distance(p), Interval::point(case.distance(p))];
            let is_near = truth.low.abs() <= 1e-9;
            let holds = found.contains(truth.low) || is_near && (-found).contains(truth.low);
            assert!(holds, "{} at {p}: {found:?}, not {}", case.name, truth.low);
            assert!(found.radius() <= stated_error(&solid, p), "{} at {p}: {found:?}", case.name);
            assert!(found.low >= 0.0 || solid.has_inside(), "{}: sheets are thin", case.name);
        }
    }
}

#[test]
fn sides_are_those_of_the_solid_angles_for_a_hair_off_the_surface() {
    // Nearer than the solid angles can see, the side is that of the face: cubes are known.
    let solid = Case::closed("cube", shapes::cube()).solid();
    let [_, high] = solid.bounds();
    let mut random = Random::new(3);
    for _ in 0..2000 {
        let mut p = random.vector().clamp(-high, high);
        let axis = random.below(3);
        p[axis] = high[axis];
        for (beside, inside) in [(high[axis].next_up(), false), (high[axis].next_down(), true)] {
            let mut p = p;
            p[axis] = beside;
            let other = [(axis + 1) % 3, (axis + 2) % 3];
            let within = other.iter().all(|&i| p[i].abs() < high[i]);
            let found = solid.distance(p);
            if within && inside {
                assert!(found.high <= 0.0, "{p}: {found:?}");
            } else if !inside {
                assert!(found.low >= 0.0, "{p}: {found:?}");
            }
        }
    }
}

#[test]
fn points_level_with_corners_and_edges_know_their_side() {
    // Rays from a grid of quarters run through corners, along edges and within faces.
    let step = |i: i32| f64::from(i) * 0.25;
    let grid = (-6..=6).flat_map(|i| (-6..=6).flat_map(move |j| (-6..=6).map(move |k| [i, j, k])));
    let meshes = [shapes::octahedron(), star(2.0), star(0.5), shapes::torus(4, 4, 1.0, 0.5)];
    for mesh in meshes {
        let case = Case::closed("on a grid", mesh);
        let (solid, mut inside) = (case.solid(), 0);
        for at in grid.clone() {
            let p = DVec3::from_array(at.map(step));
            let truth = case.distance(p);
            if truth.abs() > 1e-9 {
                assert!(solid.distance(p).contains(truth), "{p}: {truth}");
                inside += i32::from(truth < 0.0);
            }
        }
        assert!(inside > 10, "{inside}");
    }
}

#[test]
fn concave_polygons_are_cut_right() {
    // An L is two boxes; outside of both, the nearer one is the distance.
    let profile = [(0., 0.), (3., 0.), (3., 1.), (1., 1.), (1., 3.), (0., 3.)];
    let solid =
        MeshSolid::from_polygons(&shapes::prism(&profile.map(DVec2::from), 1.0)).expect("L");
    let [low, high] = solid.bounds();
    // Which axis the prism stands along does not matter: the boxes follow from the bounds.
    let long = (high - low).to_array().map(|length| length > 2.0);
    let [mut first, mut second] = [high, high];
    let mut arms = (0..3).filter(|&i| long[i]);
    let (i, j) = (arms.next().expect("two arms"), arms.next().expect("two arms"));
    first[i] = low[i] + 1.0;
    second[j] = low[j] + 1.0;
    let to_box = |p: DVec3, high: DVec3| (low - p).max(p - high).max(DVec3::ZERO).length();
    let mut random = Random::new(4);
    let (mut inside, mut mirrored) = (0, 0);
    for _ in 0..2000 {
        let p = low + (high - low) * (random.vector() * 0.5 + 0.5) * 1.4 - 0.2;
        let truth = to_box(p, first).min(to_box(p, second));
        let found = solid.distance(p);
        if truth > 0.0 && !found.contains(truth) {
            mirrored += 1;
        }
        inside += i32::from(truth == 0.0 && found.high <= 0.0);
    }
    assert_eq!(mirrored, 0, "the prism stands another way than the boxes");
    assert!(inside > 300, "{inside}");
}

#[test]
fn normals_follow_the_distance() {
    for case in all_cases(5) {
        let solid = case.solid();
        for p in points(&case, &mut Random::new(6), 60) {
            let normal = solid.normal(p);
            assert!((normal.length() - 1.0).abs() < 1e-12, "{} at {p}: {normal}", case.name);
            let distance = solid.distance(p);
            let middle = 0.5 * (distance.low + distance.high);
            let step = 1e-3 * middle.abs();
            if step < 1e-8 {
                continue;
            }
            // Towards the surface the distance shrinks evenly, also where it has a ridge.
            let towards = solid.distance(p - normal * step * middle.signum());
            let shrunk = middle.abs() - 0.5 * (towards.low + towards.high).abs();
            let off = (shrunk - step).abs();
            assert!(off < 1e-3 * step + 1e-11, "{} at {p}: {normal} {off}", case.name);
        }
    }
}

#[test]
fn normals_on_the_surface_point_outward() {
    for mesh in [shapes::cube(), inverted(shapes::cube())] {
        let solid = MeshSolid::from_polygons(&mesh).expect("a cube");
        let [_, high] = solid.bounds();
        for x in [-1.0, 0.0, 1.0] {
            for y in [-1.0, 0.3, 1.0] {
                let side = DVec3::new(x, y, 1.0);
                let expected = DVec3::new(x.trunc(), y.trunc(), 1.0).normalize();
                let normal = solid.normal(side * high);
                assert!(normal.distance(expected) < 1e-12, "{side}: {normal}");
            }
        }
    }
    let cavity = shapes::mapped(inverted(shapes::cube()), |p| p * 0.5);
    let solid = MeshSolid::from_polygons(&shapes::joined(&[shapes::cube(), cavity])).expect("ok");
    let [_, high] = solid.bounds();
    assert!(solid.normal(DVec3::X * 0.5 * high.x).distance(DVec3::NEG_X) < 1e-12);
}

fn block(random: &mut Random, [low, high]: [DVec3; 2]) -> Block {
    let unit = DVec3::new(random.unit(), random.unit(), random.unit());
    let sizes = [1e-3, 0.03, 0.1, 0.5];
    let half = DVec3::from_array([0; 3].map(|_| random.one_of(&sizes) * random.unit()));
    let turns = [DQuat::IDENTITY, random.rotation()];
    let turn = random.one_of(&turns);
    Block {
        center: low + (high - low) * (unit * 1.4 - 0.2),
        axes: DMat3::from_quat(turn),
        half: half * 0.5 * (high - low).max_element(),
    }
}

/// The distance of a point from a box.
fn to_block(p: DVec3, block: &Block) -> f64 {
    let local = block.axes.transpose() * (p - block.center);
    (local.abs() - block.half).max(DVec3::ZERO).length()
}

#[test]
fn boxes_that_are_placed_hold_no_point_to_the_contrary() {
    let mut counts = [0; 3];
    for case in all_cases(7) {
        let (solid, mut random) = (case.solid(), Random::new(8));
        for _ in 0..60 {
            let block = block(&mut random, solid.bounds());
            let place = solid.place(&block);
            counts[place as usize] += 1;
            for _ in 0..20 {
                let mut at = random.vector();
                if random.below(2) == 0 {
                    at = at.signum();
                }
                let distance = solid.distance(block.center + block.axes * (block.half * at));
                let holds = match place {
                    Place::Outside => distance.high >= 0.0 && distance.low >= -1e-12,
                    Place::Inside => distance.low < 0.0 && distance.high <= 1e-12,
                    Place::Unsure => true,
                };
                assert!(holds, "{}: {block:?} {place:?} {distance:?}", case.name);
            }
            if place != Place::Unsure {
                let points = triangles(&case.closed).into_iter().flat_map(spread);
                let sheets = triangles(&case.sheets).into_iter().flat_map(spread);
                let counts = place == Place::Outside;
                let mut all = points.chain(sheets.filter(|_| counts));
                let met = all.find(|&p| to_block(p, &block) == 0.0);
                assert_eq!(met, None, "{}: {block:?} {place:?}", case.name);
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

/// Points all over a triangle.
fn spread([a, b, c]: [DVec3; 3]) -> impl Iterator<Item = DVec3> {
    const N: u32 = 12;
    let point = move |i: u32, j: u32| {
        let [u, v] = [i, j].map(|k| f64::from(k) / f64::from(N));
        a + (b - a) * u + (c - a) * v
    };
    (0..=N).flat_map(move |i| (0..=N - i).map(move |j| point(i, j)))
}

#[test]
fn boxes_are_unsure_only_if_a_triangle_is_there() {
    let mut unsure = 0;
    for case in all_cases(9) {
        let (solid, mut random) = (case.solid(), Random::new(10));
        let all: Vec<_> = triangles(&case.both());
        for _ in 0..60 {
            let block = block(&mut random, solid.bounds());
            if solid.place(&block) != Place::Unsure {
                continue;
            }
            unsure += 1;
            let near = |t: &[DVec3; 3]| {
                let [a, b, c] = *t;
                let length = a.distance(b).max(b.distance(c)).max(c.distance(a));
                spread(*t).any(|p| to_block(p, &block) <= length / 12.0 + 1e-10)
            };
            assert!(all.iter().any(near), "{}: {block:?}", case.name);
        }
    }
    assert!(unsure > 300, "{unsure}");
}

/// Where a segment first meets a triangle, with thirty digits; segments in its plane by its edges
/// are left to the other checks.
fn crossing([from, to]: [DVec3; 2], triangle: [DVec3; 3]) -> Option<f64> {
    let [a, b, c] = triangle.map(Vector::from);
    let [p, q] = [from, to].map(Vector::from);
    let normal = (b - a).cross(c - a);
    let [start, end] = [p, q].map(|x| normal.dot(x - a));
    let slope = start - end;
    if start.is_negative() == end.is_negative() && start.to_f64() != 0.0 || slope.to_f64() == 0.0 {
        return None;
    }
    let at = start / slope;
    let point = p + (q - p) * at;
    let inner =
        |from: Vector, to: Vector| !normal.dot((to - from).cross(point - from)).is_negative();
    (inner(a, b) && inner(b, c) && inner(c, a)).then(|| at.to_f64())
}

#[test]
fn segments_enter_no_later_than_they_cross_and_not_without_reason() {
    let (mut hits, mut misses) = (0, 0);
    for case in all_cases(11) {
        let (solid, mut random) = (case.solid(), Random::new(12));
        let ends = points(&case, &mut random, 40);
        let all = triangles(&case.both());
        for pair in ends.windows(2) {
            let [mut from, to] = [pair[0], pair[1]];
            if random.below(2) == 0 {
                // From far away towards a point on a feature, and as far beyond it.
                from = to + random.direction() * 2.0;
            }
            let beyond = to + (to - from) * random.one_of(&[0.0, 1.0, 1e-9]);
            let ends = [from, beyond];
            let precision = random.one_of(&[1e-3, 1e-6, 1e-10]);
            let found = solid.entry(from, beyond, precision);
            let crossings = all.iter().filter_map(|&t| crossing(ends, t));
            let mut first = crossings.fold(f64::INFINITY, f64::min);
            if solid.distance(from).high < 0.0 {
                first = 0.0;
            }
            let at = found.unwrap_or(f64::INFINITY);
            assert!(at <= first, "{}: {ends:?} {at} is after {first}", case.name);
            match found {
                Some(at) => {
                    let near = solid.distance(from.lerp(beyond, at)).low;
                    assert!(near <= precision + 1e-11, "{}: {ends:?} {near}", case.name);
                    hits += 1;
                }
                None => misses += 1,
            }
        }
    }
    assert!(hits > 1000 && misses > 500, "{hits} {misses}");
}

#[test]
fn segments_through_corners_and_edges_do_not_slip_through() {
    for (i, case) in all_cases(13).into_iter().enumerate() {
        if case.closed.faces.is_empty() {
            continue;
        }
        let (solid, mut random) = (case.solid(), Random::new(i as u64));
        let vertices = &case.closed.vertices;
        for face in &case.closed.faces {
            let [p, q] = [face[0], face[1]].map(|v| vertices[v as usize]);
            let fractions = [0.0, 0.5, random.unit()];
            let at = p.lerp(q, random.one_of(&fractions));
            let from = at + random.direction() * 5.0;
            // The computed middle of a segment is a rounding off: so may the surface be missed.
            let inward = solid.distance(from + (at - from) * 1.001);
            let found = solid.entry(from, from + (at - from) * 1.001, 1e-9);
            assert!(found.is_some() || inward.low > 0.0, "{}: {at} from {from}", case.name);
        }
    }
}

#[test]
fn segments_that_start_inside_enter_at_once_and_those_in_cavities_do_not() {
    let cavity = shapes::mapped(inverted(shapes::cube()), |p| p * 0.5);
    let mesh = shapes::joined(&[shapes::cube(), cavity]);
    let solid = MeshSolid::from_polygons(&mesh).expect("a hollow cube");
    let side = solid.bounds()[1].x;
    let [inner, wall] = [DVec3::ZERO, DVec3::X * 0.75 * side];
    assert_eq!(solid.entry(wall, inner, 1e-9), Some(0.0));
    let at = solid.entry(inner, wall, 1e-9).expect("the wall is there");
    assert!((at - 2.0 / 3.0).abs() < 1e-8, "{at}");
    assert_eq!(solid.entry(inner, DVec3::X * 0.49 * side, 1e-9), None);
}

#[test]
fn far_points_strange_points_and_large_or_small_meshes_are_answered() {
    let solid = MeshSolid::from_polygons(&shapes::cube()).expect("a cube");
    for far in [1e120, 1e160, 1e308] {
        let p = DVec3::new(far, -far, 1.0);
        let found = solid.distance(p);
        assert!(found.low >= 0.9 * far && found.low <= found.high, "{found:?}");
        let truth = std::f64::consts::SQRT_2 * far;
        assert!(found.low <= truth * 1.001 && found.high >= truth * 0.999, "{found:?}");
        assert!(solid.normal(p).is_finite());
        let block = Block { center: p, axes: DMat3::IDENTITY, half: DVec3::ONE };
        assert_ne!(solid.place(&block), Place::Inside);
        assert_eq!(solid.entry(p, p * 0.5, 1e-6), None);
    }
    assert!(solid.distance(DVec3::NAN).is_nan());
    for size in [1e90, 1e-90] {
        let mesh = shapes::mapped(shapes::cube(), |p| p * size);
        let solid = MeshSolid::from_polygons(&mesh).expect("a cube");
        let side = solid.bounds()[1].x;
        assert!(solid.distance(DVec3::ZERO).contains(-side), "{size}");
        assert!(solid.distance(DVec3::X * 2.0 * side).contains(side), "{size}");
    }
}

#[test]
fn degenerate_faces_are_accepted_where_a_polyhedron_accepts_them() {
    let vertices = [[0., 0., 0.], [1., 0., 0.], [2., 0., 0.], [0., 1., 0.], [1., 0., 0.]];
    let faces = [vec![0, 1, 2], vec![0, 4, 3], vec![1, 1, 1], vec![0, 0, 3]];
    let mesh = Polygons::new(vertices, faces);
    let solid = MeshSolid::new(&Polyhedron::new(&mesh).expect("odd but usable")).expect("a sheet");
    assert!(!solid.has_inside());
    assert!(solid.distance(DVec3::new(2.0, 0.0, 1.0)).contains(1.0));
    assert!(solid.distance(DVec3::new(0.25, 0.25, -2.0)).contains(2.0));
    assert!(MeshSolid::from_polygons(&Polygons::default()).is_err());
}
