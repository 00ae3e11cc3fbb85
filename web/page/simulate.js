// Worlds: play, pause, step, throw a body, and change gravity, friction and restitution.

import { Model, Events, rgb } from "./model.js";
import {
  AMOUNTS,
  PLAIN,
  STANDING,
  bodyData,
  column,
  drawnPoses,
  floors,
  frameOf,
  meshOf,
  paletteColour,
  standingBody,
} from "./document.js";
import { onPlane, picked } from "./handles.js";
import { IDENTITY, add, carried, length, sub, times } from "./motion.js";

/** Numbers that are kept of all moments at most: beyond, the first half is forgotten. */
const MOST_NUMBERS = 4e6;

/** Impacts that the table has at most: the last ones. */
const MOST_IMPACTS = 2000;

/** A throw as long as the view is high gives this part of it as speed, a second. */
const PACE = 5;

const WORLD_WORDS = {
  list: "Impacts",
  timeline: "Impacts over time, by impulse",
  empty: "No impacts yet: press Run, or throw a body.",
  layers: {
    edges: "edges",
    ground: "grid and shadows",
    markers: "impacts of the moment",
    normals: "normals",
  },
  help: [
    "Run, pause or step the world. Drag a body that moves, and let go: it is thrown along the " +
      "arrow, the faster the longer it is. The panel throws too, and changes gravity, restitution and " +
      "friction of all bodies.",
    "The slider goes back to what was; running goes on from the last moment. Nothing ever " +
      "interpenetrates, at any step.",
  ],
};

const WORLD_COLUMNS = [
  column("time", "time, s", "in seconds", { digits: 4, width: "4.6em" }),
  column("a", "A", "the first body", { width: "1fr" }),
  column("b", "B", "the second body", { width: "1fr" }),
  column("impulse", "impulse, N s", "how hard they hit", { digits: 4, width: "7em" }),
];

/** Numbers in rows of one length, that grow row by row without being copied each time. */
class Rows {
  constructor(width) {
    Object.assign(this, { width, count: 0, kept: new Float32Array(8 * width) });
  }

  push(row) {
    const { kept, width, count } = this;
    if ((count + 1) * width > kept.length) {
      this.kept = new Float32Array(2 * kept.length);
      this.kept.set(kept);
    }
    this.kept.set(row, count * width);
    this.count += 1;
  }

  /** All of them, one after the other. */
  get all() {
    return this.kept.subarray(0, this.count * this.width);
  }

  /** Leaves out the first ones. */
  drop(count) {
    this.kept.copyWithin(0, count * this.width, this.count * this.width);
    this.count -= count;
  }
}

export class SimulateMode {
  constructor(play, held) {
    const { about } = held;
    Object.assign(this, { play, held, about, run: 0, isRunning: false, thrown: null });
    this.count = about.names.length;
    this.body = Math.max(about.isDynamic.indexOf(true), 0);
    held.reopened = ({ poses }) => this.beginAnew(poses);
  }

  /** The beginning: poses as the engine has them, and places of sheets as they are drawn. */
  clear({ poses, sheets }) {
    this.times = [0];
    this.tracks = Array.from({ length: this.count }, () => new Rows(7));
    this.hasMoved = this.about.isDynamic.slice();
    this.sheets = sheets.map((places) => new Rows(places.length));
    this.impacts = [];
    this.worldTime = 0;
    this.keep(poses, sheets);
  }

  /** One more moment. */
  keep(poses, sheets) {
    this.poses = poses;
    const drawn = drawnPoses(poses, this.frame);
    this.tracks.forEach((track, i) => {
      const pose = drawn.subarray(7 * i, 7 * i + 7);
      this.hasMoved[i] ||= track.count > 0 && pose.some((x, k) => x !== track.kept[k]);
      track.push(pose);
    });
    this.sheets.forEach((rows, i) => rows.push(sheets[i]));
  }

  /** Where a body is now, in the world. */
  poseOf(body) {
    return Array.from(this.poses.slice(7 * body, 7 * body + 7));
  }

