// The strip of E and the rows pulled out of it: where marks, lines and numbers are, and what lies under a point.

import assert from "node:assert/strict";
import test from "node:test";

import { dimensionsText } from "../../../ui/components/embedding_matrix/index.ts";
import {
  cellLayout,
  columnsLeft,
  markHeight,
  matrixLayout,
  nearestMark,
  rowsInSight,
  spreadApart,
} from "../../../ui/components/embedding_matrix/layout.ts";

const strip = { x: 26, y: 28, width: 120, height: 380 };

test("the name of the columns ends with the strip and never covers the 0 of the first row", () => {
  assert.equal(columnsLeft({ narrow: false, strip }, 90) + 90, strip.x + strip.width);
  for (const narrow of [false, true]) assert.ok(columnsLeft({ narrow, strip }, 119) >= strip.x + 18);
});

test("a mark is at the middle of its row's share of the strip", () => {
  assert.equal(markHeight(strip, 0, 4), 28 + 47.5);
  assert.equal(markHeight(strip, 3, 4), 28 + 380 - 47.5);
  assert.equal(markHeight(strip, 499, 1000), 28 + 0.4995 * 380);
});

test("a short list stands beside the marks, and inside the strip", () => {
  const header = (ids: number[]) => ({ positions: ids.map((_, at) => at), ids, vocab_size: 1000 });
  const middle = matrixLayout(1200, header([499, 500])).list;
  assert.equal(middle.height, 80);
  assert.equal(middle.y + middle.height / 2, 28 + 190);
  assert.equal(matrixLayout(1200, header([0, 1])).list.y, 28);
  const low = matrixLayout(1200, header([999, 998])).list;
  assert.equal(low.y + low.height, 28 + 380);
  const long = matrixLayout(1200, header(Array.from({ length: 30 }, (_, at) => at))).list;
  assert.deepEqual([long.y, long.height, long.x + long.width], [28, 380, 1200]);
});

test("heights that lie far enough apart stay where they are, in their own order", () => {
  assert.deepEqual(spreadApart([90, 10, 50], 20, 0, 100), [90, 10, 50]);
});

test("heights that touch are moved apart around their common middle", () => {
  assert.deepEqual(spreadApart([50, 54], 20, 0, 100), [42, 62]);
  assert.deepEqual(spreadApart([48, 50, 49], 20, 0, 100), [29, 69, 49]);
});

test("spread heights keep their order, their gap and their bounds", () => {
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let round = 0; round < 50; round += 1) {
    const wished = Array.from({ length: 2 + Math.floor(random() * 15) }, () => random() * 420);
    const placed = spreadApart(wished, 20, 36, 456);
    const order = wished.map((_, at) => at).sort((a, b) => wished[a] - wished[b]);
    order.forEach((at, rank) => {
      assert.ok(placed[at] >= 36 - 1e-9 && placed[at] <= 456 + 1e-9, `${placed[at]}`);
      if (rank) assert.ok(placed[at] - placed[order[rank - 1]] >= 20 - 1e-9, `${placed}`);
    });
  }
});

test("the nearest mark within reach is found, none beside the strip or far from every mark", () => {
  const header = { ids: [10, 500, 520], vocab_size: 1000 };
  const layout = { strip, labelX: 182 };
  const at = (id: number) => markHeight(strip, id, 1000);
  assert.equal(nearestMark(60, at(500) + 3, layout, header), 1);
  assert.equal(nearestMark(60, at(520) - 3, layout, header), 2);
  assert.equal(nearestMark(60, at(10) + 11, layout, header), 0);
  assert.equal(nearestMark(60, at(10) + 13, layout, header), null);
  assert.equal(nearestMark(17, at(10), layout, header), null);
  assert.equal(nearestMark(183, at(10), layout, header), null);
});

test("rows of a small table are found all over their height", () => {
  assert.equal(nearestMark(60, 28 + 3, { strip, labelX: 182 }, { ids: [0], vocab_size: 4 }), 0);
});

const header = (dModel: number, ids = [1, 2]) => ({
  tokens: ["a", "bcd"],
  ids,
  k: Math.min(dModel, 64),
  d_model: dModel,
});

test("all numbers that fit are shown, wider where there is room", () => {
  assert.deepEqual(cellLayout(header(4), false, 900), {
    token: 48,
    id: 96,
    x: 172,
    width: 120,
    numbered: 4,
    coloured: 0,
  });
  assert.equal(cellLayout(header(8), false, 900).width, 90); // 720 pixels for 8 numbers
});

test("what does not fit as numbers is shown as colours, five pixels each, and never more than was sent", () => {
  for (const [dModel, width] of [
    [32, 700],
    [64, 900],
    [768, 1000],
    [768, 400],
  ]) {
    const cells = cellLayout(header(dModel), false, width);
    const used = cells.x + cells.numbered * cells.width + cells.coloured * 5 + 34;
    assert.ok(cells.numbered >= 1 && cells.coloured >= 0);
    assert.ok(cells.numbered + cells.coloured <= Math.min(dModel, 64));
    assert.ok(used <= width - 8 || cells.coloured === 0, `${used} of ${width}`);
    if (cells.numbered + cells.coloured < Math.min(dModel, 64)) assert.ok(used > width - 8 - 5, `${used} of ${width}`);
  }
  assert.equal(cellLayout(header(32), false, 700).numbered + cellLayout(header(32), false, 700).coloured, 32);
});

test("a narrow list has no colours, and ids that repeat need more room", () => {
  assert.equal(cellLayout(header(64), true, 300).coloured, 0);
  assert.equal(cellLayout(header(64), true, 300).numbered, Math.floor((300 - 16 - 22) / 58));
  assert.equal(cellLayout(header(4, [2, 2]), false, 900).id, 180);
});

test("the note under the list says what is shown as what", () => {
  const names = ["all_dimensions", "first_dimensions", "first_dimensions_and_all", "first_dimensions_and_colours"];
  const labels = Object.fromEntries(names.map((name) => [name, `${name} {shown} {coloured} {d_model}`]));
  const text = (numbered: number, coloured: number) => dimensionsText({ d_model: 16, labels }, { numbered, coloured });
  assert.equal(text(16, 0), "all_dimensions 16 16 16");
  assert.equal(text(5, 0), "first_dimensions 5 5 16");
  assert.equal(text(5, 11), "first_dimensions_and_all 5 16 16");
  assert.equal(text(5, 10), "first_dimensions_and_colours 5 15 16");
});

test("rows of which a part is in sight are shown", () => {
  const layout = { list: { x: 0, y: 0, width: 100, height: 100 }, rowHeight: 44 };
  assert.deepEqual(rowsInSight(0, layout, 9), { first: 0, last: 2 });
  assert.deepEqual(rowsInSight(44, layout, 9), { first: 1, last: 3 });
  assert.deepEqual(rowsInSight(43, layout, 9), { first: 0, last: 3 });
  assert.deepEqual(rowsInSight(0, layout, 2), { first: 0, last: 1 });
  assert.deepEqual(rowsInSight(0, { ...layout, list: { ...layout.list, height: 88 } }, 9), { first: 0, last: 1 });
});
