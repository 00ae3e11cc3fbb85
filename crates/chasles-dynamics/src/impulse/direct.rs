//! Contacts solved at once, for what is thought to stick, slide and open.
//!
//! With the state of every contact given, the problem is linear: a contact that sticks has three
//! unknowns and no velocity, one that slides has its impulse along one line of the cone, one that
//! opens has none. Contacts that turn out to pull are opened, those that leave the cone slide, until
//! none does.
//!
//! **Redundant contacts.** Four corners of a box on a floor have one impulse too many. The matrix
//! gets a small multiple of the identity, and the residual is solved for again a few times: the
//! parts that matter converge, and of those that do not the least is taken, so symmetric contacts
//! get symmetric impulses.

use glam::{DMat3, DVec3};

use super::Response;
use super::relax::{Row, State};
use super::spot::across;
use crate::body::Velocity;

/// Share of a contact's own softness that is added to it. Above the rounding of the elimination by
/// four orders, and with [`REPEATS`] far below what two bodies of mass ratio 1e6 need.
const SLACK: f64 = 1e-12;

/// Solutions of the residual: each divides the error of what matters by its size over [`SLACK`].
const REPEATS: usize = 4;

/// Contacts this share of the fastest above their least speed count as closed: sweeps leave about
/// as much, and one too many is opened again.
const NEAR: f64 = 1e-3;

/// How contacts change each other's velocities.
#[derive(Clone, Debug)]
pub(super) struct Direct {
    /// Row by row: the change at one contact by an impulse at another.
    blocks: Vec<DMat3>,
}

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Open,
    Stick,
    /// Along the normal plus this.
    Slide(DVec3),
}

impl Direct {
    pub(super) fn new<R: Response>(response: &R, state: &State<'_, R>, rows: &[Row]) -> Self {
        let count = rows.len();
        let mut blocks = vec![DMat3::ZERO; count * count];
        let mut still = vec![Velocity::ZERO; state.velocities.len()];
        for (column, from) in rows.iter().enumerate() {
            let Some(from) = &from.spot else { continue };
            for axis in 0..3 {
                still.fill(Velocity::ZERO);
                response.push(&mut still, from.bodies, from.point, DVec3::AXES[axis]);
                for (row, to) in rows.iter().enumerate() {
                    if let Some(to) = &to.spot {
                        let change = response.approach(&still, to.bodies, to.point);
                        *blocks[row * count + column].col_mut(axis) = change;
                    }
                }
            }
        }
        Self { blocks }
    }

    /// The impulses of all contacts, from what they do now.
    pub(super) fn impulses<R: Response>(&self, state: &State<'_, R>, rows: &[Row]) -> Vec<DVec3> {
        let now: Vec<_> = rows.iter().map(|row| row.spot.as_ref().map(|s| state.at(s))).collect();
        let fastest = now.iter().flatten().map(|v| v.length()).fold(0.0, f64::max);
        let free = self.without(&now, &state.impulses);
        let mut modes: Vec<_> = (0..rows.len())
            .map(|i| mode(&rows[i], state.impulses[i], now[i], NEAR * fastest))
            .collect();
        let mut impulses = self.solve(&modes, rows, &free);
        // Every round opens or loosens a contact, so there are at most two for each.
        for _ in 0..2 * rows.len() {
            if !revise(&mut modes, rows, &impulses) {
                break;
            }
            impulses = self.solve(&modes, rows, &free);
        }
        impulses
    }

    /// The velocities at the contacts if there were no impulses.
    fn without(&self, now: &[Option<DVec3>], impulses: &[DVec3]) -> Vec<DVec3> {
        let rows = self.blocks.chunks(now.len());
        rows.zip(now)
            .map(|(row, now)| {
                let made: DVec3 = row.iter().zip(impulses).map(|(block, p)| *block * *p).sum();
                now.unwrap_or_default() - made
            })
            .collect()
    }

    /// The impulses if every contact does what is said.
    fn solve(&self, modes: &[Mode], rows: &[Row], free: &[DVec3]) -> Vec<DVec3> {
        let unknowns: Vec<_> =
            modes.iter().enumerate().flat_map(|(i, mode)| unknowns(i, mode, &rows[i])).collect();
        let size = unknowns.len();
        let scale: Vec<_> = unknowns
            .iter()
            .map(|u| self.entry(rows.len(), u, u.at).max(f64::MIN_POSITIVE).sqrt().recip())
            .collect();
        let mut matrix = Vec::with_capacity(size * size);
        for (i, u) in unknowns.iter().enumerate() {
            for (j, w) in unknowns.iter().enumerate() {
                matrix.push(self.between(rows.len(), u, w) * scale[i] * scale[j]);
            }
        }
        let wanted = |(u, scale): (&Unknown, &f64)| scale * (u.least - u.test.dot(free[u.at]));
        let wanted: Vec<_> = unknowns.iter().zip(&scale).map(wanted).collect();
        let found = repeated(&matrix, &wanted);
        let mut impulses = vec![DVec3::ZERO; rows.len()];
        for ((u, scale), found) in unknowns.iter().zip(&scale).zip(found) {
            impulses[u.at] += scale * found * u.line;
        }
        impulses
    }

