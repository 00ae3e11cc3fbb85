//! A thousand bodies a frame: which of them touch, and which first.
//!
//! `cargo run --release --example many_bodies -- 1000 60` has a thousand bodies for sixty frames.

use std::error::Error;
use std::io::{Write, stdout};
use std::time::Instant;

use chasles::glam::DVec3;
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::query::{BodyId, Geometry, Options, Set};
use chasles::{Motion, Pose};

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u32>().ok());
    let count = numbers.next().flatten().unwrap_or(1000);
    let frames = numbers.next().flatten().unwrap_or(10);
    let shapes = [
        Geometry::shape(&Shape::Box(Cuboid { size: [0.8; 3] }))?,
        Geometry::sphere(0.4)?,
        Geometry::capsule([[-0.3, 0.0, 0.0], [0.3, 0.0, 0.0]], 0.2)?,
    ];
    // A grid of bodies with a little room; every third one moves.
    let side = f64::from(count).cbrt().ceil();
    let place = |i: u32| {
        let i = f64::from(i);
        DVec3::new(i % side, (i / side).floor() % side, (i / side / side).floor())
    };
    let mut set = Set::new();
    for i in 0..count {
        let start = Pose::from_position(place(i))?;
        set.add(shapes[i as usize % shapes.len()].clone(), Motion::still(start));
    }
    let ids: Vec<BodyId> = set.bodies().map(|(id, _)| id).collect();

    let mut contacts = 0;
    let started = Instant::now();
    for frame in 0..frames {
        for (i, &id) in (0..).zip(&ids).filter(|(i, _)| i % 3 == frame % 3) {
            let phase = f64::from(i) + 0.1 * f64::from(frame);
            let linear = 0.3 * DVec3::new(phase.sin(), (1.7 * phase).cos(), (0.6 * phase).sin());
            let body = set.body_mut(id).expect("it is of this set");
            body.motion = Motion::flight(body.motion.start(), linear, 0.2 * linear)?.into();
        }
        contacts += set.contacts(&Options::default().first())?.contact_count();
    }
    let time = started.elapsed().as_secs_f64() / f64::from(frames);
    writeln!(stdout(), "{contacts} first contacts, {:.2} ms a frame", 1e3 * time)?;
    if let Some(([a, b], contact)) = set.first_contact(&Options::default())? {
        writeln!(stdout(), "the first: {a} and {b} at {:.4}", contact.time)?;
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
