// Which token a key or the pointer means, how a text is shortened, and the way from one differing place to the next.

import assert from "node:assert/strict";
import test from "node:test";

import { rowsModel, textLines, tokenSpan } from "../../../ui/components/token_rows/columns.ts";
import { placeAfterKey, placeUnder } from "../../../ui/components/token_rows/keys.ts";
import { rowsPayload } from "./rows.ts";

// The modules that draw ask the window on loading whether there is a pointer.
Object.assign(globalThis, { window: globalThis, matchMedia: () => ({ matches: false }) });
const { placeBeside, ratioText } = await import("../../../ui/components/token_rows/head.ts");
const { bandsOf, fittingText } = await import("../../../ui/components/token_rows/lines.ts");

const MODEL = rowsModel(
  rowsPayload(
    "abcdefghij",
    [
      {
        spans: [
          [0, 3],
          [4, 4],
          [5, 9],
        ],
      },
      {
        spans: [
          [0, 0],
          [1, 4],
          [5, 6],
          [7, 9],
        ],
        unknown: 1,
      },
    ],
    {
      differing: [
        [0, 2],
        [3, 5],
        [6, 8],
      ],
    },
  ),
);
const LINES = textLines(
  MODEL,
  Float32Array.from({ length: 10 }, () => 10),
  50,
); // abcde, fghij

test("left and right go from token to token of a row, Home and End to its ends", () => {
  const moves: [string, number, number][] = [
    ["ArrowLeft", 1, 0],
    ["ArrowLeft", 0, 0],
    ["ArrowRight", 2, 3],
    ["ArrowRight", 3, 3],
    ["Home", 2, 0],
    ["End", 1, 3],
  ];
  for (const [key, from, token] of moves) {
    assert.deepEqual(placeAfterKey(MODEL, LINES, { row: 1, token: from }, key), { row: 1, token }, key);
  }
});

test("up and down go to the token of the other row that holds this one's first column", () => {
  assert.deepEqual(placeAfterKey(MODEL, LINES, { row: 1, token: 1 }, "ArrowUp"), { row: 0, token: 0 });
  assert.deepEqual(placeAfterKey(MODEL, LINES, { row: 0, token: 1 }, "ArrowDown"), { row: 1, token: 1 });
  assert.deepEqual(placeAfterKey(MODEL, LINES, { row: 0, token: 2 }, "ArrowUp"), { row: 0, token: 2 });
  assert.deepEqual(placeAfterKey(MODEL, LINES, { row: 1, token: 3 }, "ArrowDown"), { row: 1, token: 3 });
});

test("page keys go to the same place of the next line", () => {
  assert.deepEqual(placeAfterKey(MODEL, LINES, { row: 1, token: 1 }, "PageDown"), { row: 1, token: 2 });
  assert.deepEqual(placeAfterKey(MODEL, LINES, { row: 1, token: 3 }, "PageUp"), { row: 1, token: 1 });
  assert.equal(placeAfterKey(MODEL, LINES, { row: 0, token: 0 }, "x"), null);
});

test("under a point of the staff lies the token whose chip is drawn there", () => {
  const staff = { lineHeight: 200, gutter: 30, charactersHeight: 40, rowHeight: 50, span: 60 };
  LINES.forEach((line, index) => {
    for (let column = line.start; column < line.stop; column += 1) {
      const left = 30 + 10 * (column - line.start) + 5;
      assert.deepEqual(placeUnder(MODEL, staff, LINES, left, 200 * index + 20), { column, cursor: null });
      for (const row of [0, 1]) {
        const under = placeUnder(MODEL, staff, LINES, left, 200 * index + 40 + 50 * row + 25);
        assert.ok(under?.cursor);
        assert.deepEqual([under.column, under.cursor.row], [column, row]);
        const [from, to] = tokenSpan(MODEL.rows[row], under.cursor.token, line);
        assert.ok(from <= left - 30 && left - 30 < to);
      }
    }
  });
  for (const [left, top] of [
    [29, 60],
    [80, 60],
    [40, 400],
  ])
    assert.equal(placeUnder(MODEL, staff, LINES, left, top), null);
});

test("where the text runs from right to left, the first column is the rightmost", () => {
  const staff = { lineHeight: 200, gutter: 30, charactersHeight: 40, rowHeight: 50, span: 60 };
  const turned = { ...MODEL, along: "rtl" as const };
  const columnAt = (left: number) => placeUnder(turned, staff, LINES, left, 20)?.column;
  assert.deepEqual([30 + 60 - 5, 30 + 60 - 15].map(columnAt), [0, 1]);
});

test("from a place one goes to where the next begins, and back to the one before", () => {
  assert.deepEqual(
    [null, 0, 2, 4, 6, 9].map((column) => placeBeside(MODEL, column, 1)),
    [0, 3, 3, 6, null, null],
  );
  assert.deepEqual(
    [null, 0, 2, 4, 5, 7, 9].map((column) => placeBeside(MODEL, column, -1)),
    [null, null, 0, 0, 3, 3, 6],
  );
});

test("a stretch that differs is one band in a line, and goes on in the next", () => {
  assert.deepEqual(bandsOf(MODEL, LINES[0]), [
    [0, 20],
    [30, 50],
  ]);
  assert.deepEqual(bandsOf(MODEL, LINES[1]), [[10, 30]]);
});

test("a text is shortened until it fits, without a space before the ellipsis, to nothing at last", () => {
  const measure = (text: string) => 10 * [...text].length;
  assert.equal(fittingText("token", 50, measure), "token");
  assert.equal(fittingText("tokens", 50, measure), "toke…");
  assert.equal(fittingText("to be or", 40, measure), "to…");
  assert.equal(fittingText("👩👩👩", 20, measure), "👩…");
  assert.equal(fittingText("tokens", 5, measure), "");
});

test("a ratio is a number where every token holds what it stands for", () => {
  const [known, unknown] = MODEL.rows;
  assert.deepEqual([ratioText(known, 2.5), ratioText(known, null), ratioText(unknown, 2.5)], ["2.50", "–", "?"]);
});
