// The list of contacts: filters, and a table of which only the rows in sight exist.

import { clamp } from "./motion.js";
import { css } from "./model.js";
import { escaped } from "./plots.js";

const ROW = 27;

/**
 * Room that words have at most, in sizes of the font: enough for edges of large meshes. Of longer
 * names a narrow table shows the beginning, and a title has all.
 */
const MOST_ROOM = 9.6;

/** What passes: bounds of the value and the time, and kinds that are left out. */
export class Filter {
  constructor(model) {
    this.model = model;
    this.clear();
    if (model.value) this.least = model.value.start;
  }

  clear() {
    const { value, time } = this.model;
    this.least = value ? value.low : -Infinity;
    this.from = time.first;
    this.to = time.last;
    this.without = new Set();
    this.approaching = false;
    this.touchable = false;
  }

  passes(events, i) {
    const { value, kind_key: kind } = this.model;
    const { time, columns } = events;
    return (
      time[i] >= this.from &&
      time[i] <= this.to &&
      (!value || !(columns[value.key][i] < this.least - value.rounding)) &&
      (!kind || !this.without.has(columns[kind][i])) &&
      (!this.approaching || !columns.speed || columns.speed[i] < 0) &&
      (!this.touchable || !columns.untouchable || !columns.untouchable[i])
    );
  }
}

/** The form of the filters; it is made once, and shows what the filter says. */
export class FilterForm {
  constructor(form, page) {
    this.form = form;
    this.page = page;
    this.parts = {};
    const { model } = page;
    form.addEventListener("submit", (event) => event.preventDefault());
    if (model.value) this.addValue(model.value);
    this.addKinds();
    this.addTimes(model.time);
    if (model.columns.some((column) => column.key === "speed")) this.addApproaching();
    if (model.columns.some((column) => column.key === "untouchable")) this.addTouchable();
  }

  set(change) {
    Object.assign(this.page.filter, change);
    this.page.applyFilter();
  }

  add(html) {
    const holder = document.createElement("template");
    holder.innerHTML = html.trim();
    return this.form.appendChild(holder.content.firstChild);
  }

  addValue(value) {
    const name = escaped(value.label);
    const label = this.add(
      `<label>${name} ≥ ` +
        `<input type="range" min="0" max="1" step="0.001" aria-label="Least ${name}">` +
        `<input type="number" step="any" aria-label="Least ${name}, as a number"></label>`,
    );
    const [slide, number] = label.querySelectorAll("input");
    slide.addEventListener("input", () => this.set({ least: valueAt(value, Number(slide.value)) }));
    number.addEventListener("change", () => {
      const least = parseFloat(number.value);
      this.set({ least: Number.isNaN(least) ? value.low : least });
    });
    Object.assign(this.parts, { slide, number });
  }

