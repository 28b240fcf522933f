// Where the part that a lesson lights is to be seen: not under the lesson's panel.

import assert from "node:assert/strict";
import test from "node:test";

import { placeOf, roomAbove, sight } from "../../../ui/components/browser/light.ts";

test("a part is to be seen below a panel at the window's head, and above one at its foot", () => {
  assert.deepEqual(sight({ top: 64, bottom: 277 }, 720), { head: 277, foot: 720 });
  assert.deepEqual(sight({ top: 500, bottom: 844 }, 844), { head: 0, foot: 500 });
  assert.deepEqual(sight(undefined, 720), { head: 0, foot: 720 });
});

test("a part that can wait is found where it waits and where it is drawn", () => {
  assert.equal(placeOf("near-layer-cost"), '.st-key-near-layer-cost, [data-near="layer-cost"]');
  assert.equal(placeOf("waves"), ".st-key-waves");
});

test("the heading right above a part is seen with it, and no other", () => {
  assert.equal(roomAbove([40, 300, 352], 400), 48);
  assert.equal(roomAbove([40, 420], 400), roomAbove([], 400));
});
