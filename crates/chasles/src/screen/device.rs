//! For devices: what to draw for each part of a step, and what to make of the pairs that a device finds.
//!
//! A device, as graphics hardware is, takes over what there is most of: the projection of vertices,
//! the drawing of edges, and the search for what shares a pixel. What needs double precision stays
//! here: where the screen stands, which faces turn to the other body, and what a pair comes to.
//!
//! ```text
//!   Plan::new       screens, and for each the curves, faces and points of both bodies
//!     device        projects, draws, sorts, sweeps, in singles
//!   Plan::judge     Candidates -> tested again -> contacts
//! ```
//!
//! *Guarantees.* A candidate is tested as the sweep of the CPU would have tested it, on the same
//! records, before it is judged. So a device may hand on too much, and should where it is not sure;
//! what it hands on needlessly changes no bit of the contacts. If it leaves out nothing, they are those of
//! [`contacts`](super::contacts) with bodies drawn in rows.

use thiserror::Error;

use super::axes::{Axes, Dot, Sector};
use super::band::Band;
use super::body::Body;
use super::clusters::Clusters;
use super::draw::{Ink, Knot, Pen, Stylus};
use super::drawn::{Drawn, Mark};
use super::judge::Judge;
use super::lanes::Spot;
use super::options::{Grid, Options, ScreenError};
use super::query::{Layout, Scene, relative_screw};
use super::rows::Record;
use super::strokes::NONE;
use super::sweep::{Touching, cross, enter};
use super::{Statistics, Workspace};
use crate::bounds::Collider;
use crate::contact::Contact;
use crate::motion::Step;
use crate::numeric::{lower, upper};

use glam::DVec3;

/// The numbers of one screen, in pixels and steps; `docs/screen.md` says how they make places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screen {
    /// One over the distance of the origin from the axis; 0 for a translation.
    pub kappa: f32,
    /// How far the origin goes around.
    pub sigma: f32,
    /// How far everything goes along the axis.
    pub glide: f32,
    /// `rho` where row 0 begins.
    pub base: f32,
    /// How high a row is.
    pub row_height: f32,
    /// How many rows there are.
    pub rows: u32,
    /// Where both bodies may be in `h`, roughly: for the layout of memory only.
    pub heights: [f32; 2],
    /// A line may depart so far from its curve, in pixels.
    pub departure: f32,
    /// And so far in time.
    pub time_resolution: f32,
    /// Vertices this far outside a face are in it.
    pub margin: f32,
    /// Collision times that count: the time of A's feature less that of B's.
    pub window: [f32; 2],
}

/// A range of angles about the axis, and by how much they are shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angles {
    /// Where the range begins.
    pub from: f32,
    /// Where it ends.
    pub to: f32,
    /// By how much its angles are shifted on the screen.
    pub shift: f32,
}

/// A straight part of an edge, or of the border of a part of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Both ends along X, Y and Z, in pixels.
    pub ends: [[f32; 3]; 2],
    /// Whether it is drawn as one line.
    pub is_straight: bool,
    /// Whether it can cross others; if not, it only bounds faces.
    pub is_edge: bool,
    /// The angles in which it is.
    pub angles: Option<Angles>,
}

/// A vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Along X, Y and Z, in pixels.
    pub at: [f32; 3],
    /// The angles in which it is.
    pub angles: Option<Angles>,
}

/// A face, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face<'p> {
    /// The numbers of the curves that bound it.
    pub curves: &'p [u32],
    /// How far times inside may exceed those of its border.
    pub time_pad: f32,
    /// How its times go with the place: linearly from a place (`rho`, `h`, `t`), by so much in `rho` and in `h`;
    /// and by how many pixels the face departs from that. Not finite where it is seen edge-on.
    pub ramp: Option<([f32; 3], [f32; 2], f32)>,
}

