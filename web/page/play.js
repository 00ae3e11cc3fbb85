// The playground: it opens scenes, and lets one move, ask, share and save.

import { Page } from "./page.js";
import { Model } from "./model.js";
import { Client, NotWanted } from "./client.js";
import { CollideMode } from "./collide.js";
import { TraceMode } from "./trace.js";
import { SimulateMode } from "./simulate.js";
import { EditedScene, commandOf, readFile } from "./scene.js";
import { Panel } from "./panel.js";
import { linkTo, reportOf, saveFile, sceneOfLink } from "./share.js";
import { reportTemplate, stillOf } from "./place.js";
import { BUILT_IN } from "./scenes.js";
import { playOutside } from "./play-outside.js";

const MODES = { collide: CollideMode, trace: TraceMode, simulate: SimulateMode };

const HINT = "chasles-hint-seen";

/** A drag asks many times: of the times that its moves took, so many are kept. */
const MOST_TIMINGS = 1000;

const byId = (id) => document.getElementById(id);

export class Play {
  constructor(given) {
    Object.assign(this, { given, scene: null, page: null, mode: null, held: null, timings: [] });
    /** How many scenes were asked for, and what is waited for with its progress shown. */
    this.openings = 0;
    this.watches = new Set();
    this.complain = (error) => this.tell(error);
    this.blank = document.querySelector("main").cloneNode(true);
    this.panel = new Panel(this);
    this.client = new Client();
    this.bindBar();
    this.bindDrops();
  }

  /** Opens what is asked for: a scene in the address, one in the page, or the tori. */
  async begin() {
    this.showHint();
    if (this.given && this.given.document) this.showReport(this.given.document);
    try {
      await this.client.ready;
    } catch (error) {
      return withoutEngine(error.message, this.page);
    }
    try {
      if (await this.openLinked()) return null;
      if (this.given) return await this.openGiven();
    } catch (error) {
      // Whoever chose another scene meanwhile wants that one.
      if (this.openings < 2) await this.openBuiltIn("tori");
      return this.tell(error);
    }
    return this.openBuiltIn("tori");
  }

  /** Opens the scene that the address holds; whether it holds one. */
  async openLinked() {
    const linked = await sceneOfLink(location.hash);
    if (linked) await this.openScene(new EditedScene(linked));
    return linked !== null;
  }

  async openGiven() {
    const { name, text, files, options, document: report } = this.given;
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const unpacked = Object.fromEntries(Object.entries(files).map(([k, v]) => [k, bytes(v)]));
    const tables = await this.client.ask("tables", text);
    const command = commandOf(tables);
    const scene = new EditedScene({ command, name, tables, files: unpacked });
    await this.openScene(scene, { text, options, report });
  }

  /** What was computed already is there before the engine is. */
  showReport(report) {
    this.replacePage(new Model(report));
  }

  async openBuiltIn(name) {
    const { text, command, files } = BUILT_IN.find((scene) => scene.name === name);
    const encode = (text) => new TextEncoder().encode(text);
    const bytes = Object.fromEntries(Object.entries(files).map(([k, v]) => [k, encode(v)]));
    const tables = await this.client.ask("tables", text);
    await this.openScene(new EditedScene({ command, name, tables, files: bytes }), { text });
  }

  /**
   * Opens a scene in place of the one before, which stays until all of the new one is there: on
   * wrong ones, on those that are cancelled, and where another is asked for meanwhile.
   */
  async openScene(scene, { text, options, report } = {}) {
    const number = ++this.openings;
    const stillWanted = () => {
      if (number !== this.openings) throw new NotWanted("another scene was opened");
    };
    let held = null;
    try {
      // What was not changed yet is read as it was written, with its places for messages.
      const first = text || scene.text;
      const given = () => ({ ...scene.given(), ...(scene.isChanged ? {} : { text: first }) });
      held = await this.watched((watch) => this.client.hold(given, watch));
      stillWanted();
      const mode = new MODES[scene.command](this, held, scene);
      if (options) Object.assign(mode.options, options);
      const document = report ? null : await mode.document();
      stillWanted();
      this.show({ scene, held, mode, document });
    } catch (error) {
      if (held) held.close();
      if (this.scene) byId("scenes").value = this.scene.name;
      throw error;
    }
  }

