//! Boxes whose edges are parallel, that stand flush or touch: what games are made of.
//!
//! The judge is the separation of two boxes by the axes that can separate them, which shares
//! nothing with the method.

use std::f64::consts::{FRAC_PI_4, PI, TAU};

use chasles::Pose;
use chasles::glam::{DQuat, DVec3};
use chasles::trace::{Body, Contents, Fixture, Trace, Turn, Walker, Workspace, World};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;

/// No cell of the zone reaches further, in thicknesses.
const REACH: f64 = 3.0;

#[derive(Clone, Copy, Debug)]
struct Brick {
    size: DVec3,
    pose: Pose,
}

impl Brick {
    fn axes(&self) -> [DVec3; 3] {
        DVec3::AXES.map(|axis| self.pose.rotation() * axis)
    }

    fn reach(&self, along: DVec3) -> f64 {
        self.axes()
            .into_iter()
            .zip(self.size.to_array())
            .map(|(a, s)| 0.5 * s * a.dot(along).abs())
            .sum()
    }

    /// The largest gap along an axis, negative where boxes overlap.
    fn separation(&self, other: &Self) -> f64 {
        let [a, b] = [self.axes(), other.axes()];
        let crossed = a.iter().flat_map(|x| b.iter().map(|y| x.cross(*y)));
        // Cross products of parallel axes are rounding.
        let crossed = crossed.filter(|n| n.length() > 1e-6).map(DVec3::normalize);
        let between = other.pose.position() - self.pose.position();
        let gap = |n: DVec3| n.dot(between).abs() - self.reach(n) - other.reach(n);
        a.into_iter().chain(b).chain(crossed).map(gap).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Whether boxes that are not turned overlap in no coordinate, exactly.
    fn is_beside(&self, other: &Self) -> bool {
        let [[a, b], [c, d]] = [self, other].map(|brick| {
            let places =
                shapes::cuboid(brick.size).vertices.into_iter().map(|v| brick.pose.point(v));
            places.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], p| {
                [low.min(p), high.max(p)]
            })
        });
        a.cmpge(d).any() || c.cmpge(b).any()
    }

    fn world(&self) -> World {
        let fixture = Fixture::new(shapes::cuboid(self.size)).at(self.pose);
        World::new(vec![fixture]).expect("a world")
    }

    fn body(&self) -> Body {
        Body::new(&shapes::cuboid(self.size)).expect("a body")
    }

    fn at(&self, pose: Pose) -> Self {
        Self { pose, ..*self }
    }
}

fn pose(position: DVec3, rotation: DQuat) -> Pose {
    Pose::new(position, rotation).expect("finite")
}

/// A turn or a shift with all poses on the way.
#[derive(Clone, Copy, Debug)]
enum Motion {
    Shift(DVec3),
    Turn(DVec3, DVec3, f64),
}

impl Motion {
    fn at(&self, start: &Pose, share: f64) -> Pose {
        match *self {
            Self::Shift(by) => pose(start.position() + by * share, start.rotation()),
            Self::Turn(origin, axis, angle) => {
                let turn = DQuat::from_axis_angle(axis, angle * share);
                pose(origin + turn * (start.position() - origin), turn * start.rotation())
            }
        }
    }

    fn trace(&self, (world, body): (&World, &Body), start: &Pose, memory: &mut Workspace) -> Trace {
        match *self {
            Self::Shift(by) => world.translate(body, start, by, memory).expect("finite"),
            Self::Turn(origin, axis, angle) => {
                let turn = Turn::new(origin, axis, angle).expect("an axis");
                world.rotate(body, start, &turn, memory)
            }
        }
    }
}

/// An axis of the coordinates, a diagonal, or any direction.
fn direction(random: &mut Random) -> DVec3 {
    let mut sign = || random.below(3) as f64 - 1.0;
    let round = DVec3::new(sign(), sign(), sign());
    let any = random.direction();
    if random.below(3) == 0 { any } else { round.try_normalize().unwrap_or(any) }
}

/// No turn, turns by eighths, or any rotation.
fn rotation(random: &mut Random) -> DQuat {
    let eighths = random.below(8) as f64 * FRAC_PI_4;
    match random.below(4) {
        0 => DQuat::IDENTITY,
        1 => DQuat::from_rotation_y(eighths),
        2 => DQuat::from_rotation_z(FRAC_PI_4) * DQuat::from_rotation_x(eighths),
        _ => random.rotation(),
    }
}

fn brick(random: &mut Random) -> Brick {
    let mut side = || random.one_of(&[0.01, 0.5, 1.0, 2.0, 8.0]);
    let size = DVec3::new(side(), side(), side());
    let at = DVec3::new(random.below(3) as f64, random.below(3) as f64, 0.0);
    let at = at * random.one_of(&[0.0, 0.5, 1000.0]);
    Brick { size, pose: pose(at, rotation(random)) }
}

