//! Candidates: places where two bodies may press on each other within a window.
//!
//! A candidate keeps what it is made of in the frames of its bodies, so that its gap can be told at
//! any poses: a point over a plane, two lines, or two points.

use chasles::Pose;
use chasles::query::{Feature, Features, Near};
use glam::DVec3;

use super::soft::Spring;

/// A place where two bodies may press on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// The number of the pair, and its members.
    pub(super) pair: usize,
    pub(super) bodies: [usize; 2],
    /// Its number in the manifold of the pair, if it is there.
    pub(super) slot: Option<usize>,
    pub(super) features: Features,
    pub(super) anchors: Anchors,
    /// The force that is expected there on the first body, in newtons.
    pub(super) force: DVec3,
    /// Where it is at the start of the window.
    pub(super) place: Place,
    /// The gap that is kept there.
    pub(super) kept: f64,
    /// The contact spring there, in worlds that have them.
    pub(super) spring: Option<Spring>,
    /// Whether a trial has hit it although free fall would not.
    pub(super) is_hit: bool,
    /// Whether that was where forces alone would have taken bodies past it.
    pub(super) is_late: bool,
    /// By how much displacements must open it, in metres: what an earlier trial lacked.
    pub(super) lift: f64,
    /// By how much its rate must be above what the gap allows, in m/s, for the same reason.
    pub(super) raise: f64,
}

/// A contact point, the normal there, from the second body to the first, and the gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) point: DVec3,
    pub(super) normal: DVec3,
    pub(super) gap: f64,
}

/// What is near what, in the frames of both bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in super::super) struct Anchors {
    /// The nearest points of both cores; the surfaces are these radii around them.
    cores: [DVec3; 2],
    radii: [f64; 2],
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Form {
    /// A plane of one of the bodies, with the normal that points to the first, and a point of the
    /// other.
    Plane(usize, DVec3),
    /// A line of each body, and the sign with which their cross product points to the first.
    Lines([DVec3; 2], f64),
    /// Two points.
    Points,
}

/// What two bodies see of each other at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Seen {
    /// Over the plane of a body a point of the other, in the frame of the first.
    Over(usize, DVec3),
    /// Where two lines are nearest to each other, each in the frame of its body.
    Across([DVec3; 2]),
    /// What has no border.
    Anywhere,
}

/// The sine of the angle below which two lines have no common normal of their own.
const PARALLEL: f64 = 1e-6;

impl Anchors {
    /// Of a place of bodies at these poses, which are round with these radii.
    pub(super) fn new(place: &Near, poses: [&Pose; 2], radii: [f64; 2]) -> Self {
        let Features { a, b } = place.features;
        let is_tip = |feature: Feature| matches!(feature, Feature::Vertex(_) | Feature::End(_));
        let local = |i: usize, v: DVec3| poses[i].rotation().conjugate() * v;
        let form = match place.lines {
            Some([u, w]) => {
                let sign = u.cross(w).dot(-place.normal).signum();
                Form::Lines([local(0, u), local(1, w)], sign)
            }
            None if is_tip(a) && is_tip(b) => Form::Points,
            None => {
                let of = usize::from(is_tip(a));
                Form::Plane(of, local(of, -place.normal))
            }
        };
        let points =
            [place.point_a - radii[0] * place.normal, place.point_b + radii[1] * place.normal];
        let cores = [0, 1].map(|i: usize| poses[i].inverse().point(points[i]));
        Self { cores, radii, form }
    }

    /// Whether a plane is that of one of two bodies.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self) -> bool {
        !matches!(self.form, Form::Plane(of, _) if of > 1)
    }

    /// The point on the first body, in its frame.
    pub(super) fn on_first(&self) -> DVec3 {
        self.cores[0]
    }

    /// What the bodies see of each other here at these poses, the first of them farther by a way.
    pub(super) fn seen(&self, poses: [&Pose; 2], way: DVec3) -> Seen {
        let [p, q] = [0, 1].map(|i: usize| poses[i].point(self.cores[i]));
        let p = p + way;
        let [first, second] = poses.map(Pose::inverse);
        match self.form {
            Form::Plane(0, _) => Seen::Over(0, first.point(q - way)),
            Form::Plane(of, _) => Seen::Over(of, second.point(p)),
            Form::Lines([u, w], _) => {
                let [u, w] = [poses[0].vector(u), poses[1].vector(w)];
                let across = u.cross(w);
                let square = across.length_squared();
                if square <= PARALLEL * PARALLEL {
                    return Seen::Anywhere;
                }
                let [s, t] = [w, u].map(|line| (q - p).cross(line).dot(across) / square);
                Seen::Across([first.point(p - way + s * u), second.point(q + t * w)])
            }
            Form::Points => Seen::Anywhere,
        }
    }

    /// Where the place is, and how near, with the bodies at these poses.
    pub(super) fn place(&self, poses: [&Pose; 2]) -> Place {
        let [p, q] = [0, 1].map(|i: usize| poses[i].point(self.cores[i]));
        let apart = p - q;
        let normal = match self.form {
            Form::Plane(of, normal) => poses[of].vector(normal),
            Form::Lines([u, w], sign) => {
                let across = poses[0].vector(u).cross(poses[1].vector(w));
                let sine = across.length();
                if sine > PARALLEL { sign / sine * across } else { apart.normalize_or_zero() }
            }
            Form::Points => apart.normalize_or_zero(),
        };
        let gap = normal.dot(apart) - self.radii[0] - self.radii[1];
        let point = match self.form {
            Form::Plane(0, _) => q + self.radii[1] * normal,
            Form::Plane(..) => p - self.radii[0] * normal,
            Form::Lines(..) | Form::Points => {
                0.5 * (p - self.radii[0] * normal + q + self.radii[1] * normal)
            }
        };
        Place { point, normal, gap }
    }
}
