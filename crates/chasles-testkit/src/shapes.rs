//! Meshes with readable numbers: the bodies of tests and benchmarks.

use std::f64::consts::TAU;

use chasles::Polygons;
use chasles::mesh::shapes as library;
use chasles::mesh::shapes::Shape;
use glam::{DVec2, DVec3};

/// A box of the given size about the origin. Vertex `4 i + 2 j + k` is at the low or high end in
/// x, y, z; faces are -x, +x, -y, +y, -z, +z.
pub fn cuboid(size: DVec3) -> Polygons {
    let ends = [-0.5, 0.5];
    let corner = |i: usize| DVec3::new(ends[i >> 2], ends[i >> 1 & 1], ends[i & 1]) * size;
    let faces =
        [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
    Polygons::new((0..8).map(corner), faces)
}

/// A cube of edge length 1 about the origin.
pub fn cube() -> Polygons {
    cuboid(DVec3::ONE)
}

/// A tetrahedron with these corners, whichever way round they are given.
pub fn tetrahedron(corners: [DVec3; 4]) -> Polygons {
    outward(Polygons::new(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]))
}

/// A prism over a counter-clockwise profile in the x-y plane, from `z = 0` to `height`.
pub fn prism(profile: &[DVec2], height: f64) -> Polygons {
    let n = profile.len() as u32;
    let level = |z: f64| profile.iter().map(move |p| p.extend(z));
    let mut faces: Vec<Vec<u32>> = vec![(0..n).rev().collect(), (n..2 * n).collect()];
    faces.extend((0..n).map(|i| vec![i, (i + 1) % n, (i + 1) % n + n, i + n]));
    Polygons::new(level(0.0).chain(level(height)), faces)
}

/// The corners of a regular polygon of circumradius 1, the first at angle `phase`.
pub fn regular(corners: u32, phase: f64) -> Vec<DVec2> {
    let at = |i: u32| DVec2::from_angle(phase + TAU * f64::from(i) / f64::from(corners));
    (0..corners).map(at).collect()
}

/// An L-shaped prism: two arms of length 2 and width 1, height 1.
pub fn l_prism() -> Polygons {
    let profile = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];
    prism(&profile.map(DVec2::from_array), 1.0)
}

/// An antiprism: two polygons turned against each other and a belt of triangles.
pub fn antiprism(n: u32) -> Polygons {
    let level = |phase: f64, z: f64| regular(n, phase).into_iter().map(move |p| p.extend(z));
    let mut faces: Vec<Vec<u32>> = vec![(0..n).rev().collect(), (n..2 * n).collect()];
    for i in 0..n {
        let next = (i + 1) % n;
        faces.extend([vec![i, next, i + n], vec![next, next + n, i + n]]);
    }
    let half = std::f64::consts::PI / f64::from(n);
    Polygons::new(level(0.0, -0.5).chain(level(half, 0.5)), faces)
}

/// A cube whose corners are cut off at `cut` of the edges, below one half: six octagons and eight
/// triangles.
pub fn truncated_cube(cut: f64) -> Polygons {
    let corner = |i: usize| cube().vertices[i];
    let mut vertices = Vec::new();
    let mut faces: Vec<Vec<u32>> = Vec::new();
    // Vertex 3 i + k is on the edge from corner i along axis k.
    for i in 0..8 {
        let ends = [4, 2, 1].map(|bit| corner(i).lerp(corner(i ^ bit), cut));
        vertices.extend(ends);
        faces.push((0..3).map(|k| (3 * i + k) as u32).collect());
    }
    let axis_of = |p: u32, q: u32| [4, 2, 1].iter().position(|b| *b == p ^ q).expect("an edge");
    for face in &cube().faces {
        let next = face.iter().cycle().skip(1);
        let ends = face.iter().zip(next).flat_map(|(&p, &q)| {
            let axis = axis_of(p, q) as u32;
            [3 * p + axis, 3 * q + axis]
        });
        faces.push(ends.collect());
    }
    let mut mesh = Polygons::new(vertices, faces);
    let centre_of = |m: &Polygons, f: usize| -> DVec3 {
        m.faces[f].iter().map(|&v| m.vertices[v as usize]).sum()
    };
    for f in 0..mesh.faces.len() {
        let [p, q, r] = [0, 1, 2].map(|i| mesh.vertices[mesh.faces[f][i] as usize]);
        if (q - p).cross(r - q).dot(centre_of(&mesh, f)) < 0.0 {
            mesh.faces[f].reverse();
        }
    }
    mesh
}

/// A regular octahedron of circumradius 1.
pub fn octahedron() -> Polygons {
    let vertices = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
    let mut faces = Vec::new();
    for (x, y, z) in (0..8).map(|i| (3 * (i & 1), 1 + 3 * (i >> 1 & 1), 2 + 3 * (i >> 2))) {
        let flips = [x, y, z].iter().filter(|&&v| v > 2).count();
        faces.push(if flips % 2 == 0 { [x, y, z] } else { [x, z, y] });
    }
    Polygons::new(vertices, faces)
}

