// Where a tooltip stands.

import assert from "node:assert/strict";
import test from "node:test";

import { tooltipPosition } from "../../../ui/components/_shared/tooltip.ts";

const WINDOW = { width: 400, height: 300 };
const box = (left: number, top: number, width = 0, height = 0) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

test("a tooltip stands over the middle of what it is of, and under it where there is no room above", () => {
  const size = { width: 100, height: 40 };
  assert.deepEqual(tooltipPosition(box(200, 150), size, WINDOW), [150, 98]);
  assert.deepEqual(tooltipPosition(box(180, 10, 40, 20), size, WINDOW), [150, 42]);
  assert.deepEqual(tooltipPosition(box(200, 150), size, WINDOW, true), [150, 162]);
  assert.deepEqual(tooltipPosition(box(200, 260), size, WINDOW, true), [150, 208]);
});

test("a tooltip stays in the window, and one that is larger begins in it", () => {
  for (const x of [0, 3, 200, 397, 400])
    for (const y of [0, 20, 150, 300])
      for (const size of [
        { width: 90, height: 30 },
        { width: 388, height: 200 },
      ]) {
        const [left, top] = tooltipPosition(box(x, y), size, WINDOW);
        assert.ok(left >= 0 && left + size.width <= WINDOW.width, `left ${left} at ${x}`);
        assert.ok(top >= 0 && top + size.height <= WINDOW.height, `top ${top} at ${y}`);
      }
  assert.deepEqual(tooltipPosition(box(200, 150), { width: 900, height: 900 }, WINDOW), [6, 6]);
});
