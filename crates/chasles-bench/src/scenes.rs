//! Scenes built in code: they need no files, and come in any size.
//!
//! Two equal tori pass each other under a screw of 35 degrees. The distance at which they just
//! touch depends on how finely they are cut, so each scene measures its own: it shifts B along the
//! line of closest approach until contacts appear, then backs off or goes on by a fixed length.

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::MeshError;
use chasles::{Polygons, Polyhedron, Pose, Screw};
use chasles_testkit::shapes;

use crate::cases::{Body, Case};
use crate::query::{Mode, Pair};

/// A torus with major radius 1 and minor radius 0.4 around the y axis, of about `quads` quads.
///
/// *Guarantees* planar quads, about 4:3 of them along and around the tube.
pub fn torus(quads: usize) -> Polygons {
    let along = (quads as f64 * 4.0 / 3.0).sqrt().round() as u32;
    let around = (quads as f64 / f64::from(along)).round() as u32;
    let turn = |i: u32, n: u32| (f64::from(i) / f64::from(n) * std::f64::consts::TAU).sin_cos();
    let vertex = |i: u32, j: u32| {
        let ((sin_u, cos_u), (sin_v, cos_v)) = (turn(i, along), turn(j, around));
        let rho = MAJOR + MINOR * cos_v;
        DVec3::new(rho * sin_u, MINOR * sin_v, rho * cos_u)
    };
    let number = |i: u32, j: u32| i % along * around + j % around;
    let quad = |i, j| [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
    let grid = || (0..along).flat_map(|i| (0..around).map(move |j| (i, j)));
    Polygons::new(grid().map(|(i, j)| vertex(i, j)), grid().map(|(i, j)| quad(i, j)))
}

const MAJOR: f64 = 1.0;
const MINOR: f64 = 0.4;

/// How two tori pass each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Apart by 0.01 at the closest approach.
    NearMiss,
    /// Into each other by 0.001 at the closest approach.
    Touching,
}

impl Passing {
    /// Both, in the order of the tables.
    pub const ALL: [Self; 2] = [Self::NearMiss, Self::Touching];

    /// The name in tables and bench ids.
    pub fn name(self) -> &'static str {
        match self {
            Self::NearMiss => "near-miss",
            Self::Touching => "touching",
        }
    }

    fn clearance(self) -> f64 {
        match self {
            Self::NearMiss => 0.01,
            Self::Touching => -0.001,
        }
    }
}

/// Two tori of about `quads` quads each.
///
/// *Fails* never for three quads and more.
pub fn passing_tori(quads: usize, passing: Passing) -> Result<Case, MeshError> {
    let polygons = torus(quads);
    let (direction, far) = line_of_approach();
    let mesh = Polyhedron::new(&polygons)?;
    let still = [Pose::IDENTITY; 2];
    let mut pair = Pair::from_meshes([mesh.clone(), mesh], [still, path(direction * far)]);
    // Flat faces lie inside the round torus: by less than 0.1 for 300 quads and more.
    let [mut touches, mut misses] = [far - 0.1, far];
    while misses - touches > 1e-5 {
        let middle = 0.5 * (touches + misses);
        pair.set_poses([still, path(direction * middle)]);
        let hit = !pair.query(Mode::First).run().is_empty();
        *(if hit { &mut touches } else { &mut misses }) = middle;
    }
    let shift = direction * (misses + passing.clearance());
    Ok(Case {
        name: format!("tori-{}", passing.name()),
        a: Body { polygons: polygons.clone(), poses: still },
        b: Body { polygons, poses: path(shift) },
        first_contact_time: None,
    })
}

/// B's end poses if it is shifted by `shift`: a screw of 35 degrees, half of it before the tori
/// are closest and half after.
fn path(shift: DVec3) -> [Pose; 2] {
    [0.0, 1.0].map(|t| pose_at(t, shift))
}

fn pose_at(t: f64, shift: DVec3) -> Pose {
    let axis = DVec3::new(0.3, 1.0, 0.2).normalize();
    let screw =
        Screw::from_twist(axis * 35f64.to_radians(), [4.0, 0.1, 0.4]).expect("the twist is finite");
    let tilt = DQuat::from_scaled_axis(DVec3::new(1.3, 0.4, 0.6));
    let middle = Pose::new([0.0, 1.6, 1.0], tilt).expect("the pose is finite");
    let moved = screw.pose_at(t - 0.5).after(&middle);
    Pose::new(moved.position() + shift, moved.rotation()).expect("the pose is finite")
}