/// What may share pixels at the same time, as numbers in the order in which a [`Sheet`] lists things.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// A curve of A and one of B.
    pub edges: Vec<[u32; 2]>,
    /// A point of A and a face of B; a point of B and a face of A.
    pub points: [Vec<[u32; 2]>; 2],
}

impl Candidates {
    /// How many there are. *Cost* constant. *Fails* never.
    pub fn count(&self) -> usize {
        self.edges.len() + self.points[0].len() + self.points[1].len()
    }

    fn sort(&mut self) {
        let [p, q] = &mut self.points;
        for pairs in [&mut self.edges, p, q] {
            // Faces are dearer to draw than points.
            pairs.sort_unstable_by_key(|&[first, second]| [second, first]);
            pairs.dedup();
        }
    }
}

/// Why what a device found cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum DeviceError {
    /// The query itself is at fault.
    #[error(transparent)]
    Screen(#[from] ScreenError),
    /// Candidates must come for every sheet.
    #[error("candidates for {given} sheets: the plan has {needed}")]
    Sheets {
        /// For how many they came.
        given: usize,
        /// How many there are.
        needed: usize,
    },
    /// A number that no curve, point or face has.
    #[error("a candidate of sheet {sheet} names number {number}: there are {count}")]
    NoSuch {
        /// The sheet.
        sheet: usize,
        /// The number.
        number: u32,
        /// How many curves, points or faces there are.
        count: usize,
    },
}

/// What [`Plan::judge`] gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged<'w> {
    /// The contacts, as [`contacts`](super::contacts) gives them.
    pub contacts: &'w [Contact],
    /// How many different candidates there were.
    pub handed_on: usize,
    /// How many of them the sweep of the CPU would have found.
    pub confirmed: usize,
}

/// A step of two bodies, ready to be drawn by a device.
///
/// ```
/// use chasles::screen::{Options, Workspace, device::{Candidates, Plan}};
/// use chasles::{Collider, Motion, Polygons, Polyhedron, Pose, Step};
/// let triangle = Polygons::new([[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]], [[0, 1, 2]]);
/// let point = Polygons::new([[0.2, 0.2, 1.0]], [] as [[u32; 3]; 0]);
/// let [a, b] = [&triangle, &point].map(|p| Collider::new(Polyhedron::new(p).unwrap()));
/// let fall = [Pose::IDENTITY, Pose::from_position([0.0, 0.0, -4.0])?];
/// let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(fall[0], fall[1]));
/// let mut plan = Plan::new([&a, &b], &step, &Options::default())?;
/// let [of_a, of_b] = [0, 1].map(|body| &plan.sheets()[0].bodies[body]);
/// assert_eq!((of_a.curves().len(), of_a.faces().len(), of_b.points().len()), (3, 1, 1));
/// // A device that does not look: everything may meet everything.
/// let mut all = [Candidates { points: [vec![], vec![[0, 0]]], ..Candidates::default() }];
/// let mut workspace = Workspace::new();
/// let judged = plan.judge(&mut all, &mut workspace)?;
/// assert_eq!((judged.contacts.len(), judged.confirmed), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan<'q> {
    colliders: [&'q Collider; 2],
    step: &'q Step,
    options: Options,
    grid: Grid,
    sheets: Vec<Sheet<'q>>,
}

/// One screen of a step, with both bodies on it.
#[derive(Clone, Debug)]
pub struct Sheet<'q> {
    /// What there is of A and of B.
    pub bodies: [Listed; 2],
    part: u32,
    scene: Scene<'q>,
    band: Band,
    screen: Screen,
}

/// What of a body is to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    drawn: Drawn,
    strokes: Vec<Stroke>,
    marks: Vec<(Spot, Mark, Option<Sector>)>,
    borders: Vec<u32>,
    /// Faces, or copies of such, and where their curves are among the borders.
    prints: Vec<(u32, [u32; 2])>,
}

