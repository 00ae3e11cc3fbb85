//! Where a point of a face's plane lies in the face, and where two lines meet on their segments.

use glam::DVec3;

/// Where a point of the plane of a polygon lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    Outside,
    Inside,
    /// On the edge from this corner to the next.
    Edge(usize),
    Corner(usize),
}

/// Locates `point` in a simple polygon, within `tolerance` of its border counting as on it.
///
/// Counts how often the border winds round the point, in the coordinate plane that the polygon
/// faces most; half-open comparisons make every crossing count once.
#[inline]
pub(crate) fn in_polygon(
    point: DVec3,
    normal: DVec3,
    corner: impl Fn(usize) -> DVec3,
    count: usize,
    tolerance: f64,
) -> Place {
    let n = normal.abs();
    if n.x >= n.y && n.x >= n.z {
        in_flat_polygon(point, |v| [v.y, v.z], corner, count, tolerance)
    } else if n.y >= n.z {
        in_flat_polygon(point, |v| [v.z, v.x], corner, count, tolerance)
    } else {
        in_flat_polygon(point, |v| [v.x, v.y], corner, count, tolerance)
    }
}

fn in_flat_polygon(
    point: DVec3,
    flat: impl Fn(DVec3) -> [f64; 2],
    corner: impl Fn(usize) -> DVec3,
    count: usize,
    tolerance: f64,
) -> Place {
    let mut winding = 0;
    let mut p = flat(corner(count - 1) - point);
    for i in 0..count {
        let q = flat(corner(i) - point);
        let side = p[0] * q[1] - p[1] * q[0];
        // The flat distance is the smaller one, so only near borders are looked at again.
        if side.abs() <= tolerance * ((q[0] - p[0]).abs() + (q[1] - p[1]).abs()) {
            let from = (i + count - 1) % count;
            match on_segment(point, corner(from), corner(i), tolerance) {
                OnSegment::Off => {}
                OnSegment::Between => return Place::Edge(from),
                OnSegment::First => return Place::Corner(from),
                OnSegment::Second => return Place::Corner(i),
            }
        }
        let [up, down] = [(p[1] <= 0.0) & (q[1] > 0.0), (p[1] > 0.0) & (q[1] <= 0.0)];
        winding += i32::from(up & (side > 0.0)) - i32::from(down & (side < 0.0));
        p = q;
    }
    if winding == 0 { Place::Outside } else { Place::Inside }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OnSegment {
    Off,
    First,
    Between,
    Second,
}

/// Whether `x` is within `tolerance` of the segment, and of which part.
#[cold]
fn on_segment(x: DVec3, p: DVec3, q: DVec3, tolerance: f64) -> OnSegment {
    let length = p.distance(q);
    let direction = (q - p).normalize_or_zero();
    let from = (x - p).dot(direction).clamp(0.0, length);
    if x.distance(p + from * direction) > tolerance {
        OnSegment::Off
    } else {
        on_length(from, length, tolerance)
    }
}

/// Which part of a segment of this length is this far from its first end.
pub(crate) fn on_length(from: f64, length: f64, tolerance: f64) -> OnSegment {
    let to = length - from;
    if from < -tolerance || to < -tolerance {
        OnSegment::Off
    } else if from <= tolerance && from <= to {
        OnSegment::First
    } else if to <= tolerance {
        OnSegment::Second
    } else {
        OnSegment::Between
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An L in the plane x = 2, with its reflex corner at (1, 1).
    const L: [[f64; 2]; 6] = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];

    fn locate(y: f64, z: f64) -> Place {
        let corner = |i: usize| DVec3::new(2.0, L[i][0], L[i][1]);
        in_polygon(DVec3::new(2.0, y, z), DVec3::X, corner, 6, 1e-9)
    }

    #[test]
    fn a_concave_polygon_is_located_everywhere() {
        assert_eq!(locate(0.5, 0.5), Place::Inside);
        assert_eq!(locate(0.5, 1.0), Place::Inside);
        assert_eq!(locate(1.5, 1.5), Place::Outside);
        assert_eq!(locate(3.0, 1.0), Place::Outside);
        assert_eq!(locate(1.0, 0.0), Place::Edge(0));
        assert_eq!(locate(1.0, 1.5), Place::Edge(3));
        assert_eq!(locate(1.0, 1.0), Place::Corner(3));
        assert_eq!(locate(0.0, 2.0), Place::Corner(5));
        assert_eq!(locate(1.0 + 1e-8, 1.5), Place::Outside);
        assert_eq!(locate(1.0 + 1e-10, 1.5), Place::Edge(3));
    }
}
