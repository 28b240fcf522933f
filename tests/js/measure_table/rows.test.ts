// The order of the table's rows, and the bars in its cells.

import assert from "node:assert/strict";
import test from "node:test";

import { barOf, type Order, sortRows } from "../../../ui/components/measure_table/rows.ts";

const CONTENT: [string, (number | null)[]][] = [
  ["rope", [0.5, null]],
  ["alibi", [null, 2]],
  ["none", [-1, 10]],
  ["T5", [3, 9]],
];
const ROWS = CONTENT.map(([title, values]) => ({
  title,
  values,
  texts: values.map(String),
  colour: "#000000",
  front: false,
}));
const titles = (order: Order) => sortRows(ROWS, order).map((row) => row.title);

test("rows are sorted as numbers, and what is not defined stands last either way", () => {
  assert.deepEqual(titles({ column: 0, down: true }), ["T5", "rope", "none", "alibi"]);
  assert.deepEqual(titles({ column: 0, down: false }), ["none", "rope", "T5", "alibi"]);
  assert.deepEqual(titles({ column: 1, down: true }), ["none", "T5", "alibi", "rope"]);
});

test("rows are sorted by title, or stay as they came", () => {
  assert.deepEqual(titles({ column: -1, down: false }), ["alibi", "none", "rope", "T5"]);
  assert.deepEqual(titles({ column: -1, down: true }), ["T5", "rope", "none", "alibi"]);
  assert.deepEqual(titles({ column: null, down: true }), ["rope", "alibi", "none", "T5"]);
});

test("sorting leaves what Python sent as it was", () => {
  const before = JSON.stringify(ROWS);
  sortRows(ROWS, { column: 0, down: true });
  assert.equal(JSON.stringify(ROWS), before);
});

test("a bar leads from zero to the number, on a track that holds zero and the whole column", () => {
  assert.deepEqual(barOf(3, [3, null, -1, 0.5]), { start: 0.25, length: 0.75 });
  assert.deepEqual(barOf(-1, [3, null, -1, 0.5]), { start: 0, length: 0.25 });
  assert.deepEqual(barOf(0.5, [3, null, -1, 0.5]), { start: 0.25, length: 0.125 });
  assert.deepEqual(barOf(2, [2, 8]), { start: 0, length: 0.25 });
  assert.deepEqual(barOf(-2, [-2, -8]), { start: 0.75, length: 0.25 });
  assert.deepEqual(barOf(0, [0, 0, null]), { start: 0, length: 0 });
});

test("a column of texts is sorted as texts, what has a number before what has none", () => {
  const rows = ["b", "10", "9"].map((text, index) => ({
    title: String(index),
    values: [null],
    texts: [text],
    colour: "",
    front: false,
  }));
  const order = (down: boolean) => sortRows(rows, { column: 0, down }).map(({ texts }) => texts[0]);
  assert.deepEqual(order(false), ["10", "9", "b"]);
  assert.deepEqual(order(true), ["b", "9", "10"]);
});