/// A curve as the CPU would draw it.
#[derive(Clone, Copy, Debug)]
struct Stroke {
    sub: u32,
    path: Path,
}

#[derive(Clone, Copy, Debug)]
enum Path {
    Line([Knot<Spot>; 2]),
    Curve([Knot<Spot>; 2]),
    In([(DVec3, Spot); 2], Sector),
}

/// Lists curves instead of drawing them.
struct List<'l> {
    axes: &'l Axes,
    allowed: [f32; 2],
    strokes: &'l mut Vec<Stroke>,
}

impl Stylus for List<'_> {
    fn allowed(&self) -> [f32; 2] {
        self.allowed
    }

    fn line(&mut self, sub: u32, ends: [Knot<Spot>; 2]) {
        self.strokes.push(Stroke { sub, path: Path::Line(ends) });
    }

    fn curve(&mut self, sub: u32, ends: [Knot<Spot>; 2]) {
        self.strokes.push(Stroke { sub, path: Path::Curve(ends) });
    }

    fn curve_in(&mut self, sub: u32, ends: [DVec3; 2], sector: &Sector) {
        let ends = ends.map(|at| (at, self.axes.spot(at)));
        self.strokes.push(Stroke { sub, path: Path::In(ends, *sector) });
    }
}

impl<'q> Plan<'q> {
    /// What a device is to draw for a step.
    ///
    /// *Accepts* any bodies, any step and any options; the order of records and a coarse first look
    /// are of no use to a device, and change nothing. *Guarantees* one sheet for each part of the step in which
    /// bounds of the bodies meet, maybe none. *Cost* linear in the faces in boxes that meet; memory too, and linear in the
    /// faces of both bodies. *Fails* as [`ScreenError`] says.
    pub fn new(
        colliders: [&'q Collider; 2],
        step: &'q Step,
        options: &Options,
    ) -> Result<Self, ScreenError> {
        let grid = options.grid(colliders[0], colliders[1])?;
        let mut plan = Self { colliders, step, options: *options, grid, sheets: Vec::new() };
        let mut clusters = Clusters::default();
        for part in 0..step.parts() {
            plan.sheets.extend(plan.sheet(part, &mut clusters)?);
        }
        Ok(plan)
    }

    fn sheet(&self, part: u32, clusters: &mut Clusters) -> Result<Option<Sheet<'q>>, ScreenError> {
        let relative = relative_screw(self.colliders, &self.step.part(part));
        let crossing = Options { robust: false, ..self.options };
        let scene = Scene::new(self.colliders, &relative, &crossing, self.grid);
        let Some(scene) = scene else { return Ok(None) };
        let [mut a, mut b] = [Listed::default(), Listed::default()];
        let painted = scene.painted();
        let drawn = [&mut a.drawn, &mut b.drawn];
        let Some(extents) = scene.cull(&painted, (drawn, clusters), [None; 2]) else {
            return Ok(None);
        };
        let band = scene.band_of(&extents, [&a.drawn, &b.drawn])?;
        let inks = [0, 1].map(|i| scene.ink(&painted[i], band));
        a.list(&painted[0], &inks[0]);
        b.list(&painted[1], &inks[1]);
        let heights = [a.heights(&inks[0]), b.heights(&inks[1])];
        let screen = Screen::new(&inks, &scene.touching(band), heights);
        Ok(Some(Sheet { bodies: [a, b], part, scene, band, screen }))
    }

    /// The screens on which something may meet. *Cost* constant. *Fails* never.
    pub fn sheets(&self) -> &[Sheet<'q>] {
        &self.sheets
    }

