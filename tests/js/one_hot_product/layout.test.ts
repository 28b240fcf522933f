// One-hot rows, E and results: what agrees, where each is, what lies under a point, and what is said of it.

import assert from "node:assert/strict";
import test from "node:test";

import { cellBoxes } from "../../../ui/components/one_hot_product/draw.ts";
import {
  nextPlace,
  placeX,
  productHit,
  productLayout,
  revealed,
  spaced,
  TABLE_ROW,
  TOKEN_ROW,
  tableY,
  tokenY,
} from "../../../ui/components/one_hot_product/layout.ts";
import {
  equalNumbers,
  gapsBetween,
  readoutText,
  someTokens,
  tokenOf,
} from "../../../ui/components/one_hot_product/model.ts";
import { verdictText } from "../../../ui/components/one_hot_product/parts.ts";
import { sharesAt } from "../../../ui/components/one_hot_product/steps.ts";

const rows = [0, 4, 5, 9];
const names = ["place", "table", "result"].map((name) => [`readout_${name}`, name]);
const holes = "{label} {id} {row} {dimension} {factor} {value}";
const labels = {
  ...Object.fromEntries(names.map(([key, name]) => [key, `${name} ${holes}`])),
  readout_hint: "hint",
  dimension: "dimension",
  equal: "{tokens} {vocab_size} {d_model} {copied} {products} {equal} {count}",
};
const model = {
  rows,
  row_names: ["", "four", "", ""],
  vocab_size: 10,
  d_model: 3,
  k: 3,
  ids: [5, 0],
  tokens: ["fox", "the"],
  drawnAt: [2, 0],
  n: 2,
  gaps: gapsBetween(rows, 10),
  table: Float32Array.from({ length: 12 }, (_, at) => (at % 2 ? -at : at)),
  product: Float32Array.of(6, -7, 8, 0, -1, 2),
  equalRows: [3, 3],
  labels,
};
const measure = (text: string) => 8 * text.length;
const layoutOf = (width: number, first = 0) => productLayout(model, width, measure, first);

test("gaps are the rows of E between those that are drawn, and after the last", () => {
  assert.deepEqual(gapsBetween(rows, 10), [0, 3, 0, 3, 0]);
  assert.deepEqual(gapsBetween([2], 10), [2, 7]);
  assert.deepEqual(gapsBetween([0, 1, 2], 3), [0, 0, 0, 0]);
});

test("numbers are equal only to the bit", () => {
  const looked = Float32Array.of(1, 0, 5, 0.1, 2, 3);
  const product = Float32Array.of(1, -0, 5, Math.fround(0.1) + 2 ** -27, 2, 3);
  assert.deepEqual(equalNumbers(looked, product, 3), [2, 2]);
});

test("some of the tokens keep their own rows, numbers and gaps, in the order of E", () => {
  const [ids, drawnAt] = [
    [5, 0, 9, 5],
    [2, 0, 3, 2],
  ];
  const numbers = Float32Array.from({ length: 12 }, (_, at) => at);
  const whole = { ...model, ids, drawnAt, n: 4, looked: numbers, product: numbers, equalRows: [3, 2, 1, 0] };
  const texts = { positions: [4, 5, 6, 7], tokens: ["a", "b", "c", "d"] };
  const some = someTokens({ ...whole, ...texts } as any, 2, 4);
  assert.deepEqual([some.n, some.ids, some.rows, some.drawnAt], [2, [9, 5], [5, 9], [1, 0]]);
  assert.deepEqual(
    [some.positions, some.tokens, some.equalRows, some.gaps],
    [
      [6, 7],
      ["c", "d"],
      [1, 0],
      [5, 3, 0],
    ],
  );
  assert.deepEqual([...some.table], [6, -7, 8, -9, 10, -11]);
  assert.deepEqual([...some.product], [6, 7, 8, 9, 10, 11]);
});

test("lines stand one after the other, with a shorter one where rows are left out", () => {
  assert.deepEqual(spaced([0, 3, 0, 3, 0], 30, 20), {
    starts: [0, 50, 80, 130],
    holes: [
      { at: 30, left: 3 },
      { at: 110, left: 3 },
    ],
    total: 160,
  });
  assert.deepEqual(spaced([2, 0], 30, 20), { starts: [20], holes: [{ at: 0, left: 2 }], total: 50 });
});

