//! When a moving polygon holds the origin, without rounding.
//!
//! `forms.rs` says which polygon, and when it does at the roots of the height `f`. Where `n` is
//! zero the polygon is flat and is the union of its sides, and a side holds the origin if
//! `q_i x q_i+1 = 0` and `q_i . q_i+1 <= 0`.
//!
//! If `f` is zero at all times the origin never leaves the plane. Then the times of touch are
//! closed intervals, and each begins at the start of the step or when a side comes to the origin.
//! The same holds for a side whose line never leaves the origin: it is reached by a corner.

use dashu_int::IBig;
use glam::DVec3;

use super::fine::Doubt;
use super::forms::Shape;
use crate::numeric::exact::{Dyadic, Polynomial, Time, integers, roots_in_step};

type Vector = [Polynomial; 3];

/// A polygon whose corners move in straight lines; a triangle or a parallelogram.
pub(super) struct Polygon {
    corners: Vec<Vector>,
    normal: Vector,
    height: Polynomial,
}

/// One uninterrupted touch.
pub(super) struct Touch {
    pub(super) from: Time,
    pub(super) until: Time,
    /// The height is zero for a while or does not change sign at a simple root.
    pub(super) grazing: bool,
}

impl Polygon {
    /// The polygon of four vertices, given at both ends of the step.
    pub(super) fn new<const M: usize>(ends: &[[DVec3; 4]; 2], shape: &Shape<M>) -> Self {
        let paths = Paths::new(ends);
        let corners = shape.corners.map(|pair| paths.difference(pair)).to_vec();
        let [e0, e1] = [0, 1].map(|i: usize| paths.difference(shape.edges[i]));
        let normal = cross(&e0, &e1);
        let height = dot(&corners[0], &normal);
        Self { corners, normal, height }
    }

    /// Whether the features touch at some time.
    pub(super) fn touches(&self) -> bool {
        if !self.height.is_zero() {
            return roots_in_step(&self.height).iter().any(|time| self.holds_origin(time));
        }
        self.holds_origin(&Time::START) || !self.times_of_sides(true).is_empty()
    }

    /// Whether the features touch between two times, at neither of which the height is zero and
    /// between which it is so once. Only what is in doubt is asked.
    pub(super) fn touches_between(self, times: [f64; 2], doubt: &Doubt) -> bool {
        let [low, high] = times.map(Dyadic::from_double);
        let time = Time::Root { of: self.height.clone(), low, high }.narrowed();
        match doubt {
            Doubt::All => self.holds_origin(&time),
            Doubt::Sides { axis, upward, open } => open.iter().all(|&i| {
                let next = &self.corners[(i + 1) % self.corners.len()];
                let side = time.sign_of(&cross_along(&self.corners[i], next, *axis));
                if *upward { side >= 0 } else { side <= 0 }
            }),
        }
    }

    /// All touches, in order.
    pub(super) fn touches_all(&self) -> Vec<Touch> {
        if !self.height.is_zero() {
            let slope = self.height.derivative();
            let roots = roots_in_step(&self.height).into_iter();
            let touching = roots.filter(|time| self.holds_origin(time));
            let moment = |time: Time| Touch {
                grazing: time.sign_of(&slope) == 0,
                from: time.clone(),
                until: time,
            };
            return touching.map(moment).collect();
        }
        let mut times = self.times_of_sides(false);
        times.extend([Time::START, Time::END]);
        let times = sorted(times);
        let mut touches: Vec<Touch> = Vec::new();
        // Whether the time before this one, and all times between the two, are in the last touch.
        let mut lasting = false;
        for (i, time) in times.iter().enumerate() {
            let holds = self.holds_origin(time);
            match touches.last_mut() {
                Some(touch) if holds && lasting => touch.until = time.clone(),
                _ if holds => {
                    let [from, until] = [time, time].map(Time::clone);
                    touches.push(Touch { from, until, grazing: true });
                }
                _ => {}
            }
            lasting = holds
                && times
                    .get(i + 1)
                    .is_some_and(|next| self.holds_origin(&Time::At(time.between(next))));
        }
        touches
    }

