// The scene that is edited: tables as in a scene file, the files that they name, and where its
// bodies are. What it says is what is saved, shared, and read by the engine.

/** Bytes of a mesh file that a browser shall work on. */
const MOST_BYTES = 64 << 20;

export const MESH_ENDINGS = ["obj", "stl", "ply", "off", "gltf", "glb"];

const endingOf = (name) => name.toLowerCase().split(".").pop();

/** What a scene is for, by its tables. */
export function commandOf(tables) {
  const bodies = tables.body || [];
  if (bodies.some((body) => body.moving)) return "trace";
  const isMatter = (body) =>
    ["kind", "density", "mass", "velocity", "angular_velocity", "restitution", "friction"].some(
      (key) => key in body,
    );
  const isWorld = tables.world || tables.joint || tables.sheet || bodies.some(isMatter);
  return isWorld ? "simulate" : "collide";
}

export class EditedScene {
  /** `isChanged` tells whether the tables are other than what was read. */
  constructor({ command, name, tables, files = {}, isChanged = false }) {
    Object.assign(this, { command, name, tables, files, isChanged });
  }

  /** What the engine opens. */
  given() {
    const { command, text, name, files } = this;
    return { command, text, name, files };
  }

  /** The text that the engine reads. */
  get text() {
    return JSON.stringify(this.tables);
  }

  /** Writes a body's poses at both ends of the step. */
  place(body, start, end) {
    const table = this.tables.body[body];
    const pose = (numbers) => ({
      position: Array.from(numbers.slice(0, 3)),
      rotation: Array.from(numbers.slice(3, 7)),
    });
    for (const key of ["twist", "flight"]) delete table[key];
    Object.assign(table, { start: pose(start), end: pose(end) });
    this.isChanged = true;
  }

  /** Sets keys of a table, of the whole scene or of a body. */
  set(table, change) {
    Object.assign(table, change);
    this.isChanged = true;
  }

  /** Adds a mesh file as a body. */
  addMesh(name, bytes, start, end) {
    this.files[name] = bytes;
    this.tables.body.push({ name: this.freeName(name), mesh: name });
    if (this.command === "collide") this.place(this.tables.body.length - 1, start, end);
    else this.tables.body.at(-1).start = { position: start.slice(0, 3) };
  }

  freeName(name) {
    const stem = name.replace(/\.[^.]*$/, "") || "body";
    const taken = new Set(this.tables.body.map((body, i) => body.name ?? `body-${i}`));
    let free = stem;
    for (let i = 2; taken.has(free); i++) free = `${stem}-${i}`;
    return free;
  }
}

/** What a dropped file is: its bytes, and whether it is a scene or a mesh. */
export async function readFile(file) {
  const ending = endingOf(file.name);
  const isScene = ending === "toml" || ending === "json";
  if (!isScene && !MESH_ENDINGS.includes(ending)) {
    throw new Error(
      `${file.name} is neither a mesh nor a scene: drop an OBJ, STL, PLY, OFF, glTF or GLB file, ` +
        "or a scene in TOML or JSON",
    );
  }
  if (file.size > MOST_BYTES) {
    const size = Math.round(file.size / (1 << 20));
    throw new Error(`${file.name} has ${size} MB: this page takes files of up to 64 MB`);
  }
  return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()), isScene };
}
