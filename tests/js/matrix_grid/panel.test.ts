// Matrices side by side: which cell is where, what it is called and reads, and what the scale says of its ends.

import assert from "node:assert/strict";
import test from "node:test";

import { cellNames, nextCell, valueText } from "../../../ui/components/matrix_grid/index.ts";
import { cellAt, type Matrix, outlineBox, type Spec, scaleEnds } from "../../../ui/components/matrix_grid/panel.ts";

const labels = {
  cell: "{rows} {row}, {columns} {column}",
  masked: "masked",
  outside: "no such cell",
  at_least: "≥ {limit}",
  at_most: "≤ {limit}",
};

test("a point lies in the cell whose share of the picture it is in", () => {
  const size = { width: 300, height: 200 }; // 4 rows of 50 pixels, 3 columns of 100
  for (let row = 0; row < 4; row += 1)
    for (let column = 0; column < 3; column += 1)
      for (const inset of [0.5, 49.5])
        assert.deepEqual(cellAt([4, 3], { x: column * 100 + inset, y: row * 50 + inset, ...size }), { row, column });
  assert.deepEqual(cellAt([4, 3], { x: -2, y: 200, ...size }), { row: 3, column: 0 });
  assert.deepEqual(cellAt([4, 3], { x: 300, y: -1, ...size }), { row: 0, column: 2 });
});

test("a cell is outlined where it is, and as large as it is, if that can be seen", () => {
  assert.deepEqual(outlineBox([4, 2], 3, 1, 200), { x: 100, y: 150, width: 100, height: 50 });
  assert.deepEqual(outlineBox([4, 2], 1, null, 200), { x: 1.5, y: 50, width: 197, height: 50 });
  assert.deepEqual(outlineBox([100, 100], 0, 99, 200), { x: 196.5, y: -1.5, width: 5, height: 5 });
  assert.deepEqual(outlineBox([100, 1], 10, null, 200), { x: 1.5, y: 20, width: 197, height: 2 });
});

test("what a matrix does not have is not outlined", () => {
  assert.equal(outlineBox([4, 2], 4, null, 200), null);
  assert.equal(outlineBox([4, 2], 0, 2, 200), null);
});

test("arrow keys go from cell to cell and stop at the rim; the first only shows where the pointer is", () => {
  assert.deepEqual(nextCell("ArrowDown", null, [3, 2], 1), { row: 1, column: 0 });
  const from = { row: 1, column: 1 };
  assert.deepEqual(nextCell("ArrowUp", from, [3, 2], 0), { row: 0, column: 1 });
  assert.deepEqual(nextCell("ArrowDown", from, [3, 2], 0), { row: 2, column: 1 });
  assert.deepEqual(nextCell("ArrowLeft", from, [3, 2], 0), { row: 1, column: 0 });
  assert.deepEqual(nextCell("ArrowRight", from, [3, 2], 0), { row: 1, column: 1 });
  assert.deepEqual(nextCell("ArrowUp", { row: 0, column: 0 }, [3, 2], 0), { row: 0, column: 0 });
  assert.equal(nextCell("Enter", from, [3, 2], 0), null);
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
  const ends = (limit: number, unsigned = false, below = false, above = false) =>
    scaleEnds({ limit, unsigned, beyond: [below, above] }, labels);
  assert.deepEqual(ends(3), { low: "−3", high: "3" });
  assert.deepEqual(ends(2.5, false, true), { low: "≤ −2.50", high: "2.50" });
  assert.deepEqual(ends(0.125, true, true, true), { low: "0", high: "≥ 0.125" });
  assert.deepEqual(ends(0.00321), { low: "−0.0032", high: "0.0032" });
  assert.deepEqual(ends(1234.5), { low: "−1234.5", high: "1234.5" });
});
