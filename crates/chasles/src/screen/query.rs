//! One part of a step from bodies to contacts.

use glam::{DMat3, DVec3};

use super::options::{Drawing, Grid, Options, ScreenError};
use super::pixels::{self, Active, Faces, Meetings, Reading};
use crate::bounds::Collider;
use crate::motion::Part;
use crate::screen::drawing::body::Body;
use crate::screen::drawing::clusters::Clusters;
use crate::screen::drawing::drawn::Drawn;
use crate::screen::drawing::facing::Facing;
use crate::screen::drawing::front_faces::{Reach, Tiles};
use crate::screen::drawing::pieces::Ink;
use crate::screen::judging::judge::{Entry, Judge, Marks};
use crate::screen::judging::resolve::Found;
use crate::screen::pairs;
use crate::screen::place::axes::Axes;
use crate::screen::place::extent::Extent;
use crate::screen::place::relative::{Ball, Relative};
use crate::screen::rows::band::Band;
use crate::screen::rows::sweep::{Touching, crossings, vertices_in_faces};

/// Memory of a query that is reused by the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    a: Drawn,
    b: Drawn,
    pub(super) entries: Vec<Entry>,
    masks: [Vec<bool>; 2],
    clusters: Clusters,
    pub(super) pixels: Pixels,
}

/// What sweeps over pixels keep.
#[derive(Clone, Debug, Default)]
pub(super) struct Pixels {
    faces: Faces,
    active: Active,
    meetings: Meetings,
}

/// What a query cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Faces of both bodies that were looked at: those in boxes that meet.
    pub faces: usize,
    /// Pixel records of both bodies; their edges, where few faces are not drawn.
    pub records: usize,
    /// Pairs of records, and of vertices and footprints, that were compared; bounds, where few
    /// faces are not drawn.
    pub compared: usize,
    /// How the last part of the step was drawn in which something can meet; `None` if bounds say
    /// that nothing can. Never [`Drawing::Auto`].
    pub drawing: Option<Drawing>,
}

impl Statistics {
    /// Counts what another part of the query cost too.
    pub(super) fn add(&mut self, other: &Self) {
        self.faces += other.faces;
        self.records += other.records;
        self.compared += other.compared;
        self.drawing = other.drawing.or(self.drawing);
    }
}

/// How two bodies are drawn.
pub(super) struct Layout {
    pub(super) band: Band,
    pub(super) drawing: Drawing,
}

/// Faces of both bodies with so many corners, some five hundred quads, are compared pair by pair.
/// Tori of 230 quads that can meet cost two thirds of what drawing them does; prisms of 500 sides,
/// of which all edges cross all, some twice as much.
const FEW_CORNERS: usize = 2048;

/// A turn is rounding if it moves the bodies by less than this part of what the translation does:
/// above the last digits of poses, and below those that times and places of contacts have.
const SLIGHT: f64 = 1e-13;

/// There are no more rows than one for so many faces: fewer rows are fewer records, and comparing
/// the few that share a row costs less than that.
const FACES_PER_ROW: usize = 4;

/// How far a straight piece may depart from the curve of an edge, in pixels. Crossings are then off
/// by at most a pixel, and a contact that is due is clear of others by more; what is found is
/// checked without pixels.
pub(super) const DEPARTURE: f32 = 0.125;

/// In a coarse look what comes so close, in pixels, may meet.
const COARSE_REACH: u32 = 2;

/// Pixels and times of one part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grain {
    pub(super) pixel: f64,
    /// How high rows are, in pixels.
    row_height: f32,
    pub(super) time_resolution: f32,
    /// How long the motion takes for a pixel.
    pub(super) steps_per_pixel: f64,
    /// Collision times that count; a little beyond the step in a coarse look.
    window: [f64; 2],
}

