// Whether the engine in WebAssembly answers as the native one does, and how fast.
//
//     node .ci/web/agree.mjs ENGINE ANSWERS CASES [SPEED] [--bits]
//
// ENGINE is the folder of the npm package, ANSWERS the native example of chasles-web, CASES a
// folder of labelled cases ("-" for none). With SPEED, a folder of speed cases, both are timed in
// turn. With --bits the example was built with the feature `libm`: all numbers must be the same to
// the last bit, and some worlds run for ten seconds.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, answers, cases, speed] = process.argv.slice(2).filter((word) => word !== "--bits");
const isExact = process.argv.includes("--bits");

/** What sines and cosines of another platform may change, in parts of the size of the scene. */
const TOLERANCE = isExact ? 0 : 1e-13;

/**
 * Worlds of which ten seconds are compared to the bit; of all others a step. Worlds are chaotic:
 * what differs in the last bit grows with every bounce.
 */
const LONG = isExact ? ["simulate-cars", "simulate-dominoes", "simulate-rocks"] : [];

/** How much longer than natively a query may take. */
const SLOWEST = 1.6;

const load = async (name) => {
  const engine = await import(pathToFileURL(path.join(folder, `${name}.js`)));
  engine.initSync({ module: fs.readFileSync(path.join(folder, `${name}_bg.wasm`)) });
  return engine;
};
const whole = await load("chasles");
const small = await load("chasles-detect");

const native = (...words) =>
  execFileSync(answers, words, { maxBuffer: 1 << 30 })
    .toString()
    .trim()
    .split("\n")
    .map(JSON.parse);

const filesOf = (name) =>
  fs
    .readdirSync(name)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => path.join(name, file));

const poseOf = ({ position, rotation }) => [...position, ...rotation];

/** A labelled case: two meshes, each with its poses. */
function pairOf(engine, file) {
  const parsed = JSON.parse(fs.readFileSync(file));
  const [a, b] = [parsed.a, parsed.b].map(({ vertices, faces, start, end }) => ({
    body: engine.Body.mesh(
      vertices.flat(),
      faces.map((face) => face.length),
      faces.flat(),
    ),
    motion: engine.Motion.between(poseOf(start), poseOf(end)),
  }));
  const size = Math.max(
    1,
    ...[parsed.a, parsed.b].flatMap((body) => body.vertices.flat().map(Math.abs)),
  );
  return { pair: new engine.Pair(a.body, b.body, a.motion, b.motion), size };
}

function rowsOf(engine, asked, pair, options) {
  const found = asked.contacts(pair, options);
  const rows = { numbers: [...found.takeNumbers()], features: [...found.takeFeatures()] };
  found.free();
  return rows;
}

let worst = 0;
let compared = 0;
let loose = 0;
let wide = 0;
const wrong = [];

/**
 * The rows of an answer by their features. Contacts are in the order of time, and where two are at
 * one time the last bit of it says which is first.
 */
function sorted({ numbers, features }) {
  const count = features.length >> 3;
  if (count === 0) return [{ key: "", numbers }];
  const width = numbers.length / count;
  const row = (_, i) => ({
    key: features.slice(8 * i, 8 * i + 8).join(" "),
    numbers: numbers.slice(width * i, width * (i + 1)),
  });
  const rows = Array.from({ length: count }, row);
  return rows.sort((p, q) =>
    p.key < q.key ? -1 : p.key > q.key ? 1 : p.numbers[0] - q.numbers[0],
  );
}

/** Numbers of a row of contacts. */
const CONTACT = 19;

/** How far the time of a contact may be off by its own bracket: more where gaps hardly change. */
function slackOf({ numbers }) {
  return numbers.length === CONTACT && !isExact ? numbers[2] - numbers[1] : 0;
}

/** Compares two answers: the same features, and numbers within the tolerance. */
function compare(name, ours, theirs, size = 1) {
  const [p, q] = [ours, theirs].map(sorted);
  if (p.length !== q.length) return wrong.push(`${name}: ${p.length} rows, natively ${q.length}`);
  p.forEach((row, i) => {
    if (row.key !== q[i].key) wrong.push(`${name}: features ${row.key}, natively ${q[i].key}`);
    else compareRow(`${name}: ${row.key}`, row, q[i], size);
  });
}

function compareRow(name, ours, theirs, size) {
  const slack = Math.max(slackOf(ours), slackOf(theirs));
  ours.numbers.forEach((x, k) => {
    const y = theirs.numbers[k];
    const far = Math.abs(x - y) / Math.max(size, Math.abs(y));
    compared += 1;
    if (far > TOLERANCE) [loose, wide] = [loose + 1, Math.max(wide, far)];
    else worst = Math.max(worst, far);
    if (!(far <= TOLERANCE + slack)) wrong.push(`${name}: ${x}, natively ${y}`);
  });
}

