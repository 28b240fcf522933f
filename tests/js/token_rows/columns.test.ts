// The text as columns: what a payload holds, which tokens hold a column, lines, and where keys and buttons lead.

import assert from "node:assert/strict";
import test from "node:test";

import {
  chipLabel,
  estimateWidths,
  placeAfterKey,
  placeBeside,
  restingColumn,
  rowsModel,
  sharingTokens,
  textLines,
  tokensAt,
  tokenText,
} from "../../../ui/components/token_rows/columns.ts";
import { ratioText } from "../../../ui/components/token_rows/head.tsx";
import { rowsPayload } from "./rows.ts";

// "cats 猫!" by words and by bytes: 猫 is three tokens, which share its column; "!" is in none of the first row's.
const MODEL = rowsModel(
  rowsPayload(
    "cats·猫!",
    [
      {
        spans: [
          [0, 3],
          [4, 5],
        ],
        labels: {},
      },
      {
        spans: [
          [0, 2],
          [3, 3],
          [5, 5],
          [5, 5],
          [5, 5],
          [6, 6],
        ],
        labels: { 1: "##s", 2: "⟨E7⟩", 3: "⟨8C⟩", 4: "⟨AB⟩" },
      },
    ],
    {
      differing: [
        [2, 4],
        [5, 6],
      ],
    },
  ),
);

test("a row's tokens have their columns and ids, and each column its stretch", () => {
  const [first, second] = MODEL.rows;
  assert.deepEqual([...first.first, ...first.last, ...first.ids], [0, 4, 3, 5, 100, 101]);
  assert.deepEqual([...second.last], [2, 3, 5, 5, 5, 6]);
  assert.deepEqual([...MODEL.place], [-1, -1, 0, 0, -1, 1, -1]);
  assert.equal(MODEL.count, 7);
});

test("while nothing is pointed at, the first letter that the rows split differently is", () => {
  assert.equal(restingColumn(MODEL), 2);
  const place = Int32Array.of(-1, -1, -1, -1, 0, 0, -1); // from the space before 猫 on
  assert.equal(restingColumn({ ...MODEL, place }), 5);
  assert.equal(restingColumn({ ...MODEL, place: new Int32Array(7).fill(-1) }), 0);
  assert.equal(restingColumn({ ...MODEL, count: 0, characters: [] }), null);
});

test("what crosses an edge is counted from all rows", () => {
  const crossed = Array.from(
    { length: 8 },
    (_, edge) =>
      MODEL.rows.flatMap((row) => [...row.first].filter((first, i) => first < edge && edge <= row.last[i])).length,
  );
  assert.deepEqual([...MODEL.crossed], crossed);
});

test("what is chosen is no part of a text's content", () => {
  const content = (spans: [number, number][], more: object = {}) =>
    rowsModel(rowsPayload("ab", [{ spans }], more)).content;
  assert.equal(content([[0, 1]], { chosen: 1, turn: 4 }), content([[0, 1]]));
  assert.notEqual(content([[0, 1]], { differing: [[0, 1]] }), content([[0, 1]]));
  assert.notEqual(
    content([
      [0, 0],
      [1, 1],
    ]),
    content([[0, 1]]),
  );
});

test("tokens share a column where one begins in the column that the one before ends in", () => {
  const sharing = (first: number[], last: number[]) => {
    const row = { first: Int32Array.from(first), last: Int32Array.from(last), count: first.length };
    return first.map((_, token) => sharingTokens(row, token));
  };
  assert.deepEqual(sharing([0, 3, 5, 5, 5, 6], [2, 3, 5, 5, 5, 6]), [
    [0, 0],
    [1, 1],
    [2, 4],
    [2, 4],
    [2, 4],
    [5, 5],
  ]);
  assert.deepEqual(sharing([0, 1, 1, 2], [1, 1, 2, 3]), [
    [0, 3],
    [0, 3],
    [0, 3],
    [0, 3],
  ]);
});

test("the tokens at a column are those that a loop over all finds", () => {
  for (const row of MODEL.rows) {
    for (let column = 0; column < MODEL.count; column += 1) {
      const [start, stop] = tokensAt(row, column);
      const holding = [...row.ids.keys()].filter((i) => row.first[i] <= column && column <= row.last[i]);
      assert.deepEqual(
        Array.from({ length: stop - start }, (_, i) => start + i),
        holding,
        `${column}`,
      );
    }
  }
});

test("a token is written as its label says, else by its characters", () => {
  const [first, second] = MODEL.rows;
  assert.equal(tokenText(MODEL, first, 1), "·猫");
  assert.equal(tokenText(MODEL, second, 2), "⟨E7⟩");
});

