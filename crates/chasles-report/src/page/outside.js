// The beginning, and what scripts may ask.

import { Model } from "./model.js";
import { drawSpace } from "./space.js";
import { Page } from "./page.js";

export function start() {
  const model = new Model(JSON.parse(document.getElementById("data").textContent));
  const page = new Page(model);
  window.chasles = outside(page);
}

/**
 * What scripts may ask and do, `window.chasles`. Times, rows and markers are numbers as in the
 * table; what is set is seen after the next picture, which `settled()` waits for.
 */
export function outside(page) {
  return {
    get command() {
      return page.model.command;
    },
    get hasWebGL() {
      return page.viewer !== null;
    },
    get time() {
      return page.time;
    },
    set time(time) {
      page.setTime(time);
    },
    get isPlaying() {
      return page.isPlaying;
    },
    get selected() {
      return page.selected;
    },
    set selected(id) {
      page.select(id);
    },
    /** The numbers of the events that pass the filters, in the order of the table. */
    get rows() {
      return [...page.rows];
    },
    /**
     * The numbers of the events whose markers were drawn in the last picture, in the order in which
     * they were: the last are in front.
     */
    get markers() {
      return [...(page.drawnMarkers || [])];
    },
    get events() {
      return { count: page.events.count, total: page.events.total };
    },
    /** All values of an event by the names of its columns. */
    event(id) {
      const out = {};
      for (const key of Object.keys(page.events.columns)) out[key] = page.events.columns[key][id];
      return {
        ...out,
        time: page.events.time[id],
        point: page.events.pointOf(id),
        normal: page.events.normalOf(id),
      };
    },
    /** Where the marker of an event is in the view, in pixels from its upper left corner. */
    pixel(id) {
      const at = page.camera.pixel(page.marker(id).place);
      return at ? at.slice(0, 2) : null;
    },
    /**
     * The colour of an event, as three numbers from 0 to 1, and how large its marker is, in pixels.
     */
    colour(id) {
      return page.colourOf(id);
    },
    radius(id) {
      return page.radiusOf(id);
    },
    get layers() {
      return { ...page.layers };
    },
    set layers(change) {
      Object.assign(page.layers, change);
      page.redraw();
    },
    /**
     * How many of some things the last picture had: paths, joints, lines and shadows on the ground.
     */
    get drawn() {
      return { ...page.drawnParts };
    },
    filter(change) {
      Object.assign(page.filter, change);
      page.applyFilter();
    },
    /** The share of the view's pixels that are not background, just drawn. */
    drawnShare() {
      if (!page.viewer) return 0;
      drawSpace(page);
      return page.viewer.drawnShare(page.background);
    },
    /**
     * How often the curves of the collision screen were drawn: not again while only the time
     * changes.
     */
    get screensDrawn() {
      return page.screen ? page.screen.layers || 0 : 0;
    },
    /** How many pixels of both bodies the collision screen has; 0 if it shows lines. */
    get screenPixels() {
      return page.screen && page.screen.drawn ? page.screen.drawn.pixels : 0;
    },
    /** Draws the page as it is, to the last pixel; how long that took, in milliseconds. */
    drawTime() {
      const begun = performance.now();
      page.draw(begun);
      if (page.viewer) page.viewer.finish();
      return performance.now() - begun;
    },
    settled() {
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    },
  };
}
