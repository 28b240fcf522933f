// Points in their frame, gliding to new places, drawn in order, found under the pointer, marked.

import assert from "node:assert/strict";
import test from "node:test";

import { nextInRow } from "../../../ui/components/point_cloud/actions.ts";
import { blend, boxAround, boxOf, frameOf, startingSpots, toFrame } from "../../../ui/components/point_cloud/model.ts";
import {
  bitsOf,
  bitsText,
  boxCorners,
  DIM,
  drawOrder,
  FRONT,
  nearestOnScreen,
  PLAIN,
  pick,
  pointsInside,
} from "../../../ui/components/point_cloud/picking.ts";
import { statesOf, styleOf } from "../../../ui/components/point_cloud/scene.ts";
import { near, scattered } from "./near.ts";

test("the frame takes the longest side to -1 and 1, and all axes by the same scale", () => {
  const values = Float32Array.of(1, 10, -4, 7, 12, -2, 3, 20, -3);
  const box = boxOf(values, 3);
  assert.deepEqual(box, { low: [1, 10, -4], high: [7, 20, -2] });
  const frame = frameOf(box);
  near(frame.scale, 1 / 5);
  near(frame.centre, [4, 15, -3]);
  near(frame.low, [-0.6, -1, -0.2]);
  near(frame.high, [0.6, 1, 0.2]);
  near(toFrame(frame, [7, 12, -3]), [0.6, -0.6, 0]);
  assert.deepEqual(boxOf(Float32Array.of(1, 10, 7, 12), 2), { low: [1, 10, 0], high: [7, 12, 0] });
  assert.deepEqual(boxOf(new Float32Array(0), 3), { low: [0, 0, 0], high: [0, 0, 0] });
});

test("points in one place have room around them, in proportion to where they are", () => {
  const far = frameOf({ low: [500, 0, 0], high: [500, 0, 0] });
  near([far.scale, ...far.low, ...far.high], [1 / 50, -1, -1, -1, 1, 1, 1]);
  near(frameOf({ low: [0, 0, 0], high: [0, 0, 0] }).scale, 1);
  near(frameOf({ low: [-3e38, 0, 0], high: [3e38, 0, 0] }).centre, [0, 0, 0]); // their sum is beyond float32
});

test("the view holds further spots beside the points", () => {
  const frame = { low: [-1, -0.5, 0], high: [1, 0.5, 0] };
  const box = boxAround(frame, [
    [0, 2, -3],
    [-4, 0, 0],
  ]);
  assert.deepEqual(box, { low: [-4, -0.5, -3], high: [1, 2, 0] });
  assert.deepEqual(frame, { low: [-1, -0.5, 0], high: [1, 0.5, 0] });
});

const model = (namesName: string, ids: number[], labels: string[]) => ({
  fingerprint: `${namesName}.x`,
  namesName,
  count: ids.length,
  ids,
  labels,
  spots: Float32Array.from({ length: 3 * ids.length }, (_, at) => at),
  frame: frameOf({ low: [0, 0, 0], high: [1, 1, 1] }),
});

test("points glide from where the same id and label was, and new ones stand still", () => {
  const before = model("a", [5, 6, 7], ["x", "y", "z"]);
  const now = Float32Array.of(10, 11, 12, 20, 21, 22, 30, 31, 32);
  const after = model("b", [7, 5, 9], ["z", "x", "new"]);
  assert.deepEqual([...(startingSpots(before, now, after) ?? [])], [30, 31, 32, 10, 11, 12, 6, 7, 8]);
  const renamed = model("b", [5, 6, 7], ["x", "other", "others"]);
  assert.equal(startingSpots(before, now, renamed), null); // only one of three is the same
  assert.deepEqual([...(startingSpots(before, now, model("a", [5, 6, 7], ["x", "y", "z"])) ?? [])], [...now]);
  near(blend(Float32Array.of(0, 4), Float32Array.of(1, 0), 0.25), [0.25, 3]);
});

test("points are drawn dim ones first, then plain ones, then those that stand out, the nearer ones later", () => {
  const count = 400;
  const depths = scattered(count);
  const states = Uint8Array.from({ length: count }, (_, at) => [PLAIN, DIM, FRONT][(at * 7) % 3]);
  const layer = [1, 0, 2];
  for (const given of [depths, null]) {
    const order = [...drawOrder(count, states, given)];
    assert.deepEqual(
      [...order].sort((a, b) => a - b),
      [...states.keys()],
    );
    for (let at = 1; at < count; at += 1) {
      const [a, b] = [order[at - 1], order[at]];
      assert.ok(layer[states[a]] <= layer[states[b]]);
      if (given && states[a] === states[b]) assert.ok(depths[a] <= depths[b] + 2 / 0x3fff);
    }
  }
  const mixed = [...drawOrder(count, new Uint8Array(count), null)];
  assert.notDeepEqual(
    mixed,
    [...mixed].sort((a, b) => a - b),
  );
  assert.deepEqual([...drawOrder(3, new Uint8Array(3), Float32Array.of(2, 2, 2))], [0, 1, 2]);
});

