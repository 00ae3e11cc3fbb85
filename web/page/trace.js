// Traces: a body is dragged through what stands, and stops before it touches.

import { Model, Events } from "./model.js";
import {
  FRAMES,
  PLAIN,
  STANDING,
  bodyData,
  column,
  drawnPoses,
  featureWords,
  frameOf,
  meshOf,
  paletteColour,
  standingBody,
} from "./document.js";
import { onPlane, picked } from "./handles.js";
import { add, carried, length, sub, times } from "./motion.js";
import { rgb } from "./model.js";

const TRACE_WORDS = {
  list: "Contacts",
  timeline: "Contacts on the way",
  empty: "Nothing is touched: drag a coloured body, and feel it stop.",
  layers: {
    edges: "edges",
    start: "start and end, faintly",
    paths: "path of the centre",
    ground: "grid and shadows",
    markers: "contacts",
    normals: "normals",
  },
  help: [
    "Drag a coloured body: it goes where the pointer goes until something stops it, just before " +
      "it touches. Rounding never lets it through. With sliding on, it goes on along what it meets.",
    "A disc is what it touches, with the normal of the world there. The numbers in the panel " +
      "move the body too.",
  ],
};

const TRACE_COLUMNS = [
  column("body", "body", "what moves", { width: "0.7fr" }),
  column("what", "", "how they meet", {}),
  column("world", "world", "what is met", { width: "1.4fr" }),
  column("moving", "with", "the feature of the body", {}),
  column("time", "at", "as a part of the way", { digits: 4, width: "3.8em" }),
  column("distance", "distance", "of the body from what it meets", { digits: 4, width: "5.8em" }),
];

export class TraceMode {
  constructor(play, held) {
    const { about } = held;
    Object.assign(this, { play, held, about, body: about.standing, slides: true, goal: null });
    /** Where a body shall go next, while another move is on its way. */
    this.next = null;
    this.isGoing = false;
    this.poses = about.names.map((_, i) => Array.from(about.poses.slice(7 * i, 7 * i + 7)));
    /** What the bodies touch: stops of the journeys at first, and of drags later. */
    this.rows = [];
  }

  async document() {
    const { about, held, poses } = this;
    // Sizes are known once looks are: of the first ones the places are in units of the world.
    const rough = (await held.ask("looks", 1)).map(meshOf);
    const boxes = rough.map((mesh, i) => boxAt(mesh.bounds, poses[i]));
    const journeys = await held.ask("journeys", { times: FRAMES });
    const ways = journeys.flatMap((journey, i) =>
      journey.aims.map((aim) => boxAt(rough[about.standing + i].bounds, Array.from(aim))),
    );
    const size = (box) => Math.max(...[0, 1, 2].map((k) => extentOf(box, k)));
    const largest = Math.max(...ways.map(size), size(ways.flat()));
    const isFramed = boxes.map((box) => size(box) <= 8 * largest);
    this.frame = frameOf([...boxes.filter((_, i) => isFramed[i]), ...ways]);
    const looks = await held.ask("looks", this.frame.scale);
    this.rows = journeys.flatMap((journey, i) =>
      this.touches(about.standing + i, journey, journey.fraction),
    );
    journeys.forEach((journey, i) => (this.poses[about.standing + i] = Array.from(journey.end)));
    const bodies = about.names.map((name, i) => this.bodyOf(name, i, isFramed[i], journeys));
    this.summary = this.said();
    return {
      ...PLAIN,
      command: "trace",
      title: about.title,
      notes: about.warnings,
      time: {
        label: "part of the way",
        unit: "",
        digits: 4,
        first: 0,
        last: 1,
        start: 1,
        seconds: 4,
        pace: "",
        now: 0.015,
        momentary: false,
      },
      frame: this.frame,
      view: { eye: [0.55, 0.7, 1], up: [0, 1, 0] },
      frames: FRAMES,
      meshes: looks.map(meshOf),
      bodies,
      legend: [
        { name: "world", colour: STANDING },
        ...about.names.slice(about.standing).map((name, i) => ({ name, colour: paletteColour(i) })),
      ],
      groups: [this.group()],
      columns: TRACE_COLUMNS,
      kind_key: "what",
      value: null,
      words: TRACE_WORDS,
    };
  }

  model(document) {
    return new Model({ ...document, groups: [] }).with({ groups: document.groups });
  }

  bodyOf(name, i, framed, journeys) {
    const { standing } = this.about;
    if (i < standing) {
      const [pose] = [drawnPoses(this.poses[i], this.frame)];
      return standingBody(name, i, { framed, pose: Array.from(pose) });
    }
    const journey = journeys[i - standing];
    const track = trackOf(journey);
    return {
      ...bodyData(name, i, { ghosts: [0, FRAMES.length - 1], paths: true }),
      colour: paletteColour(i - standing),
      legend: 1 + i - standing,
      track: drawnPoses(track, this.frame),
    };
  }

  /** The rows of the table for a stop. */
  touches(body, { touch, features }, time) {
    if (touch.length === 0) return [];
    const world = `${featureWords(features.subarray(4, 8))} of ${this.about.names[features[8]]}`;
    const moving = featureWords(features.subarray(0, 4));
    return [{ body, time, what: "stopped by", world, moving, touch }];
  }

  group() {
    const { rows } = this;
    const numbers = (of) => Float64Array.from(rows.flatMap(of));
    const events = new Events({
      count: rows.length,
      total: rows.length,
      time: numbers((row) => [row.time]),
      point: numbers((row) => Array.from(row.touch.slice(0, 3))),
      normal: numbers((row) => Array.from(row.touch.slice(3, 6))),
      places: null,
      columns: {
        body: rows.map((row) => this.about.names[row.body]),
        what: rows.map((row) => row.what),
        world: rows.map((row) => row.world),
        moving: rows.map((row) => row.moving),
        distance: numbers((row) => [row.touch[6]]),
        tag: rows.map(() => ""),
      },
    });
    return { name: "", a: -1, b: -1, track: null, axes: [], screen_note: "", events };
  }