impl Grain {
    /// `speed` is how far the fastest point moves in the step.
    fn new(options: &Options, grid: Grid, speed: f64) -> Self {
        let Grid { pixel, row_height } = grid;
        let per_pixel = pixel / speed;
        let time_resolution = options.sharpness(per_pixel);
        let beyond = if options.robust { per_pixel.min(0.25) } else { 0.0 };
        Self {
            pixel,
            row_height,
            time_resolution,
            steps_per_pixel: per_pixel,
            window: [-beyond, 1.0 + beyond],
        }
    }

    /// Meetings of one pair within this time are one.
    pub(super) fn soon(&self) -> f32 {
        4.0 * self.time_resolution
    }

    /// The window for times from pixels, which are less sharp.
    pub(super) fn wide_window(&self) -> [f32; 2] {
        // Places are good to a part of a pixel, which is a long time where the motion is slow.
        let slack = 2.0 * self.time_resolution.max(self.steps_per_pixel as f32);
        [self.window[0] as f32 - slack, self.window[1] as f32 + slack]
    }
}

/// One part of a step, ready to be drawn.
#[derive(Clone, Debug)]
pub(super) struct Scene<'q> {
    pub(super) bodies: [&'q Collider; 2],
    pub(super) options: Options,
    relative: Relative,
    axes: Axes,
    balls: [Ball; 2],
    pub(super) grain: Grain,
}

