// From what the engine answers to what the viewer shows: the same data as those of a report, as
// arrays.

import { Events, Mesh } from "./model.js";

/** The palette of Okabe and Ito without black: all eyes tell these apart. */
const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#f0e442"];

/** What stands. */
export const STANDING = "#9aa0a6";

/** A body so many times as large as all others is a floor, of which the view need not show all. */
const FLOOR = 8;

/** Frames of a step; between two of them bodies follow the screw. */
export const FRAMES = Float64Array.from({ length: 33 }, (_, i) => i / 32);

export const paletteColour = (i) => PALETTE[i % PALETTE.length];

/** Where the picture has its middle, and what is 1 long in it: a box around boxes at poses. */
export function frameOf(boxes) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const corner of boxes.flat()) {
    if (!corner.every(Number.isFinite)) continue;
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], corner[k]);
      high[k] = Math.max(high[k], corner[k]);
    }
  }
  if (!(low[0] <= high[0])) return { centre: [0, 0, 0], scale: 1 };
  const half = Math.max(...low.map((x, k) => (high[k] - x) / 2));
  return { centre: low.map((x, k) => (x + high[k]) / 2), scale: half > 1e-300 ? half : 1 };
}

/** Poses of the world, seven numbers each, as they are drawn. */
export function drawnPoses(poses, { centre, scale }) {
  const out = Float32Array.from(poses);
  for (let i = 0; i < poses.length; i += 7)
    for (let k = 0; k < 3; k++) out[i + k] = (poses[i + k] - centre[k]) / scale;
  return out;
}

export function meshOf(look) {
  return new Mesh({ ...look, vertices: look.positions.length / 3, wide: true, thinned: false });
}

/** Which bodies are so large that the view need not show all of them. */
export function floors(sizes) {
  return sizes.map((size, i) => {
    const largest = Math.max(0, ...sizes.filter((_, k) => k !== i));
    return largest > 0 && size > FLOOR * largest;
  });
}

const FEATURES = [
  ([v]) => `vertex ${v}`,
  ([p, q]) => `edge ${p}-${q}`,
  ([f]) => `face ${f}`,
  () => "side",
  ([i]) => `end ${i}`,
  ([i]) => `cap ${i}`,
  ([i]) => `rim ${i}`,
  ([v]) => `vertex ${v}`,
  ([p, q, n]) => `sample ${n} of edge ${p}-${q}`,
  ([f, n]) => `sample ${n} of face ${f}`,
  ([n]) => `sample ${n}`,
  () => "surface",
  () => "inside",
  () => "tip",
];

export const featureWords = (row) => FEATURES[row[0]](row.slice(1));

/** `fv`, `vf`, `ee`, or for samples `sp` and `ps`: as in results. */
function kindOf(a, b) {
  const letter = (code) => (code === 0 ? "v" : code === 1 ? "e" : code === 2 ? "f" : "r");
  const isSample = (code) => code >= 7 && code <= 10;
  if (isSample(b)) return "sp";
  return isSample(a) ? "ps" : letter(a) + letter(b);
}

/** The contacts of a pair as the table and the view take them. */
export function contactEvents({ numbers, features, count, screens }) {
  const stride = count > 0 ? numbers.length / count : 19;
  const column = (at, width = 1) => {
    const out = new Float64Array(count * width);
    for (let i = 0; i < count; i++)
      for (let k = 0; k < width; k++) out[i * width + k] = numbers[i * stride + at + k];
    return out;
  };
  const rows = Array.from({ length: count }, (_, i) => features.subarray(8 * i, 8 * i + 8));
  const flag = (at, word) =>
    Array.from({ length: count }, (_, i) => (numbers[i * stride + at] ? word[1] : word[0]));
  return new Events({
    count,
    total: count,
    time: column(0),
    point: column(9, 3),
    normal: column(12, 3),
    places: screens ? joinedPlaces(screens, count) : null,
    columns: {
      kind: rows.map((row) => kindOf(row[0], row[4])),
      a: rows.map((row) => featureWords(row.subarray(0, 4))),
      b: rows.map((row) => featureWords(row.subarray(4, 8))),
      properness: column(15),
      speed: column(16),
      grazing: flag(17, ["", "grazing"]),
      untouchable: flag(18, ["untouchable", ""]),
    },
  });
}

