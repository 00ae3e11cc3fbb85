// Handles in the view: arrows that move a body, rings that turn it, and what the pointer picks.

import {
  about,
  across,
  add,
  carried,
  cross,
  dot,
  length,
  product,
  rotation,
  sub,
  times,
  turned,
  unit,
} from "./motion.js";
import { rgb } from "./model.js";

/** Colours of x, y and z: of the palette that all eyes tell apart, and with their letters. */
const AXES = [
  { name: "x", way: [1, 0, 0], colour: rgb("#d55e00") },
  { name: "y", way: [0, 1, 0], colour: rgb("#009e73") },
  { name: "z", way: [0, 0, 1], colour: rgb("#0072b2") },
];

/** How far from a handle a pointer takes hold of it, in pixels. */
const GRIP = { mouse: 9, pen: 12, touch: 24 };

/** Lengths as shares of the distance from the eye: handles are as large at any zoom. */
const ARROW_LENGTH = 0.11;
const RING_RADIUS = 0.085;
const RING_PIECES = 48;

/** Where a ray meets the plane through a point; null if it runs along it. */
export function onPlane({ from, way }, point, normal) {
  const slope = dot(way, normal);
  if (Math.abs(slope) < 1e-9) return null;
  const far = dot(sub(point, from), normal) / slope;
  return far > 0 ? add(from, times(way, far)) : null;
}

/** How far along an axis through a point it is nearest to a ray. */
function alongAxis({ from, way }, point, axis) {
  const across = cross(axis, way);
  const size = dot(across, across);
  if (size < 1e-6) return null;
  return dot(cross(sub(from, point), way), across) / size;
}

/** Where a ray meets a triangle, as a length along it; Infinity if it does not. */
function onTriangle({ from, way }, a, b, c) {
  const [u, v] = [sub(b, a), sub(c, a)];
  const p = cross(way, v);
  const size = dot(u, p);
  if (Math.abs(size) < 1e-14) return Infinity;
  const s = sub(from, a);
  const x = dot(s, p) / size;
  const q = cross(s, u);
  const y = dot(way, q) / size;
  if (x < 0 || y < 0 || x + y > 1) return Infinity;
  const far = dot(v, q) / size;
  return far > 0 ? far : Infinity;
}

/** The body that a pixel shows, and the place on it as drawn; null where there is none. */
export function picked(page, at, isWanted = () => true) {
  const ray = page.camera.ray(at);
  let best = null;
  for (const body of page.model.bodies) {
    if (page.hidden.has(body.legend) || !isWanted(body.index)) continue;
    const pose = page.model.pose(body.index, page.time, page.group);
    const far = onMesh(ray, page.model.meshes[body.mesh], pose);
    if (far < (best ? best.far : Infinity)) best = { body: body.index, far };
  }
  return best && { body: best.body, place: add(ray.from, times(ray.way, best.far)) };
}

function onMesh({ from, way }, mesh, pose) {
  const back = [-pose[3], -pose[4], -pose[5], pose[6]];
  const local = { from: turned(back, sub(from, pose)), way: turned(back, way) };
  let nearest = Infinity;
  const { triangles } = mesh;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => mesh.position(triangles[i + k]));
    nearest = Math.min(nearest, onTriangle(local, a, b, c));
  }
  return nearest;
}

/** How far a pixel is from a line of points in the view. */
function distanceTo([x, y], points) {
  let best = Infinity;
  for (let i = 1; i < points.length; i++) {
    const [p, q] = [points[i - 1], points[i]];
    if (!p || !q) continue;
    const d = [q[0] - p[0], q[1] - p[1]];
    const size = d[0] * d[0] + d[1] * d[1];
    const share = size > 0 ? ((x - p[0]) * d[0] + (y - p[1]) * d[1]) / size : 0;
    const s = Math.min(Math.max(share, 0), 1);
    best = Math.min(best, Math.hypot(p[0] + s * d[0] - x, p[1] + s * d[1] - y));
  }
  return best;
}

/**
 * Arrows and rings at the pose of a chosen body. `calls.pose()` gives that pose as drawn, or null;
 * `calls.move(pose, isDone)` gets the new one; `calls.choose(body)` is told what is clicked.
 */
export class Handles {
  constructor(page, calls) {
    Object.assign(this, { page, calls, grip: null });
  }

