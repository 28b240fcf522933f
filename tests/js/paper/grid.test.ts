// Tables and tokens on paper: who gets how much room, where tokens go on, and that everything is text.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Cell, drawGrid, fairColumnWidths, flowTokens } from "../../../ui/components/paper/grid.ts";

const measure = (text: string) => 8 * text.length;

test("a column that needs little leaves its room to others, and none is squeezed to nothing", () => {
  assert.deepEqual(fairColumnWidths([100, 200], 400), [100, 200]);
  assert.deepEqual(fairColumnWidths([100, 900], 400), [100, 300]);
  assert.deepEqual(fairColumnWidths([900, 100, 900], 500), [200, 100, 200]);
  assert.deepEqual(fairColumnWidths([900, 900], 100), [72, 72]);
});

test("tokens go on in a next line, and one that is wider than a line is cut", () => {
  const tokens: [string, string][] = [
    ["the", ""],
    ["queen", ""],
    ["and", ""],
    ["x".repeat(40), ""],
  ];
  const { placed, height } = flowTokens(tokens, 110, measure);
  assert.deepEqual(
    placed.map(({ x, y, width }) => [x, y, width]),
    [
      [0, 0, 40],
      [45, 0, 56],
      [0, 33, 40],
      [0, 66, 104],
    ],
  );
  assert.equal(placed[3].token[0], `${"x".repeat(10)}…`);
  assert.equal(height, 66 + 28);
  assert.equal(flowTokens([["a", "464"]], 110, measure).height, 46);
});

test("a table has its headings, lines under each other, numbers to the right, and no markup in any text", () => {
  const rows = [
    ["<b>", "1.5"],
    ["longer", "−20"],
  ];
  const { inner, width, height } = drawGrid({ columns: ["Name & more", "Share"], rows }, 960, measure);
  assert.equal(width, 960);
  assert.equal(height, 3 * 39 + 2);
  assert.ok(inner.includes(">&lt;b&gt;</text>"));
  assert.ok(inner.includes('font-weight="bold">Name &amp; more</text>'));
  const ends = [...inner.matchAll(/<text x="([\d.]+)"[^>]*text-anchor="end">/g)].map(([, x]) => x);
  assert.equal(ends.length, 3);
  assert.equal(new Set(ends).size, 1);
});

test("names that are empty take no line, and one row of tokens no rule", () => {
  const { inner, height } = drawGrid({ columns: [""], rows: [[[["a", ""]]]] }, 960, measure);
  assert.equal(height, 28 + 16 + 2);
  assert.ok(!inner.includes("<path"));
  assert.equal(drawGrid({ columns: [], rows: [] }, 960, measure).height, 2);
});

test("Hebrew and Arabic run from right to left, a text's next lines too, and so do their tokens", () => {
  const row: Cell[] = [
    `שלום 12 ${"abc ".repeat(30)}`,
    [
      ["⟨D7⟩", "1"],
      ["לום", "2"],
      ["x", "3"],
    ],
  ];
  const { inner } = drawGrid({ columns: ["Text", "Tokens"], rows: [row] }, 500, measure);
  const lines = [...inner.matchAll(/<text x="0"[^>]*direction="rtl" text-anchor="end">([^<]*)/g)].map(
    ([, line]) => line,
  );
  assert.ok(lines.length > 1);
  assert.ok(lines[1].startsWith("abc"));
  const places = [...inner.matchAll(/<rect x="([\d.]+)"/g)].map(([, x]) => Number(x));
  assert.deepEqual(places.length, 3);
  assert.ok(places[0] > places[1] && places[1] > places[2]);
  assert.match(inner, /direction="rtl" text-anchor="middle">לום/);
  assert.match(inner, /<text[^r]*text-anchor="middle">x</);
});
