// Which token a point of a chart stands for, and how its outline tells the chosen one from the hovered one.

import assert from "node:assert/strict";
import test from "node:test";

import { outlineWidth, tokenPosition } from "../../../ui/components/browser/chart_link.ts";

test("a point stands for the token that its customdata names, and only a whole number names one", () => {
  assert.equal(tokenPosition({ points: [{ customdata: 0 }, { customdata: 4 }] }), 0);
  for (const customdata of [undefined, null, "3", 1.5, Number.NaN])
    assert.equal(tokenPosition({ points: [{ customdata }] }), null);
  assert.equal(tokenPosition({}), null);
  assert.equal(tokenPosition({ points: [] }), null);
});

test("the chosen token's outline is the thickest, also under the pointer", () => {
  const pointer = { hovered: 2, chosen: 3 };
  assert.deepEqual(
    [1, 2, 3].map((position) => outlineWidth(position, pointer)),
    [0, 3, 5],
  );
  assert.equal(outlineWidth(3, { hovered: 3, chosen: 3 }), 5);
  assert.equal(outlineWidth(0, { hovered: null, chosen: null }), 0);
});
