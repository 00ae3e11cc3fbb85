// The page: what is shown, at which time, what is chosen, and what the keys do.

/** Lengths of arrows along normals, as drawn: bodies are about 1 large. */
const ARROW = 0.16;

class Page {
  constructor(model) {
    this.model = model;
    this.time = model.time.start;
    this.isPlaying = false;
    this.selected = null;
    this.rows = [];
    this.errors = [];
    this.hidden = new Set();
    this.markerCount = 0;
    this.group = model.groups[model.group];
    this.events = this.group.events;
    this.filter = new Filter(model);
    this.layers = { edges: true, start: true, paths: true, axis: true, markers: true, normals: true };
    this.camera = new Camera(model.view);
    this.element = (id) => document.getElementById(id);
    this.openView();
    this.makeParts();
    this.bindTime();
    this.bindView();
    this.bindKeys();
    this.applyFilter();
    if (model.chosen !== null) this.select(model.chosen, { keepTime: true });
    else this.redraw();
  }

  /** The view in space, or the still picture where there is no WebGL2. */
  openView() {
    const canvas = this.element("space");
    try {
      this.viewer = new Viewer(canvas, this.model);
      canvas.addEventListener("webglcontextlost", (event) => {
        event.preventDefault();
        this.viewer = null;
        this.showStill();
      });
    } catch {
      this.viewer = null;
      this.showStill();
    }
  }

  showStill() {
    this.element("space").hidden = true;
    this.element("still-image").src = this.model.still;
    this.element("still-image").alt = `${this.model.title}: a still picture of the bodies and contacts`;
    for (const id of ["legend", "tools", "scale", "motion"]) this.element(id).hidden = true;
    this.element("still").hidden = false;
  }

