//! Cones, the slow way: by the triangle that spins around the axis, and by search.

use glam::DVec3;

/// A cone with a round base.
#[derive(Clone, Copy, Debug)]
pub struct Cone {
    /// The middle of the base.
    pub base: DVec3,
    /// The tip.
    pub tip: DVec3,
    /// Of the base.
    pub radius: f64,
}

impl Cone {
    /// The unit vector from the base to the tip.
    pub fn axis(&self) -> DVec3 {
        (self.tip - self.base).normalize()
    }

    /// The signed distance of a point, negative inside.
    pub fn distance(&self, x: DVec3) -> f64 {
        let height = self.base.distance(self.tip);
        let up = (x - self.base).dot(self.axis());
        let out = (x - self.base - up * self.axis()).length();
        // The sides of the triangle that are on the surface: from the middle to the rim and to the
        // tip.
        let corners = [[0.0, 0.0], [self.radius, 0.0], [0.0, height]];
        let off = to_segment([out, up], [corners[0], corners[1]])
            .min(to_segment([out, up], [corners[1], corners[2]]));
        let is_inside = up > 0.0 && out < self.radius * (1.0 - up / height);
        if is_inside { -off } else { off }
    }

    /// How far it reaches along a unit direction.
    pub fn extent(&self, d: DVec3) -> f64 {
        let rim = self.base.dot(d) + self.radius * d.cross(self.axis()).length();
        rim.max(self.tip.dot(d))
    }

    /// The lowest height over a plane, and the point that has it.
    pub fn over_plane(&self, p: DVec3, n: DVec3) -> (f64, DVec3) {
        let out = n - n.dot(self.axis()) * self.axis();
        let on_rim = self.base - self.radius * out.normalize_or_zero();
        let lowest = if n.dot(on_rim) < n.dot(self.tip) { on_rim } else { self.tip };
        (n.dot(lowest - p), lowest)
    }

    /// The point of a line nearest to the cone, or deepest in it, by search: how far along.
    pub fn on_line(&self, p: DVec3, u: DVec3) -> f64 {
        let middle = 0.5 * (self.base + self.tip);
        let foot = (middle - p).dot(u);
        let size = self.radius + self.base.distance(self.tip);
        let reach = 2.0 * size + (p + foot * u).distance(middle);
        let [mut low, mut high] = [foot - reach, foot + reach];
        for _ in 0..90 {
            let [s, t] = [low + (high - low) * 0.381_966, low + (high - low) * 0.618_034];
            if self.distance(p + s * u) < self.distance(p + t * u) {
                high = t;
            } else {
                low = s;
            }
        }
        0.5 * (low + high)
    }

    /// A point of it, by three numbers from 0 to 1; all of them are met.
    pub fn point(&self, [s, t, angle]: [f64; 3]) -> DVec3 {
        let u = self.axis().any_orthonormal_vector();
        let v = self.axis().cross(u);
        let (sin, cos) = (std::f64::consts::TAU * angle).sin_cos();
        self.base.lerp(self.tip, s) + self.radius * (1.0 - s) * t * (cos * u + sin * v)
    }
}

fn to_segment(x: [f64; 2], [p, q]: [[f64; 2]; 2]) -> f64 {
    let way = [q[0] - p[0], q[1] - p[1]];
    let from = [x[0] - p[0], x[1] - p[1]];
    let length_sq = way[0] * way[0] + way[1] * way[1];
    let along = ((from[0] * way[0] + from[1] * way[1]) / length_sq).clamp(0.0, 1.0);
    (from[0] - along * way[0]).hypot(from[1] - along * way[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upright_one_is_as_far_as_the_drawing_board_says() {
        let cone = Cone { base: DVec3::ZERO, tip: DVec3::new(0.0, 0.0, 4.0), radius: 3.0 };
        let at = |x: f64, z: f64| cone.distance(DVec3::new(x, 0.0, z));
        assert!((at(0.0, 6.0) - 2.0).abs() < 1e-15 && (at(1.0, -2.0) - 2.0).abs() < 1e-15);
        assert!((at(6.0, -4.0) - 5.0).abs() < 1e-15 && (at(0.0, 1.0) + 1.0).abs() < 1e-15);
        assert!((at(1.5 + 0.8, 2.0 + 0.6) - 1.0).abs() < 1e-14);
        assert!((cone.extent(DVec3::X) - 3.0).abs() < 1e-15);
        let (height, lowest) = cone.over_plane(DVec3::ZERO, -DVec3::Z);
        assert!((height + 4.0).abs() < 1e-15 && lowest == cone.tip);
    }
}
