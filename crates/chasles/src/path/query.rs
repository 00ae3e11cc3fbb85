//! A body's samples against a solid: what comes near, what touches, and the contact.
//!
//! For each part of the motion the whole body is asked first, then its clusters, each as a ball on
//! the path of its middle: the extended boxes of [TOC, "Further speedups"]. What comes near is
//! searched in the order in which it does, and for the first contact only up to the best one so
//! far.

use super::course::{Arc, Course, Courses};
use super::samples::{Samples, Spot};
use super::search::{Entry, NotANumber, Search};
use super::{Features, Method, Options, PathError};
use crate::contact::Contact;
use crate::motion::Step;
use crate::solid::Solid;

/// Memory that queries reuse.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Clusters that come near, and from when on.
    near: Vec<(f64, u32)>,
    /// Which samples were in touch where the last part ended.
    touching: Vec<bool>,
    contacts: Vec<Contact<Features>>,
}

impl Workspace {
    /// An empty workspace.
    ///
    /// *Cost* nothing: it allocates with the first query, and grows to the largest. *Fails* never.
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn clear(&mut self) {
        self.contacts.clear();
    }

    /// The contacts in the order of time.
    pub(super) fn finished(&mut self, first_only: bool) -> &[Contact<Features>] {
        let key = |c: &Contact<Features>| (c.time, c.features);
        self.contacts.sort_unstable_by(|x, y| {
            let [(s, f), (t, g)] = [key(x), key(y)];
            s.total_cmp(&t).then(f.cmp(&g))
        });
        if first_only {
            self.contacts.truncate(1);
        }
        &self.contacts
    }

    /// When the first contact so far is.
    fn best(&self) -> f64 {
        self.contacts.iter().map(|contact| contact.time).fold(f64::INFINITY, f64::min)
    }
}

/// Samples against a solid; seen from the solid, and so swapped if it is B.
pub(super) struct Query<'a> {
    pub(super) solid: &'a dyn Solid,
    pub(super) samples: &'a Samples,
    pub(super) step: &'a Step,
    pub(super) options: &'a Options,
    pub(super) is_swapped: bool,
}

/// One part of a step.
struct Part<'a> {
    query: &'a Query<'a>,
    search: Search<'a>,
    course: &'a Course,
    index: f64,
    count: f64,
}

impl Query<'_> {
    /// Adds all contacts to the workspace, or at least the first one if that is asked.
    pub(super) fn run(&self, workspace: &mut Workspace) -> Result<(), PathError> {
        let step = if self.is_swapped { &self.step.swapped() } else { self.step };
        let motion = Courses::new(step);
        let count = motion.parts();
        workspace.touching.clear();
        workspace.touching.resize(self.samples.len(), false);
        for number in 0..count {
            let [index, count] = [number, count].map(f64::from);
            if self.options.first_only && index / count > workspace.best() {
                break;
            }
            let course = &motion.course(number);
            let search = Search { solid: self.solid, course, precision: self.options.precision };
            let part = Part { query: self, search, course, index, count };
            let body = if self.is_swapped { 'B' } else { 'A' };
            let not_a_number = |NotANumber(point)| PathError::NotANumber { body, point };
            part.run(workspace).map_err(not_a_number)?;
        }
        Ok(())
    }
}

impl Part<'_> {
    fn run(&self, workspace: &mut Workspace) -> Result<(), NotANumber> {
        if self.query.options.method == Method::Segments {
            self.run_along_segments(workspace);
            return Ok(());
        }
        self.find_near(workspace);
        let Query { samples, options, .. } = self.query;
        for i in 0..workspace.near.len() {
            let (from, number) = workspace.near[i];
            if options.first_only && from > self.until(workspace) {
                break;
            }
            let cluster = &samples.clusters()[number as usize];
            for (spot, index) in samples.spots(cluster).iter().zip(cluster.first as usize..) {
                let arc = self.course.arc(spot.place);
                let window = [from, self.until(workspace)];
                // What is clear up to `from` has left since.
                let was_touching = workspace.touching[index] && from == 0.0;
                let each = |entry| {
                    self.add(spot, &arc, entry, workspace);
                    !options.first_only
                };
                let is_touching = self.search.entries(&arc, window, was_touching, each)?;
                workspace.touching[index] = is_touching;
            }
        }
        Ok(())
    }

    /// The first entry of each sample.
    fn run_along_segments(&self, workspace: &mut Workspace) {
        let samples = self.query.samples;
        for (spot, index) in samples.spots(samples.whole()).iter().zip(0..) {
            if workspace.touching[index] {
                continue;
            }
            let arc = self.course.arc(spot.place);
            let until = self.until(workspace);
            if let Some(entry) = self.search.first_entry_of_segments(&arc, until) {
                self.add(spot, &arc, entry, workspace);
                workspace.touching[index] = true;
            }
        }
    }

    /// The time of the part up to which contacts are of interest.
    fn until(&self, workspace: &Workspace) -> f64 {
        match self.query.options.first_only {
            true => workspace.best() * self.count - self.index,
            false => f64::INFINITY,
        }
    }

    /// Lists the clusters that may touch, in the order of when.
    fn find_near(&self, workspace: &mut Workspace) {
        let samples = self.query.samples;
        let Workspace { near, touching, .. } = workspace;
        near.clear();
        let from =
            |center, radius, from| self.search.clear_until(&self.course.arc(center), radius, from);
        let whole = samples.whole();
        let Some(first) = from(whole.center, whole.radius, 0.0) else {
            touching.fill(false);
            return;
        };
        for (cluster, i) in samples.clusters().iter().zip(0..) {
            match from(cluster.center, cluster.radius, first) {
                Some(time) => near.push((time, i)),
                None => touching[cluster.first as usize..cluster.end as usize].fill(false),
            }
        }
        near.sort_unstable_by(|(s, i), (t, j)| s.total_cmp(t).then(i.cmp(j)));
    }

    fn add(&self, spot: &Spot, arc: &Arc, entry: Entry, workspace: &mut Workspace) {
        let Query { solid, samples, step, is_swapped, .. } = *self.query;
        let motion = Courses::new(step);
        let local = entry.times[0];
        let place = self.course.at(arc, local);
        let outward = solid.normal(place);
        let in_step = |t: f64| ((self.index + t) / self.count).min(1.0);
        let time = in_step(local);
        let pose_of_a = motion.pose_of_a(time);
        let (normal, point_in_a, normal_in_a) = if is_swapped {
            let pose = pose_of_a.inverse_after(&motion.pose_of_b(time));
            (pose_of_a.vector(pose.vector(-outward)), pose.point(place), pose.vector(-outward))
        } else {
            (pose_of_a.vector(outward), place, outward)
        };
        // The mesh is in the frame of the samples.
        let (samples_in_world, away) = match is_swapped {
            true => (pose_of_a, -normal),
            false => (motion.pose_of_b(time), normal),
        };
        let away = samples_in_world.inverse().vector(away);
        let features = match is_swapped {
            true => Features::SampleSolid(spot.sample),
            false => Features::SolidSample(spot.sample),
        };
        workspace.contacts.push(Contact {
            features,
            time,
            time_bracket: entry.times.map(in_step),
            point_in_a,
            normal_in_a,
            point: pose_of_a.point(point_in_a),
            normal,
            properness: samples.properness(spot, away),
            normal_speed: self.course.velocity(arc, local).dot(outward) * self.count,
            grazing: !entry.is_certain,
            touchable: samples.is_touchable(spot, solid),
        });
    }
}
