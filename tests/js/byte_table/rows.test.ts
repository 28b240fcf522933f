// Which bytes each code point holds, in which tokens they are, what is said of them, and which lines are drawn.

import assert from "node:assert/strict";
import test from "node:test";

import { byteModel, type Data, leadBits, linesInSight, spokenBytes } from "../../../ui/components/byte_table/rows.ts";

const names = ["character", "code_point", "bytes", "lead", "empty", "figure", "no_token"] as const;
const labels = Object.fromEntries([
  ...names.map((name) => [name, name]),
  ["token", "‘{label}’ {id}"],
]) as Data["labels"];
function kindOf(character: string) {
  const points = [...character].map((point) => {
    const number = `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
    return [number, "NAME", [...new TextEncoder().encode(point)]] as [string, string, number[]];
  });
  return [character, points] as [string, [string, string, number[]][]];
}

// "aéa👩‍👩" at columns 5 to 8: é is two bytes in two tokens, the last character three code points.
const FAMILY = "👩\u200d👩";
const MODEL = byteModel({
  kinds: [kindOf("a"), kindOf("é"), kindOf(FAMILY)],
  order: [0, 1, 0, 2],
  tokens: [
    ["a⟨C3⟩", 10],
    ["⟨A9⟩a", 11],
    ["👩", 12],
    ["zwj", 13],
  ],
  token_of_byte: [0, 0, 1, 1, ...Array(4).fill(2), ...Array(3).fill(3), ...Array(4).fill(-1)],
  first_column: 5,
  labels,
});

test("every code point has a line, which starts where the one before ends", () => {
  const text = `aéa${FAMILY}`;
  assert.equal(MODEL.lines.length, [...text].length);
  let start = 0;
  MODEL.lines.forEach((line, index) => {
    const bytes = [...new TextEncoder().encode([...text][index])];
    assert.deepEqual(MODEL.bytesOf(line), bytes);
    assert.equal(line.start, start);
    start += bytes.length;
  });
  assert.deepEqual(
    [...MODEL.linesOf],
    [
      [5, [0, 0]],
      [6, [1, 1]],
      [7, [2, 2]],
      [8, [3, 5]],
    ],
  );
});

test("a character is in the tokens that hold any of its bytes, and a byte may be in none", () => {
  assert.deepEqual(
    [5, 6, 7, 8].map((column) => [...MODEL.tokensOf(column)]),
    [[0], [0, 1], [1], [2, 3]],
  );
});

test("a character is read out with its code points, its bytes and its tokens", () => {
  assert.equal(spokenBytes(MODEL, 6), "é, U+00E9 NAME, C3 A9, ‘a⟨C3⟩’ 10, ‘⟨A9⟩a’ 11");
  assert.equal(
    spokenBytes(MODEL, 8),
    `${FAMILY}, U+1F469 NAME, U+200D NAME, U+1F469 NAME, F0 9F 91 A9 E2 80 8D F0 9F 91 A9, ‘👩’ 12, ‘zwj’ 13`,
  );
});

test("the leading bits are those that UTF-8 spends on telling where a byte stands", () => {
  for (const character of ["a", "é", "€", "👩"]) {
    const [first, ...others] = new TextEncoder().encode(character);
    const zero = first.toString(2).padStart(8, "0").indexOf("0");
    assert.equal(leadBits(first), zero + 1, character);
    for (const byte of others) assert.equal(leadBits(byte), 2);
  }
  assert.deepEqual(
    [0x00, 0x7f, 0x80, 0xbf, 0xc2, 0xdf, 0xe0, 0xef, 0xf0, 0xf4].map(leadBits),
    [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
  );
});

test("the lines in sight are drawn, and three more on either side, within the text", () => {
  assert.deepEqual(linesInSight(0, 880, 40, 88, 100), [0, 13]);
  assert.deepEqual(linesInSight(40 + 88 * 20, 880, 40, 88, 100), [17, 34]);
  assert.deepEqual(linesInSight(88 * 98, 880, 40, 88, 100), [94, 99]);
  assert.deepEqual(linesInSight(0, 880, 40, 88, 4), [0, 3]);
});
