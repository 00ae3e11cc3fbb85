// What the pointer, the keys and the slider do.

import { listen } from "./gestures.js";

export function bindTime(page) {
  const { time } = page.model;
  const slider = page.element("time");
  page.element("pace").textContent = time.pace;
  page.element("pace").hidden = time.pace === "";
  slider.min = String(time.first);
  slider.max = String(time.last);
  slider.step = String((time.last - time.first) / 2000);
  slider.addEventListener("input", () => {
    page.stop();
    page.setTime(Number(slider.value));
  });
  slider.addEventListener("keydown", (event) => {
    // A step of the slider is too small for keys.
    const way = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: 10,
      PageDown: -10,
    }[event.key];
    if (!way) return;
    event.preventDefault();
    page.nudge(way);
  });
  page.element("play").addEventListener("click", () => page.toggle());
}

export function bindView(page) {
  const canvas = page.element("space");
  if (!page.viewer) return;
  const { camera } = page;
  const part = ([x, y]) => [(2 * x) / camera.size[0] - 1, 1 - (2 * y) / camera.size[1]];
  // Whether the hand has what is dragged, and not the camera.
  let isHeld = false;
  listen(canvas, {
    press: (at, event) => {
      // A second finger leaves the hand what the first one has.
      if (isHeld) return;
      isHeld = page.hand !== null && page.hand.press(at, event);
      if (!isHeld) canvas.classList.add("turning");
    },
    release: () => {
      canvas.classList.remove("turning");
      if (isHeld) page.hand.release();
      isHeld = false;
    },
    drag: (dx, dy, event, at) => {
      if (isHeld) return page.hand.drag(at, event);
      const moves = event.shiftKey || event.buttons === 2 || event.buttons === 4;
      if (moves) camera.shift(dx / camera.size[1], dy / camera.size[1]);
      else camera.turn(dx * 0.008, dy * 0.008);
      page.redraw();
    },
    pan: (dx, dy) => {
      if (isHeld) return;
      camera.shift(dx / camera.size[1], dy / camera.size[1]);
      page.redraw();
    },
    pinch: (factor, at) => isHeld || page.zoom(factor, part(at)),
    click: (at, event) => {
      const marker = page.markerNear(at, event.pointerType === "touch" ? 22 : 11);
      if (marker === null && page.hand && page.hand.click(at)) return;
      page.select(marker);
    },
    hover: (at) => page.tip(page.markerNear(at, 9), at, canvas),
    leave: () => page.tip(null, null, canvas),
  });
  canvas.addEventListener("dblclick", () => page.resetView());
  canvas.addEventListener("keydown", (event) => {
    const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
      event.key
    ];
    if (!turns || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.shiftKey) camera.shift(turns[0] * 0.05, turns[1] * 0.05);
    else camera.turn(turns[0] * 0.12, turns[1] * 0.12);
    page.redraw();
  });
  page.element("zoom-in").addEventListener("click", () => page.zoom(0.8));
  page.element("zoom-out").addEventListener("click", () => page.zoom(1.25));
  page.element("reset-view").addEventListener("click", () => page.resetView());
}

export function bindKeys(page) {
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || page.element("help").open) return;
    const { target } = event;
    const isText =
      target.matches && target.matches("input[type=number], input[type=text], select, textarea");
    if (isText && event.key !== "Escape") return;
    const isButton = target.matches && target.matches("button, summary, input[type=checkbox]");
    const acts = {
      " ": () => !isButton && page.toggle(),
      n: () => page.step(1),
      p: () => page.step(-1),
      ",": () => page.nudge(-1),
      ".": () => page.nudge(1),
      "+": () => page.zoom(0.8),
      "=": () => page.zoom(0.8),
      "-": () => page.zoom(1.25),
      0: () => page.resetView(),
      f: () => page.lookAtChosen(),
      Escape: () => page.select(null),
    };
    const act = acts[event.key];
    if (!act || (event.key === " " && isButton)) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", press, { signal: page.signal });
}
