//! The forward and backward parts of a square and of a cube, as `chasles::screen` clips them.

use std::error::Error;
use std::path::Path;

use chasles::glam::{DVec2, DVec3};
use chasles::screen::facing_parts;
use chasles::{Collider, Polygons, Polyhedron, Pose, Screw};
use chasles_picture::{Axis, Colour, Look, Plot, Size, Still, Style, View};

const FORWARD: Colour = Colour::hex(0x00_72_b2);
const BACKWARD: Colour = Colour::hex(0xd5_5e_00);
const MOTION: Colour = Colour::hex(0x6b_72_7c);
const INK: Colour = Colour::hex(0x1f_24_2b);

/// The figure of that name: SVG if `path` ends so, and PNG otherwise.
pub(crate) fn draw(figure: &str, path: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let is_svg = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    match (figure, is_svg) {
        ("square", true) => Ok(square()?.to_svg().into_bytes()),
        ("square", false) => Ok(square()?.render().to_png()),
        ("cube", _) => cube(is_svg),
        _ => Err(format!("there is no figure {figure}: name square or cube").into()),
    }
}

/// A prism without lids, seen along its axis: four walls that look like the sides of a square.
fn walls(corners: [DVec2; 4]) -> Result<Collider, Box<dyn Error>> {
    let [low, high] = [-0.5, 0.5].map(|z| corners.map(|p| p.extend(z)));
    let wall = |i: u32| [i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4];
    let polygons = Polygons::new([low, high].concat(), [0, 1, 2, 3].map(wall));
    Ok(Collider::new(Polyhedron::new(&polygons)?))
}

/// The angle by which arrows show the square to turn.
const TURN: f64 = 0.3;

fn square() -> Result<Plot, Box<dyn Error>> {
    let tilt = DVec2::from_angle(0.17);
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]
        .map(|corner| DVec2::new(2.3, 0.2) + tilt.rotate(DVec2::from_array(corner)));
    let body = walls(corners)?;
    let turn = Screw::from_twist([0.0, 0.0, 1.0], [0.0; 3])?;
    let mut lines = [Vec::new(), Vec::new()];
    for face in 0..body.mesh().face_count() as u32 {
        for (line, part) in lines.iter_mut().zip(facing_parts(&body, face, &turn)) {
            line.extend(part.iter().filter(|p| p.z < 0.0).map(|p| [p.x, p.y]));
            line.push([f64::NAN; 2]);
        }
    }
    let motion: Vec<[f64; 2]> = corners.into_iter().flat_map(arrow).collect();
    let range = |title: &str, ends: [f64; 2]| Axis { range: Some(ends), ..Axis::linear(title) };
    let size = Size::new(900, 800)?;
    let mut plot = Plot::new(size, range("x", [-0.4, 3.9]), range("y", [-1.4, 2.3]));
    plot.title("A square that turns about the origin").same_unit();
    plot.coloured("forward", Style::Line, FORWARD, &lines[0]);
    plot.coloured("backward", Style::Dashed, BACKWARD, &lines[1]);
    plot.coloured("motion", Style::Hair, MOTION, &motion);
    plot.coloured("axis", Style::Dots, INK, &[[0.0, 0.0]]);
    Ok(plot)
}

/// The arc about the origin that a point goes, with a head at its end.
fn arrow(from: DVec2) -> Vec<[f64; 2]> {
    let at = |f: f64| DVec2::from_angle(TURN * f).rotate(from);
    let mut points: Vec<DVec2> = (0..=24).map(|i| at(f64::from(i) / 24.0)).collect();
    let tip = at(1.0);
    let along = tip.perp().normalize();
    let head = |side: f64| tip - 0.11 * DVec2::from_angle(side * 0.4).rotate(along);
    points.extend([head(1.0), tip, head(-1.0)]);
    points.into_iter().map(|p| p.to_array()).chain([[f64::NAN; 2]]).collect()
}

/// A cube before a vertical axis, that rises as it turns.
fn cube(is_svg: bool) -> Result<Vec<u8>, Box<dyn Error>> {
    let side = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
    let corner = |i: u32| DVec3::new(side(i), side(i >> 1), side(i >> 2) + 3.4);
    let faces =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let body = Collider::new(Polyhedron::new(&Polygons::new((0..8).map(corner), faces))?);
    let screw = Screw::from_twist([0.0, 0.36, 0.0], [0.0, 0.8, 0.0])?;
    let mut parts = [Vec::new(), Vec::new()];
    for face in 0..6 {
        for (parts, part) in parts.iter_mut().zip(facing_parts(&body, face, &screw)) {
            parts.extend((part.len() > 2).then_some(part));
        }
    }
    let [forward, backward] = [surface(&parts[0])?, surface(&parts[1])?];
    let mut still = Still::new(Size::new(1000, 800)?);
    still.title("A cube that spirals up about the axis behind it");
    let eye = DVec3::new(-0.85, -0.5, 1.0);
    still.view(View { towards_eye: eye, field_of_view: 0.25, ..View::default() });
    let faint = Look { colour: FORWARD, opacity: 0.18, ..Look::default() };
    still.body(&forward, &Pose::IDENTITY, faint);
    still.body(&backward, &Pose::IDENTITY, Look { colour: BACKWARD, ..Look::default() });
    for edge in 0..body.mesh().edge_count() as u32 {
        still.curve(&body.mesh().edge(edge).map(|v| body.mesh().position(v)), INK, 1.8);
    }
    for i in [2, 6, 7] {
        still.curve(&spiral(&screw, corner(i), eye), MOTION, 2.6);
    }
    still.curve(&[DVec3::Y * -1.5, DVec3::Y * 2.3], INK, 4.0);
    let pale = FORWARD.mix(Colour::hex(0xff_ff_ff), 0.75);
    still.body_key(BACKWARD, "backward parts").body_key(pale, "forward parts");
    still.curve_key(MOTION, "motion").curve_key(INK, "axis");
    Ok(if is_svg { still.to_svg().into_bytes() } else { still.render().to_png() })
}

/// The path of a point, with a head at its end that is seen from its side.
fn spiral(screw: &Screw, from: DVec3, eye: DVec3) -> Vec<DVec3> {
    let mut points: Vec<DVec3> =
        (0..=24).map(|i| screw.pose_at(f64::from(i) / 24.0).point(from)).collect();
    let tip = points[24];
    let along = screw.flow(tip).normalize();
    let side = along.cross(eye).normalize();
    let head = |sign: f64| tip - 0.18 * along + sign * 0.07 * side;
    points.extend([head(1.0), tip, head(-1.0)]);
    points
}

/// Polygons as a mesh of their own.
fn surface(parts: &[Vec<DVec3>]) -> Result<Polyhedron, Box<dyn Error>> {
    let mut next = 0;
    let mut number = |part: &Vec<DVec3>| {
        let first = next;
        next += part.len() as u32;
        (first..next).collect::<Vec<u32>>()
    };
    let faces: Vec<Vec<u32>> = parts.iter().map(&mut number).collect();
    Ok(Polyhedron::new(&Polygons::new(parts.concat(), faces))?)
}