  /** The handles at a pose: lines in space, each with what it does. */
  parts(pose) {
    const size = length(sub(this.page.camera.eye(), pose));
    const arrows = AXES.map((axis) => ({
      axis,
      kind: "move",
      points: [pose.slice(0, 3), add(pose, times(axis.way, ARROW_LENGTH * size))],
    }));
    const rings = AXES.map((axis) => ({
      axis,
      kind: "turn",
      points: ringAround(pose, axis.way, RING_RADIUS * size),
    }));
    return [...arrows, ...rings];
  }

  press(at, event) {
    const pose = this.calls.pose();
    if (!pose) return false;
    const reach = GRIP[event.pointerType] || GRIP.mouse;
    const matrix = this.page.camera.matrix();
    const pixels = (points) => points.map((point) => this.page.camera.pixel(point, matrix));
    let best = null;
    for (const part of this.parts(pose)) {
      // Near its foot an arrow is in the way of the rings.
      const points =
        part.kind === "move" ? [mixed(part.points, 0.35), part.points[1]] : part.points;
      const far = distanceTo(at, pixels(points));
      if (far < reach && (!best || far < best.far)) best = { part, far };
    }
    const centre = this.page.camera.pixel(pose, matrix);
    const isCentre = centre && Math.hypot(centre[0] - at[0], centre[1] - at[1]) < reach;
    if (!best && !isCentre) return false;
    this.take(isCentre ? { kind: "free" } : best.part, pose, at);
    return true;
  }

  take(part, pose, at) {
    const normal = part.kind === "turn" ? part.axis.way : this.page.camera.axes().back;
    const ray = this.page.camera.ray(at);
    const first =
      part.kind === "move" ? alongAxis(ray, pose, part.axis.way) : onPlane(ray, pose, normal);
    this.grip = { part, pose, normal, first, last: pose };
  }

  drag(at) {
    const { grip } = this;
    if (!grip || grip.first === null) return;
    const next = this.moved(grip, this.page.camera.ray(at));
    if (!next) return;
    grip.last = next;
    this.calls.move(next, false);
  }

  moved({ part, pose, normal, first }, ray) {
    if (part.kind === "move") {
      const now = alongAxis(ray, pose, part.axis.way);
      if (now === null) return null;
      return [...add(pose, times(part.axis.way, now - first)), ...rotation(pose)];
    }
    const now = onPlane(ray, pose, normal);
    if (!now) return null;
    if (part.kind === "free") return [...add(pose, sub(now, first)), ...rotation(pose)];
    const [from, to] = [unit(sub(first, pose)), unit(sub(now, pose))];
    const angle = Math.atan2(dot(cross(from, to), normal), dot(from, to));
    return [...pose.slice(0, 3), ...product(about(normal, angle), rotation(pose))];
  }

  release() {
    if (this.grip) this.calls.move(this.grip.last, true);
    this.grip = null;
  }

  click(at) {
    const found = picked(this.page, at);
    return found !== null && this.calls.choose(found.body);
  }

  draw() {
    const pose = this.grip ? this.grip.last : this.calls.pose();
    if (!pose) return;
    const { viewer } = this.page;
    const size = length(sub(this.page.camera.eye(), pose));
    for (const { axis, kind, points } of this.parts(pose)) {
      const isHeld = this.grip && this.grip.part.axis === axis && this.grip.part.kind === kind;
      const colour = [...axis.colour, isHeld ? 1 : 0.85];
      const rows = points.slice(1).map((point, i) => [points[i], point, colour]);
      if (kind === "move") rows.push(...tipOf(points[1], axis.way, 0.016 * size, colour));
      viewer.segments(rows, { width: isHeld ? 5 : 3, onTop: true });
    }
    viewer.markers([[pose.slice(0, 3), [1, 1, 1, 1], 5]], [0.1, 0.1, 0.1, 1], 1);
  }
}

const mixed = ([p, q], s) => add(times(p, 1 - s), times(q, s));

/** The strokes of an arrow's head. */
function tipOf(tip, way, size, colour) {
  const side = across(way);
  const other = cross(way, side);
  const back = sub(tip, times(way, 1.6 * size));
  return [side, times(side, -1), other, times(other, -1)].map((off) => [
    tip,
    add(back, times(off, 0.6 * size)),
    colour,
  ]);
}

function ringAround(pose, way, radius) {
  const side = times(across(way), radius);
  return Array.from({ length: RING_PIECES + 1 }, (_, i) =>
    carried([pose[0], pose[1], pose[2], ...about(way, (2 * Math.PI * i) / RING_PIECES)], side),
  );
}