test("side by side, the one-hot rows, E and the results stand from left to right without touching", () => {
  for (const width of [720, 900, 1400]) {
    const { hot, table, result, stacked, sign, labels: beside, height } = layoutOf(width);
    assert.equal(stacked, false);
    assert.equal(table.x, hot.x + hot.width + sign + beside);
    assert.equal(result.x, table.x + table.width + sign);
    assert.ok(result.x + result.width + 26 <= width, `${width}`);
    assert.equal(hot.y + hot.height / 2, table.y + table.height / 2);
    assert.equal(result.y, hot.y);
    assert.ok(table.y + table.height <= height);
  }
});

test("stacked, they stand under each other", () => {
  const { hot, table, result, stacked, height } = layoutOf(400);
  assert.equal(stacked, true);
  assert.equal(table.y, hot.y + hot.height + 82);
  assert.equal(result.y, table.y + table.height + 82);
  assert.equal(height, result.y + result.height + 6);
  assert.equal(table.x, result.x);
});

test("the window holds as many dimensions as fit, and stays within them", () => {
  const wide = { ...model, k: 300 };
  const { shown, cell, table } = productLayout(wide, 1000, measure, 298);
  assert.ok(cell >= 61 && shown > 1 && shown < 300);
  assert.equal(table.width, shown * cell);
  assert.equal(productLayout(wide, 1000, measure, 298).first, 300 - shown);
  assert.equal(productLayout(wide, 1000, measure, -4).first, 0);
  assert.equal(productLayout(wide, 1000, measure, 17.6).first, 18);
});

test("what is drawn in the middle of a place is found under its point", () => {
  for (const width of [400, 1000]) {
    const layout = layoutOf(width);
    const { hot, table, result, cell, place } = layout;
    for (let row = 0; row < 2; row += 1) {
      for (let index = 0; index < 4; index += 1) {
        const found = productHit(layout, placeX(layout, index) + place / 2, tokenY(hot, row) + TOKEN_ROW / 2);
        assert.deepEqual(found, { part: "hot", row, index });
      }
      for (let at = 0; at < layout.shown; at += 1) {
        const found = productHit(layout, result.x + (at + 0.5) * cell, tokenY(result, row) + TOKEN_ROW / 2);
        assert.deepEqual(found, { part: "result", row, column: layout.first + at });
      }
    }
    for (let index = 0; index < 4; index += 1) {
      const y = tableY(layout, index) + TABLE_ROW / 2;
      assert.deepEqual(productHit(layout, table.x - 5, y), { part: "table", index, column: null });
      assert.deepEqual(productHit(layout, table.x + 5, y), { part: "table", index, column: layout.first });
    }
    assert.equal(productHit(layout, table.x + 5, tableY(layout, 0) + TABLE_ROW + 10), null); // in the gap
    assert.deepEqual(productHit(layout, hot.x - 20, tokenY(hot, 1) + 3), { part: "hot", row: 1, index: null });
    assert.equal(productHit(layout, width + 40, tokenY(hot, 0) + 3), null);
  }
});

test("a row of E belongs to the first token that picks it", () => {
  assert.equal(tokenOf(model, { part: "table", index: 2, column: 0 }), 0);
  assert.equal(tokenOf(model, { part: "table", index: 1, column: 0 }), null);
  assert.equal(tokenOf(model, { part: "hot", row: 1, index: null }), 1);
  assert.equal(tokenOf(model, null), null);
});

test("keys go through the one-hot row and on into its result; the first shows the place of the 1", () => {
  assert.deepEqual(nextPlace("ArrowRight", null, 0, model), { part: "hot", row: 0, index: 2 });
  const from: (key: string, at: number, row?: number) => unknown = (key, at, row = 0) =>
    nextPlace(key, at < 4 ? { part: "hot", row, index: at } : { part: "result", row, column: at - 4 }, row, model);
  assert.deepEqual(from("ArrowRight", 3), { part: "result", row: 0, column: 0 });
  assert.deepEqual(from("ArrowLeft", 4), { part: "hot", row: 0, index: 3 });
  assert.deepEqual(from("ArrowDown", 1), { part: "hot", row: 1, index: 1 });
  assert.deepEqual(from("ArrowDown", 5, 1), { part: "result", row: 1, column: 1 });
  assert.deepEqual(from("ArrowUp", 1), { part: "hot", row: 0, index: 1 });
  assert.deepEqual(from("Home", 5), { part: "hot", row: 0, index: 0 });
  assert.deepEqual(from("End", 0), { part: "result", row: 0, column: 2 });
  assert.deepEqual(from("ArrowRight", 6), { part: "result", row: 0, column: 2 });
  assert.equal(from("Tab", 0), null);
});

