// Whether the worker of the playground answers in order, ends what is not wanted, keeps scenes
// apart and gives memory back.
//
//     node .ci/web/worker.mjs SITE
//
// SITE is the static folder of the playground. The worker runs in this process, with its messages
// caught.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const site = process.argv[2];
const moduleOf = (name) => import(pathToFileURL(path.resolve(site, name)));

// Nothing is given back by chance.
globalThis.FinalizationRegistry = class {
  register() {}
  unregister() {}
};

const answers = [];
const waiting = new Map();
let tell = null;
let progressed = () => {};
globalThis.addEventListener = (_, listener) => (tell = (data) => listener({ data }));
globalThis.postMessage = (message, handed = []) => {
  const copy = structuredClone(message, { transfer: handed });
  answers.push(copy);
  if (copy.progress === undefined) waiting.get(copy.id)?.(copy);
  else progressed(copy);
};
await moduleOf("worker.js");

let last = 0;
/** The answer to a question; its number is that of the last one. */
function ask(call, argument, scene) {
  const id = ++last;
  const answer = new Promise((go) => waiting.set(id, go));
  tell({ id, call, argument, scene });
  return answer;
}

/** What a question is answered with, which must not be an error. */
async function value(...question) {
  const { value, error } = await ask(...question);
  assert.equal(error, undefined);
  return value;
}

const engine = path.resolve(site, "chasles_bg.wasm");
await value("begin", fs.readFileSync(engine));
const { default: init } = await moduleOf("chasles.js");
const { memory } = await init();

const boxes = (count, gap) => {
  const body = (_, i) => ({
    shape: { box: {} },
    start: { position: [gap * i, 0.01 * i, 0] },
    end: { position: [0, 0.01 * i, gap * i] },
  });
  return JSON.stringify({ body: Array.from({ length: count }, body) });
};
const given = (text, command = "collide") => ({ command, text, name: "test", files: {} });
const wish = (options) => ({
  options,
  times: Float64Array.of(0, 1),
  hasScreens: false,
  hasTracks: true,
});
const counts = ({ answers }) => answers.map(({ count }) => count);

/** Bad scenes and closed ones leave the open ones as they are. */
async function keepsScenesApart() {
  await value("open", given(boxes(2, 3)), 101);
  const before = counts(await value("contacts", wish({}), 101));
  for (const text of ['{"body": [{"shpe": {}}]}', "[[body]", '{"body": []}']) {
    const { error, isBroken } = await ask("open", given(text), 102);
    assert.ok(error.length > 9 && !isBroken, error);
  }
  await value("open", given(boxes(3, 2)), 103);
  assert.deepEqual(counts(await value("contacts", wish({}), 101)), before);
  await value("close", undefined, 103);
  for (const scene of [102, 103, undefined]) {
    const { isCancelled } = await ask("contacts", wish({}), scene);
    assert.ok(isCancelled, "a question about a scene that is not open is answered");
  }
  assert.deepEqual(counts(await value("contacts", wish({}), 101)), before);
}

/** Numbers that are none are told, and change nothing. */
async function tellsWrongNumbers() {
  const before = counts(await value("contacts", wish({}), 101));
  const window = { from: 0.8, to: 0.2 };
  const all = [window, { from: NaN }, { minProperness: NaN }, { method: 2, pixels: 0 }];
  for (const options of all) {
    const { error, isBroken } = await ask("contacts", wish(options), 101);
    assert.ok(error && !isBroken, `${JSON.stringify(options)}: ${error}`);
  }
  const pose = Float64Array.of(0, 0, 0, 0, 0, 0, 1);
  const bad = { body: 1, start: pose, end: pose.map(() => NaN) };
  assert.ok((await ask("move", bad, 101)).error);
  assert.deepEqual(counts(await value("contacts", wish({}), 101)), before);
}

/** Answers come in the order of questions, and none mixes poses of before and after a move. */
async function answersInOrder() {
  await value("open", given(boxes(60, 0.7)), 104);
  const questions = [];
  const begun = answers.length;
  for (let i = 0; i < 6; i++) {
    const end = Float64Array.of(0, 0, 9 * i, 0, 0, 0, 1);
    questions.push(ask("move", { body: 0, start: end, end }, 104));
    questions.push(ask("contacts", wish({}), 104));
  }
  const found = (await Promise.all(questions)).filter((_, i) => i % 2 === 1);
  const ids = answers.slice(begun).filter((one) => one.progress === undefined);
  assert.deepEqual(ids.map(({ id }) => id), ids.map(({ id }) => id).toSorted((p, q) => p - q));
  found.forEach(({ value: { answers, tracks } }, i) => {
    assert.equal(tracks[0][2], 9 * i);
    const touched = answers.filter(({ bodies, count }) => bodies[0] === 0 && count > 0);
    for (const { numbers } of touched) assert.ok(Math.abs(numbers[11] - 9 * i) < 2, "an old pose");
  });
}

/** A question ends between two pairs, and before it begins; later ones are answered. */
async function endsWhatIsNotWanted() {
  await value("open", given(boxes(90, 0.7)), 106);
  const long = ask("contacts", wish({ method: 2, pixels: 60 }), 106);
  const id = last;
  progressed = () => tell({ cancel: id });
  const next = ask("contacts", wish({}), 106);
  const nextId = last;
  const after = ask("looks", 1, 101);
  tell({ cancel: nextId });
  assert.ok((await long).isCancelled, "a long question went on");
  assert.ok((await next).isCancelled, "a question that was cancelled was asked");
  assert.equal((await after).value.length, 2);
  progressed = () => {};
  // A question that is answered already cannot be cancelled, and no other is.
  tell({ cancel: id });
  await value("contacts", wish({}), 101);
}

/** A long drag, and scenes that come and go, take no more memory than a short one. */
async function givesMemoryBack() {
  const torus = { torus: { major: 1, minor: 0.3, segments: [24, 12] } };
  const other = { shape: torus, start: { position: [1, 0.2, 0] } };
  const text = JSON.stringify({ body: [{ shape: torus }, other] });
  const round = async (moves) => {
    await value("open", given(text), 105);
    for (let i = 0; i < moves; i++) {
      const end = Float64Array.of(1 + 0.01 * (i % 20), 0.3, 0, 0, 0, 0, 1);
      await value("move", { body: 1, start: end, end }, 105);
      await value("contacts", { ...wish({}), hasScreens: i % 10 === 0 }, 105);
    }
    await value("close", undefined, 105);
  };
  for (let i = 0; i < 3; i++) await round(40);
  const before = memory.buffer.byteLength;
  for (let i = 0; i < 12; i++) await round(40);
  const grown = memory.buffer.byteLength - before;
  assert.equal(grown, 0, `${grown} bytes of the engine are not given back`);
}

const checks = [
  keepsScenesApart,
  tellsWrongNumbers,
  answersInOrder,
  endsWhatIsNotWanted,
  givesMemoryBack,
];
for (const check of checks) {
  await check();
  console.log(`${check.name}: ok`);
}
