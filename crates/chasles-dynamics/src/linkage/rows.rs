//! What a joint asks of velocities, one row for each direction in which it holds.
//!
//! A row is the gradient of a function of two poses. With the axes `x1 y1 z1`, `x2 y2 z2` and the
//! points `p1`, `p2` of both anchors in the world, the functions and their rates are
//!
//! ```text
//! d1 . (p2 - p1)     d1 . (v2(p2) - v1(p2))          d1 one of x1, y1, z1
//! a2 . b1            (a2 x b1) . (omega2 - omega1)   a2 . b1 one of z2 . x1, z2 . y1, x2 . y1
//! ```
//!
//! Both rates are exact, also while the functions are not zero: `d1` turns with the first body, so
//! its velocity is to be taken at `p2`. Hence both bodies are pushed at one point, momentum is kept
//! whatever the drift is, and two balls on one pair have rank 5 at any distance of their anchors.

use chasles::Pose;
use chasles::numeric::Elementary;
use glam::{DMat3, DVec3};

use super::joint::{Joint, Reach, Turn};
use crate::body::{Inertia, Velocity};

/// A condition on the velocities of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) bodies: [usize; 2],
    /// The gradient: the rate is the sum of `pull . velocity`.
    pull: [Velocity; 2],
    /// The changes of velocity by a unit impulse along the row.
    pub(super) answer: [Velocity; 2],
}

impl Row {
    /// The rate at which the second body moves along a direction at a point, seen from the first.
    fn along(bodies: [usize; 2], all: &[Inertia], direction: DVec3, point: DVec3) -> Self {
        let pull = |sign: f64, body: usize| Velocity {
            linear: sign * direction,
            angular: sign * (point - all[body].centre).cross(direction),
        };
        Self::new(bodies, all, [pull(-1.0, bodies[0]), pull(1.0, bodies[1])])
    }

    /// The rate at which the second body turns about an axis, seen from the first.
    fn about(bodies: [usize; 2], all: &[Inertia], axis: DVec3) -> Self {
        let pull = |sign: f64| Velocity { linear: DVec3::ZERO, angular: sign * axis };
        Self::new(bodies, all, [pull(-1.0), pull(1.0)])
    }

    fn new(bodies: [usize; 2], all: &[Inertia], pull: [Velocity; 2]) -> Self {
        let answer = [0, 1].map(|side: usize| {
            let body = &all[bodies[side]];
            Velocity {
                linear: body.inv_mass * pull[side].linear,
                angular: body.inv_inertia * pull[side].angular,
            }
        });
        Self { bodies, pull, answer }
    }

    /// The gradient.
    pub(super) fn pull(&self) -> [Velocity; 2] {
        self.pull
    }

    /// How fast these velocities change what the row holds.
    pub(super) fn rate(&self, velocities: &[Velocity]) -> f64 {
        dot(&self.pull[0], &velocities[self.bodies[0]])
            + dot(&self.pull[1], &velocities[self.bodies[1]])
    }

    /// Adds an impulse along the row.
    pub(super) fn push(&self, velocities: &mut [Velocity], impulse: f64) {
        for (body, answer) in self.bodies.into_iter().zip(&self.answer) {
            velocities[body].linear += impulse * answer.linear;
            velocities[body].angular += impulse * answer.angular;
        }
    }

    /// An impulse along the row as it acts on the second body, and about its centre.
    pub(super) fn on_second(&self, impulse: f64) -> Velocity {
        self.pull[1].times(impulse)
    }

    /// The change of the rate by a unit impulse along another row.
    pub(super) fn coupling(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for (body, pull) in self.bodies.iter().zip(&self.pull) {
            for (pushed, answer) in other.bodies.iter().zip(&other.answer) {
                if body == pushed {
                    sum += dot(pull, answer);
                }
            }
        }
        sum
    }

    /// The longer arm of the row, if what it holds is a length.
    pub(super) fn arm(&self) -> f64 {
        let [a, b] = self.pull.map(|pull| pull.angular.length());
        if self.is_length() { a.max(b) } else { 0.0 }
    }

    /// Whether what the row holds is a length; else it is an angle.
    pub(super) fn is_length(&self) -> bool {
        self.pull[1].linear != DVec3::ZERO
    }
}

fn dot(a: &Velocity, b: &Velocity) -> f64 {
    a.linear.dot(b.linear) + a.angular.dot(b.angular)
}

/// The anchors of a joint in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frames {
    points: [DVec3; 2],
    axes: [DMat3; 2],
}

/// Functions `a2 . b1` that vanish while the axes are as they should be: numbers of `a` and `b`.
const TURNS: [[usize; 2]; 3] = [[2, 0], [2, 1], [0, 1]];

impl Reach {
    /// The axes of the first anchor along which the second point is held.
    pub(super) fn directions(self) -> &'static [usize] {
        match self {
            Self::Anywhere => &[],
            Self::Plane => &[2],
            Self::Line => &[0, 1],
            Self::Point => &[0, 1, 2],
        }
    }
}

