// Whether a section fills the height that was kept for it.

import assert from "node:assert/strict";
import test from "node:test";
import { fillsHeight } from "../../../ui/components/browser/near.ts";

test("a block is full when anything in it reaches down to the height that was kept for it, to a pixel", () => {
  assert.ok(fillsHeight(500, 100, [300, 600, 580]));
  assert.ok(fillsHeight(500, 100, [599]));
  assert.ok(!fillsHeight(500, 100, [300, 598]));
  assert.ok(!fillsHeight(500, 100, []));
});
