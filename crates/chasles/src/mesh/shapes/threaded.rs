//! A hexagonal bolt and the nut that fits it.

use std::f64::consts::PI;

use super::builder::{Builder, arcs, equal_arcs};
use super::error::{Check, ShapeError};
#[cfg(feature = "serde")]
use super::error::{LARGEST, SMALLEST};
use super::thread::Thread;
use crate::mesh::Polygons;
use crate::numeric::Elementary;

/// A bolt along y with a right-handed V thread from `-length / 2` to `length / 2` and a hexagonal
/// head above.
///
/// A crest passes through the x axis, so a [`Nut`] of the same `radius`, `pitch` and `depth` is
/// engaged when both have the same pose. Turning the bolt by an angle while moving it along y by
/// `pitch * angle / 2 pi` moves the thread into itself, up to its facets, which lie inside the
/// ideal thread.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Bolt {
    /// From the axis to the crest of the thread.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub radius: f64,
    /// Advance per turn.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub pitch: f64,
    /// From the crest of the thread to its root.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub depth: f64,
    /// Length of the threaded shaft.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub length: f64,
    /// Faces around the axis, a multiple of 6.
    #[cfg_attr(feature = "serde", schemars(range(min = 6)))]
    pub segments: u32,
    /// Width of the head across its flats.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub head_width: f64,
    /// Height of the head.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub head_height: f64,
}

impl Default for Bolt {
    /// The proportions of a coarse metric screw of diameter 1: radius 0.5, pitch 0.2, depth 0.12,
    /// length 2, 24 segments, a head 1.6 wide and 0.6 high.
    fn default() -> Self {
        Self {
            radius: 0.5,
            pitch: 0.2,
            depth: 0.12,
            length: 2.0,
            segments: 24,
            head_width: 1.6,
            head_height: 0.6,
        }
    }
}

impl Bolt {
    pub(super) fn polygons(&self) -> Result<Polygons, ShapeError> {
        let check = Check("bolt");
        let thread = Thread {
            crest: self.radius,
            depth: self.depth,
            pitch: self.pitch,
            segments: self.segments,
        };
        check.sizes(&[("head_width", self.head_width), ("head_height", self.head_height)])?;
        check_thread(&check, &thread, ("length", self.length))?;
        let fits = self.head_width > 2.0 * self.radius;
        check.rule(fits, "`head_width` must exceed twice the `radius`")?;
        let mut builder = Builder::default();
        let top = self.length / 2.0;
        let shaft = thread.surface(&mut builder, [-top, top], false);
        builder.cap_down(&shaft.lower);
        let [seat, crown] = hexagons(&mut builder, self.head_width, [top, top + self.head_height]);
        builder.annulus_down(&arcs(&shaft.upper, &shaft.sixths), &equal_arcs(&seat, 6));
        builder.band(&seat, &crown);
        builder.cap_up(&crown);
        Ok(builder.finish())
    }
}

/// A hexagonal nut along y with the thread of a [`Bolt`] in its bore.
///
/// The bore's facets lie outside the ideal thread widened by `clearance`, and a bolt's facets
/// inside its own: however the bolt is turned along its thread, the radial gap is `clearance` or
/// more, up to the curvature of the helix within a facet (3 % of the default clearance).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Nut {
    /// The bolt's radius.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub radius: f64,
    /// Advance per turn.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub pitch: f64,
    /// The depth of the bolt's thread.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub depth: f64,
    /// The gap to the bolt, measured along the radius.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub clearance: f64,
    /// Length along y.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub height: f64,
    /// Faces around the axis, a multiple of 6.
    #[cfg_attr(feature = "serde", schemars(range(min = 6)))]
    pub segments: u32,
    /// Width across the flats.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub width: f64,
}

impl Default for Nut {
    /// Fits the default [`Bolt`]: radius 0.5, pitch 0.2, depth 0.12, clearance 0.02, height 0.8, 24
    /// segments, width 1.6.
    fn default() -> Self {
        Self {
            radius: 0.5,
            pitch: 0.2,
            depth: 0.12,
            clearance: 0.02,
            height: 0.8,
            segments: 24,
            width: 1.6,
        }
    }
}

impl Nut {
    pub(super) fn polygons(&self) -> Result<Polygons, ShapeError> {
        let check = Check("nut");
        check.sizes(&[("radius", self.radius), ("depth", self.depth)])?;
        check.sizes(&[("clearance", self.clearance), ("width", self.width)])?;
        let thread = self.thread();
        check_thread(&check, &thread, ("height", self.height))?;
        let fits = self.width > 2.0 * thread.crest;
        check.rule(fits, "`width` must exceed the diameter of the bore")?;
        let mut builder = Builder::default();
        let top = self.height / 2.0;
        let bore = thread.surface(&mut builder, [-top, top], true);
        let [bottom_edge, top_edge] = hexagons(&mut builder, self.width, [-top, top]);
        builder.annulus_up(&arcs(&bore.upper, &bore.sixths), &equal_arcs(&top_edge, 6));
        builder.annulus_down(&arcs(&bore.lower, &bore.sixths), &equal_arcs(&bottom_edge, 6));
        builder.band(&bottom_edge, &top_edge);
        Ok(builder.finish())
    }

    /// The bore's thread: the bolt's, widened by the clearance and by what the facets cut off. A
    /// chord of `1 / segments` turns comes nearer to the axis than its ends by that cosine.
    fn thread(&self) -> Thread {
        let outside = 1.0 / (PI / f64::from(self.segments.max(3))).cosine();
        Thread {
            crest: (self.radius + self.clearance) * outside,
            depth: self.depth * outside,
            pitch: self.pitch,
            segments: self.segments,
        }
    }
}

