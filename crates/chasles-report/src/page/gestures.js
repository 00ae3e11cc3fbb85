// Mouse, pen and fingers on a canvas: drags, pinches, clicks and hovering.

import { clamp } from "./motion.js";

/** How far a pointer may go, in pixels, before it drags. */
const SLACK = 4;

/**
 * Calls `drag(dx, dy, event)`, `pinch(factor, at)`, `pan(dx, dy)` (two fingers),
 * `click(at, event)`, `hover(at)` and `leave()`, as far as they are given; places are pixels from
 * the upper left corner.
 */
export function listen(canvas, calls) {
  const pointers = new Map();
  let start = null;
  let isDrag = false;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const call = (name, ...values) => calls[name] && calls[name](...values);
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return {
      size: Math.hypot(a[0] - b[0], a[1] - b[1]),
      middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2],
    };
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    isDrag = pointers.size > 1;
    start = at(event);
    call("press", start, event);
  });
  canvas.addEventListener("pointermove", (event) => {
    const place = at(event);
    if (!pointers.has(event.pointerId)) return call("hover", place);
    const before = pointers.get(event.pointerId);
    const old = pointers.size === 2 ? spread() : null;
    pointers.set(event.pointerId, place);
    if (old) {
      const now = spread();
      if (old.size > 0 && now.size > 0) call("pinch", old.size / now.size, now.middle);
      return call("pan", now.middle[0] - old.middle[0], now.middle[1] - old.middle[1]);
    }
    isDrag = isDrag || Math.hypot(place[0] - start[0], place[1] - start[1]) > SLACK;
    if (isDrag) call("drag", place[0] - before[0], place[1] - before[1], event, place);
  });
  const end = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (event.type === "pointerup" && !isDrag) call("click", at(event), event);
    if (pointers.size === 0) call("release");
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => call("leave"));
  canvas.addEventListener(
    "contextmenu",
    (event) => calls.drag && calls.pan && event.preventDefault(),
  );
  if (!calls.pinch) return;
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 18 : 1;
      call("pinch", Math.exp(clamp(event.deltaY * lines, -240, 240) * 0.0016), at(event));
    },
    { passive: false },
  );
}