/// Puts a box beside another, as far away as `gap`.
fn beside(fixed: &Brick, moving: &Brick, gap: f64, random: &mut Random) -> Pose {
    let [from, along] = [fixed.pose.position(), direction(random)];
    let corner = DVec3::new(random.below(3) as f64, random.below(3) as f64, random.below(3) as f64);
    let target = from + 0.5 * (corner - DVec3::ONE) * fixed.size * random.one_of(&[0.0, 0.5, 1.0]);
    let rotation = moving.pose.rotation();
    let [mut low, mut high] = [0.0, 30.0];
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        let there = moving.at(pose(target + along * middle, rotation));
        *(if fixed.separation(&there) < gap { &mut low } else { &mut high }) = middle;
    }
    pose(target + along * high, rotation)
}

fn motion(start: &Pose, e: f64, random: &mut Random) -> Motion {
    if random.below(2) == 0 {
        return Motion::Shift(direction(random) * random.one_of(&[10.0 * e, 1e-3, 0.1, 1.0, 3.0]));
    }
    let origin = start.position() + random.one_of(&[0.0, 0.5, 1.0]) * random.vector();
    let angle = random.one_of(&[1e-3, 0.1, 1.0, PI, TAU, 10.0, -1.0, -PI]);
    Motion::Turn(origin, direction(random), angle)
}

#[test]
fn aligned_boxes_neither_cross_nor_stop_far_away() {
    let mut memory = Workspace::new();
    let [mut stops, mut stuck, mut shifts, mut touching] = [0; 4];
    for seed in 0..12_000 {
        let random = &mut Random::new(seed);
        let [fixed, moving] = [brick(random), brick(random)];
        let world = fixed.world();
        let thickness = random.one_of(&[0.0, 1e-6, 1e-3]);
        let world = if thickness > 0.0 {
            world.with_thickness(thickness).expect("positive")
        } else {
            world
        };
        let body = moving.body();
        let far = pose(fixed.pose.position() + 30.0 * DVec3::X, moving.pose.rotation());
        let e = Motion::Shift(DVec3::ZERO).trace((&world, &body), &far, &mut memory).thickness;
        let gap = random.one_of(&[0.0, 0.0, 0.1, 0.5, 0.9, 1.0, 2.0, 1e5]) * e;
        let start = beside(&fixed, &moving, gap, random);
        let before = fixed.separation(&moving.at(start));
        let motion = motion(&start, e, random);
        let trace = motion.trace((&world, &body), &start, &mut memory);
        let rounding = 1e-14 * (1.0 + start.position().length());
        // Where nothing is turned, touching is exact.
        let is_exact = [&fixed, &moving].iter().all(|b| b.pose.rotation() == DQuat::IDENTITY);
        let is_apart = before > rounding || (is_exact && fixed.is_beside(&moving.at(start)));
        assert!(!(trace.started_solid && is_apart), "seed {seed} starts in nothing, {before}");
        touching += u32::from(is_exact && is_apart && gap == 0.0);
        if before < 0.0 || trace.started_solid {
            continue;
        }
        let case = format!("seed {seed}: {fixed:?} {moving:?} {start:?} {motion:?} {trace:?}");
        for i in 0..=64 {
            let there = moving.at(motion.at(&start, trace.fraction * f64::from(i) / 64.0));
            assert!(fixed.separation(&there) > -rounding, "crosses at {i}/64, {case}");
        }
        if let Some(touch) = trace.touch {
            stops += 1;
            let at = fixed.separation(&moving.at(trace.end));
            assert!(at <= REACH * e + rounding, "stops {at} away, {case}");
            assert!(touch.distance.abs() <= REACH * e + rounding, "{case}");
        }
        if let Motion::Shift(by) = motion
            && gap >= 0.1 * e
        {
            shifts += 1;
            let grows = |s: &f64| {
                let there =
                    moving.at(pose(start.position() + by.normalize() * (s * e), start.rotation()));
                fixed.separation(&there) >= (before + 0.1 * s * e).min(3.1 * e)
            };
            stuck += u32::from(trace.fraction == 0.0 && [0.25, 1.0, 3.0, 10.0].iter().all(grows));
        }
    }
    assert!(stops > 1500 && shifts > 2500 && touching > 20, "{stops} {shifts} {touching}");
    // Corner over corner the gap along an axis may grow while the distance does not.
    assert!(stuck <= shifts / 1000, "{stuck} of {shifts}");
}

