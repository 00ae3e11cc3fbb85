//! A link of a robot swings past what a scan has seen: does it pass, and with how much room?
//!
//! `cargo run --release --example robot_link`

use std::error::Error;
use std::io::{Write, stdout};

use chasles::glam::DVec3;
use chasles::query::{Geometry, Workspace, clearance};
use chasles::{Motion, Polygons, Polyhedron, Pose, Screw, Step};

fn main() -> Result<(), Box<dyn Error>> {
    let table = Geometry::mesh(Polyhedron::new(&scan())?);
    let link = Geometry::capsule([[0.0, 0.0, 0.0], [0.6, 0.0, 0.0]], 0.05)?;
    let mut workspace = Workspace::new();
    for height in [0.5, 0.3, 0.15] {
        // The joint is at the origin of the link; it swings by 100 degrees about the vertical.
        let swing = Screw::about_axis(DVec3::ZERO, DVec3::Z, 100_f64.to_radians(), 0.0)?;
        let start = Pose::from_position([0.0, 0.0, height])?;
        let step = Step::new(Motion::still(Pose::IDENTITY), Motion::along(start, swing)?);
        let found = clearance(&table, &link, &step, 1e-4, &mut workspace)?;
        writeln!(
            stdout(),
            "at height {height}: {}, between {:.4} and {:.4} apart, nearest at {:.3} of the swing",
            if found.upper > 0.0 { "free" } else { "it touches" },
            found.lower,
            found.upper,
            found.time,
        )?;
    }
    Ok(())
}

/// An uneven surface over a square, as a depth camera gives it: open, and two triangles a cell.
fn scan() -> Polygons {
    let cells = 60_u32;
    let side = cells + 1;
    let at = |i: u32| {
        let [x, y] = [i % side, i / side].map(|k| 2.0 * f64::from(k) / f64::from(cells) - 1.0);
        DVec3::new(x, y, 0.1 * (5.0 * x).sin() * (4.0 * y).cos() + 0.02 * (31.0 * x * y).sin())
    };
    let corners = (0..cells * cells).map(move |i| i / cells * side + i % cells);
    let cell = |i: u32| [[i, i + 1, i + side + 1], [i, i + side + 1, i + side]];
    Polygons::new((0..side * side).map(at), corners.flat_map(cell))
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