    /// The softness of a contact along the test of an unknown.
    fn entry(&self, count: usize, u: &Unknown, at: usize) -> f64 {
        u.test.dot(self.blocks[at * count + at] * u.test)
    }

    fn between(&self, count: usize, u: &Unknown, w: &Unknown) -> f64 {
        u.test.dot(self.blocks[u.at * count + w.at] * w.line)
    }
}

/// One number to find: the impulse at a contact along a line, for a given speed along a test.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    at: usize,
    line: DVec3,
    test: DVec3,
    least: f64,
}

fn unknowns(at: usize, mode: &Mode, row: &Row) -> Vec<Unknown> {
    let Some(spot) = &row.spot else { return Vec::new() };
    let normal = spot.normal;
    let along = |line, test, least| Unknown { at, line, test, least };
    match *mode {
        Mode::Open => Vec::new(),
        Mode::Slide(side) => vec![along(normal + side, normal, row.least)],
        Mode::Stick => {
            let (first, second) = normal.any_orthonormal_pair();
            vec![
                along(normal, normal, row.least),
                along(first, first, 0.0),
                along(second, second, 0.0),
            ]
        }
    }
}

/// What a contact does, judged by its impulse and velocity.
fn mode(row: &Row, impulse: DVec3, velocity: Option<DVec3>, near: f64) -> Mode {
    let (Some(spot), Some(velocity)) = (&row.spot, velocity) else { return Mode::Open };
    let pushed = spot.normal.dot(impulse);
    if pushed <= 0.0 && spot.normal.dot(velocity) > row.least + near {
        return Mode::Open;
    }
    loosened(row, spot.normal, impulse, 1.0 - 1e-9).unwrap_or(Mode::Stick)
}

/// Sliding, if an impulse is outside of a share of the cone.
fn loosened(row: &Row, normal: DVec3, impulse: DVec3, share: f64) -> Option<Mode> {
    let side = across(normal, impulse);
    let allowed = row.friction * normal.dot(impulse);
    let slides = row.friction == 0.0 || side.length() > share * allowed;
    slides.then(|| Mode::Slide(row.friction * side.normalize_or_zero()))
}

/// Opens contacts that pull and loosens those that leave the cone; whether there was one.
///
/// Pulls first: they change the impulses of the others.
fn revise(modes: &mut [Mode], rows: &[Row], impulses: &[DVec3]) -> bool {
    let push = |i: usize| rows[i].spot.as_ref().map_or(0.0, |spot| spot.normal.dot(impulses[i]));
    let strongest = (0..rows.len()).map(push).fold(0.0, |most: f64, push| most.max(push.abs()));
    let worst = (0..rows.len()).min_by(|&i, &j| push(i).total_cmp(&push(j)));
    if let Some(worst) = worst.filter(|&i| push(i) < -1e-12 * strongest) {
        modes[worst] = Mode::Open;
        return true;
    }
    let mut changed = false;
    for (i, row) in rows.iter().enumerate() {
        if let (Mode::Stick, Some(spot)) = (modes[i], &row.spot) {
            if let Some(slide) = loosened(row, spot.normal, impulses[i], 1.0 + 1e-9) {
                modes[i] = slide;
                changed = true;
            }
        }
    }
    changed
}

/// Solves a square system with a slack on its diagonal, and again for what is left.
fn repeated(matrix: &[f64], wanted: &[f64]) -> Vec<f64> {
    let size = wanted.len();
    let mut found = vec![0.0; size];
    let mut left = wanted.to_vec();
    for _ in 0..REPEATS {
        let Some(more) = eliminated(matrix, &left) else { break };
        for (found, more) in found.iter_mut().zip(more) {
            *found += more;
        }
        for (i, left) in left.iter_mut().enumerate() {
            let row = &matrix[i * size..(i + 1) * size];
            *left = wanted[i] - row.iter().zip(&found).map(|(a, x)| a * x).sum::<f64>();
        }
    }
    found
}

/// Gaussian elimination with partial pivoting; nothing if a pivot vanishes.
fn eliminated(matrix: &[f64], wanted: &[f64]) -> Option<Vec<f64>> {
    let size = wanted.len();
    let mut rows: Vec<Vec<f64>> = (0..size)
        .map(|i| {
            let mut row = matrix[i * size..(i + 1) * size].to_vec();
            row[i] += SLACK;
            row.push(wanted[i]);
            row
        })
        .collect();
    for k in 0..size {
        let pivot = (k..size).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs()))?;
        rows.swap(k, pivot);
        let (above, below) = rows.split_at_mut(k + 1);
        let top = &above[k];
        if top[k] == 0.0 || !top[k].is_finite() {
            return None;
        }
        for row in below {
            let factor = row[k] / top[k];
            for (value, top) in row[k..].iter_mut().zip(&top[k..]) {
                *value -= factor * top;
            }
        }
    }
    let mut found = vec![0.0; size];
    for k in (0..size).rev() {
        let known: f64 = (k + 1..size).map(|j| rows[k][j] * found[j]).sum();
        found[k] = (rows[k][size] - known) / rows[k][k];
    }
    Some(found)
}