  /** Page and engine go over to a scene at once. */
  show({ scene, held, mode, document }) {
    if (this.mode && this.mode.pause) this.mode.pause();
    if (this.held) this.held.close();
    Object.assign(this, { scene, held, mode });
    // A scene that is none of the list leaves it empty.
    byId("scenes").value = scene.name;
    if (document) this.makePage(mode, document);
    else this.takeOver(mode);
    this.panel.bind(mode);
    mode.begin(this.page);
    this.quiet();
    this.page.redraw();
  }

  /** A page of a report goes on with an engine. */
  takeOver(mode) {
    const { model } = this.page;
    Object.assign(mode, { frame: model.frame, times: model.frames });
    mode.summary = byId("summary").textContent;
  }

  makePage(mode, document) {
    document.stills = [
      { caption: "A still picture of the scene", image: stillOf(this.scene.name) },
    ];
    this.replacePage(mode.model(document));
    this.say(mode.summary);
  }

  replacePage(model) {
    if (this.ending) this.ending.abort();
    this.ending = new AbortController();
    const fresh = this.blank.cloneNode(true);
    window.document.querySelector("main").replaceWith(fresh);
    byId("title").textContent = model.title;
    window.document.title = `${model.title} – Chasles`;
    this.page = new Page(model, this.ending.signal);
    window.chasles = playOutside(this);
  }

  /** A question whose progress is shown, and that can be cancelled; `ask` gets what it tells. */
  async watched(ask) {
    const wish = new AbortController();
    this.watches.add(wish);
    const show = setTimeout(() => (byId("work").hidden = false), 250);
    byId("progress").removeAttribute("value");
    try {
      const progress = (share) => (byId("progress").value = share);
      return await ask({ progress, signal: wish.signal });
    } finally {
      clearTimeout(show);
      this.watches.delete(wish);
      byId("work").hidden = this.watches.size === 0 || byId("work").hidden;
    }
  }

  /** Ends what is waited for. */
  cancel() {
    for (const wish of this.watches) wish.abort();
    this.tell(new Error("Cancelled: the page shows what was computed before."));
  }

  /** Keeps how long a move of a drag took. */
  took(milliseconds) {
    this.timings.push(milliseconds);
    if (this.timings.length > MOST_TIMINGS) this.timings.shift();
  }

  say(words) {
    byId("summary").textContent = words;
  }

  /** Says what went wrong, where it is seen and heard. */
  tell(error) {
    if (error instanceof NotWanted) return null;
    byId("said").textContent = error.message;
    byId("said").hidden = false;
    return null;
  }

  quiet() {
    byId("said").hidden = true;
  }

  showHint() {
    const seen = (act) => {
      try {
        return act();
      } catch {
        return null;
      }
    };
    byId("hint").hidden = seen(() => localStorage.getItem(HINT)) !== null;
    byId("hint-done").addEventListener("click", () => {
      byId("hint").hidden = true;
      seen(() => localStorage.setItem(HINT, "1"));
    });
  }

  bindBar() {
    const groups = { collide: "Contacts", trace: "Traces", simulate: "Worlds" };
    for (const [command, label] of Object.entries(groups)) {
      const group = Object.assign(document.createElement("optgroup"), { label });
      const scenes = BUILT_IN.filter((scene) => scene.command === command);
      group.append(...scenes.map(({ name, title }) => new Option(title, name)));
      byId("scenes").append(group);
    }
    const act = (work) => () => Promise.resolve(work()).catch(this.complain);
    const open = act(() => this.openBuiltIn(byId("scenes").value));
    byId("scenes").addEventListener("change", open);
    byId("cancel").addEventListener("click", () => this.cancel());
    addEventListener(
      "hashchange",
      act(() => this.openLinked()),
    );
    byId("open-file").addEventListener("click", () => byId("files").click());
    const chosen = act(() => this.take([...byId("files").files]));
    byId("files").addEventListener("change", chosen);
    byId("share").addEventListener(
      "click",
      act(() => this.share()),
    );
    byId("save-scene").addEventListener(
      "click",
      act(() => this.saveScene()),
    );
    byId("save-report").addEventListener(
      "click",
      act(() => this.saveReport()),
    );
  }

