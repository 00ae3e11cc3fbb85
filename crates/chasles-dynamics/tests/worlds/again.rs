//! The same world again: at any number of threads, and from a saved moment.

use chasles_dynamics::World;
use rayon::ThreadPoolBuilder;

use crate::scenes::{at, cuboid, dynamic, rocks};

fn steps(world: &mut World, count: u32) -> u64 {
    for _ in 0..count {
        world.step(1.0 / 60.0).expect("a step");
    }
    world.fingerprint()
}

#[test]
fn threads_do_not_change_a_bit() {
    let run = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| steps(&mut rocks(6), 60))
    };
    assert_eq!(run(1), run(2));
    assert_eq!(run(1), run(5));
}

#[test]
fn a_restored_world_goes_on_as_before() {
    let mut world = rocks(6);
    steps(&mut world, 40);
    let moment = world.save();
    let first = steps(&mut world, 30);
    world.restore(&moment).expect("the same world");
    assert_eq!(steps(&mut world, 30), first);
    let mut other = rocks(6);
    other.restore(&moment).expect("the same bodies");
    assert_eq!(steps(&mut other, 30), first);
    other.add(dynamic(&cuboid([0.1; 3]), 1.0).at(at(0.0, 0.0, 30.0)));
    assert!(other.restore(&moment).is_err());
}

#[test]
fn a_bit_changes_the_fingerprint() {
    let mut world = rocks(2);
    let start = world.fingerprint();
    assert_ne!(steps(&mut world, 1), start);
    assert_eq!(rocks(2).fingerprint(), start);
}
