// The panel: numbers for what handles do, what is asked, and what the world is told.

/** A rotation as an axis times degrees. */
export function degreesOf([x, y, z, w]) {
  const sign = w < 0 ? -1 : 1;
  const sine = Math.hypot(x, y, z);
  if (sine < 1e-15) return [0, 0, 0];
  const angle = (2 * Math.atan2(sine, Math.abs(w)) * 180) / Math.PI;
  return [x, y, z].map((part) => (sign * part * angle) / sine);
}

/** The rotation of an axis times degrees. */
export function rotationOf(degrees) {
  const size = Math.hypot(...degrees);
  if (size === 0) return [0, 0, 0, 1];
  const half = (size * Math.PI) / 360;
  return [...degrees.map((part) => (part / size) * Math.sin(half)), Math.cos(half)];
}

/** A number as a field shows it. */
const tidyNumber = (x) => String(Number(x.toPrecision(6)));

export class Panel {
  constructor(play) {
    this.play = play;
  }

  part(id) {
    return document.getElementById(id);
  }

  fields(key) {
    return [...this.part("panel").querySelectorAll(`[data-${key}]`)];
  }

  /** Shows these parts of the panel, and no others. */
  open(parts) {
    this.part("panel").hidden = false;
    this.part("panel").addEventListener("submit", (event) => event.preventDefault());
    for (const id of ["pose-part", "ask-part", "slide-part", "world-part"])
      this.part(id).hidden = !parts.includes(id);
  }

  /** Binds the panel of a mode that is new. */
  bind(mode) {
    const { command } = this.play.scene;
    const parts = {
      collide: ["pose-part", "ask-part"],
      trace: ["pose-part", "slide-part"],
      simulate: ["world-part"],
    };
    this.open(parts[command]);
    if (command === "simulate") return this.bindWorld(mode);
    this.bindPose(mode);
    if (command === "collide") this.bindAsking(mode);
    else
      this.part("slides").addEventListener(
        "change",
        ({ target }) => (mode.slides = target.checked),
      );
  }

  bindPose(mode) {
    const first = mode.about.standing || 0;
    const options = mode.about.names.slice(first).map((name, i) => new Option(name, first + i));
    this.part("body").replaceChildren(...options);
    this.part("end-choice").hidden = first > 0;
    const choose = () =>
      mode.choose(Number(this.part("body").value), Number(this.part("end").value));
    this.part("body").addEventListener("change", choose);
    this.part("end").addEventListener("change", choose);
    for (const field of [...this.fields("pose"), ...this.fields("turn")])
      field.addEventListener("change", () => this.placed(mode, field));
    this.showBodies(mode);
  }

  /** The pose with what a field says; all else keeps the digits that fields do not show. */
  placed(mode, field) {
    const number = field.value === "" ? NaN : Number(field.value);
    if (!Number.isFinite(number)) return this.showPose(mode);
    const pose = Array.from(mode.pose());
    if (field.dataset.pose) pose[Number(field.dataset.pose)] = number;
    const turn = degreesOf(pose.slice(3));
    if (field.dataset.turn) turn[Number(field.dataset.turn)] = number;
    const rotation = field.dataset.turn ? rotationOf(turn) : pose.slice(3);
    mode.place([...pose.slice(0, 3), ...rotation], true);
  }

  showBodies(mode) {
    this.part("body").value = String(mode.body);
    if (mode.end !== undefined) this.part("end").value = String(mode.end);
    this.showPose(mode);
  }

  showPose(mode) {
    const pose = mode.pose();
    const degrees = degreesOf(pose.slice(3));
    this.fields("pose").forEach((field, i) => (field.value = tidyNumber(pose[i])));
    this.fields("turn").forEach((field, i) => (field.value = tidyNumber(degrees[i])));
  }

  bindAsking(mode) {
    const { options } = mode;
    const set = (change) => {
      Object.assign(options, change);
      this.showAsking(options);
      mode.recompute();
    };
    const number = ({ target }, usual) => (target.value === "" ? usual : Number(target.value));
    const on = (id, name, act) => this.part(id).addEventListener(name, act);
    on("method", "change", ({ target }) => set({ method: Number(target.value) }));
    on("pixels", "input", ({ target }) => set({ pixels: Number(target.value) }));
    on("facing", "change", ({ target }) => set({ facing: target.checked }));
    on("touchable", "change", ({ target }) => set({ touchable: target.checked }));
    on("first-only", "change", ({ target }) => set({ firstOnly: target.checked }));
    on("least", "change", (event) => set({ minProperness: number(event, -1) }));
    on("from", "change", (event) => set({ from: number(event, 0) }));
    on("to", "change", (event) => set({ to: number(event, 1) }));
    this.showAsking(options);
  }

  showAsking({ method, pixels, facing, touchable, firstOnly, minProperness, from, to }) {
    const values = { method, pixels, least: minProperness, from, to };
    for (const [id, value] of Object.entries(values)) this.part(id).value = String(value);
    const checks = { facing, touchable, "first-only": firstOnly };
    for (const [id, value] of Object.entries(checks)) this.part(id).checked = value;
    this.part("pixels-said").textContent = String(pixels);
    this.part("pixels-choice").hidden = method !== 2;
  }

  bindWorld(mode) {
    const { about } = mode;
    const on = (id, name, act) => this.part(id).addEventListener(name, act);
    on("run", "click", () => (mode.isRunning ? mode.pause() : mode.start()));
    on("one-step", "click", () => {
      mode.pause();
      mode.advance(1);
    });
    on("again", "click", () => mode.restart());
    this.fields("gravity").forEach((field, i) => {
      field.value = tidyNumber(about.gravity[i]);
      field.addEventListener("change", () => this.weigh(mode));
    });
    const [restitution, friction] = about.material;
    Object.assign(this.part("restitution"), { value: String(restitution) });
    Object.assign(this.part("friction"), { value: String(friction) });
    for (const id of ["restitution", "friction"]) on(id, "input", () => this.make(mode));
    this.showMaterial();
    const names = about.names.map((name, i) => [name, i]).filter(([, i]) => about.isDynamic[i]);
    this.part("throw-part").hidden = names.length === 0;
    this.part("thrown").replaceChildren(...names.map(([name, i]) => new Option(name, i)));
    on("throw", "click", () => this.throw(mode));
  }

  weigh(mode) {
    const gravity = this.fields("gravity").map((field) => Number(field.value));
    mode.change("gravity", { gravity });
    const { scene } = this.play;
    scene.set(scene.tables, { world: { ...scene.tables.world, gravity } });
  }

  make(mode) {
    const restitution = Number(this.part("restitution").value);
    const friction = Number(this.part("friction").value);
    mode.change("material", { restitution, friction });
    const { scene } = this.play;
    for (const body of scene.tables.body) scene.set(body, { restitution, friction });
    this.showMaterial();
  }

  showMaterial() {
    for (const id of ["restitution", "friction"])
      this.part(`${id}-said`).textContent = Number(this.part(id).value).toFixed(2);
  }

  throw(mode) {
    const body = Number(this.part("thrown").value);
    const change = this.fields("throw").map((field) => Number(field.value));
    mode.throw(body, change, mode.poseOf(body).slice(0, 3));
  }

  showWorld(mode) {
    this.showRunning(mode);
  }

  showRunning({ isRunning }) {
    this.part("run").textContent = isRunning ? "Pause" : "Run";
    this.part("run").setAttribute("aria-pressed", String(isRunning));
  }
}
