// Moving through lists and grids by key.

import assert from "node:assert/strict";
import test from "node:test";

import { handleKeys, keyAlong, nextInGrid, nextInList } from "../../../ui/components/_shared/keys.ts";

test("keys move through a list by entries, by pages and to its ends", () => {
  const expected = { ArrowDown: 5, ArrowRight: 5, ArrowUp: 3, ArrowLeft: 3, PageDown: 9, PageUp: 0, Home: 0, End: 9 };
  for (const [key, at] of Object.entries(expected)) assert.equal(nextInList(key, 4, 10, 6), at, key);
  assert.deepEqual([nextInList("ArrowUp", 0, 10), nextInList("ArrowDown", 9, 10)], [0, 9]);
  for (const key of ["Enter", "toString", "PageDown"]) assert.equal(nextInList(key, 4, 10), null);
});

test("where a line runs from right to left, the arrows change places", () => {
  assert.deepEqual(
    ["ArrowLeft", "ArrowRight", "Home"].map((key) => keyAlong(key, "rtl")),
    ["ArrowRight", "ArrowLeft", "Home"],
  );
  assert.equal(keyAlong("ArrowLeft", "ltr"), "ArrowLeft");
});

test("keys move through a grid, and never out of it", () => {
  const shape = { rows: 4, columns: 3 };
  const from = { row: 1, column: 1 };
  const moves: Record<string, [number, number]> = {
    ArrowUp: [0, 1],
    ArrowDown: [2, 1],
    ArrowLeft: [1, 0],
    ArrowRight: [1, 2],
    Home: [1, 0],
    End: [1, 2],
    PageDown: [3, 1],
    PageUp: [0, 1],
  };
  for (const [key, [row, column]] of Object.entries(moves))
    assert.deepEqual(nextInGrid(key, from, shape, { page: 10 }), { row, column }, key);
  for (const key of ["Enter", "toString", "PageDown"]) assert.equal(nextInGrid(key, from, shape), null);
});

test("the first key in a grid only shows where one is", () => {
  const start = { row: 7, column: 0 };
  assert.deepEqual(nextInGrid("ArrowDown", null, { rows: 9, columns: 3 }, { start }), start);
  assert.deepEqual(nextInGrid("End", null, { rows: 3, columns: 3 }, { start }), { row: 2, column: 0 });
});

test("a handled key goes no further; one with Ctrl, Meta or Alt, and one that is not handled, is left to the page", () => {
  const target = new EventTarget();
  const handled: string[] = [];
  handleKeys(target as HTMLElement, (key) => (key === "Tab" ? false : void handled.push(key)));
  const press = (key: string, held = {}) => {
    const event = Object.assign(new Event("keydown", { cancelable: true }), { key, ...held });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  assert.deepEqual([press("Home"), press("Tab"), press("End", { ctrlKey: true })], [true, false, false]);
  assert.deepEqual([press("End", { metaKey: true }), press("End", { altKey: true })], [false, false]);
  assert.deepEqual(handled, ["Home"]);
});
