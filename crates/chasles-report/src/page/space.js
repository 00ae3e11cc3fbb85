// What the view in space shows: bodies, where they began, their paths, the axis, contacts and
// normals.

import {
  IDENTITY,
  across,
  add,
  carried,
  dot,
  length,
  rotation,
  sub,
  times,
  turned,
  unit,
} from "./motion.js";
import { rgb } from "./model.js";
import { ink } from "./plots.js";
import { axisNow } from "./explain.js";
import { drawGround, drawJoints, groundOf, jointPlaces } from "./ground.js";
import { ARROW } from "./page.js";

const PATHS = 5;
/** The least and the greatest radius of markers by their values, in pixels. */
export const RADII = [3, 12];
const PATH_PIECES = 96;
/** All bodies together have about so many pieces of paths: each is drawn anew for every picture. */
const ALL_PIECES = 12000;

/** Words around the bodies have at most this share of the height of the first view. */
const MOST_WORDS = 0.45;

export function drawSpace(page) {
  const { viewer, camera, model, group, layers } = page;
  const size = viewer.resize();
  if (!(size[0] > 0 && size[1] > 0)) return;
  camera.size = size;
  page.drawnParts = { paths: 0, joints: 0, lines: 0, shadows: 0 };
  if (!camera.isMoved) camera.fit(framed(page), free(page, size));
  const colours = ink();
  page.background = rgb(colours.sky);
  const isDark = dot(page.background, [1, 1, 1]) < 1.5;
  viewer.begin(camera, page.background);
  viewer.deform(page.time);
  const ground = layers.ground ? groundOf(page) : null;
  const bodies = model.bodies.map((body) => ({
    ...body,
    paint: rgb(body.colour),
    at: model.pose(body.index, page.time, group),
  }));
  const seen = bodies.filter((body) => !page.hidden.has(body.legend));
  for (const body of seen) if (!body.glass) viewer.solid(body.mesh, body.at, body.paint);
  if (ground) drawGround(page, ground, seen, colours);
  for (const body of seen) drawEdges(page, body, isDark);
  drawLone(page, seen);
  const lines = [];
  if (layers.paths) for (const body of seen) lines.push(...paths(page, body));
  page.drawnParts.paths = lines.filter((row) => row.isFirst).length;
  viewer.segments(lines, { width: 2, lift: 1e-4 });
  for (const body of seen) if (body.glass) viewer.ghost(body.mesh, body.at, body.paint, 0.25);
  if (layers.start) for (const body of seen) drawStart(page, body, isDark);
  if (layers.axis) drawAxis(page, colours);
  if (layers.joints) drawJoints(page, colours);
  drawChosen(page, rgb(colours.ring));
  drawMarkers(page, colours);
  if (page.hand) page.hand.draw(colours);
}

/**
 * What the legend, the scale, other words and the buttons leave free of the view: its ends from -1
 * to 1, to the right and up.
 */
function free(page, [width, height]) {
  const key = `${width} ${height} ${page.element("motion").textContent}`;
  if (page.freeCache && page.freeCache.key === key) return page.freeCache.ends;
  const view = page.viewer.canvas.getBoundingClientRect();
  const covers = (id) => {
    const box = page.element(id).getBoundingClientRect();
    return box.height > 0 && box.top < view.bottom && box.bottom > view.top ? box : null;
  };
  const [legend, scale, motion, tools] = ["legend", "scale", "motion", "zoom-in"].map(covers);
  const above = legend ? legend.bottom - view.top + 6 : 14;
  const below = Math.max(
    14,
    ...[scale, motion].filter(Boolean).map((box) => view.bottom - box.top + 6),
  );
  // However many words there are, the bodies have most of the view.
  const shrink = Math.min(1, (MOST_WORDS * height) / (above + below));
  const share = (pixels) => Math.min((2 * pixels) / width, 0.3);
  const ends = [
    [-1 + share(14), 1 - share(tools ? view.right - tools.left + 6 : 14)],
    [-1 + (2 * below * shrink) / height, 1 - (2 * above * shrink) / height],
  ];
  page.freeCache = { key, ends };
  return ends;
}

/**
 * Corners of all that the first view shows: bodies at a few times, as far as they are near the
 * middle.
 */
export function framed(page, isMovingOnly = page.model.command === "simulate") {
  const { model, group } = page;
  const points = [];
  page.framedCache = page.framedCache || new Map();
  const key = `${model.groups.indexOf(group)} ${isMovingOnly}`;
  if (page.framedCache.has(key)) return page.framedCache.get(key);
  const moments = framedTimes(model);
  // A simulation is about what moves.
  const isAbout = (body) =>
    body.framed && (!isMovingOnly || body.moves || model.meshes[body.mesh].sets > 1);
  const hasAny = model.bodies.some(isAbout);
  model.bodies.forEach((body, index) => {
    if (!(hasAny ? isAbout(body) : body.framed)) return;
    const mesh = model.meshes[body.mesh];
    const corners = sampled(mesh);
    for (const time of body.track || (group.track && group.b === index) ? moments : [moments[0]]) {
      const pose = model.pose(index, time, group);
      const placed = corners.map((corner) => carried(pose, corner));
      if (placed.some((point) => length(point) <= 2.2)) points.push(...placed);
    }
  });
  if (isMovingOnly) for (const joint of jointPlaces(page, moments[0])) points.push(...joint.places);
  page.framedCache.set(key, points);
  return points;
}

