//! Distance fields contain the distance from what was sampled, and survive being written.

use chasles::glam::{DMat3, DQuat, DVec3};
use chasles::mesh::shapes::{Shape, Sphere};
use chasles::solid::{
    Block, Interval, MeshSolid, Place, Sdf, SdfError, SdfOptions, Solid, SolidError, surface,
};
use chasles::{Polygons, Polyhedron};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;
use proptest::prelude::*;

/// A ball, of which all is known.
#[derive(Debug)]
struct Ball {
    center: DVec3,
    radius: f64,
}

impl Solid for Ball {
    fn bounds(&self) -> [DVec3; 2] {
        [self.center - self.radius, self.center + self.radius]
    }

    fn distance(&self, point: DVec3) -> Interval {
        let error = 8.0 * f64::EPSILON * (point.abs() + self.center.abs()).max_element();
        Interval::about(point.distance(self.center) - self.radius, error)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        (point - self.center).try_normalize().unwrap_or(DVec3::X)
    }
}

/// A solid that answers with what it is told.
#[derive(Debug)]
struct Odd {
    bounds: [DVec3; 2],
    distance: Interval,
}

impl Solid for Odd {
    fn bounds(&self) -> [DVec3; 2] {
        self.bounds
    }

    fn distance(&self, _: DVec3) -> Interval {
        self.distance
    }

    fn normal(&self, _: DVec3) -> DVec3 {
        DVec3::X
    }
}

fn mesh(polygons: &Polygons) -> Box<dyn Solid> {
    Box::new(MeshSolid::from_polygons(polygons).expect("a mesh"))
}

/// Solids with sharp edges, cavities, round ones, thin ones and sheets.
fn solids() -> Vec<(&'static str, Box<dyn Solid>)> {
    let turned = |polygons: Polygons| {
        let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.7);
        shapes::mapped(polygons, |p| turn * p)
    };
    let mut cavity = shapes::mapped(shapes::cube(), |p| p * 0.6);
    cavity.faces.iter_mut().for_each(|face| face.reverse());
    let hollow = shapes::joined(&[shapes::cube(), cavity]);
    let plate = shapes::mapped(shapes::cube(), |p| p * DVec3::new(1.0, 1.0, 0.02));
    let far = DVec3::new(1e4, -2e4, 3e3);
    vec![
        ("ball", Box::new(Ball { center: DVec3::new(0.1, 0.2, 0.3), radius: 1.0 })),
        ("a ball far away", Box::new(Ball { center: far, radius: 1.0 })),
        ("a small ball", Box::new(Ball { center: DVec3::ZERO, radius: 1e-60 })),
        ("cube", mesh(&shapes::cube())),
        ("turned cube", mesh(&turned(shapes::cube()))),
        ("hollow cube", mesh(&turned(hollow))),
        ("plate", mesh(&turned(plate))),
        ("torus", mesh(&shapes::torus(16, 8, 1.0, 0.4))),
        ("sheet", mesh(&turned(shapes::sheet(3, 3)))),
    ]
}

fn field(solid: &dyn Solid, cells: u32) -> Sdf {
    Sdf::sample(solid, &SdfOptions::across(solid, cells).expect("finite")).expect("a field")
}

/// A point in the field, near the surface, beyond the field, or on the corner of a cell.
fn point(solid: &dyn Solid, field: &Sdf, random: &mut Random) -> DVec3 {
    let [low, high] = solid.bounds();
    let size = (high - low).max_element();
    let unit = DVec3::new(random.unit(), random.unit(), random.unit());
    let grow = random.one_of(&[0.0, 0.1, 3.0, 100.0]) * size;
    let p = low - grow + (high - low + 2.0 * grow) * unit;
    match random.below(3) {
        0 => p,
        1 => {
            let distance = solid.distance(p);
            let off = random.one_of(&[0.0, 1e-9, 0.5, 3.0]) * field.cell() * random.vector().x;
            p - solid.normal(p) * (0.5 * (distance.low + distance.high) + off)
        }
        _ => ((p / field.cell()).round() + random.vector() * 1e-9) * field.cell(),
    }
}

