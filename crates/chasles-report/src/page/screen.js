// The collision screen: curves or pixels that stay, and contacts that come and go.

import { clamp } from "./motion.js";
import { css, shorts, words } from "./model.js";
import { listen } from "./gestures.js";
import { Resolution, drawPixels } from "./pixels.js";
import { axes, disc, ink, nearest, ring, sheet, ticks, upward } from "./plots.js";

/** The collision screen of the pair: where features of both bodies meet, whenever they do. */
export class Screen {
  constructor(canvas, note, page) {
    Object.assign(this, { canvas, note, page });
    this.places = [];
    this.resolution = new Resolution(() => page.redraw());
    this.reset();
    const move = (dx, dy) => {
      this.shift = [this.shift[0] + dx, this.shift[1] + dy];
      page.redraw();
    };
    listen(canvas, {
      click: (at) => page.select(nearest(this.places, at, 11)),
      drag: move,
      pan: move,
      pinch: (factor, at) => this.zoomTo(this.zoom / factor, at),
      hover: (at) => page.tip(nearest(this.places, at, 9), at, canvas),
      leave: () => page.tip(null),
    });
    canvas.addEventListener("dblclick", () => {
      this.reset();
      page.redraw();
    });
  }

  reset() {
    this.zoom = 1;
    this.shift = [0, 0];
    // Of each screen that there still is: a drag makes many.
    this.cache = new WeakMap();
  }

  zoomTo(zoom, [x, y]) {
    const next = clamp(zoom, 1, 400);
    const grow = next / this.zoom;
    const [cx, cy] = this.middle;
    this.shift =
      next === 1
        ? [0, 0]
        : [(this.shift[0] - x + cx) * grow + x - cx, (this.shift[1] - y + cy) * grow + y - cy];
    this.zoom = next;
    this.page.redraw();
  }

  /** The screen of the part of the step in which the page is. */
  current() {
    const { screens } = this.page.group;
    if (!screens || screens.length === 0) return null;
    const { time } = this.page;
    const screen = screens.find(({ from, to }) => time >= from && time <= to);
    if (!screen) return null;
    if (!this.cache.has(screen)) this.cache.set(screen, unpack(screen));
    return this.cache.get(screen);
  }