impl<'q> Scene<'q> {
    /// `None` if the balls around the bodies, on the screen, never meet.
    pub(super) fn new(
        bodies: [&'q Collider; 2],
        relative: &Relative,
        options: &Options,
        grid: Grid,
    ) -> Option<Self> {
        let balls = relative.balls(bodies);
        let (axes, angles) = Axes::place(relative, &balls, grid.pixel)?;
        let grain = Grain::new(options, grid, axes.fastest_on(&balls[0]));
        // A pixel more covers rounding, and what a coarse look adds.
        let extents = [0, 1].map(|i| {
            let extent = axes.extent(&balls[i], angles[i]);
            extent.map(|e| e.widened(1.0, 0.0))
        });
        let apart = match extents {
            [Some(a), Some(b)] => !a.meets_in(&b, grain.wide_window()),
            _ => false,
        };
        let (options, relative) = (*options, *relative);
        (!apart).then_some(Self { bodies, options, relative, axes, balls, grain })
    }

    pub(super) fn painted(&self) -> [Body<'_>; 2] {
        let [a, b] = self.bodies;
        let Relative { screw, ref turned, offset, .. } = self.relative;
        let axes = &self.axes;
        let of_a = (Facing::new(a, screw, -1.0), axes.frame(&DMat3::IDENTITY, DVec3::ZERO));
        let of_b = (Facing::new(b, self.relative.screw_in_b(), 1.0), axes.frame(turned, offset));
        [
            Body::new(of_a, axes, self.balls[0].radius, axes.theta),
            Body::new(of_b, axes, self.balls[1].radius, 0.0),
        ]
    }

    /// Draws both bodies, or the marked faces of them, where they can meet; how, or `None` if they
    /// cannot.
    fn draw(
        &self,
        painted: &[Body<'_>; 2],
        (drawn, clusters): ([&mut Drawn; 2], &mut Clusters),
        masks: [Option<&[bool]>; 2],
    ) -> Result<Option<Layout>, ScreenError> {
        let [a, b] = drawn;
        let Some(extents) = self.cull(painted, ([a, b], clusters), masks) else {
            return Ok(None);
        };
        let drawing = self.drawing(painted, [&a.tiles, &b.tiles]);
        let band = match drawing {
            Drawing::Pixels => self.band(&extents, None).ok_or(self.too_many())?,
            _ => self.band_of(&extents, [a, b])?,
        };
        let inks = [0, 1].map(|i| self.ink(&painted[i], band));
        let is_full = match drawing {
            Drawing::Pixels => {
                let least = self.options.min_properness;
                a.draw_pixels(&painted[0], &inks[0], least)
                    || b.draw_pixels(&painted[1], &inks[1], least)
            }
            Drawing::Pairs => a.list(&painted[0], &inks[0]) || b.list(&painted[1], &inks[1]),
            _ => a.draw(&painted[0], &inks[0]) || b.draw(&painted[1], &inks[1]),
        };
        if is_full { Err(self.too_many()) } else { Ok(Some(Layout { band, drawing })) }
    }

    /// How two bodies are drawn; never [`Drawing::Auto`].
    fn drawing(&self, painted: &[Body<'_>; 2], tiles: [&Tiles; 2]) -> Drawing {
        // Around the axis things are drawn twice, and faces without an outside may be folded. Near
        // misses are the business of rows.
        let has_outlines =
            |i: usize| painted[i].bend.is_finite() && tiles[i].have_outside(&painted[i]);
        let may_pair = || !self.options.robust && has_outlines(0) && has_outlines(1);
        let corners = || tiles[0].corner_count(&painted[0]) + tiles[1].corner_count(&painted[1]);
        match self.options.drawing {
            Drawing::Pixels => Drawing::Pixels,
            Drawing::Pairs if may_pair() => Drawing::Pairs,
            Drawing::Auto if corners() <= FEW_CORNERS && may_pair() => Drawing::Pairs,
            _ => Drawing::Rows,
        }
    }

    /// What is said where records are too many.
    pub(super) fn too_many(&self) -> ScreenError {
        ScreenError::TooManyRecords { limit: self.options.max_records, pixel: self.grain.pixel }
    }

    /// The rows for what is left of both bodies, which is in these bounds.
    pub(super) fn band_of(
        &self,
        extents: &[Extent; 2],
        [a, b]: [&Drawn; 2],
    ) -> Result<Band, ScreenError> {
        let faces = a.tiles.listed.len() + b.tiles.listed.len();
        self.band(extents, Some(faces)).ok_or(self.too_many())
    }

    /// Leaves out faces that cannot meet the other body; bounds of what is left of each, or `None`
    /// if these do not meet.
    pub(super) fn cull(
        &self,
        painted: &[Body<'_>; 2],
        ([a, b], clusters): ([&mut Drawn; 2], &mut Clusters),
        masks: [Option<&[bool]>; 2],
    ) -> Option<[Extent; 2]> {
        let window = self.grain.wide_window();
        let pad = if self.options.robust { 1.0 } else { 0.0 };
        // A pixel more covers rounding.
        let region = if self.options.hull_first {
            clusters.clear();
            clusters.hulls.collide(painted, window, pad + 1.0)?
        } else {
            Extent::EVERYTHING
        };
        if self.options.boxes_first && Clusters::are_of_use(painted) {
            clusters.collide(painted, (region, window), pad + 1.0);
        } else {
            clusters.take_all(painted);
        }
        let faces = clusters.faces();
        a.tiles.prepare(&painted[0], faces[0], masks[0]);
        let of_b = b.tiles.prepare(&painted[1], faces[1], masks[1]).widened(pad, 0.0);
        let of_b = of_b.shared(&region);
        let reach = |other: Extent, is_a: bool| Reach { other, window, is_a };
        let of_a = a.tiles.cull(&painted[0], &reach(of_b, true)).widened(pad, 0.0);
        let of_a = of_a.shared(&region);
        let left_of_b = b.tiles.cull(&painted[1], &reach(of_a, false)).widened(pad, 0.0);
        let of_a = if left_of_b == of_b {
            of_a
        } else {
            a.tiles.cull(&painted[0], &reach(left_of_b, true)).widened(pad, 0.0)
        };
        of_a.meets_in(&left_of_b, window).then_some([of_a, left_of_b])
    }

    pub(super) fn ink(&self, body: &Body<'_>, band: Band) -> Ink<'_> {
        Ink {
            axes: &self.axes,
            band,
            lanes: body.lanes,
            departure: DEPARTURE,
            time_resolution: self.grain.time_resolution,
            limit: self.options.max_records,
            order: self.options.order,
        }
    }

    /// Has everything judged that shares a pixel.
    pub(super) fn sweep(
        &self,
        painted: &[Body<'_>; 2],
        ([a, b], pixels): ([&mut Drawn; 2], &mut Pixels),
        layout: &Layout,
        judge: &mut Judge<'_>,
    ) -> Statistics {
        let touching = &self.touching(layout.band);
        let drawing = Some(layout.drawing);
        if layout.drawing == Drawing::Pixels {
            let compared = self.sweep_pixels([a, b], pixels, touching, judge);
            return Statistics {
                records: a.pixels.len() + b.pixels.len(),
                compared,
                drawing,
                faces: 0,
            };
        }
        if layout.drawing == Drawing::Pairs {
            // Few curves at a time are never too many records, and pieces need no rows.
            let limit = usize::MAX;
            let band = layout.band.in_one();
            let inks = [0, 1].map(|i| Ink { limit, ..self.ink(&painted[i], band) });
            let compared =
                pairs::vertices_in_faces([a, b], true, [&painted[0], &painted[1]], touching, judge)
                    + pairs::vertices_in_faces(
                        [b, a],
                        false,
                        [&painted[1], &painted[0]],
                        touching,
                        judge,
                    )
                    + pairs::crossings([a, b], &inks, touching, judge);
            let records = a.chords.len() + b.chords.len();
            return Statistics { faces: 0, records, compared, drawing };
        }
        let compared = vertices_in_faces([a, b], true, touching, judge)
            + vertices_in_faces([b, a], false, touching, judge)
            + crossings(a, b, touching, judge);
        let records = a.records.len() + b.records.len();
        Statistics { faces: 0, records, compared, drawing }
    }

    /// Has vertices in faces judged, and keeps what shares a pixel.
    fn sweep_pixels(
        &self,
        [a, b]: [&Drawn; 2],
        pixels: &mut Pixels,
        touching: &Touching,
        judge: &mut Judge<'_>,
    ) -> usize {
        let Pixels { faces, active, meetings } = pixels;
        meetings.clear();
        // A coarse look loses nothing: pixels are half a pixel off, and so are pieces of curves.
        let reach = if self.options.robust { COARSE_REACH } else { 0 };
        let reading = &Reading { touching, reach, order: self.options.order };
        pixels::vertices_in_faces([a, b], true, reading, faces, judge)
            + pixels::vertices_in_faces([b, a], false, reading, faces, judge)
            + pixels::crossings([a, b], reading, active, |runs, times| {
                if judge.marked.is_none() {
                    pixels::keep([a, b], self.bodies, runs, (&times, &self.grain), meetings);
                } else {
                    pixels::mark([a, b], runs, judge);
                }
            })
    }

    /// The rows in which both bodies are: of one pixel, or high ones for so many faces; `None` if
    /// there are too many.
    fn band(&self, [a, b]: &[Extent; 2], faces: Option<usize>) -> Option<Band> {
        // Rows of pixels are half a pixel to either side of whole numbers.
        let half = if faces.is_none() { 0.5 } else { 0.0 };
        let low = (a.low.rho.max(b.low.rho) + half).floor() - half;
        let high = a.high.rho.min(b.high.rho);
        // A row is worth its while if some faces are in it.
        let height = faces.map_or(1.0, |faces| {
            let most = (faces / FACES_PER_ROW).max(1) as f32;
            self.grain.row_height.max((high - low + 1.0) / most)
        });
        let count = ((high - low) / height).floor() + 1.0;
        // Beyond 2^22 pixels singles do not tell them apart. All around the axis heights have no
        // bounds.
        let heights = [a.low.h.max(b.low.h), a.high.h.min(b.high.h)];
        let is_near = |place: f32| place.abs() < 4e6;
        let is_fine = count <= self.options.max_records as f32
            && [low, high].into_iter().all(is_near)
            && heights.into_iter().all(|h| is_near(h) || h.is_infinite());
        let count = count as u32;
        is_fine.then_some(Band { base: low, height, per_height: 1.0 / height, count })
    }

    pub(super) fn judge<'s>(&'s self, entries: &'s mut Vec<Entry>) -> Judge<'s> {
        Judge {
            a: self.bodies[0],
            b: self.bodies[1],
            relative: &self.relative,
            angle: self.axes.theta,
            half_way: self.relative.turned_at(0.5),
            min_properness: self.options.min_properness,
            pixel: self.grain.pixel,
            outside: if self.options.robust { 1.0 } else { 0.5 },
            window: self.grain.window,
            time_resolution: self.grain.time_resolution,
            steps_per_pixel: self.grain.steps_per_pixel,
            entries,
            facing: None,
            marked: None,
        }
    }

    pub(super) fn touching(&self, band: Band) -> Touching {
        let robust = self.options.robust;
        Touching {
            band,
            distance: if robust { 1.0 } else { 0.0 },
            margin: if robust { 1.5 } else { 0.5 },
            window: self.grain.wide_window(),
        }
    }
}

/// The relative screw of one part.
pub(super) fn relative_screw(bodies: [&Collider; 2], part: &Part) -> Relative {
    let relative = Relative::new(part, bodies[0], bodies[1]);
    relative.straightened(&relative.balls(bodies), SLIGHT)
}

/// Finds the contacts of one part, and appends them.
pub(super) fn run(
    bodies: [&Collider; 2],
    part: &Part,
    (options, grid): (&Options, Grid),
    scratch: &mut Scratch,
    found: &mut Vec<Found>,
) -> Result<Statistics, ScreenError> {
    let mut cost = Statistics::default();
    let relative = &relative_screw(bodies, part);
    let masked = options.coarse_first > 1;
    if masked {
        let coarse = Options { robust: true, coarse_first: 1, ..*options };
        let scale = options.coarse_first;
        let pixel = grid.pixel * f64::from(scale);
        let grid = Grid { pixel, row_height: (grid.row_height / scale as f32).max(1.0) };
        let Some(scene) = Scene::new(bodies, relative, &coarse, grid) else { return Ok(cost) };
        let any = look(&scene, scratch, &mut cost)?;
        if !any {
            return Ok(cost);
        }
    }
    let Some(scene) = Scene::new(bodies, relative, options, grid) else { return Ok(cost) };
    let Scratch { a, b, entries, masks, clusters, pixels } = scratch;
    let masks = [0, 1].map(|i| masked.then_some(&masks[i][..]));
    let painted = scene.painted();
    let layout = scene.draw(&painted, ([a, b], clusters), masks)?;
    cost.faces += clusters.face_count();
    let Some(layout) = layout else { return Ok(cost) };
    let mut judge = scene.judge(entries);
    let are_whole = layout.drawing == Drawing::Pairs;
    judge.facing = are_whole.then(|| [painted[0].facing, painted[1].facing]);
    cost.add(&scene.sweep(&painted, ([a, b], pixels), &layout, &mut judge));
    match layout.drawing {
        Drawing::Pixels => judge.settle(pixels.meetings.sorted(scene.grain.soon()), found),
        _ => judge.resolve(found),
    }
    Ok(cost)
}

/// Marks the faces that may meet; whether anything may.
fn look(
    scene: &Scene<'_>,
    scratch: &mut Scratch,
    cost: &mut Statistics,
) -> Result<bool, ScreenError> {
    let Scratch { a, b, entries, masks: [of_a, of_b], clusters, pixels } = scratch;
    for (mask, body) in [&mut *of_a, &mut *of_b].into_iter().zip(scene.bodies) {
        mask.clear();
        mask.resize(body.mesh().face_count(), false);
    }
    let painted = scene.painted();
    let layout = scene.draw(&painted, ([a, b], clusters), [None; 2])?;
    cost.faces += clusters.face_count();
    let Some(layout) = layout else { return Ok(false) };
    let mut judge = scene.judge(entries);
    judge.marked = Some(Marks { faces: [of_a, of_b], any: false });
    cost.add(&scene.sweep(&painted, ([a, b], pixels), &layout, &mut judge));
    Ok(judge.marked.is_some_and(|marks| marks.any))
}
