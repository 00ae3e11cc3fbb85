// Where the parts of the playground are in a page that is one file: in its elements.

const part = (id) => document.getElementById(id).textContent;

/** The bytes of a part that is compressed and written as base64. */
async function unpackedPart(id) {
  const raw = atob(part(id).trim());
  const bytes = Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A worker with the engine's script: no module, for browsers refuse these to pages of files. */
export function makeWorker() {
  const script = new Blob([part("worker-part")], { type: "text/javascript" });
  return new Worker(URL.createObjectURL(script));
}

/** What the worker loads the engine from. */
export function engineModule() {
  return unpackedPart("engine-part");
}

/** The text of the page of a report, with places for what it says. */
export async function reportTemplate() {
  return new TextDecoder().decode(await unpackedPart("report-part"));
}

/** The address of a still picture: there is one, of the scene that is shown first. */
export function stillOf() {
  return part("still-part").trim();
}