    /// The contacts of the step, from what a device found on each of the sheets.
    ///
    /// *Accepts* candidates in any order, also repeated and needless ones; they are sorted.
    /// *Guarantees* what the [module](self) says. *Cost* linear in the candidates, and in the pieces
    /// in which their curves are drawn. *Fails* as [`DeviceError`] says.
    pub fn judge<'w>(
        &mut self,
        candidates: &mut [Candidates],
        workspace: &'w mut Workspace,
    ) -> Result<Judged<'w>, DeviceError> {
        let [given, needed] = [candidates.len(), self.sheets.len()];
        if given != needed {
            return Err(DeviceError::Sheets { given, needed });
        }
        for (sheet, of_sheet) in candidates.iter_mut().enumerate() {
            let no_such = |(number, count)| DeviceError::NoSuch { sheet, number, count };
            self.sheets[sheet].check(of_sheet).map_err(no_such)?;
            of_sheet.sort();
        }
        let handed_on = candidates.iter().map(Candidates::count).sum();
        let mut confirmed = 0;
        let contacts = self.each_sheet(workspace, |number, sheet, workspace| {
            confirmed += sheet.judge(&candidates[number], workspace);
        })?;
        Ok(Judged { contacts, handed_on, confirmed })
    }

    /// The contacts of the step without a device: drawn and swept here, in rows.
    ///
    /// *Guarantees* the contacts of [`Plan::judge`] with candidates of which none is left out, bit for bit.
    /// *Cost* as [`contacts`](super::contacts). *Fails* as [`ScreenError`] says.
    pub fn sweep<'w>(
        &mut self,
        workspace: &'w mut Workspace,
    ) -> Result<&'w [Contact], ScreenError> {
        let mut is_full = false;
        for sheet in &mut self.sheets {
            is_full |= sheet.draw();
        }
        if let (true, Some(sheet)) = (is_full, self.sheets.first()) {
            return Err(sheet.scene.too_many());
        }
        self.each_sheet(workspace, |_, sheet, workspace| sheet.sweep(workspace))
    }

    /// Has every sheet searched, and gathers the contacts of all parts.
    fn each_sheet<'w>(
        &mut self,
        workspace: &'w mut Workspace,
        mut search: impl FnMut(usize, &mut Sheet<'q>, &mut Workspace),
    ) -> Result<&'w [Contact], ScreenError> {
        workspace.start();
        let mut frames = None;
        let mut sheets = self.sheets.iter_mut().enumerate().peekable();
        for index in 0..self.step.parts() {
            if let Some((number, sheet)) = sheets.next_if(|(_, sheet)| sheet.part == index) {
                search(number, sheet, workspace);
            }
            let part = (self.step, index);
            workspace.end_part(self.colliders, part, (&self.options, self.grid), &mut frames)?;
        }
        Ok(workspace.end(self.step, self.grid))
    }
}

impl<'q> Sheet<'q> {
    /// The numbers of the screen. *Cost* constant. *Fails* never.
    pub fn screen(&self) -> &Screen {
        &self.screen
    }

    /// The first number that is too large, and how many things there are.
    fn check(&self, candidates: &Candidates) -> Result<(), (u32, usize)> {
        let [a, b] = &self.bodies;
        let lists = [
            (&candidates.edges, [a.strokes.len(), b.strokes.len()]),
            (&candidates.points[0], [a.marks.len(), b.prints.len()]),
            (&candidates.points[1], [b.marks.len(), a.prints.len()]),
        ];
        for (pairs, counts) in lists {
            for (number, count) in pairs.iter().flat_map(|pair| pair.iter().copied().zip(counts)) {
                if number as usize >= count {
                    return Err((number, count));
                }
            }
        }
        Ok(())
    }

    /// Tests candidates again and has those judged that pass; returns how many do.
    fn judge(&mut self, candidates: &Candidates, workspace: &mut Workspace) -> usize {
        let Self { bodies: [a, b], scene, band, .. } = self;
        let painted = scene.painted();
        let [of_a, of_b] =
            [0, 1].map(|i| Ink { limit: usize::MAX, ..scene.ink(&painted[i], *band) });
        let touching = &scene.touching(*band);
        let judge = &mut scene.judge(&mut workspace.scratch.entries);
        let [points_of_a, points_of_b] = &candidates.points;
        let confirmed = crossings([(a, &of_a), (b, &of_b)], &candidates.edges, touching, judge)
            + points_in_faces([a, b], (true, &of_b), points_of_a, touching, judge)
            + points_in_faces([b, a], (false, &of_a), points_of_b, touching, judge);
        scene.judge(&mut workspace.scratch.entries).resolve(&mut workspace.found);
        workspace.cost.add(&Statistics { faces: 0, records: 0, compared: candidates.count() });
        confirmed
    }

