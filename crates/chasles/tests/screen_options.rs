//! Options of the screen do what they say, queries repeat bit for bit, and later ones allocate
//! nothing.
//!
//! This file is a test binary of its own: it counts through a global allocator.

use chasles_testkit::step_along;
use std::f64::consts::TAU;

use chasles::glam::DQuat;
use chasles::mesh::shapes::{Bolt, Nut, Shape, Torus};
use chasles::screen::{
    Drawing, Options, Order, Resolution, ScreenError, Statistics, Workspace, contacts,
};
use chasles::solid::{MeshSolid, Solid};
use chasles::{Collider, Contact, Features, Motion, Polyhedron, Pose, Screw, Step};
use chasles_testkit::generate;
use chasles_testkit::labelled::speed_cases;
use chasles_testkit::screen::rates;

fn pixels(n: u32) -> Options {
    Options { resolution: Resolution::Pixels(n), ..Options::default() }
}

/// The paper's own drawing.
fn in_pixels(n: u32) -> Options {
    Options { drawing: Drawing::Pixels, ..pixels(n) }
}

fn run(seed: u64, options: &Options, workspace: &mut Workspace) -> Vec<Contact> {
    let query = generate::query(seed);
    let [a, b] = query.colliders();
    contacts(&a, &b, &query.step(), options, workspace).unwrap().to_vec()
}

#[test]
fn a_used_workspace_gives_the_same_bits_as_a_fresh_one() {
    let mut used = Workspace::new();
    for seed in 0..60 {
        for options in [
            pixels(12),
            Options { robust: true, ..pixels(12) },
            in_pixels(12),
            Options { order: Order::Time, coarse_first: 4, ..in_pixels(24) },
        ] {
            let again = run(seed, &options, &mut used);
            assert_eq!(run(seed, &options, &mut Workspace::new()), again, "{seed}");
        }
    }
}

/// Each thread has a workspace of its own, as a program with many pairs would.
#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let all: Vec<u64> = (0..48).collect();
    let expected: Vec<Vec<Contact>> =
        all.iter().map(|&seed| run(seed, &pixels(12), &mut Workspace::new())).collect();
    for threads in [1, 2, 3, 8] {
        let found = std::thread::scope(|scope| {
            let share = all.len().div_ceil(threads);
            let work = |seeds: &'_ [u64]| {
                let mut workspace = Workspace::new();
                seeds.iter().map(|&seed| run(seed, &pixels(12), &mut workspace)).collect::<Vec<_>>()
            };
            let handles: Vec<_> =
                all.chunks(share).map(|seeds| scope.spawn(move || work(seeds))).collect();
            handles.into_iter().flat_map(|handle| handle.join().expect("no panic")).collect()
        });
        let found: Vec<Vec<Contact>> = found;
        assert_eq!(found, expected, "{threads} threads");
    }
}

#[test]
fn later_queries_allocate_nothing() {
    for case in speed_cases().unwrap_or_default() {
        let [a, b] = case.query.colliders();
        let step = case.query.step();
        for options in [
            pixels(6),
            Options { robust: true, ..pixels(24) },
            Options { coarse_first: 4, order: Order::Time, ..pixels(24) },
            in_pixels(6),
            Options { coarse_first: 4, order: Order::Time, ..in_pixels(24) },
            Options { order: Order::Hash, ..in_pixels(24) },
        ] {
            let mut workspace = Workspace::new();
            let mut ask = || contacts(&a, &b, &step, &options, &mut workspace).unwrap().len();
            let first = ask();
            let count = allocation_counter::measure(|| assert_eq!(ask(), first)).count_total;
            assert_eq!(count, 0, "{} with {options:?}", case.name);
        }
    }
}

