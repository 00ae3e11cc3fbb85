//! Many sheets side by side, as the shader reads them.
//!
//! Every record is an array of words; floats are in them by their bits. The layouts are those of
//! the structs at the top of `draw.wgsl`.

use chasles::screen::device::{Angles, Candidates, Curve, Face, Plan, Point, Sheet};

/// Lists begin with so many numbers of their own, as in the shader.
pub(crate) const HEAD: usize = 16;

/// Flags of curves and points, as in the shader.
const STRAIGHT: u32 = 1;
const EDGE: u32 = 2;
const IN_ANGLES: u32 = 4;
const OF_B: u32 = 8;

/// A candidate of a point and a face has this bit in its first number, as in the shader.
const POINT_IN_FACE: u32 = 1 << 31;

/// Columns of a sheet at most: cells are as wide as rows are high, or wider.
const MOST_COLUMNS: f32 = 1024.0;

/// What a dispatch works on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    pub(crate) jobs: Vec<[u32; 16]>,
    pub(crate) curves: Vec<[u32; 16]>,
    pub(crate) faces: Vec<[u32; 12]>,
    pub(crate) points: Vec<[u32; 8]>,
    /// The curves that bound faces, behind the numbers of the lists.
    pub(crate) lists: Vec<u32>,
    /// Of each job, where the curves, faces and points of A and of B begin.
    starts: Vec<[Start; 2]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Start {
    curve: u32,
    face: u32,
    point: u32,
}

impl Batch {
    /// An empty batch, in the memory of this one.
    pub(crate) fn clear(&mut self) {
        self.jobs.clear();
        self.curves.clear();
        self.faces.clear();
        self.points.clear();
        self.starts.clear();
        self.lists.clear();
        self.lists.resize(HEAD, 0);
    }

    /// Adds all sheets of a plan.
    pub(crate) fn add(&mut self, plan: &Plan<'_>) {
        for sheet in plan.sheets() {
            let job = self.jobs.len() as u32;
            self.jobs.push(job_of(sheet));
            let starts = [0, 1].map(|body| self.add_body(sheet, job, body));
            self.starts.push(starts);
        }
    }

    fn add_body(&mut self, sheet: &Sheet<'_>, job: u32, body: u32) -> Start {
        let listed = &sheet.bodies[body as usize];
        let start = Start {
            curve: self.curves.len() as u32,
            face: self.faces.len() as u32,
            point: self.points.len() as u32,
        };
        let of_body = if body == 1 { OF_B } else { 0 };
        self.curves.extend(listed.curves().map(|curve| curve_of(&curve, job, of_body)));
        for face in listed.faces() {
            let first = (self.lists.len() - HEAD) as u32;
            self.lists.extend(face.curves.iter().map(|curve| start.curve + curve));
            self.faces.push(face_of(&face, [job, body, first]));
        }
        self.points.extend(listed.points().map(|point| point_of(&point, job, of_body)));
        start
    }

    /// What the device reads, in the order of its bindings.
    pub(crate) fn inputs(&self) -> [&[u8]; 5] {
        [
            bytemuck::cast_slice(&self.jobs),
            bytemuck::cast_slice(&self.curves),
            bytemuck::cast_slice(&self.faces),
            bytemuck::cast_slice(&self.points),
            bytemuck::cast_slice(&self.lists),
        ]
    }

    /// Sorts what the device found by sheets; `None` if there are numbers that nothing has.
    pub(crate) fn sorted(&self, found: &[[u32; 2]]) -> Option<Vec<Candidates>> {
        let mut all = vec![Candidates::default(); self.jobs.len()];
        for &[first, second] in found {
            if first & POINT_IN_FACE == 0 {
                let job = self.curves.get(first as usize)?[3] as usize;
                let [a, b] = self.starts.get(job)?;
                let pair = [first.checked_sub(a.curve)?, second.checked_sub(b.curve)?];
                all[job].edges.push(pair);
            } else {
                let point = first & !POINT_IN_FACE;
                let words = self.points.get(point as usize)?;
                let body = usize::from(words[7] & OF_B != 0);
                let starts = self.starts.get(words[3] as usize)?;
                let face = second.checked_sub(starts[1 - body].face)?;
                let pair = [point - starts[body].point, face];
                all[words[3] as usize].points[body].push(pair);
            }
        }
        Some(all)
    }
}

fn job_of(sheet: &Sheet<'_>) -> [u32; 16] {
    let screen = sheet.screen();
    let [low, high] = screen.heights;
    let width = if (high - low).is_finite() { (high - low) / (MOST_COLUMNS - 2.0) } else { 0.0 };
    let width = width.max(screen.row_height);
    let low = if low.is_finite() { low } else { 0.0 };
    let columns = ((high - low) / width).clamp(0.0, MOST_COLUMNS - 2.0) + 2.0;
    let [soonest, latest] = screen.window;
    let f = f32::to_bits;
    [
        f(screen.kappa),
        f(screen.sigma),
        f(screen.glide),
        f(screen.base),
        f(screen.row_height),
        screen.rows,
        f(low),
        f(width),
        columns as u32,
        f(screen.departure),
        f(screen.time_resolution),
        f(screen.margin),
        f(soonest),
        f(latest),
        0,
        0,
    ]
}

fn words(angles: Option<Angles>) -> ([u32; 3], u32) {
    match angles {
        Some(Angles { from, to, shift }) => ([from, to, shift].map(f32::to_bits), IN_ANGLES),
        None => ([0; 3], 0),
    }
}

fn curve_of(curve: &Curve, job: u32, of_body: u32) -> [u32; 16] {
    let [[px, py, pz], [qx, qy, qz]] = curve.ends.map(|end| end.map(f32::to_bits));
    let ([start, end, shift], in_angles) = words(curve.angles);
    let straight = if curve.is_straight { STRAIGHT } else { 0 };
    let edge = if curve.is_edge { EDGE } else { 0 };
    let flags = straight | edge | in_angles | of_body;
    [px, py, pz, job, qx, qy, qz, flags, start, end, shift, 0, 0, 0, 0, 0]
}

fn face_of(face: &Face<'_>, [job, body, first]: [u32; 3]) -> [u32; 12] {
    // Beyond that, and where slopes have no numbers, a ramp says nothing.
    let is_of_use = |slopes: &[f32; 2]| slopes.iter().all(|slope| slope.abs() < 1e15);
    let ramp = face.ramp.filter(|(at, slopes, slack)| {
        is_of_use(slopes) && slack.is_finite() && at.iter().all(|x| x.is_finite())
    });
    let ([rho, h, t], [per_rho, per_h], slack) = ramp.unwrap_or_default();
    let [rho, h, t, per_rho, per_h, slack] = [rho, h, t, per_rho, per_h, slack].map(f32::to_bits);
    let (count, has_ramp) = (face.curves.len() as u32, u32::from(ramp.is_some()));
    let pad = face.time_pad.to_bits();
    [job, body, first, count, pad, has_ramp, rho, h, t, per_rho, per_h, slack]
}

fn point_of(point: &Point, job: u32, of_body: u32) -> [u32; 8] {
    let [x, y, z] = point.at.map(f32::to_bits);
    let ([start, end, shift], in_angles) = words(point.angles);
    [x, y, z, job, start, end, shift, in_angles | of_body]
}
