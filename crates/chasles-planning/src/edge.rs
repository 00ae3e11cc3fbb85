//! Edges and paths: straight lines between configurations.

use std::sync::atomic::{AtomicUsize, Ordering};

use chasles::query::batch::Watch;
use rayon::prelude::*;

use crate::error::{EdgesError, SceneError};
use crate::moment::Line;
use crate::near::Near;
use crate::scene::{Scene, length};
use crate::search::{End, Found, Goal, Nearest, Search, Workspace};

/// How an edge is asked for. A number becomes one by `into`: the margin alone.
///
/// ```
/// use chasles_planning::Options;
/// let patient = Options { most_evaluations: 100_000, ..Options::from(0.01) };
/// assert_eq!(patient.margin, 0.01);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How far apart bodies should be, at least 0; a pair that has a larger margin keeps it.
    pub margin: f64,
    /// How closely the beginning of a hit is looked for, as a fraction of the edge: 1 asks for any
    /// hit that nothing undecided comes before.
    pub width: f64,
    /// After this many evaluations on one edge the answer is undecided, if no hit is known.
    pub most_evaluations: u32,
}

impl Default for Options {
    /// No margin, hits to a millionth of the edge, and effort for bodies that slide along each
    /// other: edges take some dozen evaluations.
    fn default() -> Self {
        Self { margin: 0.0, width: 1e-6, most_evaluations: 20_000 }
    }
}

impl From<f64> for Options {
    fn from(margin: f64) -> Self {
        Self { margin, ..Self::default() }
    }
}

/// What is proven of an edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Whether it is free.
    pub verdict: Verdict,
    /// The robot is free before this fraction of the edge; 1 if all is free.
    pub fraction: f64,
    /// The least distance of any pair over a free edge is between these. The upper one is infinite
    /// if nothing came so near that a distance was needed. Both are 0 if the edge is not free. For
    /// a bracket of a given width ask [`Scene::clearance`].
    pub clearance: [f64; 2],
    /// How many configurations were looked at, and exact distances asked for; a screw counts as
    /// eight.
    pub evaluations: u32,
}

/// Whether an edge is free.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// At all times all pairs are farther apart than their margins.
    Free,
    /// At this configuration two bodies overlap, or are within their margin, or within 1e-9 of the
    /// smaller one's radius of it.
    Hit(Hit),
    /// Up to [`Edge::fraction`] the edge is free. About this place it was given up.
    Undecided(Doubt),
}

/// A configuration that is not free.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Where it is on the edge, as a fraction.
    pub at: f64,
    /// The configuration.
    pub configuration: Vec<f64>,
    /// The two bodies in it.
    pub near: Near,
}

/// Where an edge is undecided.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// A fraction of the edge in the first part that is not proven free.
    pub at: f64,
    /// The names of a pair in doubt there.
    pub bodies: [String; 2],
}

/// The least distance over a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Clearance {
    /// No pair is ever nearer than this.
    pub lower: f64,
    /// A pair is as near as this, in the configuration below; 0 in overlap.
    pub upper: f64,
    /// The edge of the path on which it is, from 0.
    pub edge: usize,
    /// Where on the edge, as a fraction.
    pub at: f64,
    /// The configuration.
    pub configuration: Vec<f64>,
    /// The pair.
    pub near: Near,
}

impl Edge {
    /// Whether all of the edge is proven free.
    pub fn is_free(&self) -> bool {
        self.verdict == Verdict::Free
    }

    /// The configuration that is not free, if there is one.
    pub fn hit(&self) -> Option<&Hit> {
        match &self.verdict {
            Verdict::Hit(hit) => Some(hit),
            _ => None,
        }
    }

    /// Where it was given up, if it was.
    pub fn undecided(&self) -> Option<&Doubt> {
        match &self.verdict {
            Verdict::Undecided(doubt) => Some(doubt),
            _ => None,
        }
    }
}

impl Scene {
    /// Whether the edge between two configurations is free, and how far along.
    ///
    /// All variables move at once and evenly: at the fraction `t` the configuration is
    /// `q0 + t (q1 - q0)`. Continuous joints turn by the difference as it is, also beyond `pi`.
    ///
    /// *Accepts* configurations with a finite value for each variable, also beyond limits; a
    /// margin, or [`Options`]. *Guarantees* the verdict for the true motion of the joints, not for
    /// samples and not for screws: [`Verdict::Free`] is proven, up to rounding; [`Verdict::Hit`]
    /// names a configuration that a distance at rest finds within the margin, or within 1e-9 of the
    /// smaller body's radius of it. The first hit lies between [`Edge::fraction`] and it, and both
    /// are [`Options::width`] apart at most, unless the evaluations run out. *Cost* a fraction of a
    /// millisecond for an arm among some dozen obstacles; about the logarithm of the least gap, but
    /// for bodies that slide along each other. *Fails* on configurations that are not of the robot,
    /// and on margins and widths that are negative or not finite.
    pub fn edge(
        &self,
        q0: &[f64],
        q1: &[f64],
        options: impl Into<Options>,
    ) -> Result<Edge, SceneError> {
        self.edge_in([q0, q1], &options.into(), &mut Workspace::default())
    }

    /// The same for many edges, on all cores, in the order of the edges.
    ///
    /// *Accepts* and *Guarantees* as [`Scene::edge`]; the same bits at any number of threads.
    /// *Cost* that of the edges, shared among the threads of the current rayon pool. *Fails* with
    /// the first edge that does, by its number.
    pub fn edges<Q: AsRef<[f64]> + Sync>(
        &self,
        edges: &[[Q; 2]],
        options: impl Into<Options>,
    ) -> Result<Vec<Edge>, (usize, SceneError)> {
        self.edges_watched(edges, options, &Watch::default()).map_err(|stop| match stop {
            EdgesError::Edge { index, error } => (index, error),
            EdgesError::Cancelled => unreachable!("nobody can cancel them"),
        })
    }

