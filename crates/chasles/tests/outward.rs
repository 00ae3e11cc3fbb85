//! Meshes that are inside out, once turned, meet others as those that are not.

use chasles::glam::DQuat;
use chasles::mesh::shapes::{Gear, Shape, Torus};
use chasles::{Collider, Contact, Motion, Options, Polygons, Polyhedron, Pose, Step, Workspace};
use chasles_testkit::shapes;

fn over(mut mesh: Polygons) -> Polygons {
    let all: Vec<u32> = (0..mesh.faces.len() as u32).collect();
    mesh.turn(&all);
    mesh
}

fn outward(polygons: &Polygons) -> Collider {
    let mut mesh = Polyhedron::new(polygons).expect("an acceptable mesh");
    mesh.turn_outward();
    Collider::new(mesh)
}

fn contacts([a, b]: [&Collider; 2], options: &Options) -> Vec<Contact> {
    let turn = DQuat::from_scaled_axis([0.3, 0.5, -0.2].into());
    let [from, to] = [
        Pose::new([4.0, 0.3, 0.2], DQuat::IDENTITY).expect("finite"),
        Pose::new([0.5, 0.1, -0.1], turn).expect("finite"),
    ];
    let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to));
    chasles::contacts(a, b, &step, options, &mut Workspace::new()).to_vec()
}

fn bodies() -> [Polygons; 2] {
    let torus = Shape::Torus(Torus { segments: [14, 9], ..Torus::default() });
    let gear = Shape::Gear(Gear { teeth: 9, ..Gear::default() });
    [torus, gear].map(|shape| shape.polygons().expect("fits"))
}

#[test]
fn a_turned_mesh_has_the_contacts_of_one_that_was_never_inside_out() {
    let [torus, gear] = bodies();
    let right = [&torus, &gear].map(outward);
    let turned = [&over(torus), &over(gear)].map(outward);
    let [all, first, facing] = [
        Options::default(),
        Options { first_only: true, ..Options::default() },
        Options { facing: true, ..Options::default() },
    ];
    for options in [all, first, facing, Options { min_properness: -0.1, ..facing }] {
        for pair in [[0, 1], [1, 0], [0, 0], [1, 1]] {
            let of = |bodies: &[Collider; 2]| contacts(pair.map(|i| &bodies[i]), &options);
            let (expected, found) = (of(&right), of(&turned));
            assert!(!expected.is_empty() && found.len() == expected.len(), "{options:?} {pair:?}");
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.features, expected.features);
                assert_eq!(found.touchable, expected.touchable);
                assert!((found.time - expected.time).abs() < 1e-12);
                assert!((found.properness - expected.properness).abs() < 1e-9);
                assert!(found.normal.distance(expected.normal) < 1e-9);
            }
        }
    }
}

/// Left inside out, a body loses its first contact with `facing`.
#[test]
fn facing_keeps_the_first_contact_of_a_turned_mesh() {
    let [torus, gear] = bodies();
    let [gear, inside_out] = [outward(&gear), outward(&over(torus.clone()))];
    let facing = Options { facing: true, ..Options::default() };
    let start = |bodies: [&Collider; 2], options: &Options| contacts(bodies, options)[0].time;
    let first = start([&inside_out, &gear], &Options::default());
    assert!((start([&inside_out, &gear], &facing) - first).abs() < 1e-12);
    let left = Collider::new(Polyhedron::new(&over(torus)).expect("acceptable"));
    let late = contacts([&left, &gear], &facing).first().map_or(1.0, |c| c.time) - first;
    assert!(late > 1e-3, "nothing is tested: {late}");
}

#[test]
fn cavities_and_numbers_stay() {
    let outer = shapes::cuboid([2.0; 3].into());
    let inner = over(shapes::cuboid([1.0; 3].into()));
    let hollow = shapes::joined(&[outer, inner]);
    let mut mesh = Polyhedron::new(&hollow).expect("acceptable");
    assert!(mesh.turn_outward().faces.is_empty());
    assert_eq!(mesh.volume(), 7.0);
    let mut mesh = Polyhedron::new(&over(hollow.clone())).expect("acceptable");
    assert_eq!(mesh.turn_outward().components, [0, 6]);
    assert_eq!(mesh.volume(), 7.0);
    for (v, place) in mesh.positions().iter().enumerate() {
        assert_eq!(*place, hollow.vertices[mesh.vertex_label(v as u32) as usize]);
    }
}