  said() {
    const stopped = new Set(this.rows.map((row) => this.about.names[row.body]));
    const count = this.about.names.length - this.about.standing;
    return stopped.size > 0
      ? `${stopped.size} of ${count} moving bodies touch something, each just before it would enter`
      : "Nothing is touched";
  }

  begin(page) {
    this.page = page;
    page.hand = this;
    this.play.panel.showBodies(this);
  }

  isMover(body) {
    return body >= this.about.standing;
  }

  choose(body) {
    if (!this.isMover(body)) return false;
    this.body = body;
    this.play.panel.showBodies(this);
    return true;
  }

  pose() {
    return this.poses[this.body];
  }

  press(at) {
    this.page.stop();
    this.page.setTime(1);
    const found = picked(this.page, at);
    if (!found || !this.choose(found.body)) return false;
    this.grip = { place: found.place, from: this.pose() };
    return true;
  }

  drag(at) {
    const { grip, page } = this;
    const now = onPlane(page.camera.ray(at), grip.place, page.camera.axes().back);
    if (!now) return;
    const shift = times(sub(now, grip.place), this.frame.scale);
    this.goal = [...add(grip.from, shift), ...grip.from.slice(3)];
    this.go(this.goal);
  }

  release() {
    this.goal = null;
    this.page.redraw();
  }

  click(at) {
    const found = picked(this.page, at);
    return found !== null && this.choose(found.body);
  }

  /** From the panel: the body goes to a pose, if it gets there. */
  place(pose) {
    return this.go(pose);
  }

  /**
   * Moves the chosen body towards a pose. Every move begins where the one before it ended; of
   * several that wait only the last is made.
   */
  async go(pose) {
    this.next = { body: this.body, pose };
    if (this.isGoing) return;
    this.isGoing = true;
    try {
      while (this.next) {
        const { body, pose } = this.next;
        this.next = null;
        await this.travel(body, pose);
      }
    } catch (error) {
      this.next = null;
      this.play.complain(error);
    } finally {
      this.isGoing = false;
    }
  }

  async travel(body, pose) {
    const { about, play, held } = this;
    const begun = performance.now();
    const start = this.poses[body];
    const by = sub(pose, start);
    const turn = turnBetween(start, pose);
    if (length(by) === 0 && length(turn) === 0) return;
    const argument = { mover: body - about.standing, start, by, turn, slides: this.slides };
    const answer = await held.ask("travel", argument);
    if (this.page.signal.aborted) return;
    play.took(performance.now() - begun);
    this.poses[body] = Array.from(answer.end);
    const touched = answer.stops.flatMap((stop) => this.touches(body, stop, 1));
    const isSolid = answer.stops.some((stop) => stop.isSolid);
    this.rows = [...this.rows.filter((row) => row.body !== body), ...touched];
    this.show(body, start);
    play.say(isSolid ? `${about.names[body]} starts in the world and does not move` : this.said());
    play.panel.showPose(this);
  }

  show(body, from) {
    const { page } = this;
    const bodies = page.model.bodies.map((one, i) => {
      if (i !== body) return one;
      const drawn = drawnPoses([...from, ...this.poses[i]], this.frame);
      const track = Float32Array.from({ length: 7 * FRAMES.length }, (_, k) =>
        k < 7 * (FRAMES.length - 1) ? drawn[k % 7] : drawn[7 + (k % 7)],
      );
      return { ...one, track, ghosts: [], paths: false };
    });
    page.replace(page.model.with({ bodies, groups: [this.group()] }), { isPassing: true });
    page.setTime(1);
  }

  draw() {
    if (!this.goal) return;
    const { viewer, model } = this.page;
    const pose = Array.from(drawnPoses(this.goal, this.frame));
    const body = model.bodies[this.body];
    viewer.ghost(body.mesh, pose, rgb(body.colour), 0.2);
  }
}

/** Where a body is at the frames of its journey, until it stops. */
function trackOf({ aims, fraction, end }) {
  return FRAMES.reduce((track, time, i) => [...track, ...(time >= fraction ? end : aims[i])], []);
}

function boxAt([low, high], pose) {
  return Array.from({ length: 8 }, (_, i) =>
    carried(
      pose,
      [0, 1, 2].map((k) => ((i >> k) & 1 ? high[k] : low[k])),
    ),
  );
}

function extentOf(corners, k) {
  const all = corners.map((corner) => corner[k]);
  return Math.max(...all) - Math.min(...all);
}

/** The turn from a pose to another: an axis times radians. */
function turnBetween(from, to) {
  const [a, b] = [from.slice(3), to.slice(3)];
  const [x, y, z, w] = [
    b[0] * a[3] - b[3] * a[0] - b[1] * a[2] + b[2] * a[1],
    b[1] * a[3] - b[3] * a[1] - b[2] * a[0] + b[0] * a[2],
    b[2] * a[3] - b[3] * a[2] - b[0] * a[1] + b[1] * a[0],
    b[3] * a[3] + b[0] * a[0] + b[1] * a[1] + b[2] * a[2],
  ];
  const sign = w < 0 ? -1 : 1;
  const sine = Math.hypot(x, y, z);
  const angle = 2 * Math.atan2(sine, Math.abs(w));
  return sine > 1e-12 ? [x, y, z].map((part) => (sign * part * angle) / sine) : [0, 0, 0];
}
