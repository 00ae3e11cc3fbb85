// Contacts: bodies are moved and turned at both ends of the step, and every contact follows.

import { Model } from "./model.js";
import {
  FRAMES,
  PLAIN,
  PROPERNESS,
  bodyData,
  column,
  contactEvents,
  drawnPoses,
  floors,
  frameOf,
  meshOf,
  paletteColour,
  screenData,
  screwAxes,
} from "./document.js";
import { Handles } from "./handles.js";
import { carried } from "./motion.js";

/** How long after the last move of a drag the screen is drawn, in milliseconds. */
const PAUSE = 120;

const COLLIDE_WORDS = {
  list: "Contacts",
  timeline: "Contacts over time, by properness",
  empty: "No contacts: in this step the bodies do not touch, as far as was asked.",
  layers: {
    edges: "edges",
    start: "start and end, faintly",
    paths: "flow lines",
    axis: "the screw axis",
    ground: "grid and shadows",
    markers: "contacts",
    normals: "normals",
  },
  help: [
    "Choose a body in the panel or click it, choose an end of the step, and drag: arrows move it, " +
      "rings turn it, the white disc moves it across the view. All contacts follow at once. The " +
      "numbers in the panel do the same.",
    "A disc is a contact in the colour of its properness: how well the surfaces face each other, " +
      "from 1 down to -1; below 0 the bodies overlap next to it already. Choose one in the view, " +
      "on the screen, over time or in the table: all show it.",
    "The collision screen shows both bodies as they are seen along the motion: points at one " +
      "place meet at some time, and contacts are where the edges of the two cross.",
  ],
};

const COLLIDE_COLUMNS = [
  column("kind", "kind", "fv: a face of A and a vertex of B; vf: the reverse; ee: two edges", {}),
  column("a", "of A", "the feature of the first body", { width: "1fr" }),
  column("b", "of B", "the feature of the second body", { width: "1fr" }),
  column("time", "time", "as a fraction of the step", { digits: 6, width: "5em" }),
  column("properness", "properness", "1 is best, below 0 the bodies overlap next to it", {
    digits: 4,
    isFixed: true,
    width: "6.3em",
  }),
  column("speed", "speed", "the rate of the gap per step: negative where the bodies approach", {
    digits: 3,
    width: "4.6em",
  }),
  column("untouchable", "", "the shape of a closed body forbids a touch from outside", {}),
];

/** The corners of a box of six numbers. */
function cornersOf(bounds) {
  return Array.from({ length: 8 }, (_, i) =>
    [0, 1, 2].map((k) => bounds[(i >> k) & 1 ? 3 + k : k]),
  );
}

/** With more contacts than this the page begins with those that are nearly proper. */
const MANY = 40;

/** The least properness that is shown at first. */
function startOf(groups) {
  const all = groups.flatMap(({ events }) => Array.from(events.columns.properness));
  const isNear = (properness) => properness >= PROPERNESS.enough;
  return all.length > MANY && all.some(isNear) ? PROPERNESS.enough : -1;
}

export class CollideMode {
  constructor(play, held, scene) {
    const { about } = held;
    Object.assign(this, { play, held, scene, about });
    Object.assign(this, { body: Math.min(1, about.names.length - 1), end: 1 });
    this.ends = about.ends.map((both) => [both.slice(0, 7), both.slice(7, 14)]);
    this.options = { method: 0, facing: false, touchable: false, minProperness: -1 };
    Object.assign(this.options, { firstOnly: false, from: 0, to: 1, pixels: 12, robust: false });
    this.asked = 0;
    /** Ends the last question that was asked of all, for one that follows says more. */
    this.wish = new AbortController();
    this.times = FRAMES;
  }

