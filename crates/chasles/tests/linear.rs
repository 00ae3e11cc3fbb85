//! Pairs on straight paths: every decision is the one that real arithmetic would make.
//!
//! The long runs: `cargo test --release -p chasles --test linear -- --ignored`

use chasles::deform::{Pair, Touch};
use chasles_testkit::generate::Random;
use chasles_testkit::labelled::linear_files;
use chasles_testkit::linear::{Near, WAYS, can_touch, pair};
use glam::DVec3;

#[test]
fn labelled_queries_are_all_decided_as_labelled() {
    let Some(files) = linear_files() else { return };
    for file in files {
        assert!(file.queries.len() > 10, "{} is nearly empty", file.name);
        let wrong = |decide: fn(&Pair) -> bool| {
            file.queries.iter().filter(|query| decide(&query.pair) != query.touches).count()
        };
        assert_eq!(wrong(Pair::touches), 0, "{}", file.name);
        assert_eq!(wrong(|pair| pair.first().is_some()), 0, "{}, first", file.name);
        assert_eq!(wrong(|pair| !pair.all().is_empty()), 0, "{}, all", file.name);
    }
}

fn paths_agree(count: u64) {
    for way in 0..WAYS {
        let [mut touching, mut exact] = [0, 0];
        for seed in 0..count {
            let (pair, planted) = pair(way, seed);
            let decision = pair.decide();
            touching += u64::from(decision.touches);
            exact += u64::from(decision.exact);
            let expected = pair.touches_exactly();
            assert_eq!(decision.touches, expected, "way {way}, seed {seed}: {pair:?}");
            // Times of pairs in wild units are long numbers, and slow.
            if let Some(time) = planted
                && (way != 9 || seed % 50 == 0)
            {
                let holds = |touch: &Touch| {
                    let last = touch.until.max(touch.bracket[1]);
                    touch.bracket[0] <= time + 1e-15 && time <= last + 1e-15
                };
                let found = pair.all().iter().any(holds);
                assert!(found, "way {way}, seed {seed}: none at {time}: {pair:?}");
            }
        }
        // Neither all nor none, or the test would show little.
        assert!(touching > count / 1000, "way {way}: {touching} of {count} touch");
        assert!(touching < count || [7, 9, 10].contains(&way), "way {way}: all touch");
        assert!(way != 0 || exact < count / 1000, "{exact} everyday pairs of {count} were exact");
    }
}

#[test]
fn the_filter_agrees_with_exact_arithmetic() {
    paths_agree(2_000);
}

#[test]
#[ignore = "a minute; run with --release -- --ignored"]
fn the_filter_agrees_with_exact_arithmetic_on_a_million_pairs() {
    paths_agree(1_000_000 / WAYS as u64 + 1);
}

fn oracle_agrees(count: u64) {
    for way in 0..WAYS {
        for seed in 0..count {
            let (pair, _) = pair(way, 1_000_000 + seed);
            let near = can_touch(pair.kind(), pair.ends());
            let consistent = near == Near::Perhaps || !pair.touches();
            assert!(consistent, "way {way}, seed {seed}: bisection rules a touch out: {pair:?}");
        }
    }
}