  draw() {
    const { page } = this;
    const { pen, width, height } = sheet(this.canvas);
    const screen = this.current();
    this.pixels = this.resolution.of(screen);
    this.places = [];
    const area = { left: 50, right: width - 8, top: 6, bottom: height - 32 };
    this.middle = [(area.left + area.right) / 2, (area.top + area.bottom) / 2];
    this.showNote(!screen);
    if (!screen) return;
    const [[r0, r1], [h0, h1]] = screen.ranges;
    const room = 1.06;
    const pixels =
      Math.min(
        (area.right - area.left) / ((r1 - r0) * room),
        (area.bottom - area.top) / ((h1 - h0) * room),
      ) * this.zoom;
    const centre = [this.middle[0] + this.shift[0], this.middle[1] + this.shift[1]];
    const x = (r) => centre[0] + (r - (r0 + r1) / 2) * pixels;
    const y = (h) => centre[1] - (h - (h0 + h1) / 2) * pixels;
    const rs = [area.left, area.right].map((at) => (r0 + r1) / 2 + (at - centre[0]) / pixels);
    const hs = [area.bottom, area.top].map((at) => (h0 + h1) / 2 - (at - centre[1]) / pixels);
    pen.save();
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.layer({ screen, area, rs, hs, x, y, size: [width, height] }), 0, 0);
    pen.restore();
    pen.save();
    clipTo(pen, area);
    this.drawContacts(pen, screen, x, y);
    pen.restore();
  }

  /** Why nothing is drawn, if nothing is. */
  showNote(isEmpty) {
    const { screens, screen_note: note } = this.page.group;
    const of = screens && screens.length > 0 ? "this part of the step" : "this pair";
    this.note.hidden = !isEmpty;
    this.note.textContent = note || `There is no screen for ${of}.`;
  }

  /**
   * Axes and curves, which stay as they are until something but the time changes: drawn once, on a
   * canvas of their own.
   */
  layer({ screen, area, rs, hs, x, y, size: [width, height] }) {
    const colours = ink();
    const paints = [this.page.group.a, this.page.group.b].map(
      (body) => this.page.model.bodies[body].colour,
    );
    const key = JSON.stringify([
      this.canvas.width,
      this.canvas.height,
      rs,
      hs,
      colours,
      paints,
      screen.from,
      this.pixels,
    ]);
    if (this.drawn && this.drawn.key === key && this.drawn.screen === screen)
      return this.drawn.canvas;
    const canvas = this.drawn ? this.drawn.canvas : document.createElement("canvas");
    [canvas.width, canvas.height] = [this.canvas.width, this.canvas.height];
    const pen = canvas.getContext("2d");
    const ratio = this.canvas.width / Math.max(width, 1);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = this.canvas.getContext("2d").font;
    pen.lineJoin = "round";
    axes(pen, area, rs, hs, { xs: ticks(...rs, width / 90), ys: ticks(...hs, height / 60) });
    pen.save();
    clipTo(pen, area);
    this.drawn = { pixels: 0 };
    screen.curves.forEach((curves, body) => {
      if (this.pixels === 0) return drawCurves(pen, curves, paints[body], x, y);
      const size = screen.edge.length / this.pixels;
      this.drawn.pixels += drawPixels(pen, curves, paints[body], { size, x, y });
    });
    pen.restore();
    pen.fillStyle = colours.soft;
    pen.textAlign = "center";
    pen.textBaseline = "bottom";
    pen.fillText(screen.r, this.middle[0], height - 1);
    upward(pen, "h, along the screen", this.middle[1]);
    this.drawn = { ...this.drawn, key, screen, canvas };
    this.layers = (this.layers || 0) + 1;
    return canvas;
  }

  drawContacts(pen, screen, x, y) {
    const { page } = this;
    const { events } = page;
    const colours = ink();
    if (!events.places) return;
    const place = (i) => [x(events.places[2 * i]), y(events.places[2 * i + 1])];
    const inside = (i) =>
      events.time[i] >= screen.from &&
      events.time[i] <= screen.to &&
      Number.isFinite(events.places[2 * i]);
    const radius = (page.rows.length > 400 ? 2.6 : 4.4) * Math.min(1.6, Math.sqrt(this.zoom));
    for (const i of page.inFront(page.rows)) {
      if (!inside(i)) continue;
      const at = place(i);
      this.places.push([i, at]);
      disc(pen, at, radius, css(page.colourOf(i)), colours.edge);
    }
    if (page.selected !== null && inside(page.selected))
      ring(pen, place(page.selected), colours.ring);
  }
}

function clipTo(pen, area) {
  pen.beginPath();
  pen.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
  pen.clip();
}

function drawCurves(pen, curves, colour, x, y) {
  pen.strokeStyle = colour;
  pen.globalAlpha = 0.75;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const curve of curves) {
    for (let i = 0; i < curve.length; i += 2) {
      if (i === 0) pen.moveTo(x(curve[0]), y(curve[1]));
      else pen.lineTo(x(curve[i]), y(curve[i + 1]));
    }
  }
  pen.stroke();
}

/** Curves of a screen: whole numbers from 0 to 65535 between the ends of its ranges. */
function unpack(screen) {
  const [[r0, r1], [h0, h1]] = screen.ranges;
  const curves = screen.curves.map(({ lengths, points }) => {
    const all = shorts(points);
    let from = 0;
    return Array.from(words(lengths), (count) => {
      const out = new Float64Array(2 * count);
      for (let i = 0; i < count; i++) {
        out[2 * i] = r0 + (all[from + 2 * i] / 65535) * (r1 - r0);
        out[2 * i + 1] = h0 + (all[from + 2 * i + 1] / 65535) * (h1 - h0);
      }
      from += 2 * count;
      return out;
    });
  });
  return { ...screen, curves };
}
