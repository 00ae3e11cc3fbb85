//! A bar that passes waypoints past a post: the first touch, and on which leg of the way.
//!
//! `cargo run --release --example waypoints`

use std::error::Error;
use std::f64::consts::FRAC_PI_2;
use std::io::{Write, stdout};

use chasles::glam::DQuat;
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::query::{Geometry, Options, Route, Waypoints, Workspace, contacts};
use chasles::{Motion, Pose};

fn main() -> Result<(), Box<dyn Error>> {
    let post = Geometry::cylinder([[0.0, 0.0, 0.0], [0.0, 3.0, 0.0]], 0.2)?;
    let bar = Geometry::shape(&Shape::Box(Cuboid { size: [2.0, 0.1, 0.1] }))?;

    // Along the post at a distance, a quarter-turn, and across it. Times need not be even.
    let turned = DQuat::from_rotation_y(FRAC_PI_2);
    let way = Waypoints::new([
        (0.0, Pose::from_position([-3.0, 1.0, 1.0])?),
        (0.4, Pose::from_position([0.0, 1.0, 1.5])?),
        (0.7, Pose::new([2.0, 1.0, 1.5], turned)?),
        (1.0, Pose::new([-2.0, 1.0, 0.5], turned)?),
    ])?;
    let route = Route::new(Motion::still(Pose::IDENTITY), &way);

    let mut workspace = Workspace::new();
    let found = contacts(&post, &bar, &route, &Options::default(), &mut workspace)?;
    for contact in found.iter() {
        let leg = route.pieces().iter().position(|piece| contact.time <= piece.times[1]);
        writeln!(
            stdout(),
            "at {:.4}, on leg {}: {} of the post and {} of the bar at {:.3}",
            contact.time,
            leg.map_or(0, |leg| leg + 1),
            contact.features.a.kind(),
            contact.features.b.kind(),
            contact.point,
        )?;
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
