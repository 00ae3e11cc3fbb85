//! Spur gears with involute teeth.

use std::f64::consts::PI;

use super::builder::{Builder, equal_arcs, on_circle};
use super::error::{Check, ShapeError};
#[cfg(feature = "serde")]
use super::error::{LARGEST, SMALLEST};
use crate::mesh::Polygons;
use crate::numeric::Elementary;

/// The pressure angle of nearly all gears made today: 20 degrees.
const PRESSURE_ANGLE: f64 = PI / 9.0;

/// Points on each flank. Five keep the chords within 2 % of a module of the involute.
const FLANK_POINTS: u32 = 5;

/// A spur gear around y with involute teeth of 20 degrees; the first tooth is centred on x.
///
/// Two gears of one module mesh when their axes are `module * (teeth_1 + teeth_2) / 2` apart.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Gear {
    /// How many teeth.
    #[cfg_attr(feature = "serde", schemars(range(min = 4)))]
    pub teeth: u32,
    /// Pitch diameter per tooth: a tooth reaches one module above the pitch circle.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub module: f64,
    /// Length along y.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub thickness: f64,
    /// Radius of the hole along the axis, if there is one.
    #[cfg_attr(feature = "serde", schemars(with = "f64", range(min = SMALLEST, max = LARGEST)))]
    pub bore: Option<f64>,
}

impl Default for Gear {
    /// 20 teeth, module 0.1 (pitch diameter 2), thickness 0.3, no bore.
    fn default() -> Self {
        Self { teeth: 20, module: 0.1, thickness: 0.3, bore: None }
    }
}

impl Gear {
    pub(super) fn polygons(&self) -> Result<Polygons, ShapeError> {
        self.check()?;
        let mut builder = Builder::default();
        let half = self.thickness / 2.0;
        let outline = self.outline();
        let mut ring = |y: f64| {
            builder.vertices(outline.iter().map(|&[radius, turns]| on_circle(radius, turns, y)))
        };
        let [lower, upper] = [ring(-half), ring(half)];
        builder.band(&lower, &upper);
        match self.bore {
            None => {
                builder.cap_up(&upper);
                builder.cap_down(&lower);
            }
            Some(radius) => {
                let [low, high] = [-half, half].map(|y| self.bore_ring(&mut builder, radius, y));
                builder.band(&high, &low);
                let [low, lower, high, upper] =
                    [low, lower, high, upper].map(|ring| equal_arcs(&ring, self.teeth as usize));
                builder.annulus_up(&high, &upper);
                builder.annulus_down(&low, &lower);
            }
        }
        Ok(builder.finish())
    }

    fn check(&self) -> Result<(), ShapeError> {
        let check = Check("gear");
        check.sizes(&[("module", self.module), ("thickness", self.thickness)])?;
        check.count("teeth", self.teeth, 4)?;
        check.faces(f64::from(self.teeth) * f64::from(2 * FLANK_POINTS + 10))?;
        let Some(bore) = self.bore else { return Ok(()) };
        check.size("bore", bore)?;
        let room = self.root_radius() * (PI / f64::from(self.teeth)).cosine();
        check.rule(bore < room, "`bore` must be less than the radius at the root of the teeth")
    }

    fn pitch_radius(&self) -> f64 {
        self.module * f64::from(self.teeth) / 2.0
    }

    fn root_radius(&self) -> f64 {
        self.pitch_radius() - 1.25 * self.module
    }

    /// The outline as radius and turns, tooth by tooth, each from the middle of the gap before it.
    fn outline(&self) -> Vec<[f64; 2]> {
        let base = self.pitch_radius() * PRESSURE_ANGLE.cosine();
        let root = self.root_radius();
        let tip = self.pitch_radius() + self.module;
        let start = root.max(base);
        let step = (tip - start) / f64::from(FLANK_POINTS - 1);
        let mut flank: Vec<[f64; 2]> = Vec::new();
        // The involute ends at the base circle; below it the flank is radial.
        if root < base {
            flank.push([root, self.half_tooth(base)]);
        }
        flank.extend((0..FLANK_POINTS).map(|i| {
            let radius = start + f64::from(i) * step;
            [radius, self.half_tooth(radius)]
        }));
        let teeth = f64::from(self.teeth);
        let tooth = |i: u32| {
            let middle = f64::from(i) / teeth;
            let gap = [root, middle - 0.5 / teeth];
            let rise = flank.iter().map(move |&[radius, half]| [radius, middle - half]);
            let fall = flank.iter().rev().map(move |&[radius, half]| [radius, middle + half]);
            std::iter::once(gap).chain(rise).chain(fall)
        };
        (0..self.teeth).flat_map(tooth).collect()
    }

    /// Half the angle of a tooth at a radius, in turns.
    ///
    /// At the pitch circle tooth and gap are equal, a quarter of `1 / teeth` to each side; from
    /// there the flank turns by the difference of the involute function `tan x - x`.
    fn half_tooth(&self, radius: f64) -> f64 {
        let base = self.pitch_radius() * PRESSURE_ANGLE.cosine();
        let involute = |angle: f64| angle.tangent() - angle;
        let turned = involute(PRESSURE_ANGLE) - involute((base / radius).min(1.0).arccosine());
        0.25 / f64::from(self.teeth) + turned / (2.0 * PI)
    }

    /// The edge of the hole, with a vertex in the middle of each gap.
    fn bore_ring(&self, builder: &mut Builder, radius: f64, y: f64) -> Vec<u32> {
        // At least 24 segments in all, so that a small gear's hole is still round.
        let per_tooth = 24_u32.div_ceil(self.teeth);
        let count = self.teeth * per_tooth;
        let first = -0.5 / f64::from(self.teeth);
        let turns = |i| first + f64::from(i) / f64::from(count);
        builder.vertices((0..count).map(|i| on_circle(radius, turns(i), y)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::Shape;

    #[test]
    fn every_gear_is_closed_with_or_without_a_bore() {
        for teeth in [4, 5, 6, 17, 20, 41, 42, 110, 300] {
            for bore in [None, Some(0.01)] {
                let gear = Gear { teeth, bore, ..Gear::default() };
                let mesh = Shape::Gear(gear).build().unwrap();
                assert!(mesh.is_closed(), "{teeth} teeth, bore {bore:?}");
                let handles = if bore.is_some() { 1 } else { 0 };
                let euler = mesh.vertex_count() as i64 - mesh.edge_count() as i64
                    + mesh.face_count() as i64;
                assert_eq!(euler, 2 - 2 * handles, "{teeth} teeth, bore {bore:?}");
            }
        }
    }

    #[test]
    fn the_outline_turns_steadily_around_the_axis() {
        for teeth in [4, 7, 20, 41, 42, 300] {
            let outline = Gear { teeth, ..Gear::default() }.outline();
            assert!(outline.windows(2).all(|w| w[0][1] <= w[1][1]), "{teeth} teeth");
        }
    }

    #[test]
    fn tooth_and_gap_are_equal_on_the_pitch_circle() {
        let gear = Gear::default();
        assert!((gear.half_tooth(gear.pitch_radius()) - 0.25 / 20.0).abs() < 1e-15);
    }

    #[test]
    fn a_bore_wider_than_the_root_is_refused() {
        let gear = Gear { bore: Some(0.88), ..Gear::default() };
        assert!(matches!(gear.polygons(), Err(ShapeError::Unfit { shape: "gear", .. })));
    }
}
