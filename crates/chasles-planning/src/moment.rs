//! Links and parts in one configuration, and how they move from there.

use chasles::Pose;
use chasles::glam::DVec3;

use crate::bound::{Bound, Moving};
use crate::frame::{Frame, Stance, Twist};
use crate::part::Part;
use crate::scene::{Pair, Scene};

/// The middle of a while, and half its length. Memory is used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moment {
    pub(crate) stance: Stance,
    twists: Vec<Twist>,
    configuration: Vec<f64>,
    /// Of the parts, in the world: frames, and middles of their balls.
    frames: Vec<Frame>,
    centres: Vec<DVec3>,
    /// Bounds of parts seen from the world, where they were asked for.
    bounds: Vec<Option<Bound>>,
    half: f64,
}

/// A straight line between two configurations.
#[derive(Clone, Copy)]
pub(crate) struct Line<'q> {
    pub(crate) from: &'q [f64],
    pub(crate) to: &'q [f64],
}

impl Line<'_> {
    /// The configuration at a fraction of the line.
    pub(crate) fn at(&self, t: f64) -> impl Iterator<Item = f64> {
        let ends = self.from.iter().zip(self.to);
        ends.map(move |(from, to)| if t == 1.0 { *to } else { from + t * (to - from) })
    }

    /// How fast each joint of the scene's robot moves.
    pub(crate) fn rates(&self, scene: &Scene, rates: &mut Vec<f64>) {
        rates.clear();
        rates.extend(scene.robot.joints().iter().map(|joint| {
            joint.drive.map_or(0.0, |d| d.factor * (self.to[d.variable] - self.from[d.variable]))
        }));
    }
}

impl Moment {
    /// Goes to a while of the length `2 half` about the fraction `t` of a line.
    pub(crate) fn go(&mut self, scene: &Scene, line: Line, rates: &[f64], (t, half): (f64, f64)) {
        self.configuration.clear();
        self.configuration.extend(line.at(t));
        self.stance.place(&scene.robot, &self.configuration);
        self.stance.twists(&scene.robot, rates, &mut self.twists);
        self.half = half;
        let frame_of = |part: &Part| {
            part.link.map_or(part.frame, |link| self.stance.frames[link].after(&part.frame))
        };
        self.frames.clear();
        self.frames.extend(scene.parts.iter().map(frame_of));
        self.centres.clear();
        let centres = self.frames.iter().zip(&scene.parts).map(|(f, part)| f.point(part.centre));
        self.centres.extend(centres);
        self.bounds.clear();
        self.bounds.resize(scene.parts.len(), None);
    }

    pub(crate) fn centres(&self, [x, y]: [usize; 2]) -> [DVec3; 2] {
        [self.centres[x], self.centres[y]]
    }

    pub(crate) fn frame(&self, part: usize) -> &Frame {
        &self.frames[part]
    }

    /// Where the bodies of a pair are.
    pub(crate) fn poses(&self, parts: [usize; 2]) -> [Pose; 2] {
        parts.map(|part| self.frames[part].pose())
    }

    /// How a part moves, seen from another.
    pub(crate) fn twist(&self, scene: &Scene, parts: [usize; 2]) -> Twist {
        let [x, y] = parts
            .map(|part| scene.parts[part].link.map_or(Twist::default(), |link| self.twists[link]));
        y.less(&x)
    }

    /// How far the second part of a pair moves, seen from the first.
    pub(crate) fn bound(&mut self, scene: &Scene, rates: &[f64], pair: &Pair) -> Bound {
        let [x, y] = pair.parts;
        let stands = scene.parts[x].link.is_none();
        if let (true, Some(known)) = (stands, self.bounds[y]) {
            return known;
        }
        let joints = scene.robot.joints();
        let moving = Moving { joints, axes: &self.stance.axes, rates, half: self.half };
        let ball = (self.centres[y], scene.parts[y].radius);
        let twist = self.twist(scene, pair.parts);
        let bound = moving.bound(&scene.paths[pair.path], ball, &twist);
        if stands {
            self.bounds[y] = Some(bound);
        }
        bound
    }

    /// A length that two parts are apart at least; 0 if their boxes and balls meet.
    pub(crate) fn apart(&self, scene: &Scene, [x, y]: [usize; 2]) -> f64 {
        let [p, q] = [x, y].map(|part| &scene.parts[part]);
        let balls = self.centres[x].distance(self.centres[y]) - p.radius - q.radius;
        let in_x = self.frames[x].point_inside(self.centres[y]);
        let boxes = p.nearest_in_box(in_x).distance(in_x) - q.radius;
        balls.max(boxes).max(0.0)
    }

    /// What rounding may take from a distance of two parts: far above some hundred operations with
    /// coordinates of this size.
    pub(crate) fn rounding(&self, scene: &Scene, [x, y]: [usize; 2]) -> f64 {
        let size = self.centres[x].abs().max_element() + self.centres[y].abs().max_element();
        1e-14 * (size + scene.parts[x].radius + scene.parts[y].radius)
    }
}
