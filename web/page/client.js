// The page's side of the worker: questions are promises.

import { makeWorker, engineModule } from "./place.js";

/** How long a question that is not wanted any more may go on before its worker is ended. */
const PATIENCE = 600;

/** What the engine says of wrong input, in its words. */
export class EngineError extends Error {}

/** A question that was not wanted any more. */
export class NotWanted extends Error {}

/** A worker with an engine. Questions are answered one after the other, in their order. */
export class Client {
  constructor() {
    this.number = 0;
    this.open = new Map();
    /** The scenes that the worker holds, by their numbers. */
    this.scenes = new Map();
    this.start();
  }

  start() {
    this.worker = makeWorker();
    this.worker.addEventListener("message", ({ data }) => this.receive(data));
    this.worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.fail(new EngineError(`the engine does not start: ${event.message || "no worker"}`));
    });
    this.ready = this.begin();
    this.ready.catch(() => {});
  }

  /** The engine, and the scenes that a worker before this one held. */
  async begin() {
    await this.post({ call: "begin", argument: await engineModule() });
    for (const scene of this.scenes.values()) scene.reopen();
  }

  /** Ends the worker, whatever it does, and begins with a new one that holds the same scenes. */
  restart() {
    this.worker.terminate();
    this.fail(new NotWanted("the worker was ended"));
    this.start();
  }

  fail(error) {
    const asked = [...this.open.values()];
    this.open.clear();
    for (const { stop } of asked) stop(error);
  }

  /** The answer to a message, which goes to the worker at once. */
  post(message, progress) {
    const id = ++this.number;
    return new Promise((go, stop) => {
      this.open.set(id, { go, stop, progress });
      this.worker.postMessage({ ...message, id });
    });
  }

  receive({ id, value, error, progress, isCancelled, isBroken }) {
    const asked = this.open.get(id);
    if (!asked) return;
    if (progress !== undefined) return asked.progress && asked.progress(progress);
    this.open.delete(id);
    if (error === undefined) return asked.go(value);
    if (isCancelled) return asked.stop(new NotWanted(error));
    const broken = `The engine stopped (${error}) and begins anew: that was too much for it`;
    asked.stop(new EngineError(isBroken ? broken : error));
    // Whoever asked is told first: what it holds in vain is not opened again.
    if (isBroken) Promise.resolve().then(() => this.restart());
  }

  /**
   * The answer to a question. `signal` ends it: softly, or with the worker if that takes long;
   * `until` ends it softly. Without a scene it is about none.
   */
  async ask(call, argument, { scene, progress, signal, until } = {}) {
    await this.ready;
    if (signal?.aborted || until?.aborted) throw new NotWanted("cancelled");
    const answer = this.post({ call, argument, scene }, progress);
    const id = this.number;
    const soften = () => this.open.has(id) && this.worker.postMessage({ cancel: id });
    const end = () => {
      soften();
      setTimeout(() => this.open.has(id) && this.restart(), PATIENCE);
    };
    signal?.addEventListener("abort", end, { once: true });
    until?.addEventListener("abort", soften, { once: true });
    return answer;
  }

  /**
   * Opens a scene beside those that are open. `given()` says what it is now, should it be opened
   * again: its command, text, name and files.
   */
  async hold(given, watch) {
    const scene = ++this.number;
    const about = await this.ask("open", given(), { ...watch, scene });
    const held = new Held(this, scene, { given, about });
    this.scenes.set(scene, held);
    return held;
  }
}

/** A scene that the worker holds. Questions about it are answered for it, whatever else is open. */
export class Held {
  constructor(client, scene, { given, about }) {
    Object.assign(this, { client, scene, given, about });
    this.waiting = new Map();
    /** Is told when the worker had to begin anew, with what the scene is there. */
    this.reopened = () => {};
  }

  ask(call, argument, options) {
    return this.client.ask(call, argument, { ...options, scene: this.scene });
  }

  /**
   * The answer to a question that may be asked again before it is answered, as in a drag: of
   * several that wait only the last is asked, and the others have no answer.
   */
  latest(call, argument) {
    const before = this.waiting.get(call);
    if (before) {
      if (before.next) before.next.go(null);
      return new Promise((go, stop) => {
        before.next = { argument, go, stop };
      });
    }
    const entry = {};
    this.waiting.set(call, entry);
    const answer = this.ask(call, argument);
    const done = () => {
      this.waiting.delete(call);
      if (entry.next) this.latest(call, entry.next.argument).then(entry.next.go, entry.next.stop);
    };
    answer.then(done, done);
    return answer;
  }

  /** Opens it in a worker that is new; if that fails it stays closed. */
  reopen() {
    const { client, scene } = this;
    const answer = client.post({ call: "open", argument: this.given(), scene });
    answer.then(
      (about) => this.reopened(about),
      () => client.scenes.delete(scene),
    );
  }

  /** Gives the memory of the scene back. */
  close() {
    const { client, scene } = this;
    // A worker that ends meanwhile takes the scene with it.
    if (client.scenes.delete(scene)) client.post({ call: "close", scene }).catch(() => {});
  }
}
