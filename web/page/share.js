// Links that hold a whole scene in their address, and scenes and reports as files.

/** The longest address that is made: every common browser and most programs pass it on. */
export const MOST_LETTERS = 32000;

const KEY = "#scene=";

async function through(bytes, stream) {
  const out = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(out).arrayBuffer());
}

function toText(bytes) {
  let raw = "";
  for (let i = 0; i < bytes.length; i += 8192)
    raw += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(raw);
}

const fromText = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** A scene as text for an address. */
async function packedScene({ command, name, tables, files }) {
  const kept = Object.entries(files).map(([name, bytes]) => [name, toText(bytes)]);
  const json = JSON.stringify({ command, name, tables, files: Object.fromEntries(kept) });
  const deflated = new CompressionStream("deflate-raw");
  const bytes = await through(new TextEncoder().encode(json), deflated);
  return toText(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The address that holds a scene. Fails on one that is too large for that. */
export async function linkTo(scene) {
  const address = location.href.split("#")[0] + KEY + (await packedScene(scene));
  if (address.length > MOST_LETTERS) {
    throw new Error(
      `This scene makes a link of ${address.length} letters, and links hold ${MOST_LETTERS} at ` +
        "most: save it as TOML instead, with its mesh files beside it",
    );
  }
  return address;
}

/** The scene that an address holds; null if it holds none. */
export async function sceneOfLink(hash) {
  if (!hash.startsWith(KEY)) return null;
  // A short text may unpack to any length: what is longer than our links is not unpacked.
  if (hash.length > MOST_LETTERS)
    throw new Error(`The link has ${hash.length} letters, and links hold ${MOST_LETTERS} at most`);
  try {
    const text = hash.slice(KEY.length).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = await through(fromText(text), new DecompressionStream("deflate-raw"));
    const { command, name, tables, files } = JSON.parse(new TextDecoder().decode(bytes));
    if (!["collide", "trace", "simulate"].includes(command) || !Array.isArray(tables.body))
      throw new Error("no scene");
    const unpacked = Object.entries(files).map(([name, text]) => [name, fromText(text)]);
    return { command, name: String(name), tables, files: Object.fromEntries(unpacked) };
  } catch {
    throw new Error("The link is damaged: part of it is missing, or it was changed on the way");
  }
}

/** Numbers as text, as reports have them. */
function packed(value) {
  if (ArrayBuffer.isView(value))
    return toText(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  if (Array.isArray(value)) return value.map(packed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, packed(one)]));
}

/** Words that come often: each once, and for each row the number of its own. */
function wordRows(all) {
  const list = [...new Set(all)];
  const numbers = new Map(list.map((word, i) => [word, i]));
  return { list, rows: Uint16Array.from(all, (word) => numbers.get(word)) };
}

/** A mesh of the model as a report has it. */
function meshData({ vertices, positions, triangles, edges, lone, labels, faces }) {
  const whole = (numbers) => Uint32Array.from(numbers);
  return {
    vertices,
    positions,
    triangles: whole(triangles),
    edges: whole(edges),
    lone: whole(lone),
    ...(labels && { labels }),
    ...(faces && { faces }),
    wide: true,
    thinned: false,
  };
}

function eventsData(events) {
  const { count, total, time, point, normal, places } = events;
  const cells = ([key, values]) => [key, Array.isArray(values) ? wordRows(values) : values];
  const columns = Object.fromEntries(
    Object.entries(events.columns)
      .filter(([key]) => key !== "time")
      .map(cells),
  );
  return { count, total, time, point, normal, ...(places && { places }), columns };
}

/** The page of a report with what the model shows now. */
export function reportOf(template, model, summary) {
  const { command, title, notes, time, frame, view, frames, legend, joints, columns } = model;
  const { kind_key, value, words } = model;
  const bodies = model.bodies.map((body) => {
    const { name, colour, mesh, track, pose, framed, edges, ghosts, paths, glass, legend } = body;
    const poses = track ? { track } : { pose };
    return { name, colour, mesh, ...poses, framed, edges, ghosts, paths, glass, legend };
  });
  const groups = model.groups.map((group) => {
    const { name, a, b, track, axes, screens, screen_note } = group;
    const events = eventsData(group.events);
    return { name, a, b, ...(track && { track }), axes, screens, screen_note, events };
  });
  const data = {
    command,
    title,
    notes,
    time,
    frame,
    view,
    frames,
    meshes: model.meshes.map(meshData),
    bodies,
    legend,
    joints,
    groups,
    group: 0,
    chosen: null,
    columns,
    kind_key,
    value,
    plots: [],
    stills: [],
    words,
  };
  const json = JSON.stringify(packed(data)).replaceAll("<", "\\u003c");
  const escape = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  const plain = (text) => text.replace(/[&<>"']/g, (sign) => escape[sign]);
  const parts = { title: plain(title), summary: plain(summary), data: json };
  return template.replace(/\{\{(title|summary|data)\}\}/g, (_, name) => parts[name]);
}

/** Lets the user keep a text as a file. */
export function saveFile(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
