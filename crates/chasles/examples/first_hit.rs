//! When and where a falling, turning cube first touches a torus.
//!
//! `cargo run --release --example first_hit`

use std::error::Error;
use std::io::{Write, stdout};

use chasles::glam::DQuat;
use chasles::mesh::shapes::{Cuboid, Shape, Torus};
use chasles::query::{Geometry, Options, Workspace, first_contact};
use chasles::{Motion, Pose, Step};

fn main() -> Result<(), Box<dyn Error>> {
    let torus = Geometry::shape(&Shape::Torus(Torus::default()))?;
    let cube = Geometry::shape(&Shape::Box(Cuboid { size: [0.5; 3] }))?;

    // The torus rests; the cube falls by 3 and turns by a radian meanwhile.
    let start = Pose::from_position([0.9, 2.0, 0.1])?;
    let end = Pose::new([0.9, -1.0, 0.1], DQuat::from_rotation_z(1.0))?;
    let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(start, end));

    let mut workspace = Workspace::new();
    let hit = first_contact(&torus, &cube, &step, &Options::default(), &mut workspace)?;
    match hit {
        Some(hit) => writeln!(
            stdout(),
            "at {:.6} of the step, at {:.4}: {} of the torus, {} of the cube, normal {:.3}",
            hit.time,
            hit.point,
            hit.features.a.kind(),
            hit.features.b.kind(),
            hit.normal,
        )?,
        None => writeln!(stdout(), "they miss each other")?,
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
