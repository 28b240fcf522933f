// Matrices side by side: which cell is where, what it is called and reads, and what the scale says of its ends.

import assert from "node:assert/strict";
import test from "node:test";

import { cellNames } from "../../../ui/components/matrix_grid/index.tsx";
import {
  cellAt,
  cellBox,
  type Matrix,
  type Spec,
  scaleNumbers,
  valueText,
} from "../../../ui/components/matrix_grid/panel.tsx";

const labels = {
  cell: "{rows} {row}, {columns} {column}",
  masked: "masked",
  outside: "no such cell",
  at_least: "≥ {limit}",
  at_most: "≤ {limit}",
};

test("a pointer is in the cell that stands under it, and at the rim in the nearest", () => {
  const frame = { left: 40, top: 30, width: 300, height: 200 }; // 4 rows of 50 pixels, 3 columns of 100
  const picture = { getBoundingClientRect: () => frame as DOMRect };
  for (let row = 0; row < 4; row += 1)
    for (let column = 0; column < 3; column += 1) {
      const { left, top, right, bottom } = cellBox(frame, [4, 3], { row, column });
      assert.deepEqual([right - left, bottom - top], [100, 50]);
      for (const [clientX, clientY] of [
        [left + 0.5, top + 0.5],
        [right - 0.5, bottom - 0.5],
      ])
        assert.deepEqual(cellAt([4, 3], { clientX, clientY }, picture), { row, column });
    }
  assert.deepEqual(cellAt([4, 3], { clientX: 38, clientY: 230 }, picture), { row: 3, column: 0 });
  assert.deepEqual(cellAt([4, 3], { clientX: 340, clientY: 29 }, picture), { row: 0, column: 2 });
});

test("a cell reads its own number, that it is masked, or that there is none", () => {
  const matrix: Matrix = { shape: [2, 3], values: Float32Array.of(0, 1, 2, 3, 4.25, Number.NaN) };
  assert.equal(valueText(matrix, { row: 1, column: 1 }, labels), "4.2500");
  assert.equal(valueText(matrix, { row: 0, column: 2 }, labels), "2.0000");
  assert.equal(valueText(matrix, { row: 1, column: 2 }, labels), "masked");
  assert.equal(valueText(matrix, { row: 2, column: 0 }, labels), "no such cell");
  assert.equal(valueText(matrix, { row: 0, column: 3 }, labels), "no such cell");
});

test("a cell is called by what its rows and columns are in each picture that has it", () => {
  const spec = (shape: [number, number] | null, columns: string, positions = false) =>
    ({ shape, rows: "query", columns, positions }) as unknown as Spec;
  const panels = [spec([4, 8], "dimension"), spec([4, 4], "key", true), spec(null, "none"), spec([4, 8], "dimension")];
  const header = { panels, tokens: ["a", "b"], labels };
  assert.deepEqual(cellNames(header, { row: 1, column: 0, panel: 1 }), [
    "query 1 “b”, key 0 “a”",
    "query 1 “b”, dimension 0",
  ]);
  assert.deepEqual(cellNames(header, { row: 2, column: 5, panel: 0 }), ["query 2, dimension 5"]);
});

test("the ends of the scale have as many digits as tell them apart, and say where values lie beyond", () => {
  const numbers = (limit: number, sign = 0, below = false, above = false) =>
    scaleNumbers({ limit, sign, beyond: [below, above] }, labels);
  assert.deepEqual(numbers(3), ["−3", "0", "3"]);
  assert.deepEqual(numbers(2.5, 0, true), ["≤ −2.50", "0", "2.50"]);
  assert.deepEqual(numbers(0.125, 1, false, true), ["0", "≥ 0.125"]);
  assert.deepEqual(numbers(15.8, -1, true), ["≤ −15.8", "0"]);
  assert.deepEqual(numbers(0.00321), ["−0.0032", "0", "0.0032"]);
  assert.deepEqual(numbers(1234.5), ["−1234.5", "0", "1234.5"]);
});
