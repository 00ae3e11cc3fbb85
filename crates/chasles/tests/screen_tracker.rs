//! With a tracker in robust mode, bodies never come within a pixel of each other without a report,
//! and there is no report where nothing came near.
//!
//! The long run: `cargo test --release -p chasles --test screen_tracker -- --ignored`

use chasles::glam::{DQuat, DVec3};
use chasles::screen::{Options, Resolution, Tracker, Workspace};
use chasles::{Collider, Motion, Polygons, Polyhedron, Pose, Step};
use chasles_testkit::generate::{Random, closed_mesh};
use chasles_testkit::screen::distance;

/// Steps between two bodies that push at each other; each reported step is taken back.
struct Run {
    meshes: [Polygons; 2],
    bodies: [Collider; 2],
    options: Options,
    random: Random,
    tracker: Tracker,
    drift: DVec3,
    /// At how many times of a step without a report the distance is measured.
    looks: u32,
    accepted: usize,
    reported: usize,
}

impl Run {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let meshes = [closed_mesh(&mut random), closed_mesh(&mut random)];
        let bodies = meshes.clone().map(|mesh| Collider::new(Polyhedron::new(&mesh).unwrap()));
        let away = Pose::from_position(random.direction() * 4.5).unwrap();
        let options = Options { resolution: Resolution::Pixels(12), ..Options::default() };
        let tracker = Tracker::new([Pose::IDENTITY, away]);
        Self {
            meshes,
            bodies,
            options,
            random,
            tracker,
            drift: DVec3::ZERO,
            looks: 8,
            accepted: 0,
            reported: 0,
        }
    }

    /// A random move of both bodies, B towards A on the whole.
    fn next(&mut self) -> [Pose; 2] {
        let [a, b] = self.tracker.good();
        let random = &mut self.random;
        if random.below(8) == 0 {
            let wander = 0.6 * random.vector();
            self.drift = 0.3 * (a.position() - b.position()).normalize_or(DVec3::X) + 0.3 * wander;
        }
        let size = random.one_of(&[1.0, 0.3, 0.01, 1e-4]);
        let mut moved = |pose: Pose, drift: DVec3| {
            let turn = DQuat::from_scaled_axis(random.vector() * 0.5 * size);
            let position = pose.position() + size * (drift + 0.1 * random.vector());
            Pose::new(position, turn * pose.rotation()).unwrap()
        };
        [moved(a, DVec3::ZERO), moved(b, self.drift)]
    }

    fn step(&mut self, workspace: &mut Workspace) {
        let from = self.tracker.good();
        let to = self.next();
        let [a, b] = &self.bodies;
        let pixel = self.options.pixel(a, b).unwrap();
        let found = self.tracker.advance([a, b], to, &self.options, workspace).unwrap().to_vec();
        let meshes = [&self.meshes[0], &self.meshes[1]];
        let step = Step::new(Motion::between(from[0], to[0]), Motion::between(from[1], to[1]));
        let apart = |time: f64| {
            let poses = [step.pose_of_a(time), step.pose_of_b_by_relative(time)];
            distance(meshes, poses) / pixel
        };
        if found.is_empty() {
            self.accepted += 1;
            let times = (0..=self.looks).map(|k| f64::from(k) / f64::from(self.looks));
            let nearest = times.map(apart).fold(f64::INFINITY, f64::min);
            let step = self.accepted + self.reported;
            assert!(nearest > 1.0, "step {step}: unseen at {nearest}\n{from:?}\n{to:?}");
            return;
        }
        self.reported += 1;
        let nearest = found.iter().map(|c| apart(c.time)).fold(f64::INFINITY, f64::min);
        assert!(nearest <= 2.0, "a report, but {nearest} pixels apart: {found:?}");
    }
}

fn runs(seeds: std::ops::Range<u64>, steps: usize) {
    let mut workspace = Workspace::new();
    let [mut accepted, mut reported] = [0, 0];
    for seed in seeds {
        let mut run = Run::new(seed);
        for _ in 0..steps {
            run.step(&mut workspace);
        }
        accepted += run.accepted;
        reported += run.reported;
    }
    assert!(accepted.min(reported) * 20 > accepted + reported, "{accepted} and {reported}");
}

#[test]
fn bodies_never_come_within_a_pixel_unseen() {
    runs(0..5, 100);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn bodies_never_come_within_a_pixel_unseen_in_ten_thousand_steps() {
    runs(100..120, 500);
}
