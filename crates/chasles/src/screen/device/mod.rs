//! For devices: what to draw for each part of a step, and what to make of the pairs that a device
//! finds.
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
//! what it hands on needlessly changes no bit of the contacts. If it leaves out nothing, they are
//! those of [`contacts`](super::contacts) with bodies drawn in rows.

mod again;
mod listed;

use thiserror::Error;

use super::options::{Grid, Options, ScreenError};
use super::query::{Layout, Scene, relative_screw};
use super::{Statistics, Workspace};
use crate::bounds::Collider;
use crate::contact::Contact;
use crate::motion::Step;
use crate::screen::drawing::clusters::Clusters;
use crate::screen::drawing::pieces::Ink;
use crate::screen::rows::band::Band;
use again::{crossings, points_in_faces};

pub use again::Candidates;
pub use listed::{Angles, Curve, Face, Listed, Point, Screen};

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

impl<'q> Plan<'q> {
    /// What a device is to draw for a step.
    ///
    /// *Accepts* any bodies, any step and any options; the order of records and a coarse first look
    /// are of no use to a device, and change nothing. *Guarantees* one sheet for each part of the
    /// step in which bounds of the bodies meet, maybe none. *Cost* linear in the faces in boxes
    /// that meet; memory too, and linear in the faces of both bodies. *Fails* as [`ScreenError`]
    /// says.
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
    /// *Guarantees* what the [module](self) says. *Cost* linear in the candidates, and in the
    /// pieces in which their curves are drawn. *Fails* as [`DeviceError`] says.
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
    /// *Guarantees* the contacts of [`Plan::judge`] with candidates of which none is left out, bit
    /// for bit. *Cost* as [`contacts`](super::contacts). *Fails* as [`ScreenError`] says.
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
        let compared = candidates.count();
        workspace.cost.add(&Statistics { compared, ..Statistics::default() });
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
        let layout = Layout { band: *band, drawing: super::Drawing::Rows };
        let mut judge = scene.judge(&mut workspace.scratch.entries);
        let drawn = ([&mut a.drawn, &mut b.drawn], &mut workspace.scratch.pixels);
        workspace.cost.add(&scene.sweep(&painted, drawn, &layout, &mut judge));
        judge.resolve(&mut workspace.found);
    }
}