  addKinds() {
    const { model } = this.page;
    const kinds = new Set();
    if (model.kind_key)
      for (const { events } of model.groups)
        events.columns[model.kind_key].forEach((kind) => kinds.add(kind));
    if (kinds.size < 2 || kinds.size > 6) return;
    const set = this.add(`<fieldset><legend class="spoken">Kinds</legend></fieldset>`);
    this.parts.kinds = [...kinds].sort().map((kind) => {
      const label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), {
        type: "checkbox",
        checked: true,
      });
      box.addEventListener("change", () => {
        const without = new Set(this.page.filter.without);
        if (box.checked) without.delete(kind);
        else without.add(kind);
        this.set({ without });
      });
      label.append(box, kind);
      label.title = KINDS[kind] || kind;
      set.append(label);
      return [kind, box];
    });
  }

  addTimes(time) {
    const name = escaped(time.label);
    const set = this.add(
      `<fieldset><legend>${name}</legend>` +
        `<input type="number" step="any" aria-label="From ${name}">–` +
        `<input type="number" step="any" aria-label="To ${name}"></fieldset>`,
    );
    const [from, to] = set.querySelectorAll("input");
    const read = (box, other) =>
      Number.isNaN(parseFloat(box.value)) ? other : parseFloat(box.value);
    from.addEventListener("change", () => this.set({ from: read(from, time.first) }));
    to.addEventListener("change", () => this.set({ to: read(to, time.last) }));
    Object.assign(this.parts, { from, to });
  }

  addApproaching() {
    const label = this.add(
      `<label title="Only where the gap becomes smaller">` +
        `<input type="checkbox">approaching only</label>`,
    );
    this.parts.approaching = label.querySelector("input");
    this.parts.approaching.addEventListener("change", (event) =>
      this.set({ approaching: event.target.checked }),
    );
  }

  addTouchable() {
    const title = "Only where the shape of the bodies lets them touch from outside";
    const box = `<input type="checkbox">touchable only`;
    const label = this.add(`<label title="${title}">${box}</label>`);
    this.parts.touchable = label.querySelector("input");
    const chosen = (event) => this.set({ touchable: event.target.checked });
    this.parts.touchable.addEventListener("change", chosen);
  }

  show() {
    const { filter, model } = this.page;
    const { slide, number, kinds, from, to, approaching, touchable } = this.parts;
    const tidy = (x) => String(Number(x.toPrecision(4)));
    if (slide) {
      slide.value = String(placeOf(model.value, filter.least));
      slide.setAttribute("aria-valuetext", tidy(filter.least));
      if (document.activeElement !== number) number.value = tidy(filter.least);
    }
    if (kinds) for (const [kind, box] of kinds) box.checked = !filter.without.has(kind);
    if (document.activeElement !== from) from.value = tidy(filter.from);
    if (document.activeElement !== to) to.value = tidy(filter.to);
    if (approaching) approaching.checked = filter.approaching;
    if (touchable) touchable.checked = filter.touchable;
  }
}

/** From places on the slider, 0 to 1, to values and back: as on the scale of colours. */
function valueAt({ low, high }, place) {
  if (low < 0) {
    const root = 2 * place - 1;
    return Number((Math.sign(root) * root * root).toFixed(4));
  }
  return low + (high - low) * place * place;
}

function placeOf({ low, high }, value) {
  if (low < 0) return 0.5 + 0.5 * Math.sign(value) * Math.sqrt(Math.abs(clamp(value, -1, 1)));
  return high > low ? Math.sqrt(clamp((value - low) / (high - low), 0, 1)) : 0;
}

const KINDS = {
  fv: "a face of A and a vertex of B",
  vf: "a vertex of A and a face of B",
  ee: "an edge of A and an edge of B",
  sp: "A as a solid and a sample of B",
  ps: "a sample of A and B as a solid",
};

