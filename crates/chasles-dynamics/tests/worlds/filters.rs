//! Who collides: groups, a rule, and pairs that are left out.

use chasles_dynamics::world::Filter;
use chasles_dynamics::{BodyId, Options, World, WorldError};

use crate::scenes::{at, cuboid, dynamic, floor};

const DT: f64 = 1.0 / 60.0;

const WALLS: u32 = 1;
const GHOSTS: u32 = 2;
const STONES: u32 = 4;

fn run(world: &mut World, steps: u32) {
    (0..steps).for_each(|_| drop(world.step(DT).expect("a step")));
}

fn height(world: &World, id: BodyId) -> f64 {
    world.body(id).expect("it is there").pose().position().z
}

/// A floor that ghosts fall through, with a ghost and a stone above each other.
fn haunted(options: Options) -> (World, [BodyId; 2]) {
    let mut world = World::new(options);
    world.add(floor().filtered(Filter { groups: WALLS, mask: WALLS | STONES }));
    let cube = cuboid([0.5; 3]);
    let mut add = |groups: u32, mask: u32, z: f64| {
        let body = dynamic(&cube, 1.0).at(at(0.0, 0.0, z));
        world.add(body.filtered(Filter { groups, mask }))
    };
    let ghost = add(GHOSTS, u32::MAX, 1.0);
    let stone = add(STONES, WALLS | STONES, 0.3);
    (world, [ghost, stone])
}

#[test]
fn bodies_collide_if_each_is_in_the_mask_of_the_other() {
    for options in [Options::default(), Options::windows()] {
        let (mut world, [ghost, stone]) = haunted(options);
        assert!(!world.collides(ghost, stone) && !world.collides(stone, ghost));
        run(&mut world, 60);
        assert!((height(&world, stone) - 0.25).abs() < 0.01, "the stone lies on the floor");
        let fallen = 1.0 - 0.5 * 9.81;
        assert!((height(&world, ghost) - fallen).abs() < 1e-9, "the ghost passes both");
    }
}

#[test]
fn a_new_filter_wakes_what_lies_on_the_body() {
    let (mut world, [_, stone]) = haunted(Options::default());
    run(&mut world, 90);
    assert!(world.body(stone).expect("there").is_asleep());
    world.set_filter(stone, Filter { groups: GHOSTS, mask: u32::MAX }).expect("there");
    run(&mut world, 60);
    assert!(height(&world, stone) < -2.0, "now it falls through");
    let cube = world.body(stone).expect("there").clone();
    let inside = world.add(cube.filtered(Filter::default()));
    world.set_filter(stone, Filter::default()).expect("there");
    assert_eq!(world.check(), Err(WorldError::Overlap(stone, inside)));
}

#[test]
fn a_rule_says_who_collides() {
    for options in [Options::default(), Options::windows()] {
        let mut world = World::new(options);
        world.add(floor());
        let cube = cuboid([0.5; 3]);
        let ids: Vec<BodyId> = (0..4)
            .map(|i| world.add(dynamic(&cube, 1.0).at(at(2.0 * f64::from(i), 0.0, 0.3))))
            .collect();
        let ground = BodyId(0);
        world.collide_if(move |a, b| a != ground || b.0 % 2 == 1);
        run(&mut world, 60);
        for id in ids {
            let rests = (height(&world, id) - 0.25).abs() < 0.01;
            assert_eq!(rests, id.0 % 2 == 1, "{id}");
        }
        world.collide_freely();
        assert!(world.collides(ground, BodyId(2)));
    }
}

#[test]
fn ignored_pairs_collide_again() {
    let (mut world, [ghost, stone]) = haunted(Options::default());
    assert!(!world.heed(ghost, stone));
    let ground = BodyId(0);
    world.ignore(stone, ground);
    run(&mut world, 30);
    assert!(world.heed(ground, stone) && !world.heed(ground, stone));
    assert_eq!(world.check(), Err(WorldError::Overlap(ground, stone)));
}

#[test]
fn all_pairs_of_many_bodies_can_be_ignored() {
    let mut world = World::new(Options::default());
    let cube = cuboid([0.5; 3]);
    let ids: Vec<BodyId> = (0..200).map(|_| world.add(dynamic(&cube, 1.0))).collect();
    for (i, &a) in ids.iter().enumerate().rev() {
        ids[..i].iter().for_each(|&b| assert!(world.ignore(a, b)));
    }
    assert_eq!(world.ignored().count(), 19_900);
    run(&mut world, 1);
}
