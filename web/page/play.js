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

const byId = (id) => document.getElementById(id);

export class Play {
  constructor(given) {
    Object.assign(this, { given, scene: null, page: null, mode: null, timings: [] });
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
    try {
      const linked = await sceneOfLink(location.hash);
      if (linked) return await this.openScene(new EditedScene(linked));
      if (this.given) return await this.openGiven();
    } catch (error) {
      await this.openBuiltIn("tori");
      return this.tell(error);
    }
    return this.openBuiltIn("tori");
  }

  async openGiven() {
    const { name, text, files, options, document: report } = this.given;
    const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const unpacked = Object.fromEntries(Object.entries(files).map(([k, v]) => [k, bytes(v)]));
    if (report) this.showReport(report);
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

  /** Opens a scene in place of the one before; on wrong ones that stays. */
  async openScene(scene, { text, options, report } = {}) {
    const argument = { command: scene.command, text: text || scene.text, name: scene.name };
    const about = await this.watched("open", { ...argument, files: scene.files });
    if (this.mode && this.mode.pause) this.mode.pause();
    this.scene = scene;
    // A scene that is none of the list leaves it empty.
    byId("scenes").value = scene.name;
    const mode = new MODES[scene.command](this, about);
    if (options) Object.assign(mode.options, options);
    if (report) this.takeOver(mode);
    else await this.makePage(mode);
    this.mode = mode;
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

  async makePage(mode) {
    const document = await mode.document();
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

  /** A question whose progress is shown, and that can be cancelled. */
  async watched(call, argument) {
    const wish = new AbortController();
    const show = setTimeout(() => (byId("work").hidden = false), 250);
    byId("progress").removeAttribute("value");
    const cancel = () => {
      wish.abort();
      this.tell(new Error("Cancelled."));
    };
    byId("cancel").addEventListener("click", cancel, { once: true });
    try {
      const progress = (share) => (byId("progress").value = share);
      return await this.client.ask(call, argument, { progress, signal: wish.signal });
    } finally {
      clearTimeout(show);
      byId("work").hidden = true;
      byId("cancel").removeEventListener("click", cancel);
    }
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
function withoutEngine(why, given) {
  byId("no-engine").hidden = false;
  byId("summary").textContent = "";
  byId("no-engine-words").textContent =
    `${why}, so nothing can be computed here: a browser of 2023 or later can. ` +
    (given && given.document ? "What was computed before is below." : "Below is a still picture.");
  byId("bar").hidden = true;
  if (given && given.document) {
    window.chasles = { play: null, page: new Page(new Model(given.document)) };
    return;
  }
  Object.assign(byId("no-engine-still"), { src: stillOf("tori"), hidden: false });
  document.querySelector("main").hidden = true;
}

export function startPlay() {
  const given = JSON.parse(byId("data").textContent);
  const why = whyNot();
  if (why) return withoutEngine(why, given);
  const play = new Play(given);
  window.chasles = playOutside(play);
  play.opening = play.begin().catch(play.complain);
}