test("the pointer means the nearest point within reach, and a favoured one from farther away", () => {
  const count = 300;
  const screen = scattered(2 * count, 7).map((value, at) => (at % 2 ? 224 + 250 * value : 537 + 500 * value));
  const favour = (at: number) => (at % 5 ? 0 : 5);
  for (let place = 0; place < 500; place += 1) {
    const [x, y] = [84 + ((place * 37) % 906), 10 + ((place * 101) % 428)];
    for (const by of [() => 0, favour]) {
      const distances = Array.from(
        { length: count },
        (_, at) => Math.hypot(screen[2 * at] - x, screen[2 * at + 1] - y) - by(at),
      );
      const least = Math.min(...distances);
      assert.equal(pick(screen, x, y, 14, by), least < 14 ? distances.indexOf(least) : null, `${x}, ${y}`);
    }
  }
  assert.deepEqual(nearestOnScreen(Float32Array.of(9, 0, 3, 4, 0, 1, 0, -1), 4, 0, 0, 3), [2, 3, 1]);
});

test("a polygon holds the points whose way out crosses it an odd number of times", () => {
  const screen = Float32Array.of(5, 5, 15, 5, 5, 15, 9.9, 9.9, -1, 5, 11, 1);
  assert.deepEqual([...pointsInside(boxCorners([10, 0], [0, 10]), screen, 6)], [1, 0, 0, 1, 0, 0]);
  const arrow = [
    [0, 0],
    [20, 0],
    [20, 20],
    [10, 4],
    [0, 20],
  ];
  assert.deepEqual([...pointsInside(arrow, Float32Array.of(10, 2, 10, 8, 2, 12, 18, 12), 4)], [1, 0, 1, 1]);
});

test("a mark is one bit for each point, and is read as it was written", () => {
  const bytes = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 1, 0, 1);
  assert.equal(bitsText(bytes), Buffer.from([0b10000001, 0b10]).toString("base64"));
  assert.deepEqual([...bitsOf(Uint8Array.of(0b10000001, 0b10), 10)], [...bytes]);
  const many = scattered(70_001).map((value) => Number(value > 0));
  assert.deepEqual([...bitsOf(Buffer.from(bitsText(Uint8Array.from(many)), "base64"), 70_001)], [...many]);
});

test("what is sought stands out and all else recedes; where nothing is, all are plain", () => {
  assert.deepEqual(statesOf(4, null, null), { states: Uint8Array.of(0, 0, 0, 0), front: 0 });
  assert.deepEqual(statesOf(4, Uint8Array.of(0, 1, 1, 0), null), { states: Uint8Array.of(1, 2, 2, 1), front: 2 });
  assert.deepEqual(statesOf(4, null, 0), { states: Uint8Array.of(1, 1, 1, 1), front: 0 });
});

test("more points are smaller and more transparent, and nearer ones larger", () => {
  const given = { count: 50_257, area: 906 * 428, zoom: 1, front: 0, isGradient: false };
  const many = styleOf(given);
  near(many.diameters[0], 2.7);
  near(many.alphas[0], 1.22 - 0.14 * Math.log10(50_257));
  near(many.alphas[1], 0.28 * many.alphas[0]);
  near(styleOf({ ...given, isGradient: true }).alphas[1], 0.42 * many.alphas[0]);
  near(styleOf({ ...given, zoom: 8 }).diameters[0], 2.7 * 8 ** 0.35);
  near(styleOf({ ...given, zoom: 1000 }).diameters[0], 16);
  near(styleOf({ ...given, count: 10_000 }).diameters[0], 0.95 * Math.sqrt((906 * 428) / 10_000));
  assert.deepEqual([styleOf({ ...given, front: 1499 }).rim, styleOf({ ...given, front: 1500 }).rim], [1.5, 0]);
});

test("N and P go around a row, and enter it at either end", () => {
  const row = [8, 3, 5];
  assert.deepEqual([nextInRow(row, null, 1), nextInRow(row, null, -1), nextInRow(row, 99, -1)], [8, 5, 5]);
  assert.deepEqual([nextInRow(row, 8, 1), nextInRow(row, 5, 1), nextInRow(row, 8, -1)], [3, 8, 5]);
});
