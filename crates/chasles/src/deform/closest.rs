//! Points of features that are closest to each other, at one instant.

use glam::DVec3;

/// Where on a triangle the point closest to `p` lies: the weights of the second and third corner.
pub(super) fn on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> [f64; 2] {
    let [ab, ac, ap] = [b - a, c - a, p - a];
    let [bb, cc, bc] = [ab.length_squared(), ac.length_squared(), ab.dot(ac)];
    let [bp, cp] = [ab.dot(ap), ac.dot(ap)];
    let area_sq = bb * cc - bc * bc;
    let [v, w] = [cc * bp - bc * cp, bb * cp - bc * bp];
    // Inside, with an area that is more than rounding.
    if v >= 0.0 && w >= 0.0 && v + w <= area_sq && area_sq > 1e-14 * bb * cc {
        return [v / area_sq, w / area_sq];
    }
    let on_side = |from: DVec3, to: DVec3| {
        let x = on_segment(p, from, to);
        (x, p.distance_squared(from.lerp(to, x)))
    };
    let (x, to_ab) = on_side(a, b);
    let (y, to_ac) = on_side(a, c);
    let (z, to_bc) = on_side(b, c);
    if to_ab <= to_ac && to_ab <= to_bc {
        [x, 0.0]
    } else if to_ac <= to_bc {
        [0.0, y]
    } else {
        [1.0 - z, z]
    }
}

/// Where between `from` (0) and `to` (1) the point closest to `p` lies.
pub(super) fn on_segment(p: DVec3, from: DVec3, to: DVec3) -> f64 {
    let along = to - from;
    let length_sq = along.length_squared();
    if length_sq > 0.0 { ((p - from).dot(along) / length_sq).clamp(0.0, 1.0) } else { 0.0 }
}

/// Where on each of two segments the point closest to the other lies, from 0 to 1.
pub(super) fn on_segments([p0, p1]: [DVec3; 2], [r0, r1]: [DVec3; 2]) -> [f64; 2] {
    let [u, w, between] = [p1 - p0, r1 - r0, p0 - r0];
    let [uu, ww, uw] = [u.length_squared(), w.length_squared(), u.dot(w)];
    let [ub, wb] = [u.dot(between), w.dot(between)];
    let across_sq = uu * ww - uw * uw;
    if across_sq > 1e-14 * uu * ww {
        let [x, y] = [(uw * wb - ww * ub) / across_sq, (uu * wb - uw * ub) / across_sq];
        if (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y) {
            return [x, y];
        }
    }
    // Otherwise an end of one of the two is closest.
    let from_p = [p0, p1].map(|p| on_segment(p, r0, r1));
    let from_r = [r0, r1].map(|r| on_segment(r, p0, p1));
    let ends = [[0.0, from_p[0]], [1.0, from_p[1]], [from_r[0], 0.0], [from_r[1], 1.0]];
    let apart = |[x, y]: [f64; 2]| p0.lerp(p1, x).distance_squared(r0.lerp(r1, y));
    let mut best = ends[0];
    for end in &ends[1..] {
        if apart(*end) < apart(best) {
            best = *end;
        }
    }
    best
}
