// Which runs of the page a component is handed, and when the page learns that it is drawn and gives up the height it has
// kept.

import assert from "node:assert/strict";
import test from "node:test";
import { lasting, sayDrawn } from "../../../ui/components/_shared/lifecycle.js";

class ShadowRoot {
  attributes = /** @type {Set<string>} */ (new Set());
  host = { setAttribute: (/** @type {string} */ name) => this.attributes.add(name) };
}
Object.assign(globalThis, { ShadowRoot, window: globalThis });

const handedOn = () => new Promise((resolve) => setTimeout(resolve));

/** @param {unknown} [answer] of what receives the data */
function component(answer) {
  /** @type {string[]} */
  const log = [];
  const place = new ShadowRoot();
  const run = lasting(() => {
    log.push("mount");
    const receive = (/** @type {string} */ data) => {
      log.push(data);
      return answer;
    };
    return { receive, unmount: () => void log.push("unmount") };
  });
  return { log, place, run: (/** @type {unknown} */ data) => run(/** @type {any} */ ({ data, parentElement: place })) };
}

test("what is mounted is handed the data of each run, and taken down with the last", async () => {
  const { log, run } = component();
  const first = run("first");
  await handedOn();
  const second = run("second");
  await handedOn();
  first();
  assert.deepEqual(log, ["mount", "first", "second"]);
  second();
  assert.deepEqual(log.splice(0), ["mount", "first", "second", "unmount"]);
  run("third");
  await handedOn();
  assert.deepEqual(log, ["mount", "third"]);
});

test("a run that another has overtaken is not drawn, whichever is called first", async () => {
  for (const order of [
    ["old", "new"],
    ["new", "old"],
  ]) {
    const { log, run } = component();
    const ends = new Map(order.map((data) => [data, run(data)]));
    ends.get("old")?.();
    await handedOn();
    assert.deepEqual(log, ["mount", "new"]);
  }
  const { log, run } = component();
  run("new");
  await handedOn();
  run("old")(); // when the new one is long drawn
  await handedOn();
  assert.deepEqual(log, ["mount", "new"]);
});

test("a component that is taken down before its data was handed on is never mounted", async () => {
  const { log, run } = component();
  run("data")();
  await handedOn();
  assert.deepEqual(log, []);
});

/** @param {unknown} answer */
async function received(answer) {
  const { place, run } = component(answer);
  run("data");
  await handedOn();
  return place;
}

test("a component is drawn as soon as it has its data", async () => {
  assert.deepEqual([...(await received(undefined)).attributes], ["data-drawn"]);
  assert.deepEqual([...(await received(true)).attributes], ["data-drawn"]);
});

test("one whose data are on their way says itself when they are there", async () => {
  const place = await received(false);
  assert.deepEqual([...place.attributes], []);
  sayDrawn(/** @type {any} */ (place));
  assert.deepEqual([...place.attributes], ["data-drawn"]);
});