#[test]
fn intervals_contain_the_distance_from_what_was_sampled() {
    for (name, solid) in solids() {
        for cells in [3, 20, 50] {
            let field = field(&solid, cells);
            let mut random = Random::new(u64::from(cells));
            for _ in 0..1500 {
                let p = point(&solid, &field, &mut random);
                let [truth, found] = [solid.distance(p), field.distance(p)];
                let holds = found.low <= truth.high && found.high >= truth.low;
                assert!(holds, "{name} {cells}: {p} {truth:?} {found:?}");
                let near = truth.low.abs().min(truth.high.abs()) < field.band();
                let narrow = found.radius() <= field.error();
                assert!(narrow || !near, "{name} {cells}: {p} {found:?} {}", field.error());
            }
        }
    }
}

#[test]
fn the_error_is_less_than_a_cell_and_far_less_some_cells_away() {
    let ball = Ball { center: DVec3::ZERO, radius: 1.0 };
    let options = SdfOptions { band: 0.15, ..SdfOptions::across(&ball, 64).expect("finite") };
    let field = Sdf::sample(&ball, &options).expect("a field");
    let cell = field.cell();
    assert!(field.error() < 0.8661 * cell, "{}", field.error() / cell);
    let mut random = Random::new(1);
    for _ in 0..1000 {
        let cells = random.between(2.5, 4.0);
        let out = field.distance(random.direction() * (1.0 + cells * cell));
        assert!(out.low > (cells - 0.4 / (cells - 1.0)) * cell, "{} {cells}", out.low / cell);
        let within = field.distance(random.direction() * (1.0 - cells * cell));
        assert!(within.high < -(cells - 0.4 / (cells - 1.0)) * cell, "{} {cells}", within.high);
    }
}

