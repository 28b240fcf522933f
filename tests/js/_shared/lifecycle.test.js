// When the page learns that a component is drawn, and gives up the height that it has kept.

import assert from "node:assert/strict";
import test from "node:test";
import { lasting, sayDrawn } from "../../../ui/components/_shared/lifecycle.js";

class ShadowRoot {
  attributes = /** @type {Set<string>} */ (new Set());
  host = { setAttribute: (/** @type {string} */ name) => this.attributes.add(name) };
}
Object.assign(globalThis, { ShadowRoot });

/** @param {unknown} answer of what receives the data */
function received(answer) {
  const place = new ShadowRoot();
  const run = lasting(() => ({ receive: () => answer, unmount() {} }));
  run(/** @type {any} */ ({ data: {}, parentElement: place }));
  return place;
}

test("a component is drawn as soon as it has its data", () => {
  assert.deepEqual([...received(undefined).attributes], ["data-drawn"]);
  assert.deepEqual([...received(true).attributes], ["data-drawn"]);
});

test("one whose data are on their way says itself when they are there", () => {
  const place = received(false);
  assert.deepEqual([...place.attributes], []);
  sayDrawn(/** @type {any} */ (place));
  assert.deepEqual([...place.attributes], ["data-drawn"]);
});
