// Plots on flat canvases: contacts over time, and lines over time.

import { clamp } from "./motion.js";
import { css, short } from "./model.js";
import { listen } from "./gestures.js";

/** Colours of the page, which follow the light or dark theme. */
export function ink() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  return {
    ink: read("--ink"),
    soft: read("--soft"),
    grid: read("--grid"),
    line: read("--line"),
    card: read("--card"),
    sky: read("--sky"),
    accent: read("--accent"),
    ring: read("--ring"),
    edge: read("--marker-edge"),
  };
}

export function sheet(canvas) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const size = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = `11.5px ${getComputedStyle(document.documentElement).fontFamily}`;
  pen.lineJoin = "round";
  return { pen, width, height };
}

/** Round numbers between two ends, about `count` of them. */
export function ticks(low, high, count) {
  const rough = (high - low) / Math.max(count, 1);
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const digit = [1, 2, 5, 10].find((d) => d * power >= rough * 0.999);
  const step = digit * power;
  const out = [];
  const first = Math.ceil(low / step - 1e-9);
  // Far from 0 a number and the next may be one: what is counted stays small.
  for (let i = 0; i <= count + 1 && (first + i) * step <= high + 1e-9 * step; i++)
    out.push((first + i) * step);
  return out;
}

function tickText(x, list) {
  if (list.length > 1 && list[0] > 0 && list[1] / list[0] > 9)
    return x >= 0.01 && x <= 1000 ? String(x) : x.toExponential(0).replace("e+", "e");
  const step = list.length > 1 ? Math.abs(list[1] - list[0]) : Math.abs(x) || 1;
  const size = Math.max(...list.map(Math.abs), step);
  if (size >= 1e5 || size < 1e-3) {
    const [digits, last] = [Math.abs(x), step].map((size) => Math.floor(Math.log10(size) + 1e-9));
    return Math.abs(x) < 1e-9 * step
      ? "0"
      : x.toExponential(clamp(digits - last, 0, 5)).replace("e+", "e");
  }
  return x.toFixed(clamp(-Math.floor(Math.log10(step) + 1e-9), 0, 8));
}

/** How high a label is, in pixels. */
const LABEL = 11;

/** What an axis shows, along the left side of a plot; `y` is its middle. */
export function upward(pen, text, y) {
  pen.save();
  pen.fillStyle = ink().soft;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.translate(9, y);
  pen.rotate(-Math.PI / 2);
  pen.fillText(text, 0, 0);
  pen.restore();
}

/**
 * Axes of a plot: the frame, its ticks, what the upright one shows, and functions from values to
 * pixels.
 */
export function axes(pen, area, [x0, x1], [y0, y1], { xs, ys, yPlace, label }) {
  const colours = ink();
  const px = (x) => area.left + ((x - x0) / (x1 - x0)) * (area.right - area.left);
  const share = yPlace || ((y) => (y - y0) / (y1 - y0));
  const py = (y) => area.bottom - share(y) * (area.bottom - area.top);
  pen.strokeStyle = colours.grid;
  pen.fillStyle = colours.soft;
  pen.lineWidth = 1;
  pen.textAlign = "center";
  pen.textBaseline = "top";
  for (const x of xs) {
    const at = Math.round(px(x)) + 0.5;
    line(pen, [at, area.top], [at, area.bottom]);
    // The first and the last stay clear of the other axis and of the end.
    pen.textAlign = at > area.right - 12 ? "right" : at < area.left + 8 ? "left" : "center";
    pen.fillText(tickText(x, xs), clamp(at, area.left - 2, area.right), area.bottom + 3);
  }
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  let above = Infinity;
  for (const y of ys) {
    const at = Math.round(py(y)) + 0.5;
    line(pen, [area.left, at], [area.right, at]);
    const place = clamp(at, 7, area.bottom - 3);
    // A label that would lie on the one below is left out.
    if (above - place < LABEL) continue;
    pen.fillText(tickText(y, ys), area.left - 5, place);
    above = place;
  }
  if (label) upward(pen, label, (area.top + area.bottom) / 2);
  pen.strokeStyle = colours.line;
  pen.strokeRect(
    area.left + 0.5,
    area.top + 0.5,
    area.right - area.left - 1,
    area.bottom - area.top - 1,
  );
  return { px, py };
}

