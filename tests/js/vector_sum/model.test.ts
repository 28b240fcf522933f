// The numbers of a sum, of a rotation and of scores: as bands of colours, and in words.

import assert from "node:assert/strict";
import test from "node:test";

import {
  bandValues,
  cellNumbers,
  cellText,
  columnsTogether,
  leastDecimals,
  limitText,
  sumModel,
  sumOf,
} from "../../../ui/components/vector_sum/model.ts";

const labels = {
  language: "en",
  readout: "{position} {label} {axis} {column}: {sum}",
  readout_pair: "{position} {label} {first}, {second}: {before} by {angle} = {after}",
  dimension: "dimension",
  masked: "masked",
};

/** A payload of rows of numbers, as Python packs it. */
function received(matrices: number[][], changes: Record<string, unknown> = {}) {
  const header = {
    n_rows: 2,
    n_columns: matrices[0].length / 2,
    tokens: ["a", "b"],
    ids: ["5", "9"],
    first_position: 10,
    places: [10, 11],
    total: 2,
    colours: ["#0000ff", "#ffffff", "#ff0000"],
    limits: [1, 2, 3],
    adds: true,
    pairs: null,
    causal: false,
    labels,
    ...changes,
  };
  const text = JSON.stringify(header);
  const json = new TextEncoder().encode(text.padEnd(4 * Math.ceil(text.length / 4)));
  const numbers = new Uint8Array(Float32Array.from(matrices.flat()).buffer);
  const length = new Uint8Array(Uint32Array.of(json.length).buffer);
  return sumModel(Uint8Array.from([...length, ...json, ...numbers]));
}

test("sums are those of float32, and are written so that their digits add up", () => {
  const [first, second] = [Float32Array.of(0.1, 2 ** 24, 2), Float32Array.of(-0.25, 1, 3)];
  assert.deepEqual([...sumOf(first, second)], [Math.fround(first[0] - 0.25), 2 ** 24, 5]);
  const model = received([
    [0.1, 0.5, 2, 3],
    [-0.25, 1, 3, 4],
  ]);
  assert.equal(cellText(model, { row: 0, column: 0 }), "10 a dimension 0: 0.100 + (−0.250) = −0.150");
  assert.equal(cellText(model, { row: 1, column: 1 }), "11 b dimension 1: 3.000 + 4.000 = 7.000");
});

test("of a rotation both dimensions of a pair are read, and one that does not rotate is what it is", () => {
  const rows = [1, 0, 2, 0.5];
  const model = (pairs: [number, number]) =>
    received(
      [
        [...rows, ...rows],
        [1.5, 1.5, 0, 0, 1.5, 1.5, 0, 0],
        [0, 1, 2, 0.5, 0, 1, 2, 0.5],
      ],
      { pairs },
    );
  const text = "10 a 0, 1: (1.000, 0.000) by 1.500 = (0.000, 1.000)";
  assert.equal(cellText(model([1, 2]), { row: 0, column: 0 }), text);
  assert.equal(cellText(model([1, 2]), { row: 0, column: 1 }), text);
  assert.equal(cellText(model([1, 2]), { row: 1, column: 3 }), "11 b dimension 3: 0.500");
  const together = (pairs: [number, number] | null) =>
    [0, 1, 2, 3, 4].map((column) => columnsTogether({ pairs }, column));
  assert.deepEqual(together([2, 4]), [[0, 2], [1, 3], [0, 2], [1, 3], [4]]);
  assert.deepEqual(together(null), [[0], [1], [2], [3], [4]]);
});

test("keys after the query are masked, in words and in the band", () => {
  const model = received(
    [
      [1, 2, 3, 4],
      [0, 0, 0, 0],
    ],
    { causal: true },
  );
  assert.equal(cellText(model, { row: 0, column: 1 }), "10 a dimension 11: masked");
  assert.equal(cellText(model, { row: 1, column: 0 }), "11 b dimension 10: 3.000 + 0.000 = 3.000");
  assert.deepEqual([...bandValues(model.matrices[0], model, 100).values], [1, Number.NaN, 3, 4]);
});

test("a band with fewer pixels than columns shows the mean of the cells of each of its own", () => {
  const columns = 768;
  const values = Float32Array.from({ length: 2 * columns }, (_, at) => Math.sin(at * at));
  const model = { rows: 2, columns, causal: false };
  const { values: means, shape, extent } = bandValues({ values } as any, model, 390);
  assert.deepEqual(
    [shape, extent],
    [
      [2, 384],
      [2, 384],
    ],
  );
  for (const [at, mean] of means.entries())
    assert.ok(Math.abs(mean - (values[2 * at] + values[2 * at + 1]) / 2) < 1e-6);
  assert.deepEqual(bandValues({ values } as any, model, 768).values, values);
  const alternating = Float32Array.from({ length: columns }, (_, at) => at % 2); // as sin and cos of slow waves
  for (const most of [700, 500, 300, 77]) {
    const band = bandValues({ values: alternating } as any, { ...model, rows: 1 }, most);
    assert.deepEqual(new Set(band.values), new Set([0.5]), `${most}`);
  }
});

test("narrow tables have four decimals where one of their sums needs more than three", () => {
  assert.equal(leastDecimals(Float32Array.of(0.5), Float32Array.of(0.25), 8), 3);
  const [a, b] = [Float32Array.of(0.0004), Float32Array.of(0.0004)];
  assert.equal(leastDecimals(a, b, 8), 4);
  assert.equal(leastDecimals(a, b, 9), 3);
});

test("numbers of a band are rounded to what a cell has room for, where they do not fit as they add up", () => {
  const model = received([
    [0.1255, 0.5, -2, 3],
    [0.2505, 1, 3, 4],
  ]);
  const cellTexts = (index: number, most: number) => cellNumbers(model, index, most).map(({ text }) => text);
  assert.deepEqual(cellTexts(0, 8), ["0.1255", "0.5000", "−2.0000", "3.0000"]);
  assert.deepEqual(cellTexts(0, 5), ["0.13", "0.50", "−2.00", "3.00"]);
  assert.deepEqual(cellTexts(2, 5), ["0.38", "1.50", "1.00", "7.00"]);
  assert.deepEqual(cellTexts(0, 3), []);
});

test("the end of the scale has the digits that matter", () => {
  const expected = { 2.5: "2.50", 12.34: "12.3", 0.00123: "0.00123", 12345: "1.23e+4" };
  for (const [limit, text] of Object.entries(expected)) assert.equal(limitText(Number(limit)), text);
});