export class Table {
  constructor(page) {
    this.page = page;
    this.box = document.getElementById("table");
    this.head = document.getElementById("table-head");
    this.body = document.getElementById("table-rows");
    this.sort = { key: "time", down: false };
    this.makeHead();
    this.box.addEventListener("scroll", () => this.draw());
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("[data-id]");
      if (row) page.select(Number(row.dataset.id));
    });
    this.box.addEventListener("keydown", (event) => this.press(event));
  }

  makeHead() {
    const { columns } = this.page.model;
    const least = columns.map((column) => this.width(column));
    this.columns = columns
      .map((column, i) =>
        column.kind === "text" && column.width ? `minmax(${least[i]}, ${column.width})` : least[i],
      )
      .join(" ");
    this.head.style.gridTemplateColumns = this.columns;
    this.head.replaceChildren();
    this.box.style.setProperty(
      "--least",
      `calc(${least.join(" + ")} + ${columns.length - 1} * var(--gap) + 2 * var(--side))`,
    );
    for (const column of columns) {
      const cell = document.createElement("div");
      cell.setAttribute("role", "columnheader");
      cell.className = column.kind === "number" ? "number" : "";
      const button = Object.assign(document.createElement("button"), {
        type: "button",
        textContent: column.label,
        title: column.title || "",
      });
      button.addEventListener("click", () => this.sortBy(column.key));
      cell.append(button);
      this.head.append(cell);
      cell.dataset.key = column.key;
    }
  }

  /** The least width of a column of words: enough for all but long names. */
  roomFor(column) {
    const pen = document.createElement("canvas").getContext("2d");
    const { fontFamily } = getComputedStyle(this.box);
    const measured = (text, weight) => {
      pen.font = `${weight} 100px ${fontFamily}`;
      return pen.measureText(text).width / 100 + 0.2;
    };
    const words = new Set(
      this.page.model.groups.flatMap(({ events }) =>
        Array.from(new Set(events.columns[column.key])),
      ),
    );
    let longest = 0;
    for (const word of words)
      if (longest < MOST_ROOM) longest = Math.max(longest, measured(word, 400));
    return `${Math.max(Math.min(longest, MOST_ROOM), measured(column.label, 600)).toFixed(2)}em`;
  }

  /**
   * The least width of a column; one of numbers is as wide as it likes to be, and enough for the
   * longest of them and a dot.
   */
  width(column) {
    if (column.kind === "text") return this.roomFor(column);
    const { model } = this.page;
    let longest = 0;
    for (const { events } of model.groups) {
      for (const value of events.columns[column.key])
        longest = Math.max(longest, model.cell(column, value).length);
    }
    const dot = model.value && model.value.key === column.key ? 19 : 2;
    return `max(${column.width || "5.9em"}, calc(${longest}ch + ${dot}px))`;
  }

  sortBy(key) {
    this.sort = { key, down: this.sort.key === key && !this.sort.down };
    this.page.applyFilter();
  }

  /** Puts the numbers of rows in the order of a column. */
  sorted(rows) {
    const { key, down } = this.sort;
    const values = this.page.events.columns[key];
    const compare = (a, b) =>
      (typeof values[a] === "string"
        ? values[a].localeCompare(values[b], "en", { numeric: true })
        : values[a] - values[b]) || a - b;
    rows.sort((a, b) => (down ? compare(b, a) : compare(a, b)));
    return rows;
  }

  /** Draws the rows in sight. */
  draw() {
    const { page } = this;
    const { rows } = page;
    this.body.style.height = `${rows.length * ROW}px`;
    this.box.setAttribute("aria-rowcount", String(rows.length + 1));
    for (const cell of this.head.children) {
      const isKey = cell.dataset.key === this.sort.key;
      if (isKey) cell.setAttribute("aria-sort", this.sort.down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 4);
    const last = Math.min(rows.length, first + Math.ceil((this.box.clientHeight || 400) / ROW) + 8);
    this.body.replaceChildren(...rows.slice(first, last).map((id, k) => this.row(id, first + k)));
    const chosen = page.selected !== null ? `row-${page.selected}` : "";
    if (chosen && document.getElementById(chosen))
      this.box.setAttribute("aria-activedescendant", chosen);
    else this.box.removeAttribute("aria-activedescendant");
  }

  row(id, place) {
    const { page, columns } = this;
    const row = document.createElement("div");
    row.setAttribute("role", "row");
    row.setAttribute("aria-rowindex", String(place + 2));
    row.setAttribute("aria-selected", String(id === page.selected));
    row.id = `row-${id}`;
    row.dataset.id = String(id);
    row.style.top = `${place * ROW}px`;
    row.style.gridTemplateColumns = columns;
    row.append(...page.model.columns.map((column) => this.cell(column, id)));
    return row;
  }

  cell(column, id) {
    const { page } = this;
    const cell = document.createElement("div");
    cell.setAttribute("role", "gridcell");
    const value = page.events.columns[column.key][id];
    if (column.kind === "number") {
      cell.className = "number";
      const { value: coloured } = page.model;
      if (coloured && coloured.key === column.key) {
        const dot = document.createElement("span");
        dot.className = "dot";
        dot.style.background = css(page.colourOf(id));
        cell.append(dot);
      }
      cell.append(page.model.cell(column, value));
      cell.title = String(value);
    } else {
      cell.textContent = value;
      cell.title = value;
    }
    return cell;
  }

  /** Brings the chosen row into sight. */
  reveal() {
    const place = this.page.rows.indexOf(this.page.selected);
    if (place < 0) return;
    const head = this.head.offsetHeight;
    const [top, bottom] = [place * ROW, (place + 1) * ROW];
    const room = this.box.clientHeight - head;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (bottom > this.box.scrollTop + room) this.box.scrollTop = bottom - room;
  }

  press(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 2);
    const steps = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    };
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.page.step(steps[event.key]);
  }
}