function line(pen, from, to) {
  pen.beginPath();
  pen.moveTo(...from);
  pen.lineTo(...to);
  pen.stroke();
}

export function disc(pen, [x, y], radius, fill, edge) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
  if (edge) {
    pen.strokeStyle = edge;
    pen.lineWidth = 1;
    pen.stroke();
  }
}

export function ring(pen, [x, y], colour) {
  pen.beginPath();
  pen.arc(x, y, 7.5, 0, 2 * Math.PI);
  pen.strokeStyle = colour;
  pen.lineWidth = 2.5;
  pen.stroke();
}

/** The nearest of some places, if it is near; `places` are [id, [x, y]]. */
export function nearest(places, [x, y], reach) {
  let best = null;
  for (const [id, at] of places) {
    const distance = Math.hypot(at[0] - x, at[1] - y);
    if (distance <= reach && (!best || distance <= best.distance)) best = { id, distance };
  }
  return best ? best.id : null;
}

/** Events over time, with their values if they have one. */
export class Timeline {
  constructor(canvas, page) {
    this.canvas = canvas;
    this.page = page;
    this.places = [];
    const scrub = ([x]) => page.setTime(this.timeAt(x));
    listen(canvas, {
      click: (at) => {
        const id = nearest(this.places, at, 9);
        if (id === null) scrub(at);
        else page.select(id);
      },
      drag: (dx, dy, event, at) => scrub(at),
      hover: (at) => canvas.classList.toggle("pointing", nearest(this.places, at, 9) !== null),
    });
  }

  timeAt(x) {
    const { first, last } = this.page.model.time;
    const { left, right } = this.area;
    return clamp(first + ((x - left) / (right - left)) * (last - first), first, last);
  }

  draw() {
    const { page } = this;
    const { model, events } = page;
    const { pen, width, height } = sheet(this.canvas);
    const colours = ink();
    const { first, last } = model.time;
    const value = model.value;
    this.area = { left: value ? 58 : 10, right: width - 8, top: 4, bottom: height - 18 };
    const ys = !value
      ? []
      : value.low < 0
        ? [-1, -0.3, 0, 0.3, 1]
        : ticks(value.low, value.high, 3);
    const { px, py } = axes(pen, this.area, [first, last], [0, 1], {
      xs: ticks(first, last, Math.max(3, width / 90)),
      ys,
      yPlace: value ? (y) => 0.06 + 0.88 * model.place(y) : (y) => y,
      label: value ? [value.label, value.unit].filter(Boolean).join(", ") : "",
    });
    const values = value ? events.columns[value.key] : null;
    const place = (i) => [
      px(events.time[i]),
      values ? py(values[i]) : (this.area.top + this.area.bottom) / 2,
    ];
    const shown = new Set(page.rows);
    for (let i = 0; i < events.count; i++)
      if (!shown.has(i)) disc(pen, place(i), 1.4, colours.line);
    this.places = page.rows.map((i) => [i, place(i)]);
    const radius = page.rows.length > 400 ? 2.6 : 4.2;
    for (const [i, at] of this.places) disc(pen, at, radius, css(page.colourOf(i)), colours.edge);
    const now = px(page.time);
    pen.strokeStyle = colours.accent;
    pen.lineWidth = 2;
    line(pen, [now, this.area.top], [now, this.area.bottom]);
    if (page.selected !== null) ring(pen, place(page.selected), colours.ring);
  }
}

/** A few numbers over time, with the moment of the page. */
export class Lines {
  constructor(canvas, caption, plot, page) {
    Object.assign(this, { canvas, caption, plot, page });
    const scrub = (x) => {
      const { first, last } = page.model.time;
      const { left, right } = this.area;
      page.setTime(clamp(first + ((x - left) / (right - left)) * (last - first), first, last));
    };
    listen(canvas, { click: ([x]) => scrub(x), drag: (dx, dy, event, [x]) => scrub(x) });
  }

