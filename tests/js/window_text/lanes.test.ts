// On which line each window of the batch is drawn, and which samples hold a token.

import assert from "node:assert/strict";
import test from "node:test";

import { samplesEndingWith, samplesWith, sliderStep, windowLanes } from "../../../ui/components/window_text/lanes.ts";

/** @param seed whole numbers that look drawn by chance, the same each time */
function drawing(seed: number) {
  return (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
}

test("no two windows on one line overlap, and a line is left out only where all are taken", () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const below = drawing(seed);
    const [length, most] = [1 + below(8), 1 + below(4)];
    const starts = Array.from({ length: 1 + below(10) }, () => below(30));
    const { count, lanes, deepest } = windowLanes({ starts, max_length: length, max_lanes: most });
    const overlap = (a: number, b: number) => Math.abs(starts[a] - starts[b]) < length;
    let most_at_once = 0;
    for (let place = 0; place < 40; place += 1)
      most_at_once = Math.max(most_at_once, starts.filter((start) => start <= place && place < start + length).length);
    assert.equal(deepest, most_at_once);
    assert.equal(count, Math.min(most, most_at_once));
    assert.equal(Math.max(...lanes) + 1, count);
    lanes.forEach((lane, a) => {
      lanes.forEach((other, b) => a !== b && lane >= 0 && lane === other && assert.ok(!overlap(a, b), `${starts}`));
      if (lane >= 0) return;
      const beside = new Set(lanes.filter((other, b) => b !== a && other >= 0 && overlap(a, b)));
      assert.equal(beside.size, most, `${starts}`);
    });
  }
});

test("windows that only touch share a line, and equal starts keep the batch's order", () => {
  assert.deepEqual(windowLanes({ starts: [0, 4, 8], max_length: 4, max_lanes: 3 }).lanes, [0, 0, 0]);
  assert.deepEqual(windowLanes({ starts: [5, 0, 5], max_length: 2, max_lanes: 3 }).lanes, [0, 0, 1]);
});

test("a token is an input of the windows that reach it, and the last target of those that end before it", () => {
  const data = { starts: [0, 2, 4], max_length: 4 };
  assert.deepEqual(samplesWith(data, 3), [
    { sample: 0, position: 3 },
    { sample: 1, position: 1 },
  ]);
  assert.deepEqual(samplesWith(data, 4), [
    { sample: 1, position: 2 },
    { sample: 2, position: 0 },
  ]);
  assert.deepEqual(samplesWith(data, 8), []);
  assert.deepEqual(samplesEndingWith(data, 4), [{ sample: 0 }]);
  assert.deepEqual(samplesEndingWith(data, 5), []);
});

test("arrows move the visible part of the text by a quarter, page keys by all of it, and by a token at least", () => {
  const step = (key: string) => sliderStep(key, 30);
  assert.deepEqual(["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp"].map(step), [-8, -8, 8, 8]);
  assert.deepEqual(["PageUp", "PageDown", "Home", "toString"].map(step), [-30, 30, null, null]);
  assert.equal(sliderStep("ArrowRight", 1), 1);
});