  makeParts() {
    const { model } = this;
    if (model.notes.length > 0) {
      const notes = this.element("notes");
      notes.hidden = false;
      notes.append(...model.notes.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    }
    this.element("list-title").textContent = model.words.list;
    this.element("help-text").innerHTML = model.words.help.map((text) => `<p>${escaped(text)}</p>`).join("");
    this.element("help-button").addEventListener("click", () => this.element("help").showModal());
    this.makePairs();
    this.makeLegend();
    this.makeLayers();
    this.makeScale();
    this.charts = [new Timeline(this.element("timeline"), this)];
    this.element("timeline").setAttribute("role", "img");
    this.element("timeline").setAttribute("aria-label", model.words.timeline);
    this.element("timeline-title").innerHTML = `<b>${escaped(model.words.timeline)}</b>`;
    this.element("timeline").classList.toggle("low", !model.value);
    const hasEvents = model.groups.some((group) => group.events.count > 0);
    this.element("timeline-card").hidden = !hasEvents;
    if (model.groups.some((group) => group.screens)) this.addScreen();
    for (const plot of model.plots) this.addLines(plot);
    this.form = new FilterForm(this.element("filters"), this);
    this.table = new Table(this);
    this.element("show-all").addEventListener("click", () => {
      this.filter.clear();
      this.applyFilter();
    });
    new ResizeObserver(() => this.redraw()).observe(document.querySelector("main"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  addFigure(className, label) {
    const figure = document.createElement("figure");
    figure.className = `card plot ${className}`;
    const caption = document.createElement("figcaption");
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", label);
    figure.append(caption, canvas);
    this.element("plots").append(figure);
    return { figure, canvas, caption };
  }

  addScreen() {
    const { canvas, caption } = this.addFigure("flat", "The collision screen: edges of both bodies, and contacts");
    canvas.id = "screen";
    this.screenCaption = caption;
    this.screen = new Screen(canvas, this);
    this.charts.push(this.screen);
  }

  addLines(plot) {
    const { canvas, caption } = this.addFigure("lines", plot.title);
    this.charts.push(new Lines(canvas, caption, plot, this));
  }

  makePairs() {
    const { groups } = this.model;
    this.element("pair-choice").hidden = groups.length < 2;
    const select = this.element("pair");
    groups.forEach((group, i) => select.append(new Option(group.name, String(i), false, group === this.group)));
    select.addEventListener("change", () => this.choosePair(Number(select.value)));
  }

  choosePair(index) {
    this.group = this.model.groups[index];
    this.events = this.group.events;
    this.selected = null;
    this.element("pair").value = String(index);
    if (this.screen) this.screen.reset();
    this.pathCache = null;
    this.applyFilter();
    if (this.rows.length > 0) this.select(this.rows[0]);
  }

  makeLegend() {
    const { legend } = this.model;
    const shown = legend.slice(0, 12);
    this.element("legend").append(...shown.map(({ name, colour }, i) => {
      const button = Object.assign(document.createElement("button"), { type: "button", title: `Show or hide ${name}` });
      button.setAttribute("aria-pressed", "true");
      const swatch = document.createElement("i");
      swatch.style.background = colour;
      button.append(swatch, Object.assign(document.createElement("span"), { textContent: name }));
      button.addEventListener("click", () => {
        if (!this.hidden.delete(i)) this.hidden.add(i);
        button.setAttribute("aria-pressed", String(!this.hidden.has(i)));
        this.redraw();
      });
      return button;
    }));
    const more = legend.length - shown.length;
    if (more > 0) this.element("legend").append(Object.assign(document.createElement("span"), { className: "more", textContent: `and ${more} more` }));
  }

  makeLayers() {
    const names = this.model.words.layers;
    for (const [key, text] of Object.entries(names)) {
      const label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: this.layers[key] });
      box.addEventListener("change", () => {
        this.layers[key] = box.checked;
        this.redraw();
      });
      label.append(box, text);
      this.element("layer-list").append(label);
    }
  }

  makeScale() {
    const { value, groups } = this.model;
    if (!value || !groups.some((group) => group.events.count > 0)) return;
    const box = this.element("scale");
    const ends = value.low < 0 ? ["−1", "0", "1"] : [short(value.low, 0), `${short(value.high, value.high < 10 ? 2 : 0)} ${value.unit}`];
    box.innerHTML = `<div>${escaped(value.label)}</div><div class="bar" style="background:linear-gradient(to right, ${value.scale.join(", ")})"></div><div class="ends">${ends.map((end) => `<span>${escaped(end)}</span>`).join("")}</div>`;
    box.hidden = !this.viewer;
  }

  bindTime() {
    const { time } = this.model;
    const slider = this.element("time");
    slider.min = String(time.first);
    slider.max = String(time.last);
    slider.step = String((time.last - time.first) / 2000);
    slider.addEventListener("input", () => {
      this.stop();
      this.setTime(Number(slider.value));
    });
    slider.addEventListener("keydown", (event) => {
      // A step of the slider is too small for keys.
      const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (!way) return;
      event.preventDefault();
      this.nudge(way);
    });
    this.element("play").addEventListener("click", () => this.toggle());
  }

  nudge(way) {
    const { first, last } = this.model.time;
    this.stop();
    this.setTime(this.time + (way * (last - first)) / 100);
  }

  setTime(time) {
    const { first, last } = this.model.time;
    this.time = clamp(time, first, last);
    this.redraw();
  }

  toggle() {
    if (this.isPlaying) return this.stop();
    const { first, last } = this.model.time;
    if (this.time >= last) this.time = first;
    this.isPlaying = true;
    this.before = null;
    this.showPlaying();
    this.redraw();
  }

  stop() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.showPlaying();
  }

  showPlaying() {
    const button = this.element("play");
    button.setAttribute("aria-pressed", String(this.isPlaying));
    button.setAttribute("aria-label", this.isPlaying ? "Stop" : "Play");
    this.element("play-shape").setAttribute("d", this.isPlaying ? "M2.5 1.5h4v13h-4zM9.5 1.5h4v13h-4z" : "M3 1.5v13l11-6.5z");
  }

  /** Goes on by the time since the last picture; at the end it begins again. */
  advance(now) {
    const { first, last, seconds } = this.model.time;
    const passed = this.before === null ? 0 : Math.min((now - this.before) / 1000, 0.1);
    this.before = now;
    const next = this.time + (passed * Number(this.element("speed").value) * (last - first)) / seconds;
    this.time = next > last ? (this.time < last ? last : first) : next;
  }

  colourOf(i) {
    const { value } = this.model;
    return value ? this.model.colour(this.events.columns[value.key][i]) : rgb("#009e73");
  }

  applyFilter() {
    const { events } = this;
    const rows = [];
    for (let i = 0; i < events.count; i++) if (this.filter.passes(events, i)) rows.push(i);
    this.rows = this.table.sorted(rows);
    this.form.show();
    if (this.selected !== null && !this.rows.includes(this.selected)) this.selected = null;
    this.showDetails();
    this.showCount();
    this.table.draw();
    this.table.reveal();
    this.redraw();
  }

  showCount() {
    const { events, rows, model } = this;
    const all = events.total;
    const count = rows.length === all ? `${all}` : `${rows.length} of ${all} shown`;
    this.element("count").textContent = all > 0 ? count : "";
    this.element("show-all").hidden = rows.length === events.count;
    const isEmpty = events.count === 0;
    for (const id of ["filters", "table"]) this.element(id).hidden = isEmpty;
    const nothing = this.element("nothing");
    nothing.hidden = rows.length > 0;
    nothing.textContent = isEmpty ? model.words.empty : "Nothing passes these filters.";
  }

  /** Chooses a row of the table and its marker, and goes to its time; null chooses nothing. */
  select(id, { keepTime = false } = {}) {
    if (id !== null && !this.rows.includes(id)) return;
    this.selected = id;
    if (id !== null && !keepTime) {
      this.stop();
      this.setTime(this.events.time[id]);
    }
    this.showDetails();
    this.table.draw();
    this.table.reveal();
    this.redraw();
  }

  /** Goes so many rows on. */
  step(by) {
    if (this.rows.length === 0) return;
    const at = this.rows.indexOf(this.selected);
    const next = at < 0 ? (by > 0 ? 0 : this.rows.length - 1) : clamp(at + by, 0, this.rows.length - 1);
    this.select(this.rows[next]);
  }

  showDetails() {
    const box = this.element("details");
    const id = this.selected;
    if (id === null) return box.replaceChildren();
    const { columns } = this.events;
    const vector = (v) => `(${v.map((x) => short(x)).join(", ")})`;
    const numbers = `<span class="numbers">at ${vector(this.events.pointOf(id))}, normal ${vector(this.events.normalOf(id))}</span>`;
    box.innerHTML = `${explained(this.model, this.group, columns, id)}<br>${numbers}`;
  }

  /** Shows a word about a contact next to the pointer. */
  tip(id, at, canvas) {
    const box = this.element("tip");
    this.hovered = id;
    box.hidden = id === null;
    if (canvas) canvas.classList.toggle("pointing", id !== null);
    if (id === null || !canvas) return;
    const text = this.model.columns.map((column) => {
      const value = this.events.columns[column.key][id];
      if (value === "") return "";
      return column.kind === "number" ? `${column.label} ${short(value, column.digits, column.is_fixed)}` : value;
    });
    box.textContent = text.filter((part) => part).join(" · ");
    const frame = this.element("view").getBoundingClientRect();
    const from = canvas.getBoundingClientRect();
    const place = [from.left + at[0] - frame.left + 12, from.top + at[1] - frame.top + 14];
    box.style.left = `${clamp(place[0], 4, Math.max(4, frame.width - 310))}px`;
    box.style.top = `${clamp(place[1], 4, Math.max(4, frame.height - 60))}px`;
  }

  bindView() {
    const canvas = this.element("space");
    if (!this.viewer) return;
    const { camera } = this;
    const part = ([x, y]) => [(2 * x) / camera.size[0] - 1, 1 - (2 * y) / camera.size[1]];
    listen(canvas, {
      press: () => canvas.classList.add("turning"),
      release: () => canvas.classList.remove("turning"),
      drag: (dx, dy, event) => {
        const moves = event.shiftKey || event.buttons === 2 || event.buttons === 4;
        if (moves) camera.shift(dx / camera.size[1], dy / camera.size[1]);
        else camera.turn(dx * 0.008, dy * 0.008);
        this.redraw();
      },
      pan: (dx, dy) => {
        camera.shift(dx / camera.size[1], dy / camera.size[1]);
        this.redraw();
      },
      pinch: (factor, at) => this.zoom(factor, part(at)),
      click: (at, event) => this.select(this.markerNear(at, event.pointerType === "touch" ? 22 : 11)),
      hover: (at) => this.tip(this.markerNear(at, 9), at, canvas),
      leave: () => this.tip(null, null, canvas),
    });
    canvas.addEventListener("dblclick", () => this.resetView());
    canvas.addEventListener("keydown", (event) => {
      const turns = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!turns || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      if (event.shiftKey) camera.shift(turns[0] * 0.05, turns[1] * 0.05);
      else camera.turn(turns[0] * 0.12, turns[1] * 0.12);
      this.redraw();
    });
    this.element("zoom-in").addEventListener("click", () => this.zoom(0.8));
    this.element("zoom-out").addEventListener("click", () => this.zoom(1.25));
    this.element("reset-view").addEventListener("click", () => this.resetView());
  }

  zoom(factor, at) {
    this.camera.zoom(factor, at);
    this.redraw();
  }

  resetView() {
    this.camera.reset();
    this.redraw();
  }

  /** Brings the chosen contact near. */
  lookAtChosen() {
    if (this.selected === null || !this.viewer) return;
    this.camera.target = this.marker(this.selected).place;
    this.camera.distance = Math.min(this.camera.distance, 1.6);
    this.camera.isMoved = true;
    this.redraw();
  }

  bindKeys() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || this.element("help").open) return;
      const { target } = event;
      const isText = target.matches && target.matches("input[type=number], select");
      if (isText && event.key !== "Escape") return;
      const isButton = target.matches && target.matches("button, summary, input[type=checkbox]");
      const acts = {
        " ": () => !isButton && this.toggle(),
        n: () => this.step(1),
        p: () => this.step(-1),
        ",": () => this.nudge(-1),
        ".": () => this.nudge(1),
        "+": () => this.zoom(0.8),
        "=": () => this.zoom(0.8),
        "-": () => this.zoom(1.25),
        0: () => this.resetView(),
        f: () => this.lookAtChosen(),
        Escape: () => this.select(null),
      };
      const act = acts[event.key];
      if (!act || (event.key === " " && isButton)) return;
      event.preventDefault();
      act();
    });
  }

  /** Where the marker of an event is drawn, and its normal: on A as A moves, or where it happened. */
  marker(id) {
    const { model, events, group } = this;
    const point = model.drawn(events.pointOf(id));
    const normal = events.normalOf(id);
    if (!(group.a >= 0) || !model.bodies[group.a].track) return { place: point, normal };
    const then = model.pose(group.a, events.time[id], group);
    const now = model.pose(group.a, this.time, group);
    const rest = returned(then, point);
    return { place: carried(now, rest), normal: turned(rotation(now), turned(conjugate(rotation(then)), normal)) };
  }

  isNow(id) {
    const { first, last, now } = this.model.time;
    return Math.abs(this.events.time[id] - this.time) <= now * (last - first);
  }

  isMarked(id) {
    return !this.model.time.momentary || id === this.selected || this.isNow(id);
  }

  markerNear([x, y], reach) {
    if (!this.layers.markers) return null;
    const matrix = this.camera.matrix();
    let best = null;
    for (const id of this.rows) {
      const at = this.camera.pixel(this.marker(id).place, matrix);
      if (!at || !this.isMarked(id)) continue;
      const distance = Math.hypot(at[0] - x, at[1] - y);
      const worth = distance - (this.isNow(id) ? 3 : 0);
      if (distance <= reach && (!best || worth < best.worth || (worth === best.worth && at[2] < best.depth))) best = { id, worth, depth: at[2] };
    }
    return best ? best.id : null;
  }

  /** Asks for a new picture; many changes make one. */
  redraw() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame((now) => {
      this.isAsked = false;
      this.draw(now);
    });
  }

  draw(now) {
    if (this.isPlaying) this.advance(now);
    const { time } = this.model;
    this.element("time").value = String(this.time);
    const words = `${short(this.time, time.digits)}${time.unit ? ` ${time.unit}` : ""}`;
    this.element("time").setAttribute("aria-valuetext", words);
    this.element("clock").textContent = words;
    if (this.viewer) drawSpace(this);
    for (const chart of this.charts) chart.draw();
    this.table.draw();
    this.showMotion();
    if (this.isPlaying) this.redraw();
  }

  axisNow() {
    const { axes } = this.group;
    return (axes || []).find((axis) => this.time >= axis.from && this.time <= axis.to) || null;
  }

  showMotion() {
    const axis = this.axisNow();
    const box = this.element("motion");
    box.hidden = !axis || !this.viewer;
    if (axis) box.textContent = axis.words;
    if (!this.screenCaption) return;
    const [a, b] = [this.group.a, this.group.b].map((i) => this.model.bodies[i]);
    const swatch = (body, text) => `<i style="background:${escaped(body.colour)}"></i>${escaped(body.name)}: ${text}`;
    this.screenCaption.innerHTML = `<b>The collision screen</b>${swatch(a, "backward parts")}${swatch(b, "forward parts")}`;
  }
}