  /** The ends of the axis: around all numbers, with 0 unless it is logarithmic. */
  range(level) {
    let [low, high] = this.plot.is_log ? [Infinity, -Infinity] : [0, 0];
    for (const { values } of this.plot.series) {
      for (const value of values) {
        const at = level(value);
        if (Number.isFinite(at)) [low, high] = [Math.min(low, at), Math.max(high, at)];
      }
    }
    if (!(high >= low)) return [-9, 0];
    const room = Math.max(0.06 * (high - low), this.plot.is_log ? 0.3 : high === low ? 0.5 : 0);
    return [low < 0 || this.plot.is_log ? low - room : low, high + room];
  }

  draw() {
    const { page, plot } = this;
    const { pen, width, height } = sheet(this.canvas);
    const colours = ink();
    const { first, last } = page.model.time;
    const moments = page.model.frames;
    const level = (value) => (plot.is_log ? Math.log10(value) : value);
    const [low, high] = this.range(level);
    this.area = { left: 74, right: width - 8, top: 4, bottom: height - 17 };
    const { px, py } = axes(pen, this.area, [first, last], [low, high], {
      xs: ticks(first, last, Math.max(3, width / 90)),
      ys: plot.is_log
        ? decades(low, high, Math.max(2, height / 32))
        : ticks(low, high, Math.max(2, height / 32)),
      yPlace: (y) => (level(y) - low) / (high - low),
      label: plot.unit,
    });
    const moment = clamp(lastBefore(moments, page.time), 0, moments.length - 1);
    const parts = [`<b>${escaped(plot.title)}</b>`];
    for (const { name, colour, values } of plot.series) {
      pen.strokeStyle = colour;
      pen.lineWidth = 1.8;
      pen.beginPath();
      let isDown = false;
      for (let i = 0; i < values.length; i++) {
        // What was not measured is bridged; what is infinite is a break.
        if (Number.isNaN(values[i])) continue;
        if (!Number.isFinite(level(values[i]))) {
          isDown = false;
          continue;
        }
        const at = [px(moments[i]), py(values[i])];
        if (isDown) pen.lineTo(...at);
        else pen.moveTo(...at);
        isDown = true;
      }
      pen.stroke();
      const words = [name, rough(known(values, moment)), plot.unit].filter(Boolean).join(" ");
      // A line alone needs no key.
      const isAlone = plot.series.length === 1;
      const square = `<i style="background:${escaped(colour)}"></i>`;
      const key = `<span class="key">${square}${escaped(words)}</span>`;
      parts.push(isAlone ? ` ${escaped(words)}` : key);
    }
    if (plot.note) parts.push(` · ${escaped(plot.note)}`);
    this.caption.innerHTML = parts.join("");
    pen.strokeStyle = colours.accent;
    pen.lineWidth = 2;
    const now = px(page.time);
    line(pen, [now, this.area.top], [now, this.area.bottom]);
  }
}

/**
 * Powers of ten between two ends, which are logarithms: all, or every few; round numbers where
 * there are less than two.
 */
function decades(low, high, count) {
  for (let step = Math.max(1, Math.ceil((high - low) / count)); step >= 1; step--) {
    const out = [];
    for (let i = Math.ceil(low / step); i * step <= high; i++) out.push(10 ** (i * step));
    if (out.length > 1) return out;
  }
  return ticks(10 ** low, 10 ** high, 2 * count).filter((x) => x > 0);
}

/** A number to be read beside a plot: three digits. */
function rough(x) {
  const size = Math.abs(x);
  if (!Number.isFinite(x) || size === 0) return Number.isFinite(x) ? "0" : short(x);
  const isPlain = size >= 1e-3 && size < 1e5;
  return isPlain ? String(Number(x.toPrecision(3))) : x.toExponential(2).replace("e+", "e");
}

/** The last number that was measured up to a moment. */
function known(values, moment) {
  let i = moment;
  while (i > 0 && Number.isNaN(values[i])) i--;
  return values[i];
}

/** The last of some rising numbers that is not above another. */
function lastBefore(list, x) {
  let [low, high] = [0, list.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= x * (1 + 1e-12)) low = middle;
    else high = middle;
  }
  return low;
}

export function escaped(text) {
  const signs = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return String(text).replace(/[&<>"']/g, (c) => signs[c]);
}