  /** The page of the scene with its first contacts. */
  async document() {
    const { about, held } = this;
    const boxes = about.bounds.map(cornersOf);
    const sizes = about.bounds.map((b) => Math.hypot(b[3] - b[0], b[4] - b[1], b[5] - b[2]));
    const isFloor = floors(sizes);
    const answer = await this.ask({ hasScreens: true, isWatched: true });
    const placed = answer.tracks.flatMap((track, i) => {
      if (isFloor[i]) return [];
      return [0, 8, 16, 24, 32].map((k) =>
        boxes[i].map((corner) => carried(Array.from(track.slice(7 * k, 7 * k + 7)), corner)),
      );
    });
    this.frame = frameOf(placed);
    const looks = await held.ask("looks", this.frame.scale);
    const bodies = about.names.map((name, i) =>
      bodyData(name, i, {
        framed: !isFloor[i],
        edges: about.kinds[i] === "mesh",
        ghosts: [0, FRAMES.length - 1],
        paths: true,
        track: drawnPoses(answer.tracks[i], this.frame),
      }),
    );
    const { groups, notes } = this.grouped(answer);
    const begun = groups[0].events;
    return {
      ...PLAIN,
      command: "collide",
      title: about.title,
      notes: [...about.warnings, ...notes],
      time: {
        label: "time",
        unit: "",
        digits: 4,
        first: 0,
        last: 1,
        start: begun.count > 0 ? begun.time[0] : 0,
        seconds: 6,
        pace: "",
        now: 0.01,
        momentary: false,
      },
      frame: this.frame,
      view: { eye: [0.55, 0.5, 1], up: [0, 1, 0] },
      frames: FRAMES,
      meshes: looks.map(meshOf),
      bodies,
      legend: about.names.map((name, i) => ({ name, colour: paletteColour(i) })),
      groups,
      columns: COLLIDE_COLUMNS,
      kind_key: "kind",
      value: { ...PROPERNESS, start: startOf(groups) },
      words: COLLIDE_WORDS,
    };
  }

  /** The model of a document, whose events are made already. */
  model(document) {
    const empty = { ...document, groups: [] };
    return new Model(empty).with({ groups: document.groups });
  }

  ask({ hasScreens, isWatched }) {
    const argument = { options: this.options, times: this.times, hasScreens, hasTracks: true };
    if (!isWatched) return this.held.latest("contacts", argument);
    const until = this.wish.signal;
    return this.play.watched((watch) => this.held.ask("contacts", argument, { ...watch, until }));
  }

  /** The groups of an answer: pairs with contacts, or the first pair, and what is to be noted. */
  grouped({ answers, tracks }) {
    const { names } = this.about;
    const touching = answers.filter((answer) => answer.count > 0);
    const shown = touching.length > 0 ? touching : answers.slice(0, 1);
    const groups = shown.map((answer) => this.group(answer, tracks));
    if (groups.length === 0) groups.push(this.noGroup());
    const overlaps = answers.filter((answer) => answer.overlaps);
    const notes = overlaps.map(
      ({ bodies: [a, b] }) => `${names[a]} and ${names[b]} overlap at the start.`,
    );
    this.summary = this.said(answers, touching);
    return { groups, notes };
  }

  said(answers, touching) {
    const count = touching.reduce((sum, answer) => sum + answer.count, 0);
    const how = answers[0] ? `by ${answers[0].method}: ${answers[0].guarantee}` : "";
    const pairs = touching.length === 1 ? "pair" : "pairs";
    return `${count} contacts of ${touching.length} ${pairs}, ${how}`;
  }

  group(answer, tracks) {
    const { names } = this.about;
    const [a, b] = answer.bodies;
    const isOwn = answer.track.every(
      (x, i) => Math.abs(x - tracks[b][i]) < 1e-5 * this.frameScale(),
    );
    return {
      name: `${names[a]} and ${names[b]}: ${answer.count} contacts`,
      a,
      b,
      track: isOwn ? null : drawnPoses(answer.track, this.frame || frameOf([])),
      axes: screwAxes(answer.screws, [names[a], names[b]], this.frame || { scale: 1 }),
      screens: answer.screens ? answer.screens.map(screenData) : [],
      screen_note: answer.screens
        ? "There is no screen: bodies that are no meshes, or that do not move, have none."
        : "The screen is drawn when the drag pauses.",
      events: contactEvents(answer),
    };
  }

