// What scripts may ask of the playground: that of a report, and more.

import { outside } from "./outside.js";

/** Adds to an object what another has, getters included. */
function joinedWith(one, other) {
  return Object.defineProperties(one, Object.getOwnPropertyDescriptors(other));
}

/** `window.chasles` of the playground. */
export function playOutside(play) {
  const more = {
    get isOpen() {
      return play.mode !== null;
    },
    get scene() {
      return play.scene;
    },
    get summary() {
      return document.getElementById("summary").textContent;
    },
    /** Milliseconds that the moves of drags took, from the question to the answer. */
    get timings() {
      return [...play.timings];
    },
    forgetTimings() {
      play.timings.length = 0;
    },
    open: (name) => play.openBuiltIn(name),
    take: (files) => play.take(files).catch(play.complain),
    get mode() {
      return play.mode;
    },
    get page() {
      return play.page;
    },
    play,
    /** Where a place of the world is in the view, in pixels. */
    pixelOf(place) {
      const at = play.page.camera.pixel(play.page.model.drawn(place));
      return at ? at.slice(0, 2) : null;
    },
  };
  return joinedWith(play.page ? outside(play.page) : {}, more);
}