/// A regular icosahedron of circumradius 1.
pub fn icosahedron() -> Polygons {
    // Two poles and two rings of five at z = +-1/sqrt(5).
    let z = 1.0 / 5.0_f64.sqrt();
    let ring = |phase: f64, z: f64| {
        regular(5, phase).into_iter().map(move |p| (p * (1.0 - z * z).sqrt()).extend(z))
    };
    let upper = ring(0.0, z);
    let lower = ring(TAU / 10.0, -z);
    let vertices = [DVec3::Z, -DVec3::Z].into_iter().chain(upper).chain(lower);
    let mut faces = Vec::new();
    for i in 0..5 {
        let next = (i + 1) % 5;
        let (up, up_next, low, low_next) = (2 + i, 2 + next, 7 + i, 7 + next);
        faces.extend([[0, up, up_next], [1, low_next, low]]);
        faces.extend([[up, low, up_next], [low, low_next, up_next]]);
    }
    Polygons::new(vertices, faces)
}

/// A torus about the y axis: `around` times `across` planar quadrilaterals.
pub fn torus(around: u32, across: u32, major: f64, minor: f64) -> Polygons {
    let vertex = |i: u32, j: u32| {
        let [a, b] = [(i, around), (j, across)].map(|(k, n)| TAU * f64::from(k) / f64::from(n));
        let r = major + minor * b.cos();
        DVec3::new(r * a.cos(), minor * b.sin(), r * a.sin())
    };
    let grid = |f: &dyn Fn(u32, u32) -> DVec3| -> Vec<DVec3> {
        (0..around).flat_map(|i| (0..across).map(move |j| (i, j))).map(|(i, j)| f(i, j)).collect()
    };
    let number = |i: u32, j: u32| (i % around) * across + j % across;
    let quad = |i, j| [number(i, j), number(i, j + 1), number(i + 1, j + 1), number(i + 1, j)];
    let faces = (0..around).flat_map(|i| (0..across).map(move |j| (i, j)));
    outward(Polygons::new(grid(&vertex), faces.map(|(i, j)| quad(i, j))))
}

/// A car of 16 vertices and 12 faces, about 4 long.
pub fn car() -> Polygons {
    let profile = [
        [-2.0, 0.0, 0.9],
        [-2.0, 0.6, 0.9],
        [-1.0, 0.8, 0.9],
        [-0.6, 1.4, 0.7],
        [0.7, 1.4, 0.7],
        [1.2, 0.8, 0.9],
        [2.0, 0.7, 0.9],
        [2.0, 0.0, 0.9],
    ];
    let side = |sign: f64| profile.map(|[x, y, half]| DVec3::new(x, y, sign * half));
    let mut faces: Vec<Vec<u32>> = Vec::new();
    for i in 0..8 {
        let next = (i + 1) % 8;
        faces.push(vec![next, i, i + 8, next + 8]);
    }
    for part in [vec![0, 1, 2, 5, 6, 7], vec![2, 3, 4, 5]] {
        faces.push(part.iter().rev().map(|i| i + 8).collect());
        faces.push(part);
    }
    outward(Polygons::new(side(-1.0).into_iter().chain(side(1.0)), faces))
}

/// An open sheet folded along y like a paper fan: `across` times `along` rectangles.
pub fn sheet(across: u32, along: u32) -> Polygons {
    let vertex = |i: u32| {
        let (x, y) = (i / (along + 1), i % (along + 1));
        DVec3::new(f64::from(x), f64::from(y), 0.3 * f64::from(x % 2))
    };
    let quad = |i: u32| {
        let corner = i / along * (along + 1) + i % along;
        [corner, corner + along + 1, corner + along + 2, corner + 1]
    };
    Polygons::new((0..(across + 1) * (along + 1)).map(vertex), (0..across * along).map(quad))
}

/// An open square in the x-y plane from -1 to 1, cut into `count` times `count` squares.
pub fn tiles(count: u32) -> Polygons {
    let across = count + 1;
    let place = |i: u32| 2.0 * f64::from(i) / f64::from(count) - 1.0;
    let vertex = |i: u32| DVec3::new(place(i % across), place(i / across), 0.0);
    let tile = |i: u32| {
        let corner = i / count * across + i % count;
        [corner, corner + 1, corner + 1 + across, corner + across]
    };
    Polygons::new((0..across * across).map(vertex), (0..count * count).map(tile))
}

/// A single polygon in the x-y plane.
pub fn polygon(profile: &[DVec2]) -> Polygons {
    let face: Vec<u32> = (0..profile.len() as u32).collect();
    Polygons::new(profile.iter().map(|p| p.extend(0.0)), [face])
}

/// A lone segment.
pub fn segment(p: DVec3, q: DVec3) -> Polygons {
    Polygons { vertices: vec![p, q], segments: vec![[0, 1]], ..Polygons::default() }
}

/// A lone point.
pub fn point(p: DVec3) -> Polygons {
    Polygons { vertices: vec![p], points: vec![0], ..Polygons::default() }
}

