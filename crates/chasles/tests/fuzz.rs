//! Any mesh that is accepted, however degenerate, gives a sound answer.

use chasles::glam::{DQuat, DVec3};
use chasles::{Collider, Options, Polygons, Polyhedron, Pose, Screw, Step, Workspace, contacts};
use chasles_testkit::generate;
use chasles_testkit::judge::unsound;
use proptest::prelude::*;

/// Reads numbers off a list of bytes; zeros when it runs out.
struct Bytes<'b>(std::slice::Iter<'b, u8>);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count.max(1)
    }

    /// A coordinate: mostly of a coarse grid, so that coincidences are common.
    fn coordinate(&mut self) -> f64 {
        let grid = f64::from(self.byte() % 9) * 0.25 - 1.0;
        match self.byte() % 8 {
            0 => grid + f64::from(self.byte()) * 1e-17,
            1 => grid * 1.1 + f64::from(self.byte()) * 1e-3,
            _ => grid,
        }
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.coordinate(), self.coordinate(), self.coordinate())
    }

    fn mesh(&mut self) -> Polygons {
        let vertices: Vec<DVec3> = (0..1 + self.below(9)).map(|_| self.vector()).collect();
        let count = vertices.len();
        let mut corner = || self.below(count) as u32;
        let faces = 1 + corner() % 6;
        let face = |_| -> Vec<u32> { (0..1 + corner() % 6).map(|_| corner()).collect() };
        let faces: Vec<Vec<u32>> = (0..faces).map(face).collect();
        let segments = (0..self.below(3)).map(|_| [0; 2].map(|_| self.below(count) as u32));
        let segments = segments.collect();
        let points = (0..self.below(3)).map(|_| self.below(count) as u32).collect();
        Polygons { vertices, faces, segments, points }
    }

    fn rotation(&mut self) -> DQuat {
        match self.byte() % 4 {
            0 => DQuat::IDENTITY,
            1 => DQuat::from_rotation_z(f64::from(self.byte() % 5) * std::f64::consts::FRAC_PI_4),
            _ => {
                let axis = self.vector().normalize_or(DVec3::Z);
                DQuat::from_axis_angle(axis, f64::from(self.byte()) * 0.025)
            }
        }
    }

    fn pose(&mut self) -> Pose {
        Pose::new(self.vector(), self.rotation()).expect("finite")
    }

    fn step(&mut self) -> Step {
        if !self.byte().is_multiple_of(4) {
            return Step::between([self.pose(), self.pose()], [self.pose(), self.pose()]);
        }
        let mut body = || {
            let twist = Screw::from_twist(self.vector() * 4.0, self.vector());
            (self.pose(), twist.expect("finite"))
        };
        Step::from_twists(body(), body()).expect("a few turns")
    }
}

fn sound(a: &Polygons, b: &Polygons, step: &Step) -> Result<(), TestCaseError> {
    let (Ok(a), Ok(b)) = (Polyhedron::new(a), Polyhedron::new(b)) else {
        return Ok(());
    };
    let (a, b) = (Collider::new(a), Collider::new(b));
    let facing = Options { facing: true, ..Options::default() };
    for options in [Options::default(), facing] {
        let mut workspace = Workspace::new();
        let found = contacts(&a, &b, step, &options, &mut workspace);
        prop_assert_eq!(unsound(found, step), None);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn meshes_made_of_bytes_give_sound_answers(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut bytes = Bytes(bytes.iter());
        let (a, b, step) = (bytes.mesh(), bytes.mesh(), bytes.step());
        sound(&a, &b, &step)?;
    }

    #[test]
    fn generated_queries_give_sound_answers(seed in any::<u64>()) {
        for query in [generate::query(seed), generate::open_query(seed), generate::adversarial(seed).1] {
            sound(&query.a, &query.b, &query.step())?;
        }
    }
}