#[test]
fn no_touch_is_found_where_bisection_rules_it_out() {
    oracle_agrees(150);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn no_touch_is_found_where_bisection_rules_it_out_often() {
    oracle_agrees(20_000);
}

#[test]
fn nothing_is_missed_where_the_paths_cross_on_a_dense_sample() {
    let mut crossings = 0;
    for seed in 0..2_000 {
        let (pair, _) = pair(0, seed);
        let expected = has_clear_crossing(&pair);
        crossings += u32::from(expected);
        assert!(!expected || pair.touches(), "seed {seed}: a sampled crossing was missed");
    }
    assert!(crossings > 100, "only {crossings} crossings");
}

/// Whether the volume of the four points changes sign between two samples at which the point of
/// crossing is well inside both features.
fn has_clear_crossing(pair: &Pair) -> bool {
    let ends = pair.ends();
    let at = |t: f64| -> [DVec3; 4] { std::array::from_fn(|i| ends[0][i].lerp(ends[1][i], t)) };
    let volume = |[p, q, r, s]: [DVec3; 4]| (q - p).cross(r - p).dot(s - p);
    let inside = |[p, q, r, s]: [DVec3; 4]| {
        let least = match pair.kind() {
            chasles::deform::Kind::VertexTriangle => {
                let n = (r - q).cross(s - q);
                let part = |u: DVec3, w: DVec3| (u - p).cross(w - p).dot(n) / n.length_squared();
                part(q, r).min(part(r, s)).min(part(s, q))
            }
            chasles::deform::Kind::EdgeEdge => {
                let [u, w, from] = [q - p, s - r, r - p];
                let n = u.cross(w);
                let [x, y] = [from.cross(w).dot(n), from.cross(u).dot(n)];
                let [x, y] = [x, y].map(|x| x / n.length_squared());
                x.min(1.0 - x).min(y).min(1.0 - y)
            }
        };
        least > 0.02
    };
    (0..1000).any(|i| {
        let [before, after] = [i, i + 1].map(|i| at(f64::from(i) / 1000.0));
        volume(before) * volume(after) < 0.0 && inside(before) && inside(after)
    })
}

#[test]
fn touches_are_where_and_when_they_say() {
    for way in [0, 2, 3, 5, 7, 10] {
        for seed in 0..400 {
            let (pair, _) = pair(way, seed);
            let all = pair.all();
            let first = pair.first();
            assert_eq!(first.is_some(), !all.is_empty());
            if let (Some(first), Some(exact)) = (first, all.first()) {
                let [from, to] = first.bracket;
                assert!(from <= first.time && first.time <= to);
                assert!(from <= exact.bracket[1] && exact.bracket[0] <= to, "{first:?} {exact:?}");
            }
            for touch in &all {
                assert!(touch.bracket[1] - touch.bracket[0] <= f64::EPSILON);
                assert!((0.0..=1.0).contains(&touch.time) && touch.until >= touch.time);
                for time in [touch.time, touch.until, 0.5 * (touch.time + touch.until)] {
                    let gap = distance(&pair, time) / size(&pair);
                    assert!(gap < 1e-11, "way {way}, seed {seed}: {gap:e} apart at {time}");
                }
                assert!((touch.normal.length() - 1.0).abs() < 1e-12 && touch.normal_speed <= 0.0);
                let apart = between_weighted(&pair, touch) / size(&pair);
                assert!(apart < 1e-9, "way {way}, seed {seed}: weights are {apart:e} apart");
            }
        }
    }
}

/// How far the points of both features that the weights of a touch mean are from each other, or
/// from where the touch says.
fn between_weighted(pair: &Pair, touch: &Touch) -> f64 {
    let ends = pair.ends();
    let weighted = |from: usize, to: usize| -> DVec3 {
        let place = |i: usize| ends[0][i].lerp(ends[1][i], touch.time);
        (from..to).map(|i| touch.weights[i] * place(i)).sum()
    };
    let of_first = match pair.kind() {
        chasles::deform::Kind::VertexTriangle => 1,
        chasles::deform::Kind::EdgeEdge => 2,
    };
    let [first, second] = touch.weights.split_at(of_first).into();
    for weights in [first, second] {
        let sum: f64 = weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-12 && weights.iter().all(|w| *w >= -1e-12), "{weights:?}");
    }
    let points = [weighted(0, of_first), weighted(of_first, 4)];
    points[0].distance(points[1]).max(points[0].distance(touch.point))
}

fn size(pair: &Pair) -> f64 {
    pair.ends().as_flattened().iter().map(|p| p.length()).fold(0.0, f64::max)
}

/// The distance of the two features at a time, rounding included, at most their size.
fn distance(pair: &Pair, time: f64) -> f64 {
    let ends = pair.ends();
    let [p, q, r, s]: [DVec3; 4] = std::array::from_fn(|i| ends[0][i].lerp(ends[1][i], time));
    let still = match pair.kind() {
        chasles::deform::Kind::VertexTriangle => Pair::vertex_triangle([p, q, r, s], [p, q, r, s]),
        chasles::deform::Kind::EdgeEdge => Pair::edge_edge([p, q, r, s], [p, q, r, s]),
    };
    let still = still.expect("the positions are finite");
    // The greatest separation that is not kept, by bisection.
    let [mut low, mut high] = [0.0, size(pair)];
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match still.first_within(middle) {
            Some(_) => high = middle,
            None => low = middle,
        }
    }
    high
}

