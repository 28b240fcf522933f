// Where the stretch in sight may begin, where keys and the pointer take it, and the frame around it.

import assert from "node:assert/strict";
import test from "node:test";

import { frameOf, gripOf, placeAfterKey, withinText } from "../../../ui/components/window_text/strip.ts";

test("a stretch begins at a token, and ends within the text", () => {
  const data = { n_ids: 100, tokens: Array(30).fill("a") };
  assert.deepEqual(
    [-5, 0, 12.4, 12.6, 70, 71, 1e9].map((first) => withinText(data, first)),
    [0, 0, 12, 13, 70, 70, 70],
  );
});

test("arrows go on by a quarter of the stretch, page keys by all of it, Home and End to the ends", () => {
  const after = (key: string) => placeAfterKey(key, 40, 30, 100);
  assert.deepEqual(["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"].map(after), [32, 32, 48, 48]);
  assert.deepEqual(["PageUp", "PageDown", "Home", "End"].map(after), [10, 70, 0, 100]);
  assert.deepEqual(["a", "Enter", "toString"].map(after), [undefined, undefined, undefined]);
  assert.equal(placeAfterKey("ArrowRight", 3, 1, 100), 4);
});

test("the frame is held where it is touched, also a little beside it, and elsewhere by its middle", () => {
  assert.equal(gripOf(45, 40, 30, 2), 5);
  assert.equal(gripOf(38.5, 40, 30, 2), -1.5);
  assert.equal(gripOf(72, 40, 30, 2), 32);
  assert.equal(gripOf(72.1, 40, 30, 2), 15);
  assert.equal(gripOf(5, 40, 30, 2), 15);
});

test("the frame lies over its stretch, is never thinner than can be held, and stays on the strip", () => {
  assert.deepEqual(frameOf(250, 500, 1000, 400), { left: 100, width: 200 });
  assert.deepEqual(frameOf(0, 500, 1000, 400), { left: 1.5, width: 200 });
  assert.deepEqual(frameOf(500, 1, 1000, 400), { left: 200, width: 14 });
  assert.deepEqual(frameOf(999, 1, 1000, 400), { left: 384.5, width: 14 });
  assert.deepEqual(frameOf(0, 9, 9, 400), { left: 1.5, width: 397 });
});