    /// Draws both bodies as records; whether there are too many.
    fn draw(&mut self) -> bool {
        let painted = self.scene.painted();
        let inks = [0, 1].map(|i| self.scene.ink(&painted[i], self.band));
        let [a, b] = &mut self.bodies;
        a.drawn.draw(&painted[0], &inks[0]) || b.drawn.draw(&painted[1], &inks[1])
    }

    fn sweep(&mut self, workspace: &mut Workspace) {
        let Self { bodies: [a, b], scene, band, .. } = self;
        let painted = scene.painted();
        let layout = Layout { band: *band, by_pairs: false };
        let mut judge = scene.judge(&mut workspace.scratch.entries);
        let drawn = [&mut a.drawn, &mut b.drawn];
        workspace.cost.add(&scene.sweep(&painted, drawn, &layout, &mut judge));
        judge.resolve(&mut workspace.found);
    }
}

impl Screen {
    fn new(
        inks: &[Ink<'_>; 2],
        &Touching { margin, window, band, .. }: &Touching,
        [a, b]: [[f32; 2]; 2],
    ) -> Self {
        let Ink { lanes, departure, time_resolution, .. } = inks[0];
        Self {
            kappa: lanes.kappa,
            sigma: lanes.sigma,
            glide: lanes.glide,
            base: band.base,
            row_height: band.height,
            rows: band.count,
            heights: [upper(a[0], b[0]), lower(a[1], b[1])],
            departure,
            time_resolution,
            margin,
            window,
        }
    }
}

impl Listed {
    /// Everything that is left, as curves, faces and points.
    fn list(&mut self, body: &Body<'_>, ink: &Ink<'_>) {
        let Self { drawn, strokes, .. } = self;
        drawn.tiles.keep_vertices(body);
        drawn.tiles.ramp(body);
        let allowed = [ink.departure, ink.time_resolution];
        let mut list = List { axes: ink.axes, allowed, strokes };
        drawn.strokes.draw(body, &drawn.tiles, &mut list);
        self.list_faces();
        self.list_points(body, ink.band);
    }

    fn list_faces(&mut self) {
        let Self { drawn, strokes, borders, prints, .. } = self;
        let subs = &drawn.strokes.subs;
        let sides = |i: u32| subs[strokes[i as usize].sub as usize].faces.map(|face| (face, i));
        let mut all: Vec<(u32, u32)> = (0..strokes.len() as u32).flat_map(sides).collect();
        all.retain(|&(face, _)| face != NONE);
        all.sort_unstable();
        borders.extend(all.iter().map(|&(_, stroke)| stroke));
        let mut start = 0;
        for of_face in all.chunk_by(|p, q| p.0 == q.0) {
            let end = start + of_face.len() as u32;
            prints.push((of_face[0].0, [start, end]));
            start = end;
        }
    }

    fn list_points(&mut self, body: &Body<'_>, band: Band) {
        let Self { drawn: Drawn { tiles, .. }, marks, .. } = self;
        let mut mark = |vertex: u32, dot: Dot, sector: Option<Sector>| {
            if dot.rho >= band.base && dot.rho <= band.border(band.count) {
                marks.push((tiles.spots[vertex as usize], Mark { dot, vertex }, sector));
            }
        };
        for vertex in tiles.kept_vertices() {
            let Some(sectors) = &body.sectors else {
                mark(vertex, tiles.dots[vertex as usize], None);
                continue;
            };
            let at = body.at(vertex);
            for sector in sectors.places(at) {
                mark(vertex, body.axes.dot_in(at, &sector), Some(sector));
            }
        }
    }