#[test]
fn the_order_of_records_changes_no_contact() {
    for seed in 0..100 {
        let by_time = Options { order: Order::Time, ..pixels(24) };
        let mut workspace = Workspace::new();
        let expected = run(seed, &pixels(24), &mut workspace);
        assert_eq!(run(seed, &by_time, &mut workspace), expected, "{seed}");
    }
    // Turned against its thread, the bolt gets stuck: many slabs of time, and contacts.
    let (nut, bolt, _) = bolt_in_its_nut(0.0);
    let turn = Screw::from_twist([0.0, -0.1, 0.0], [0.0, 0.04, 0.0]).unwrap();
    let still = (Pose::IDENTITY, Screw::STILL);
    let step = step_along(still, (Pose::IDENTITY, turn));
    let [by_height, by_time] = [Order::Height, Order::Time].map(|order| {
        let options = Options { order, ..pixels(12) };
        contacts(&nut, &bolt, &step, &options, &mut Workspace::new()).unwrap().to_vec()
    });
    assert!(!by_height.is_empty());
    assert_eq!(by_height, by_time);
}

/// The bolt and the nut of `scenes/bolt.toml`, in a step of a part of a turn.
fn bolt_in_its_nut(turns: f64) -> (Collider, Collider, Step) {
    let nut = Nut { radius: 0.5, pitch: 0.2, depth: 0.12, clearance: 0.02, ..Nut::default() };
    let bolt = Bolt { radius: 0.5, pitch: 0.2, depth: 0.12, ..Bolt::default() };
    let [nut, bolt] =
        [Shape::Nut(nut), Shape::Bolt(bolt)].map(|shape| Collider::new(shape.build().unwrap()));
    let turn = Screw::from_twist([0.0, -TAU * turns, 0.0], [0.0, -0.2 * turns, 0.0]).unwrap();
    let still = (Pose::IDENTITY, Screw::STILL);
    (nut, bolt, step_along(still, (Pose::IDENTITY, turn)))
}

fn cost(a: &Collider, b: &Collider, step: &Step, options: &Options) -> Statistics {
    let mut workspace = Workspace::new();
    contacts(a, b, step, options, &mut workspace).unwrap();
    workspace.statistics()
}

/// Many layers of thread behind each other, and a short way: a hundredth of a turn.
#[test]
fn records_sorted_by_time_are_compared_less_on_a_bolt_in_its_nut() {
    let (nut, bolt, step) = bolt_in_its_nut(0.01);
    for n in [6, 12, 24] {
        let compared = [Order::Height, Order::Time]
            .map(|order| cost(&nut, &bolt, &step, &Options { order, ..pixels(n) }).compared);
        assert!(2 * compared[1] < compared[0], "{n} pixels: {compared:?}");
    }
}

/// What `docs/compare.md` says of the scene `stuck`: a vertex of the bolt passes the rim of the nut
/// within half a pixel, long before the threads meet. Smaller pixels tell it apart.
#[test]
fn the_early_contact_of_a_stuck_bolt_is_a_near_miss_of_half_a_pixel() {
    let (nut, bolt, _) = bolt_in_its_nut(0.0);
    let turn = Screw::from_twist([0.0, -TAU, 0.0], [0.0, -0.25, 0.0]).unwrap();
    let still = (Pose::IDENTITY, Screw::STILL);
    let step = step_along(still, (Pose::IDENTITY, turn));
    let first =
        |n: u32| contacts(&nut, &bolt, &step, &pixels(n), &mut Workspace::new()).unwrap()[0];
    let [coarse, fine] = [12, 24].map(first);
    assert!(coarse.time < 0.27 && fine.time > 0.34, "{} and {}", coarse.time, fine.time);
    let Features::Fv { vertex, .. } = coarse.features else { panic!("{coarse:?}") };
    let mesh = bolt.mesh();
    let vertex = (0..mesh.vertex_count() as u32).find(|&v| mesh.vertex_label(v) == vertex).unwrap();
    let place = step.pose_of_b(coarse.time).point(mesh.position(vertex));
    let gap = MeshSolid::new(nut.mesh()).unwrap().distance(place);
    let pixel = pixels(12).pixel(&nut, &bolt).unwrap();
    assert!(gap.low > 0.0 && gap.high < 0.5 * pixel, "{gap:?} with pixels of {pixel}");
}

/// In a whole turn every layer passes every other: what `docs/screen.md` says of `Order::Time`.
#[test]
fn records_sorted_by_time_are_compared_more_in_a_whole_turn() {
    let (nut, bolt, step) = bolt_in_its_nut(1.0);
    let documented = [(6, [914_069, 932_423]), (12, [905_732, 922_974])];
    for (n, expected) in documented {
        let compared = [Order::Height, Order::Time]
            .map(|order| cost(&nut, &bolt, &step, &Options { order, ..pixels(n) }).compared);
        assert_eq!(compared, expected, "{n} pixels");
    }
}