/** The times that the first view takes in: of a simulation those around its opening. */
function framedTimes(model) {
  const { first, last, start } = model.time;
  if (model.command === "simulate" && start > first)
    return [start, Math.min(start + 0.08 * (last - first), last)];
  const end = model.frames.length - 1;
  return [...new Set([0, end >> 2, end >> 1, (3 * end) >> 2, end])].map((i) => model.frames[i]);
}

/** Some vertices of a mesh that tell how large it is: all of a small one. */
export function sampled(mesh) {
  const count = mesh.positions.length / 3;
  if (count <= 400)
    return Array.from({ length: count }, (_, v) => [0, 1, 2].map((i) => mesh.positions[3 * v + i]));
  const best = [];
  for (let k = 0; k < 26; k++) {
    const way = [Math.sin(k * 2.4) * Math.cos(k), Math.cos(k * 1.7), Math.sin(k * 1.3 + 1)];
    let [top, at] = [-Infinity, 0];
    for (let v = 0; v < count; v++) {
      const x =
        way[0] * mesh.positions[3 * v] +
        way[1] * mesh.positions[3 * v + 1] +
        way[2] * mesh.positions[3 * v + 2];
      if (x > top) [top, at] = [x, v];
    }
    best.push([0, 1, 2].map((i) => mesh.positions[3 * at + i]));
  }
  return best;
}

function drawEdges(page, body, isDark) {
  if (!page.layers.edges) return;
  const dark = isDark ? 0.3 : 0.42;
  page.viewer.edges(
    body.mesh,
    body.at,
    [...times(body.paint, dark), body.edges ? (body.glass ? 0.35 : 0.9) : 0],
    1.1,
  );
}

/** Points that belong to no edge are discs. */
function drawLone(page, bodies) {
  const rows = [];
  for (const body of bodies) {
    const mesh = page.model.meshes[body.mesh];
    mesh.lone.forEach((v) =>
      rows.push([carried(body.at, mesh.position(v)), [...body.paint, 1], 5]),
    );
  }
  page.viewer.markers(rows, rgb(ink().edge), 0);
}

/** The body where it was, or will be: faint. */
function drawStart(page, body, isDark) {
  const { viewer, model } = page;
  if (!body.track) return;
  for (const frame of body.ghosts) {
    const pose = Array.from(body.track.subarray(7 * frame, 7 * frame + 7));
    const away =
      length(sub(pose, body.at)) + length([0, 1, 2].map((i) => pose[3 + i] - body.at[3 + i]));
    if (away < 1e-4 || model.meshes[body.mesh].sets > 1) continue;
    viewer.ghost(body.mesh, pose, body.paint, isDark ? 0.16 : 0.13);
    if (page.layers.edges && body.edges) viewer.edges(body.mesh, pose, [...body.paint, 0.3], 1);
  }
}

/** Paths of a few vertices, the same for all times. */
function paths(page, body) {
  const { model, group } = page;
  page.pathCache = page.pathCache || new Map();
  if (!page.pathCache.has(body.index))
    page.pathCache.set(body.index, makePaths(model, group, body));
  return page.pathCache.get(body.index);
}

/** Whether a body moves, and has paths. */
export function hasPaths(model, group, body) {
  return (
    body.paths &&
    (body.moves || (group.track && group.b === body.index) || model.meshes[body.mesh].sets > 1)
  );
}

function makePaths(model, group, body) {
  const mesh = model.meshes[body.mesh];
  if (!hasPaths(model, group, body)) return [];
  const { first, last } = model.time;
  const share = ALL_PIECES / model.bodies.filter((other) => hasPaths(model, group, other)).length;
  const count = Math.max(1, Math.min(PATHS, Math.floor(share / PATH_PIECES)));
  const wanted = Math.min(Math.max(PATH_PIECES, 3 * model.frames.length), 1200);
  const pieces = Math.max(8, Math.min(wanted, Math.floor(share / count)));
  const moments = Array.from(
    { length: pieces + 1 },
    (_, i) => first + ((last - first) * i) / pieces,
  );
  const poses = moments.map((time) => model.pose(body.index, time, group));
  // Of a body on its way through a world the way is what counts, and its centre has one.
  const isTraced = model.command === "trace";
  const chosen = isTraced ? [-1] : mesh.farApart(count);
  const [low, high] = mesh.bounds;
  const centre = times(add(low, high), 0.5);
  const rows = [];
  const colour = [...body.paint, 0.85];
  const sets = mesh.sets > 1 ? moments.map((time) => model.positionsAt(mesh, time)) : null;
  for (const v of chosen) {
    const at = (i) =>
      carried(
        poses[i],
        sets
          ? Array.from(sets[i].subarray(3 * v, 3 * v + 3))
          : isTraced
            ? centre
            : mesh.position(v),
      );
    let before = at(0);
    let way = null;
    for (let i = 1; i <= pieces; i++) {
      const next = at(i);
      if (length(sub(next, before)) > 1e-7) {
        rows.push(Object.assign([before, next, colour], { isFirst: way === null }));
        way = unit(sub(next, before));
      }
      before = next;
    }
    if (way) rows.push(...head(before, way, 0.035, colour));
  }
  return rows;
}

