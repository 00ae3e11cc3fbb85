//! Many pairs at once: tori that pass through each other at random, on the best device there is.
//!
//! `cargo run --release -p chasles-gpu --example many -- 200` asks about 200 pairs.

#![allow(clippy::print_stdout)]

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Shape, Torus};
use chasles::screen::Options;
use chasles::{Collider, Motion, Pose, Step};
use chasles_gpu::{Device, Pair, Screen};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).map_or(Ok(100), |count| count.parse::<u32>())?;
    let torus = Collider::new(Shape::Torus(Torus::default()).build()?);
    let steps = (0..count).map(|i| step(f64::from(i))).collect::<Result<Vec<_>, _>>()?;
    let pairs: Vec<Pair<'_>> =
        steps.iter().map(|step| Pair { bodies: [&torus, &torus], step }).collect();
    let mut screen = Screen::new(Device::new()?);
    println!("{}", screen.device().name());
    let contacts = screen.contacts(&pairs, &Options::default())?;
    let touching = contacts.iter().filter(|of_pair| !of_pair.is_empty()).count();
    let all: usize = contacts.iter().map(Vec::len).sum();
    println!("{touching} of {count} pairs touch, with {all} contacts");
    println!("{:?}", screen.statistics());
    Ok(())
}

/// One torus falls past another, each time from elsewhere and turned otherwise.
fn step(number: f64) -> Result<Step, chasles::motion::MotionError> {
    let axis = DVec3::new(number.sin(), (2.0 * number).cos(), 0.5).normalize();
    let turned = |angle: f64| DQuat::from_axis_angle(axis, angle);
    let beside = 0.7 * (3.0 * number).sin();
    let start = Pose::new([beside, 3.0, 0.0], turned(number))?;
    let end = Pose::new([beside, -1.0, 0.0], turned(number + 1.0))?;
    Ok(Step::new(Motion::still(Pose::IDENTITY), Motion::between(start, end)))
}
