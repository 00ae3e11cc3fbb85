// Where the parts of the playground are: files beside each other. In a page that is one file
// place-one.js stands in for this.

/** A worker with the engine's script. */
export function makeWorker() {
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}

/** What the worker loads the engine from. */
export async function engineModule() {
  return new URL("./chasles_bg.wasm", import.meta.url).href;
}

/** The text of the page of a report, with places for what it says. */
export async function reportTemplate() {
  const answer = await fetch(new URL("./report.html", import.meta.url));
  if (!answer.ok) throw new Error(`the page of reports is not there: ${answer.status}`);
  return answer.text();
}

/** The address of a still picture of a built-in scene. */
export function stillOf(name) {
  return new URL(`./stills/${name}.png`, import.meta.url).href;
}
