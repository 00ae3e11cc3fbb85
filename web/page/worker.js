// The worker: it owns the engine. A message is { id, call, argument, scene }; the answer is
// { id, value } with arrays that are handed over, or { id, error }. Messages are answered one after
// the other. { cancel: id } ends a question before it begins, or between two of its calls;
// { id, progress } says how far it is.

import init, {
  Engine,
  Files,
  Level,
  Options,
  Scene,
  Simulation,
  Way,
  sceneFromToml,
  sceneToToml,
} from "./chasles.js";

/** How long the worker computes before it looks at its messages, in milliseconds. */
const SLICE = 40;

/** Screens of a pair at most: a step of many turns has one for each quarter. */
const MOST_SCREENS = 8;

/** Curves are followed to this part of the smaller body: a pixel of a small panel. */
const FINE = 4e-3;

/** What is open, by numbers: scenes for contacts, levels for traces, simulations. */
const scenes = new Map();
let engine = null;
const cancelled = new Set();
/** The question that was answered last; those after it may still be cancelled. */
let answered = 0;

class Cancelled extends Error {}

/** Lets other messages in, and ends what is not wanted any more. */
function pause(id) {
  return new Promise((go, stop) => {
    setTimeout(() => (cancelled.has(id) ? stop(new Cancelled("cancelled")) : go()), 0);
  });
}

/** What a class reads from a text and its files. */
function read(Kind, text, name, files) {
  const all = new Files();
  try {
    for (const [key, bytes] of Object.entries(files)) all.add(key, bytes);
    return Kind.read(text, name, all);
  } finally {
    all.free();
  }
}

function lookOf(look) {
  const { positions, triangles, faces, edges, lone, labels } = look;
  look.free();
  return { positions, triangles, faces, edges, lone, labels };
}

