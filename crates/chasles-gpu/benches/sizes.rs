//! From which size of bodies, and from how many pairs, does a device pay?
//!
//! `cargo bench -p chasles-gpu` prints a table for the best adapter there is, and names it. Tori of
//! 80 to 20,000 quads fall past each other. Times are medians of some runs, in milliseconds for all
//! pairs: of the screen as it is, of the screen with bodies drawn in rows, and of the device, of
//! which the part beside the CPU is named too.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Shape, Torus};
use chasles::screen::device::Plan;
use chasles::screen::{Options, Workspace, contacts};
use chasles::{Collider, Motion, Pose, Step};
use chasles_gpu::{Device, Pair, Screen};

/// Faces around the axis and around the tube.
const SIZES: [[u32; 2]; 4] = [[10, 8], [20, 15], [60, 45], [160, 125]];
const PAIRS: [usize; 3] = [1, 10, 100];
/// More faces than these in all pairs take too long for a table.
const MOST_FACES: u32 = 1_000_000;

fn main() {
    let mut screen = match Device::new() {
        Ok(device) => Screen::new(device),
        Err(error) => return println!("skipped: {error}"),
    };
    println!("{}", screen.device().name());
    println!();
    println!(
        "| quads | pairs | screen, ms | in rows, ms | device, ms | of it waiting, ms | curves | candidates | confirmed | contacts |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for segments in SIZES {
        let torus = Torus { segments, ..Torus::default() };
        let body = Collider::new(Shape::Torus(torus).build().expect("a torus"));
        for count in PAIRS {
            if segments[0] * segments[1] * 2 * count as u32 <= MOST_FACES {
                row(&mut screen, &body, count);
            }
        }
    }
}

fn row(screen: &mut Screen, body: &Collider, count: usize) {
    let steps: Vec<Step> = (0..count).map(|i| step(i as f64)).collect();
    let options = Options::default();
    let mut workspace = Workspace::new();
    let as_it_is = median(|| {
        let of_pair =
            |step| contacts(body, body, step, &options, &mut workspace).expect("room").len();
        steps.iter().map(of_pair).sum::<usize>()
    });
    let in_rows = median(|| {
        let of_pair = |step| {
            let mut plan = Plan::new([body, body], step, &options).expect("room");
            plan.sweep(&mut workspace).expect("room").len()
        };
        steps.iter().map(of_pair).sum::<usize>()
    });
    let pairs: Vec<Pair<'_>> =
        steps.iter().map(|step| Pair { bodies: [body, body], step }).collect();
    let mut found = 0;
    let mut waiting = Vec::new();
    let device = median(|| {
        let all = screen.contacts(&pairs, &options).expect("a device");
        waiting.push(screen.statistics().waiting.as_secs_f64() * 1e3);
        found = all.iter().map(Vec::len).sum();
        found
    });
    waiting.sort_unstable_by(f64::total_cmp);
    let cost = screen.statistics();
    println!(
        "| {} | {count} | {as_it_is:.2} | {in_rows:.2} | {device:.2} | {:.2} | {} | {} | {} | {found} |",
        body.mesh().face_count(),
        waiting[waiting.len() / 2],
        cost.curves,
        cost.candidates,
        cost.confirmed,
    );
}

/// The median of some runs after a first one, in milliseconds.
fn median(mut run: impl FnMut() -> usize) -> f64 {
    std::hint::black_box(run());
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(run());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

/// One torus falls past another, each time from elsewhere and turned otherwise.
fn step(number: f64) -> Step {
    let axis = DVec3::new(number.sin(), (2.0 * number).cos(), 0.5).normalize();
    let turned = |angle: f64| DQuat::from_axis_angle(axis, angle);
    let beside = 0.7 * (3.0 * number).sin();
    let pose = |y: f64, angle: f64| Pose::new([beside, y, 0.0], turned(angle)).expect("finite");
    let motion = Motion::between(pose(3.0, number), pose(-1.0, number + 1.0));
    Step::new(Motion::still(Pose::IDENTITY), motion)
}
