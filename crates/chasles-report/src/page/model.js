// What the page shows. In a file numbers are base64 of their bytes, lowest first; from an engine
// they are arrays already.

import { add, between, clamp, length, mix, sub, times } from "./motion.js";

function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out.buffer;
}

const as = (Kind) => (from) => (typeof from === "string" ? new Kind(bytes(from)) : from);
const singles = as(Float32Array);
const doubles = as(Float64Array);
export const shorts = as(Uint16Array);
export const words = as(Uint32Array);

/** Places in shares of the sides of a box. */
function within([low, high], shares) {
  return Float32Array.from(
    shares,
    (share, i) => low[i % 3] + (share / 65535) * (high[i % 3] - low[i % 3]),
  );
}

/** Whether the page is dark. */
export const DARK = matchMedia("(prefers-color-scheme: dark)");

export class Mesh {
  constructor(data) {
    const whole = (text) => (data.wide ? words(text) : shorts(text));
    this.vertices = data.vertices;
    this.thinned = data.thinned;
    /** Positions, one set after the other: one, or one for each frame of a surface that deforms. */
    this.positions = data.range
      ? within(data.range, shorts(data.positions))
      : singles(data.positions);
    this.sets = data.vertices > 0 ? this.positions.length / (3 * data.vertices) : 1;
    /** Whether sets come and go while the page shows it. */
    this.deforms = false;
    this.triangles = whole(data.triangles);
    this.edges = whole(data.edges);
    this.lone = whole(data.lone);
    /** The numbers of the input: of vertices, and of the polygon of each triangle. */
    this.labels = data.labels ? words(data.labels) : null;
    this.faces = data.faces ? words(data.faces) : null;
  }

  position(vertex, set = 0) {
    const at = 3 * (set * this.vertices + vertex);
    return [this.positions[at], this.positions[at + 1], this.positions[at + 2]];
  }

  get bounds() {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < this.positions.length; i++) {
      low[i % 3] = Math.min(low[i % 3], this.positions[i]);
      high[i % 3] = Math.max(high[i % 3], this.positions[i]);
    }
    return [low, high];
  }

  vertexOf(label) {
    if (!this.labels) return label < this.vertices ? label : -1;
    return this.labels.indexOf(label);
  }

  /** Up to `count` vertices spread widely: each is the farthest from those before it. */
  farApart(count) {
    const middle = [0, 0, 0];
    for (let v = 0; v < this.vertices; v++)
      for (let i = 0; i < 3; i++) middle[i] += this.positions[3 * v + i] / this.vertices;
    let from = middle;
    const distances = new Float64Array(this.vertices).fill(Infinity);
    const chosen = [];
    while (chosen.length < Math.min(count, this.vertices)) {
      let best = 0;
      for (let v = 0; v < this.vertices; v++) {
        const distance = length(sub(this.position(v), from));
        distances[v] = chosen.length < 2 ? distance : Math.min(distances[v], distance);
        if (distances[v] > distances[best]) best = v;
      }
      chosen.push(best);
      from = this.position(best);
    }
    return chosen;
  }
}

export class Events {
  constructor(data) {
    this.count = data.count;
    this.total = data.total;
    this.columns = {};
    for (const [key, values] of Object.entries(data.columns)) {
      this.columns[key] = values.list
        ? Array.from(shorts(values.rows), (number) => values.list[number])
        : doubles(values);
    }
    this.time = doubles(data.time);
    this.columns.time = this.time;
    this.point = doubles(data.point);
    this.normal = doubles(data.normal);
    this.places = data.places ? doubles(data.places) : null;
  }

  /** The event with the words of one of others, the nearest in time of several; null without. */
  like(others, id) {
    const isName = (key) => key !== "grazing" && Array.isArray(this.columns[key]);
    const keys = Object.keys(this.columns).filter(isName);
    const isSame = (i) => keys.every((key) => this.columns[key][i] === others.columns[key]?.[id]);
    const far = (i) => Math.abs(this.time[i] - others.time[id]);
    let best = null;
    for (let i = 0; i < this.count; i++)
      if (isSame(i) && (best === null || far(i) < far(best))) best = i;
    return best;
  }

  pointOf(i) {
    return [this.point[3 * i], this.point[3 * i + 1], this.point[3 * i + 2]];
  }

  normalOf(i) {
    return [this.normal[3 * i], this.normal[3 * i + 1], this.normal[3 * i + 2]];
  }
}

export class Model {
  constructor(data) {
    Object.assign(this, data);
    this.frames = doubles(data.frames);
    const known = (mesh) => (mesh instanceof Mesh ? mesh : new Mesh(mesh));
    this.meshes = data.meshes.map(known);
    this.bodies = data.bodies.map((body, index) => {
      const track = body.track ? singles(body.track) : null;
      return {
        ...body,
        index,
        track,
        moves: track !== null && track.some((x, i) => Math.abs(x - track[i % 7]) > 1e-4),
      };
    });
    this.groups = data.groups.map((group) => ({
      ...group,
      track: group.track ? singles(group.track) : null,
      events: new Events(group.events),
    }));
    this.plots = data.plots.map((plot) => ({
      ...plot,
      series: plot.series.map((series) => ({ ...series, values: doubles(series.values) })),
    }));
  }

  /** The same with some of its parts replaced. */
  with(change) {
    return Object.assign(Object.create(Model.prototype), this, change);
  }

  /** A place of the world where the page draws it: everything it shows is about 1 large. */
  drawn(point) {
    return times(sub(point, this.frame.centre), 1 / this.frame.scale);
  }

