//! DETERMINE-TOC [TOC, Algorithm 1]: when a point on a path comes to a solid.
//!
//! The path is halved in time, the earliest piece first. A box along the chord of a piece, padded
//! by how far the path may be from it, contains the piece; if the solid misses the box, the point
//! stays clear. A piece that is not clear is halved, until its box is so close to the solid that
//! the point is within the precision when the piece begins: that is the time of contact.
//!
//! ```text
//!        ________________________
//!       |  .·°‾‾‾‾°·.      pad   |     box clear of the solid:   go on with the next piece
//!       |p(a)────────p(b)  chord |     distance + radius <= precision:  contact at a
//!       |________________________|     neither:                  go on with the first half
//! ```
//!
//! So nothing touches before the time that is found, and the precision-tube around the path touches
//! the solid when it is found. Pieces are dyadic, whatever part of the step is searched, so a point
//! is found at the same time in every order of the search.
//!
//! Differs from [TOC, Algorithm 1]: the printed box is not conservative; the queue is ordered, and
//! needs no memory ([`Halving`]); a piece ends the search by a distance rather than by the
//! intersection of its box.

use glam::DVec3;

use super::course::{Arc, Course};
use crate::numeric::Halving;
use crate::solid::{Block, Place, Solid};

/// A point comes to the solid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The piece at whose beginning it is within the precision.
    pub(super) times: [f64; 2],
    /// Whether that is proven; otherwise it may be nearer than bounds could tell apart.
    pub(super) is_certain: bool,
}

/// The value of a solid is not a number at a point of its frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotANumber(pub(super) DVec3);

/// Boxes that a point may be asked about before the rest of its path counts as touching.
const MAX_QUESTIONS: u32 = 1 << 16;

/// A point in touch that leaves for less than this share of a part does not count as having left:
/// what slides along a surface would otherwise be asked for at every precision of its way.
const SLIDE: f64 = 1.0 / 2048.0;

/// Boxes that a cluster may be asked about: more would cost what its points cost.
const MAX_LOOKS: u32 = 1024;

/// A solid and how points move past it.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub(super) solid: &'a dyn Solid,
    pub(super) course: &'a Course,
    pub(super) precision: f64,
}

/// A path under the search, with the ends of the last piece.
struct Walk<'a> {
    search: &'a Search<'a>,
    arc: &'a Arc,
    piece: Halving,
    start: (f64, DVec3),
    /// How much larger boxes are.
    grown: f64,
}

impl<'a> Walk<'a> {
    fn new(search: &'a Search, arc: &'a Arc, grown: f64) -> Self {
        let start = (0.0, search.course.at(arc, 0.0));
        Self { search, arc, piece: Halving::WHOLE, start, grown }
    }

    /// The box around the piece.
    fn block(&mut self) -> Block {
        let [from, to] = self.piece.ends();
        let at = |t| self.search.course.at(self.arc, t);
        if self.start.0 != from {
            self.start = (from, at(from));
        }
        let [p, q] = [self.start.1, at(to)];
        let [center, chord] = [0.5 * (p + q), q - p];
        let length = chord.length();
        let pad = self.search.course.pad(self.arc, to - from, [p, q]) + self.grown;
        let half = DVec3::new(0.5 * length + pad, pad, pad);
        Block { center, axes: Block::axes_along(chord), half }
    }

    /// Goes to the first piece that ends after `from`; false if there is none.
    fn skip_to(&mut self, from: f64) -> bool {
        while self.piece.ends()[0] < from {
            let next = match self.piece.ends()[1] <= from {
                true => self.piece.next(),
                false => self.piece.first_half().or_else(|| self.piece.next()),
            };
            match next {
                Some(piece) => self.piece = piece,
                None => return false,
            }
        }
        true
    }

    /// How much of the part the piece is.
    fn length(&self) -> f64 {
        let [from, to] = self.piece.ends();
        to - from
    }

    fn advance(&mut self) -> bool {
        self.piece.next().map(|next| self.piece = next).is_some()
    }

    fn halve(&mut self) -> bool {
        self.piece.first_half().map(|half| self.piece = half).is_some()
    }
}

