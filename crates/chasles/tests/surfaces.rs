//! Surfaces that deform: all ways of finding pairs agree, and nothing passes unseen.

use chasles::deform::{
    BroadPhase, Kind, Options, Pair, Surface, Workspace, contacts, free_fraction, self_contacts,
    self_free_fraction,
};
use chasles::{Contact, Features, Polygons};
use chasles_testkit::generate::Random;
use chasles_testkit::geometry::{boundary_margin, distance_to_segment, segment_distance};
use chasles_testkit::shapes;
use glam::DVec3;

/// A sheet of quads over the unit square, each vertex where `shape` puts it.
fn sheet(n: u32, shape: impl Fn(f64, f64) -> DVec3) -> Polygons {
    let unit = 1.0 / f64::from(n);
    shapes::mapped(shapes::sheet(n, n), |p| shape(unit * p.x, unit * p.y))
}

/// A sheet of triangles that is not flat, about a height.
fn rough_sheet(height: f64) -> Polygons {
    let sheet = sheet(3, |x, y| DVec3::new(x, y, height + 0.02 * (7.0 * x + 5.0 * y).sin()));
    let halves = sheet.faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]);
    Polygons::new(sheet.vertices.iter().copied(), halves)
}

fn moved(mesh: &Polygons, random: &mut Random, by: f64) -> Vec<DVec3> {
    mesh.vertices.iter().map(|p| *p + by * random.vector()).collect()
}

fn with(broad_phase: BroadPhase) -> Options {
    Options { broad_phase, ..Options::default() }
}

#[test]
fn all_broad_phases_find_the_same_contacts() {
    let mut random = Random::new(5);
    let mut workspace = Workspace::default();
    let mut found = 0;
    for round in 0..20 {
        let n = 3 + round % 5;
        let a = sheet(n, |x, y| DVec3::new(x, y, 0.1 * (5.0 * x).sin()));
        let b = sheet(n + 1, |x, y| DVec3::new(0.9 * x + 0.1, y - 0.05, 0.15 + 0.1 * y));
        let [on_a, on_b] = [&a, &b].map(|mesh| Surface::new(mesh).expect("a mesh"));
        let [end_a, end_b] = [&a, &b].map(|mesh| moved(mesh, &mut random, 0.2));
        let moving_a = on_a.moving(&a.vertices, &end_a).expect("finite");
        let moving_b = on_b.moving(&b.vertices, &end_b).expect("finite");
        let run = |phase: BroadPhase, workspace: &mut Workspace| -> [Vec<Contact>; 2] {
            let between = contacts(&moving_a, &moving_b, &with(phase), workspace).to_vec();
            [between, self_contacts(&moving_a, &with(phase), workspace).to_vec()]
        };
        let all = run(BroadPhase::All, &mut workspace);
        found += all[0].len() + all[1].len();
        // Not assert_eq: the lists are long.
        assert!(run(BroadPhase::Boxes, &mut workspace) == all, "boxes, round {round}");
        assert!(run(BroadPhase::Octree, &mut workspace) == all, "octree, round {round}");
    }
    assert!(found > 200, "only {found} contacts");
}

