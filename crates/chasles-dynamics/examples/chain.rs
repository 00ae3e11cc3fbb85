//! A chain that falls from one end: how the work of a step grows with the links.
//!
//! `cargo run --release --example chain -- 1000 100` steps a thousand links a hundred times.

use std::error::Error;
use std::io::{Write, stdout};
use std::time::Instant;

use chasles::Pose;
use chasles::mesh::Mass;
use chasles_dynamics::body::{Inertia, MassProperties, Velocity};
use chasles_dynamics::linkage::{Anchor, Joint, Linkage, displaced};
use glam::{DMat3, DVec3};

const LINK: f64 = 0.1;
const STEP: f64 = 1.0 / 240.0;
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let links = numbers.next().transpose()?.unwrap_or(1000);
    let steps = numbers.next().transpose()?.unwrap_or(100);
    let rod = rod()?;
    let mut poses = vec![Pose::IDENTITY];
    for link in 0..links {
        poses.push(Pose::from_position(DVec3::X * (LINK * (link as f64 + 0.5)))?);
    }
    let [left, right] = [-0.5, 0.5].map(|side| Anchor::at(DVec3::X * (side * LINK)));
    let [left, right, wall] = [left?, right?, Anchor::at(DVec3::ZERO)?];
    let joint =
        |link: usize| Joint::ball([link, link + 1], [if link == 0 { wall } else { right }, left]);
    let joints = (0..links).map(joint).collect::<Result<Vec<_>, _>>()?;
    let mut velocities = vec![Velocity::ZERO; links + 1];
    let mut linkage = Linkage::default();
    let start = Instant::now();
    for _ in 0..steps {
        step(&rod, &joints, &mut linkage, &mut poses, &mut velocities)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    writeln!(
        stdout(),
        "{links} links, {} entries, gap {:.1e} m, {:.1} us a step",
        linkage.entries(),
        linkage.gap().length,
        1e6 * seconds / steps as f64
    )?;
    Ok(())
}

/// A thin link of 50 g.
fn rod() -> Result<MassProperties, Box<dyn Error>> {
    let across = 0.05 * LINK * LINK / 12.0;
    let inertia = DMat3::from_diagonal(DVec3::new(0.05 * across, across, across));
    Ok(MassProperties::new(&Mass { mass: 0.05, centre: DVec3::ZERO, inertia })?)
}

/// Forces, then joints, then poses, then what has drifted.
fn step(
    rod: &MassProperties,
    joints: &[Joint],
    linkage: &mut Linkage,
    poses: &mut [Pose],
    velocities: &mut [Velocity],
) -> Result<(), Box<dyn Error>> {
    let mut bodies: Vec<Inertia> = poses.iter().map(|pose| rod.at(pose)).collect();
    bodies[0] = Inertia::fixed(DVec3::ZERO);
    linkage.fit(joints, &bodies, poses)?;
    for velocity in &mut velocities[1..] {
        velocity.linear += STEP * GRAVITY;
    }
    linkage.settle(velocities, STEP);
    let back = linkage.correction(LINK);
    for (((pose, body), velocity), back) in poses.iter_mut().zip(&bodies).zip(velocities).zip(&back)
    {
        let by = Velocity {
            linear: STEP * velocity.linear + back.linear,
            angular: STEP * velocity.angular + back.angular,
        };
        *pose = displaced(pose, body.centre, &by);
    }
    Ok(())
}
