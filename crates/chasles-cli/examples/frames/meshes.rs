//! Surfaces at the start and at the end of a step, from closed forms.
//!
//! Coordinates are rounded to four decimals, so that files are short and the same on all machines.

use chasles::Polygons;
use chasles::glam::DVec3;

/// The name of each file and its mesh.
pub(crate) fn all() -> [(&'static str, Polygons); 4] {
    [
        ("cloth-start.obj", cloth(false)),
        ("cloth-end.obj", cloth(true)),
        ("sheet-start.obj", sheet(false)),
        ("sheet-end.obj", sheet(true)),
    ]
}

/// A square of cloth with small waves. Its border falls faster than its middle, as if a sphere had
/// already begun to hold that, and a wind moves it along x.
fn cloth(at_end: bool) -> Polygons {
    grid([20, 20], |u, v| {
        let [x, z] = [2.0 * u - 1.0, 2.0 * v - 1.0];
        let waves = 0.03 * (4.0 * x + z).sin() + 0.02 * (5.0 * z - 2.0 * x).cos();
        let start = DVec3::new(x, 0.65 + waves, z);
        let fall = 0.25 + 0.3 * (x * x + z * z);
        if at_end { DVec3::new(x + 0.08, start.y - fall, z) } else { start }
    })
}

/// A sheet that is bent back over itself. At the start the upper part stands open; at the end it
/// has swung through the lower part, on one side farther than on the other. It is cut askew, so
/// that the borders of the two parts do not lie in one plane.
fn sheet(at_end: bool) -> Polygons {
    let [length, bend_from, bend] = [2.4, 1.0, 0.4];
    grid([24, 8], |u, v| {
        let turn = std::f64::consts::PI + if at_end { 0.35 + 0.35 * v } else { -0.5 };
        let along = length * u;
        let in_bend = (along - bend_from).clamp(0.0, bend);
        let behind = (along - bend_from - bend).max(0.0);
        // An arc of the length of the bend, and a straight part behind it.
        let radius = bend / turn;
        let angle = in_bend / radius;
        let x = along.min(bend_from) + radius * angle.sin() + behind * turn.cos();
        let y = radius * (1.0 - angle.cos()) + behind * turn.sin();
        DVec3::new(x, y, 0.9 * v + 0.06 * behind)
    })
}

/// Quads over the unit square, each vertex where `place` puts it.
fn grid([across, along]: [u32; 2], place: impl Fn(f64, f64) -> DVec3) -> Polygons {
    let rounded = |p: DVec3| (p * 1e4).round() / 1e4;
    let row = |j: u32| {
        let v = f64::from(j) / f64::from(along);
        (0..=across).map(move |i| (f64::from(i) / f64::from(across), v))
    };
    let vertices = (0..=along).flat_map(row).map(|(u, v)| rounded(place(u, v)) + DVec3::ZERO);
    let quad = |i: u32, j: u32| {
        let corner = j * (across + 1) + i;
        [corner, corner + across + 1, corner + across + 2, corner + 1]
    };
    let quads = (0..along).flat_map(|j| (0..across).map(move |i| quad(i, j)));
    Polygons::new(vertices, quads)
}
