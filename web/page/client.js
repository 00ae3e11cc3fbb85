// The page's side of the worker: questions are promises.

import { makeWorker, engineModule } from "./place.js";

/** How long a question that is not wanted any more may go on before its worker is ended. */
const PATIENCE = 600;

/** What the engine says of wrong input, in its words. */
export class EngineError extends Error {}

/** A question that was not wanted any more. */
export class NotWanted extends Error {}

/** A worker with an engine. Questions are answered in their order. */
export class Client {
  constructor() {
    this.number = 0;
    this.open = new Map();
    this.waiting = new Map();
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

  async begin() {
    return this.post("begin", await engineModule());
  }

  /** Ends the worker, and whatever it does, and begins with a new one. */
  restart() {
    this.worker.terminate();
    this.fail(new NotWanted("the worker was ended"));
    this.start();
  }

  fail(error) {
    for (const { stop } of this.open.values()) stop(error);
    this.open.clear();
  }

  post(call, argument, progress) {
    const id = ++this.number;
    return new Promise((go, stop) => {
      this.open.set(id, { go, stop, progress });
      this.worker.postMessage({ id, call, argument });
    });
  }

  receive({ id, value, error, progress, isCancelled, isBroken }) {
    const asked = this.open.get(id);
    if (!asked) return;
    if (progress !== undefined) return asked.progress && asked.progress(progress);
    this.open.delete(id);
    if (error === undefined) return asked.go(value);
    asked.stop(isCancelled ? new NotWanted(error) : new EngineError(error));
    if (isBroken) this.restart();
  }

  /** The answer to a question. A signal ends it: softly, or with the worker if that takes long. */
  async ask(call, argument, { progress, signal } = {}) {
    await this.ready;
    const id = this.number + 1;
    const answer = this.post(call, argument, progress);
    if (signal) {
      const end = () => {
        this.worker.postMessage({ cancel: id });
        setTimeout(() => this.open.has(id) && this.restart(), PATIENCE);
      };
      signal.addEventListener("abort", end, { once: true });
    }
    return answer;
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
}
