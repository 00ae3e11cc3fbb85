//! Claim: what a formula says of a solid is never contradicted by a value of the formula.
//!
//! Random formulas are written as text for the library and evaluated as trees here, in doubles.

use chasles::glam::{DMat3, DQuat, DVec3, EulerRot};
use chasles::solid::{
    Block, Expected, Expression, Implicit, Interval, ParseErrorKind, Place, Solid, SolidError,
};
use proptest::prelude::*;

/// A formula as a tree.
#[derive(Clone, Debug)]
enum Tree {
    Variable(usize),
    Number(f64),
    One(&'static str, Box<Tree>),
    Two(&'static str, Box<Tree>, Box<Tree>),
    Power(Box<Tree>, i32),
}

impl Tree {
    fn text(&self) -> String {
        match self {
            Self::Variable(axis) => ["x", "y", "z"][*axis].to_owned(),
            Self::Number(value) => format!("({value})"),
            Self::One(name, a) => format!("({name}({}))", a.text()),
            Self::Two(name, a, b) if name.len() > 1 => {
                format!("{name}({}, {})", a.text(), b.text())
            }
            Self::Two(sign, a, b) => format!("({} {sign} {})", a.text(), b.text()),
            Self::Power(a, exponent) => format!("(({})^({exponent}))", a.text()),
        }
    }

    /// The value, none if it or a number on the way is not one, or so large that rounding
    /// matters in a test.
    fn value(&self, at: DVec3) -> Option<f64> {
        let value = match self {
            Self::Variable(axis) => at[*axis],
            Self::Number(value) => *value,
            Self::One(name, a) => one(name, a.value(at)?),
            Self::Two(name, a, b) => two(name, a.value(at)?, b.value(at)?),
            Self::Power(a, exponent) => a.value(at)?.powi(*exponent),
        };
        (value.abs() < 1e6).then_some(value)
    }
}

fn one(name: &str, a: f64) -> f64 {
    match name {
        "-" => -a,
        "abs" => a.abs(),
        "sqrt" => a.sqrt(),
        "exp" => a.exp(),
        "ln" => a.ln(),
        "sin" => a.sin(),
        "cos" => a.cos(),
        "tan" => a.tan(),
        "asin" => a.asin(),
        "acos" => a.acos(),
        "atan" => a.atan(),
        "floor" => a.floor(),
        _ => panic!("{name}"),
    }
}

fn two(name: &str, a: f64, b: f64) -> f64 {
    match name {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        "^" => a.powf(b),
        "min" => a.min(b),
        "max" => a.max(b),
        "hypot" => a.hypot(b),
        "atan2" => a.atan2(b),
        "mod" => a - b * (a / b).floor(),
        _ => panic!("{name}"),
    }
}

/// Formulas; those without jumps if so wanted.
fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        4 => (0..3_usize).prop_map(Tree::Variable),
        1 => prop::sample::select(vec![0.0, 1.0, 2.0, 0.5, 0.1, 3.0, 1e-3]).prop_map(Tree::Number),
    ];
    leaf.prop_recursive(5, 24, 2, |inner| {
        let unary = prop::sample::select(vec![
            "-", "abs", "sqrt", "exp", "ln", "sin", "cos", "tan", "asin", "acos", "atan", "floor",
        ]);
        let binary = prop::sample::select(vec![
            "+", "-", "*", "/", "^", "min", "max", "hypot", "atan2", "mod", "+", "-", "*", "min",
            "max",
        ]);
        prop_oneof![
            2 => (unary, inner.clone()).prop_map(|(name, a)| Tree::One(name, Box::new(a))),
            4 => (binary, inner.clone(), inner.clone())
                .prop_map(|(name, a, b)| Tree::Two(name, Box::new(a), Box::new(b))),
            1 => (inner, -3..6_i32).prop_map(|(a, n)| Tree::Power(Box::new(a), n)),
        ]
    })
}

/// A box by its middle and half lengths, from large ones to tiny ones.
fn boxes() -> impl Strategy<Value = (DVec3, DVec3)> {
    (prop::array::uniform3(-2.0..2.0_f64), prop::array::uniform3(-4.0..0.3_f64)).prop_map(
        |(middle, size)| (middle.into(), DVec3::from_array(size.map(|size| 10_f64.powf(size)))),
    )
}