/** A contact in plain words. */
function explained(model, group, columns, id) {
  const cell = (key) => (columns[key] === undefined ? "" : columns[key][id]);
  const name = (i) => escaped(model.bodies[i].name);
  if (model.command === "collide") {
    const [properness, speed] = [cell("properness"), cell("speed")];
    const faces = properness >= 0 ? "proper: next to it nothing overlaps yet"
      : properness >= -0.1 ? "nearly proper: the overlap next to it is slight" : "inside an overlap";
    const way = cell("grazing") ? "they graze" : speed < 0 ? "they approach" : "they part";
    return `<b>${escaped(cell("a"))}</b> of ${name(group.a)} meets <b>${escaped(cell("b"))}</b> of ${name(group.b)} at time <b>${short(cell("time"), 6)}</b>. Properness ${short(properness, 4, true)}: ${faces}. Speed ${short(speed)}: ${way}.`;
  }
  if (model.command === "simulate") {
    return `<b>${escaped(cell("a"))}</b> hits <b>${escaped(cell("b"))}</b> after <b>${short(cell("time"), 4)} s</b> with an impulse of <b>${short(cell("impulse"))} N s</b>.`;
  }
  const tag = cell("tag") ? `, tagged ${escaped(cell("tag"))}` : "";
  return `<b>${escaped(cell("moving"))}</b> of ${escaped(cell("body"))} ${escaped(cell("what").replace("stopped", "is stopped").replace("held", "is held").replace("near", "is near"))} <b>${escaped(cell("world"))}</b>${tag}, after ${short(cell("time"), 6)} of the way.`;
}

