import assert from "node:assert/strict";
import { test } from "node:test";
import { apart, barWidth } from "../../../ui/components/_shared/save.js";

const measure = (/** @type {string} */ text) => 8 * text.length;

test("a bar of colours leaves room for the number after it, on a phone too", () => {
  assert.equal(barWidth(900), 200);
  assert.equal(barWidth(168), 142);
  assert.equal(barWidth(20), 40);
});

test("ticks whose texts would lie over each other are left out", () => {
  const ticks = [10, 100, 1000, 10000, 100000].map((value, index) => ({
    share: (index + 1) / 6,
    text: String(value),
  }));
  for (const wide of [40, 142, 200, 400]) {
    const kept = apart(ticks, wide, measure);
    assert.equal(kept[0], ticks[0]);
    for (const [index, { share }] of kept.entries()) {
      if (!index) continue;
      const { share: before, text } = kept[index - 1];
      assert.ok(wide * share >= wide * before + 5 + measure(text));
    }
  }
  assert.deepEqual(apart(ticks, 600, measure), ticks);
});
