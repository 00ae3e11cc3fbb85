//! Points on the surface of a solid, with a proven cover.
//!
//! A solid tells how far away its surface is, not where. So the box around it is halved until
//! pieces are small, and pieces that the solid proves to be inside or outside are dropped. What is
//! left contains the whole surface, and the middle of each piece is moved onto it:
//!
//! ```text
//!   +-------+        q  middle of a piece, h  half of its diagonal
//!   |   q   |        x  a point of the solid, up to a tolerance
//!   |     . |
//!   +-------x        each point of the surface in the piece is within |q - x| + h of x
//! ```
//!
//! Where points lie closer than a *spacing*, one stands for all. The largest `|q - x| + h` is the
//! cover. It follows from [`Solid::place`] and [`Solid::distance`] alone, so it is as true as the
//! promise of the solid. A piece whose middle does not find the surface counts with the nearest
//! point that others found.

use glam::{DMat3, DVec3};
use rustc_hash::FxHashMap;

use super::samples::SamplesError;
use crate::solid::{Block, Place, Solid};

/// Half of the diagonal of a piece, and the spacing, as parts of the cover that is asked for. The
/// middle of a piece moves by half of a diagonal at most where distances are exact, so that two
/// halves and the spacing are the cover. Smaller pieces are more questions, a smaller spacing more
/// samples.
const PIECE: f64 = 0.2;
const SPACING: f64 = 0.6;

/// Questions about pieces at most: some seconds.
const MAX_QUESTIONS: usize = 1 << 24;

/// Questions where nobody asked for a cover: twice what bodies take whose distances are exact.
const USUAL_QUESTIONS: usize = 1 << 20;

/// Moves of a middle towards the surface: one is enough for a distance, a corner between two
/// solids takes some ten.
const MAX_MOVES: usize = 16;

/// How far outside a point may be, as a part of the size: far above rounding, far below what is
/// seen.
const TOLERANCE: f64 = 1e-9;

/// The cover by default, as a part of the root of the area: some thousand samples, so that a query
/// takes milliseconds, and what is missed is small to the eye.
pub(super) const USUAL_SHARE: f64 = 1.0 / 48.0;

/// What a sample stands for, as a part of the spacing squared: samples that are no closer than the
/// spacing and leave no gap as large as it fill three quarters of a hexagonal grid.
const AREA_OF_SAMPLE: f64 = 1.15;

/// A point of a solid with its outward normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfacePoint {
    pub(super) place: DVec3,
    pub(super) normal: DVec3,
}

/// Points such that no point of the surface is farther than the cover from one.
#[derive(Clone, Debug)]
pub(super) struct Covering {
    pub(super) points: Vec<SurfacePoint>,
    pub(super) cover: f64,
}

impl Covering {
    /// Covers a solid.
    ///
    /// *Accepts* any solid and a positive cover. *Guarantees* the cover that it states, which may
    /// be larger than what is asked for where distances are rough. *Cost* some 100 questions for
    /// each square of the cover on the surface. *Fails* on a solid without end, where it would take
    /// more than some millions of questions, and where the surface cannot be found.
    pub(super) fn new(solid: &dyn Solid, cover: f64) -> Result<Self, SamplesError> {
        Self::within(solid, cover, MAX_QUESTIONS)
    }

    fn within(solid: &dyn Solid, cover: f64, most: usize) -> Result<Self, SamplesError> {
        let [low, high] = finite_bounds(solid)?;
        let size = (high - low).length();
        let largest = low.abs().max(high.abs()).max_element();
        let tolerance = TOLERANCE * size + 64.0 * f64::EPSILON * largest;
        // A little more on every side, so that rounding leaves no surface outside.
        let half = 0.5 * (high - low) + tolerance;
        let radius = PIECE * cover;
        let mut found = Points {
            solid,
            spacing: SPACING * cover,
            list: Vec::new(),
            grid: FxHashMap::default(),
        };
        let (mut lost, mut farthest) = (Vec::new(), 0.0_f64);
        let mut waiting = vec![(0.5 * (low + high), half)];
        let mut questions = 0;
        while let Some((center, half)) = waiting.pop() {
            questions += 1;
            if questions > most || found.list.len() > super::Samples::MAX {
                return Err(SamplesError::Rough { cover });
            }
            let block = Block { center, axes: DMat3::IDENTITY, half };
            if solid.place(&block) != Place::Unsure {
                continue;
            }
            if half.length() > radius {
                waiting.extend(halves(center, half));
                continue;
            }
            match on_surface(solid, center, half.length(), tolerance) {
                Some(place) => {
                    farthest = farthest.max(found.nearest(place, center) + half.length())
                }
                None => lost.push((center, half.length())),
            }
        }
        for (center, radius) in lost {
            let nearest = found.within(center, 3).ok_or(SamplesError::Lost { point: center })?;
            farthest = farthest.max(nearest + radius);
        }
        if found.list.is_empty() {
            return Err(SamplesError::Lost { point: 0.5 * (low + high) });
        }
        // Rounding of places and distances.
        Ok(Self { points: found.list, cover: farthest * (1.0 + 1e-12) + tolerance })
    }

