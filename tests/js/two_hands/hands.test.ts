// Hands of rotary positions.

import assert from "node:assert/strict";
import test from "node:test";

import {
  arcPoints,
  dotProduct,
  handAngle,
  labelPlaces,
  type Pair,
  rotate,
} from "../../../ui/components/two_hands/hands.ts";

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

test("a rotation is counter-clockwise and keeps the length", () => {
  const [x, y] = rotate([2, 0], Math.PI / 2);
  near(x, 0);
  near(y, 2);
  near(Math.hypot(...rotate([3, 4], 1.234)), 5);
});

test("the product of two rotated hands depends on the difference of their angles alone", () => {
  const [query, key]: [Pair, Pair] = [
    [0.3, -1.2],
    [2.1, 0.4],
  ];
  const product = (m: number, n: number) => dotProduct(rotate(query, 0.7 * m), rotate(key, 0.7 * n));
  near(product(8, 3), product(58, 53));
  assert.ok(Math.abs(product(8, 3) - product(9, 3)) > 0.1);
});

test("the arc leads from one hand to the other, upwards where the angle is positive", () => {
  const ends = arcPoints(0.2, 0.5).split(" ");
  const [first, last] = [ends[0], ends[ends.length - 1]].map(
    (point) => point.split(",").map(Number) as [number, number],
  );
  assert.ok(Math.abs(handAngle([first[0], -first[1]]) - 0.2) < 1e-3);
  assert.ok(Math.abs(handAngle([last[0], -last[1]]) - 0.7) < 1e-3);
});

test("an arc of many turns is a spiral inside the circle", () => {
  const radii = arcPoints(0, 300)
    .split(" ")
    .map((point) => Math.hypot(...point.split(",").map(Number)));
  assert.ok(radii[10] < radii[200] && Math.max(...radii) < 1);
});

test("names of two hands stand at their ends, and beside each other where these are close", () => {
  const [far, short] = labelPlaces([1, 0], [0, 0.4]);
  assert.ok(Math.hypot(far[0] - 1.12, far[1]) < 1e-9 && Math.hypot(short[0], short[1] - 0.52) < 1e-9);
  const [query, key] = labelPlaces([-1, -0.01], [-1, 0.01]);
  assert.ok(Math.abs(Math.hypot(query[0] - key[0], query[1] - key[1]) - 0.34) < 0.01);
  assert.ok(query[1] < -0.1 && key[1] > 0.1); // each on its own hand's side
  assert.ok(Math.abs(Math.hypot(...labelPlaces([0.05, 0], [0, 1])[0]) - 0.3) < 1e-9); // clear of the middle
});
