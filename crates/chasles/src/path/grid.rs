//! Points of a triangle that leave none of it farther than a cover from them.
//!
//! A triangle of any shape is cut into similar ones whose longest sides are at most √3 times the
//! cover: no point of a triangle is farther from its corners than the longest side over √3,
//! attained in the middle of an equilateral one. That takes points by the square of the longest
//! side, too many for a sliver. There rows along the longest side do with fewer:
//!
//! ```text
//!             p              rows at heights d apart, the lowest along the longest side
//!          .`   `-.          points of a row at most s apart, with its ends
//!        *---*---*---*       d² + (s/2)² <= cover²
//!      .`              `-.
//!    a---*---*---*---*---*--b
//! ```
//!
//! The angles at the longest side are acute. So the foot of a point on the row below it is in that
//! row, at most `d` away, and a point of the row at most `s/2` farther along it.

use glam::DVec3;

/// How the points of a triangle lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// The corners, the longest side first.
    corners: [DVec3; 3],
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Each side is cut into so many pieces.
    Similar { pieces: f64 },
    /// So many rows, of points no farther apart than the spacing.
    Rows { rows: f64, spacing: f64 },
}

impl Grid {
    /// The kind with fewer points.
    pub(super) fn new([a, b, c]: [DVec3; 3], cover: f64) -> Self {
        let turned = [[a, b, c], [b, c, a], [c, a, b]];
        let length = |[p, q, _]: &[DVec3; 3]| p.distance(*q);
        let longest = |x: [DVec3; 3], y| if length(&y) > length(&x) { y } else { x };
        let corners = turned.into_iter().reduce(longest).unwrap_or([a, b, c]);
        let base = length(&corners);
        let pieces = (base / (3.0_f64.sqrt() * cover)).ceil().max(1.0);
        let similar = Self { corners, kind: Kind::Similar { pieces } };
        let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
        let height = if base > 0.0 { area / base } else { 0.0 };
        // Half of the square of the cover for either direction leaves the fewest points.
        let rows = (height * 2.0_f64.sqrt() / cover).ceil().max(1.0);
        let along = cover * cover - (height / rows) * (height / rows);
        let spacing = 2.0 * along.max(0.5 * cover * cover).sqrt();
        let by_rows = Self { corners, kind: Kind::Rows { rows, spacing } };
        if by_rows.count() < similar.count() { by_rows } else { similar }
    }

    /// How many points there are, without the corners, or a few more.
    pub(super) fn count(&self) -> f64 {
        match self.kind {
            Kind::Similar { pieces: n } => 0.5 * (n + 1.0) * (n + 2.0) - 3.0,
            Kind::Rows { rows, spacing } => {
                let base = self.corners[0].distance(self.corners[1]);
                0.5 * (rows + 1.0) * base / spacing + 2.0 * rows
            }
        }
    }

    /// Calls `point` with each of them.
    pub(super) fn each(&self, mut point: impl FnMut(DVec3)) {
        let [a, b, c] = self.corners;
        match self.kind {
            Kind::Similar { pieces } => {
                let n = pieces as u32;
                for i in 0..=n {
                    for j in (0..=n - i).filter(|&j| ![i, j, n - i - j].contains(&n)) {
                        let [u, v] = [i, j].map(|k| f64::from(k) / pieces);
                        point(a + (b - a) * u + (c - a) * v);
                    }
                }
            }
            Kind::Rows { rows, spacing } => {
                for row in 0..rows as u32 {
                    let up = f64::from(row) / rows;
                    let [from, to] = [a, b].map(|end| end.lerp(c, up));
                    let pieces = (from.distance(to) / spacing).ceil().max(1.0);
                    // The ends of the lowest row are vertices.
                    let ends = u32::from(row == 0);
                    for i in ends..=pieces as u32 - ends {
                        point(from.lerp(to, f64::from(i) / pieces));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(triangle: [DVec3; 3], cover: f64) -> Vec<DVec3> {
        let mut points = triangle.to_vec();
        let grid = Grid::new(triangle, cover);
        grid.each(|point| points.push(point));
        assert!(points.len() as f64 - 3.0 <= grid.count(), "more than counted: {triangle:?}");
        points
    }

    #[test]
    fn no_point_of_a_triangle_is_farther_than_the_cover() {
        let mut random = 1_u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 11) as f64 / (1_u64 << 53) as f64
        };
        for case in 0..300 {
            // From fat triangles to slivers.
            let thin = [1.0, 0.3, 0.05, 1e-3][case % 4];
            let triangle = [0, 1, 2].map(|_| DVec3::new(next(), thin * next(), thin * next()));
            let cover = 0.02 + 0.2 * next();
            let points = points(triangle, cover);
            for _ in 0..100 {
                let [s, t] = [next().sqrt(), next()];
                let [a, b, c] = triangle;
                let place = a + (b - a) * s * (1.0 - t) + (c - a) * s * t;
                let nearest = points.iter().map(|p| p.distance(place)).fold(f64::MAX, f64::min);
                assert!(nearest <= cover * (1.0 + 1e-12), "{nearest} > {cover} in {triangle:?}");
            }
        }
    }

    #[test]
    fn slivers_take_points_by_their_length() {
        let sliver = [DVec3::ZERO, DVec3::X, DVec3::new(0.5, 0.01, 0.0)];
        assert!(points(sliver, 0.01).len() < 200);
        let fat = [DVec3::ZERO, DVec3::X, DVec3::new(0.5, 0.8, 0.0)];
        assert!(points(fat, 0.05).len() < 150);
    }
}
