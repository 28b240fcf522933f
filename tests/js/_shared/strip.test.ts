// Where rows of E lie on the strip, and which of them is pointed at.

import assert from "node:assert/strict";
import test from "node:test";

import { nearestRow, rowCentreY, spreadHeights } from "../../../ui/components/_shared/strip.ts";

test("a mark is at the middle of its row's share of the strip", () => {
  assert.equal(rowCentreY(0, 4, 380), 47.5);
  assert.equal(rowCentreY(3, 4, 380), 380 - 47.5);
  assert.equal(rowCentreY(499, 1000, 380), 0.4995 * 380);
});

test("the nearest mark within reach is found, none far from every mark", () => {
  const at = (id: number) => rowCentreY(id, 1000, 380);
  const nearest = (y: number) => nearestRow(y, [10, 500, 520], 1000, 380);
  assert.equal(nearest(at(500) + 3), 1);
  assert.equal(nearest(at(520) - 3), 2);
  assert.equal(nearest(at(10) + 11), 0);
  assert.equal(nearest(at(10) + 13), null);
});

test("rows of a small table are found all over their height", () => {
  assert.equal(nearestRow(3, [0], 4, 380), 0);
});

test("the spots of rows that lie close together stand apart, in order and within the strip", () => {
  assert.deepEqual(spreadHeights([26, 27, 200], 20, 400), [26, 46, 200]);
  assert.deepEqual(spreadHeights([0, 398, 399], 20, 400), [10, 370, 390]);
  assert.deepEqual(spreadHeights([5, 5, 5, 5], 20, 40), [5, 15, 25, 35]);
  assert.deepEqual(spreadHeights([], 20, 400), []);
});