/** The two strokes of the head of an arrow that ends at a place. */
function head(tip, way, size, colour) {
  const side = across(way);
  const back = sub(tip, times(way, size));
  return [1, -1].map((sign) => [tip, add(back, times(side, sign * 0.45 * size)), colour]);
}

/** The axis of the screw that A sees, carried along with A. */
function drawAxis(page, colours) {
  const axis = axisNow(page);
  if (!axis || !axis.direction) return;
  const { model, group } = page;
  const pose = group.a >= 0 ? model.pose(group.a, page.time, group) : IDENTITY;
  const [point, way] = [carried(pose, axis.point), turned(rotation(pose), axis.direction)];
  const middle = add(point, times(way, dot(sub([0, 0, 0], point), way)));
  const colour = [...rgb(colours.soft), 0.95];
  const reach = 1.5;
  page.viewer.segments([[sub(middle, times(way, reach)), add(middle, times(way, reach)), colour]], {
    width: 1.6,
    dash: 13,
    lift: 0,
  });
  page.viewer.segments(head(add(middle, times(way, reach)), way, 0.07, colour), {
    width: 1.6,
    lift: 0,
  });
}

/** The features of the chosen contact, seen through all else. */
function drawChosen(page, colour) {
  const { model, group, events, viewer, selected } = page;
  if (selected === null || !(group.a >= 0)) return;
  for (const [body, key] of [
    [group.a, "a"],
    [group.b, "b"],
  ]) {
    const feature = model.feature(
      body,
      events.columns[key] && events.columns[key][selected],
      page.time,
    );
    if (!feature) continue;
    const pose = model.pose(body, page.time, group);
    if (feature.kind === "face") viewer.patch(feature.triangles, pose, colour, 0.45);
    if (feature.kind === "edge") {
      const [from, to] = feature.ends.map((end) => carried(pose, end));
      viewer.segments([[from, to, [...colour, 1]]], { width: 4, onTop: true });
    }
    if (feature.kind === "vertex")
      viewer.markers([[carried(pose, feature.ends[0]), [...colour, 1], 4]], colour, 1);
  }
}

/** Discs in the colours of their values, and arrows along normals for those of the moment. */
function drawMarkers(page, colours) {
  const { viewer, layers, rows, selected } = page;
  page.drawnMarkers = [];
  if (!layers.markers) return;
  const edge = rgb(colours.edge);
  const marked = page.marked();
  const many = marked.length > 400;
  const discs = [];
  const arrows = [];
  const chosen = [];
  for (const id of marked) {
    const { place, normal } = page.marker(id);
    if (!place.every(Number.isFinite)) continue;
    const isChosen = id === selected;
    const isNow = page.isNow(id) || isChosen;
    const colour = page.colourOf(id);
    page.drawnMarkers.push(id);
    const usual = isNow ? (many ? 5 : 6.5) : many ? 2.4 : 3.8;
    const radius = Math.max(page.radiusOf(id) ?? usual, isChosen ? 7 : 0);
    discs.push([place, [...colour, isNow ? 1 : 0.85], radius]);
    if (isChosen || (layers.normals && isNow && !many)) {
      const tip = add(place, times(normal, ARROW * (isChosen ? 1.35 : 1)));
      const paint = [...(isChosen ? rgb(colours.ring) : rgb(colours.ink)), 0.95];
      (isChosen ? chosen : arrows).push([place, tip, paint], ...head(tip, normal, 0.045, paint));
    }
  }
  viewer.segments(arrows, { width: 1.6, lift: 2e-3 });
  viewer.segments(chosen, { width: 2.4, onTop: true });
  viewer.markers(discs, edge, 0.28);
  if (selected !== null && rows.includes(selected)) {
    const { place } = page.marker(selected);
    const radius = Math.max(6.5, page.radiusOf(selected) ?? 0);
    const [ring, disc] = [rgb(colours.ring), page.colourOf(selected)];
    viewer.markers(
      [
        [place, [...ring, 1], radius + 2.5],
        [place, [...disc, 1], radius],
      ],
      edge,
      1,
    );
  }
}
