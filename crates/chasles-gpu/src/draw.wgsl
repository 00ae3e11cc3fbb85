// What there is, projection, and drawing. docs/gpu.md derives all pads.
//
//   draw      curves  -> records: lines with a pad

struct Job {
    kappa: f32, sigma: f32, glide: f32,
    base: f32, height: f32, rows: i32,
    col_base: f32, col_width: f32, cols: i32,
    departure: f32, time_resolution: f32, margin: f32,
    soonest: f32, latest: f32,
    unused_a: u32, unused_b: u32,
}

struct Curve {
    px: f32, py: f32, pz: f32, job: u32,
    qx: f32, qy: f32, qz: f32, flags: u32,
    start: f32, end: f32, shift: f32,
    first: u32, count: u32,
    unused_a: u32, unused_b: u32, unused_c: u32,
}

struct Face {
    job: u32, body: u32, first: u32, count: u32,
    time_pad: f32, has_ramp: u32, rho: f32, h: f32,
    t: f32, per_rho: f32, per_h: f32, slack: f32,
}

struct Point {
    x: f32, y: f32, z: f32, job: u32,
    start: f32, end: f32, shift: f32, flags: u32,
}

// A line from p to q, or a box from its lowest to its highest corner.
struct Record {
    p: vec3<f32>, pad: f32,
    q: vec3<f32>, time_pad: f32,
    owner: u32, job: u32, kind: u32, row: i32,
}

const STRAIGHT = 1u;
const EDGE = 2u;
const IN_ANGLES = 4u;
const OF_B = 8u;

const LINE_OF_A = 0u;
const LINE_OF_B = 1u;
const FACE_OF_A = 2u;
const FACE_OF_B = 3u;
const NOTHING = 4u;

// Counters at the start of `cells`, and numbers at the start of `lists`.
const RECORDS = 0u;
const REFS = 1u;
const CANDIDATES = 2u;
const WRAPPED = 3u;
// Not 0 if a pass counts otherwise than the one before, as where it is rounded otherwise.
const DIFFERS = 4u;
const HEAD = 16u;

const PI = 3.14159265;
const TAU = 6.28318531;
const POINT_IN_FACE = 0x80000000u;

@group(0) @binding(0) var<storage, read> jobs: array<Job>;
@group(0) @binding(1) var<storage, read_write> curves: array<Curve>;
@group(0) @binding(2) var<storage, read> faces: array<Face>;
@group(0) @binding(3) var<storage, read> points: array<Point>;
@group(0) @binding(4) var<storage, read> lists: array<u32>;
@group(0) @binding(5) var<storage, read_write> records: array<Record>;
@group(0) @binding(6) var<storage, read_write> cells: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> found: array<u32>;

fn curve_count() -> u32 { return lists[0]; }
fn face_count() -> u32 { return lists[1]; }
fn point_count() -> u32 { return lists[2]; }
fn record_room() -> u32 { return lists[3]; }
fn ref_room() -> u32 { return lists[4]; }
fn candidate_room() -> u32 { return lists[5]; }
fn cell_count() -> u32 { return lists[6]; }

// Groups are dispatched in rows of so many.
const ROW = 32768u;
const GROUP = 128u;

fn number(id: vec3<u32>) -> u32 { return id.x + id.y * ROW * GROUP; }

// Room for so many more; where the count itself wraps around, that is noted.
fn take(counter: u32, count: u32) -> u32 {
    let start = atomicAdd(&cells[counter], count);
    if start + count < start {
        atomicStore(&cells[WRAPPED], 1u);
    }
    return start;
}

// ---- projection -------------------------------------------------------------------------------

struct Spot {
    // rho, h and t.
    at: vec3<f32>,
    // How far singles may be off, in pixels and in time.
    noise: f32, late: f32,
}

// atan2, as `screen/place/lanes.rs` has it.
fn angle(y: f32, x: f32) -> f32 {
    let ax = abs(x);
    let ay = abs(y);
    let t = min(ax, ay) / max(max(ax, ay), 1.2e-38);
    let z = t * t;
    let w = z * z;
    let low = 0.9999992 + -0.33325678 * z + w * (0.1987204 + -0.13447864 * z);
    let small = t * (low + w * w * (0.083126456 + -0.03636043 * z + w * 0.007648354));
    let quarter = select(small, 0.5 * PI - small, ay > ax);
    let half = select(quarter, PI - quarter, x < 0.0);
    return select(half, -half, y < 0.0);
}

// Roundings of singles, times how many there are in a row.
const ROUNDING = 1e-6;

fn place(job: Job, at: vec3<f32>, has_angles: bool, start: f32, end: f32, shift: f32) -> Spot {
    let cx = job.kappa * at.x;
    let cz = 1.0 + job.kappa * at.z;
    let root = sqrt(cx * cx + cz * cz);
    let rho = (2.0 * at.z + job.kappa * (at.x * at.x + at.z * at.z)) / (1.0 + root);
    var s = at.x;
    if job.kappa > 0.0 {
        var phi = angle(cx, cz);
        if has_angles {
            let off = phi - 0.5 * (start + end);
            if abs(off) > PI {
                phi -= TAU * sign(off);
            }
            phi = clamp(phi, start, end) + shift;
        }
        s = phi / job.kappa;
    }
    let across = job.sigma * max(root, 1e-12);
    let arc = root * s;
    let inverse = 1.0 / sqrt(max(across * across + job.glide * job.glide, 1e-30));
    let h = (at.y * across - arc * job.glide) * inverse;
    let t = (at.y * job.glide + arc * across) * inverse * inverse;
    // Near the axis distances from it, and angles about it, are known less well.
    let size = abs(at.x) + abs(at.y) + abs(at.z) + abs(arc);
    let noise = ROUNDING * size * (1.0 + 1.0 / max(root, 1e-6)) + 1e-4;
    return Spot(vec3(rho, h, t), noise, noise * inverse);
}

