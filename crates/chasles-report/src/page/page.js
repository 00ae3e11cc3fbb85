// The page: what is shown, at which time, and what is chosen.

import { carried, clamp, conjugate, returned, rotation, turned } from "./motion.js";
import { rgb, short } from "./model.js";
import { Camera } from "./camera.js";
import { Viewer } from "./viewer.js";
import { Filter } from "./table.js";
import { explained, showMotion } from "./explain.js";
import { RADII, drawSpace } from "./space.js";
import { makeParts, remakeParts, showStill } from "./parts.js";
import { bindKeys, bindTime, bindView } from "./input.js";

/** Lengths of arrows along normals, as drawn: bodies are about 1 large. */
export const ARROW = 0.16;

export class Page {
  /** A page of a model, until a signal ends it. */
  constructor(model, signal = new AbortController().signal) {
    this.model = model;
    this.signal = signal;
    /** What takes hold of the pointer in the view before the camera does, and draws there. */
    this.hand = null;
    this.time = model.time.start;
    this.isPlaying = false;
    this.selected = null;
    this.rows = [];
    this.hidden = new Set();
    this.group = model.groups[model.group];
    this.events = this.group.events;
    this.filter = new Filter(model);
    this.layers = {
      edges: true,
      start: true,
      paths: true,
      axis: true,
      joints: true,
      ground: true,
      markers: true,
    };
    // Of a simulation those of all impacts would hide it.
    this.layers.normals = model.command !== "simulate";
    this.camera = new Camera(model.view);
    /** Whether markers are as large as their values say. */
    this.isSized = model.value !== null && model.value.low >= 0;
    this.element = (id) => document.getElementById(id);
    this.openView();
    makeParts(this);
    bindTime(this);
    bindView(this);
    bindKeys(this);
    this.applyFilter();
    if (model.chosen !== null) this.select(model.chosen, { keepTime: true });
    else this.redraw();
  }

  /** The view in space, or still pictures where there is no WebGL2. */
  openView() {
    const canvas = this.element("space");
    try {
      this.viewer = new Viewer(canvas, this.model);
      this.signal.addEventListener("abort", () => this.viewer && this.viewer.close());
      canvas.addEventListener("webglcontextlost", (event) => {
        event.preventDefault();
        if (this.signal.aborted) return;
        this.viewer = null;
        showStill(this);
      });
    } catch {
      this.viewer = null;
      showStill(this);
    }
  }

  choosePair(index) {
    this.group = this.model.groups[index];
    this.events = this.group.events;
    this.selected = null;
    Object.assign(this.element("pair"), { value: String(index), title: this.group.name });
    if (this.screen) this.screen.reset();
    this.pathCache = null;
    this.applyFilter();
    if (this.rows.length > 0) this.select(this.beginning());
  }

  /**
   * Shows other numbers of the same bodies. What is chosen, and the view, stay; what stands around
   * the view is made anew unless more numbers follow at once, as in a drag.
   */
  replace(model, { isPassing = false } = {}) {
    const shown = Math.max(this.model.groups.indexOf(this.group), 0);
    const index = Math.min(shown, model.groups.length - 1);
    const before = this.events;
    Object.assign(this, { model, group: model.groups[index], pathCache: null });
    this.events = this.group.events;
    this.filter.model = model;
    if (this.viewer) this.viewer.show(model);
    if (this.selected !== null) this.selected = this.events.like(before, this.selected);
    this.time = clamp(this.time, model.time.first, model.time.last);
    if (!isPassing) {
      Object.assign(this, { framedCache: null, groundCache: null, freeCache: null });
      remakeParts(this);
    }
    this.applyFilter();
  }

  /** The row to begin with: of the earliest ones, the one of the greatest value. */
  beginning() {
    const { rows, events, model } = this;
    const values = model.value && events.columns[model.value.key];
    const earliest = rows.filter((i) => events.time[i] === events.time[rows[0]]);
    return values ? earliest.reduce((best, i) => (values[i] > values[best] ? i : best)) : rows[0];
  }

  nudge(way) {
    const { first, last } = this.model.time;
    this.stop();
    this.setTime(this.time + (way * (last - first)) / 100);
  }

  setTime(time) {
    const { first, last } = this.model.time;
    this.time = clamp(time, first, last);
    this.redraw();
  }