/// The direction of the shortest line from A to B when they are closest, and the shift along it
/// at which the round tori touch.
///
/// The distance of round tori is that of their circles less twice the minor radius; a fine grid
/// over time and B's circle finds it. Shifting moves the closest approach, hence the repetition.
fn line_of_approach() -> (DVec3, f64) {
    let direction = closest(DVec3::ZERO).normalize();
    let mut far = 0.0;
    for _ in 0..20 {
        far += 2.0 * MINOR - closest(direction * far).length();
    }
    (direction, far)
}

/// The shortest vector from A's circle to B's during the step.
fn closest(shift: DVec3) -> DVec3 {
    let mut best = DVec3::INFINITY;
    for i in 0..=400 {
        let pose = pose_at(f64::from(i) / 400.0, shift);
        for j in 0..720 {
            let (sin, cos) = (f64::from(j) / 720.0 * std::f64::consts::TAU).sin_cos();
            let p = pose.point(DVec3::new(MAJOR * sin, 0.0, MAJOR * cos));
            let foot = DVec3::new(p.x, 0.0, p.z).normalize() * MAJOR;
            if (p - foot).length_squared() < best.length_squared() {
                best = p - foot;
            }
        }
    }
    best
}

/// A cloth that is folded over, and where its vertices are after a step in which the lower layer is
/// pushed through the upper one in the middle: `quads` along each side.
pub fn folded_cloth(quads: u32) -> (Polygons, Vec<DVec3>) {
    /// Half the distance of the layers.
    const RADIUS: f64 = 0.05;
    let turn = std::f64::consts::PI * RADIUS;
    let unit = 1.0 / f64::from(quads);
    let place = |p: DVec3| {
        let along = (1.93 + turn) * unit * p.x;
        // A little askew, so that no edge lies above another.
        let y = unit * p.y + 0.1 * along;
        if along < 1.0 {
            DVec3::new(along, y, 0.0)
        } else if along < 1.0 + turn {
            let (sin, cos) = ((along - 1.0) / RADIUS).sin_cos();
            DVec3::new(1.0 + RADIUS * sin, y, RADIUS * (1.0 - cos))
        } else {
            DVec3::new(2.0 + turn - along, y, 2.0 * RADIUS)
        }
    };
    let start = shapes::mapped(shapes::sheet(quads, quads), place);
    let pushed = |p: &DVec3| {
        let part = 1.0 - (p.truncate() - 0.55).length_squared() / 0.04;
        let rise = if p.z == 0.0 && part > 0.0 { 0.15 * part * part } else { 0.0 };
        // All of it drifts, so that no path is a point.
        *p + DVec3::new(0.001, 0.002, 0.003 + rise)
    };
    let end = start.vertices.iter().map(pushed).collect();
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tori_are_closed_and_their_quads_are_planar() {
        for quads in [300, 3000] {
            let polygons = torus(quads);
            let mesh = Polyhedron::new(&polygons).unwrap();
            assert!(mesh.is_closed());
            assert_eq!(mesh.face_count(), polygons.faces.len());
            assert!(mesh.face_count().abs_diff(quads) * 100 <= quads);
        }
    }

    #[test]
    fn normals_point_outwards() {
        let mesh = Polyhedron::new(&torus(300)).unwrap();
        for face in 0..mesh.face_count() as u32 {
            let p = mesh.face_point(face);
            let core = DVec3::new(p.x, 0.0, p.z).normalize() * MAJOR;
            assert!(mesh.normal(face).dot(p - core) > 0.0);
        }
    }

    #[test]
    fn near_misses_miss_and_touching_tori_touch_but_not_at_the_ends() {
        for passing in Passing::ALL {
            let case = passing_tori(300, passing).unwrap();
            let pair = Pair::new(&case).unwrap();
            let mut query = pair.query(Mode::All);
            let found = query.run();
            assert_eq!(found.is_empty(), passing == Passing::NearMiss);
            assert!(found.iter().all(|contact| (0.1..0.9).contains(&contact.time)));
        }
    }
}
