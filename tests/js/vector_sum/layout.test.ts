// How high the rows of bands are on pages, phones and slides, and which columns are numbered.

import assert from "node:assert/strict";
import test from "node:test";

import { followed, noteText, sharesAt } from "../../../ui/components/vector_sum/index.ts";
import { axisTicks, cellCharacters, rowsLayout } from "../../../ui/components/vector_sum/layout.ts";

const PAGE = { isNarrow: false, isSlide: false, isTable: false };

test("the three bands of a short text take the room there is, and no row is too low for its label", () => {
  for (const room of [340, 500, 700]) {
    const { rowHeight, height, maxScroll, beside } = rowsLayout(9, room, { ...PAGE, most: room + 200 });
    assert.ok(rowHeight >= 11 && 3 * height <= room, `${rowHeight} ${room}`);
    assert.deepEqual([height, maxScroll, beside], [9 * rowHeight, 0, false]);
  }
  assert.equal(rowsLayout(3, 2000, PAGE).rowHeight, 40);
  assert.equal(rowsLayout(9, 340, { ...PAGE, isTable: true }).rowHeight, 24); // numbers are written in its cells
  assert.ok(rowsLayout(9, 534, { ...PAGE, isNarrow: true }).rowHeight < rowsLayout(9, 534, PAGE).rowHeight); // for names
  const below = rowsLayout(9, 400, { ...PAGE, head: 40 });
  assert.ok(3 * below.height + 40 <= 400 && below.rowHeight < rowsLayout(9, 400, PAGE).rowHeight); // for the matrix' size
});

test("rows that have no room are scrolled, all bands together", () => {
  const { rowHeight, height, maxScroll } = rowsLayout(64, 340, { ...PAGE, most: 520 });
  assert.equal(rowHeight, 11);
  assert.ok(3 * height <= 520 && height > 10 * rowHeight);
  assert.equal(height + maxScroll, 64 * rowHeight);
});

test("in a window too short for a sentence bands stand beside each other, however long the text is", () => {
  for (const count of [1, 9, 64]) {
    assert.equal(rowsLayout(count, 170, PAGE).beside, true);
    assert.equal(rowsLayout(count, 340, PAGE).beside, false); // what is typed moves no band
    assert.equal(rowsLayout(count, 170, { ...PAGE, isNarrow: true }).beside, false);
    assert.equal(rowsLayout(count, 170, { ...PAGE, headsFit: false }).beside, false);
  }
  assert.ok(rowsLayout(9, 170, PAGE).height + 52 <= 170); // with names and axis
});

test("on a slide rows can be read from afar: bands stand beside each other where they would be too low", () => {
  const slide = { ...PAGE, isSlide: true };
  const stacked = rowsLayout(3, 300, slide);
  const beside = rowsLayout(9, 300, slide);
  assert.deepEqual([stacked.beside, beside.beside], [false, true]);
  for (const { rowHeight } of [stacked, beside]) assert.ok(rowHeight >= 15);
  assert.ok(beside.height <= 300);
});

test("a cell has room for a number where it is wide and its row is high", () => {
  assert.ok(cellCharacters(3, 300, 24) >= "−0.1234".length);
  assert.equal(cellCharacters(3, 300, 12), 0);
  assert.ok(cellCharacters(64, 768, 24) < "0.1".length);
});

test("the axis numbers round columns, keys by their positions, each under the middle of its cell", () => {
  const at = (ticks: { at: number }[]) => ticks.map((tick) => tick.at);
  assert.deepEqual(at(axisTicks({ first: 0, columns: 384 }, 760)), [0, 50, 100, 150, 200, 250, 300, 350]);
  assert.deepEqual(axisTicks({ first: 0, columns: 3 }, 300), [
    { at: 0, share: 1 / 6 },
    { at: 1, share: 0.5 },
    { at: 2, share: 5 / 6 },
  ]);
  assert.deepEqual(axisTicks({ first: 12, columns: 9 }, 120), [
    { at: 15, share: 3.5 / 9 },
    { at: 20, share: 8.5 / 9 },
  ]);
});

test("bands appear one after the other, and the sum column by column", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map(sharesAt), [
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
    [1, 1, 0.5],
    [1, 1, 1],
  ]);
});

test("the pointer stays on its token when the rows shown are others", () => {
  const now = { firstPosition: 12, rows: 4, columns: 8 };
  assert.deepEqual(followed({ row: 3, column: 5 }, { firstPosition: 10 }, now), { row: 1, column: 5 });
  assert.equal(followed({ row: 1, column: 5 }, { firstPosition: 10 }, now), null);
  assert.equal(followed({ row: 4, column: 5 }, { firstPosition: 12 }, now), null);
  assert.equal(followed({ row: 3, column: 8 }, { firstPosition: 12 }, now), null);
});

test("a note says which tokens of a long text are drawn and in sight, and where colours end", () => {
  const labels = {
    clipped: "beyond {limit}",
    tokens_shown: "{first}-{last} of {total}",
    in_sight: "{first}-{last} seen",
  };
  const matrices = [0, 0, 5].map((value) => ({ values: Float32Array.of(value), scale: { limit: 4 } }));
  const model = { labels, rows: 64, firstPosition: 100, total: 300, matrices } as any;
  const rows = { rowHeight: 10, height: 105, maxScroll: 535, beside: false };
  assert.equal(noteText(model, rows, 25), "beyond 4.00 · 100-163 of 300 · 102-112 seen");
  matrices[2].values[0] = -4;
  assert.equal(noteText({ ...model, total: 64 }, { ...rows, maxScroll: 0 }, 0), "");
});
