//! A gripper among things on a table: meshes, and motions past them, the same for the same seed.
//!
//! Lengths are in metres. The gripper is a palm with two fingers, about 0.2 large; the things are
//! uneven balls of 0.08 to 0.16, in rows on a table of two triangles.

use std::collections::HashMap;
use std::f64::consts::{FRAC_PI_4, TAU};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use chasles::glam::{DQuat, DVec3};
use chasles::motion::MotionError;
use chasles::query::{Geometry, Options, QueryError, Workspace, distance, first_contact};
use chasles::{Motion, Polygons, Pose, Screw, Step};
use chasles_testkit::generate::Random;

/// About how many triangles a thing has.
const THING: usize = 2000;

/// Nothing starts nearer than this: below it a start is a touch, which a planner would not leave.
const LEAST_GAP: f64 = 1e-3;

/// How far the gripper turns and its middle goes, at most.
const MOST: f64 = 0.1;

/// The palm and two fingers, hung from the palm, in about so many triangles.
pub fn gripper(faces: usize) -> Polygons {
    let n = per_side(faces / 3);
    let part = |middle: [f64; 3], half: [f64; 3]| {
        let [middle, half] = [middle, half].map(DVec3::from_array);
        // Between a ball and a box: what is constant is the sum of sixth powers.
        let rounded =
            |d: DVec3| d / d.to_array().map(|x| x.powi(6)).iter().sum::<f64>().powf(1.0 / 6.0);
        shaped(n, |direction| middle + half * rounded(direction))
    };
    let palm = part([0.0, 0.0, 0.06], [0.08, 0.03, 0.03]);
    let fingers = [-0.05, 0.05].map(|x| part([x, 0.0, -0.0301], [0.012, 0.02, 0.06]));
    joined([palm].into_iter().chain(fingers))
}

/// Things in rows on a table, in about so many triangles.
pub fn table(faces: usize, random: &mut Random) -> Polygons {
    let count = (faces as f64 / THING as f64).round() as usize;
    let across = (count as f64).sqrt().ceil() as usize;
    let thing = |k: usize| {
        let [i, j] = [k % across, k / across].map(|i| 0.2 * (i as f64 - 0.5 * (across - 1) as f64));
        let size = random.between(0.04, 0.08);
        let middle = DVec3::new(i, j, 1.5 * size);
        let phase = 10.0 * random.vector();
        shaped(per_side(THING), |d| middle + size * uneven(d, phase) * d)
    };
    let things: Vec<Polygons> = (0..count).map(thing).collect();
    let corners = [[-2.0, -2.0], [2.0, -2.0], [2.0, 2.0], [-2.0, 2.0]];
    let corners = corners.map(|[x, y]| DVec3::new(x, y, 0.0));
    let table = Polygons::new(corners, [[0, 1, 2], [0, 2, 3]]);
    joined(things.into_iter().chain([table]))
}

/// How far from the middle a thing's surface is: waves of three lengths.
fn uneven(direction: DVec3, phase: DVec3) -> f64 {
    let wave = |frequency: f64, height: f64| {
        let at = frequency * direction + phase;
        height * (at.x.sin() * at.y.cos() + at.z.sin())
    };
    1.0 + wave(2.0, 0.12) + wave(5.0, 0.05) + wave(13.0, 0.015)
}

/// A motion of the gripper; the scene stands at the origin.
#[derive(Clone, Copy, Debug)]
pub struct Grip {
    /// Where the gripper starts.
    pub start: Pose,
    /// How it turns.
    pub angular: DVec3,
    /// How its middle goes on when it starts.
    pub linear: DVec3,
}

impl Grip {
    /// A turn by up to 0.1 about any axis while the middle goes by up to 0.1, from a start that is
    /// free; none if it is not.
    fn try_random(
        [scene, gripper]: [&Geometry; 2],
        random: &mut Random,
        workspace: &mut Workspace,
    ) -> Result<Option<Self>, QueryError> {
        let place = DVec3::new(0.5, 0.5, 0.15) * random.vector() + 0.2 * DVec3::Z;
        // Fingers point down, more or less.
        let about = DQuat::from_rotation_z(random.between(0.0, TAU));
        let turn = DQuat::from_scaled_axis(0.6 * random.vector()) * about;
        let angular = random.between(0.0, MOST) * random.direction();
        let linear = random.between(0.0, MOST) * random.direction();
        let start = Pose::new(place, turn)?;
        let gap = distance(scene, gripper, [Pose::IDENTITY, start], workspace)?.distance;
        Ok((gap > LEAST_GAP).then_some(Self { start, angular, linear }))
    }

