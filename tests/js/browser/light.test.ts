// Where the part that a lesson lights is to be seen: not under the lesson's panel.

import assert from "node:assert/strict";
import test from "node:test";

import { sectionSelector } from "../../../ui/components/_shared/page.ts";
import { marginAbove, scrollTarget, visibleRange } from "../../../ui/components/browser/light.ts";

test("a part is to be seen below a panel at the window's head, and above one at its foot", () => {
  assert.deepEqual(visibleRange({ top: 64, bottom: 277 }, 720), { head: 277, foot: 720 });
  assert.deepEqual(visibleRange({ top: 500, bottom: 844 }, 844), { head: 0, foot: 500 });
  assert.deepEqual(visibleRange(undefined, 720), { head: 0, foot: 720 });
});

test("a part that can wait is found where it waits and where it is drawn", () => {
  assert.equal(sectionSelector("near-layer-cost"), '.st-key-near-layer-cost, [data-near="layer-cost"]');
  assert.equal(sectionSelector("waves"), ".st-key-waves");
});

test("the heading right above a part is seen with it, and no other", () => {
  assert.equal(marginAbove([40, 300, 352], 400), 48);
  assert.equal(marginAbove([40, 420], 400), marginAbove([], 400));
});

test("a page stays at its top if the part is in sight there, else the part begins below the panel", () => {
  const range = { head: 260, foot: 900 };
  assert.equal(scrollTarget({ top: 500, bottom: 880, room: 13, beside: 0 }, range), 0);
  assert.equal(scrollTarget({ top: 500, bottom: 950, room: 40, beside: 0 }, range), 200);
});

test("what stands beside a part and begins above it is covered only as far as the part's end needs it", () => {
  const range = { head: 260, foot: 900 };
  const target = (bottom: number) => scrollTarget({ top: 500, bottom, room: 40, beside: 30 }, range);
  assert.deepEqual([1000, 1110, 1120, 2000].map(target), [200, 210, 220, 230]);
});