#[test]
fn a_separation_is_never_passed() {
    let mut reached = 0;
    for seed in 0..600 {
        let (pair, _) = pair(0, seed);
        let separation = 0.05 * (1 + seed % 5) as f64;
        let time = pair.first_within(separation);
        reached += u32::from(time.is_some());
        // Where the features touch they come close before.
        if let Some(touch) = pair.first() {
            assert!(time.is_some_and(|time| time <= touch.time), "seed {seed}");
        }
        for i in 0..=200 {
            let t = f64::from(i) / 200.0;
            if time.is_none_or(|time| t < time) {
                // The distance is found with the same walk, on a pair that does not move.
                assert!(distance(&pair, t) > 0.999 * separation, "seed {seed}, {t}");
            }
        }
    }
    assert!(reached > 50);
}

/// Thin triangles and nearly parallel edges, where weights of closest points are mostly rounding,
/// in units from very small to very large.
#[test]
fn a_separation_holds_for_thin_features_and_at_all_scales() {
    let mut random = Random::new(3);
    for seed in 0..400 {
        let thin = random.one_of(&[0.0, 1e-9, 3e-7, 1e-6, 1e-4]);
        let [x, y] = [random.vector().normalize(), random.vector().normalize()];
        let [u, w] = [x, x.cross(y).normalize()];
        let normal = u.cross(w);
        let from = random.vector();
        let scale = [1.0, 1e-85, 1e-160, 1e80, 1e150][seed % 5];
        let still = if seed % 2 == 0 {
            [from, from + u, from + 0.9 * u + thin * w]
        } else {
            [from - 0.5 * u, from + 0.5 * u + thin * w, from]
        };
        let moving = |height: f64| -> [DVec3; 4] {
            let up = height * normal;
            let all = match seed % 2 {
                0 => [(still[0] + still[1] + still[2]) / 3.0 + up, still[0], still[1], still[2]],
                _ => [from - 0.5 * u + up, from + 0.5 * u + up, still[0], still[1]],
            };
            all.map(|p| p * scale)
        };
        let [start, end] = [moving(1e-3), moving(-1e-3)];
        let pair = match seed % 2 {
            0 => Pair::vertex_triangle(start, end),
            _ => Pair::edge_edge(start, end),
        };
        let time = pair.expect("the positions are finite").first_within(1e-5 * scale);
        // They are so close at 0.495, and pass through each other at 0.5.
        let time = time.expect("they come close");
        assert!(time > 0.49 && time < 0.4951, "seed {seed}: thin {thin:e}, {scale:e}: {time}");
    }
}

#[test]
fn touches_are_finite_at_all_scales() {
    for scale in [1e-160, 1e-85, 1.0, 1e80, 1e160, 1e300] {
        let at = |z: f64| {
            [[0.25, 0.25, z], [0., 0., 0.], [1., 0., 0.], [0., 1., 0.]]
                .map(|p| p.map(|x| x * scale))
        };
        let pair = Pair::vertex_triangle(at(1.0), at(-1.0)).expect("finite");
        let touch = pair.first().expect("they touch");
        assert_eq!((touch.time, touch.weights), (0.5, [1.0, 0.5, 0.25, 0.25]));
        assert!(touch.point.is_finite() && touch.normal == DVec3::Z && touch.normal_speed < 0.0);
        assert!(pair.first_within(0.1 * scale).is_some_and(|time| time > 0.44 && time <= 0.45));
    }
}

#[test]
fn positions_that_are_not_finite_are_refused() {
    let mut ends = [[DVec3::ZERO; 4]; 2];
    ends[1][2].y = f64::NAN;
    let fault = Pair::vertex_triangle(ends[0], ends[1]).expect_err("not a number");
    assert_eq!((fault.vertex, fault.at_end), (2, true));
    assert!(fault.to_string().contains("vertex 2") && fault.to_string().contains("at the end"));
}