  bindDrops() {
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      this.take([...event.dataTransfer.files]).catch(this.complain);
    });
  }

  /** Opens scenes, and adds meshes to the one that is open. */
  async take(files) {
    if (files.length === 0) return;
    // What is dropped early waits for what it is added to.
    await this.opening;
    const read = await Promise.all(files.map(readFile));
    const scene = read.find((file) => file.isScene);
    const meshes = read.filter((file) => !file.isScene);
    if (scene) await this.takeScene(scene, meshes);
    else await this.takeMeshes(meshes);
    byId("files").value = "";
  }

  async takeScene({ name, bytes }, meshes) {
    const text = new TextDecoder("utf-8", { fatal: false }).decode(bytes);
    const tables = await this.client.ask("tables", text);
    const files = {};
    // A scene names its files with their folders, and a drop has none.
    const named = text.match(/[\w./-]+\.(?:obj|stl|ply|off|gltf|glb)/gi) || [];
    for (const mesh of meshes) {
      const key = named.find((path) => path.split("/").pop() === mesh.name) || mesh.name;
      files[key] = mesh.bytes;
    }
    const command = commandOf(tables);
    await this.openScene(new EditedScene({ command, name, tables, files }), { text });
  }

  async takeMeshes(meshes) {
    const { scene, page } = this;
    const next = new EditedScene({
      command: scene.command,
      name: scene.name,
      tables: structuredClone(scene.tables),
      files: { ...scene.files },
      isChanged: true,
    });
    const { centre, scale } = page.model.frame;
    for (const { name, bytes } of meshes) {
      const start = [centre[0] + 2 * scale, ...centre.slice(1), 0, 0, 0, 1];
      next.addMesh(name, bytes, start, [...centre, 0, 0, 0, 1]);
    }
    await this.openScene(next);
    this.mode.choose?.(next.tables.body.length - 1, this.mode.end);
  }

  async share() {
    const address = await linkTo(this.scene);
    history.replaceState(null, "", address);
    const copied = await navigator.clipboard.writeText(address).then(
      () => true,
      () => false,
    );
    this.say(
      copied
        ? "The link is copied: it holds the whole scene"
        : "The link is the address of the page",
    );
  }

  async saveScene() {
    const toml = await this.client.ask("toml", this.scene.tables);
    saveFile(`${this.stem()}.toml`, toml, "application/toml");
    const names = Object.keys(this.scene.files);
    if (names.length > 0) this.say(`Saved; the program looks for ${names.join(", ")} beside it`);
  }

  async saveReport() {
    const page = reportOf(await reportTemplate(), this.page.model, byId("summary").textContent);
    saveFile(`${this.stem()}.html`, page, "text/html");
  }

  stem() {
    return this.scene.name.replace(/\.[^.]*$/, "") || "scene";
  }
}

/** Why the engine cannot run in this browser; null if it can. */
function whyNot() {
  const isOld =
    typeof DecompressionStream === "undefined" || typeof structuredClone === "undefined";
  if (typeof WebAssembly === "undefined") return "This browser has no WebAssembly, or it is off";
  if (typeof Worker === "undefined") return "This browser has no workers, or they are off";
  return isOld ? "This browser is too old for the engine" : null;
}

/** The page without its engine: a message, and what there is to see. */
function withoutEngine(why, page) {
  byId("no-engine").hidden = false;
  byId("no-engine-words").textContent =
    `${why}, so nothing can be computed here: a browser of 2023 or later can. ` +
    (page ? "What was computed before is below." : "Below is a still picture.");
  byId("bar").hidden = true;
  if (page) return;
  byId("summary").textContent = "";
  Object.assign(byId("no-engine-still"), { src: stillOf("tori"), hidden: false });
  document.querySelector("main").hidden = true;
}

export function startPlay() {
  const given = JSON.parse(byId("data").textContent);
  const why = whyNot();
  if (why) {
    const page = given && given.document ? new Page(new Model(given.document)) : null;
    window.chasles = { play: null, page };
    return withoutEngine(why, page);
  }
  const play = new Play(given);
  window.chasles = playOutside(play);
  play.opening = play.begin().catch(play.complain);
}
