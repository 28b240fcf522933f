// One-hot rows, E and token rows: what agrees, which rows are drawn, what is said of a cell, where keys lead.

import assert from "node:assert/strict";
import test from "node:test";

import {
  type Cell,
  cellText,
  countEqual,
  fittingDimensions,
  nextCell,
  shorten,
  type Token,
  tokenAt,
  verdictText,
  withSkipped,
} from "../../../ui/components/one_hot_product/model.ts";

const holes = "{label} {id} {row} {dimension} {factor} {value}";
const names = ["place", "table", "result"].map((name) => [`readout_${name}`, `${name} ${holes}`]);
const labels = {
  ...Object.fromEntries(names),
  equal: "{tokens} {vocab_size} {d_model} {copied} {products} {equal} {count}",
};
const values = [
  [0, -1, 2],
  [-3, 4, -5],
  [6, -7, 8],
  [-9, 10, -11],
].map((row) => Float32Array.from(row));
const rows = withSkipped(
  [0, 4, 5, 9].map((id, index) => ({ id, name: `row ${id}`, values: values[index], skipped: 0 })),
);
const token = (id: number, position: number, label: string): Token => {
  const product = values[[0, 4, 5, 9].indexOf(id)];
  return { id, position, label, looked: product, product, equal: 3 };
};
const tokens = [token(5, 4, "fox"), token(0, 5, "the"), token(9, 6, "end"), token(5, 7, "fox")];
const model = { rows, tokens, labels, vocab_size: 10, d_model: 3, k: 3 };
const ids = (some: { id: number }[]) => some.map(({ id }) => id);

test("numbers are equal only to the bit", () => {
  const looked = Float32Array.of(1, 0, 5, 0.1);
  assert.equal(countEqual(looked, Float32Array.of(1, -0, 5, Math.fround(0.1) + 2 ** -27)), 2);
  assert.equal(countEqual(looked.subarray(1), Float32Array.of(0, 5, 0.1)), 3);
});

test("before each row of E stands how many were left out", () => {
  assert.deepEqual(
    rows.map(({ skipped }) => skipped),
    [0, 3, 0, 3],
  );
});

test("where there is little room, the last tokens up to the chosen one stay, with the rows that they pick", () => {
  assert.equal(shorten(model, 4, null), model);
  const first = shorten(model, 2, null);
  assert.deepEqual(
    [ids(first.tokens), ids(first.rows)],
    [
      [5, 0],
      [0, 5],
    ],
  );
  const last = shorten(model, 2, 7);
  assert.deepEqual(
    [ids(last.tokens), ids(last.rows)],
    [
      [9, 5],
      [5, 9],
    ],
  );
  assert.deepEqual(
    last.rows.map(({ skipped }) => skipped),
    [5, 3],
  );
});

test("a row of E belongs to the first token that picks it", () => {
  const at = (table: Cell["table"], row: number) => tokenAt(model, { table, row, column: 0 })?.position;
  assert.equal(at("matrix", 2), 4);
  assert.equal(at("matrix", 1), undefined);
  assert.equal(at("hot", 3), 7);
  assert.equal(at("result", 1), 5);
  assert.equal(tokenAt(model, null), undefined);
});

test("what is under the pointer is said, with where its number comes from", () => {
  const read = (table: Cell["table"], row: number, column: number) =>
    cellText(model, { table, row, column }).replace(/ \{\w+\}/g, "");
  assert.equal(read("hot", 0, 2), "place fox 5 5 1");
  assert.equal(read("hot", 0, 1), "place fox 5 4 0");
  assert.equal(read("matrix", 1, 2), "table 4 2 −5.0000");
  assert.equal(read("result", 0, 1), "result fox 1 (−7.0000) −7.0000");
  assert.equal(read("result", 0, 2), "result fox 2 8.0000 8.0000");
});

test("keys move within a table, over all its dimensions", () => {
  const wide = { ...model, k: 300 };
  const from = (key: string, table: Cell["table"], row: number, column: number) =>
    nextCell(key, { table, row, column }, wide);
  assert.deepEqual(from("ArrowRight", "hot", 0, 3), { table: "hot", row: 0, column: 3 });
  assert.deepEqual(from("ArrowRight", "matrix", 3, 5), { table: "matrix", row: 3, column: 6 });
  assert.deepEqual(from("ArrowDown", "matrix", 3, 5), { table: "matrix", row: 3, column: 5 });
  assert.deepEqual(from("End", "result", 1, 5), { table: "result", row: 1, column: 299 });
  assert.equal(from("Tab", "result", 1, 5), null);
});

test("the verdict counts copies, multiplications and equal numbers over all dimensions", () => {
  const unequal = { ...model, tokens: [{ ...tokens[0], equal: 2 }, tokens[1]] };
  assert.equal(verdictText(unequal), "2 10 3 6 60 5 6");
});

test("the count of dimensions that fit comes to rest at every width, though tables have whole pixels", () => {
  for (const number of [62, 62.3, 62.5, 62.9])
    for (let width = 700; width < 1700; width += 1) {
      const tables = (shown: number) => 274 + Math.round(131.4 + shown * number) + Math.round(20.2 + shown * number);
      const next = (shown: number) => Math.max(1, fittingDimensions(shown, width - tables(shown), 2 * number));
      const counts = [1];
      while (counts.length < 9) counts.push(next(counts[counts.length - 1]));
      assert.equal(counts[8], counts[7], `${width}: ${counts}`);
      assert.ok(tables(counts[8]) <= width && tables(counts[8] + 1) > width - 5, `${width}: ${counts}`);
    }
});