fn on_curve(job: Job, curve: Curve, f: f32) -> Spot {
    let p = vec3(curve.px, curve.py, curve.pz);
    let q = vec3(curve.qx, curve.qy, curve.qz);
    let at = p + f * (q - p);
    let has_angles = (curve.flags & IN_ANGLES) != 0u;
    return place(job, at, has_angles, curve.start, curve.end, curve.shift);
}

// ---- drawing ----------------------------------------------------------------------------------

// How far m is from f of the way between p and q, in pixels and in time.
fn off(p: vec3<f32>, q: vec3<f32>, f: f32, m: vec3<f32>) -> vec2<f32> {
    let apart = abs(p + f * (q - p) - m);
    return vec2(max(apart.x, apart.y), apart.z);
}

fn put(place: u32, curve: u32, p: Spot, q: Spot, pad: vec2<f32>) {
    if place >= record_room() {
        return;
    }
    let c = curves[curve];
    let noise = vec2(max(p.noise, q.noise), max(p.late, q.late));
    let body = select(LINE_OF_A, LINE_OF_B, (c.flags & OF_B) != 0u);
    let kind = select(NOTHING, body, (c.flags & EDGE) != 0u);
    let all = pad + 2.0 * noise;
    records[place] = Record(p.at, all.x, q.at, all.y, curve, c.job, kind, 0);
}

const DEPTH = 10u;

// Draws a curve as lines, or counts them. It is halved as on the CPU, but a little later: pieces of
// the CPU are then parts of ours, and no farther from ours than the curve is. Where no rounding can
// have led the CPU to other pieces, they are the same, and need no pad but that of roundings.
fn walk(i: u32, first: u32, writes: bool) -> u32 {
    let curve = curves[i];
    let job = jobs[curve.job];
    let allowed = vec2(job.departure, job.time_resolution);
    var count = 0u;
    var depth = 0u;
    var k = 0u;
    loop {
        let width = 1.0 / f32(1u << depth);
        let from_f = f32(k) * width;
        let p = on_curve(job, curve, from_f);
        let a = on_curve(job, curve, from_f + 0.25 * width);
        let m = on_curve(job, curve, from_f + 0.5 * width);
        let b = on_curve(job, curve, from_f + 0.75 * width);
        let q = on_curve(job, curve, from_f + width);
        let noise = vec2(max(max(p.noise, m.noise), q.noise), max(max(p.late, m.late), q.late));
        let doubt = min(0.001 + 4.0 * max(noise.x / allowed.x, noise.y / allowed.y), 1.0);
        let sides = max(off(p.at, q.at, 0.25, a.at), off(p.at, q.at, 0.75, b.at));
        let whole = max(sides, off(p.at, q.at, 0.5, m.at));
        let half = max(off(p.at, m.at, 0.5, a.at), off(m.at, q.at, 0.5, b.at));
        let per_whole = max(whole.x / allowed.x, whole.y / allowed.y);
        let per_half = max(half.x / allowed.x, half.y / allowed.y);
        let length = abs(q.at.x - p.at.x) + abs(q.at.y - p.at.y);
        let is_long = length > 1.0 + 8.0 * noise.x;
        // Beyond that doubt the CPU may draw coarser than we do, by what it allows.
        let more = select(vec2(0.0), 2.0 * allowed, doubt >= 1.0);
        // Departures of the CPU are ours but for the doubt.
        let is_sure = doubt < 1.0;
        var n = 0u;
        if per_whole <= 1.0 + doubt {
            n = 1u;
            if writes {
                let same = is_sure && per_whole <= 1.0 - doubt;
                put(first + count, i, p, q, select(1.5 * whole + more, vec2(0.0), same));
            }
        } else if per_half <= 1.0 + doubt {
            n = 2u;
            if writes {
                let same = is_sure && per_half <= 1.0 - doubt;
                let pad = select(max(1.5 * half, 0.4 * whole) + more, vec2(0.0), same);
                put(first + count, i, p, m, pad);
                put(first + count + 1u, i, m, q, pad);
            }
        } else if per_half <= 4.0 * (1.0 + doubt) || !is_long || depth == DEPTH {
            n = 4u;
            if writes {
                let is_short = length <= 1.0 - 8.0 * noise.x;
                let same = is_sure && (per_half <= 4.0 - doubt || is_short || depth == DEPTH);
                let pad = select(max(0.5 * half, 0.125 * whole) + more, vec2(0.0), same);
                put(first + count, i, p, a, pad);
                put(first + count + 1u, i, a, m, pad);
                put(first + count + 2u, i, m, b, pad);
                put(first + count + 3u, i, b, q, pad);
            }
        }
        if n == 0u {
            depth += 1u;
            k *= 2u;
            continue;
        }
        count += n;
        k += 1u;
        while depth > 0u && (k & 1u) == 0u {
            k /= 2u;
            depth -= 1u;
        }
        if depth == 0u {
            break;
        }
    }
    return count;
}

@compute @workgroup_size(128)
fn draw(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = number(id);
    if i >= curve_count() {
        return;
    }
    if (curves[i].flags & STRAIGHT) != 0u {
        let first = take(RECORDS, 1u);
        curves[i].first = first;
        curves[i].count = 1u;
        let job = jobs[curves[i].job];
        put(first, i, on_curve(job, curves[i], 0.0), on_curve(job, curves[i], 1.0), vec2(0.0));
        return;
    }
    let count = walk(i, 0u, false);
    let first = take(RECORDS, count);
    curves[i].first = first;
    curves[i].count = count;
    if walk(i, first, true) != count {
        atomicStore(&cells[DIFFERS], 1u);
    }
}
