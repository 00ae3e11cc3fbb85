// The collision screen in pixels, as it is drawn by the paper's method.

import { clamp } from "./motion.js";

/** Pixels along a short edge that the slider offers; 0 shows lines. */
const RESOLUTIONS = [0, 3, 6, 12, 24, 48, 96];

/** Half the side of the square of a pixel, in pixels: lines between them stay visible. */
const SQUARE = 0.32;

/** The slider for the resolution of a screen. */
export class Resolution {
  constructor(change) {
    this.box = document.createElement("label");
    this.box.className = "resolution";
    this.slider = Object.assign(document.createElement("input"), {
      type: "range",
      min: 0,
      value: 0,
      step: 1,
    });
    this.slider.setAttribute("aria-label", "Pixels along a short edge");
    this.words = document.createElement("output");
    this.box.append("Pixels", this.slider, this.words);
    /** What was chosen last: kept while a screen is not there, or too coarse for it. */
    this.wanted = 0;
    this.choices = [0];
    this.slider.addEventListener("input", () => {
      this.wanted = this.choices[Number(this.slider.value)] || 0;
      change();
    });
  }

  /** How many pixels along a short edge are chosen; 0 for lines. */
  of(screen) {
    const edge = screen && screen.edge;
    this.choices = RESOLUTIONS.filter((pixels) => edge && pixels <= edge.most);
    this.box.hidden = this.choices.length < 2;
    const chosen = Math.max(this.choices.filter((pixels) => pixels <= this.wanted).length - 1, 0);
    this.slider.max = String(Math.max(this.choices.length - 1, 0));
    this.slider.value = String(chosen);
    const pixels = this.choices[chosen] || 0;
    this.words.textContent = pixels === 0 ? "lines" : `${pixels} along a short edge`;
    return pixels;
  }
}

/** The pixels of a line of places, given in pixels: each touches the one before. */
function pixelsOf(curve, size) {
  const pixels = [];
  const put = (row, column) => {
    const last = pixels[pixels.length - 1];
    if (!last || last[0] !== row || last[1] !== column) pixels.push([row, column]);
  };
  const at = (i) => [curve[i] / size, curve[i + 1] / size];
  for (let i = 0; i + 3 < curve.length; i += 2) bresenham(at(i), at(i + 2), put);
  return pixels;
}

/** A straight line: one pixel at each step along its longer side, and those of its ends. */
function bresenham([r0, h0], [r1, h1], put) {
  const long = Math.abs(r1 - r0) >= Math.abs(h1 - h0) ? 0 : 1;
  const [from, to] = [
    [r0, h0],
    [r1, h1],
  ];
  const [first, last] = [Math.round(from[long]), Math.round(to[long])];
  const slope = first === last ? 0 : (to[1 - long] - from[1 - long]) / (to[long] - from[long]);
  const sign = Math.sign(last - first) || 1;
  put(Math.round(r0), Math.round(h0));
  const [low, high] = [Math.min(from[long], to[long]), Math.max(from[long], to[long])];
  for (let i = first; (last - i) * sign >= 0; i += sign) {
    const other = Math.round(from[1 - long] + slope * (clamp(i, low, high) - from[long]));
    if (long === 0) put(i, other);
    else put(other, i);
  }
  put(Math.round(r1), Math.round(h1));
}

/** Draws curves as squares, with lines between those that follow each other. */
export function drawPixels(pen, curves, colour, { size, x, y }) {
  const side = 2 * SQUARE * size * Math.abs(x(1) - x(0));
  const seen = new Set();
  pen.fillStyle = colour;
  pen.strokeStyle = colour;
  pen.globalAlpha = 0.75;
  pen.lineWidth = 0.5;
  pen.beginPath();
  for (const curve of curves) {
    pixelsOf(curve, size).forEach(([row, column], i) => {
      const [at, up] = [x(row * size), y(column * size)];
      if (i === 0) pen.moveTo(at, up);
      else pen.lineTo(at, up);
      const key = `${row} ${column}`;
      if (seen.has(key)) return;
      seen.add(key);
      pen.fillRect(at - side / 2, up - side / 2, side, side);
    });
  }
  pen.stroke();
  return seen.size;
}
