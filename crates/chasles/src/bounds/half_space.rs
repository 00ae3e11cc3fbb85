//! Whether directions lie in one half-space.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use crate::numeric::Elementary;

/// A direction this little behind a plane is in it: above the rounding of unit vectors.
const BEHIND: f64 = 1e-12;

/// Angles that differ by less than this are equal, and vectors of less than this length have no
/// direction: far above what the rounding of a nearly flat spot amounts to (1e-10), far below any
/// shape that was meant.
const EQUAL: f64 = 1e-6;

/// How often a plane is looked for at most. Each search takes all directions so far, and a handful
/// are enough unless the directions were made for it.
const SEARCHES: usize = 256;

/// A unit vector whose half-space holds all of these unit vectors, or none if there is no such
/// half-space. Where it is a matter of rounding there is one.
///
/// One direction after the other is added [Seidel91]. As long as the normal holds the next one,
/// nothing is to be done. If it does not and some other normal does, then one that has the new
/// direction in its plane does too, since normals that hold a set of directions form a convex cone.
/// That is a search on a circle. The first three directions are as independent as can be, so that
/// no two opposite normals hold them.
///
/// *Cost* about linear, at most 256 times that.
pub(super) fn half_space(mut rays: Vec<DVec3>) -> Option<DVec3> {
    let Some(mut normal) = held_by_three(&mut rays) else { return Some(flat_normal(&rays)) };
    let mut searches = 0;
    for i in 3..rays.len() {
        if rays[i].dot(normal) < -BEHIND {
            searches += 1;
            if searches > SEARCHES {
                break;
            }
            normal = across(rays[i], &rays[..i])?;
        }
    }
    Some(normal)
}

/// Puts three directions that span space first, and gives a normal that holds these; none if all
/// directions lie nearly in a plane.
fn held_by_three(rays: &mut [DVec3]) -> Option<DVec3> {
    for place in 0..3 {
        let spanned = |r: DVec3| match place {
            0 => r.length_squared(),
            1 => rays[0].cross(r).length_squared(),
            _ => rays[0].cross(rays[1]).dot(r).powi(2),
        };
        let by_span = |&i: &usize, &j: &usize| spanned(rays[i]).total_cmp(&spanned(rays[j]));
        let next = (place..rays.len()).max_by(by_span)?;
        if spanned(rays[next]) < EQUAL * EQUAL {
            return None;
        }
        rays.swap(place, next);
    }
    let [p, q, r] = [rays[0], rays[1], rays[2]];
    let normal = (q.cross(r) + r.cross(p) + p.cross(q)) * p.cross(q).dot(r).signum();
    normal.try_normalize()
}

/// The normal of directions that nearly lie in a plane.
fn flat_normal(rays: &[DVec3]) -> DVec3 {
    let first = rays.first().copied().unwrap_or(DVec3::Z);
    let second = rays.get(1).copied().unwrap_or(DVec3::X);
    first.cross(second).try_normalize().unwrap_or_else(|| first.any_orthonormal_vector())
}

/// A unit vector perpendicular to `axis` whose half-space holds all these directions: seen along
/// the axis, they must fit into half a turn.
fn across(axis: DVec3, rays: &[DVec3]) -> Option<DVec3> {
    let (x, y) = axis.any_orthonormal_pair();
    let flat = rays.iter().map(|r| [r.dot(x), r.dot(y)]);
    let angles: Vec<f64> =
        flat.filter(|[u, v]| u.hypotenuse(*v) > EQUAL).map(|[u, v]| v.arctangent_over(u)).collect();
    let first = *angles.first()?;
    let mut range = [first; 2];
    // What is opposite to the first may go either way round, until others tell which.
    let mut is_open = false;
    for _ in 0..2 {
        is_open = false;
        for &angle in &angles {
            match extended(range, angle) {
                Some(wider) if wider[1] - wider[0] > PI + EQUAL => return None,
                Some(wider) => range = wider,
                None => is_open = true,
            }
        }
        if !is_open {
            break;
        }
    }
    let middle = 0.5 * (range[0] + range[1]);
    let middle = if is_open { middle + 0.5 * PI } else { middle };
    Some(middle.cosine() * x + middle.sine() * y)
}

/// The smallest range of angles that also holds `angle`; none if it is as small either way round.
fn extended([low, high]: [f64; 2], angle: f64) -> Option<[f64; 2]> {
    let above = low + (angle - low).rem_euclid(TAU);
    if above <= high {
        return Some([low, high]);
    }
    let below = above - TAU;
    let [up, down] = [above - low, high - below];
    if (up - down).abs() <= EQUAL && high - low <= EQUAL {
        return None;
    }
    Some(if up < down { [low, above] } else { [below, high] })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(rays: &[[f64; 3]]) -> bool {
        let rays: Vec<DVec3> = rays.iter().map(|&r| DVec3::from(r).normalize()).collect();
        let normal = half_space(rays.clone());
        assert!(normal.is_none_or(|n| rays.iter().all(|r| r.dot(n) > -1e-5)), "{normal:?}");
        normal.is_some()
    }

    #[test]
    fn a_half_space_is_found_where_there_is_one() {
        assert!(held(&[[1., 0., 1.], [-1., 1., 1.], [-1., -1., 1.]]));
        // A plane all around, and something on one side of it or on the other.
        let plane = [[1., 0., 0.], [0., 1., 0.], [-1., 0., 0.], [0., -1., 0.]];
        assert!(held(&plane));
        for up in [1.0, -1.0] {
            let mut rays = plane.to_vec();
            rays.extend([[0.3, 0.2, up], [-0.5, 0.1, up]]);
            assert!(held(&rays));
            rays.push([0.0, 0.1, -up]);
            assert!(!held(&rays));
        }
        assert!(!held(&[[1., 0., 1.], [-1., 0., 1.], [0., 1., -1.], [0., -1., -1.]]));
        assert!(!held(&[[1., 0., 0.], [-1., 1., 1.], [-1., -1., 1.], [-1., 0., -1.]]));
    }

    /// Compares with all planes through two directions.
    #[test]
    fn it_agrees_with_a_search_of_all_planes() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as f64 / f64::from(1 << 30) - 1.0
        };
        let mut counts = [0; 2];
        for case in 0..2000 {
            let count = 3 + case % 7;
            let lift = random();
            let rays: Vec<DVec3> = (0..count)
                .map(|_| DVec3::new(random(), random(), random() + lift).normalize())
                .collect();
            let holds = |n: DVec3| rays.iter().all(|r| r.dot(n) >= -1e-9);
            let pairs = (0..count).flat_map(|i| (0..i).map(move |j| (i, j)));
            let normals = pairs.flat_map(|(i, j)| {
                let n = rays[i].cross(rays[j]).normalize();
                [n, -n]
            });
            let expected = { normals }.any(holds);
            assert_eq!(half_space(rays.clone()).is_some(), expected, "{rays:?}");
            counts[usize::from(expected)] += 1;
        }
        assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
    }
}