  /** The place of the world that is drawn at a place. */
  undrawn(place) {
    return add(times(place, this.frame.scale), this.frame.centre);
  }

  /** The frame before a time, and the share of the way to the next. */
  frameAt(time) {
    const last = this.frames.length - 1;
    if (last < 1 || !(time > this.frames[0])) return [0, 0];
    if (time >= this.frames[last]) return [last - 1, 1];
    let [low, high] = [0, last];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.frames[middle] <= time) low = middle;
      else high = middle;
    }
    return [low, (time - this.frames[low]) / (this.frames[high] - this.frames[low])];
  }

  /** Where a body is. In a pair of contacts, B goes by the screw that A sees. */
  pose(index, time, group) {
    const body = this.bodies[index];
    const track = group && group.track && group.b === index ? group.track : body.track;
    if (!track) return body.pose;
    const [frame, share] = this.frameAt(time);
    const at = (i) => Array.from(track.subarray(7 * i, 7 * i + 7));
    if (share === 0) return at(frame);
    return share === 1 ? at(frame + 1) : between(at(frame), at(frame + 1), share);
  }

  /** The positions of a mesh at a time. */
  positionsAt(mesh, time) {
    if (mesh.sets === 1) return mesh.positions;
    const [frame, share] = this.frameAt(time);
    const size = 3 * mesh.vertices;
    const step = (mesh.sets - 1) / (this.frames.length - 1);
    const at = Math.min((frame + share) * step, mesh.sets - 1);
    const set = Math.min(Math.floor(at), mesh.sets - 2);
    const out = new Float32Array(size);
    for (let i = 0; i < size; i++) {
      const from = mesh.positions[set * size + i];
      out[i] = from + (mesh.positions[(set + 1) * size + i] - from) * (at - set);
    }
    return out;
  }

  /** The corners of the parts of bodies that an event names, such as `edge 3-8` of body A. */
  feature(index, text, time) {
    const found = /^(vertex|edge|face) (\d+)(?:-(\d+))?/.exec(text || "");
    if (!found || index < 0) return null;
    const mesh = this.meshes[this.bodies[index].mesh];
    if (mesh.thinned) return null;
    const positions = this.positionsAt(mesh, time);
    const corner = (v) => [positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]];
    if (found[1] === "face") {
      if (!mesh.faces) return null;
      const triangles = [];
      for (let i = 0; i < mesh.faces.length; i++) {
        if (mesh.faces[i] === Number(found[2]))
          triangles.push([0, 1, 2].map((k) => corner(mesh.triangles[3 * i + k])));
      }
      return triangles.length ? { kind: "face", triangles } : null;
    }
    const ends = [found[2], found[3]]
      .filter((x) => x !== undefined)
      .map((x) => mesh.vertexOf(Number(x)));
    return ends.some((v) => v < 0) ? null : { kind: found[1], ends: ends.map(corner) };
  }

  /** The colours of values on the page as it is, light or dark. */
  scale() {
    return this.value ? this.value.scale[DARK.matches ? "dark" : "light"] : null;
  }

  /** The colour of an event's value, as three numbers from 0 to 1. */
  colour(value) {
    const scale = this.scale();
    if (!scale || Number.isNaN(value)) return [0.5, 0.5, 0.5];
    // A value with a sign has colours of its own for each: there is a step at 0.
    const half = this.value.low < 0 ? scale.length / 2 : 0;
    const isBelow = half > 0 && value < -this.value.rounding;
    const colours = half === 0 ? scale : isBelow ? scale.slice(0, half) : scale.slice(half);
    const share =
      half === 0 ? this.place(value) : clamp(2 * this.place(value) - (isBelow ? 0 : 1), 0, 1);
    const at = share * (colours.length - 1);
    const i = clamp(Math.floor(at), 0, colours.length - 2);
    return mix(rgb(colours[i]), rgb(colours[i + 1]), clamp(at - i, 0, 1));
  }

  /** What a cell of the table says. */
  cell(column, value) {
    if (column.kind !== "number") return value;
    return short(value, column.digits, column.is_fixed, this.value ? this.value.rounding : 0);
  }

  /**
   * Where a value stands on the scale of colours, from 0 to 1: values crowd near 0, so by roots.
   */
  place(value) {
    const { low, high } = this.value;
    if (low < 0) return 0.5 + 0.5 * Math.sign(value) * Math.sqrt(Math.min(Math.abs(value), 1));
    return high > low ? Math.sqrt(clamp((value - low) / (high - low), 0, 1)) : 0;
  }
}

export function rgb(hex) {
  const number = parseInt(hex.slice(1), 16);
  return [(number >> 16) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}

export const css = (c, alpha = 1) => `rgb(${c.map((x) => Math.round(255 * x)).join(" ")} / ${alpha})`;

/**
 * A number as people read it: with so many digits, and an exponent only where it is needed. One
 * that is fixed has none, and its sign unless it is 0 to rounding.
 */
export function short(x, digits = 4, isFixed = false, rounding = 0) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "–" : String(x).replace("Infinity", "∞");
  const size = Math.abs(x);
  // What is below rounding in a scene whose sizes are about 1 is zero.
  if (!isFixed && size >= 1e-15 && (size < 10 ** -digits || size >= 1e6))
    return x.toExponential(Math.min(digits, 3)).replace("e+", "e");
  const isZero = isFixed ? size <= rounding : size < 0.5 * 10 ** -digits;
  // Of large numbers the last decimals say nothing.
  const large = isFixed || size < 100 ? 0 : Math.floor(Math.log10(size)) - 1;
  return (isZero ? 0 : x).toFixed(Math.max(digits - large, 0));
}