#[test]
fn parallel_edges_that_turn_stop_at_the_wall_and_not_before() {
    let [fixed, moving] =
        [DVec3::new(1.0, 2.0, 1.0), DVec3::ONE].map(|size| Brick { size, pose: Pose::IDENTITY });
    let motion = Motion::Turn(DVec3::new(3.0, 0.0, 0.5), DVec3::Y, -PI / 2.0);
    let start = pose(DVec3::new(1.25, 0.25, 0.5), DQuat::IDENTITY);
    let pair = (&fixed.world(), &moving.body());
    assert_eq!(motion.trace(pair, &start, &mut Workspace::new()).fraction, 1.0);
}

#[test]
fn steps_are_climbed_in_levels_of_any_tilt() {
    let block = |low: [f64; 3], high: [f64; 3]| {
        let [low, high] = [low, high].map(DVec3::from_array);
        shapes::mapped(shapes::cuboid(high - low), |v| v + 0.5 * (low + high))
    };
    let random = &mut Random::new(4);
    for _ in 0..60 {
        let tilt = random.rotation();
        let level = [
            block([-20.0, -1.0, -20.0], [20.0, 0.0, 20.0]),
            block([2.0, 0.0, -4.0], [6.0, 0.2, 4.0]),
            block([2.4, 0.0, -4.0], [6.0, 0.4, 4.0]),
        ];
        let tilted = level.map(|mesh| Fixture::new(shapes::mapped(mesh, |v| tilt * v)));
        let world = World::new(tilted.into()).expect("a world");
        let body = Body::new(&shapes::cuboid(DVec3::new(0.6, 1.8, 0.6))).expect("a body");
        let walker = Walker::new(body.clone(), tilt * DVec3::Y, 0.3, FRAC_PI_4).expect("a walker");
        let mut memory = Workspace::new();
        let above = pose(tilt * DVec3::new(0.0, 1.5, 0.0), tilt);
        let fall = world.translate(&body, &above, tilt * DVec3::NEG_Y, &mut memory);
        let mut at = fall.expect("finite").end;
        for _ in 0..40 {
            let by = tilt * DVec3::new(0.1, 0.0, 0.0);
            let walk = walker.walk(&world, &at, by, &mut memory).expect("finite");
            assert!(walk.ground.is_some(), "{tilt} {at:?}");
            at = walk.end;
        }
        let end = tilt.conjugate() * at.position();
        assert!((end - DVec3::new(4.0, 1.3, 0.0)).length() < 0.01, "{tilt} {end}");
    }
}

#[test]
fn what_touches_a_sheet_is_held_on_its_own_side() {
    let sheet = shapes::mapped(shapes::cuboid(DVec3::new(4.0, 0.0, 4.0)), |v| v);
    let sheet = chasles::Polygons { faces: vec![vec![2, 3, 7, 6]], ..sheet };
    let mut memory = Workspace::new();
    let mut held = 0;
    for tilt in [DQuat::IDENTITY, DQuat::from_rotation_x(0.3), DQuat::from_rotation_z(2.0)] {
        let fixture = Fixture::new(shapes::mapped(sheet.clone(), |v| tilt * v));
        let world = World::new(vec![fixture]).expect("a world");
        let cube = Body::new(&shapes::cube()).expect("a body");
        for side in [1.0, -1.0] {
            let start = pose(tilt * DVec3::new(0.1, 0.5 * side, 0.2), tilt);
            let by = tilt * DVec3::Y * side;
            let mut go = |by| world.translate(&cube, &start, by, &mut memory).expect("finite");
            // Rounding may have put a corner behind the sheet, which is then crossed.
            let [away, through] = [go(by), go(-by)];
            assert_eq!(away.fraction, if away.started_solid { 0.0 } else { 1.0 }, "away, {tilt}");
            assert_eq!(through.fraction, 0.0, "through, {tilt}");
            held += u32::from(!through.started_solid);
            let on = tilt * DVec3::new(0.1, 0.0, 0.2);
            let leaves = world.point(on, on + by, &mut memory).expect("finite");
            assert_eq!(leaves.fraction, 1.0, "a point, {tilt}");
        }
    }
    assert!(held >= 2, "{held}");
}

#[test]
fn a_body_in_the_place_of_its_like_is_inside() {
    let mut memory = Workspace::new();
    for mesh in shapes::built_in() {
        let world = World::new(vec![Fixture::new(mesh.clone())]).expect("a world");
        let body = Body::new(&mesh).expect("a body");
        let contents = world.contents(&body, &Pose::IDENTITY, &mut memory);
        let is_solid = mesh.faces.len() > 1;
        let expected = if is_solid { Contents::Inside } else { Contents::Free };
        assert_eq!(contents, expected, "{} faces", mesh.faces.len());
    }
    let mut room = shapes::cube();
    room.faces.iter_mut().for_each(|face| face.reverse());
    let room = World::new(vec![Fixture::new(room)]).expect("a room");
    let cube = Body::new(&shapes::cube()).expect("a body");
    assert_eq!(room.contents(&cube, &Pose::IDENTITY, &mut memory), Contents::Free);
}