test("a chip shows its characters, with the label's mark, or else the label, its bytes without brackets", () => {
  const [first, second] = MODEL.rows;
  assert.deepEqual(chipLabel(MODEL, first, 0), {});
  assert.deepEqual(chipLabel(MODEL, second, 1), { mark: "##" });
  assert.deepEqual(chipLabel(MODEL, second, 3), { label: "8C" });
});

test("a column has room for its character, and for the labels of all tokens that share it", () => {
  const widths = estimateWidths(MODEL, (text, size) => [...text].length * size);
  assert.deepEqual([...widths.slice(0, 4)], [20, 20, 20, 20]); // a mark makes no column wider
  assert.equal(widths[5], 3 * (2 * 15 + 10)); // three bytes of two letters at 15 px and 10 around them
});

/**
 * @param crossed edges that a token lies across
 * @param room of columns that are 10 px wide
 */
function cut(text: string, crossed: number[], room: number) {
  const count = text.length;
  const edges = Uint16Array.from({ length: count + 1 }, (_, edge) => Number(crossed.includes(edge)));
  const lines = textLines({ count, characters: [...text], crossed: edges }, Array(count).fill(10), room);
  assert.deepEqual(
    lines.map(({ start }) => start),
    [0, ...lines.map(({ stop }) => stop)].slice(0, lines.length),
  );
  return lines.map(({ start, stop }) => text.slice(start, stop));
}

test("a line holds as many columns as fit, and is cut between tokens where that is not too far back", () => {
  assert.deepEqual(cut("abcdefghij", [], 40), ["abcd", "efgh", "ij"]);
  assert.deepEqual(cut("abcdefghij", [4], 40), ["abc", "defg", "hij"]);
  assert.deepEqual(cut("abcdefghij", [2, 3, 4], 40), ["abcd", "efgh", "ij"]);
  assert.deepEqual(cut("abc", [], 5), ["a", "b", "c"]);
  assert.deepEqual(cut("", [], 40), []);
});

test("a line ends at a line break, which a token across it forbids", () => {
  assert.deepEqual(cut("ab↵cd", [], 100), ["ab↵", "cd"]);
  assert.deepEqual(cut("ab↵cd", [3], 100), ["ab↵cd"]);
});

const SPLIT = rowsModel(
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
const after = (row: number, token: number, key: string) =>
  placeAfterKey(
    SPLIT,
    [
      { start: 0, stop: 5 },
      { start: 5, stop: 10 },
    ],
    { row, token },
    key,
  );

test("left and right go from token to token of a row, Home and End to its ends", () => {
  const moves: [string, number, number][] = [
    ["ArrowLeft", 1, 0],
    ["ArrowLeft", 0, 0],
    ["ArrowRight", 2, 3],
    ["ArrowRight", 3, 3],
    ["Home", 2, 0],
    ["End", 1, 3],
  ];
  for (const [key, from, token] of moves) assert.deepEqual(after(1, from, key), { row: 1, token }, key);
});

test("up and down go to the token of the other row that holds this one's first column", () => {
  assert.deepEqual(after(1, 1, "ArrowUp"), { row: 0, token: 0 });
  assert.deepEqual(after(0, 1, "ArrowDown"), { row: 1, token: 1 });
  assert.deepEqual(after(0, 2, "ArrowUp"), { row: 0, token: 2 });
  assert.deepEqual(after(1, 3, "ArrowDown"), { row: 1, token: 3 });
});

test("page keys go to the same place of the next line, other keys nowhere", () => {
  assert.deepEqual(after(1, 1, "PageDown"), { row: 1, token: 2 });
  assert.deepEqual(after(1, 3, "PageUp"), { row: 1, token: 1 });
  const thirds = [0, 3, 6].map((start) => ({ start, stop: start + 3 }));
  assert.deepEqual(placeAfterKey(SPLIT, thirds, { row: 1, token: 0 }, "PageDown"), { row: 1, token: 1 });
  assert.equal(after(0, 0, "x"), null);
});

test("from a place one goes to where the next begins, and back to the one before", () => {
  assert.deepEqual(
    [null, 0, 2, 4, 6, 9].map((column) => placeBeside(SPLIT, column, 1)),
    [0, 3, 3, 6, null, null],
  );
  assert.deepEqual(
    [null, 0, 2, 4, 5, 7, 9].map((column) => placeBeside(SPLIT, column, -1)),
    [null, null, 0, 0, 3, 3, 6],
  );
});

test("a ratio is a number where every token holds what it stands for", () => {
  const [known, unknown] = SPLIT.rows;
  assert.deepEqual([ratioText(known, 2.5), ratioText(known, null), ratioText(unknown, 2.5)], ["2.50", "–", "?"]);
});
