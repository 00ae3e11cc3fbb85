//! A character that walks over a floor, up two steps and along a wall.
//!
//! `cargo run --release --example character`

use std::error::Error;
use std::io::{Write, stdout};

use chasles::Pose;
use chasles::glam::DVec3;
use chasles::mesh::shapes::{Capsule, Cuboid, Shape};
use chasles::trace::{Body, Fixture, Walker, Workspace, World};

fn main() -> Result<(), Box<dyn Error>> {
    let block = |size: [f64; 3], place: [f64; 3]| -> Result<Fixture, Box<dyn Error>> {
        let polygons = Shape::Box(Cuboid { size }).polygons()?;
        Ok(Fixture::new(polygons).at(Pose::from_position(place)?))
    };
    // A floor, two steps of 0.2 one behind the other, and a wall.
    let world = World::new(vec![
        block([20.0, 1.0, 20.0], [0.0, -0.5, 0.0])?,
        block([1.0, 0.2, 4.0], [2.5, 0.1, 0.0])?,
        block([1.0, 0.4, 4.0], [3.5, 0.2, 0.0])?,
        block([1.0, 3.0, 8.0], [5.5, 1.5, 0.0])?,
    ])?;
    let body = Body::from_shape(&Shape::Capsule(Capsule::default()))?;
    // Climbs steps of 0.3, and slopes of 45 degrees.
    let walker = Walker::new(body, DVec3::Y, 0.3, 45.0_f64.to_radians())?;

    let mut workspace = Workspace::new();
    let mut pose = Pose::from_position([0.0, 1.2, 0.0])?;
    for frame in 0..60 {
        let by = match frame {
            // Down to the floor first.
            0 => DVec3::new(0.0, -1.0, 0.0),
            _ => DVec3::new(0.1, 0.0, 0.02),
        };
        let walk = walker.walk(&world, &pose, by, &mut workspace)?;
        pose = walk.end;
        if frame % 10 == 0 {
            let on = if walk.ground.is_some() { "on the ground" } else { "in the air" };
            let wall = if walk.wall.is_some() { ", at a wall" } else { "" };
            writeln!(stdout(), "{frame}: {:.3}, {on}{wall}", pose.position())?;
        }
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