    /// Whether the polygon holds the origin at a time at which its plane does.
    fn holds_origin(&self, time: &Time) -> bool {
        let sign = |of: &Polynomial| time.sign_of(of);
        // All m_i are parallel to the normal, so one component tells their signs.
        let mut normals = self.normal.iter().map(sign).enumerate();
        if let Some((axis, normal)) = normals.find(|(_, sign)| *sign != 0) {
            return self.sides().all(|[p, q]| sign(&cross_along(p, q, axis)) * normal >= 0);
        }
        self.sides().any(|[p, q]| {
            (0..3).all(|axis| sign(&cross_along(p, q, axis)) == 0) && sign(&dot(p, q)) <= 0
        })
    }

    /// Neighbouring corners.
    fn sides(&self) -> impl Iterator<Item = [&Vector; 2]> {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().zip(next).map(|(p, q)| [p, q])
    }

    /// Times at which sides come to the origin or leave it, in no order; one is enough for `any`.
    fn times_of_sides(&self, any: bool) -> Vec<Time> {
        let mut times = Vec::new();
        for [p, q] in self.sides() {
            if any && !times.is_empty() {
                break;
            }
            let side = cross(p, q);
            if side.iter().all(Polynomial::is_zero) {
                times.extend(zeros(p));
                times.extend(zeros(q));
            } else {
                let along = dot(p, q);
                times.extend(zeros(&side).into_iter().filter(|time| time.sign_of(&along) <= 0));
            }
        }
        times
    }
}

/// The times at which all components of a vector vanish, if they do not do so always.
fn zeros(vector: &Vector) -> Vec<Time> {
    let Some(first) = vector.iter().find(|c| !c.is_zero()) else { return Vec::new() };
    let roots = roots_in_step(first).into_iter();
    roots.filter(|time| vector.iter().all(|c| time.sign_of(c) == 0)).collect()
}

/// Times in order, each once, with intervals that are apart.
fn sorted(times: Vec<Time>) -> Vec<Time> {
    let mut sorted: Vec<Time> = Vec::new();
    for mut time in times {
        let mut place = sorted.len();
        let mut known = false;
        while place > 0 {
            match time.compare(&mut sorted[place - 1]) {
                std::cmp::Ordering::Less => place -= 1,
                std::cmp::Ordering::Greater => break,
                std::cmp::Ordering::Equal => {
                    known = true;
                    break;
                }
            }
        }
        if !known {
            sorted.insert(place, time);
        }
    }
    sorted
}

fn cross(p: &Vector, q: &Vector) -> Vector {
    [0, 1, 2].map(|axis| cross_along(p, q, axis))
}

/// One component of the cross product.
fn cross_along(p: &Vector, q: &Vector, axis: usize) -> Polynomial {
    let [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
    &(&p[i] * &q[j]) - &(&p[j] * &q[i])
}

fn dot(p: &Vector, q: &Vector) -> Polynomial {
    &(&(&p[0] * &q[0]) + &(&p[1] * &q[1])) + &(&p[2] * &q[2])
}

/// Paths of four points as integers.
struct Paths([[IBig; 3]; 8]);

impl Paths {
    fn new(ends: &[[DVec3; 4]; 2]) -> Self {
        let flat = ends.as_flattened();
        let doubles: [f64; 24] = std::array::from_fn(|i| flat[i / 3][i % 3]);
        let integers = integers(doubles);
        Self(std::array::from_fn(|i| [0, 1, 2].map(|axis: usize| integers[3 * i + axis].clone())))
    }

    /// The path of one point seen from another.
    fn difference(&self, (to, from): (usize, usize)) -> Vector {
        [0, 1, 2].map(|axis| {
            let at = |end: usize| &self.0[end + to][axis] - &self.0[end + from][axis];
            Polynomial::between(&at(0), &at(4))
        })
    }
}
