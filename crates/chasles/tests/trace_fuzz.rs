//! Any world, body and motion is refused or answered: no panic, no hang, no NaN.

use chasles::glam::{DQuat, DVec3};
use chasles::trace::{Body, Fixture, Trace, Travel, Turn, Walker, Workspace, World};
use chasles::{Polygons, Pose};
use proptest::prelude::*;

/// Numbers on a small grid, so that things coincide, some a little beside it, and some that break
/// methods.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (-3_i8..=3).prop_map(|n| f64::from(n) / 2.0),
        2 => -2.0..2.0,
        1 => (-3_i8..=3).prop_map(|n| f64::from(n) / 2.0 + 1e-13),
        1 => prop_oneof![
            Just(1e-310), Just(1e-150), Just(1e-30), Just(1e9), Just(1e60), Just(1e100),
            Just(1e300), Just(f64::NAN), Just(f64::INFINITY), Just(-0.0),
        ],
    ]
}

fn vector() -> impl Strategy<Value = DVec3> {
    [number(), number(), number()].prop_map(DVec3::from_array)
}

fn mesh() -> impl Strategy<Value = Polygons> {
    let vertices = prop::collection::vec(vector(), 3..9);
    let faces = prop::collection::vec(prop::collection::vec(0_u32..9, 2..6), 0..6);
    (vertices, faces).prop_map(|(vertices, faces)| {
        let count = vertices.len() as u32;
        // Mostly numbers of vertices; one face in many names one that is missing.
        let fitting = |v: u32| if v == 8 { v } else { v % count };
        let faces = faces.into_iter().map(|f| f.into_iter().map(fitting).collect::<Vec<_>>());
        Polygons::new(vertices, faces)
    })
}

fn pose() -> impl Strategy<Value = Pose> {
    (vector(), [number(), number(), number(), number()]).prop_map(|(position, q)| {
        Pose::new(position, DQuat::from_array(q)).unwrap_or(Pose::IDENTITY)
    })
}

fn assert_sound(trace: &Trace, start: &Pose) {
    assert!((0.0..=1.0).contains(&trace.fraction), "{trace:?}");
    assert!(trace.end.position().is_finite() && trace.end.rotation().is_finite(), "{trace:?}");
    assert!(trace.thickness > 0.0, "{trace:?}");
    assert!(trace.fraction > 0.0 || trace.end == *start, "{trace:?}");
    if let Some(touch) = trace.touch {
        assert!(touch.point.is_finite() && touch.distance.is_finite(), "{trace:?}");
        assert!((touch.normal.length() - 1.0).abs() < 1e-9, "{trace:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn whatever_is_asked_has_an_answer(
        (fixed, moving) in (mesh(), mesh()),
        (place, start) in (pose(), pose()),
        (by, origin, axis) in (vector(), vector(), vector()),
        (angle, thickness) in (number(), number()),
    ) {
        let Ok(world) = World::new(vec![Fixture::new(fixed).at(place)]) else { return Ok(()) };
        let world = world.clone().with_thickness(thickness).unwrap_or(world);
        let Ok(body) = Body::new(&moving) else { return Ok(()) };
        let mut workspace = Workspace::new();
        if let Ok(trace) = world.translate(&body, &start, by, &mut workspace) {
            assert_sound(&trace, &start);
        }
        if let Ok(turn) = Turn::new(origin, axis, angle) {
            assert_sound(&world.rotate(&body, &start, &turn, &mut workspace), &start);
            let travel = Travel { by, turn, parts: 2.try_into().expect("not zero") };
            if let Ok(trace) = world.advance(&body, &start, &travel, &mut workspace) {
                prop_assert!((0.0..=1.0).contains(&trace.fraction));
            }
        }
        if let Ok(touches) = world.contacts(&body, &start, thickness, &mut workspace) {
            prop_assert!(touches.iter().all(|t| t.distance <= thickness));
        }
        if let Ok(walker) = Walker::new(body, axis, thickness, 0.7)
            && let Ok(walk) = walker.walk(&world, &start, by, &mut workspace)
        {
            prop_assert!(walk.end.position().is_finite());
        }
    }
}
