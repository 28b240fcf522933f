// The arrows from targets to inputs: where they start, run and end.

import assert from "node:assert/strict";
import test from "node:test";

import { arrowOver, arrowUp } from "../../../ui/components/window_pairs/shift.ts";

const box = (left: number, top: number) => ({ left, top, width: 80, height: 50 });
const numbersOf = (path: string) => (path.match(/-?[\d.]+/g) ?? []).map(Number);

test("beside each other, an arrow leaves the target's top, runs in the gap above, and ends on the input's top", () => {
  const path = arrowOver(box(500, 100), box(140, 100));
  const [x, y] = numbersOf(path);
  assert.deepEqual([x, y], [540, 101]);
  const lane = 100 - 14 / 2 - 1;
  assert.ok(path.includes(`V${lane + 5}Q540 ${lane} 535 ${lane}H185Q180 ${lane} 180 ${lane + 5}V101`));
  assert.ok(path.endsWith("M175 95L180 101L185 95"));
});

test("below each other, it leaves the target's top, runs half way between, and ends under the input", () => {
  const path = arrowUp(box(100, 164), box(180, 100));
  assert.equal(path, "M140 165V157.5H220V150M215 156L220 150L225 156");
});
