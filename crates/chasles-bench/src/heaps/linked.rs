//! Ragdolls and chains: boxes with ball joints between them.

use chasles::Pose;
use chasles::glam::{DQuat, DVec3};
use chasles_dynamics::body::MassProperties;
use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::{Body, BodyId, World};
use chasles_testkit::generate::Random;

use super::{Failure, collider, fixed, material, side};

/// A box of a figure: its size and place, the number of the box it hangs on, and their joint.
type Limb = ([f64; 3], [f64; 3], usize, [f64; 3]);

/// The boxes of a figure that lies along z, its pelvis first. Half of the gap between two is on
/// either side of their joint.
const FIGURE: [Limb; 11] = [
    ([0.30, 0.18, 0.18], [0.0, 0.0, 0.0], 0, [0.0; 3]),
    ([0.34, 0.20, 0.40], [0.0, 0.0, 0.32], 0, [0.0, 0.0, 0.105]),
    ([0.16, 0.18, 0.20], [0.0, 0.0, 0.66], 1, [0.0, 0.0, 0.54]),
    ([0.26, 0.09, 0.09], [-0.34, 0.0, 0.45], 1, [-0.19, 0.0, 0.45]),
    ([0.26, 0.09, 0.09], [0.34, 0.0, 0.45], 1, [0.19, 0.0, 0.45]),
    ([0.24, 0.08, 0.08], [-0.63, 0.0, 0.45], 3, [-0.49, 0.0, 0.45]),
    ([0.24, 0.08, 0.08], [0.63, 0.0, 0.45], 4, [0.49, 0.0, 0.45]),
    ([0.12, 0.12, 0.40], [-0.09, 0.0, -0.32], 0, [-0.09, 0.0, -0.105]),
    ([0.12, 0.12, 0.40], [0.09, 0.0, -0.32], 0, [0.09, 0.0, -0.105]),
    ([0.11, 0.11, 0.40], [-0.09, 0.0, -0.75], 7, [-0.09, 0.0, -0.535]),
    ([0.11, 0.11, 0.40], [0.09, 0.0, -0.75], 8, [0.09, 0.0, -0.535]),
];

/// Links of a chain, and the distance of two.
const LINKS: usize = 10;
const PITCH: f64 = 0.12;

/// Figures that lie on their backs in layers above the floor, each turned about the vertical.
pub(super) fn ragdolls(world: &mut World, count: usize) -> Result<(), Failure> {
    fixed(world, [80.0, 80.0, 1.0], [0.0, 0.0, -0.5])?;
    let n = side(count, 4);
    let mut random = Random::new(17);
    for i in 0..count {
        let [x, y, z] = [i % n, i / n % n, i / (n * n)].map(|k| k as f64);
        let at = DVec3::new(1.9 * x, 1.9 * y, 0.5 + 0.5 * z);
        let lying = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
        let turn = DQuat::from_rotation_z(random.between(-0.5, 0.5)) * lying;
        figure(world, &Pose::new(at, turn)?)?;
    }
    Ok(())
}

fn figure(world: &mut World, pose: &Pose) -> Result<(), Failure> {
    let mut ids: Vec<BodyId> = Vec::new();
    for (size, place, parent, joint) in FIGURE {
        let id = link(world, size, pose.point(place.into()), pose.rotation())?;
        if let Some(&parent) = ids.get(parent) {
            hold(world, [parent, id], pose.point(joint.into()))?;
        }
        ids.push(id);
    }
    Ok(())
}

/// Chains that are held level by a post each, higher above the floor than half their length.
pub(super) fn chains(world: &mut World, count: usize) -> Result<(), Failure> {
    fixed(world, [80.0, 80.0, 1.0], [0.0, 0.0, -0.5])?;
    let n = side(count, 1);
    let mut random = Random::new(19);
    for i in 0..count {
        let [x, y] = [i / n, i % n].map(|k| k as f64);
        let start = DVec3::new(1.6 * x, 0.25 * y, 0.9);
        fixed(world, [0.04; 3], start.to_array())?;
        let mut last = BodyId(world.bodies().len() - 1);
        for k in 0..LINKS {
            let joint = start + DVec3::X * (0.03 + PITCH * k as f64);
            let place = joint + DVec3::X * 0.5 * PITCH;
            let id = link(world, [0.1, 0.03, 0.03], place, DQuat::IDENTITY)?;
            hold(world, [last, id], joint)?;
            last = id;
        }
        let tip = world.bodies()[last.index()].centre();
        world.apply_impulse(last, 0.02 * random.vector(), tip);
    }
    Ok(())
}

fn link(world: &mut World, size: [f64; 3], at: DVec3, turn: DQuat) -> Result<BodyId, Failure> {
    let shape = collider(size)?;
    let mass = MassProperties::of_mesh(shape.mesh(), 1000.0)?;
    let body = Body::dynamic(shape, mass).at(Pose::new(at, turn)?);
    Ok(world.add(body.made_of(material()?)))
}

/// A ball joint at a point of the world.
fn hold(world: &mut World, bodies: [BodyId; 2], point: DVec3) -> Result<(), Failure> {
    let poses = bodies.map(|id| world.bodies()[id.index()].pose());
    let anchors = Anchor::at(point)?.in_bodies([&poses[0], &poses[1]]);
    world.link(Joint::ball(bodies.map(|id| id.index()), anchors)?)?;
    Ok(())
}