#[test]
fn normals_follow_the_original_near_a_round_surface_and_far_from_it() {
    let ball = Ball { center: DVec3::new(0.3, 0.0, -0.2), radius: 1.0 };
    let field = field(&ball, 48);
    let mut random = Random::new(2);
    for _ in 0..2000 {
        let off = random.between(0.75, 1.3);
        let p = ball.center + random.direction() * off;
        let near = (off - 1.0).abs() < field.band();
        let least = if near { 0.999 } else { 0.9 };
        assert!(field.normal(p).dot(ball.normal(p)) > least, "{p}: {}", field.normal(p));
    }
    for p in [DVec3::NAN, DVec3::INFINITY, DVec3::splat(1e300)] {
        assert!((field.normal(p).length() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn boxes_that_are_placed_hold_no_point_to_the_contrary() {
    let mut counts = [0; 3];
    for (name, solid) in solids() {
        let field = field(&solid, 30);
        let [low, high] = solid.bounds();
        let size = (high - low).max_element();
        let mut random = Random::new(3);
        for _ in 0..300 {
            let lengths = [0.001, 0.02, 0.1, 0.4];
            let half = DVec3::from_array([0; 3].map(|_| random.one_of(&lengths) * size));
            let unit = DVec3::new(random.unit(), random.unit(), random.unit());
            let axes = DMat3::from_quat(random.rotation());
            let center = low + (high - low) * (1.4 * unit - 0.2);
            let place = field.place(&Block { center, axes, half });
            counts[place as usize] += 1;
            for _ in 0..20 {
                let distance = solid.distance(center + axes * (half * random.vector()));
                let holds = match place {
                    Place::Outside => distance.high > 0.0,
                    Place::Inside => distance.low < 0.0,
                    Place::Unsure => true,
                };
                assert!(holds, "{name}: {center} {half} {place:?} {distance:?}");
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
}

#[test]
fn a_long_box_along_a_wall_is_placed() {
    let cube = MeshSolid::from_polygons(&shapes::cube()).expect("a cube");
    let field = field(&cube, 64);
    let side = cube.bounds()[1].x;
    let half = DVec3::new(side, 0.01 * side, 0.01 * side);
    let at = |y: f64| Block { center: DVec3::Y * y * side, axes: DMat3::IDENTITY, half };
    assert_eq!(field.place(&at(1.3)), Place::Outside);
    assert_eq!(field.place(&at(1.0)), Place::Unsure);
    let inner = Block { half: half * 0.8, ..at(0.7) };
    assert_eq!(field.place(&inner), Place::Inside);
}

#[test]
fn segments_enter_the_field_before_the_original() {
    let ball = Ball { center: DVec3::ZERO, radius: 1.0 };
    let field = field(&ball, 40);
    let mut random = Random::new(4);
    for _ in 0..300 {
        let [from, to] = [random.direction() * 1.5, random.direction() * 0.5];
        let at = field.entry(from, to, 1e-6).expect("it ends inside");
        // No point before is in the ball, and the place is as close as the field can tell.
        let before = (0..100).map(|i| from.lerp(to, at * f64::from(i) / 100.0));
        assert!(before.into_iter().all(|p| p.length() > 1.0), "{from} {to} {at}");
        let gap = from.lerp(to, at).length() - 1.0;
        assert!(gap <= 2.0 * field.error() + 1e-6, "{from} {to} {gap}");
    }
}

#[test]
fn points_that_are_far_or_strange_are_answered() {
    let field = field(&Ball { center: DVec3::ZERO, radius: 1.0 }, 10);
    assert!(field.distance(DVec3::NAN).is_nan());
    assert!(field.distance(DVec3::INFINITY).is_nan());
    for far in [1e10, 1e150, 1e200, 1e307] {
        let found = field.distance(DVec3::new(far, 0.0, 0.0));
        assert!(found.low <= far && found.high >= 0.999 * far && found.low > 1.0, "{found:?}");
    }
}

fn refused(solid: &dyn Solid, cell: f64, band: f64) -> SolidError {
    Sdf::sample(solid, &SdfOptions { cell, band }).expect_err("must be refused")
}

#[test]
fn what_cannot_be_sampled_is_refused_with_a_reason() {
    let ball = Ball { center: DVec3::ZERO, radius: 1.0 };
    for cell in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = refused(&ball, cell, 0.1);
        assert!(error.to_string().starts_with("the length of a cell is"), "{error}");
    }
    for band in [-1.0, f64::NAN, f64::INFINITY] {
        let error = refused(&ball, 0.1, band);
        assert!(error.to_string().starts_with("the band around the surface is"), "{error}");
    }
    // Refused before any memory is taken: for the table, and for the samples.
    let everywhere = Odd { bounds: [DVec3::ZERO, DVec3::ONE], distance: Interval::point(0.0) };
    for (solid, cell) in [(&ball as &dyn Solid, 1e-5), (&ball, 1e-100), (&everywhere, 0.0015)] {
        let error = refused(solid, cell, 0.0);
        assert!(error.to_string().contains("2^30: take larger cells"), "{error}");
    }
    let odd = |bounds, distance| Odd { bounds, distance };
    let box_of = |low: f64, high: f64| [DVec3::splat(low), DVec3::splat(high)];
    let one = Interval::point(1.0);
    let error = refused(&odd(box_of(f64::NEG_INFINITY, f64::INFINITY), one), 0.1, 0.1);
    assert!(matches!(error, SolidError::Unbounded(_)), "{error}");
    let error = refused(&odd(box_of(1.0, 0.0), one), 0.1, 0.1);
    assert!(matches!(error, SolidError::Empty(_)), "{error}");
    for distance in [Interval::ALL, Interval::new(f64::NAN, 1.0)] {
        let error = refused(&odd(box_of(0.0, 1.0), distance), 0.1, 0.1);
        assert!(error.to_string().contains("finite, where it is sampled"), "{error}");
    }
    assert!(SdfOptions::across(&ball, 0).is_err());
}

#[test]
fn progress_ends_at_one_and_never_goes_back() {
    let ball = Ball { center: DVec3::ZERO, radius: 1.0 };
    let options = SdfOptions::across(&ball, 20).expect("finite");
    let mut seen = vec![0.0];
    Sdf::sample_with(&ball, &options, &mut |done| seen.push(done)).expect("a field");
    assert!(seen.is_sorted() && seen.last() == Some(&1.0), "{seen:?}");
}

fn small_file() -> Vec<u8> {
    field(&Ball { center: DVec3::ZERO, radius: 1.0 }, 4).to_bytes()
}

/// The same bytes with a right checksum.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 8;
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let sum = bytes[..end].iter().fold(0xcbf2_9ce4_8422_2325, step);
    bytes[end..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn a_field_is_read_as_it_was_written() {
    for (name, solid) in solids() {
        let field = field(&solid, 12);
        let mut bytes = Vec::new();
        field.write(&mut bytes).expect("memory does not fail");
        let read = Sdf::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(read, field, "{name}");
        assert_eq!(read.to_bytes(), bytes, "{name}");
        let mut random = Random::new(5);
        for _ in 0..100 {
            let p = point(&solid, &field, &mut random);
            assert_eq!(read.distance(p), field.distance(p));
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_is_an_error() {
    let bytes = small_file();
    for length in 0..bytes.len() {
        let error = Sdf::from_bytes(&bytes[..length]).expect_err("it is cut off");
        let is_named = match error {
            SdfError::Header { .. } => length < 136,
            SdfError::Length { .. } => length >= 136,
            _ => false,
        };
        assert!(is_named, "{length}: {error}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(matches!(Sdf::from_bytes(&longer), Err(SdfError::Length { .. })));
}

#[test]
fn damage_is_named() {
    let bytes = small_file();
    let with = |offset: usize, new: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[offset..offset + new.len()].copy_from_slice(new);
        resealed(bytes)
    };
    let message = |bytes: &[u8]| Sdf::from_bytes(bytes).expect_err("damaged").to_string();
    assert!(message(b"OFF 1 2 3").contains("begins with \"OFF 1 2 \""));
    assert!(message(&with(8, &[2])).contains("version 2"));
    assert!(message(&with(16, &[0; 4])).contains("the number of blocks at byte 16 is 0"));
    assert!(message(&with(16, &[255; 12])).contains("it must have"));
    assert!(message(&with(12, &[255; 4])).contains("it must have"));
    assert!(message(&with(28, &[1])).contains("at byte 28"));
    assert!(message(&with(32, &f64::NAN.to_le_bytes())).contains("at byte 32 is NaN"));
    assert!(message(&with(56, &0.0_f64.to_le_bytes())).contains("the length of a cell at byte 56"));
    assert!(message(&with(64, &5.0_f64.to_le_bytes())).contains("bounds at byte 64 is 5"));
    assert!(message(&with(120, &(-1.0_f64).to_le_bytes())).contains("at byte 120 is -1"));
    assert!(message(&with(136, &[255, 255, 255, 0])).contains("samples at byte 136"));
    let last = bytes.len() - 12;
    let nan = message(&with(last, &f32::NAN.to_le_bytes()));
    assert!(nan.contains(&format!("a sample at byte {last} is NaN")), "{nan}");
    let mut flipped = bytes.clone();
    flipped[200] ^= 1;
    assert!(message(&flipped).contains("damaged"));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        cut in 0usize..4000,
        changes in prop::collection::vec((0usize..400, any::<u8>()), 0..8),
        seal in any::<bool>(),
    ) {
        let mut bytes = small_file();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        if cut < 1000 {
            bytes.truncate(cut);
        } else if seal {
            bytes = resealed(bytes);
        }
        if let Ok(field) = Sdf::from_bytes(&bytes) {
            let mut random = Random::new(cut as u64);
            for _ in 0..20 {
                let p = random.vector() * 3.0;
                let _ = (field.distance(p), field.normal(p));
            }
        }
    }
}

#[test]
fn numbers_that_contradict_each_other_have_bounds_in_order() {
    let written = small_file();
    let mut bounds = 0;
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let mut bytes = written.clone();
        // A corner of the bounds or an error, or a middle or a sample.
        if random.below(2) == 0 {
            let at = 64 + 8 * random.below(9);
            let value = random.one_of(&[0.0, 1.0, -1.0, 1e-60, 1e20, -1e20]);
            bytes[at..at + 8].copy_from_slice(&f64::to_le_bytes(value));
        } else {
            let at = 144 + 4 * random.below((bytes.len() - 156) / 4);
            let value = random.one_of(&[0.0, 1.0, -1.0, 20.0, -20.0, 1e30]);
            bytes[at..at + 4].copy_from_slice(&f32::to_le_bytes(value));
        }
        let Ok(field) = Sdf::from_bytes(&resealed(bytes)) else { continue };
        for _ in 0..200 {
            let p = random.vector() * random.one_of(&[1.0, 2.0, 100.0, 1e30]);
            let distance = field.distance(p);
            assert!(distance.low <= distance.high, "seed {seed}: {distance:?} at {p}");
            bounds += 1;
        }
    }
    assert!(bounds > 20_000, "{bounds}");
}

/// An edge with more faces one way than the other.
fn unbalanced(mesh: &Polygons) -> Option<[u32; 2]> {
    let mut balance = std::collections::BTreeMap::new();
    for face in &mesh.faces {
        for (&p, &q) in face.iter().zip(face.iter().cycle().skip(1)) {
            *balance.entry([p.min(q), p.max(q)]).or_insert(0) += if p < q { 1 } else { -1 };
        }
    }
    balance.into_iter().find(|(_, sum)| *sum != 0).map(|(edge, _)| edge)
}

#[test]
fn pictures_of_solids_are_closed_and_close_to_them() {
    for (name, solid) in solids() {
        let found = surface(&solid, 24);
        if name == "sheet" || name == "plate" {
            assert!(name == "plate" || matches!(found, Err(SolidError::Empty(_))), "{name}");
            continue;
        }
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(surface(&solid, 24).as_ref(), Ok(&found), "{name}: the same again");
        let [low, high] = solid.bounds();
        let cell = (high - low).max_element() / 24.0;
        for &p in &found.vertices {
            let distance = solid.distance(p);
            assert!(distance.low.abs() < 0.9 * cell, "{name}: {p} {distance:?}");
        }
        assert_eq!(unbalanced(&found), None, "{name}");
        if cell > 1e-100 {
            let polyhedron = Polyhedron::new(&found).expect("a mesh");
            assert!(polyhedron.is_closed(), "{name}");
            assert!(shapes::six_volumes(&found) > 0.0, "{name} is inside out");
        }
    }
}

#[test]
fn the_picture_of_a_ball_has_its_volume() {
    let found = surface(&Ball { center: DVec3::ONE, radius: 1.0 }, 40).expect("a ball");
    let volume = shapes::six_volumes(&found) / 6.0;
    let ball = 4.0 / 3.0 * std::f64::consts::PI;
    assert!((volume / ball - 1.0).abs() < 0.02, "{volume}");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let ball = Ball { center: DVec3::ZERO, radius: 1.0 };
    assert!(surface(&ball, 0).is_err() && surface(&ball, 257).is_err());
    let all = [DVec3::NEG_INFINITY, DVec3::INFINITY];
    let endless = Odd { bounds: all, distance: Interval::point(-1.0) };
    assert!(matches!(surface(&endless, 10), Err(SolidError::Unbounded(_))));
}

#[test]
fn a_field_of_a_field_holds_the_original_too() {
    let sphere = Shape::Sphere(Sphere { radius: 1.0, segments: [12, 8] });
    let solid = MeshSolid::new(&sphere.build().expect("a sphere")).expect("a solid");
    let first = field(&solid, 20);
    let second = field(&first, 30);
    let mut random = Random::new(6);
    for _ in 0..500 {
        let p = random.vector() * 1.5;
        let [truth, found] = [solid.distance(p), second.distance(p)];
        assert!(found.low <= truth.high && found.high >= truth.low, "{p} {truth:?} {found:?}");
    }
    assert!(second.error() > first.error());
}
