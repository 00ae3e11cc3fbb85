// The collision screen in singles. Each entry point is one pass; docs/gpu.md has the derivation of all pads.
//
//   draw      curves  -> records: lines with a pad
//   bound     faces   -> records: one box for each row
//   count, give, fill    records -> lists of cells
//   cross     lines of A and lines of B in its cells -> candidates
//   enter     points and boxes of faces in their cells -> candidates

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
    t: f32, per_rho: f32, per_h: f32, bend: f32,
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

// atan2, as `lanes.rs` has it.
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
// the CPU are then parts of ours, and no farther from ours than the curve is.
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
        let whole = max(max(off(p.at, q.at, 0.25, a.at), off(p.at, q.at, 0.5, m.at)), off(p.at, q.at, 0.75, b.at));
        let half = max(off(p.at, m.at, 0.5, a.at), off(m.at, q.at, 0.5, b.at));
        let per_whole = max(whole.x / allowed.x, whole.y / allowed.y);
        let per_half = max(half.x / allowed.x, half.y / allowed.y);
        let is_long = abs(q.at.x - p.at.x) + abs(q.at.y - p.at.y) > 1.0 + 8.0 * noise.x;
        // Beyond that doubt the CPU may draw coarser than we do, by what it allows.
        let more = select(vec2(0.0), 2.0 * allowed, doubt >= 1.0);
        var n = 0u;
        if per_whole <= 1.0 + doubt {
            n = 1u;
            if writes {
                put(first + count, i, p, q, 1.5 * whole + more);
            }
        } else if per_half <= 1.0 + doubt {
            n = 2u;
            if writes {
                let pad = max(1.5 * half, 0.4 * whole) + more;
                put(first + count, i, p, m, pad);
                put(first + count + 1u, i, m, q, pad);
            }
        } else if per_half <= 4.0 * (1.0 + doubt) || !is_long || depth == DEPTH {
            n = 4u;
            if writes {
                let pad = max(0.5 * half, 0.125 * whole) + more;
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
    walk(i, first, true);
}

// ---- rows and cells ---------------------------------------------------------------------------

fn row_of(job: Job, rho: f32) -> i32 {
    return i32(clamp(floor((rho - job.base) / job.height), -1.0, f32(job.rows)));
}

fn col_of(job: Job, h: f32) -> i32 {
    return i32(clamp(floor((h - job.col_base) / job.col_width), 0.0, f32(job.cols - 1)));
}

// The rows of a range of rho within the band; none where x > y.
fn rows_of(job: Job, low: f32, high: f32) -> vec2<i32> {
    let first = row_of(job, low);
    let last = row_of(job, high);
    return vec2(max(first, 0), min(last, job.rows - 1));
}

// Row borders are rounded differently on the CPU.
fn border_noise(job: Job) -> f32 {
    return 1e-6 * (abs(job.base) + f32(job.rows) * job.height);
}

// Which part of a line is in a row, with its pad: fractions; none where x > y.
fn part_in_row(job: Job, record: Record, row: i32) -> vec2<f32> {
    let pad = record.pad + border_noise(job);
    let low = job.base + f32(row) * job.height - pad;
    let high = low + job.height + 2.0 * pad;
    let rise = record.q.x - record.p.x;
    if abs(rise) <= 1e-3 * pad {
        let is_in = max(record.p.x, record.q.x) >= low && min(record.p.x, record.q.x) <= high;
        return select(vec2(1.0, 0.0), vec2(0.0, 1.0), is_in);
    }
    let u = (low - record.p.x) / rise;
    let v = (high - record.p.x) / rise;
    return vec2(max(min(u, v) - 1e-5, 0.0), min(max(u, v) + 1e-5, 1.0));
}

// The lowest and the highest h and t of a part of a line, with its pads: h in x and y.
fn span_of(record: Record, part: vec2<f32>) -> vec4<f32> {
    let p = mix(record.p, record.q, part.x);
    let q = mix(record.p, record.q, part.y);
    let low = min(p, q) - vec3(0.0, record.pad, record.time_pad);
    let high = max(p, q) + vec3(0.0, record.pad, record.time_pad);
    return vec4(low.y, high.y, low.z, high.z);
}

fn cell_of(job: u32, kind: u32, row: i32, col: i32) -> u32 {
    var hash = (job * 4u + kind) * 2654435761u;
    hash = (hash ^ (hash >> 15u)) + bitcast<u32>(row) * 2246822519u;
    hash = (hash ^ (hash >> 13u)) + bitcast<u32>(col) * 3266489917u;
    hash = (hash ^ (hash >> 16u)) * 668265263u;
    return (hash ^ (hash >> 15u)) % cell_count();
}

fn counts(cell: u32) -> u32 { return HEAD + cell; }
fn starts(cell: u32) -> u32 { return HEAD + cell_count() + cell; }

@compute @workgroup_size(128)
fn bound(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = number(id);
    if i >= face_count() {
        return;
    }
    let face = faces[i];
    let job = jobs[face.job];
    var low = 3e38;
    var high = -3e38;
    for (var j = 0u; j < face.count; j++) {
        let curve = curves[lists[HEAD + face.first + j]];
        for (var k = 0u; k < curve.count && curve.first + k < record_room(); k++) {
            let line = records[curve.first + k];
            low = min(low, min(line.p.x, line.q.x) - line.pad);
            high = max(high, max(line.p.x, line.q.x) + line.pad);
        }
    }
    let rows = rows_of(job, low - border_noise(job), high + border_noise(job));
    if low > high || rows.x > rows.y {
        return;
    }
    let first = take(RECORDS, u32(rows.y - rows.x + 1));
    for (var row = rows.x; row <= rows.y; row++) {
        let place = first + u32(row - rows.x);
        if place < record_room() {
            records[place] = box_in_row(i, row);
        }
    }
}

// What a face covers in a row, with all pads and the margin.
fn box_in_row(number: u32, row: i32) -> Record {
    let face = faces[number];
    let job = jobs[face.job];
    var low = vec3(3e38);
    var high = vec3(-3e38);
    var pads = vec2(0.0);
    for (var i = 0u; i < face.count; i++) {
        let curve = curves[lists[HEAD + face.first + i]];
        for (var k = 0u; k < curve.count && curve.first + k < record_room(); k++) {
            let line = records[curve.first + k];
            let part = part_in_row(job, line, row);
            if part.x > part.y {
                continue;
            }
            let p = mix(line.p, line.q, part.x);
            let q = mix(line.p, line.q, part.y);
            let pad = vec3(line.pad, line.pad, line.time_pad);
            low = min(low, min(p, q) - pad);
            high = max(high, max(p, q) + pad);
            pads = max(pads, vec2(line.pad, line.time_pad));
        }
    }
    let wider = vec3(job.margin, job.margin, face.time_pad);
    let kind = select(select(FACE_OF_A, FACE_OF_B, face.body == 1u), NOTHING, low.x > high.x);
    return Record(low - wider, pads.x, high + wider, pads.y, number, face.job, kind, row);
}

// ---- lists of cells ---------------------------------------------------------------------------

fn add_to_cells(i: u32, job: u32, kind: u32, row: i32, cols: vec2<i32>, fills: bool) {
    for (var col = cols.x; col <= cols.y; col++) {
        let cell = cell_of(job, kind, row, col);
        let place = atomicAdd(&cells[counts(cell)], 1u);
        if fills {
            let at = atomicLoad(&cells[starts(cell)]) + place;
            if at < ref_room() {
                found[at] = i;
            }
        }
    }
}

// Puts lines of B, and boxes of faces, into the cells that they cover; or counts them there.
fn sort(i: u32, fills: bool) {
    let record = records[i];
    let job = jobs[record.job];
    if record.kind == LINE_OF_B {
        let low = min(record.p.x, record.q.x) - record.pad - border_noise(job);
        let high = max(record.p.x, record.q.x) + record.pad + border_noise(job);
        let rows = rows_of(job, low, high);
        for (var row = rows.x; row <= rows.y; row++) {
            let part = part_in_row(job, record, row);
            if part.x <= part.y {
                let span = span_of(record, part);
                let cols = vec2(col_of(job, span.x), col_of(job, span.y));
                add_to_cells(i, record.job, record.kind, row, cols, fills);
            }
        }
    } else if record.kind == FACE_OF_A || record.kind == FACE_OF_B {
        let cols = vec2(col_of(job, record.p.y), col_of(job, record.q.y));
        for (var row = row_of(job, record.p.x); row <= row_of(job, record.q.x); row++) {
            add_to_cells(i, record.job, record.kind, row, cols, fills);
        }
    }
}

fn is_record(i: u32) -> bool {
    return i < min(atomicLoad(&cells[RECORDS]), record_room());
}

@compute @workgroup_size(128)
fn count(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = number(id);
    if is_record(i) {
        sort(i, false);
    }
}

@compute @workgroup_size(128)
fn give(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = number(id);
    if i < cell_count() {
        let room = atomicExchange(&cells[counts(i)], 0u);
        if room > 0u {
            atomicStore(&cells[starts(i)], take(REFS, room));
        }
    }
}

@compute @workgroup_size(128)
fn fill(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = number(id);
    if is_record(i) {
        sort(i, true);
    }
}

// The references of a cell: from x up to y.
fn refs_of(cell: u32) -> vec2<u32> {
    let room = atomicLoad(&cells[counts(cell)]);
    if room == 0u {
        return vec2(0u);
    }
    let start = atomicLoad(&cells[starts(cell)]);
    return min(vec2(start, start + room), vec2(ref_room()));
}

fn hand_on(first: u32, second: u32) {
    let place = take(CANDIDATES, 1u);
    if place < candidate_room() {
        found[ref_room() + 2u * place] = first;
        found[ref_room() + 2u * place + 1u] = second;
    }
}

// ---- crossings --------------------------------------------------------------------------------

// Lines of the CPU are met this far beyond their ends, as fractions; a little more for rounding.
const BEYOND: f32 = 2e-3;

fn product(v: vec2<f32>, w: vec2<f32>) -> f32 {
    return v.x * w.y - v.y * w.x;
}

// Whether the curve of a line of A and that of a line of B can cross at a time that counts.
//
// Where they do, points of the lines are apart by some e, in each coordinate at most by both pads.
// The lines themselves then cross at fractions that differ by e x q / (p x q) and e x p / (p x q).
fn may_cross(job: Job, p: Record, q: Record) -> bool {
    let low_p = min(p.p, p.q) - vec3(p.pad, p.pad, p.time_pad);
    let high_p = max(p.p, p.q) + vec3(p.pad, p.pad, p.time_pad);
    let low_q = min(q.p, q.q) - vec3(q.pad, q.pad, q.time_pad);
    let high_q = max(q.p, q.q) + vec3(q.pad, q.pad, q.time_pad);
    if any(low_p.xy > high_q.xy) || any(low_q.xy > high_p.xy) {
        return false;
    }
    if high_p.z - low_q.z < job.soonest || low_p.z - high_q.z > job.latest {
        return false;
    }
    let along_p = p.q - p.p;
    let along_q = q.q - q.p;
    let between = q.p.xy - p.p.xy;
    let turn = product(along_p.xy, along_q.xy);
    let pad = p.pad + q.pad;
    let size = abs(turn);
    let slack_u = pad * (abs(along_q.x) + abs(along_q.y)) + BEYOND * size;
    let slack_v = pad * (abs(along_p.x) + abs(along_p.y)) + BEYOND * size;
    let side = select(-1.0, 1.0, turn >= 0.0);
    let u = product(between, along_q.xy) * side;
    let v = product(between, along_p.xy) * side;
    if u < -slack_u || u > size + slack_u || v < -slack_v || v > size + slack_v {
        return false;
    }
    // Lines that are nearly parallel cross anywhere.
    let per_turn = 1.0 / max(size, 1e-20);
    let on_p = clamp(vec2(u - slack_u, u + slack_u) * per_turn, vec2(-BEYOND), vec2(1.0 + BEYOND));
    let on_q = clamp(vec2(v - slack_v, v + slack_v) * per_turn, vec2(-BEYOND), vec2(1.0 + BEYOND));
    let times_p = p.p.z + on_p * along_p.z;
    let times_q = q.p.z + on_q * along_q.z;
    let late = p.time_pad + q.time_pad;
    return max(times_p.x, times_p.y) - min(times_q.x, times_q.y) >= job.soonest - late
        && min(times_p.x, times_p.y) - max(times_q.x, times_q.y) <= job.latest + late;
}

@compute @workgroup_size(128)
fn cross_lines(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = number(id);
    if !is_record(i) || records[i].kind != LINE_OF_A {
        return;
    }
    let line = records[i];
    let job = jobs[line.job];
    let low = min(line.p.x, line.q.x) - line.pad - border_noise(job);
    let high = max(line.p.x, line.q.x) + line.pad + border_noise(job);
    let rows = rows_of(job, low, high);
    var last = 0xffffffffu;
    for (var row = rows.x; row <= rows.y; row++) {
        let part = part_in_row(job, line, row);
        if part.x > part.y {
            continue;
        }
        let span = span_of(line, part);
        for (var col = col_of(job, span.x); col <= col_of(job, span.y); col++) {
            let refs = refs_of(cell_of(line.job, LINE_OF_B, row, col));
            for (var k = refs.x; k < refs.y; k++) {
                let other = records[found[k]];
                let is_other = other.kind == LINE_OF_B && other.job == line.job;
                if is_other && other.owner != last && may_cross(job, line, other) {
                    last = other.owner;
                    hand_on(line.owner, other.owner);
                }
            }
        }
    }
}

// ---- points in faces --------------------------------------------------------------------------

// The times at which a face may be at a place: those of the CPU, and what singles may add.
fn times_at(face: Face, record: Record, spot: Spot) -> vec2<f32> {
    let early = record.p.z;
    let late = record.q.z;
    let slope = abs(face.per_rho) + abs(face.per_h);
    let time = face.t + face.per_rho * (spot.at.x - face.rho) + face.per_h * (spot.at.y - face.h);
    // What is not finite, or nearly so, says nothing.
    if face.has_ramp == 0u || !(abs(time) < 1e30) || !(slope < 1e15) {
        return vec2(early, late);
    }
    let away = abs(spot.at.x - face.rho) + abs(spot.at.y - face.h);
    let pad = 2.0 * record.time_pad + spot.late + slope * (2.0 * spot.noise + 1e-6 * away) + 1e-6 * abs(face.t);
    let slack = min(face.time_pad + slope * face.bend, late - early) + pad;
    return vec2(clamp(time - pad, early, late) - slack, clamp(time + pad, early, late) + slack);
}

fn is_in(job: Job, record: Record, spot: Spot, from_a: bool) -> bool {
    let at = spot.at;
    if any(at.xy < record.p.xy - spot.noise) || any(at.xy > record.q.xy + spot.noise) {
        return false;
    }
    let times = times_at(faces[record.owner], record, spot);
    let lags = vec2(times.x - at.z - spot.late, times.y - at.z + spot.late);
    let span = select(lags, vec2(-lags.y, -lags.x), from_a);
    return span.x <= job.latest && span.y >= job.soonest;
}

@compute @workgroup_size(128)
fn enter(@builtin(global_invocation_id) id: vec3<u32>) {
    let i = number(id);
    if i >= point_count() {
        return;
    }
    let point = points[i];
    let job = jobs[point.job];
    let has_angles = (point.flags & IN_ANGLES) != 0u;
    let at = vec3(point.x, point.y, point.z);
    let spot = place(job, at, has_angles, point.start, point.end, point.shift);
    let from_a = (point.flags & OF_B) == 0u;
    let kind = select(FACE_OF_A, FACE_OF_B, from_a);
    var last = 0xffffffffu;
    for (var row = row_of(job, spot.at.x - spot.noise); row <= row_of(job, spot.at.x + spot.noise); row++) {
        for (var col = col_of(job, spot.at.y - spot.noise); col <= col_of(job, spot.at.y + spot.noise); col++) {
            let refs = refs_of(cell_of(point.job, kind, row, col));
            for (var k = refs.x; k < refs.y; k++) {
                let record = records[found[k]];
                let is_face = record.kind == kind && record.job == point.job;
                if is_face && record.owner != last && is_in(job, record, spot, from_a) {
                    last = record.owner;
                    hand_on(i | POINT_IN_FACE, record.owner);
                }
            }
        }
    }
}