function start() {
  const model = new Model(JSON.parse(document.getElementById("data").textContent));
  const page = new Page(model);
  window.chasles = outside(page);
}

/**
 * What scripts may ask and do, `window.chasles`. Times, rows and markers are numbers as in the table; what is
 * set is seen after the next picture, which `settled()` waits for.
 */
function outside(page) {
  return {
    get command() { return page.model.command; },
    get hasWebGL() { return page.viewer !== null; },
    get time() { return page.time; },
    set time(time) { page.setTime(time); },
    get isPlaying() { return page.isPlaying; },
    get selected() { return page.selected; },
    set selected(id) { page.select(id); },
    /** The numbers of the events that pass the filters, in the order of the table. */
    get rows() { return [...page.rows]; },
    /** The numbers of the events whose markers were drawn last. */
    get markers() { return [...(page.drawnMarkers || [])]; },
    get events() { return { count: page.events.count, total: page.events.total }; },
    /** All values of an event by the names of its columns. */
    event(id) {
      const out = {};
      for (const key of Object.keys(page.events.columns)) out[key] = page.events.columns[key][id];
      return { ...out, time: page.events.time[id], point: page.events.pointOf(id), normal: page.events.normalOf(id) };
    },
    /** Where the marker of an event is in the view, in pixels from its upper left corner. */
    pixel(id) {
      const at = page.camera.pixel(page.marker(id).place);
      return at ? at.slice(0, 2) : null;
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
    settled() {
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    },
  };
}