    /// The motion, past a scene that stands.
    ///
    /// *Fails* on numbers that are not finite.
    pub fn step(&self) -> Result<Step, MotionError> {
        let about = self.linear - self.angular.cross(self.start.position());
        let motion = Motion::along(self.start, Screw::from_twist(self.angular, about)?)?;
        Ok(Step::new(Motion::still(Pose::IDENTITY), motion))
    }
}

/// So many motions of a gripper among things, hits or not.
///
/// *Fails* where a query does.
pub fn any(
    bodies: [&Geometry; 2],
    count: usize,
    random: &mut Random,
) -> Result<Vec<Grip>, QueryError> {
    let mut workspace = Workspace::new();
    let mut grips = Vec::with_capacity(count);
    while grips.len() < count {
        grips.extend(Grip::try_random(bodies, random, &mut workspace)?);
    }
    Ok(grips)
}

/// So many motions of a gripper among things, every other one a hit.
///
/// *Fails* where a query does.
pub fn half_hits(
    bodies: [&Geometry; 2],
    count: usize,
    random: &mut Random,
) -> Result<Vec<Grip>, QueryError> {
    let mut workspace = Workspace::new();
    let mut grips = Vec::with_capacity(count);
    while grips.len() < count {
        let Some(grip) = Grip::try_random(bodies, random, &mut workspace)? else { continue };
        let [scene, gripper] = bodies;
        let options = Options::default();
        let hit = first_contact(scene, gripper, &grip.step()?, &options, &mut workspace)?;
        if hit.is_some() == (grips.len() % 2 == 0) {
            grips.push(grip);
        }
    }
    Ok(grips)
}

/// Writes a mesh of triangles for other programs.
///
/// *Fails* if the file cannot be written.
pub fn write_off(path: &Path, mesh: &Polygons) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "OFF\n{} {} 0", mesh.vertices.len(), mesh.faces.len())?;
    for v in &mesh.vertices {
        writeln!(out, "{} {} {}", v.x, v.y, v.z)?;
    }
    for f in &mesh.faces {
        writeln!(out, "3 {} {} {}", f[0], f[1], f[2])?;
    }
    out.flush()
}

/// Squares along a side of the cube whose twelve triangles a square make about so many.
fn per_side(faces: usize) -> i32 {
    (faces as f64 / 12.0).sqrt().round() as i32
}

/// A ball whose points are put where a function of their direction says.
fn shaped(per_side: i32, mut place: impl FnMut(DVec3) -> DVec3) -> Polygons {
    let mut ball = cube_ball(per_side);
    for vertex in &mut ball.vertices {
        *vertex = place(*vertex);
    }
    ball
}

/// All of them as one mesh.
fn joined(parts: impl IntoIterator<Item = Polygons>) -> Polygons {
    parts.into_iter().fold(Polygons::default(), |mut all, part| {
        let first = all.vertices.len() as u32;
        all.vertices.extend(part.vertices);
        let faces = part.faces.into_iter();
        all.faces.extend(faces.map(|face| face.iter().map(|v| v + first).collect()));
        all
    })
}

/// A unit ball: the sides of a cube, each of `n` by `n` squares cut in two.
pub fn cube_ball(n: i32) -> Polygons {
    let mut vertices = Vec::new();
    let mut faces = Vec::new();
    let mut numbers = HashMap::new();
    for side in 0..6 {
        let mut corner = |i: i32, j: i32| {
            let [u, v] = [2 * i - n, 2 * j - n];
            let place = match side {
                0 => [n, u, v],
                1 => [-n, v, u],
                2 => [v, n, u],
                3 => [u, -n, v],
                4 => [u, v, n],
                _ => [v, u, -n],
            };
            *numbers.entry(place).or_insert_with(|| {
                let angle = |x: i32| f64::from(x) / f64::from(n) * FRAC_PI_4;
                vertices.push(DVec3::from_array(place.map(|x| angle(x).tan())).normalize());
                vertices.len() as u32 - 1
            })
        };
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let ring = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            faces.extend([vec![ring[0], ring[1], ring[2]], vec![ring[0], ring[2], ring[3]]]);
        }
    }
    Polygons { vertices, faces, ..Polygons::default() }
}