    /// Between which heights the ends of curves are.
    fn heights(&self, ink: &Ink<'_>) -> [f32; 2] {
        let ends = self.strokes.iter().flat_map(|stroke| match stroke.path {
            Path::Line(ends) | Path::Curve(ends) => ends.map(|(_, dot)| dot.h),
            Path::In(ends, sector) => ends.map(|(at, _)| ink.axes.dot_in(at, &sector).h),
        });
        ends.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], h| {
            [lower(low, h), upper(high, h)]
        })
    }

    /// The curves of edges and of borders of faces. *Cost* linear. *Fails* never.
    pub fn curves(&self) -> impl ExactSizeIterator<Item = Curve> {
        self.strokes.iter().map(|stroke| {
            let is_edge = self.edge_of(stroke) != NONE;
            let (ends, is_straight, sector) = match stroke.path {
                Path::Line(ends) => (ends.map(|end| end.0), true, None),
                Path::Curve(ends) => (ends.map(|end| end.0), false, None),
                Path::In(ends, sector) => (ends.map(|end| end.1), false, Some(sector)),
            };
            let angles = sector.map(Angles::of);
            Curve { ends: ends.map(Spot::to_array), is_straight, is_edge, angles }
        })
    }

    /// The faces, and parts of faces around the axis. *Cost* linear. *Fails* never.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = Face<'_>> {
        let count = self.drawn.tiles.tiles.len() as u32;
        self.prints.iter().map(move |&(copy, [start, end])| {
            let tile = &self.drawn.tiles.tiles[(copy % count) as usize];
            let ramp = (copy < count).then(|| {
                let ([rho, h, t], slopes) = tile.ramp.parts();
                ([rho, h, t], slopes, tile.bend)
            });
            let curves = &self.borders[start as usize..end as usize];
            Face { curves, time_pad: tile.time_pad, ramp }
        })
    }

    /// The vertices. *Cost* linear. *Fails* never.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Point> {
        self.marks
            .iter()
            .map(|&(spot, _, sector)| Point { at: spot.to_array(), angles: sector.map(Angles::of) })
    }

    fn edge_of(&self, stroke: &Stroke) -> u32 {
        self.drawn.strokes.subs[stroke.sub as usize].edge
    }

    /// The records that the CPU would draw of some curves.
    fn draw(&self, curves: &[u32], ink: &Ink<'_>, records: &mut Vec<Record>) {
        records.clear();
        let mut pen = Pen::new(ink, records);
        for &curve in curves {
            let Stroke { sub, path } = self.strokes[curve as usize];
            match path {
                Path::Line(ends) => pen.line(sub, ends),
                Path::Curve(ends) => pen.curve(sub, ends),
                Path::In(ends, sector) => pen.curve_in(sub, ends.map(|end| end.0), &sector),
            }
        }
    }

    /// The footprints of a face, one for each row.
    fn footprints(&self, face: u32, ink: &Ink<'_>, records: &mut Vec<Record>) {
        let (copy, [start, end]) = self.prints[face as usize];
        self.draw(&self.borders[start as usize..end as usize], ink, records);
        let faces = self.drawn.tiles.tiles.len();
        let pad = self.drawn.tiles.tiles[copy as usize % faces].time_pad;
        for record in &mut *records {
            let [h, t] = [record.span(), record.times()];
            let dot = |rho: f32, i: usize| Dot { rho, h: h[i], t: t[i] };
            let [from, to] = [dot(record.from.rho, 0), dot(record.to.rho, 1)];
            *record = Record { from, to, sub: copy, row: record.row };
        }
        records.sort_unstable_by_key(|record| record.row);
        records.dedup_by(|next, print| {
            let is_same = next.row == print.row;
            if is_same {
                let [low, high] = [&mut print.from, &mut print.to];
                let [p, q] = [next.from, next.to];
                *low =
                    Dot { rho: lower(low.rho, p.rho), h: lower(low.h, p.h), t: lower(low.t, p.t) };
                *high = Dot {
                    rho: upper(high.rho, q.rho),
                    h: upper(high.h, q.h),
                    t: upper(high.t, q.t),
                };
            }
            is_same
        });
        for print in &mut *records {
            print.from.t -= pad;
            print.to.t += pad;
        }
    }
}

