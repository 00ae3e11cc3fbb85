//! Rays, casts and overlaps in a world that moves are those of each body by itself.

use chasles::query::{self, Overlap, Workspace};
use chasles::{Motion, Pose, Step};
use chasles_dynamics::world::Shape;
use chasles_dynamics::{Body, BodyId, Options, World};
use chasles_testkit::generate::Random;
use glam::DVec3;

use crate::scenes::{at, cuboid, dynamic, floor};

const DT: f64 = 1.0 / 60.0;

/// Cubes and balls that fall, some of which are removed, added and put elsewhere on the way.
fn busy(options: Options) -> (World, Vec<BodyId>) {
    let mut world = World::new(options);
    let mut ids = vec![world.add(floor())];
    let cube = cuboid([0.3; 3]);
    for i in 0..60 {
        let place =
            at(0.7 * f64::from(i % 8), 0.7 * f64::from(i / 8), 0.5 + 0.1 * f64::from(i % 5));
        let speed = DVec3::new(0.3, -0.2, 0.1) * f64::from(i % 7);
        ids.push(world.add(dynamic(&cube, 1.0).at(place).moving(speed, DVec3::X)));
    }
    (world, ids)
}

fn random_point(random: &mut Random) -> DVec3 {
    DVec3::new(random.between(-1.0, 7.0), random.between(-1.0, 7.0), random.between(-0.2, 2.0))
}

fn check(world: &World, random: &mut Random) {
    let mut memory = Workspace::new();
    let shape = Shape::sphere(0.2).expect("a ball");
    let [from, to] = [(); 2].map(|()| random_point(random));
    let ends = [from, to].map(|p| Pose::new(p, random.rotation()).expect("finite"));
    let step =
        |body: &Body| Step::new(Motion::still(body.pose()), Motion::between(ends[0], ends[1]));
    let mut first: Option<(f64, BodyId)> = None;
    let mut overlapped = Vec::new();
    for (id, body) in world.iter() {
        let geometry = body.shape().geometry();
        let poses = [body.pose(), ends[0]];
        let overlap = query::overlaps(geometry, shape.geometry(), poses, &mut memory);
        if overlap.is_ok_and(Overlap::is_overlapping) {
            overlapped.push(id);
        }
        let options = query::Options::default();
        let met = query::outcome(geometry, shape.geometry(), &step(body), &options, &mut memory);
        let share = match met {
            Ok(query::Outcome::Hit(contact)) => contact.time,
            Ok(query::Outcome::StartsOverlapping(_)) => 0.0,
            _ => continue,
        };
        if first.is_none_or(|(known, _)| share < known) {
            first = Some((share, id));
        }
    }
    assert_eq!(world.overlaps(&shape, ends[0]), overlapped);
    let struck = world.cast(&shape, ends).map(|struck| (struck.share, struck.body));
    assert_eq!(struck, first);
    // A thin shape and a ray agree: rays alone are checked against a world of one body each.
    let ray = world.ray(from, to);
    let alone = world.iter().filter_map(|(id, body)| {
        let mut one = World::new(Options::default());
        one.add(body.clone());
        one.ray(from, to).map(|struck| (struck.share, id))
    });
    let nearest = alone.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.index().cmp(&b.1.index())));
    assert_eq!(ray.map(|struck| (struck.share, struck.body)), nearest);
}

#[test]
fn rays_casts_and_overlaps_are_those_of_all_bodies() {
    for options in [Options::default(), Options::windows()] {
        let (mut world, ids) = busy(options);
        let mut random = Random::new(11);
        (0..10).for_each(|_| check(&world, &mut random));
        let moment = world.save();
        for round in 0..6 {
            (0..5).for_each(|_| drop(world.step(DT).expect("a step")));
            world.remove(ids[5 + 7 * round]);
            let place = Pose::from_position(random_point(&mut random) + DVec3::Z * 3.0);
            let ball = Body::fixed(Shape::sphere(0.4).expect("a ball"));
            let ball = world.try_add(ball.at(place.expect("finite")));
            assert!(ball.is_ok());
            (0..10).for_each(|_| check(&world, &mut random));
        }
        world.restore(&moment).expect("the same world");
        (0..10).for_each(|_| check(&world, &mut random));
    }
}

#[test]
fn questions_leave_out_whom_a_caller_does_not_admit() {
    let (world, ids) = busy(Options::default());
    let [from, to] = [DVec3::new(0.7, 0.7, 9.0), DVec3::new(0.7, 0.7, -9.0)];
    let ray = world.ray(from, to).expect("the floor at least");
    let next = world.ray_where(from, to, |id| id != ray.body).expect("another");
    assert!(next.body != ray.body && next.share > ray.share);
    assert_eq!(world.ray_where(from, to, |id| !ids.contains(&id)), None);
    let shape = Shape::sphere(0.1).expect("a ball");
    let ends = [from, to].map(|p| Pose::from_position(p).expect("finite"));
    let ground = world.cast_where(&shape, ends, |id| id == ids[0]).expect("the floor");
    assert!((ground.share - (9.0 - 0.1) / 18.0).abs() < 1e-9 && ground.normal.z > 0.999);
    let inside = world.cast(&shape, [at(0.0, 0.0, -0.5), at(0.0, 0.0, 9.0)]).expect("in it");
    assert!(inside.body == ids[0] && inside.share == 0.0);
}