/// A coarse look compares more than it saves, also on fine screens: what `docs/screen.md` says.
#[test]
fn a_coarse_look_first_compares_more() {
    let (nut, bolt, step) = bolt_in_its_nut(0.01);
    for n in [12, 100, 500] {
        let compared = [1, 4, 16].map(|coarse_first| {
            let options = Options { coarse_first, ..pixels(n) };
            cost(&nut, &bolt, &step, &options).compared
        });
        let [one_look, four, sixteen] = compared;
        assert!(one_look < four && one_look < sixteen, "{n} pixels: {compared:?}");
    }
}

/// On a fine screen long edges are cut into many pieces; a coarse look leaves out most of them.
/// Where few faces are left, they are not cut into pieces in the first place.
#[test]
fn a_coarse_look_first_leaves_fewer_records_on_a_fine_screen() {
    let (nut, bolt, step) = bolt_in_its_nut(0.01);
    let records = [1, 16].map(|coarse_first| {
        let options = Options { coarse_first, min_properness: -0.1, ..pixels(384) };
        cost(&nut, &bolt, &step, &options).records
    });
    assert!(records[1] < records[0], "{records:?}");
}

/// Pixels are a dial there: what is drawn grows with them, and times get sharper.
#[test]
fn finer_pixels_draw_more_and_find_times_more_sharply() {
    let (a, b, step) = tori_that_touch_locally();
    let exact = Options { drawing: Drawing::Rows, ..pixels(96) };
    let expected = contacts(&a, &b, &step, &exact, &mut Workspace::new()).unwrap().to_vec();
    let look = |n: u32| {
        let mut workspace = Workspace::new();
        let found = contacts(&a, &b, &step, &in_pixels(n), &mut workspace).unwrap().to_vec();
        let off = |contact: &Contact| {
            let same = found.iter().filter(|other| other.features == contact.features);
            same.map(|other| (other.time - contact.time).abs()).min_by(f64::total_cmp)
        };
        let edges = expected.iter().filter(|c| matches!(c.features, Features::Ee { .. }));
        let off: Vec<f64> = edges.filter_map(off).collect();
        assert!(off.len() >= 8, "{n}: {off:?}");
        (workspace.statistics().records, off.iter().sum::<f64>() / off.len() as f64)
    };
    let [coarse, fine] = [3, 96].map(look);
    assert!(fine.0 > 8 * coarse.0, "{coarse:?} {fine:?}");
    assert!(4.0 * fine.1 < coarse.1, "{coarse:?} {fine:?}");
}

/// Layers of time, a hash table and boxes change the cost of pixels and no contact.
#[test]
fn orders_of_pixels_change_no_contact() {
    let (nut, bolt, _) = bolt_in_its_nut(0.0);
    let turn = Screw::from_twist([0.0, -0.1, 0.0], [0.0, 0.04, 0.0]).unwrap();
    let still = (Pose::IDENTITY, Screw::STILL);
    let step = step_along(still, (Pose::IDENTITY, turn));
    let (a, b, pass) = tori_that_touch_locally();
    for (a, b, step) in [(&nut, &bolt, &step), (&a, &b, &pass)] {
        let ask = |options: Options| {
            contacts(a, b, step, &options, &mut Workspace::new()).unwrap().to_vec()
        };
        let expected = ask(in_pixels(12));
        assert!(!expected.is_empty());
        for order in [Order::Time, Order::Hash] {
            assert_eq!(ask(Options { order, ..in_pixels(12) }), expected, "{order:?}");
        }
        assert_eq!(ask(Options { boxes_first: false, ..in_pixels(12) }), expected);
    }
}

/// In a whole turn and in a short one.
#[test]
fn layers_of_time_compare_less_pixels_on_a_bolt_in_its_nut() {
    for turns in [0.01, 1.0] {
        let (nut, bolt, step) = bolt_in_its_nut(turns);
        let compared = [Order::Height, Order::Time]
            .map(|order| cost(&nut, &bolt, &step, &Options { order, ..in_pixels(12) }).compared);
        assert!(4 * compared[1] < 3 * compared[0], "{turns} turns: {compared:?}");
    }
}