test("a column out of sight is brought in by the least that is needed", () => {
  const layout = { first: 10, shown: 4 };
  assert.deepEqual(
    [3, 10, 13, 14].map((column) => revealed(layout, column)),
    [3, 10, 10, 11],
  );
});

test("what is under the pointer is said, with where its number comes from", () => {
  assert.equal(readoutText(model, null), "hint");
  assert.equal(readoutText(model, { part: "hot", row: 0, index: null }), "hint");
  assert.equal(readoutText(model, { part: "table", index: 0, column: null }), "hint");
  const read = (place: Parameters<typeof readoutText>[1]) => readoutText(model, place).replace(/ \{\w+\}/g, "");
  assert.equal(read({ part: "hot", row: 0, index: 2 }), "place fox 5 5 1");
  assert.equal(read({ part: "hot", row: 0, index: 1 }), "place fox 5 4 0");
  assert.equal(read({ part: "table", index: 1, column: 2 }), "table 4 2 −5.0000");
  assert.equal(read({ part: "result", row: 0, column: 1 }), "result fox 1 (−7.0000) −7.0000");
  assert.equal(read({ part: "result", row: 0, column: 2 }), "result fox 2 8.0000 8.0000");
});

test("a number of the results is outlined with its number of E, once it is there", () => {
  const layout = layoutOf(1000);
  const { hot, table, result, cell, place } = layout;
  const view = { model: model as any, layout };
  const seen = { hot: 1, result: 1 };
  assert.deepEqual(cellBoxes(view, { part: "result", row: 0, column: 1 }, seen), [
    { x: table.x + cell, y: tableY(layout, 2), width: cell, height: TABLE_ROW },
    { x: result.x + cell, y: tokenY(result, 0), width: cell, height: TOKEN_ROW },
  ]);
  assert.equal(cellBoxes(view, { part: "result", row: 0, column: 1 }, { hot: 1, result: 0.5 }).length, 1);
  assert.equal(cellBoxes(view, { part: "table", index: 1, column: 0 }, seen)[0].y, tableY(layout, 1));
  assert.deepEqual(cellBoxes(view, { part: "hot", row: 1, index: 3 }, seen), [
    { x: placeX(layout, 3), y: tokenY(hot, 1), width: place, height: TOKEN_ROW },
  ]);
  assert.deepEqual(cellBoxes(view, { part: "hot", row: 1, index: 3 }, { hot: 0.5, result: 0 }), []);
  const scrolled = { ...layout, first: 2 };
  assert.deepEqual(cellBoxes({ ...view, layout: scrolled }, { part: "table", index: 1, column: 1 }, seen), []);
  const narrow = { ...layout, shown: 2 };
  assert.deepEqual(cellBoxes({ ...view, layout: narrow }, { part: "result", row: 0, column: 2 }, seen), []);
});

test("the work of both ways is counted, and in how many numbers they agree", () => {
  const big = { ...model, vocab_size: 1000, d_model: 64 };
  const written = [2, 1000, 64, 2 * 64, 2 * 1000 * 64].map((count) => count.toLocaleString()).join(" ");
  assert.equal(verdictText(big), `${written} 6 6`);
  assert.equal(verdictText({ ...big, equalRows: [3, 2] }), `${written} 5 6`);
});

test("the steps come one after the other", () => {
  assert.deepEqual(sharesAt(0), { pick: 0, hot: 0, one: 0, all: 0, equal: 0 });
  assert.deepEqual(sharesAt(2.25), { pick: 1, hot: 1, one: 0.25, all: 0, equal: 0 });
  assert.deepEqual(sharesAt(5), { pick: 1, hot: 1, one: 1, all: 1, equal: 1 });
});
