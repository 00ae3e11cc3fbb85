// What stands on the page around the view: names, choices, plots, and stills where nothing can be
// drawn.

import { DARK, short } from "./model.js";
import { Lines, Timeline, escaped } from "./plots.js";
import { Screen } from "./screen.js";
import { FilterForm, Table } from "./table.js";

/** Pictures of a few moments in place of the view. */
export function showStill(page) {
  page.element("space").hidden = true;
  const pictures = page.model.stills.map(({ caption, image }) => {
    const figure = document.createElement("figure");
    const picture = Object.assign(document.createElement("img"), {
      src: image,
      alt: `${page.model.title}: ${caption}`,
    });
    figure.append(
      picture,
      Object.assign(document.createElement("figcaption"), { textContent: caption }),
    );
    return figure;
  });
  page.element("still-list").replaceChildren(...pictures);
  for (const id of ["legend", "tools", "scale", "motion"]) page.element(id).hidden = true;
  page.element("still").hidden = false;
}

/** What the page leaves out, and what is odd. */
function showNotes(page) {
  const notes = page.element("notes");
  notes.hidden = page.model.notes.length === 0;
  notes.replaceChildren(
    ...page.model.notes.map((text) =>
      Object.assign(document.createElement("li"), { textContent: text }),
    ),
  );
}

/** Makes anew what depends on the numbers of the model: notes, pairs, and the filters' kinds. */
export function remakeParts(page) {
  showNotes(page);
  showPairs(page);
  page.element("filters").replaceChildren();
  page.form = new FilterForm(page.element("filters"), page);
  page.table.makeHead();
}

export function makeParts(page) {
  const { model } = page;
  showNotes(page);
  page.element("list-title").textContent = model.words.list;
  page.element("help-text").innerHTML = model.words.help
    .map((text) => `<p>${escaped(text)}</p>`)
    .join("");
  const explain = () => page.element("help").showModal();
  page.element("help-button").addEventListener("click", explain, { signal: page.signal });
  bindMenus(page);
  makePairs(page);
  makeLegend(page);
  makeLayers(page);
  makeScale(page);
  page.charts = [new Timeline(page.element("timeline"), page)];
  page.element("timeline").setAttribute("role", "img");
  page.element("timeline").setAttribute("aria-label", model.words.timeline);
  page.element("timeline-title").innerHTML = `<b>${escaped(model.words.timeline)}</b>`;
  page.element("timeline").classList.toggle("low", !model.value);
  const hasEvents = model.groups.some((group) => group.events.count > 0);
  page.element("timeline-card").hidden = !hasEvents;
  if (model.groups.some((group) => group.screens)) addScreen(page);
  for (const plot of model.plots) addLines(page, plot);
  page.form = new FilterForm(page.element("filters"), page);
  page.table = new Table(page);
  page.element("show-all").addEventListener("click", () => {
    page.filter.clear();
    page.applyFilter();
  });
  new ResizeObserver(() => page.redraw()).observe(document.querySelector("main"));
  const restyle = () => {
    showScale(page);
    page.redraw();
  };
  DARK.addEventListener("change", restyle, { signal: page.signal });
}

/** What is open closes with a click outside, and with Escape. */
function bindMenus(page) {
  const [layers, help] = [page.element("layers"), page.element("help")];
  const { signal } = page;
  const press = (event) => {
    if (layers.open && !layers.contains(event.target)) layers.open = false;
    // Its backdrop is a part of the dialog, and what stands in it lies on top.
    if (help.open && event.target === help && !isInside(help.getBoundingClientRect(), event))
      help.close();
  };
  const key = (event) => {
    if (event.key !== "Escape" || !layers.open) return;
    layers.open = false;
    layers.querySelector("summary").focus();
    event.stopImmediatePropagation();
  };
  document.addEventListener("pointerdown", press, { signal });
  document.addEventListener("keydown", key, { signal });
}

function isInside({ left, right, top, bottom }, { clientX, clientY }) {
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}

