// Plain words: of the chosen event, and of how the bodies move.

import { short } from "./model.js";
import { escaped } from "./plots.js";
import { hasPaths } from "./space.js";
import { groundOf } from "./ground.js";

/** A name of any length: what has no room is in its title. */
const named = (text) => `<span class="name" title="${escaped(text)}">${escaped(text)}</span>`;

/** What the collision screen is. */
const SCREEN_WORDS =
  "Each path of the motion is one point here: where both bodies overlap they can meet, " +
  "and discs are contacts.";

/** A contact in plain words. */
export function explained(model, group, columns, id) {
  const cell = (key) => (columns[key] === undefined ? "" : columns[key][id]);
  const name = (i) => named(model.bodies[i].name);
  if (model.command === "collide") {
    const [properness, speed] = [cell("properness"), cell("speed")];
    const way = cell("grazing") ? "they graze" : speed < 0 ? "they approach" : "they part";
    const when = cell("grazing") ? "" : speed < 0 ? " yet" : " any more";
    const { rounding, enough } = model.value;
    const faces =
      properness >= -rounding
        ? `proper, next to it nothing overlaps${when}`
        : properness >= enough
          ? "nearly proper, the overlap next to it is slight"
          : cell("grazing")
            ? "not proper, what lies next to it slides along"
            : "not proper, it is inside an overlap";
    const shape = cell("untouchable")
      ? " It is untouchable: the shape of a body forbids a touch from outside here."
      : "";
    const feature = (key) => `<b>${escaped(cell(key))}</b> of ${name(group[key])}`;
    const time = `<b>${short(cell("time"), 6)}</b>`;
    const proper = `Properness ${short(properness, 4, true, rounding)}: ${faces}.`;
    return (
      `${feature("a")} meets ${feature("b")} at time ${time}. ` +
      `${proper} Speed ${short(speed)}: ${way}.${shape}`
    );
  }
  if (model.command === "simulate") {
    const time = `<b>${short(cell("time"), 4)} s</b>`;
    const impulse = `<b>${short(cell("impulse"))} N s</b>`;
    const [a, b] = ["a", "b"].map((key) => `<b>${named(cell(key))}</b>`);
    return `${a} hits ${b} after ${time} with an impulse of ${impulse}.`;
  }
  const tag = cell("tag") ? `, tagged ${named(cell("tag"))}` : "";
  const what = escaped(cell("what").replace(/stopped|held|near/, "is $&"));
  const moving = `<b>${escaped(cell("moving"))}</b> of ${named(cell("body"))}`;
  const time = short(cell("time"), 6);
  return `${moving} ${what} <b>${named(cell("world"))}</b>${tag}, after ${time} of the way.`;
}

/** The screw of the part of the step in which the page is. */
export function axisNow(page) {
  const { axes } = page.group;
  return (axes || []).find((axis) => page.time >= axis.from && page.time <= axis.to) || null;
}

/** What is drawn beside the bodies and has no key of its own, as far as it is switched on. */
function marks(page) {
  const { model, group, layers } = page;
  const names = model.words.layers;
  const axis = axisNow(page);
  const parts = [
    layers.axis && names.axis && axis && axis.direction && `dashed: ${names.axis}`,
    layers.paths &&
      names.paths &&
      model.bodies.some((body) => hasPaths(model, group, body)) &&
      `curves: ${names.paths}`,
    layers.joints && names.joints && "rings: joints",
    layers.ground && page.viewer && groundOf(page) && groundOf(page).words,
    layers.start &&
      names.start &&
      model.bodies.some((body) => body.moves && body.ghosts.length > 0) &&
      `faint: ${names.start.split(",")[0]}`,
  ];
  return parts.filter(Boolean).join("; ");
}

export function showMotion(page) {
  const axis = axisNow(page);
  const box = page.element("motion");
  const words = [axis && axis.words, marks(page)].filter(Boolean).join("; ");
  box.hidden = !words || !page.viewer;
  if (box.textContent !== words) Object.assign(box, { textContent: words, title: words });
  if (!page.screenCaption) return;
  const [a, b] = [page.group.a, page.group.b].map((i) => page.model.bodies[i]);
  const swatch = (body, text) => {
    const square = `<i style="background:${escaped(body.colour)}"></i>`;
    return `<span class="key">${square}${named(body.name)}: ${text}</span>`;
  };
  const swatches = swatch(a, "backward parts") + swatch(b, "forward parts");
  page.screenCaption.innerHTML = `<b>The collision screen</b>${swatches}<br>${SCREEN_WORDS}`;
}