  frameScale() {
    return this.frame ? this.frame.scale : 1;
  }

  noGroup() {
    const events = contactEvents({ numbers: [], features: new Uint32Array(), count: 0 });
    const note = "A body alone has no screen.";
    return {
      name: "",
      a: -1,
      b: -1,
      track: null,
      axes: [],
      screens: [],
      screen_note: note,
      events,
    };
  }

  /** The page is there: what can be done with it. */
  begin(page) {
    this.page = page;
    page.hand = new Handles(page, {
      pose: () => this.handled(),
      move: (pose, isDone) => this.place(this.worldPose(pose), isDone),
      choose: (body) => this.choose(body, this.end),
    });
    this.play.panel.showBodies(this);
  }

  worldPose(pose) {
    return [...this.page.model.undrawn(pose), ...pose.slice(3)];
  }

  /** Where the handles are, as drawn. */
  handled() {
    const pose = Array.from(this.ends[this.body][this.end === 2 ? 0 : this.end]);
    return [...this.page.model.drawn(pose), ...pose.slice(3)];
  }

  choose(body, end) {
    Object.assign(this, { body, end });
    this.play.panel.showBodies(this);
    this.page.redraw();
    return true;
  }

  pose() {
    return Array.from(this.ends[this.body][this.end === 2 ? 0 : this.end]);
  }

  /** Puts the chosen body at a pose at the chosen end, or at both. */
  async place(pose, isDone) {
    const ends = this.ends[this.body];
    if (this.end !== 1) ends[0] = pose;
    if (this.end !== 0) ends[1] = pose;
    const [start, end] = ends.map((numbers) => Float64Array.from(numbers));
    this.scene.place(this.body, start, end);
    this.page.camera.isMoved = true;
    this.play.panel.showPose(this);
    this.wish.abort();
    // Both go to the worker in one breath: moves are never left out, questions may be.
    this.held.ask("move", { body: this.body, start, end }).catch(this.play.complain);
    clearTimeout(this.timer);
    if (isDone) return this.recompute();
    this.timer = setTimeout(() => this.recompute(), PAUSE);
    await this.follow();
  }

  /** The contacts of the moment, while a drag goes on. */
  async follow() {
    const begun = performance.now();
    const number = this.asked;
    const answer = await this.ask({ hasScreens: false }).catch(this.play.complain);
    // What was asked before all was asked anew says less than that, and may come later.
    if (!answer || number !== this.asked) return;
    this.play.took(performance.now() - begun);
    this.show(answer, true);
  }

  /** All that depends on poses and options. */
  async recompute() {
    const number = ++this.asked;
    this.wish.abort();
    this.wish = new AbortController();
    try {
      const answer = await this.ask({ hasScreens: true, isWatched: true });
      if (number === this.asked) this.show(answer, false);
    } catch (error) {
      this.play.complain(error);
    }
  }

  show(answer, isPassing) {
    const { page } = this;
    if (page.signal.aborted) return;
    const { groups, notes } = this.grouped(answer);
    const chosen = page.group;
    const same = groups.findIndex((group) => group.a === chosen.a && group.b === chosen.b);
    const bodies = page.model.bodies.map((body, i) => {
      const track = drawnPoses(answer.tracks[i], this.frame);
      return { ...body, track, moves: track.some((x, k) => Math.abs(x - track[k % 7]) > 1e-4) };
    });
    // What stays chosen is the pair, wherever it stands in the list.
    page.model.groups[Math.max(same, 0)] = chosen;
    page.replace(page.model.with({ groups, bodies, notes: [...this.about.warnings, ...notes] }), {
      isPassing,
    });
    this.play.say(this.summary);
  }
}