  toggle() {
    if (this.isPlaying) return this.stop();
    const { first, last } = this.model.time;
    if (this.time >= last) this.time = first;
    this.isPlaying = true;
    this.before = null;
    this.showPlaying();
    this.redraw();
  }

  stop() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.showPlaying();
  }

  showPlaying() {
    const button = this.element("play");
    button.setAttribute("aria-pressed", String(this.isPlaying));
    button.setAttribute("aria-label", this.isPlaying ? "Stop" : "Play");
    this.element("play-shape").setAttribute(
      "d",
      this.isPlaying ? "M2.5 1.5h4v13h-4zM9.5 1.5h4v13h-4z" : "M3 1.5v13l11-6.5z",
    );
  }

  /** Goes on by the time since the last picture; at the end it begins again. */
  advance(now) {
    const { first, last, seconds } = this.model.time;
    const passed = this.before === null ? 0 : Math.min((now - this.before) / 1000, 0.1);
    this.before = now;
    const next =
      this.time + (passed * Number(this.element("speed").value) * (last - first)) / seconds;
    this.time = next > last ? (this.time < last ? last : first) : next;
  }

  colourOf(i) {
    const { value } = this.model;
    return value ? this.model.colour(this.events.columns[value.key][i]) : rgb("#009e73");
  }

  applyFilter() {
    const { events } = this;
    const rows = [];
    for (let i = 0; i < events.count; i++) if (this.filter.passes(events, i)) rows.push(i);
    this.rows = this.table.sorted(rows);
    this.form.show();
    if (this.selected !== null && !this.rows.includes(this.selected)) this.selected = null;
    this.showDetails();
    this.showCount();
    this.table.draw();
    this.table.reveal();
    this.redraw();
  }

  showCount() {
    const { events, rows, model } = this;
    const all = events.total;
    const count = rows.length === all ? `${all}` : `${rows.length} of ${all} shown`;
    this.element("count").textContent = all > 0 ? count : "";
    this.element("show-all").hidden = rows.length === events.count;
    const isEmpty = events.count === 0;
    for (const id of ["filters", "table"]) this.element(id).hidden = isEmpty;
    const nothing = this.element("nothing");
    nothing.hidden = rows.length > 0;
    nothing.textContent = isEmpty ? model.words.empty : "Nothing passes these filters.";
  }

  /** Chooses a row of the table and its marker, and goes to its time; null chooses nothing. */
  select(id, { keepTime = false } = {}) {
    if (id !== null && !this.rows.includes(id)) return;
    this.selected = id;
    if (id !== null && !keepTime) {
      this.stop();
      this.setTime(this.events.time[id]);
    }
    this.showDetails();
    this.table.draw();
    this.table.reveal();
    this.redraw();
  }

  /**
   * Goes so many rows on: if none is chosen, from before the first, or back from behind the last.
   */
  step(by) {
    const { length } = this.rows;
    if (length === 0) return;
    const chosen = this.rows.indexOf(this.selected);
    const at = chosen >= 0 ? chosen : by > 0 ? -1 : length;
    this.select(this.rows[clamp(at + by, 0, length - 1)]);
  }

  showDetails() {
    const box = this.element("details");
    const id = this.selected;
    if (id === null) return box.replaceChildren();
    const { columns } = this.events;
    const vector = (v) => `(${v.map((x) => short(x)).join(", ")})`;
    const [point, normal] = [this.events.pointOf(id), this.events.normalOf(id)].map(vector);
    const numbers = `<span class="numbers">at ${point}, normal ${normal}</span>`;
    box.innerHTML = `${explained(this.model, this.group, columns, id)}<br>${numbers}`;
  }

  /** Shows a word about a contact next to the pointer. */
  tip(id, at, canvas) {
    const box = this.element("tip");
    this.hovered = id;
    box.hidden = id === null;
    if (canvas) canvas.classList.toggle("pointing", id !== null);
    if (id === null || !canvas) return;
    const text = this.model.columns.map((column) => {
      const value = this.events.columns[column.key][id];
      if (value === "") return "";
      return column.kind === "number" ? `${column.label} ${this.model.cell(column, value)}` : value;
    });
    box.replaceChildren(
      ...text
        .filter((part) => part)
        .flatMap((part, i) => [
          i > 0 ? " · " : "",
          Object.assign(document.createElement("bdi"), { textContent: part }),
        ]),
    );
    const frame = this.element("view").getBoundingClientRect();
    const from = canvas.getBoundingClientRect();
    const place = [from.left + at[0] - frame.left + 12, from.top + at[1] - frame.top + 14];
    box.style.left = `${clamp(place[0], 4, Math.max(4, frame.width - 310))}px`;
    box.style.top = `${clamp(place[1], 4, Math.max(4, frame.height - 60))}px`;
  }

  zoom(factor, at) {
    this.camera.zoom(factor, at);
    this.redraw();
  }

  resetView() {
    this.camera.reset();
    this.redraw();
  }

  /** Brings the chosen contact near. */
  lookAtChosen() {
    if (this.selected === null || !this.viewer) return;
    this.camera.target = this.marker(this.selected).place;
    this.camera.distance = Math.min(this.camera.distance, 1.6);
    this.camera.isMoved = true;
    this.redraw();
  }

  /**
   * Where the marker of an event is drawn, and its normal: on A as A moves, or where it happened.
   */
  marker(id) {
    const { model, events, group } = this;
    const point = model.drawn(events.pointOf(id));
    const normal = events.normalOf(id);
    if (!(group.a >= 0) || !model.bodies[group.a].track) return { place: point, normal };
    const then = model.pose(group.a, events.time[id], group);
    const now = model.pose(group.a, this.time, group);
    const rest = returned(then, point);
    return {
      place: carried(now, rest),
      normal: turned(rotation(now), turned(conjugate(rotation(then)), normal)),
    };
  }

  /**
   * The radius of an event's marker, in pixels: of impulses by their roots, as they are coloured;
   * null if all are alike.
   */
  radiusOf(id) {
    if (!this.isSized) return null;
    const share = this.model.place(this.events.columns[this.model.value.key][id]);
    return RADII[0] + (RADII[1] - RADII[0]) * share;
  }

  isNow(id) {
    const { first, last, now } = this.model.time;
    return Math.abs(this.events.time[id] - this.time) <= now * (last - first);
  }

  isMarked(id) {
    return !this.model.time.momentary || id === this.selected || this.isNow(id);
  }

  /**
   * Events in the order in which they are drawn: of several at one place the one of the greatest
   * value is seen.
   */
  inFront(ids) {
    const values = this.model.value && this.events.columns[this.model.value.key];
    return values ? [...ids].sort((p, q) => values[p] - values[q] || q - p) : ids;
  }

  /** Markers in the order in which they are drawn: those of the moment in front of all others. */
  marked() {
    const ids = this.inFront(this.rows.filter((id) => this.isMarked(id)));
    const isNow = new Set(ids.filter((id) => this.isNow(id)));
    return [...ids.filter((id) => !isNow.has(id)), ...isNow];
  }

  /**
   * The marker at a place in the view: the nearest, and of several at one place the one that is
   * seen.
   */
  markerNear([x, y], reach) {
    if (!this.layers.markers) return null;
    const matrix = this.camera.matrix();
    let best = null;
    for (const id of this.marked()) {
      const at = this.camera.pixel(this.marker(id).place, matrix);
      if (!at) continue;
      const distance = Math.hypot(at[0] - x, at[1] - y);
      const worth = Math.round(distance) - (this.isNow(id) ? 3 : 0);
      if (distance <= reach && (!best || worth <= best.worth)) best = { id, worth };
    }
    return best ? best.id : null;
  }

  /** Asks for a new picture; many changes make one. */
  redraw() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame((now) => {
      this.isAsked = false;
      if (!this.signal.aborted) this.draw(now);
    });
  }

  draw(now) {
    if (this.isPlaying) this.advance(now);
    const { time } = this.model;
    this.element("time").value = String(this.time);
    const words = `${short(this.time, time.digits)}${time.unit ? ` ${time.unit}` : ""}`;
    this.element("time").setAttribute("aria-valuetext", words);
    this.element("clock").textContent = words;
    showMotion(this);
    if (this.viewer) drawSpace(this);
    for (const chart of this.charts) chart.draw();
    this.table.draw();
    if (this.isPlaying) this.redraw();
  }
}
