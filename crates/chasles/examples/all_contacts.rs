//! Every contact of two tori that pass through each other, and those that a response needs.
//!
//! `cargo run --release --example all_contacts`

use std::error::Error;
use std::io::{Write, stdout};

use chasles::mesh::shapes::{Shape, Torus};
use chasles::query::{Geometry, Options, Workspace, contacts};
use chasles::{Motion, Pose, Screw, Step};

fn main() -> Result<(), Box<dyn Error>> {
    let torus = Geometry::shape(&Shape::Torus(Torus::default()))?;
    // B goes 6 along x while it turns by 40 degrees about it: a screw, in the world frame.
    let twist = Screw::about_axis([0.0; 3], [1.0, 0.0, 0.0], 40_f64.to_radians(), 6.0)?;
    let start = Pose::from_position([-3.0, 0.4, 0.2])?;
    let step = Step::new(Motion::still(Pose::IDENTITY), Motion::along(start, twist)?);

    let mut workspace = Workspace::new();
    let all = contacts(&torus, &torus, &step, &Options::all(), &mut workspace)?;
    writeln!(stdout(), "{} contacts by {}: {}", all.len(), all.choice.method, all.choice.reason)?;
    let parting = all.iter().filter(|contact| contact.normal_speed > 0.0).count();
    writeln!(stdout(), "{parting} of them are features that part")?;

    let few = contacts(&torus, &torus, &step, &Options::default(), &mut workspace)?;
    for contact in few.iter() {
        writeln!(
            stdout(),
            "{:.6} {:?} properness {:.3}, speed {:.3}",
            contact.time,
            contact.features,
            contact.properness,
            contact.normal_speed,
        )?;
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
