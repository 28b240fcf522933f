// The text as columns: what a payload holds, which tokens hold a column, widths, lines and the places of tokens in them.

import assert from "node:assert/strict";
import test from "node:test";

import {
  chipText,
  columnWidths,
  restingColumn,
  rowsModel,
  sharedColumns,
  textLines,
  tokenSpan,
  tokensAt,
  tokenText,
} from "../../../ui/components/token_rows/columns.ts";
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

test("what is chosen is no part of how the rows look", () => {
  const spans = [[0, 1]] as [number, number][];
  const looks = (more: object) => rowsModel(rowsPayload("ab", [{ spans }], more)).looks;
  assert.equal(looks({ chosen: 1, turn: 4 }), looks({}));
  assert.notEqual(looks({ differing: [[0, 1]] }), looks({}));
  assert.notEqual(
    rowsModel(
      rowsPayload("ab", [
        {
          spans: [
            [0, 0],
            [1, 1],
          ],
        },
      ]),
    ).looks,
    looks({}),
  );
});

test("tokens share a column where one begins in the column that the one before ends in", () => {
  assert.deepEqual([...sharedColumns([0, 3, 5, 5, 5, 6], [2, 3, 5, 5, 5, 6])], [[5, { start: 2, count: 3 }]]);
  assert.deepEqual(
    [...sharedColumns([0, 1, 1, 2], [1, 1, 2, 3])],
    [
      [1, { start: 0, count: 3 }],
      [2, { start: 2, count: 2 }],
    ],
  );
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

test("a chip shows its characters with the label's mark, or bytes without their brackets", () => {
  const [first, second] = MODEL.rows;
  assert.deepEqual(chipText(MODEL, first, 0), { text: "cats", mark: "", own: true });
  assert.deepEqual(chipText(MODEL, second, 1), { text: "s", mark: "##", own: true });
  assert.deepEqual(chipText(MODEL, second, 3), { text: "8C", mark: "", own: false });
});

const measure = (text: string, size: number) => [...text].length * size;

test("a column is as wide as its character, its share of tokens, and the marks of their labels ask for", () => {
  const widths = columnWidths(MODEL, measure, 1000);
  assert.deepEqual([...widths.slice(0, 3)], [21, 21, 21]); // one letter of 20 px and a pixel
  // "##s": the letter at 20 px, the mark at 13 each, 6 beside them.
  assert.equal(widths[3], 20 + 2 * 13 + 6);
  // Three bytes of two letters at 13 px and 8 beside them.
  assert.equal(widths[5], 3 * (2 * 13 + 8));
});

test("no column is wider than a line less the space before it", () => {
  const widths = columnWidths(MODEL, measure, 80);
  assert.equal(widths[5], 60);
});

/**
 * @param crossed edges that a token lies across
 * @param room of columns that are 10 px wide
 */
function cut(text: string, crossed: number[], room: number) {
  const count = text.length;
  const edges = Uint16Array.from({ length: count + 1 }, (_, edge) => Number(crossed.includes(edge)));
  const model = { count, characters: [...text], crossed: edges };
  const lines = textLines(
    model,
    Float32Array.from({ length: count }, () => 10),
    room,
  );
  assert.deepEqual(
    lines.map((line) => line.start),
    [0, ...lines.slice(0, -1).map((line) => line.stop)].slice(0, lines.length),
  );
  for (const line of lines) {
    assert.equal(line.width, 10 * (line.stop - line.start));
    assert.deepEqual(
      [...line.edges],
      Array.from({ length: line.stop - line.start + 1 }, (_, i) => 10 * i),
    );
  }
  return lines.map(({ start, stop }) => text.slice(start, stop));
}

test("a line holds as many columns as fit, and is cut between tokens where that is not too far back", () => {
  assert.deepEqual(cut("abcdefghij", [], 40), ["abcd", "efgh", "ij"]);
  assert.deepEqual(cut("abcdefghij", [4], 40), ["abc", "defg", "hij"]);
  assert.deepEqual(cut("abcdefghij", [2, 3, 4], 40), ["abcd", "efgh", "ij"]);
  assert.deepEqual(cut("", [], 40), []);
});

test("a line ends at a line break, which a token across it forbids", () => {
  assert.deepEqual(cut("ab↵cd", [], 100), ["ab↵", "cd"]);
  assert.deepEqual(cut("ab↵cd", [3], 100), ["ab↵cd"]);
});

test("a token reaches over its columns, and over its share of one that it shares", () => {
  const [line] = textLines(
    MODEL,
    Float32Array.from({ length: 7 }, () => 30),
    1000,
  );
  const spans = (row: number) => [...MODEL.rows[row].ids.keys()].map((i) => tokenSpan(MODEL.rows[row], i, line));
  assert.deepEqual(spans(0), [
    [0, 120],
    [120, 180],
  ]);
  assert.deepEqual(spans(1), [
    [0, 90],
    [90, 120],
    [150, 160],
    [160, 170],
    [170, 180],
    [180, 210],
  ]);
});