/// The edges of triangles, each once, lower vertex first.
fn edges(faces: &[Vec<u32>]) -> Vec<[u32; 2]> {
    let sides = faces.iter().flat_map(|f| [[f[0], f[1]], [f[1], f[2]], [f[2], f[0]]]);
    let mut edges: Vec<[u32; 2]> = sides.map(|[p, q]| [p.min(q), p.max(q)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The features of a surface with itself that touch, each pair asked without boxes.
fn touching(mesh: &Polygons, end: &[DVec3]) -> Vec<Features> {
    let touches = |kind: Kind, v: [u32; 4]| {
        let ends = [&mesh.vertices, end].map(|frame| v.map(|v| frame[v as usize]));
        Pair::new(kind, ends).expect("finite").touches()
    };
    let mut found = Vec::new();
    for (face, corners) in (0..).zip(&mesh.faces) {
        let [p, q, r] = corners[..] else { panic!("faces are triangles") };
        let others = (0..end.len() as u32).filter(|v| !corners.contains(v));
        let hits = others.filter(|&v| touches(Kind::VertexTriangle, [v, p, q, r]));
        found.extend(hits.map(|vertex| Features::Fv { face, vertex }));
    }
    let edges = edges(&mesh.faces);
    for (i, &a) in edges.iter().enumerate() {
        let others = edges[i + 1..].iter().filter(|b| !a.iter().any(|v| b.contains(v)));
        let hits = others.filter(|b| touches(Kind::EdgeEdge, [a[0], a[1], b[0], b[1]]));
        found.extend(hits.map(|&b| Features::Ee { a, b }));
    }
    found.sort_unstable();
    found
}

#[test]
fn every_pair_that_touches_is_found_and_no_other() {
    let mesh = shapes::joined(&[0.0, 0.3].map(rough_sheet));
    let surface = Surface::new(&mesh).expect("a mesh");
    let mut random = Random::new(13);
    let mut workspace = Workspace::default();
    let mut count = 0;
    for round in 0..20 {
        let end = moved(&mesh, &mut random, 0.4);
        let expected = touching(&mesh, &end);
        count += expected.len();
        let moving = surface.moving(&mesh.vertices, &end).expect("finite");
        for broad_phase in [BroadPhase::Boxes, BroadPhase::Octree, BroadPhase::All] {
            let contacts = self_contacts(&moving, &with(broad_phase), &mut workspace);
            let mut found: Vec<Features> = contacts.iter().map(|c| c.features).collect();
            found.sort_unstable();
            assert_eq!(found, expected, "round {round}, {broad_phase:?}");
        }
    }
    assert!(count > 200, "only {count} contacts");
}

#[test]
fn a_sheet_that_falls_through_a_rough_floor_meets_it_everywhere() {
    let floor = sheet(4, |x, y| DVec3::new(3.0 * x - 1.0, 3.0 * y - 1.0, 0.05 * (9.0 * x).sin()));
    let cloth = sheet(6, |x, y| DVec3::new(x, y, 1.0));
    let [on_floor, on_cloth] = [&floor, &cloth].map(|mesh| Surface::new(mesh).expect("a mesh"));
    let below: Vec<DVec3> = cloth.vertices.iter().map(|p| *p - 2.0 * DVec3::Z).collect();
    let rest = on_floor.at_rest(&floor.vertices).expect("finite");
    let falling = on_cloth.moving(&cloth.vertices, &below).expect("finite");
    let mut workspace = Workspace::default();
    let found = contacts(&rest, &falling, &Options::default(), &mut workspace);
    let mut vertices: Vec<u32> = found
        .iter()
        .filter_map(|contact| match contact.features {
            Features::Fv { vertex, .. } => Some(vertex),
            _ => None,
        })
        .collect();
    vertices.sort_unstable();
    vertices.dedup();
    assert_eq!(
        vertices,
        (0..49).collect::<Vec<u32>>(),
        "every vertex of the cloth meets the floor"
    );
    // Edges that lie above each other pass in their common plane, and graze.
    for contact in found.iter().filter(|contact| !contact.grazing) {
        assert!((contact.time - 0.5).abs() < 0.03 && contact.normal.z > 0.8, "{contact:?}");
        assert!(contact.normal_speed < 0.0 && contact.point.z.abs() < 0.06);
    }
    assert!(found.is_sorted_by(|p, q| p.time <= q.time));
}

#[test]
fn a_sheet_that_folds_meets_itself_and_one_that_bends_does_not() {
    let flat = sheet(8, |x, y| DVec3::new(x, y, 0.0));
    let surface = Surface::new(&flat).expect("a mesh");
    let mut workspace = Workspace::default();
    let bent = |k: f64| -> Vec<DVec3> {
        flat.vertices.iter().map(|p| DVec3::new(p.x, p.y, k * p.x * p.x)).collect()
    };
    let gently = bent(0.3);
    let moving = surface.moving(&flat.vertices, &gently).expect("finite");
    assert!(self_contacts(&moving, &Options::default(), &mut workspace).is_empty());
    assert_eq!(self_free_fraction(&moving, 0.0, &mut workspace), 1.0);
    // One half is turned over and ends below the other.
    let folded: Vec<DVec3> = flat
        .vertices
        .iter()
        .map(|p| if p.x > 0.5 { DVec3::new(1.05 - p.x, p.y, -0.1) } else { *p })
        .collect();
    let up: Vec<DVec3> = flat
        .vertices
        .iter()
        .map(|p| if p.x > 0.5 { DVec3::new(1.05 - p.x, p.y, 0.1) } else { *p })
        .collect();
    let moving = surface.moving(&up, &folded).expect("finite");
    let found = self_contacts(&moving, &Options::default(), &mut workspace).to_vec();
    assert!(found.len() > 20, "{}", found.len());
    for contact in &found {
        let apart = match contact.features {
            Features::Fv { face, vertex } => !flat.faces[face as usize].contains(&vertex),
            Features::Ee { a, b } => !a.iter().any(|v| b.contains(v)),
            Features::Vf { .. } => false,
        };
        assert!(apart, "{contact:?}");
        assert!((contact.time - 0.5).abs() < 1e-12);
    }
    let fraction = self_free_fraction(&moving, 0.0, &mut workspace);
    assert!(fraction < 0.5 && fraction > 0.5 - 1e-12, "{fraction}");
}

/// How fast the point of a feature moves that is at a point at a time.
fn velocity(feature: &[u32], [start, end]: [&[DVec3]; 2], point: DVec3, time: f64) -> DVec3 {
    let at = |v: u32| start[v as usize].lerp(end[v as usize], time);
    let moves = |v: u32| end[v as usize] - start[v as usize];
    match *feature {
        [p] => moves(p),
        [p, q] => {
            let way = at(q) - at(p);
            moves(p).lerp(moves(q), (point - at(p)).dot(way) / way.length_squared())
        }
        [p, q, r] => {
            let normal = (at(q) - at(p)).cross(at(r) - at(p));
            let part = |u: u32, v: u32| {
                (at(u) - point).cross(at(v) - point).dot(normal) / normal.length_squared()
            };
            part(q, r) * moves(p) + part(r, p) * moves(q) + part(p, q) * moves(r)
        }
        _ => panic!("faces are triangles"),
    }
}

/// Unit vectors along the surface, away from a vertex or an edge; a face has none.
fn ways_out(feature: &[u32], faces: &[Vec<u32>], at: impl Fn(u32) -> DVec3) -> Vec<DVec3> {
    let others = |face: &Vec<u32>| -> Vec<u32> {
        let is_at = feature.len() < 3 && feature.iter().all(|v| face.contains(v));
        face.iter().copied().filter(|v| is_at && !feature.contains(v)).collect()
    };
    let way = |v: u32| {
        let way = at(v) - at(feature[0]);
        match feature {
            [p, q] => way.reject_from(at(*q) - at(*p)).normalize(),
            _ => way.normalize(),
        }
    };
    faces.iter().flat_map(others).map(way).collect()
}

#[test]
fn normals_point_from_a_to_b_and_speeds_and_properness_are_those_of_the_features() {
    let [a, b] = [0.0, 0.3].map(rough_sheet);
    let both = shapes::joined(&[a.clone(), b.clone()]);
    let [on_a, on_b, on_both] = [&a, &b, &both].map(|mesh| Surface::new(mesh).expect("a mesh"));
    let n = a.vertices.len();
    let mut random = Random::new(41);
    let mut workspace = Workspace::default();
    // Of faces of A, vertices of A, and edges; between two surfaces, and of one with itself.
    let mut counts = [[0; 3]; 2];
    for round in 0..20 {
        let end = moved(&both, &mut random, 0.4);
        let moving_a = on_a.moving(&a.vertices, &end[..n]).expect("finite");
        let moving_b = on_b.moving(&b.vertices, &end[n..]).expect("finite");
        let moving = on_both.moving(&both.vertices, &end).expect("finite");
        let options = Options::default();
        let between = contacts(&moving_a, &moving_b, &options, &mut workspace).to_vec();
        let with_itself = self_contacts(&moving, &options, &mut workspace).to_vec();
        let of_a = ([&a.vertices, &end[..n]], &a.faces);
        let of_b = ([&b.vertices, &end[n..]], &b.faces);
        let of_both = ([&both.vertices[..], &end], &both.faces);
        for (i, found, [a, b]) in [(0, between, [of_a, of_b]), (1, with_itself, [of_both; 2])] {
            for contact in found {
                let Contact { normal, point, time, normal_speed, features, properness, .. } =
                    contact;
                let (k, p, q) = match features {
                    Features::Fv { face, vertex } => (0, a.1[face as usize].clone(), vec![vertex]),
                    Features::Vf { vertex, face } => (1, vec![vertex], b.1[face as usize].clone()),
                    Features::Ee { a, b } => (2, a.to_vec(), b.to_vec()),
                };
                counts[i][k] += 1;
                let speed = velocity(&q, b.0, point, time) - velocity(&p, a.0, point, time);
                let off = speed.dot(normal) - normal_speed;
                assert!(normal_speed <= 0.0 && off.abs() < 1e-6, "{round}: {off}, {contact:?}");
                let ways = |feature: &[u32], ([start, end], faces): ([&[DVec3]; 2], &Vec<_>)| {
                    ways_out(feature, faces, |v| start[v as usize].lerp(end[v as usize], time))
                };
                let of_a = ways(&p, a).into_iter().map(|way| -way.dot(normal));
                let terms = of_a.chain(ways(&q, b).into_iter().map(|way| way.dot(normal)));
                let off = terms.fold(1.0, f64::min) - properness;
                assert!(off.abs() < 1e-6, "{round}: {off}, {contact:?}");
            }
        }
    }
    let [between, with_itself] = counts;
    assert!(between.into_iter().all(|n| n > 30), "{between:?}");
    assert!(with_itself[0] > 30 && with_itself[1] == 0 && with_itself[2] > 30, "{with_itself:?}");
}

#[test]
fn a_step_cut_to_its_free_fraction_is_free() {
    let mut random = Random::new(9);
    let mut workspace = Workspace::default();
    let mut stopped = 0;
    for round in 0..40 {
        let a = sheet(4, |x, y| DVec3::new(x, y, 0.0));
        let b = sheet(4, |x, y| DVec3::new(x, y, 0.3));
        let [on_a, on_b] = [&a, &b].map(|mesh| Surface::new(mesh).expect("a mesh"));
        let [end_a, end_b] = [&a, &b].map(|mesh| moved(mesh, &mut random, 0.3));
        let cut = |start: &[DVec3], end: &[DVec3], t: f64| -> Vec<DVec3> {
            start.iter().zip(end).map(|(p, q)| p.lerp(*q, t)).collect()
        };
        for separation in [0.0, 0.05] {
            let moving_a = on_a.moving(&a.vertices, &end_a).expect("finite");
            let moving_b = on_b.moving(&b.vertices, &end_b).expect("finite");
            let free = free_fraction(&moving_a, &moving_b, separation, &mut workspace);
            stopped += u32::from(free < 1.0);
            let exact = free_fraction(&moving_a, &moving_b, 0.0, &mut workspace);
            assert!(free <= exact, "round {round}");
            let short = free * (1.0 - 1e-9);
            let [short_a, short_b] =
                [cut(&a.vertices, &end_a, short), cut(&b.vertices, &end_b, short)];
            let moving_a = on_a.moving(&a.vertices, &short_a).expect("finite");
            let moving_b = on_b.moving(&b.vertices, &short_b).expect("finite");
            assert!(contacts(&moving_a, &moving_b, &Options::default(), &mut workspace).is_empty());
        }
    }
    assert!(stopped > 20, "only {stopped} steps had contacts");
}

/// The least distance of the features of two sheets of triangles in one list, or of one with
/// itself: of those that `is_asked` about.
fn least_distance(
    faces: &[Vec<u32>],
    at: &[DVec3],
    is_asked: impl Fn(&[u32], &[u32]) -> bool,
) -> f64 {
    let place = |v: u32| at[v as usize];
    let edges = edges(faces);
    let mut least = f64::INFINITY;
    for face in faces {
        for vertex in (0..at.len() as u32).filter(|&v| is_asked(face, &[v])) {
            least = least.min(to_triangle(face.iter().map(|&v| place(v) - place(vertex))));
        }
    }
    for p in &edges {
        for q in edges.iter().filter(|&q| is_asked(p, q)) {
            least = least.min(segment_distance(p.map(place), q.map(place)));
        }
    }
    least
}

/// The distance of the origin from a triangle.
fn to_triangle(corners: impl Iterator<Item = DVec3>) -> f64 {
    let [a, b, c] = corners.collect::<Vec<_>>()[..] else { panic!("a triangle has three corners") };
    let normal = (b - a).cross(c - a).normalize();
    let height = normal.dot(a);
    let flat = [a, b, c].map(|p| p - height * normal);
    let to_rim = [[a, b], [b, c], [c, a]].map(|[p, q]| distance_to_segment(p, q));
    let is_above = boundary_margin(&flat, normal) > 0.0;
    if is_above { height.abs() } else { to_rim.into_iter().fold(f64::INFINITY, f64::min) }
}

#[test]
fn a_separation_is_kept_to_the_end_of_a_step_cut_to_its_free_fraction() {
    let [a, b] = [0.0, 0.4].map(rough_sheet);
    let both = shapes::joined(&[a.clone(), b.clone()]);
    let [on_a, on_b, on_both] = [&a, &b, &both].map(|mesh| Surface::new(mesh).expect("a mesh"));
    let n = a.vertices.len();
    let mut random = Random::new(23);
    let mut workspace = Workspace::default();
    let mut stopped = [0; 2];
    for round in 0..60 {
        let separation = random.one_of(&[1e-6, 0.003, 0.03, 0.1]);
        let far = random.one_of(&[0.05, 0.35]);
        let end = moved(&both, &mut random, far);
        let moving_a = on_a.moving(&a.vertices, &end[..n]).expect("finite");
        let moving_b = on_b.moving(&b.vertices, &end[n..]).expect("finite");
        let moving = on_both.moving(&both.vertices, &end).expect("finite");
        let fractions = [
            free_fraction(&moving_a, &moving_b, separation, &mut workspace),
            self_free_fraction(&moving, separation, &mut workspace),
        ];
        for (i, free) in fractions.into_iter().enumerate() {
            let cut: Vec<DVec3> =
                both.vertices.iter().zip(&end).map(|(p, q)| p.lerp(*q, free)).collect();
            let is_of_a = |feature: &[u32]| (feature[0] as usize) < n;
            let apart = least_distance(&both.faces, &cut, |p, q| match i {
                0 => is_of_a(p) != is_of_a(q),
                _ => !p.iter().any(|v| q.contains(v)),
            });
            assert!(apart >= separation - 1e-14, "round {round}: {apart}, not {separation}");
            stopped[i] += u32::from(free < 1.0);
            let is_near = free == 1.0 || apart <= 1.002 * separation + 1e-14;
            assert!(is_near, "round {round}: stopped at {apart} for {separation}");
        }
    }
    assert!(stopped.into_iter().all(|n| n > 20 && n < 60), "{stopped:?} steps were cut");
}

/// Flat sheets, one above the other, whose paths have no height in common.
#[test]
fn a_separation_counts_where_boxes_are_apart() {
    let [floor, cloth] = [0.0, 1.0].map(|z| sheet(2, |x, y| DVec3::new(x, y, z)));
    let [on_floor, on_cloth] = [&floor, &cloth].map(|mesh| Surface::new(mesh).expect("a mesh"));
    let low: Vec<DVec3> = cloth.vertices.iter().map(|p| *p - 0.95 * DVec3::Z).collect();
    let rest = on_floor.at_rest(&floor.vertices).expect("finite");
    let falling = on_cloth.moving(&cloth.vertices, &low).expect("finite");
    let mut workspace = Workspace::default();
    let mut free = |separation: f64| free_fraction(&rest, &falling, separation, &mut workspace);
    assert_eq!((free(0.0), free(0.04)), (1.0, 1.0));
    let reached = 0.9 / 0.95;
    assert!(free(0.1) <= reached && free(0.1) > reached - 1e-3, "{}", free(0.1));
}

#[test]
fn points_alone_miss_what_edges_meet() {
    // Two triangles that pass through each other edge by edge.
    let a = Polygons::new([[0., 0., 0.], [2., 0., 0.], [0.9, -2., 0.]], [[0, 1, 2]]);
    let b = Polygons::new([[1., -3., 1.], [1., 1., 1.], [1., 0., 3.]], [[0, 1, 2]]);
    let [on_a, on_b] = [&a, &b].map(|mesh| Surface::new(mesh).expect("a mesh"));
    let below: Vec<DVec3> = b.vertices.iter().map(|p| *p - 1.5 * DVec3::Z).collect();
    let rest = on_a.at_rest(&a.vertices).expect("finite");
    let falling = on_b.moving(&b.vertices, &below).expect("finite");
    let mut workspace = Workspace::default();
    let points = Options { edges: false, ..Options::default() };
    assert!(contacts(&rest, &falling, &points, &mut workspace).is_empty());
    let found = contacts(&rest, &falling, &Options::default(), &mut workspace);
    assert!(!found.is_empty() && found.iter().all(|c| matches!(c.features, Features::Ee { .. })));
}

#[test]
fn every_touch_of_a_pair_is_found_when_asked_for() {
    let mut workspace = Workspace::default();
    let mut twice = 0;
    for seed in 0..9_000 {
        let (pair, _) = chasles_testkit::linear::pair(0, seed);
        let all = pair.all();
        if pair.kind() != Kind::VertexTriangle || all.len() < 2 {
            continue;
        }
        twice += 1;
        let [start, end] = pair.ends();
        let triangle = Polygons::new(start[1..].iter().copied(), [[0, 1, 2]]);
        let point = Polygons::new([start[0]], [] as [[u32; 3]; 0]);
        let [triangle, point] = [&triangle, &point].map(|mesh| Surface::new(mesh).expect("a mesh"));
        let triangle = triangle.moving(&start[1..], &end[1..]).expect("finite");
        let point = point.moving(&start[..1], &end[..1]).expect("finite");
        let every = Options { every_touch: true, ..Options::default() };
        let found = contacts(&triangle, &point, &every, &mut workspace);
        let times: Vec<f64> = found.iter().map(|contact| contact.time).collect();
        assert_eq!(times, all.iter().map(|touch| touch.time).collect::<Vec<_>>());
        let first = contacts(&triangle, &point, &Options::default(), &mut workspace);
        assert!(first.len() == 1 && first[0].time_bracket[0] <= all[0].bracket[1]);
    }
    assert!(twice > 6, "only {twice} pairs touch twice");
}

#[test]
fn both_triangles_of_a_quad_are_one_contact_each() {
    let quad =
        Polygons::new([[0., 0., 0.], [1., 0., 0.1], [1., 1., 0.2], [0., 1., 0.1]], [[0, 1, 2, 3]]);
    // Points fall onto both diagonals.
    let at = |i: u32| (f64::from(i) + 0.5) / 64.0;
    let points = Polygons::new(
        (0..40).flat_map(|i| [[at(i), 1.0 - at(i), 0.4], [at(i), at(i), 0.5]]),
        [] as [[u32; 3]; 0],
    );
    let [on_quad, on_points] = [&quad, &points].map(|mesh| Surface::new(mesh).expect("a mesh"));
    let [rises, falls] = [0.0568, -1.1685];
    let end: Vec<DVec3> =
        quad.vertices.iter().map(|p| *p + rises * (1.0 + 0.3 * p.x * p.y) * DVec3::Z).collect();
    let below: Vec<DVec3> = points.vertices.iter().map(|p| *p + falls * DVec3::Z).collect();
    let quad = on_quad.moving(&quad.vertices, &end).expect("finite");
    let points = on_points.moving(&points.vertices, &below).expect("finite");
    let mut workspace = Workspace::default();
    for broad_phase in [BroadPhase::Boxes, BroadPhase::Octree, BroadPhase::All] {
        let found = contacts(&quad, &points, &with(broad_phase), &mut workspace);
        assert_eq!(found.len(), 80);
        assert!(found.is_sorted_by(|p, q| p.time <= q.time));
    }
}

/// It leaves one triangle of the polygon where it enters the next, back and forth at the corner.
#[test]
fn a_vertex_that_slides_over_a_polygon_meets_it_once() {
    let regular = |n: u32| {
        let angle = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(n);
        let corners = (0..n).map(|i| [angle(i).cos(), angle(i).sin(), 0.0]);
        Polygons::new(corners, [(0..n).collect::<Vec<u32>>()])
    };
    let mut random = Random::new(31);
    let mut workspace = Workspace::default();
    for n in 4..12 {
        let mesh = regular(n);
        let polygon = Surface::new(&mesh).expect("a mesh");
        let polygon = polygon.at_rest(&mesh.vertices).expect("finite");
        for round in 0..20 {
            // From one side of the plane's origin to the other, over many cuts.
            let way = (random.vector() * DVec3::new(1.0, 1.0, 0.0)).normalize();
            let [from, to] = [[2.0 * way], [-2.0 * way]];
            let point = Polygons::new(from, [] as [[u32; 3]; 0]);
            let point = Surface::new(&point).expect("a mesh");
            let point = point.moving(&from, &to).expect("finite");
            for every_touch in [false, true] {
                let options = Options { every_touch, ..Options::default() };
                let found = contacts(&polygon, &point, &options, &mut workspace);
                assert_eq!(found.len(), 1, "{n} corners, round {round}: {found:?}");
                assert!(found[0].time < 0.36 && found[0].grazing, "{found:?}");
            }
        }
    }
}

#[test]
fn vertices_that_are_one_must_stay_together() {
    let mesh = Polygons::new(
        [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 0.], [-1., 0., 0.], [0., -1., 0.]],
        [[0, 1, 2], [3, 4, 5]],
    );
    let mut end = mesh.vertices.clone();
    end[3] = DVec3::new(-0.5, -0.5, 5.0);
    let fault = Surface::new(&mesh).expect("a mesh").moving(&mesh.vertices, &end).map(|_| ());
    let fault = fault.expect_err("they part").to_string();
    assert!(fault.contains("vertices 0 and 3") && fault.contains("at the end"), "{fault}");
    let parted = Polygons { vertices: end.clone(), ..mesh.clone() };
    let surface = Surface::between(&mesh, &parted).expect("a mesh");
    let moving = surface.moving(&mesh.vertices, &end).expect("both frames are known");
    let point = Polygons::new([[-0.4, -0.4, 2.0]], [] as [[u32; 3]; 0]);
    let still = Surface::new(&point).expect("a mesh");
    let still = still.at_rest(&point.vertices).expect("finite");
    let mut workspace = Workspace::default();
    assert_eq!(contacts(&moving, &still, &Options::default(), &mut workspace).len(), 1);
}
