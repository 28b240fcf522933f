// The numbers of the block: which a side shows, what is said of them, where keys lead.

import assert from "node:assert/strict";
import test from "node:test";

import { limitText } from "../../../ui/components/tensor_block/index.ts";
import {
  cellText,
  clampCut,
  faceValues,
  findToken,
  type Index,
  moveCell,
  rangeText,
  tokenPosition,
} from "../../../ui/components/tensor_block/model.ts";

const shown: Index = [2, 3, 4];
const uncut: Index = [0, 0, 0];
const model = {
  values: Float32Array.from({ length: 24 }, (_, at) => at),
  shape: [2, 3, 9] as Index,
  shown,
  starts: [10, 12],
  tokens: [
    ["a", "b", "c"],
    ["c", "d", "e"],
  ],
  labels: {
    readout: "{sample} {position} {dimension} {label} {value}",
    whole_axis: "all {count}",
    cut_axis: "{first}–{last} of {count}",
  },
};

test("numbers are read sample by sample, position by position", () => {
  let at = 0;
  for (let b = 0; b < 2; b += 1)
    for (let i = 0; i < 3; i += 1)
      for (let d = 0; d < 4; d += 1, at += 1)
        assert.equal(cellText(model, [b, i, d]), `${b} ${i} ${d} ${model.tokens[b][i]} ${at}.0000`);
  assert.equal(tokenPosition(model, [1, 2, 0]), 14);
});

test("a side has the numbers of its layer, its rows and columns as it shows them, from the cuts on", () => {
  const values = (axis: number, rows: number, columns: number, layer: number, size: [number, number]) => [
    ...faceValues(model, { axis, rows, columns, layer, size }),
  ];
  assert.deepEqual(values(0, 1, 2, 1, [3, 4]), [12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]);
  assert.deepEqual(values(1, 0, 2, 2, [2, 4]), [8, 9, 10, 11, 20, 21, 22, 23]);
  assert.deepEqual(values(2, 1, 0, 3, [3, 2]), [3, 15, 7, 19, 11, 23]);
  assert.deepEqual(values(0, 1, 2, 1, [2, 3]), [17, 18, 19, 21, 22, 23]);
  assert.deepEqual(values(2, 1, 0, 3, [3, 1]), [15, 19, 23]);
});

test("a token that two windows share is found in both", () => {
  assert.deepEqual(findToken(model, 12), [
    [0, 2],
    [1, 0],
  ]);
  assert.deepEqual(findToken(model, 14), [[1, 2]]);
  assert.deepEqual(findToken(model, 15), []);
  assert.deepEqual(findToken(model, null), []);
});

test("what is left of an axis is said, and that all of it is", () => {
  assert.equal(rangeText(model, 0, 0), "all 2");
  assert.equal(rangeText(model, 0, 1), "1–1 of 2");
  assert.equal(rangeText(model, 2, 0), "0–3 of 9");
});

test("keys move over the front, which is cut where they go there", () => {
  const cut: Index = [0, 1, 2];
  assert.deepEqual(moveCell(null, cut, [0, 0, 1], shown), { cell: [0, 1, 2], cut: [0, 1, 2] });
  assert.deepEqual(moveCell([0, 1, 2], cut, [0, 0, 1], shown), { cell: [0, 1, 3], cut: [0, 1, 2] });
  assert.deepEqual(moveCell([0, 1, 2], cut, [0, -1, 0], shown), { cell: [0, 0, 2], cut: [0, 0, 2] });
  assert.deepEqual(moveCell([0, 1, 2], cut, [1, 0, 0], shown), { cell: [1, 1, 2], cut: [1, 1, 2] });
  assert.deepEqual(moveCell([1, 2, 3], cut, [1, 1, 1], shown), { cell: [1, 2, 3], cut: [1, 1, 2] });
  assert.deepEqual(moveCell([0, 0, 0], uncut, [-1, -1, -1], shown), { cell: [0, 0, 0], cut: [0, 0, 0] });
});

test("a cut leaves at least one along each axis", () => {
  assert.deepEqual(clampCut([5, 1, 4], shown), [1, 1, 3]);
});

test("the end of the scale is written as short as it can be", () => {
  const expected = { 2: "2", 0.125: "0.125", 0.00012345: "0.000123", 1234.5: "1.23e+3", 3.14159: "3.1416" };
  for (const [limit, text] of Object.entries(expected)) assert.equal(limitText(Number(limit)), text);
});
