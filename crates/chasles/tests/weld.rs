//! Vertices that rounding moved apart are one: meshes with noise are closed, and queries find the
//! same contacts, features and properness as without it.

#![cfg(feature = "files")]

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::files;
use chasles::mesh::shapes::{Car, Cuboid, Shape, Torus};
use chasles::{Collider, Contact, Motion, Options, Polygons, Polyhedron, Pose, Step, Workspace};

/// A text STL file of triangles, each corner moved by up to `noise` in each direction.
fn stl(polygons: &Polygons, noise: f64) -> Vec<u8> {
    let mut text = String::from("solid a\n");
    let mut turn = 0.0_f64;
    let mesh = Polyhedron::new(polygons).expect("a mesh");
    for triangle in (0..mesh.face_count() as u32).flat_map(|face| mesh.face_triangles(face)) {
        text += "facet normal 0 0 0\nouter loop\n";
        for vertex in triangle {
            turn += 1.0;
            let shift = noise * DVec3::new(turn.sin(), (2.0 * turn).sin(), (3.0 * turn).sin());
            let [x, y, z] = (mesh.position(vertex) + shift).to_array();
            text += &format!("vertex {x} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    }
    (text + "endsolid a\n").into_bytes()
}

fn read(bytes: &[u8]) -> Polygons {
    files::parse_stl(bytes).expect("an STL file")
}

/// All contacts of two bodies of which the second passes through the first.
fn contacts(a: &Polygons, b: &Polygons) -> Vec<Contact> {
    let [a, b] = [a, b].map(|p| Collider::new(Polyhedron::new(p).expect("a mesh")));
    let pose = |x: f64, angle: f64| {
        let turn = DQuat::from_scaled_axis(DVec3::new(0.3, 1.0, 0.2) * angle);
        Pose::new([x, 0.13, 0.21], turn).expect("finite")
    };
    let step =
        Step::new(Motion::still(Pose::IDENTITY), Motion::between(pose(3.0, 0.4), pose(-1.0, 1.3)));
    chasles::contacts(&a, &b, &step, &Options::default(), &mut Workspace::new()).to_vec()
}

fn along(one: &Contact, other: &Contact) -> f64 {
    one.normal_in_a.dot(other.normal_in_a)
}

#[test]
fn an_stl_file_with_rounding_noise_is_closed_and_keeps_its_vertices() {
    let shapes =
        [Shape::Box(Cuboid::default()), Shape::Torus(Torus::default()), Shape::Car(Car::default())];
    for shape in shapes {
        let polygons = shape.polygons().expect("a shape");
        let noisy = read(&stl(&polygons, 1e-15));
        assert!(noisy.vertices.len() > 2 * polygons.vertices.len(), "{shape:?}: there is no noise");
        let mesh = Polyhedron::new(&noisy).expect("a mesh");
        assert!(mesh.is_closed() && mesh.opening().is_none(), "{shape:?}");
        assert_eq!(mesh.vertex_count(), polygons.vertices.len(), "{shape:?}");
        for vertex in 0..mesh.vertex_count() as u32 {
            let label = mesh.vertex_label(vertex) as usize;
            assert_eq!(mesh.position(vertex), noisy.vertices[label], "moved");
        }
        let joined = noisy.vertices.len() - polygons.vertices.len();
        assert_eq!((mesh.weld().joined.total, mesh.weld().kept_apart.total), (joined, 0));
        let equal_only = Polyhedron::welded(&noisy, 0.0).expect("a mesh");
        assert!(!equal_only.is_closed(), "{shape:?}: nothing to weld");
    }
}

#[test]
fn noise_changes_neither_contacts_nor_properness() {
    let cube = Shape::Box(Cuboid::default()).polygons().expect("a shape");
    let other = Shape::Torus(Torus::default()).polygons().expect("a shape");
    let clean = contacts(&read(&stl(&cube, 0.0)), &other);
    let noisy = contacts(&read(&stl(&cube, 1e-15)), &other);
    assert!(clean.len() > 50, "only {} contacts", clean.len());
    assert_eq!(noisy.len(), clean.len());
    for (found, expected) in noisy.iter().zip(&clean) {
        assert_eq!(found.features.kind(), expected.features.kind());
        let near = |x: f64, y: f64| (x - y).abs() < 1e-11;
        assert!(near(found.time, expected.time), "{found:?} instead of {expected:?}");
        assert!(near(found.properness, expected.properness), "{found:?} instead of {expected:?}");
        // Across the diagonal of a flat side no touch is proper, and rounding decides which way the
        // normal points.
        let sign =
            if expected.properness > 0.0 { 1.0 } else { 1.0_f64.copysign(along(found, expected)) };
        assert!((sign * found.normal_in_a).distance(expected.normal_in_a) < 1e-11, "{found:?}");
        assert_eq!(found.grazing, expected.grazing);
    }
}
