// Ticks of an axis.

import assert from "node:assert/strict";
import test from "node:test";

import { niceStep, tickText, tickValues } from "../../../ui/components/_shared/ticks.ts";

const texts = (low: number, high: number, step: number) =>
  tickValues(low, high, step).map((value) => tickText(value, step));

test("a step is 1, 2 or 5 times a power of ten, the smallest that leaves no more parts than wished", () => {
  const steps = [
    [1, 10, 0.1],
    [1, 9, 0.2],
    [384, 10, 50],
    [7, 2, 5],
    [0.003, 4, 0.001],
  ];
  for (const [span, most, step] of steps) assert.ok(Math.abs(niceStep(span, most) - step) < step * 1e-9, `${span}`);
  assert.equal(niceStep(3, 10, 1), 1, "indices are whole numbers");
});

test("ticks are the multiples of the step in the range, both ends included", () => {
  assert.deepEqual(texts(-0.3, 0.3, 0.1), ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3"]);
  assert.deepEqual(texts(0, 383, 100), ["0", "100", "200", "300"]);
  assert.deepEqual(texts(1.1, 1.9, 1), []);
});