/// Which drawing is used is said.
#[test]
fn the_drawing_that_is_used_is_told() {
    let used = |(a, b, step): &(Collider, Collider, Step), drawing: Drawing| {
        cost(a, b, step, &Options { drawing, ..pixels(12) }).drawing
    };
    let tori = tori_that_touch_locally();
    for drawing in [Drawing::Pixels, Drawing::Rows, Drawing::Pairs] {
        assert_eq!(used(&tori, drawing), Some(drawing));
    }
    assert!(matches!(used(&tori, Drawing::Auto), Some(Drawing::Pairs | Drawing::Rows)));
    // Around the axis faces have no outlines, and are drawn in rows.
    assert_eq!(used(&bolt_in_its_nut(0.1), Drawing::Pairs), Some(Drawing::Rows));
    let apart = step_along((Pose::IDENTITY, Screw::STILL), (Pose::IDENTITY, Screw::STILL));
    assert_eq!(used(&(tori.0, tori.1, apart), Drawing::Pixels), None, "nothing moves");
}

/// Two large tori side by side, which pass through each other with their outermost parts.
fn tori_that_touch_locally() -> (Collider, Collider, Step) {
    let torus = Shape::Torus(Torus { major: 1.0, minor: 0.4, segments: [60, 45] });
    let [a, b] = [(); 2].map(|()| Collider::new(torus.build().unwrap()));
    let end = Pose::new([2.7, 0.0, 0.5], DQuat::from_rotation_y(0.2)).unwrap();
    let path = [Pose::from_position([3.0, 0.1, -0.5]).unwrap(), end];
    (a, b, Step::new(Motion::still(Pose::IDENTITY), Motion::between(path[0], path[1])))
}

#[test]
fn boxes_first_change_no_contact() {
    let same = |a: &Collider, b: &Collider, step: &Step, options: Options| {
        let ask = |boxes_first| {
            let options = Options { boxes_first, ..options };
            contacts(a, b, step, &options, &mut Workspace::new()).unwrap().to_vec()
        };
        let with = ask(true);
        assert_eq!(with, ask(false), "{options:?}");
        with.len()
    };
    let (a, b, step) = tori_that_touch_locally();
    for robust in [false, true] {
        let options = Options { robust, ..pixels(12) };
        assert_ne!(same(&a, &b, &step, options), 0, "they touch");
        for seed in 0..200 {
            let query = generate::query(seed);
            let [a, b] = query.colliders();
            same(&a, &b, &query.step(), options);
        }
    }
    for case in speed_cases().unwrap_or_default() {
        let [a, b] = case.query.colliders();
        same(&a, &b, &case.query.step(), pixels(12));
    }
}

/// With boxes and without, in every drawing, and in near misses too.
#[test]
fn hulls_first_change_no_contact() {
    let mut touching = 0;
    let mut same = |a: &Collider, b: &Collider, step: &Step, options: Options| {
        let mut ask = |hull_first| {
            let options = Options { hull_first, ..options };
            let mut workspace = Workspace::new();
            let found = contacts(a, b, step, &options, &mut workspace).unwrap().to_vec();
            (found, workspace.statistics())
        };
        let [(without, all), (with, left)] = [false, true].map(&mut ask);
        assert_eq!(with, without, "{options:?}");
        assert!(left.faces <= all.faces, "{left:?} {all:?}");
        touching += usize::from(!with.is_empty());
    };
    let (a, b, step) = tori_that_touch_locally();
    for boxes_first in [false, true] {
        for drawing in [Drawing::Auto, Drawing::Pixels, Drawing::Rows] {
            same(&a, &b, &step, Options { drawing, boxes_first, ..pixels(12) });
        }
        for seed in 0..300 {
            let query = generate::query(seed);
            let [a, b] = query.colliders();
            for robust in [false, true] {
                let options = Options { robust, boxes_first, ..pixels(12) };
                same(&a, &b, &query.step(), options);
            }
            let (a, b, step) = generate::turning(seed % 40);
            let [a, b] = [&a, &b].map(|mesh| Collider::new(Polyhedron::new(mesh).unwrap()));
            same(&a, &b, &step, Options { boxes_first, ..pixels(12) });
        }
    }
    for i in 0..12 {
        let (a, b, step) = tori_that_pass(1.3 + 0.08 * f64::from(i));
        for drawing in [Drawing::Auto, Drawing::Pixels, Drawing::Rows] {
            same(&a, &b, &step, Options { drawing, ..pixels(12) });
        }
    }
    assert!(touching > 300, "{touching}");
}

