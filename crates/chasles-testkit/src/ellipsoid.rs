//! Ellipsoids, the slow way: by their quadratic form and by search.

use glam::DVec3;

/// An ellipsoid somewhere.
#[derive(Clone, Copy, Debug)]
pub struct Ellipsoid {
    /// The centre.
    pub centre: DVec3,
    /// Unit vectors along the half axes.
    pub axes: [DVec3; 3],
    /// Half of the length along each.
    pub half_axes: [f64; 3],
}

impl Ellipsoid {
    /// By how many times a point is farther out than the surface behind it, less 1; negative
    /// inside. Convex.
    pub fn level(&self, x: DVec3) -> f64 {
        self.square(x).sqrt() - 1.0
    }

    /// The quadratic form that is 1 on the surface.
    fn square(&self, x: DVec3) -> f64 {
        let along = |i: usize| (x - self.centre).dot(self.axes[i]) / self.half_axes[i];
        (0..3).map(|i| along(i) * along(i)).sum()
    }

    /// Roughly the signed distance of a point next to the surface: the level over its slope.
    pub fn distance(&self, x: DVec3) -> f64 {
        let across = |i: usize| {
            let half = self.half_axes[i];
            self.axes[i] * (x - self.centre).dot(self.axes[i]) / (half * half)
        };
        let slope = (0..3).map(across).sum::<DVec3>().length() / self.square(x).sqrt();
        self.level(x) / slope
    }

    /// The lowest level on a line, and how far along it that is, by search.
    pub fn on_line(&self, p: DVec3, u: DVec3) -> (f64, f64) {
        let most = self.half_axes.iter().fold(0.0, |most: f64, half| most.max(*half));
        let foot = (self.centre - p).dot(u);
        let reach = 1.1 * most + f64::EPSILON * foot.abs();
        let [mut low, mut high] = [foot - reach, foot + reach];
        for _ in 0..90 {
            let [s, t] = [low + (high - low) * 0.381_966, low + (high - low) * 0.618_034];
            if self.square(p + s * u) < self.square(p + t * u) {
                high = t;
            } else {
                low = s;
            }
        }
        // The bottom of a parabola is flat: its sides tell where it is.
        let middle = 0.5 * (low + high);
        let side = 0.1 * most;
        let [before, at, after] =
            [-side, 0.0, side].map(|step| self.square(p + (middle + step) * u));
        let along = middle + 0.5 * side * (before - after) / (before + after - 2.0 * at);
        (self.level(p + along * u), along)
    }

    /// The lowest level on a plane, and where that is: the bottom of the form on two directions.
    pub fn on_plane(&self, p: DVec3, n: DVec3) -> (f64, DVec3) {
        let foot = self.centre + n * n.dot(p - self.centre);
        let [u, v] = [n.any_orthonormal_vector(), n.cross(n.any_orthonormal_vector())];
        // Half of the slopes and bends of the form about the foot.
        let part = |w: DVec3, i: usize| w.dot(self.axes[i]) / self.half_axes[i];
        let product = |v: DVec3, w: DVec3| (0..3).map(|i| part(v, i) * part(w, i)).sum::<f64>();
        let y = foot - self.centre;
        let [uu, uv, vv] = [product(u, u), product(u, v), product(v, v)];
        let [ru, rv] = [-product(u, y), -product(v, y)];
        let determinant = uu * vv - uv * uv;
        let lowest = foot
            + u * ((ru * vv - rv * uv) / determinant)
            + v * ((rv * uu - ru * uv) / determinant);
        (self.level(lowest), lowest)
    }

    /// The lowest height over a plane, and the point that has it, by scaling the lowest point of a
    /// plane through which the ellipsoid passes.
    pub fn over_plane(&self, p: DVec3, n: DVec3) -> (f64, DVec3) {
        let least = self.half_axes.iter().fold(f64::INFINITY, |least: f64, half| least.min(*half));
        let through = self.centre - 0.5 * least * n;
        let (level, inside) = self.on_plane(through, n);
        let lowest = self.centre + (inside - self.centre) / (1.0 + level);
        (n.dot(lowest - p), lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upright_one_is_met_where_the_drawing_board_says() {
        let egg = Ellipsoid {
            centre: DVec3::ONE,
            axes: [DVec3::X, DVec3::Y, DVec3::Z],
            half_axes: [3.0, 2.0, 1.0],
        };
        assert!((egg.level(DVec3::new(7.0, 1.0, 1.0)) - 1.0).abs() < 1e-14);
        assert!(egg.distance(DVec3::new(1.0, 3.0, 1.0)).abs() < 1e-14);
        let (height, lowest) = egg.over_plane(DVec3::ZERO, DVec3::Z);
        assert!(height.abs() < 1e-14 && lowest.distance(DVec3::new(1.0, 1.0, 0.0)) < 1e-14);
        let (level, along) = egg.on_line(DVec3::new(-5.0, 1.0, 2.0), DVec3::X);
        assert!(level.abs() < 1e-12 && (along - 6.0).abs() < 1e-12, "{level} {along}");
    }
}
