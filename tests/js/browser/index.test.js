// Which parts of the browser's component take part in a run: those that it has data for.

import assert from "node:assert/strict";
import test from "node:test";

/** @type {string[]} */
const watched = [];
class Observer {
  /** @param {() => void} look */
  constructor(look) {
    this.look = look;
  }
  /** @param {{ name: string }} target */
  observe(target) {
    watched.push(target.name);
    this.look();
  }
  disconnect() {
    watched.push("end");
  }
}
Object.assign(globalThis, {
  document: { querySelector: (/** @type {string} */ selector) => ({ name: selector, clientWidth: 500 }) },
  window: globalThis,
  getComputedStyle: () => ({ backgroundColor: "white" }),
  requestAnimationFrame: () => 0,
  MutationObserver: Observer,
  ResizeObserver: Observer,
});
const { default: browser } = await import("../../../ui/components/browser/index.js");

/** @param {object} data */
function run(data) {
  /** @type {unknown[][]} */
  const told = [];
  const page = /** @type {any} */ ({ data, setStateValue: (/** @type {unknown[]} */ ...said) => told.push(said) });
  const end = browser(page);
  return { told, end };
}

test("a part without data does nothing, and what one began is ended", () => {
  const { told, end } = run({});
  end();
  assert.deepEqual([told, watched], [[], []]);
  const other = run({ theme: true });
  assert.deepEqual(watched.splice(0), ['[data-testid="stApp"]']);
  other.end();
  assert.deepEqual(watched.splice(0), ["end"]);
});

test("a width is told where it is not what Python takes it for", () => {
  assert.deepEqual(run({ width: { below: 640, narrow: false } }).told, [["narrow", true]]);
  assert.deepEqual(run({ width: { below: 640, narrow: true } }).told, []);
  assert.deepEqual(run({ width: { below: 400, narrow: true } }).told, [["narrow", false]]);
});
