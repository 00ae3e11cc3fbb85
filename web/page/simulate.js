// Worlds: play, pause, step, throw a body, and change gravity, friction and restitution.

import { Model, Events, rgb } from "./model.js";
import {
  AMOUNTS,
  PLAIN,
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
import { add, carried, length, sub, times } from "./motion.js";

/** Numbers of a body and a moment that are kept at most: beyond, the first half is forgotten. */
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

export class SimulateMode {
  constructor(play, about) {
    Object.assign(this, { play, about, isRunning: false, thrown: null });
    this.count = about.names.length;
    this.body = Math.max(about.isDynamic.indexOf(true), 0);
    this.clear(about.poses);
  }

  clear(poses) {
    this.times = [0];
    this.tracks = Array.from({ length: this.count }, (_, i) =>
      Array.from(poses.slice(7 * i, 7 * i + 7)),
    );
    this.impacts = [];
    this.worldTime = 0;
  }

  async document() {
    const { about, play } = this;
    const rough = (await play.client.ask("looks", 1)).map(meshOf);
    const sizes = rough.map(({ bounds: [low, high] }) => length(sub(high, low)));
    const isFloor = floors(sizes);
    const boxes = rough.flatMap((mesh, i) => {
      if (isFloor[i] || (!about.isDynamic[i] && about.isDynamic.includes(true))) return [];
      const pose = this.tracks[i];
      const [low, high] = mesh.bounds;
      return [[low, high, [low[0], high[1], high[2]]].map((corner) => carried(pose, corner))];
    });
    this.frame = frameOf(boxes);
    const looks = await play.client.ask("looks", this.frame.scale);
    this.summary = this.said();
    const up = length(about.gravity) > 0 ? times(about.gravity, -1) : [0, 1, 0];
    return {
      ...PLAIN,
      command: "simulate",
      title: about.title,
      notes: [...about.warnings, ...this.sheets()],
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
      meshes: looks.map(meshOf),
      bodies: about.names.map((name, i) => this.bodyOf(name, i, !isFloor[i])),
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

  sheets() {
    return this.about.sheetCount > 0 ? ["Sheets move but are not drawn here."] : [];
  }

  /** Bodies of one table have one colour. */
  legend() {
    const { names, tables } = this.about;
    const heads = new Map();
    names.forEach((name, i) => heads.has(tables[i]) || heads.set(tables[i], name));
    return [...heads.values()].map((name, i) => ({ name, colour: paletteColour(i) }));
  }

  bodyOf(name, i, framed) {
    const { isDynamic, tables } = this.about;
    const given = { framed, track: drawnPoses(this.tracks[i], this.frame) };
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
  async run() {
    if (this.isRunning) return;
    this.isRunning = true;
    this.play.panel.showRunning(this);
    let before = performance.now();
    let owed = 0;
    while (this.isRunning && !this.page.signal.aborted) {
      await new Promise((go) => requestAnimationFrame(go));
      const now = performance.now();
      owed = Math.min(owed + (now - before) / 1000, 0.1);
      before = now;
      const steps = Math.floor(owed / this.about.dt);
      if (steps === 0) continue;
      owed -= steps * this.about.dt;
      if (!(await this.advance(steps))) break;
    }
    this.pause();
  }

  pause() {
    this.isRunning = false;
    this.play.panel.showRunning(this);
  }

  /** So many steps on; whether they were taken. */
  async advance(steps) {
    const { dt } = this.about;
    try {
      const answer = await this.play.client.ask("advance", { steps, dt, milliseconds: 30 });
      this.play.timings.push(answer.milliseconds);
      this.add(answer);
      return true;
    } catch (error) {
      this.play.complain(error);
      return false;
    }
  }

  add({ times: moments, poses, impacts }) {
    const width = 7 * this.count;
    moments.forEach((time, k) => {
      this.times.push(time);
      this.tracks.forEach((track, i) => {
        for (let j = 0; j < 7; j++) track.push(poses[k * width + 7 * i + j]);
      });
    });
    this.worldTime = moments.at(-1);
    for (let i = 0; i < impacts.length; i += 10)
      this.impacts.push(impactOf(impacts.slice(i, i + 10)));
    this.impacts = this.impacts.slice(-MOST_IMPACTS);
    if (this.times.length * width > MOST_NUMBERS) this.forget();
    this.show();
  }

  /** The older half of what was. */
  forget() {
    const half = this.times.length >> 1;
    this.times = this.times.slice(half);
    this.tracks = this.tracks.map((track) => track.slice(7 * half));
    this.impacts = this.impacts.filter((impact) => impact.time >= this.times[0]);
  }

  show() {
    const { page } = this;
    const [first, last] = [this.times[0], Math.max(this.times.at(-1), this.times[0] + 1e-9)];
    const isMoved = this.about.isDynamic;
    const bodies = page.model.bodies.map((body, i) => {
      const track = drawnPoses(this.tracks[i], this.frame);
      return { ...body, track, moves: isMoved[i] || track.some((x, k) => x !== track[k % 7]) };
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
    this.clear(await this.play.client.ask("restart"));
    this.show();
  }

  /** What is asked of the world between two steps. */
  async change(call, argument) {
    try {
      return await this.play.client.ask(call, argument);
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
    if (isThrown && !this.isRunning) this.run();
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