/// Two tori that pass along their axes, at this distance in two directions across.
fn tori_that_pass(shift: f64) -> (Collider, Collider, Step) {
    let torus = Shape::Torus(Torus { major: 1.0, minor: 0.4, segments: [60, 45] });
    let [a, b] = [(); 2].map(|()| Collider::new(torus.build().unwrap()));
    let ways = [-3.0, 3.0].map(|y| Pose::from_position([shift, y, shift]).unwrap());
    (a, b, Step::new(Motion::still(Pose::IDENTITY), Motion::between(ways[0], ways[1])))
}

/// Two tori that pass each other corner by corner: boxes of the whole bodies meet on the screen.
#[test]
fn hulls_that_pass_each_other_leave_no_face_to_look_at() {
    let (a, b, step) = tori_that_pass(2.1);
    let faces = [false, true]
        .map(|hull_first| cost(&a, &b, &step, &Options { hull_first, ..pixels(12) }).faces);
    assert_eq!(faces[1], 0, "{faces:?}");
    assert!(faces[0] > 50, "{faces:?}");
}

#[test]
fn boxes_first_look_at_few_faces_of_large_bodies_that_touch_locally() {
    let (a, b, step) = tori_that_touch_locally();
    let faces = [false, true]
        .map(|boxes_first| cost(&a, &b, &step, &Options { boxes_first, ..pixels(12) }).faces);
    assert_eq!(faces[0], 2 * 2700);
    assert!(5 * faces[1] < faces[0], "{faces:?}");
}

#[test]
fn coarse_to_fine_finds_what_is_due() {
    for seed in 0..200 {
        let query = generate::query(seed);
        for options in [pixels(24), in_pixels(24)] {
            let options = Options { coarse_first: 4, ..options };
            let found = rates([&query.a, &query.b], &query.step(), &options);
            let is_good = found.missed.is_empty() && found.far.is_empty();
            assert!(is_good, "{seed}: {found}\n{found:?}");
        }
    }
}

#[test]
fn robust_mode_finds_what_is_due_and_nothing_far() {
    for seed in 0..200 {
        let query = generate::query(seed);
        let options = Options { robust: true, ..pixels(12) };
        let found = rates([&query.a, &query.b], &query.step(), &options);
        assert!(found.missed.is_empty() && found.widest <= 2.0, "{seed}: {found}\n{found:?}");
    }
}

#[test]
fn bad_options_are_errors() {
    let query = generate::query(1);
    let [a, b] = query.colliders();
    let fails = |options: Options| {
        contacts(&a, &b, &query.step(), &options, &mut Workspace::new())
            .map(<[_]>::len)
            .unwrap_err()
    };
    assert_eq!(fails(pixels(0)), ScreenError::NoPixels);
    let length = |x: f64| Options { resolution: Resolution::Length(x), ..Options::default() };
    assert_eq!(fails(length(-2.0)), ScreenError::BadLength(-2.0));
    assert!(matches!(fails(length(f64::NAN)), ScreenError::BadLength(_)));
    assert!(matches!(fails(length(1e-12)), ScreenError::TooManyRecords { .. }));
    for drawing in [Drawing::Auto, Drawing::Pixels, Drawing::Rows, Drawing::Pairs] {
        let few = Options { max_records: 3, drawing, ..pixels(12) };
        assert!(matches!(fails(few), ScreenError::TooManyRecords { limit: 3, .. }), "{drawing:?}");
    }
    // More pixels than memory is allowed for.
    assert!(matches!(fails(in_pixels(4_000_000)), ScreenError::TooManyRecords { .. }));
    let time = Options { time_resolution: Some(f64::NAN), ..Options::default() };
    assert!(matches!(fails(time), ScreenError::BadTime(_)));
}