/** Characters that would move the cursor or turn the line around; reports spell them out too. */
const ODD = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A text as pages show it. */
function plain(text) {
  return text.replace(ODD, (sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`);
}

/** What is known of a scene, its words as pages show them. */
function inPlainWords(about) {
  const words = ["names", "warnings", "sheetNames"].filter((key) => about[key]);
  const lists = words.map((key) => [key, about[key].map(plain)]);
  return { ...about, title: plain(about.title), ...Object.fromEntries(lists) };
}

const KINDS = {
  collide: (...given) => new Contacting(read(Scene, ...given)),
  trace: (...given) => new Tracing(read(Level, ...given)),
  simulate: (...given) => new Moving(read(Simulation, ...given)),
};

/** A scene for contacts. */
class Contacting {
  constructor(scene) {
    this.scene = scene;
  }

  free() {
    this.scene.free();
  }

  get count() {
    return this.scene.names.length;
  }

  about() {
    const { scene } = this;
    const bodies = this.each((i) => scene.body(i));
    const found = {
      title: scene.title,
      names: scene.names,
      warnings: scene.warnings,
      bounds: bodies.map((body) => body.bounds),
      kinds: bodies.map((body) => body.kind),
      faces: bodies.map((body) => body.faceCount),
      ends: this.poses([0, 1]),
    };
    bodies.forEach((body) => body.free());
    return found;
  }

  each(of) {
    return Array.from({ length: this.count }, (_, i) => of(i));
  }

  poses(times) {
    return this.each((i) => {
      const motion = this.scene.motion(i);
      const poses = motion.poses(times);
      motion.free();
      return poses;
    });
  }

  looks(scale) {
    return this.each((i) => {
      const body = this.scene.body(i);
      const look = lookOf(body.look(scale));
      body.free();
      return look;
    });
  }

  move({ body, start, end }) {
    this.scene.move(body, start, end);
  }

  /** The pairs that may touch. */
  pairs(options) {
    const near = this.scene.nearPairs(options);
    return Array.from({ length: near.length / 2 }, (_, i) => [near[2 * i], near[2 * i + 1]]);
  }

  /** The contacts of all pairs; times are those of the frames. */
  async contacts({ options: wished, times, hasScreens, hasTracks }, id) {
    const options = Object.assign(new Options(), wished);
    const answers = [];
    try {
      const pairs = this.pairs(options);
      let since = performance.now();
      for (const [number, bodies] of pairs.entries()) {
        if (performance.now() - since > SLICE) {
          postMessage({ id, progress: number / pairs.length });
          await pause(id);
          since = performance.now();
        }
        answers.push(this.answer(bodies, options, { times, hasScreens, hasTracks }));
      }
    } finally {
      options.free();
    }
    const tracks = hasTracks ? this.poses(times) : null;
    return { answers, tracks };
  }

  answer(bodies, options, { times, hasScreens, hasTracks }) {
    const pair = this.scene.pair(...bodies);
    try {
      const found = engine.contacts(pair, options);
      const { count, method, reason, guarantee, undecided } = found;
      const numbers = found.takeNumbers();
      const features = found.takeFeatures();
      found.free();
      return {
        bodies: [...bodies],
        count,
        method,
        reason,
        guarantee,
        undecided,
        numbers,
        features,
        overlaps: count === 0 && hasTracks && engine.startsInOverlap(pair),
        departure: hasTracks ? pair.departure() : null,
        track: hasTracks ? pair.relativePoses(times) : null,
        screws: pair.screws(64),
        screens: hasScreens ? screensOf(pair, numbers, count) : null,
      };
    } finally {
      pair.free();
    }
  }
}

/** The screens of the parts with contacts, or of the first. */
function screensOf(pair, numbers, count) {
  const stride = count > 0 ? numbers.length / count : 1;
  const parts = new Set();
  for (let i = 0; i < count; i++)
    parts.add(Math.min(Math.floor(numbers[i * stride] * pair.parts), pair.parts - 1));
  if (parts.size === 0) parts.add(0);
  const out = [];
  for (const part of [...parts].sort((p, q) => p - q).slice(0, MOST_SCREENS)) {
    const screen = pair.screen(part, FINE);
    if (!screen) continue;
    const curves = [0, 1].map((body) => ({
      lengths: screen.lengths(body),
      points: screen.points(body),
    }));
    const { times, ranges, isFromAxis, edge } = screen;
    out.push({ times, ranges, isFromAxis, edge, curves, places: screen.places(numbers) });
    screen.free();
  }
  return out;
}

/** A scene for traces. */
class Tracing {
  constructor(level) {
    this.level = level;
  }

  free() {
    this.level.free();
  }

  about() {
    const { title, names, warnings, standing } = this.level;
    const walks = names.slice(standing).map((_, i) => this.level.walks(i));
    return { title, names, warnings, standing, poses: this.level.poses(), walks };
  }

  looks(scale) {
    return this.level.names.map((_, i) => lookOf(this.level.look(i, scale)));
  }

  /** Each body on its own journey: where it would be at times, and where it gets. */
  journeys({ times }) {
    const { names, standing } = this.level;
    return names.slice(standing).map((_, mover) => ({
      ...stopOf(this.level.journey(mover)),
      aims: [...times].map((part) => this.level.aim(mover, part)),
    }));
  }

  /** A body from a pose by a shift and a turn; once it stops it slides on, if that is asked. */
  travel({ mover, start, by, turn, slides }) {
    let at = start;
    let rest = by;
    const stops = [];
    for (let tries = 0; tries < (slides ? 4 : 1); tries++) {
      const way = new Way(at, rest, tries === 0 ? turn : [0, 0, 0], 16);
      const stop = stopOf(this.level.travel(mover, way));
      way.free();
      at = stop.end;
      stops.push(stop);
      if (stop.touch.length === 0 || stop.isSolid) break;
      const left = rest.map((x) => x * (1 - stop.fraction));
      const normal = stop.touch.slice(3, 6);
      const into = left[0] * normal[0] + left[1] * normal[1] + left[2] * normal[2];
      rest = left.map((x, i) => x - Math.min(into, 0) * normal[i]);
      if (Math.hypot(...rest) < 1e-9) break;
    }
    return { end: at, stops };
  }
}

function stopOf(stop) {
  const { fraction, end, touch, features, startedSolid } = stop;
  stop.free();
  return { fraction, end, touch, features, isSolid: startedSolid };
}

/** A world that moves on. */
class Moving {
  constructor(world) {
    this.world = world;
    this.start = world.save();
  }

  free() {
    this.world.free();
  }

  about() {
    const { world } = this;
    const { title, names, warnings, dt, gravity, sheetNames } = world;
    return {
      title,
      names,
      warnings,
      dt,
      gravity,
      sheetNames,
      poses: world.poses(),
      tables: names.map((_, i) => world.table(i)),
      isDynamic: names.map((_, i) => world.isDynamic(i)),
      material: world.material(
        Math.max(
          names.findIndex((_, i) => world.isDynamic(i)),
          0,
        ),
      ),
    };
  }

  looks(scale) {
    const { world } = this;
    const bodies = world.names.map((_, i) => lookOf(world.look(i, scale)));
    return [...bodies, ...world.sheetNames.map((_, i) => lookOf(world.sheetLook(i, scale)))];
  }

  /** Where the vertices of all sheets are as drawn, a row for each sheet. */
  sheets(scale) {
    return this.world.sheetNames.map((_, i) => this.world.sheetPlaces(i, scale));
  }

  /**
   * So many steps, or as many as there is time for; places of sheets are divided by a length.
   */
  advance({ steps, dt, milliseconds, scale }) {
    const { world } = this;
    const begun = performance.now();
    const times = [];
    const poses = [];
    const impacts = [];
    const sheets = [];
    while (
      times.length < steps &&
      (times.length === 0 || performance.now() - begun < milliseconds)
    ) {
      for (const number of world.step(dt)) impacts.push(number);
      times.push(world.time);
      poses.push(world.poses());
      sheets.push(this.sheets(scale));
    }
    return {
      times: Float64Array.from(times),
      poses,
      sheets,
      impacts: Float64Array.from(impacts),
      milliseconds: performance.now() - begun,
    };
  }

  throw({ body, change, point }) {
    return this.world.throw(body, change, point);
  }

  gravity({ gravity }) {
    this.world.setGravity(gravity);
  }

  material({ restitution, friction }) {
    this.world.setMaterial(restitution, friction);
  }

  restart({ scale }) {
    this.world.restore(this.start);
    return { poses: this.world.poses(), sheets: this.sheets(scale) };
  }
}

const calls = {
  begin: async (module) => {
    await init({ module_or_path: module });
    engine = new Engine();
  },
  tables: (text) => JSON.parse(sceneFromToml(text)),
  toml: (tables) => sceneToToml(JSON.stringify(tables)),
  open: ({ command, text, name, files }, { scene }) => {
    const next = KINDS[command](text, name, files);
    try {
      const about = inPlainWords(next.about());
      scenes.set(scene, next);
      return about;
    } catch (error) {
      next.free();
      throw error;
    }
  },
  close: (_, { scene }) => {
    const closed = scenes.get(scene);
    scenes.delete(scene);
    if (closed) closed.free();
  },
};

/** The buffers of all arrays in an answer, which are handed over. */
function buffers(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(value.buffer);
  else if (value && typeof value === "object")
    for (const one of Object.values(value)) buffers(one, found);
  return found;
}

function called({ id, call, argument, scene }) {
  if (calls[call]) return calls[call](argument, { scene });
  const asked = scenes.get(scene);
  if (!asked) throw new Cancelled("this scene is closed");
  return asked[call](argument, id);
}

async function answer(question) {
  const { id } = question;
  try {
    if (cancelled.has(id)) throw new Cancelled("cancelled");
    const value = await called(question);
    postMessage({ id, value }, [...buffers(value)]);
  } catch (error) {
    const isCancelled = error instanceof Cancelled;
    // A panic of the engine, or a stack that is full, leaves it in an unknown state.
    const isBroken = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    postMessage({ id, error: error.message, isCancelled, isBroken });
  }
  answered = id;
  cancelled.delete(id);
}

let line = Promise.resolve();

addEventListener("message", ({ data }) => {
  if (!("cancel" in data)) line = line.then(() => answer(data));
  else if (data.cancel > answered) cancelled.add(data.cancel);
});
