// Which chips stand as one, which keep their elements after an edit, and the bytes that fit a line.

import assert from "node:assert/strict";
import test from "node:test";

import { commonEnds, firstBytes, readChip, unitsOf } from "../../../ui/components/token_chips/units.ts";

const chip = (label: string, position: number, group: number | null = null) =>
  readChip([position, 7, label, "61", false, 1, 1, group, "", true]);
const words = (text: string) => unitsOf([...text].map((letter, position) => chip(letter, position)));

test("what Python sends in a row becomes a chip by its names", () => {
  assert.deepEqual(readChip([3, 464, "The", "54 68 65", true, 1, 2, 0, "é", false]), {
    ...{ position: 3, id: 464, label: "The", bytes: "54 68 65", gap: true },
    ...{ part: 1, parts: 2, group: 0, character: "é", known: false },
  });
});

test("only neighbours of one split character are one unit", () => {
  const units = unitsOf([chip("a", 0), chip("b", 1, 0), chip("c", 2, 0), chip("d", 3, 1), chip("e", 4), chip("f", 5)]);
  assert.deepEqual(
    units.map((unit) => unit.chips.map(({ label }) => label).join("")),
    ["a", "bc", "d", "e", "f"],
  );
  assert.deepEqual(
    units.map(({ group }) => group),
    [null, 0, 1, null, null],
  );
});

test("a unit looks the same wherever it stands", () => {
  assert.equal(unitsOf([chip("a", 0)])[0].looks, unitsOf([chip("a", 9)])[0].looks);
  assert.equal(unitsOf([chip("a", 0, 0)])[0].looks, unitsOf([chip("a", 0, 3)])[0].looks);
  assert.notEqual(unitsOf([chip("a", 0)])[0].looks, unitsOf([chip("b", 0)])[0].looks);
});

test("an edit keeps what is before and behind it, and counts no unit twice", () => {
  const edits: [string, string, number, number][] = [
    ["abcd", "abxd", 2, 1],
    ["abcd", "abcd", 4, 0],
    ["", "ab", 0, 0],
    ["ab", "", 0, 0],
    ["aaa", "aa", 2, 0],
    ["aa", "aaa", 2, 0],
    ["abab", "ab", 2, 0],
    ["xab", "ab", 0, 2],
    ["abc", "xyz", 0, 0],
  ];
  for (const [before, after, head, tail] of edits) {
    assert.deepEqual(commonEnds(words(before), words(after)), { head, tail }, `${before} > ${after}`);
  }
});

test("sixteen bytes fit the line, and what is left out is counted", () => {
  const bytes = (count: number) => Array.from({ length: count }, (_, index) => `0${index % 10}`).join(" ");
  const more = (count: number) => `+${count}`;
  assert.equal(firstBytes(bytes(16), more), bytes(16));
  assert.equal(firstBytes(bytes(17), more), `${bytes(16)} +1`);
  assert.equal(firstBytes(bytes(40), more), `${bytes(16)} +24`);
});