impl Turn {
    fn functions(self) -> &'static [[usize; 2]] {
        match self {
            Self::Anyhow => &[],
            Self::Spinless => &TURNS[2..],
            Self::Axis => &TURNS[..2],
            Self::Fixed => &TURNS,
        }
    }
}

impl Joint {
    /// How many directions it holds.
    pub(super) fn size(&self) -> usize {
        self.reach.directions().len() + self.turn.functions().len()
    }

    pub(super) fn frames(&self, poses: [&Pose; 2]) -> Frames {
        let [a, b] = [0, 1].map(|side| poses[side].after(self.anchors[side].frame()));
        Frames {
            points: [a.position(), b.position()],
            axes: [DMat3::from_quat(a.rotation()), DMat3::from_quat(b.rotation())],
        }
    }

    /// How far the joint is from where it should be, for each row in turn.
    pub(super) fn errors(&self, frames: &Frames) -> impl Iterator<Item = f64> {
        let Frames { points, axes } = *frames;
        let apart = points[1] - points[0];
        let lengths = self.reach.directions().iter().map(move |&i| axes[0].col(i).dot(apart));
        let angles = self.turn.functions().iter();
        lengths.chain(angles.map(move |&[a, b]| axes[1].col(a).dot(axes[0].col(b))))
    }

    /// The gradients of the errors.
    pub(super) fn rows(&self, frames: &Frames, all: &[Inertia]) -> impl Iterator<Item = Row> {
        let Frames { points, axes } = *frames;
        let bodies = self.bodies;
        let lengths = self.reach.directions().iter();
        let angles = self.turn.functions().iter();
        lengths.map(move |&i| Row::along(bodies, all, axes[0].col(i), points[1])).chain(
            angles
                .map(move |&[a, b]| Row::about(bodies, all, axes[1].col(a).cross(axes[0].col(b)))),
        )
    }

    /// The angle of the second anchor about the axis of the first, in `(-pi, pi]`.
    ///
    /// *Accepts* the poses of both bodies; it means little while the axes are not along each other.
    /// *Cost* constant. *Fails* never.
    pub fn angle(&self, poses: [&Pose; 2]) -> f64 {
        self.frames(poses).angle()
    }

    /// How far apart both points are.
    ///
    /// *Accepts* the poses of both bodies. *Cost* constant. *Fails* never.
    pub fn span(&self, poses: [&Pose; 2]) -> f64 {
        let Frames { points, .. } = self.frames(poses);
        points[0].distance(points[1])
    }

    /// How far the second point is along the axis of the first anchor.
    ///
    /// *Accepts* the poses of both bodies. *Cost* constant. *Fails* never.
    pub fn travel(&self, poses: [&Pose; 2]) -> f64 {
        self.frames(poses).travel()
    }

    /// The angle between the axes of both anchors, in `[0, pi]`.
    ///
    /// *Accepts* the poses of both bodies. *Cost* constant. *Fails* never.
    pub fn swing(&self, poses: [&Pose; 2]) -> f64 {
        self.frames(poses).swing().0
    }
}

impl Frames {
    pub(super) fn angle(&self) -> f64 {
        let x = self.axes[1].x_axis;
        x.dot(self.axes[0].y_axis).arctangent_over(x.dot(self.axes[0].x_axis))
    }

    pub(super) fn travel(&self) -> f64 {
        self.axes[0].z_axis.dot(self.points[1] - self.points[0])
    }

    /// The angle between the axes, and about what the second turns away from the first.
    pub(super) fn swing(&self) -> (f64, DVec3) {
        let [z, other] = self.axes.map(|axes| axes.z_axis);
        let across = z.cross(other);
        // Along each other or opposite, they may part any way.
        let about = across.try_normalize().unwrap_or(self.axes[0].x_axis);
        (across.length().arctangent_over(z.dot(other)), about)
    }

    pub(super) fn turning(&self, joint: &Joint, all: &[Inertia]) -> Row {
        Row::about(joint.bodies, all, self.axes[0].z_axis)
    }

    pub(super) fn sliding(&self, joint: &Joint, all: &[Inertia]) -> Row {
        Row::along(joint.bodies, all, self.axes[0].z_axis, self.points[1])
    }

    /// The rate of the distance of both points, and the distance. Along it, the first point moves
    /// as its body does at the second.
    pub(super) fn spanning(&self, joint: &Joint, all: &[Inertia]) -> (Row, f64) {
        let apart = self.points[1] - self.points[0];
        let along = apart.try_normalize().unwrap_or(self.axes[0].z_axis);
        (Row::along(joint.bodies, all, along, self.points[1]), apart.length())
    }

    pub(super) fn swinging(&self, joint: &Joint, all: &[Inertia]) -> Row {
        Row::about(joint.bodies, all, self.swing().1)
    }
}