impl Search<'_> {
    /// A time before which nothing within `radius` of a point touches the solid, as far as that is
    /// cheaply seen; none if nothing ever does.
    pub(super) fn clear_until(&self, arc: &Arc, radius: f64, from: f64) -> Option<f64> {
        let mut walk = Walk::new(self, arc, radius);
        if !walk.skip_to(from) {
            return None;
        }
        for _ in 0..MAX_LOOKS {
            let block = walk.block();
            if self.solid.place(&block) == Place::Outside {
                if !walk.advance() {
                    return None;
                }
            } else if block.half.x <= 2.0 * block.half.y + self.precision || !walk.halve() {
                // Shorter pieces of the path would not make the box much smaller.
                break;
            }
        }
        Some(walk.piece.ends()[0])
    }

    /// Calls `each` with every entry of a point from a time on and up to another, until it
    /// returns false; returns whether the point is in touch at the end.
    ///
    /// After an entry the point is in touch until a piece of its path is clear again.
    pub(super) fn entries(
        &self,
        arc: &Arc,
        [from, until]: [f64; 2],
        mut is_touching: bool,
        mut each: impl FnMut(Entry) -> bool,
    ) -> Result<bool, NotANumber> {
        let near = self.precision_on(arc) + 2.0 * self.solid.error();
        let mut walk = Walk::new(self, arc, 0.0);
        if !walk.skip_to(from) {
            return Ok(false);
        }
        for _ in 0..MAX_QUESTIONS {
            if walk.piece.ends()[0] > until {
                return Ok(is_touching);
            }
            let block = walk.block();
            let place = self.solid.place(&block);
            let is_settled = if place == Place::Outside {
                is_touching = false;
                true
            } else if is_touching {
                place == Place::Inside || block.radius() <= near || walk.length() <= SLIDE
            } else {
                let is_certain = self.is_near(&block, near)?;
                is_touching = is_certain || walk.piece.first_half().is_none();
                if is_touching && !each(Entry { times: walk.piece.ends(), is_certain }) {
                    return Ok(true);
                }
                is_touching
            };
            if (is_settled || !walk.halve()) && !walk.advance() {
                return Ok(is_touching);
            }
        }
        if !is_touching {
            each(Entry { times: walk.piece.ends(), is_certain: false });
        }
        Ok(true)
    }

    /// The precision, but not below what rounding leaves of a place: a box is never smaller, and
    /// what touches would be taken for what comes and goes.
    fn precision_on(&self, arc: &Arc) -> f64 {
        // A box is padded by the rounding on each side, and so is the distance of its middle.
        self.precision.max(16.0 * arc.rounding)
    }

    /// Whether all of a box is within the precision of the solid.
    fn is_near(&self, block: &Block, near: f64) -> Result<bool, NotANumber> {
        let radius = block.radius();
        if radius > near {
            return Ok(false);
        }
        let distance = self.solid.distance(block.center);
        if distance.is_nan() {
            return Err(NotANumber(block.center));
        }
        Ok(distance.high + radius <= near)
    }

    /// The first entry of a point up to a time, along straight pieces that are no farther from the
    /// path than the precision, by the solid's own answer for segments [TOC, "Variation sans
    /// bounding-boxes"].
    ///
    /// A solid that the path enters by less than the precision may be missed. Before its entry a
    /// point is no deeper than that, and then no farther away than twice that: the piece is off the
    /// path by the precision, and so may be the solid off the piece. An entry is uncertain where
    /// the solid cannot tell that it is that near.
    pub(super) fn first_entry_of_segments(&self, arc: &Arc, until: f64) -> Option<Entry> {
        let whole = self.course.pad(arc, 1.0, [0.0, 1.0].map(|t| self.course.at(arc, t)));
        let precision = self.precision_on(arc);
        let pieces = (whole / precision).sqrt().ceil().clamp(1.0, MAX_PIECES);
        let is_fine = whole <= precision * pieces * pieces;
        let mut from = self.course.at(arc, 0.0);
        for i in 0..pieces as u32 {
            let times = [i, i + 1].map(|k| f64::from(k) / pieces);
            if times[0] > until {
                return None;
            }
            let to = self.course.at(arc, times[1]);
            if let Some(share) = self.solid.entry(from, to, precision) {
                let time = times[0] + (times[1] - times[0]) * share;
                let at = from.lerp(to, share);
                let ahead = precision * (to - from).normalize_or_zero();
                let is_certain = is_fine && self.is_beside([at, at + ahead], precision);
                return Some(Entry { times: [time, times[1]], is_certain });
            }
            from = to;
        }
        None
    }

    /// Whether the first of two points, which are no farther apart than the precision, is proven to
    /// be within twice that of the solid, itself or by the second: next to a surface some solids
    /// know less than within.
    fn is_beside(&self, [at, ahead]: [DVec3; 2], precision: f64) -> bool {
        let near = 2.0 * (precision + self.solid.error());
        let is_within = |point, most| self.solid.distance(point).high <= most;
        is_within(at, near) || is_within(ahead, near - precision)
    }
}