/// Several meshes as one.
pub fn joined(parts: &[Polygons]) -> Polygons {
    let mut whole = Polygons::default();
    for part in parts {
        let shift = whole.vertices.len() as u32;
        whole.vertices.extend(&part.vertices);
        let moved = |face: &Vec<u32>| face.iter().map(|v| v + shift).collect::<Vec<u32>>();
        whole.faces.extend(part.faces.iter().map(moved));
        whole.segments.extend(part.segments.iter().map(|s| s.map(|v| v + shift)));
        whole.points.extend(part.points.iter().map(|v| v + shift));
    }
    whole
}

/// The shapes that the library builds, one of each, in few faces and of about unit size.
pub fn built_in() -> [Polygons; 11] {
    let [radius, pitch, depth] = [0.5, 0.3, 0.15];
    let bolt =
        library::Bolt { radius, pitch, depth, length: 0.9, segments: 6, ..Default::default() };
    let nut = library::Nut { radius, pitch, depth, height: 0.5, segments: 6, ..Default::default() };
    let shapes = [
        Shape::Box(library::Cuboid { size: [1.0, 0.7, 0.4] }),
        Shape::Sphere(library::Sphere { radius: 0.7, segments: [7, 5] }),
        Shape::Cylinder(library::Cylinder { segments: 9, ..Default::default() }),
        Shape::Cone(library::Cone { segments: 9, ..Default::default() }),
        Shape::Prism(library::Prism::default()),
        Shape::Torus(library::Torus { segments: [7, 6], ..Default::default() }),
        Shape::Car(library::Car { length: 2.0 }),
        Shape::Bolt(bolt),
        Shape::Nut(nut),
        Shape::Gear(library::Gear { teeth: 6, module: 0.2, bore: Some(0.2), ..Default::default() }),
        Shape::Plane(library::Plane { size: [2.0; 2] }),
    ];
    shapes.map(|shape| shape.polygons().expect("fitting parameters"))
}

/// The mesh with every vertex mapped; meant for maps that keep planes planar.
pub fn mapped(mut mesh: Polygons, map: impl Fn(DVec3) -> DVec3) -> Polygons {
    for vertex in &mut mesh.vertices {
        *vertex = map(*vertex);
    }
    mesh
}

/// Six times the volume enclosed.
pub fn six_volumes(mesh: &Polygons) -> f64 {
    let at = |v: u32| mesh.vertices[v as usize];
    let fan = |f: &Vec<u32>| -> f64 {
        (1..f.len() - 1).map(|k| at(f[0]).dot(at(f[k]).cross(at(f[k + 1])))).sum()
    };
    mesh.faces.iter().map(fan).sum()
}

/// The mesh with its loops turned round if they run the wrong way.
fn outward(mut mesh: Polygons) -> Polygons {
    if six_volumes(&mesh) < 0.0 {
        mesh.faces.iter_mut().for_each(|f| f.reverse());
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use chasles::Polyhedron;

    #[test]
    fn closed_shapes_are_closed_outward_and_planar() {
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let shapes = [
            cube(),
            tetrahedron(corners),
            tetrahedron([corners[1], corners[0], corners[2], corners[3]]),
            prism(&regular(5, 0.1), 2.0),
            l_prism(),
            antiprism(4),
            truncated_cube(0.3),
            octahedron(),
            icosahedron(),
            torus(6, 5, 1.0, 0.4),
            car(),
        ];
        for (i, shape) in shapes.iter().enumerate() {
            let mesh = Polyhedron::new(shape).expect("a mesh");
            assert!(mesh.is_closed(), "shape {i}");
            assert_eq!(mesh.face_count(), shape.faces.len(), "shape {i} has a bent face");
            assert!(six_volumes(shape) > 0.0, "shape {i} is inside out");
            let (v, e, f) = (mesh.vertex_count(), mesh.edge_count(), mesh.face_count());
            assert!([0, 2].contains(&(v as i64 - e as i64 + f as i64)), "shape {i}");
            for edge in 0..e as u32 {
                let sides = mesh.edge_sides(edge);
                assert!(sides.len() == 2 && sides[0].left != sides[1].left, "shape {i}");
            }
        }
    }

    #[test]
    fn the_icosahedron_is_regular() {
        let mesh = Polyhedron::new(&icosahedron()).expect("a mesh");
        for edge in 0..30 {
            let [p, q] = mesh.edge(edge).map(|v| mesh.position(v));
            assert!((p.distance(q) - 1.051_462_224_238_267).abs() < 1e-14);
        }
    }

    #[test]
    fn built_in_shapes_are_small_and_planar() {
        for (i, shape) in built_in().iter().enumerate() {
            let mesh = Polyhedron::new(shape).expect("a mesh");
            assert_eq!(mesh.face_count(), shape.faces.len(), "shape {i} has a bent face");
            assert_eq!(mesh.is_closed(), i != 10, "shape {i}");
            let [low, high] = mesh.bounds();
            assert!(mesh.face_count() <= 300 && (1.0..4.0).contains(&(high - low).length()));
        }
    }

    #[test]
    fn a_sheet_is_open() {
        let mesh = Polyhedron::new(&sheet(3, 2)).expect("a mesh");
        assert_eq!((mesh.face_count(), mesh.vertex_count()), (6, 12));
        assert!(mesh.is_two_sided(0));
    }
}
