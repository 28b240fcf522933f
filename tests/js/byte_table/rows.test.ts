// Which bytes each character holds, in which tokens they are, how they are described, and which rows they stand in.

import assert from "node:assert/strict";
import test from "node:test";

import {
  arrangeRows,
  bytesOf,
  describeCharacter,
  groupBytes,
  leadBits,
  readCharacters,
  tokensOf,
} from "../../../ui/components/byte_table/rows.ts";

function kindOf(character: string) {
  const points = [...character].map((point) => {
    const number = `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
    return [number, "NAME", [...new TextEncoder().encode(point)]] as [string, string, number[]];
  });
  return [character, points] as [string, [string, string, number[]][]];
}

// "aéa👩‍👩" at columns 5 to 8: é is two bytes in two tokens, the last character three code points.
const FAMILY = "👩\u200d👩";
const DATA = {
  kinds: [kindOf("a"), kindOf("é"), kindOf(FAMILY)],
  order: [0, 1, 0, 2],
  tokens: [
    ["a⟨C3⟩", 10],
    ["⟨A9⟩a", 11],
    ["👩", 12],
    ["zwj", 13],
  ] as [string, number][],
  token_of_byte: [0, 0, 1, 1, ...Array(4).fill(2), ...Array(3).fill(3), ...Array(4).fill(-1)],
  first_column: 5,
  labels: { token: "‘{label}’ {id}" },
};
const CHARACTERS = readCharacters(DATA);

test("a character has its column and its bytes, which start where those of the one before end", () => {
  assert.deepEqual(
    CHARACTERS.map(({ column, start }) => [column, start]),
    [
      [5, 0],
      [6, 1],
      [7, 3],
      [8, 4],
    ],
  );
  const bytes = CHARACTERS.flatMap(bytesOf);
  assert.deepEqual(bytes, [...new TextEncoder().encode(`aéa${FAMILY}`)]);
});

test("characters of one byte stand side by side, another has a row for each code point", () => {
  const rows = (text: string, perRow: number, tokenOfByte?: number[]) => {
    const kinds = [...new Set(text)].map(kindOf);
    const order = [...text].map((character) => kinds.findIndex(([label]) => label === character));
    const characters = readCharacters({ kinds, order, first_column: 0 });
    return arrangeRows(characters, perRow * 46, tokenOfByte).map((row) =>
      row.characters.map(({ label }) => label).join(""),
    );
  };
  assert.deepEqual(rows("abcdef", 4), ["abcd", "ef"]);
  assert.deepEqual(rows("abécd", 4), ["ab", "é", "cd"]);
  assert.deepEqual(rows("abcdef", 4, [0, 0, 1, 1, 1, 2]), ["ab", "cdef"]);
  assert.deepEqual(rows("abcdefg", 4, [0, 1, 1, 1, 1, 1, -1]), ["abcd", "efg"]);
  assert.deepEqual(
    arrangeRows(CHARACTERS, 400).map(({ point }) => point),
    [null, 0, null, 0, 1, 2],
  );
});

test("bytes stand together by token, those without one apart, and a token may go on elsewhere", () => {
  const groups = groupBytes([1, 2, 3, 4], 1, [0, 0, 0, -1, -1, 2]);
  assert.deepEqual(
    groups.map(({ bytes }) => bytes),
    [[1, 2], [3], [4]],
  );
  assert.deepEqual(
    groups.map(({ begins, goesOn }) => [begins, goesOn]),
    [
      [false, false],
      [true, false],
      [true, false],
    ],
  );
  const [cut] = groupBytes([1], 0, [4, 4]);
  assert.deepEqual([cut.begins, cut.goesOn, cut.start], [true, true, 0]);
});

test("a character is in the tokens that hold any of its bytes, and a byte may be in none", () => {
  assert.deepEqual(
    CHARACTERS.map((character) => [...tokensOf(character, DATA)]),
    [[0], [0, 1], [1], [2, 3]],
  );
});

test("a character is described with its code points, its bytes and its tokens", () => {
  const described = (index: number) => describeCharacter(CHARACTERS[index], DATA);
  assert.deepEqual(described(0), ["a", "U+0061 NAME", "61 = 01100001", "‘a⟨C3⟩’ 10"]);
  assert.deepEqual(described(1), ["é", "U+00E9 NAME", "C3 A9", "‘a⟨C3⟩’ 10", "‘⟨A9⟩a’ 11"]);
  assert.equal(described(3)[4], "F0 9F 91 A9 E2 80 8D F0 9F 91 A9");
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