  async document() {
    const { about, held } = this;
    const rough = (await held.ask("looks", 1)).map(meshOf);
    const first = (i) => Array.from(about.poses.slice(7 * i, 7 * i + 7));
    const poseOf = (i) => (i < this.count ? first(i) : IDENTITY);
    const sizes = rough.map(({ bounds: [low, high] }) => length(sub(high, low)));
    const isFloor = floors(sizes);
    const moves = (i) => i >= this.count || about.isDynamic[i];
    const isAbout = rough.map((_, i) => moves(i) || !rough.some((_, k) => moves(k)));
    const boxes = rough.flatMap(({ bounds: [low, high] }, i) => {
      if (isFloor[i] || !isAbout[i]) return [];
      const corners = [low, high, [low[0], high[1], high[2]]];
      return [corners.map((corner) => carried(poseOf(i), corner))];
    });
    this.frame = frameOf(boxes);
    const looks = await held.ask("looks", this.frame.scale);
    this.meshes = looks.map(meshOf);
    for (const mesh of this.meshes.slice(this.count)) mesh.deforms = true;
    const sheets = looks.slice(this.count).map((look) => look.positions);
    this.clear({ poses: about.poses, sheets });
    this.summary = this.said();
    const up = length(about.gravity) > 0 ? times(about.gravity, -1) : [0, 1, 0];
    return {
      ...PLAIN,
      command: "simulate",
      title: about.title,
      notes: about.warnings,
      time: {
        label: "time",
        unit: "s",
        digits: 3,
        first: 0,
        last: 1e-9,
        start: 0,
        seconds: 1e-9,
        pace: "",
        now: 0.01,
        momentary: true,
      },
      frame: this.frame,
      view: { eye: [0.55, 0.4, 1], up },
      frames: Float64Array.from(this.times),
      meshes: this.meshes,
      bodies: [
        ...about.names.map((name, i) => this.bodyOf(name, i, !isFloor[i])),
        ...about.sheetNames.map((name, i) => this.sheetOf(name, i)),
      ],
      legend: this.legend(),
      groups: [this.group()],
      columns: WORLD_COLUMNS,
      kind_key: null,
      value: this.value(),
      words: WORLD_WORDS,
    };
  }

  model(document) {
    return new Model({ ...document, groups: [] }).with({ groups: document.groups });
  }

  /** Bodies of one table have one colour, and each sheet has one. */
  legend() {
    const { names, tables, sheetNames, isDynamic } = this.about;
    const heads = new Map();
    names.forEach((name, i) => heads.has(tables[i]) || heads.set(tables[i], [name, isDynamic[i]]));
    const all = [...heads.values(), ...sheetNames.map((name) => [name, true])];
    return all.map(([name, moves], i) => ({ name, colour: moves ? paletteColour(i) : STANDING }));
  }

  sheetOf(name, i) {
    const legend = new Set(this.about.tables).size + i;
    const pose = Array.from(drawnPoses(IDENTITY, this.frame));
    const given = { pose, legend, colour: paletteColour(legend) };
    return bodyData(name, this.count + i, given);
  }

  bodyOf(name, i, framed) {
    const { isDynamic, tables } = this.about;
    const given = { framed, track: this.tracks[i].all };
    const look = isDynamic[i] ? bodyData : standingBody;
    const made = { ...look(name, i, given), legend: tables[i] };
    if (isDynamic[i]) made.colour = paletteColour(tables[i]);
    return made;
  }

  value() {
    const most = Math.max(1e-9, ...this.impacts.map((impact) => impact.impulse));
    return {
      key: "impulse",
      label: "impulse",
      unit: "N s",
      low: 0,
      high: most,
      start: 0,
      rounding: 0,
      enough: 0,
      scale: AMOUNTS,
    };
  }

  group() {
    const { impacts, about } = this;
    const numbers = (of) => Float64Array.from(impacts.flatMap(of));
    const events = new Events({
      count: impacts.length,
      total: impacts.length,
      time: numbers((impact) => [impact.time]),
      point: numbers((impact) => impact.point),
      normal: numbers((impact) => impact.normal),
      places: null,
      columns: {
        a: impacts.map((impact) => about.names[impact.a] ?? "the world"),
        b: impacts.map((impact) => about.names[impact.b] ?? "the world"),
        impulse: numbers((impact) => [impact.impulse]),
      },
    });
    return { name: "", a: -1, b: -1, track: null, axes: [], screen_note: "", events };
  }

  said() {
    return `${this.count} bodies, ${this.worldTime.toFixed(2)} s, ${this.impacts.length} impacts`;
  }

  begin(page) {
    this.page = page;
    page.hand = this;
    this.play.panel.showWorld(this);
  }

  /** Runs until it is paused: as fast as time passes, or as the engine can. */
  async start() {
    if (this.isRunning) return;
    // A run that was paused and has not noticed yet ends, whatever began after it.
    const run = ++this.run;
    this.isRunning = true;
    this.play.panel.showRunning(this);
    const { dt } = this.about;
    let before = performance.now();
    let owed = 0;
    while (this.isRunning && run === this.run && !this.page.signal.aborted) {
      await new Promise((go) => requestAnimationFrame(go));
      const now = performance.now();
      owed = Math.min(owed + (now - before) / 1000, Math.max(0.1, dt));
      before = now;
      const steps = Math.floor(owed / dt);
      if (steps === 0) continue;
      owed -= steps * dt;
      if (!(await this.advance(steps))) break;
    }
    if (run === this.run) this.pause();
  }

  pause() {
    this.isRunning = false;
    if (!this.page.signal.aborted) this.play.panel.showRunning(this);
  }