/** Where contacts are on the screens of the parts in which they are. */
function joinedPlaces(screens, count) {
  const out = new Float64Array(2 * count).fill(NaN);
  for (const { places } of screens)
    for (let i = 0; i < places.length; i++) if (!Number.isNaN(places[i])) out[i] = places[i];
  return out;
}

export function screenData({ times, ranges, isFromAxis, curves, edge }) {
  return {
    edge: edge.length > 0 ? { length: edge[0], most: edge[1] } : null,
    from: times[0],
    to: times[1],
    r: isFromAxis ? "r, distance from the axis" : "r, across the motion",
    ranges: [
      [ranges[0], ranges[1]],
      [ranges[2], ranges[3]],
    ],
    curves,
  };
}

/** The screws of a pair, with what they do in plain words. */
export function screwAxes(screws, [a, b], frame) {
  const axes = [];
  for (let i = 0; i < screws.length; i += 10) {
    const [from, to, angle, along, ...rest] = screws.slice(i, i + 10);
    const turns = angle > 1e-9;
    const degrees = (angle * 180) / Math.PI;
    const length = Number(along.toPrecision(3));
    const does = turns
      ? `turns by ${degrees.toFixed(1)}° about the axis and goes ${length} along it`
      : "goes straight on or stays";
    axes.push({
      from,
      to,
      point: rest.slice(0, 3).map((x) => x / frame.scale),
      direction: turns ? rest.slice(3, 6) : null,
      words: `Seen from ${a}, ${b} ${does}`,
    });
  }
  return axes;
}

/** Colours from the least properness to the greatest: there is a step at 0. */
function propernessScale(improper, proper) {
  const pale = [0xfb, 0xf7, 0xf2];
  const hex = (end, share) => {
    const part = 0.42 + 0.58 * share;
    const channel = (k) => Math.round(pale[k] + (end[k] - pale[k]) * part);
    return `#${[0, 1, 2].map((k) => channel(k).toString(16).padStart(2, "0")).join("")}`;
  };
  const shares = Array.from({ length: 17 }, (_, i) => i / 16);
  return [
    ...shares.map((share) => hex(improper, share)).reverse(),
    ...shares.map((share) => hex(proper, share)),
  ];
}

export const PROPERNESS = {
  key: "properness",
  label: "properness",
  unit: "",
  low: -1,
  high: 1,
  start: -1,
  rounding: 1e-6,
  enough: -0.1,
  scale: {
    light: propernessScale([0x6a, 0x1b, 0x7a], [0x00, 0x6d, 0x3c]),
    dark: propernessScale([0xb1, 0x64, 0xc8], [0x2a, 0xa8, 0x69]),
  },
};

/** Colours from little to much. */
export const AMOUNTS = {
  light: ["#bf6e20", "#ba5636", "#a63f56", "#852b69", "#5c1b67", "#2b0f4f"],
  dark: ["#a96dcc", "#d0639b", "#e97362", "#f79a45", "#fdc95e", "#fff3c4"],
};

/** A column of numbers, or of words. */
export function column(key, label, title, look) {
  const isNumber = look.digits !== undefined;
  return {
    key,
    label,
    title,
    kind: isNumber ? "number" : "text",
    digits: look.digits || 0,
    is_fixed: Boolean(look.isFixed),
    width: look.width || "",
  };
}

/** A body that has yet to get what differs from others. */
export function bodyData(name, index, given) {
  return {
    name,
    colour: paletteColour(index),
    mesh: index,
    framed: true,
    edges: true,
    ghosts: [],
    paths: false,
    glass: false,
    legend: index,
    ...given,
  };
}

export function standingBody(name, index, given) {
  return { ...bodyData(name, index, given), colour: STANDING, legend: 0 };
}

/** The parts of a document that do not depend on the scene. */
export const PLAIN = { notes: [], joints: [], plots: [], stills: [], group: 0, chosen: null };
