// How the two tables are laid out, where keys lead in them, and which of their cells are one token.

import assert from "node:assert/strict";
import test from "node:test";

import { nextCell, pairLayout, sameToken } from "../../../ui/components/window_pairs/grid.ts";

test("wide rooms hold both tables side by side, with a column's room between them", () => {
  assert.deepEqual(pairLayout(4, 1200), { stacked: false, cell: Math.floor((1200 - 80) / 9) });
  assert.deepEqual(pairLayout(2, 2000), { stacked: false, cell: 132 });
});

test("cells under 76 px stack the tables, and under 60 px the stack scrolls at 76", () => {
  assert.deepEqual(pairLayout(8, 1200), { stacked: true, cell: Math.floor((1200 - 40) / 9) });
  assert.deepEqual(pairLayout(8, 600), { stacked: true, cell: Math.floor(560 / 9) });
  assert.deepEqual(pairLayout(8, 579), { stacked: true, cell: 76 });
});

test("side by side nothing is wider than the room", () => {
  for (let columns = 1; columns <= 12; columns += 1) {
    for (let width = 300; width <= 2400; width += 7) {
      const { stacked, cell } = pairLayout(columns, width);
      assert.ok(cell >= 60 && cell <= 132);
      if (!stacked) {
        assert.ok(cell >= 76);
        assert.ok(2 * Math.max(170, 40 + columns * cell) + cell <= width + 2, `${columns} in ${width}`);
      } else if (cell !== 76) assert.ok(40 + columns * cell <= width, `${columns} in ${width}`);
    }
  }
});

test("arrows cross from one table into the other, and stop at the edges", () => {
  const moves: [string, [string, number, number], [string, number, number]][] = [
    ["ArrowRight", ["inputs", 0, 2], ["targets", 0, 0]],
    ["ArrowLeft", ["targets", 1, 0], ["inputs", 1, 2]],
    ["ArrowLeft", ["inputs", 1, 0], ["inputs", 1, 0]],
    ["ArrowRight", ["targets", 1, 2], ["targets", 1, 2]],
    ["ArrowUp", ["inputs", 0, 1], ["inputs", 0, 1]],
    ["ArrowDown", ["targets", 0, 1], ["targets", 1, 1]],
    ["ArrowDown", ["targets", 1, 1], ["targets", 1, 1]],
    ["Home", ["targets", 1, 1], ["inputs", 1, 0]],
    ["End", ["inputs", 0, 1], ["targets", 0, 2]],
  ];
  for (const [key, [table, row, place], to] of moves) {
    const cell = nextCell({ table: table === "inputs" ? "inputs" : "targets", row, place }, key, [2, 3]);
    assert.deepEqual(cell, { table: to[0], row: to[1], place: to[2] }, key);
  }
  assert.equal(nextCell({ table: "inputs", row: 0, place: 0 }, "x", [2, 3]), null);
  assert.equal(nextCell({ table: "inputs", row: 0, place: 0 }, "toString", [2, 3]), null);
});

test("a target and the next input are one token, wherever a row has both", () => {
  const [starts, columns] = [[0, 2], 4];
  for (let position = 0; position < 8; position += 1) {
    const both = sameToken(position, starts, columns);
    const expected = starts
      .map((start) => position - start)
      .flatMap((place, row) => (place > 0 && place < columns ? [row] : []));
    assert.deepEqual(
      both.map(([target]) => target.row),
      expected,
    );
    for (const [target, input] of both) {
      assert.deepEqual([target.table, input.table, input.row], ["targets", "inputs", target.row]);
      assert.equal(starts[target.row] + target.place + 1, position);
      assert.equal(starts[input.row] + input.place, position);
    }
  }
});