    /// Covers a solid as finely as [`super::Samples::usual_cover`] says of meshes.
    ///
    /// The area is not known before, so it is guessed by that of the bounds, and then by the
    /// samples.
    pub(super) fn usual(solid: &dyn Solid) -> Result<Self, SamplesError> {
        let [low, high] = finite_bounds(solid)?;
        let [x, y, z] = (high - low).to_array();
        let area = 2.0 * (x * y + y * z + z * x);
        let least = (high - low).length() / 16.0;
        let usual = |area: f64| USUAL_SHARE * area.sqrt().max(least);
        let mut cover = usual(area);
        if cover.is_nan() || cover <= 0.0 {
            return Err(SamplesError::Lost { point: low });
        }
        let mut covering = Self::within(solid, cover, USUAL_QUESTIONS)?;
        // A slender body in a wide box: twice is enough for one that fills a thousandth of it.
        for _ in 0..2 {
            let spacing = SPACING * cover;
            let area = AREA_OF_SAMPLE * spacing * spacing * covering.points.len() as f64;
            if usual(area) > 0.75 * cover {
                break;
            }
            cover = usual(area);
            covering = Self::within(solid, cover, USUAL_QUESTIONS)?;
        }
        Ok(covering)
    }
}

fn finite_bounds(solid: &dyn Solid) -> Result<[DVec3; 2], SamplesError> {
    let [low, high] = solid.bounds();
    let is_box = (high - low).is_finite() && low.cmple(high).all();
    if is_box { Ok([low, high]) } else { Err(SamplesError::Unbounded) }
}

/// Both halves of a box, cut across its longest side.
fn halves(center: DVec3, half: DVec3) -> [(DVec3, DVec3); 2] {
    let axis = half.max_position();
    let mut smaller = half;
    smaller[axis] *= 0.5;
    [1.0, -1.0].map(|side| {
        let mut middle = center;
        middle[axis] += side * smaller[axis];
        (middle, smaller)
    })
}

/// A point of the solid near its surface and near `from`; none if distances do not lead there.
///
/// The upper end of the distance is what a move goes by: from outside it reaches the solid or ends
/// in it, and from inside it does not leave it.
fn on_surface(solid: &dyn Solid, from: DVec3, radius: f64, tolerance: f64) -> Option<DVec3> {
    let (mut at, mut found) = (from, None);
    for _ in 0..MAX_MOVES {
        let high = solid.distance(at).high;
        if high <= tolerance {
            found = Some(at);
        }
        // Also where the distance is not a number.
        let goes_on = high.is_finite() && high.abs() > tolerance;
        if !goes_on || at.distance(from) > 4.0 * radius {
            break;
        }
        at -= solid.normal(at) * high;
    }
    found.filter(|place: &DVec3| place.distance(from) <= 4.0 * radius && place.is_finite())
}

/// Points that are found so far, none closer to another than the spacing.
struct Points<'s> {
    solid: &'s dyn Solid,
    spacing: f64,
    list: Vec<SurfacePoint>,
    /// Their numbers, by cells as wide as the spacing.
    grid: FxHashMap<[i64; 3], Vec<u32>>,
}

impl Points<'_> {
    fn cell(&self, place: DVec3) -> [i64; 3] {
        (place / self.spacing).floor().to_array().map(|x| x as i64)
    }

    /// Adds a point unless one is closer than the spacing; how far the one that stands for it is
    /// from `center`.
    fn nearest(&mut self, place: DVec3, center: DVec3) -> f64 {
        let is_near = |point: &DVec3| point.distance(place) < self.spacing;
        let near = self.around(self.cell(place), 1).filter(is_near);
        let nearest = near.map(|point| point.distance(center)).reduce(f64::min);
        nearest.unwrap_or_else(|| {
            let cell = self.cell(place);
            self.grid.entry(cell).or_default().push(self.list.len() as u32);
            self.list.push(SurfacePoint { place, normal: self.solid.normal(place) });
            place.distance(center)
        })
    }

    /// How far the nearest point in some cells around is.
    fn within(&self, center: DVec3, cells: i64) -> Option<f64> {
        let near = self.around(self.cell(center), cells);
        near.map(|point| point.distance(center)).reduce(f64::min)
    }

    fn around(&self, [x, y, z]: [i64; 3], cells: i64) -> impl Iterator<Item = DVec3> + '_ {
        let beside = move |i: i64| i.saturating_sub(cells)..=i.saturating_add(cells);
        let cells = beside(x)
            .flat_map(move |i| beside(y).flat_map(move |j| beside(z).map(move |k| [i, j, k])));
        let numbers = cells.filter_map(|cell| self.grid.get(&cell)).flatten();
        numbers.map(|&number| self.list[number as usize].place)
    }
}