impl Angles {
    fn of(Sector { from, to, shift }: Sector) -> Self {
        Self { from: from as f32, to: to as f32, shift: shift as f32 }
    }
}

/// Tests pairs of curves; returns how many cross.
fn crossings(
    [(a, of_a), (b, of_b)]: [(&Listed, &Ink<'_>); 2],
    pairs: &[[u32; 2]],
    touching: &Touching,
    judge: &mut Judge<'_>,
) -> usize {
    let [mut drawn_a, mut drawn_b] = [Vec::new(), Vec::new()];
    let mut latest = None;
    let mut confirmed = 0;
    for &[p, q] in pairs {
        if latest != Some(q) {
            b.draw(&[q], of_b, &mut drawn_b);
            latest = Some(q);
        }
        a.draw(&[p], of_a, &mut drawn_a);
        let edges = [a.edge_of(&a.strokes[p as usize]), b.edge_of(&b.strokes[q as usize])];
        if edges.contains(&NONE) {
            continue;
        }
        let mut meets = false;
        for record in &drawn_a {
            for other in drawn_b.iter().filter(|other| shares_pixel(record, other, touching)) {
                meets |= cross([record, other], edges, touching, judge);
            }
        }
        confirmed += usize::from(meets);
    }
    confirmed
}

/// Whether the sweep compares a record of A and one of B.
fn shares_pixel(p: &Record, q: &Record, touching: &Touching) -> bool {
    let [[early, late], times] = [p.times(), q.times()];
    let [[low, high], span] = [p.span(), q.span()];
    let [soonest, latest] = touching.window;
    p.row == q.row
        && span[0] <= high
        && span[1] >= low
        && times[0] <= late - soonest
        && times[1] >= early - latest
}

/// Tests points of the first body, A's if `from_a`, in faces of the second; returns how many are in.
fn points_in_faces(
    [marked, bounded]: [&Listed; 2],
    (from_a, ink): (bool, &Ink<'_>),
    pairs: &[[u32; 2]],
    touching: &Touching,
    judge: &mut Judge<'_>,
) -> usize {
    let mut prints = Vec::new();
    let mut latest = None;
    let mut confirmed = 0;
    for &[point, face] in pairs {
        if latest != Some(face) {
            bounded.footprints(face, ink, &mut prints);
            latest = Some(face);
        }
        let (_, mark, _) = &marked.marks[point as usize];
        let mut is_in = false;
        for print in prints.iter().filter(|print| is_over(mark, from_a, print, touching)) {
            is_in |= enter((mark, from_a), (&bounded.drawn, print), touching, judge);
        }
        confirmed += usize::from(is_in);
    }
    confirmed
}

/// Whether the sweep compares a vertex and a footprint.
fn is_over(mark: &Mark, from_a: bool, print: &Record, touching: &Touching) -> bool {
    let Mark { dot, .. } = *mark;
    let &Touching { margin, window: [soonest, latest], band, .. } = touching;
    let times =
        if from_a { [dot.t - latest, dot.t - soonest] } else { [dot.t + soonest, dot.t + latest] };
    band.rows([dot.rho; 2], margin).contains(&print.row)
        && print.from.h <= dot.h + margin
        && print.to.h >= dot.h - margin
        && print.from.t <= times[1]
        && print.to.t >= times[0]
}