/// Places in `[-1, 1]^3`.
fn places(count: usize) -> impl Strategy<Value = Vec<DVec3>> {
    prop::collection::vec(prop::array::uniform3(-1.0..=1.0_f64).prop_map(DVec3::from), count)
}

/// What rounding of doubles may do in a test: roots of tiny numbers lose half of the digits.
const TOLERANCE: f64 = 1e-6;

fn close(interval: Interval, value: f64) -> bool {
    let room = TOLERANCE * (1.0 + value.abs());
    interval.low <= value + room && interval.high >= value - room
}

/// The formula as a solid; some are constant and positive, and cannot be one.
fn solid(tree: &Tree) -> Option<Expression> {
    match Expression::parse(&tree.text(), None) {
        Ok(solid) => Some(solid),
        Err(SolidError::Empty(_) | SolidError::Undefined(_)) => None,
        Err(error) => panic!("{error}: {}", tree.text()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn intervals_and_slopes_over_a_box_contain_samples(
        tree in trees(), (middle, half) in boxes(), places in places(12),
    ) {
        let Some(solid) = solid(&tree) else { return Ok(()) };
        let corners = [middle - half, middle + half];
        let [over, part] = [solid.value_over(corners), solid.within(corners).value_over(corners)];
        let narrow = solid.within(corners);
        prop_assert!(narrow.operations() <= solid.operations());
        let slopes = solid.gradient_over(corners);
        let start = tree.value(middle);
        for place in places {
            let point = middle + place * half;
            let at = solid.value(point);
            let Some(value) = tree.value(point) else { continue };
            // Intervals that are numbers say that the formula has a value all over the box.
            prop_assert!(at.is_nan() || close(at, value), "{at:?} {value} {}", tree.text());
            prop_assert!(over.is_nan() || close(over, value), "{over:?} {value} {}", tree.text());
            prop_assert!(over.is_nan() || (over.low <= at.high && at.low <= over.high));
            prop_assert!(part.is_nan() || close(part, value));
            let narrowed = narrow.value(point);
            prop_assert!(narrowed.is_nan() == at.is_nan());
            prop_assert!(at.is_nan() || (narrowed.low <= at.high && at.low <= narrowed.high));
            // The mean value: the change from the middle is that of some slope in the box.
            let Some(start) = start else { continue };
            if slopes.iter().any(|slope| slope.is_nan()) {
                continue;
            }
            let to = (point - middle).to_array();
            let change = (0..3).fold(Interval::point(0.0), |sum, axis| {
                sum + slopes[axis] * Interval::point(to[axis])
            });
            let room = TOLERANCE * (1.0 + value.abs().max(start.abs()));
            prop_assert!(
                change.low <= value - start + room && change.high >= value - start - room,
                "{change:?} {} {}", value - start, tree.text()
            );
        }
    }

    #[test]
    fn slopes_at_a_point_are_those_of_differences(tree in trees(), place in places(1)) {
        let Some(solid) = solid(&tree) else { return Ok(()) };
        let (point, step) = (1.5 * place[0], 1e-5);
        let corner = DVec3::splat(1.5 * step);
        let slopes = solid.gradient_over([point - corner, point + corner]);
        for (axis, slopes) in DVec3::AXES.into_iter().zip(slopes) {
            let by = axis * step;
            let [before, after] = [point - by, point + by].map(|place| tree.value(place));
            let (Some(before), Some(after)) = (before, after) else {
                continue;
            };
            let slope = (after - before) / (2.0 * step);
            // Differences lose to rounding what is far smaller than the values.
            let room = 1e-8 * (1.0 + after.abs()) / step;
            let Interval { low, high } = slopes;
            prop_assert!(slopes.is_nan() || (low <= slope + room && high >= slope - room),
                "{slopes:?} {slope} {}", tree.text());
        }
    }

    #[test]
    fn boxes_are_placed_as_their_points_say(
        tree in trees(), (middle, half) in boxes(), turn in prop::array::uniform3(-3.0..3.0_f64),
        bounded in any::<bool>(), places in places(20),
    ) {
        let bounds = bounded.then_some([DVec3::splat(-1.0), DVec3::splat(1.0)]);
        let Ok(solid) = Expression::parse(&tree.text(), bounds) else { return Ok(()) };
        let axes = DMat3::from_quat(DQuat::from_euler(EulerRot::XYZ, turn[0], turn[1], turn[2]));
        let block = Block { center: middle, axes, half };
        let place = solid.place(&block);
        for at in places {
            let point = middle + axes * (at * half);
            let is_cut = bounded && point.abs().max_element() > 1.0;
            let value = tree.value(point);
            match place {
                Place::Inside => prop_assert!(!is_cut && value.is_none_or(|value| value <= TOLERANCE)),
                Place::Outside => prop_assert!(is_cut || value.is_none_or(|value| value > -TOLERANCE)),
                Place::Unsure => {}
            }
        }
    }

    #[test]
    fn distances_are_not_contradicted_by_points(
        tree in trees(), bounded in any::<bool>(), from in places(1), places in places(30),
    ) {
        let bounds = bounded.then_some([DVec3::splat(-1.0), DVec3::splat(1.0)]);
        let Ok(solid) = Expression::parse(&tree.text(), bounds) else { return Ok(()) };
        let from = 1.5 * from[0];
        let gap = solid.distance(from);
        prop_assert!(gap.is_nan() || gap.low <= gap.high, "{gap:?}");
        for (at, size) in places.into_iter().zip((0..).map(|n| 4.0 * 0.7_f64.powi(n))) {
            let point = from + at * size;
            let Some(value) = tree.value(point) else { continue };
            let is_cut = bounded && point.abs().max_element() > 1.0;
            let far = point.distance(from);
            if gap.low > 0.0 && far < gap.low {
                prop_assert!(is_cut || value > -TOLERANCE, "{gap:?} {point} {}", tree.text());
            }
            if gap.high < 0.0 && far < -gap.high {
                prop_assert!(!is_cut && value <= TOLERANCE, "{gap:?} {point} {}", tree.text());
            }
        }
        prop_assert!(solid.normal(from).is_normalized());
    }

    #[test]
    fn nothing_of_a_solid_lies_before_the_entry(
        tree in trees(), ends in places(2), places in prop::collection::vec(0.0..1.0_f64, 30),
    ) {
        let Some(solid) = solid(&tree) else { return Ok(()) };
        let [from, to] = [2.0 * ends[0], 2.0 * ends[1]];
        let entry = solid.entry(from, to, 1e-3);
        if entry == Some(0.0) {
            return Ok(());
        }
        for place in places {
            let time = place * entry.unwrap_or(1.0);
            let value = tree.value(from.lerp(to, time));
            prop_assert!(value.is_none_or(|value| value > -TOLERANCE), "{entry:?} {}", tree.text());
        }
    }

    #[test]
    fn no_text_makes_the_parser_fail_otherwise_than_by_an_error(
        any_text in ".{0,40}",
        like_a_formula in "[-xyz0-9.,+*/^() e]{0,40}",
        words in prop::collection::vec(prop::sample::select(vec![
            "x", "(", ")", "^", "-", "sin(", "min(", ",", "2", "1e", "mod(", "é", "sqrt", " ", "/", "0",
        ]), 0..30),
    ) {
        for text in [any_text, like_a_formula, words.concat()] {
            if let Err(SolidError::Expression(error)) = Expression::parse(&text, None) {
                prop_assert!(text.is_char_boundary(error.byte) && error.column >= 1);
                prop_assert!(!error.marked(&text).is_empty() && !error.to_string().is_empty());
            }
        }
    }

    #[test]
    fn balls_and_tori_have_their_distances(at in places(1), size in -6.0..1.0_f64) {
        let ball = Expression::parse("x^2 + y^2 + z^2 - 1", None).expect("a formula");
        let torus = Expression::parse("(sqrt(x^2 + y^2) - 2)^2 + z^2 - 0.25", None).expect("a formula");
        // Points anywhere, and points next to the surface.
        let near = at[0].normalize_or(DVec3::X) * (1.0 + 10_f64.powf(size));
        for point in [3.0 * at[0], near] {
            let truth = point.length() - 1.0;
            let gap = ball.distance(point);
            prop_assert!(gap.low <= truth + 1e-14 && gap.high >= truth - 1e-14, "{gap:?} {truth}");
            prop_assert!(gap.low > (0.4 * truth).min(4.0 * truth) - 1e-12, "{gap:?} {truth}");
            prop_assert!(gap.high < truth + 0.01 * truth.abs() + 1e-12 || truth < 0.0, "{gap:?} {truth}");
        }
        let point = 4.0 * at[0];
        let truth = (point.truncate().length() - 2.0).hypot(point.z) - 0.5;
        let gap = torus.distance(point);
        prop_assert!(gap.low <= truth + 1e-13 && gap.high >= truth - 1e-13, "{gap:?} {truth}");
    }

    #[test]
    fn a_ball_is_entered_where_a_line_meets_it(at in places(2), digits in 2..12_i32) {
        let precision = 10_f64.powi(-digits);
        let ball = Expression::parse("x^2 + y^2 + z^2 - 1", None).expect("a formula");
        let boxed = Implicit::boxes(
            |[x, y, z]| x.square() + y.square() + z.square() - Interval::point(1.0), None,
        ).expect("a solid");
        let round = Implicit::lipschitz(|p| p.length() - 1.0, [1.0, 1e-15], None).expect("a solid");
        let from = at[0].normalize_or(DVec3::X) * 3.0;
        let to = 2.0 * at[1] - 0.5 * from;
        let along = to - from;
        let (a, b, c) = (along.length_squared(), from.dot(along), from.length_squared() - 1.0);
        let root = b * b - a * c;
        let truth = (root >= 0.0).then(|| (-b - root.sqrt()) / a).filter(|time| *time <= 1.0);
        prop_assume!(root.abs() > 1e-3);
        let solids: [&dyn Solid; 3] = [&ball, &boxed, &round];
        for (number, solid) in solids.into_iter().enumerate() {
            let entry = solid.entry(from, to, precision);
            // A line that passes within the precision may be said to enter.
            prop_assert!(entry.is_some() || truth.is_none(), "{number}");
            let Some(entry) = entry else { continue };
            prop_assert!(truth.is_none_or(|truth| entry <= truth + 1e-12), "{number} {entry}");
            let gap = (from + entry * along).length() - 1.0;
            prop_assert!(gap <= precision + 1e-14, "{number} {gap}");
        }
    }
}

#[test]
fn a_line_that_passes_beyond_the_precision_does_not_enter() {
    let ball = Expression::parse("x^2 + y^2 + z^2 - 1", None).expect("a formula");
    // The same with bounds so wide that pieces as short as the precision decide nothing.
    let wide = |[x, y, z]: [Interval; 3]| {
        let ten = Interval::point(10.0);
        x.square() + y.square() + z.square() - Interval::point(1.0) + ten * (x - x)
    };
    let wide = Implicit::boxes(wide, None).expect("a solid");
    let enters = |solid: &dyn Solid, gap: f64, precision: f64| {
        let [from, to] = [-2.0, 3.0].map(|x| DVec3::new(x, 1.0 + gap, 0.0));
        solid.entry(from, to, precision).is_some()
    };
    for (gap, expected) in [(3.0, false), (1.5, false), (-0.5, true)] {
        for precision in [1e-2, 1e-4, 1e-6, 1e-8] {
            assert_eq!(enters(&ball, gap * precision, precision), expected, "{gap} {precision}");
        }
        for precision in [1e-2, 1e-3] {
            assert_eq!(enters(&wide, gap * precision, precision), expected, "{gap} {precision}");
        }
    }
}

#[test]
fn a_gyroid_places_boxes_as_its_values_say() {
    let text = "sin(x)*cos(y) + sin(y)*cos(z) + sin(z)*cos(x)";
    let gyroid =
        Expression::parse(text, Some([DVec3::splat(-7.0), DVec3::splat(7.0)])).expect("a formula");
    let value = |p: DVec3| p.x.sin() * p.y.cos() + p.y.sin() * p.z.cos() + p.z.sin() * p.x.cos();
    let mut counts = [0, 0, 0];
    for n in 0..1000 {
        let middle = DVec3::new((n % 10) as f64, (n / 10 % 10) as f64, (n / 100) as f64) - 4.5;
        let half = DVec3::splat(0.1);
        let place = gyroid.place(&Block { center: middle, axes: DMat3::IDENTITY, half });
        // The gradient is no longer than 2, so this much is decided by any good bound.
        let is_near = value(middle).abs() < 0.5;
        counts[place as usize] += 1;
        assert!(is_near || place != Place::Unsure, "{middle} {}", value(middle));
        assert!(place != Place::Inside || value(middle) <= 0.0);
        assert!(place != Place::Outside || value(middle) > 0.0);
        let gap = gyroid.distance(middle);
        assert!(gap.radius() < 3.0, "{gap:?}");
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

#[test]
fn a_long_thin_box_beside_a_slanted_plane_is_clear() {
    let plane = Expression::parse("x + y", None).expect("a formula");
    let axes = DMat3::from_rotation_z(std::f64::consts::FRAC_PI_4);
    for (side, expected) in [(1e-3, Place::Outside), (-1e-3, Place::Inside)] {
        let center = DVec3::new(side, side, 0.0);
        let half = DVec3::new(1e-4, 10.0, 1e-4);
        assert_eq!(plane.place(&Block { center, axes, half }), expected);
    }
}

#[test]
fn errors_point_at_the_character() {
    let cases: [(&str, usize, &str); 14] = [
        ("", 1, "found the end"),
        ("x + ", 5, "expected a number, x, y, z"),
        ("2x", 2, "expected an operator (+ - * / ^) or the end, found 'x'"),
        ("x + * y", 5, "found '*'"),
        ("(x + y", 7, "or ')', found the end"),
        ("x + y)", 6, "or the end, found ')'"),
        ("foo(x)", 1, "\"foo\" is not known"),
        ("sin x", 5, "'(' after the name of a function, found 'x'"),
        ("1 + sin(x, y)", 5, "sin takes 1 argument, found 2"),
        ("max(x)", 1, "max takes 2 or more arguments, found 1"),
        ("x + 1e999", 5, "expected a finite number"),
        ("x + .", 5, "expected a finite number"),
        ("é + x", 1, "found 'é'"),
        ("x $ y", 3, "found '$'"),
    ];
    for (text, column, words) in cases {
        let error = match Expression::parse(text, None) {
            Err(SolidError::Expression(error)) => error,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
    let Err(SolidError::Expression(error)) = Expression::parse("x +\n  y §", None) else {
        panic!("not a formula")
    };
    assert_eq!((error.line, error.column, error.byte), (2, 5, 8));
    assert_eq!(error.marked("x +\n  y §"), "  y §\n    ^");
    let found = ParseErrorKind::Unexpected { found: Some('§'), expected: Expected::Operator };
    assert_eq!(error.kind, found);
}

#[test]
fn deep_and_long_texts_are_errors_or_formulas_but_never_too_much() {
    let deep = "(".repeat(50_000) + "x" + &")".repeat(50_000);
    let powers = "x^".repeat(30_000) + "x";
    let calls = "sin(".repeat(10_000) + "x" + &")".repeat(10_000);
    let long = "x".to_owned() + &" + x".repeat(20_000);
    for text in [deep, powers, calls, long, "(".repeat(100_000)] {
        assert!(matches!(Expression::parse(&text, None), Err(SolidError::Expression(_))));
    }
    let signs = "-".repeat(60_000) + "x";
    assert_eq!(Expression::parse(&signs, None).expect("a formula").operations(), 0);
    let sum = "x".to_owned() + &" + y*z".repeat(9_000);
    let solid = Expression::parse(&sum, None).expect("a formula");
    assert!(solid.value(DVec3::splat(1.0)).contains(9_001.0));
}

#[test]
fn operators_bind_as_in_mathematics() {
    let at = DVec3::new(2.0, 3.0, 5.0);
    for (text, value) in [
        ("-x^2", -4.0),
        ("x^y^2", 512.0),
        ("2^-x", 0.25),
        ("z - y - x", 0.0),
        ("z / x / x", 1.25),
        ("x + y * z", 17.0),
        ("-x * -y", 6.0),
        ("length(x, y, sqrt(3))", 4.0),
        ("clamp(z, -1, 1.5)", 1.5),
        ("mod(-x, y)", 1.0),
        ("min(z, x, y) + max(x, z, y)", 7.0),
        ("1.5e1 + 2E-1 + .5 + 1.", 16.7),
        ("x * e - 2e0*e + tau - 2 * pi", 0.0),
        ("(x - 4) ^ 3 + (x - 4)^(-1)", -8.5),
    ] {
        // Minus a value that is above zero is a solid; what is meant is the value.
        let solid =
            Expression::parse(&format!("min({text}, x - 1e9 + 1e9 + 1e6)"), None).expect(text);
        let interval = solid.value(at);
        assert!(interval.contains(value) && interval.radius() < 1e-6, "{text}: {interval:?}");
    }
}

#[test]
fn empty_and_undefined_solids_and_wrong_bounds_are_errors() {
    let bounds = Some([DVec3::splat(-1.0), DVec3::splat(1.0)]);
    let error = |text: &str, bounds| Expression::parse(text, bounds).expect_err(text);
    assert!(matches!(error("x^2 + y^2 + 0.01", bounds), SolidError::Empty(_)));
    assert!(matches!(error("x^2 + 1", None), SolidError::Empty(_)));
    assert!(matches!(error("x - y + 2.1", bounds), SolidError::Empty(_)));
    assert!(matches!(error("sqrt(x - 3)", bounds), SolidError::Undefined(_)));
    assert!(matches!(error("ln(-1)", None), SolidError::Undefined(_)));
    assert!(matches!(error("1/0", None), SolidError::Undefined(_)));
    let swapped = Some([DVec3::ONE, DVec3::NEG_ONE]);
    assert!(matches!(error("x", swapped), SolidError::Number { .. }));
    assert!(matches!(error("x", Some([DVec3::NAN, DVec3::ONE])), SolidError::Number { .. }));
    let half_space = [DVec3::NEG_INFINITY, DVec3::INFINITY.with_z(0.0)];
    let half = Expression::parse("hypot(x, y) - 1", Some(half_space)).expect("a rod without end");
    assert!(half.distance(DVec3::Z * 2.0).contains(2.0));
}

#[test]
fn where_the_formula_has_no_value_the_distance_is_not_a_number() {
    let solid = Expression::parse("sqrt(x) - 1", None).expect("a formula");
    assert!(solid.distance(DVec3::NEG_X).is_nan());
    assert!(solid.distance(DVec3::NAN).is_nan());
    let block = Block { center: DVec3::ZERO, axes: DMat3::IDENTITY, half: DVec3::splat(0.5) };
    assert_eq!(solid.place(&block), Place::Unsure);
}

#[test]
fn functions_need_constants_that_can_be_true() {
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let result = Implicit::lipschitz(|p| p.x, [wrong, 0.0], None);
        assert!(matches!(result, Err(SolidError::Number { .. })), "{wrong}");
    }
    let bounds = Some([DVec3::ZERO, DVec3::ONE]);
    let far = Implicit::lipschitz(|p| p.x + 1.0, [1.0, 0.0], bounds);
    assert!(matches!(far, Err(SolidError::Empty(_))));
    let nowhere = Implicit::lipschitz(|_| f64::NAN, [1.0, 0.0], bounds);
    assert!(matches!(nowhere, Err(SolidError::Undefined(_))));
    let boxed = Implicit::boxes(|[x, _, _]| x - Interval::point(0.5), bounds).expect("a solid");
    assert!(boxed.distance(DVec3::new(0.75, 0.5, 0.5)).contains(0.25));
    assert!(boxed.distance(DVec3::new(0.25, 0.5, 0.5)).contains(-0.25));
}

#[test]
fn what_is_decided_over_a_box_is_left_out_of_the_formula() {
    let text = "min(max(x - 1, abs(y) - 1), hypot(x - 5, y) - 1)";
    let both = Expression::parse(text, None).expect("a formula");
    let near = both.within([DVec3::new(0.5, 0.1, -1.0), DVec3::new(1.5, 0.2, 1.0)]);
    assert_eq!([near.operations(), both.operations()], [1, 8]);
}

#[test]
fn constants_at_the_end_of_a_domain_have_values() {
    for text in
        ["x + asin(1 - 2)", "x + acos(0.5 + 0.5)", "x + sqrt(3 - 2 - 1)", "min(x, asin(0 - 1))"]
    {
        assert!(Expression::parse(text, None).is_ok(), "{text}");
    }
    // A tenth is no double, and nothing is known of what is next to the end.
    assert!(Expression::parse("x + acos(0.1 + 0.9)", None).is_err());
}

#[test]
fn normals_of_slopes_whose_squares_vanish_are_unit_vectors() {
    for size in ["1e-150", "1e-161", "1e-170", "1e150", "1e170"] {
        let text = format!("(3*x + 4*y)*{size}");
        let normal = Expression::parse(&text, None).expect("a formula").normal(DVec3::ONE);
        assert!(normal.distance(DVec3::new(0.6, 0.8, 0.0)) < 1e-12, "{text}: {normal}");
    }
}