function addFigure(page, className, label) {
  const figure = document.createElement("figure");
  figure.className = `card plot ${className}`;
  const caption = document.createElement("figcaption");
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  figure.append(caption, canvas);
  page.element("plots").append(figure);
  return { figure, canvas, caption };
}

function addScreen(page) {
  const { canvas, caption } = addFigure(
    page,
    "flat",
    "The collision screen: edges of both bodies, and contacts",
  );
  canvas.id = "screen";
  page.screenCaption = caption;
  const note = Object.assign(document.createElement("p"), { className: "note", hidden: true });
  canvas.after(note);
  page.screen = new Screen(canvas, note, page);
  note.after(page.screen.resolution.box);
  page.charts.push(page.screen);
}

function addLines(page, plot) {
  const { canvas, caption } = addFigure(page, plot.is_half ? "lines half" : "lines", plot.title);
  page.charts.push(new Lines(canvas, caption, plot, page));
}

function makePairs(page) {
  showPairs(page);
  const select = page.element("pair");
  const choose = () => page.choosePair(Number(select.value));
  select.addEventListener("change", choose, { signal: page.signal });
}

function showPairs(page) {
  const { groups } = page.model;
  page.element("pair-choice").hidden = groups.length < 2;
  const select = page.element("pair");
  const option = (group, i) => {
    const option = new Option(group.name, String(i), false, group === page.group);
    option.title = group.name;
    return option;
  };
  select.replaceChildren(...groups.map(option));
  select.title = page.group.name;
}

function makeLegend(page) {
  const { legend } = page.model;
  const shown = legend.slice(0, 12);
  page.element("legend").append(
    ...shown.map(({ name, colour }, i) => {
      const button = Object.assign(document.createElement("button"), {
        type: "button",
        title: `Show or hide ${name}`,
      });
      button.setAttribute("aria-pressed", "true");
      const swatch = document.createElement("i");
      swatch.style.background = colour;
      button.append(swatch, Object.assign(document.createElement("span"), { textContent: name }));
      button.addEventListener("click", () => {
        if (!page.hidden.delete(i)) page.hidden.add(i);
        button.setAttribute("aria-pressed", String(!page.hidden.has(i)));
        page.redraw();
      });
      return button;
    }),
  );
  const more = legend.length - shown.length;
  if (more > 0)
    page
      .element("legend")
      .append(
        Object.assign(document.createElement("span"), {
          className: "more",
          textContent: `and ${more} more`,
        }),
      );
}

function makeLayers(page) {
  const names = page.model.words.layers;
  for (const [key, text] of Object.entries(names)) {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), {
      type: "checkbox",
      checked: page.layers[key],
    });
    box.addEventListener("change", () => {
      page.layers[key] = box.checked;
      page.redraw();
    });
    label.append(box, text);
    page.element("layer-list").append(label);
  }
}

function makeScale(page) {
  const { value, groups } = page.model;
  if (!value || !groups.some((group) => group.events.count > 0)) return;
  const box = page.element("scale");
  const ends =
    value.low < 0
      ? ["-1", "0", "1"]
      : [short(value.low, 0), `${short(value.high, value.high < 10 ? 2 : 0)} ${value.unit}`];
  const words = ends.map((end) => `<span>${escaped(end)}</span>`).join("");
  box.innerHTML =
    `<div>${escaped(value.label)}</div><div class="bar"></div>` +
    `<div class="ends">${words}</div>`;
  box.hidden = !page.viewer;
  showScale(page);
}

/** The bar of colours, as the page is light or dark. */
function showScale(page) {
  const bar = document.querySelector("#scale .bar");
  if (!bar) return;
  const colours = page.model.scale();
  const half = page.model.value.low < 0 ? colours.length / 2 : colours.length;
  const halves = colours.length / half;
  const place = (i) => ((i % half) / (half - 1) + Math.floor(i / half)) / halves;
  const stop = (colour, i) => `${colour} ${100 * place(i)}%`;
  bar.style.background = `linear-gradient(to right, ${colours.map(stop).join(", ")})`;
}