fn check_thread(
    check: &Check,
    thread: &Thread,
    length: (&'static str, f64),
) -> Result<(), ShapeError> {
    check.sizes(&[("radius", thread.crest), ("pitch", thread.pitch), ("depth", thread.depth)])?;
    check.sizes(&[length])?;
    check.count("segments", thread.segments, 6)?;
    check.rule(thread.segments.is_multiple_of(6), "`segments` must be a multiple of 6")?;
    check.rule(thread.depth < thread.crest, "`depth` must be less than the `radius`")?;
    check.faces(thread.triangles(length.1))
}

/// Two hexagons of a width across flats, with corners on the x axis.
fn hexagons(builder: &mut Builder, width: f64, heights: [f64; 2]) -> [Vec<u32>; 2] {
    heights.map(|y| builder.ring(6, width / 3_f64.sqrt(), y))
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::mesh::Polyhedron;
    use crate::mesh::shapes::Shape;

    fn euler(mesh: &Polyhedron) -> i64 {
        mesh.vertex_count() as i64 - mesh.edge_count() as i64 + mesh.face_count() as i64
    }

    #[test]
    fn bolts_and_nuts_are_closed_for_odd_proportions() {
        for segments in [6, 12, 24, 60] {
            for (pitch, length) in [(0.2, 2.0), (0.3, 1.0), (0.37, 0.21), (5.0, 1.0), (0.05, 0.1)] {
                let bolt = Bolt { pitch, length, segments, ..Bolt::default() };
                let bolt = Shape::Bolt(bolt).build().unwrap();
                assert!(bolt.is_closed(), "bolt {segments} {pitch} {length}");
                assert_eq!(euler(&bolt), 2, "bolt {segments} {pitch} {length}");
                let nut = Nut { pitch, height: length, segments, ..Nut::default() };
                let nut = Shape::Nut(nut).build().unwrap();
                assert!(nut.is_closed(), "nut {segments} {pitch} {length}");
                assert_eq!(euler(&nut), 0, "nut {segments} {pitch} {length}");
            }
        }
    }

    /// Where a ray from the axis at height `y` and an angle first leaves the mesh's wall.
    fn wall_radius(mesh: &Polyhedron, y: f64, direction: DVec3) -> f64 {
        let origin = DVec3::Y * y;
        let hits = (0..mesh.face_count() as u32).filter(|&f| mesh.face(f).len() == 3);
        hits.filter_map(|f| {
            let [a, b, c]: [u32; 3] = mesh.face(f).try_into().unwrap();
            let [a, b, c] = [a, b, c].map(|v| mesh.position(v) - origin);
            let sides = [a.cross(b), b.cross(c), c.cross(a)].map(|n| n.dot(direction));
            let same = sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0);
            let normal = (b - a).cross(c - a);
            let distance = a.dot(normal) / direction.dot(normal);
            (same && distance > 0.0).then_some(distance)
        })
        .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn a_bolt_turned_along_its_thread_stays_clear_of_the_nut() {
        // Lengths at which crests run out between two columns.
        let bolt = Bolt { length: 1.87, ..Bolt::default() };
        let nut = Nut { height: 0.793, ..Nut::default() };
        let clearance = nut.clearance;
        let pitch = bolt.pitch;
        let [bolt, nut] = [Shape::Bolt(bolt), Shape::Nut(nut)].map(|s| s.build().unwrap());
        for turn in [0.0, 0.013, 0.25, 0.5, 0.77] {
            for sample in 0..1500 {
                // Every third sample is where crests and roots run out at an end of the nut.
                let part = f64::from(sample) / 1500.0;
                let y = match sample % 3 {
                    0 => 0.396 - 0.008 * part,
                    1 => -0.396 + 0.008 * part,
                    _ => 0.396 * (2.0 * part - 1.0),
                };
                let angle = f64::from(sample) * 2.399;
                let direction = |angle: f64| DVec3::new(angle.cos(), 0.0, -angle.sin());
                let in_bolt = angle - turn * 2.0 * PI;
                let inner = wall_radius(&bolt, y - pitch * turn, direction(in_bolt));
                let outer = wall_radius(&nut, y, direction(angle));
                assert!(outer.is_finite() && inner.is_finite());
                assert!(outer - inner > 0.95 * clearance, "{inner} {outer} at {turn} {y} {angle}");
                assert!(outer - inner < 1.9 * clearance, "{inner} {outer} at {turn} {y} {angle}");
            }
        }
    }

    #[test]
    fn the_thread_is_right_handed() {
        let thread = Thread { crest: 1.0, depth: 0.1, pitch: 0.4, segments: 24 };
        assert_eq!(thread.radius(0.1, 0.25), 1.0, "a quarter turn up the thread is a crest again");
        assert!(thread.radius(0.1, -0.25) < 0.91, "the other way it is a root");
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let narrow = Bolt { head_width: 0.9, ..Bolt::default() };
        assert!(matches!(narrow.polygons(), Err(ShapeError::Unfit { shape: "bolt", .. })));
        let odd = Nut { segments: 20, ..Nut::default() };
        assert!(matches!(odd.polygons(), Err(ShapeError::Unfit { shape: "nut", .. })));
        let endless = Bolt { length: 1e9, ..Bolt::default() };
        assert!(matches!(endless.polygons(), Err(ShapeError::TooManyFaces { .. })));
    }
}
