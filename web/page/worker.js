// The worker: it owns the engine. A message is { id, call, argument }; the answer is { id, value }
// with arrays that are handed over, or { id, error }. { cancel: id } ends a question between two of
// its calls; { id, progress } says how far it is.

import init, {
  Engine,
  Files,
  Level,
  Motion,
  Options,
  Pair,
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

/** What is open: a scene for contacts, a level for traces, or a simulation. */
let held = null;
let engine = null;
const cancelled = new Set();

class Cancelled extends Error {}

/** Lets other messages in, and ends what is not wanted any more. */
function pause(id) {
  return new Promise((go, stop) => {
    setTimeout(() => (cancelled.delete(id) ? stop(new Cancelled("cancelled")) : go()), 0);
  });
}

function filesOf(files) {
  const out = new Files();
  for (const [name, bytes] of Object.entries(files)) out.add(name, bytes);
  return out;
}

function lookOf(look) {
  const { positions, triangles, faces, edges, lone, labels } = look;
  look.free();
  return { positions, triangles, faces, edges, lone, labels };
}

const KINDS = {
  collide: (text, name, files) => new Contacting(Scene.read(text, name, files)),
  trace: (text, name, files) => new Tracing(Level.read(text, name, files)),
  simulate: (text, name, files) => new Moving(Simulation.read(text, name, files)),
};

/** A scene for contacts, with the motions that were changed. */
class Contacting {
  constructor(scene) {
    this.scene = scene;
    this.bodies = scene.names.map((_, i) => scene.body(i));
    this.motions = this.bodies.map((_, i) => scene.motion(i));
    this.moved = new Set();
  }

  about() {
    const { scene, bodies, motions } = this;
    return {
      title: scene.title,
      names: scene.names,
      warnings: scene.warnings,
      bounds: bodies.map((body) => body.bounds),
      kinds: bodies.map((body) => body.kind),
      faces: bodies.map((body) => body.faceCount),
      ends: motions.map((motion) => motion.poses([0, 1])),
      isBetween: motions.map((motion) => motion.isBetween()),
    };
  }

  looks(scale) {
    return this.bodies.map((body) => lookOf(body.look(scale)));
  }

  move({ body, start, end }) {
    this.motions[body].free();
    this.motions[body] = Motion.between(start, end);
    this.moved.add(body);
  }

  /** The pairs that may touch: those of the scene, and all with a body that was moved. */
  pairs(options) {
    const near = this.scene.nearPairs(options);
    const pairs = new Map();
    for (let i = 0; i < near.length; i += 2)
      pairs.set(`${near[i]} ${near[i + 1]}`, near.slice(i, i + 2));
    for (const moved of this.moved) {
      for (let other = 0; other < this.bodies.length; other++) {
        const [a, b] = [Math.min(moved, other), Math.max(moved, other)];
        if (a < b) pairs.set(`${a} ${b}`, [a, b]);
      }
    }
    return [...pairs.values()].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  }

  pair([a, b]) {
    const isMoved = this.moved.has(a) || this.moved.has(b);
    if (!isMoved) return this.scene.pair(a, b);
    return new Pair(this.bodies[a], this.bodies[b], this.motions[a], this.motions[b]);
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
    const tracks = hasTracks ? this.motions.map((motion) => motion.poses(times)) : null;
    return { answers, tracks };
  }

  answer(bodies, options, { times, hasScreens, hasTracks }) {
    const pair = this.pair(bodies);
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
    const { times, ranges, isFromAxis } = screen;
    out.push({ times, ranges, isFromAxis, curves, places: screen.places(numbers) });
    screen.free();
  }
  return out;
}

/** A scene for traces. */
class Tracing {
  constructor(level) {
    this.level = level;
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

  about() {
    const { world } = this;
    const { title, names, warnings, dt, gravity, sheetCount } = world;
    return {
      title,
      names,
      warnings,
      dt,
      gravity,
      sheetCount,
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
    return this.world.names.map((_, i) => lookOf(this.world.look(i, scale)));
  }

  /** So many steps, or as many as there is time for. */
  advance({ steps, dt, milliseconds }) {
    const { world } = this;
    const begun = performance.now();
    const times = [];
    const poses = [];
    const impacts = [];
    const energies = [];
    let waiting = 0;
    while (
      times.length < steps &&
      (times.length === 0 || performance.now() - begun < milliseconds)
    ) {
      impacts.push(...world.step(dt));
      times.push(world.time);
      poses.push(world.poses());
      energies.push(world.energy);
      waiting += world.waiting;
    }
    const width = poses[0].length;
    const all = new Float64Array(width * poses.length);
    poses.forEach((row, i) => all.set(row, i * width));
    return {
      times: Float64Array.from(times),
      poses: all,
      impacts: Float64Array.from(impacts),
      energies: Float64Array.from(energies),
      waiting,
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

  restart() {
    this.world.restore(this.start);
    return this.world.poses();
  }
}

const calls = {
  begin: async (module) => {
    await init({ module_or_path: module });
    engine = new Engine();
  },
  tables: (text) => JSON.parse(sceneFromToml(text)),
  toml: (tables) => sceneToToml(JSON.stringify(tables)),
  open: ({ command, text, name, files }) => {
    held = null;
    held = KINDS[command](text, name, filesOf(files));
    return held.about();
  },
};

/** The buffers of all arrays in an answer, which are handed over. */
function buffers(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(value.buffer);
  else if (value && typeof value === "object")
    for (const one of Object.values(value)) buffers(one, found);
  return found;
}

addEventListener("message", async ({ data }) => {
  if ("cancel" in data) return cancelled.add(data.cancel);
  const { id, call, argument } = data;
  try {
    const value = await (calls[call] ? calls[call](argument, id) : held[call](argument, id));
    postMessage({ id, value }, [...buffers(value)]);
  } catch (error) {
    const isCancelled = error instanceof Cancelled;
    // A panic of the engine leaves it in an unknown state.
    const isBroken = error instanceof WebAssembly.RuntimeError;
    postMessage({ id, error: error.message, isCancelled, isBroken });
  }
});