  /** So many steps on; whether they were taken. */
  async advance(steps) {
    const { dt } = this.about;
    const argument = { steps, dt, milliseconds: 30, scale: this.frame.scale };
    try {
      const answer = await this.held.ask("advance", argument);
      if (this.page.signal.aborted) return false;
      this.play.took(answer.milliseconds);
      this.add(answer);
      return true;
    } catch (error) {
      this.play.complain(error);
      return false;
    }
  }

  add({ times: moments, poses, sheets, impacts }) {
    moments.forEach((time, k) => {
      this.times.push(time);
      this.keep(poses[k], sheets[k]);
    });
    this.worldTime = moments.at(-1);
    for (let i = 0; i < impacts.length; i += 10)
      this.impacts.push(impactOf(impacts.slice(i, i + 10)));
    this.impacts = this.impacts.slice(-MOST_IMPACTS);
    const width = this.sheets.reduce((sum, rows) => sum + rows.width, 7 * this.count);
    if (this.times.length * width > MOST_NUMBERS) this.forget();
    this.show();
  }

  /** The older half of what was. */
  forget() {
    const half = this.times.length >> 1;
    this.times = this.times.slice(half);
    for (const rows of [...this.tracks, ...this.sheets]) rows.drop(half);
    this.impacts = this.impacts.filter((impact) => impact.time >= this.times[0]);
  }

  show() {
    const { page } = this;
    const [first, last] = [this.times[0], Math.max(this.times.at(-1), this.times[0] + 1e-9)];
    const bodies = page.model.bodies.map((body, i) =>
      i < this.count ? { ...body, track: this.tracks[i].all, moves: this.hasMoved[i] } : body,
    );
    this.sheets.forEach((rows, i) => {
      const mesh = this.meshes[this.count + i];
      Object.assign(mesh, { positions: rows.all, sets: rows.count });
    });
    const time = { ...page.model.time, first, last, start: last, seconds: last - first };
    const change = { bodies, time, frames: Float64Array.from(this.times), groups: [this.group()] };
    Object.assign(page.element("time"), { min: String(first), max: String(last) });
    page.element("time").step = String((last - first) / 2000);
    page.filter.to = last;
    page.replace(page.model.with({ ...change, value: this.value() }), { isPassing: true });
    page.setTime(last);
    this.play.say(this.said());
  }

  async restart() {
    this.pause();
    const first = await this.change("restart", { scale: this.frame.scale });
    if (!first || this.page.signal.aborted) return;
    this.clear(first);
    this.show();
  }

  /** The worker had to begin anew, and with it the world. */
  beginAnew(poses) {
    if (!this.page || this.page.signal.aborted) return;
    this.clear({ poses, sheets: this.sheets.map((rows) => rows.all.slice(0, rows.width)) });
    this.show();
  }

  /** What is asked of the world between two steps. */
  async change(call, argument) {
    try {
      return await this.held.ask(call, argument);
    } catch (error) {
      this.play.complain(error);
      return null;
    }
  }

  press(at) {
    const found = picked(this.page, at, (body) => this.about.isDynamic[body]);
    if (!found) return false;
    this.body = found.body;
    this.thrown = { ...found, tip: found.place };
    this.page.stop();
    return true;
  }

  drag(at) {
    const { page, thrown } = this;
    const now = onPlane(page.camera.ray(at), thrown.place, page.camera.axes().back);
    if (now) thrown.tip = now;
    page.redraw();
  }

  async release() {
    const { thrown, page } = this;
    this.thrown = null;
    page.redraw();
    const way = sub(thrown.tip, thrown.place);
    if (length(way) < 0.01) return;
    // The body is where it last was, which may not be what the view showed.
    page.setTime(this.times.at(-1));
    const point = page.model.undrawn(thrown.place);
    await this.throw(thrown.body, times(way, PACE * this.frame.scale), point);
  }

  async throw(body, change, point) {
    const isThrown = await this.change("throw", { body, change, point });
    if (isThrown === false) this.play.say(`${this.about.names[body]} is not moved by forces`);
    if (isThrown && !this.isRunning) this.start();
  }

  click() {
    return false;
  }

  draw() {
    if (!this.thrown) return;
    const { place, tip } = this.thrown;
    const colour = [...rgb("#d55e00"), 1];
    const back = add(tip, times(sub(place, tip), 0.15));
    this.page.viewer.segments(
      [
        [place, tip, colour],
        [tip, back, colour],
      ],
      { width: 4, onTop: true },
    );
    this.page.viewer.markers([[tip, colour, 6]], [0.1, 0.1, 0.1, 1], 1);
  }
}

function impactOf([time, a, b, x, y, z, i, j, k, impulse]) {
  return { time, a, b, point: [x, y, z], normal: [-i, -j, -k], impulse };
}
