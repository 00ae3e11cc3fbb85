// What gives depth: a grid on the ground, shadows on it, and the joints.

import { add, carried, dot, length, rotation, sub, times, turned } from "./motion.js";
import { rgb } from "./model.js";
import { framed, sampled } from "./space.js";

/** How much darker the ground is in a shadow. */
const SHADOW = { light: 0.16, dark: 0.4 };
/** The grid has about so many squares along the longer side of what is seen. */
const SQUARES = 12;

/** How high the ground is, what its grid spans and how wide a square is; the same for all times. */
export function groundOf(page) {
  const key = page.model.groups.indexOf(page.group);
  page.groundCache = page.groundCache || new Map();
  if (!page.groundCache.has(key)) page.groundCache.set(key, makeGround(page));
  return page.groundCache.get(key);
}

function makeGround(page) {
  const { model, camera } = page;
  const points = framed(page, model.command !== "collide");
  if (points.length === 0) return null;
  const { up, east, north } = camera;
  const ends = (way) => extent(points, way);
  const spans = [east, north].map(ends);
  const lowest = ends(up)[0];
  const floor = floorUnder(model, { up, east, north }, spans, lowest);
  const height = floor === null ? lowest - 0.04 : floor;
  const size = Math.max(...spans.map(([low, high]) => high - low), 1e-6);
  const rough = (size * model.frame.scale) / SQUARES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const square = [1, 2, 5, 10].find((digit) => digit * power >= rough * 0.999) * power;
  const words = `grid: ${Number(square.toPrecision(2))}${model.time.unit === "s" ? " m" : ""}`;
  return { height, spans, square: square / model.frame.scale, words };
}

/** How far points reach along a way: the least and the most. */
function extent(points, way) {
  const wider = ([low, high], p) => [Math.min(low, dot(p, way)), Math.max(high, dot(p, way))];
  return points.reduce(wider, [Infinity, -Infinity]);
}

/** The top of what lies flat under all of this and stands still; null if nothing does. */
function floorUnder(model, { up, east, north }, spans, lowest) {
  let best = null;
  for (const body of model.bodies) {
    if (body.moves || model.meshes[body.mesh].sets > 1) continue;
    const pose = model.pose(body.index, model.time.first, null);
    const corners = sampled(model.meshes[body.mesh]).map((corner) => carried(pose, corner));
    const [bottom, top] = extent(corners, up);
    const broad = [east, north].map((way) => extent(corners, way));
    const covers = ([low, high], [from, to]) => low <= from + 0.1 && high >= to - 0.1;
    const isUnder = top <= lowest + 0.05 && broad.every((range, i) => covers(range, spans[i]));
    const isFlat = top - bottom < 0.25 * Math.max(...broad.map(([low, high]) => high - low));
    if (isUnder && isFlat && (best === null || top > best)) best = top;
  }
  return best;
}

export function drawGround(page, ground, bodies, colours) {
  const { viewer, camera, model } = page;
  const isDark = dot(page.background, [1, 1, 1]) < 1.5;
  const { up, east, north } = camera;
  const at = (x, y) => add(add(times(east, x), times(north, y)), times(up, ground.height));
  const { square } = ground;
  const range = ([low, high]) => [Math.floor(low / square) - 1, Math.ceil(high / square) + 1];
  const colour = [...rgb(colours.soft), isDark ? 0.35 : 0.3];
  const lines = [];
  const [[x0, x1], [y0, y1]] = ground.spans.map(range);
  const place = (i, j) => at(i * square, j * square);
  for (let i = x0; i <= x1; i++) lines.push([place(i, y0), place(i, y1), colour]);
  for (let j = y0; j <= y1; j++) lines.push([place(x0, j), place(x1, j), colour]);
  viewer.segments(lines, { width: 1, lift: 2e-4 });
  page.drawnParts.lines = lines.length;
  const shade = SHADOW[isDark ? "dark" : "light"];
  const isShadowed = (body) =>
    body.moves || model.meshes[body.mesh].sets > 1 || model.command === "collide";
  const moving = bodies.filter(isShadowed);
  page.drawnParts.shadows = moving.length;
  viewer.shadows(
    moving.map((body) => [body.mesh, body.at]),
    [...up, ground.height],
    shade,
  );
}

/** Where joints are at a time: the poses of their bodies, and the place at which each is held. */
export function jointPlaces({ model, group }, time) {
  return model.joints.map((joint) => {
    const poses = joint.bodies.map((body) => model.pose(body, time, group));
    return { joint, poses, places: joint.points.map((point, i) => carried(poses[i], point)) };
  });
}

/**
 * A ring where each joint holds its bodies, seen through them, its axis, and what leads to it from
 * far.
 */
export function drawJoints(page, colours) {
  const { viewer, model } = page;
  const [paint, edge] = [rgb(colours.card), rgb(colours.ink)];
  const discs = [];
  const lines = [];
  for (const { joint, poses, places } of jointPlaces(page, page.time)) {
    places.forEach((place, i) => {
      discs.push([place, [...paint, 1], 4.5]);
      const [low, high] = model.meshes[model.bodies[joint.bodies[i]].mesh].bounds;
      const isFar =
        length(sub(joint.points[i], times(add(low, high), 0.5))) > 0.8 * length(sub(high, low));
      if (isFar) lines.push([carried(poses[i], times(add(low, high), 0.5)), place, [...edge, 0.5]]);
    });
    if (places.length === 2) lines.push([places[0], places[1], [...edge, 0.9]]);
    if (!joint.axis || places.length === 0) continue;
    const way = times(turned(rotation(poses[0]), joint.axis), 0.09);
    lines.push([sub(places[0], way), add(places[0], way), [...edge, 0.9]]);
  }
  page.drawnParts.joints = model.joints.length;
  viewer.segments(lines, { width: 2, onTop: true });
  viewer.markers(discs, edge, 1);
}