/// Segments of a path at most, as many as boxes; a quarter turn to a billionth of its radius has
/// about twenty thousand. An entry that is found with fewer than the precision needs is uncertain.
const MAX_PIECES: f64 = 65_536.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Motion, Pose, Step};
    use crate::numeric::Interval;
    use crate::path::course::Courses;
    use glam::DQuat;

    /// Numbers that look random: SplitMix64.
    struct Random(u64);

    impl Random {
        fn unit(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        }

        fn vector(&mut self, size: f64) -> DVec3 {
            DVec3::from_array([(); 3].map(|()| size * (2.0 * self.unit() - 1.0)))
        }

        fn pose(&mut self) -> Pose {
            let turn = DQuat::from_scaled_axis(self.vector(3.0));
            Pose::new(self.vector(5.0), turn).expect("finite")
        }

        fn flight(&mut self) -> Motion {
            let spin = self.unit() * self.unit() * 6.0;
            let [linear, angular] = [self.vector(4.0), self.vector(spin)];
            let pivot = if self.unit() < 0.5 { DVec3::ZERO } else { self.vector(2.0) };
            Motion::flight_about(pivot, self.pose(), linear, angular).expect("finite")
        }

        fn motion(&mut self) -> Courses {
            let [a, b] = match self.unit() < 0.5 {
                true => [self.flight(), self.flight()],
                false => [(); 2].map(|()| Motion::between(self.pose(), self.pose())),
            };
            Courses::new(&Step::new(a, b))
        }
    }

    /// Nowhere.
    #[derive(Debug)]
    struct Nothing;

    impl Solid for Nothing {
        fn bounds(&self) -> [DVec3; 2] {
            [DVec3::INFINITY, DVec3::NEG_INFINITY]
        }

        fn distance(&self, _: DVec3) -> Interval {
            Interval::point(f64::INFINITY)
        }

        fn normal(&self, _: DVec3) -> DVec3 {
            DVec3::X
        }
    }

    /// How many of so many random pieces of paths leave their boxes, the paths being those of the
    /// poses of the two bodies.
    fn escapes(arcs: u32) -> u32 {
        let random = &mut Random(7);
        let mut escapes = 0;
        for _ in 0..arcs {
            let (motion, point) = (random.motion(), random.vector(2.0));
            let parts = motion.parts();
            let part = (random.unit() * f64::from(parts)) as u32;
            let course = motion.course(part);
            let search = Search { solid: &Nothing, course: &course, precision: 1.0 };
            let arc = course.arc(point);
            let mut walk = Walk::new(&search, &arc, 0.0);
            let depth = (random.unit() * random.unit() * 12.0) as u32;
            (0..depth).for_each(|_| {
                walk.halve();
                let _ = random.unit() < 0.5 && walk.advance();
            });
            let block = walk.block();
            let [from, to] = walk.piece.ends();
            let is_out = |i: u32| {
                let local = from + (to - from) * f64::from(i) / 8.0;
                let time = (f64::from(part) + local) / f64::from(parts);
                let pose = motion.pose_of_a(time).inverse_after(&motion.pose_of_b(time));
                let off = block.axes.transpose() * (pose.point(point) - block.center);
                // What the poses themselves lose.
                let rounding = 4e-14;
                off.abs().cmpgt(block.half + rounding).any()
            };
            escapes += u32::from((0..=8).any(is_out));
        }
        escapes
    }

    #[test]
    fn no_path_leaves_the_boxes_around_its_chords() {
        assert_eq!(escapes(20_000), 0);
    }

    #[test]
    #[ignore = "takes a while: cargo test --release -p chasles --lib -- --ignored"]
    fn a_million_paths_stay_in_the_boxes_around_their_chords() {
        assert_eq!(escapes(1_000_000), 0);
    }

    #[test]
    fn boxes_shrink_with_the_square_of_their_pieces() {
        let random = &mut Random(3);
        for _ in 0..100 {
            let course = random.motion().course(0);
            let arc = course.arc(random.vector(2.0));
            let pad = |length| course.pad(&arc, length, [course.at(&arc, 0.0); 2]);
            assert!(pad(1.0 / 32.0) < 1.1 * pad(1.0 / 16.0) / 4.0 + 1e-12);
        }
    }
}