function compareCases() {
  const files = filesOf(cases);
  const theirs = native("contacts", ...files);
  for (const engine of [whole, small]) {
    const asked = new engine.Engine();
    files.forEach((file, i) => {
      const { pair, size } = pairOf(engine, file);
      [new engine.Options(), engine.Options.proper()].forEach((options, k) => {
        compare(path.basename(file), rowsOf(engine, asked, pair, options), theirs[i][k], size);
      });
    });
  }
  if (loose > 0) wrong.push(`${loose} numbers of labelled cases are not within the tolerance`);
  console.log(`${files.length} labelled cases by both builds`);
}

/** The scenes of the project: contacts of all pairs, stops of journeys, first steps of worlds. */
function compareScenes() {
  const root = path.join(import.meta.dirname, "../..");
  const scenes = fs.readdirSync(path.join(root, "scenes")).filter((file) => file.endsWith(".toml"));
  let count = 0;
  for (const file of scenes.sort()) {
    const text = fs.readFileSync(path.join(root, "scenes", file), "utf8");
    const name = file.replace(".toml", "");
    if (text.includes("\nframes")) continue;
    const command = ["trace", "simulate"].find((word) => name.startsWith(`${word}-`)) || "collide";
    const files = new whole.Files();
    for (const [, mesh] of text.matchAll(/"(meshes\/[\w.-]+)"/g))
      files.add(mesh, fs.readFileSync(path.join(root, "scenes", mesh)));
    const seconds = LONG.includes(name) ? 10 : 0;
    const [theirs] = native("scene", command, name, String(seconds));
    const answer = { collide: touches, trace: stops, simulate: poses }[command];
    const ours = answer(text, name, files, seconds);
    if (ours.length !== theirs.length) wrong.push(`${name}: ${ours.length} and ${theirs.length}`);
    ours.forEach((answer, i) => compare(name, answer, theirs[i]));
    count += 1;
  }
  console.log(`${count} scenes of the project`);
}

function touches(text, name, files) {
  const scene = whole.Scene.read(text, name, files);
  const asked = new whole.Engine();
  const options = new whole.Options();
  const near = scene.nearPairs(options);
  const pairs = Array.from({ length: near.length / 2 }, (_, i) => [near[2 * i], near[2 * i + 1]]);
  return pairs.map(([a, b]) => rowsOf(whole, asked, scene.pair(a, b), options));
}

function stops(text, name, files) {
  const level = whole.Level.read(text, name, files);
  return Array.from({ length: level.names.length - level.standing }, (_, mover) => {
    const stop = level.journey(mover);
    return { numbers: [stop.fraction, ...stop.end, ...stop.touch], features: [...stop.features] };
  });
}

function poses(text, name, files, seconds) {
  const world = whole.Simulation.read(text, name, files);
  const { dt } = world;
  for (let i = 0; i < Math.max(seconds / dt, 1); i++) world.step(dt);
  const sheets = world.sheetNames.flatMap((_, i) => [...world.sheetPlaces(i, 1)]);
  const kept = isExact ? [...world.fingerprint()] : [];
  return [world.poses(), sheets, kept].map((numbers) => ({ numbers: [...numbers], features: [] }));
}

/** The least time of a query of as many as take a quarter of a second, in nanoseconds. */
function timed(engine, pair) {
  const asked = new engine.Engine();
  return [new engine.Options(), engine.Options.proper()].map((options) => {
    const begun = process.hrtime.bigint();
    let least = Infinity;
    for (let now = begun; now - begun < 250_000_000n;) {
      const found = asked.contacts(pair, options);
      const next = process.hrtime.bigint();
      found.free();
      least = Math.min(least, Number(next - now));
      now = process.hrtime.bigint();
    }
    return least;
  });
}

/** Both in turn, so that a machine that slows down slows both; the least ratio of three rounds. */
function compareSpeeds() {
  for (const file of filesOf(speed)) {
    const { pair } = pairOf(whole, file);
    const rounds = [0, 1, 2].map(() => [native("time", file)[0], timed(whole, pair)]);
    const least = (side, k) => Math.min(...rounds.map((round) => round[side][k]));
    const ratios = [0, 1].map((k) => least(1, k) / least(0, k));
    const name = path.basename(file, ".json").padEnd(12);
    const times = [0, 1].map(
      (k) => `${(least(1, k) / 1e3).toFixed(1)} us (${ratios[k].toFixed(2)})`,
    );
    console.log(`${name} all ${times[0]}, proper ${times[1]} times the native time`);
    if (ratios.some((ratio) => ratio > SLOWEST)) console.log(`  above ${SLOWEST}`);
  }
}

if (cases !== "-") compareCases();
compareScenes();
console.log(`${compared} numbers, at most ${worst.toExponential(1)} apart`);
console.log(`but for ${loose} within wider brackets, at most ${wide.toExponential(1)} apart`);
wrong.slice(0, 20).forEach((line) => console.log(line));
if (speed) compareSpeeds();
process.exit(wrong.length > 0 ? 1 : 0);