    /// The same for many edges that tell how many are done, and can be cancelled.
    ///
    /// *Accepts*, *Guarantees* and *Cost* as [`Scene::edges`]; the watch is told after each edge,
    /// and looked at before. *Fails* with the first edge that does, and when it is cancelled.
    pub fn edges_watched<Q: AsRef<[f64]> + Sync>(
        &self,
        edges: &[[Q; 2]],
        options: impl Into<Options>,
        watch: &Watch<'_>,
    ) -> Result<Vec<Edge>, EdgesError> {
        let (options, done) = (options.into(), AtomicUsize::new(0));
        let ask = |workspace: &mut Workspace, (index, [q0, q1]): (usize, &[Q; 2])| {
            if watch.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return Err(EdgesError::Cancelled);
            }
            let edge = self.edge_in([q0.as_ref(), q1.as_ref()], &options, workspace);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if let Some(progress) = watch.progress {
                progress(done);
            }
            edge.map_err(|error| EdgesError::Edge { index, error })
        };
        let found: Vec<Result<Edge, EdgesError>> =
            edges.par_iter().enumerate().map_init(Workspace::default, ask).collect();
        found.into_iter().collect()
    }

    /// The least distance of any pair over a path, to within a width; none if there is no pair.
    ///
    /// *Accepts* two configurations or more, each joined to the next by an edge as in
    /// [`Scene::edge`], and a width. *Guarantees* for the true motion of the joints that no pair is
    /// nearer than `lower`, and that one is as near as `upper` where it says; they differ by the
    /// width at most, unless 20,000 evaluations on one edge do not suffice: then `lower` is 0.
    /// Margins do not count. *Cost* some times that of an edge, more for small widths. *Fails* as
    /// [`Scene::edge`], and on paths of one configuration.
    pub fn clearance<Q: AsRef<[f64]>>(
        &self,
        path: &[Q],
        width: f64,
    ) -> Result<Option<Clearance>, SceneError> {
        let width = length("width", width)?;
        if path.len() < 2 {
            return Err(SceneError::ShortPath(path.len()));
        }
        path.iter().try_for_each(|q| self.check(q.as_ref()))?;
        let mut workspace = Workspace::default();
        workspace.stand(self, path[0].as_ref());
        let Some(mut nearest) = workspace.nearest(self)? else { return Ok(None) };
        let [mut lower, mut edge] = [nearest.distance.distance, 0.0];
        for (number, ends) in path.windows(2).enumerate() {
            let line = Line { from: ends[0].as_ref(), to: ends[1].as_ref() };
            let goal = Goal::Least { width, known: nearest.distance.distance };
            let most = Options::default().most_evaluations;
            let found = Search::new(self, line, goal, most, &mut workspace).run()?;
            if let Some(next) = found.nearest
                && next.distance.distance < nearest.distance.distance
            {
                (nearest, edge) = (next, number as f64);
            }
            lower = if found.end == End::Free { lower.min(found.lower) } else { 0.0 };
            if lower == 0.0 {
                break;
            }
        }
        Ok(Some(self.clearance_at(path, lower, edge as usize, &nearest)))
    }

    fn clearance_at<Q: AsRef<[f64]>>(
        &self,
        path: &[Q],
        lower: f64,
        edge: usize,
        nearest: &Nearest,
    ) -> Clearance {
        let line = Line { from: path[edge].as_ref(), to: path[edge + 1].as_ref() };
        let configuration: Vec<f64> = line.at(nearest.at).collect();
        let mut workspace = Workspace::default();
        workspace.stand(self, &configuration);
        let near = self.describe(&workspace.moment, nearest);
        let upper = near.distance;
        Clearance {
            lower: lower.clamp(0.0, upper),
            upper,
            edge,
            at: nearest.at,
            configuration,
            near,
        }
    }

    fn edge_in(
        &self,
        [q0, q1]: [&[f64]; 2],
        options: &Options,
        workspace: &mut Workspace,
    ) -> Result<Edge, SceneError> {
        self.check(q0)?;
        self.check(q1)?;
        let margin = length("margin", options.margin)?;
        let width = length("width", options.width)?;
        let line = Line { from: q0, to: q1 };
        let goal = Goal::Free { margin, width };
        let found = Search::new(self, line, goal, options.most_evaluations, workspace).run()?;
        Ok(self.edge_of(line, &found, workspace))
    }

    /// What users see of what was found.
    fn edge_of(&self, line: Line, found: &Found, workspace: &mut Workspace) -> Edge {
        let verdict = match found.end {
            End::Free => Verdict::Free,
            End::Hit(hit) => {
                let configuration: Vec<f64> = line.at(hit.at).collect();
                workspace.stand(self, &configuration);
                let near = self.describe(&workspace.moment, &hit);
                Verdict::Hit(Hit { at: hit.at, configuration, near })
            }
            End::Undecided(at, pair) => {
                let [x, y] = self.pairs[pair].parts.map(|part| self.parts[part].body);
                let bodies = [y, x].map(|body| self.names[body].clone());
                Verdict::Undecided(Doubt { at, bodies })
            }
        };
        let upper = found.nearest.map_or(f64::INFINITY, |nearest| nearest.distance.distance);
        let clearance = match verdict {
            Verdict::Free => [found.lower.clamp(0.0, upper), upper],
            _ => [0.0; 2],
        };
        Edge { verdict, fraction: found.fraction, clearance, evaluations: found.evaluations }
    }
}
