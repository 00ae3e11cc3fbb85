// Rows, cells, and what shares them. docs/gpu.md derives all pads.
//
//   bound     faces   -> records: one box for each row
//   count, give, fill    records -> lists of cells
//   cross_lines    lines of A and lines of B in their cells -> candidates
//   enter          points and boxes of faces in their cells -> candidates

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
fn rooms(cell: u32) -> u32 { return HEAD + 2u * cell_count() + cell; }

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
            if place >= atomicLoad(&cells[rooms(cell)]) {
                atomicStore(&cells[DIFFERS], 1u);
            } else if at < ref_room() {
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
            atomicStore(&cells[rooms(i)], room);
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
    let rounding = slope * (2.0 * spot.noise + 1e-6 * away) + 1e-6 * abs(face.t);
    let pad = 2.0 * record.time_pad + spot.late + rounding;
    let slack = min(face.slack, late - early) + pad;
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
    let low = spot.at.xy - spot.noise;
    let high = spot.at.xy + spot.noise;
    for (var row = row_of(job, low.x); row <= row_of(job, high.x); row++) {
        for (var col = col_of(job, low.y); col <= col_of(job, high.y); col++) {
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
