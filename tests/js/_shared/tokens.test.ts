// Going through tokens by key.

import assert from "node:assert/strict";
import test from "node:test";

import { keyAlong, nextInList } from "../../../ui/components/_shared/tokens.ts";

test("keys go through a list by entries, by pages and to its ends", () => {
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
