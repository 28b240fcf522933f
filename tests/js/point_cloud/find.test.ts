import assert from "node:assert/strict";
import test from "node:test";
import { findNames, foldCase, nameIndex } from "../../../ui/components/point_cloud/find.ts";

const NONE = { rows: [], texts: [] };

test("the name itself comes first, then names that begin with the text, then the others, each in their order", () => {
  const index = nameIndex(["overcat", "·cats", "cat", "·Cat", "dog", "concat", "catalogue"], NONE);
  assert.deepEqual(findNames(index, "cat"), [2, 3, 1, 6, 0, 5]);
  assert.deepEqual(findNames(index, "CAT"), [2, 3, 1, 6, 0, 5]);
  assert.deepEqual(findNames(index, " cat"), [3, 1]);
  assert.deepEqual(findNames(index, "bird"), []);
  assert.deepEqual(findNames(index, ""), []);
});

test("a name is found once, however often it has the text, and never across two names", () => {
  const index = nameIndex(["banana", "na", "bana"], NONE);
  assert.deepEqual(findNames(index, "na"), [1, 0, 2]);
  assert.deepEqual(findNames(index, "aba"), []);
});

test("a sigma is found whichever form it has at the end of the text", () => {
  assert.deepEqual(findNames(nameIndex(["ΟΔΟΣΑ", "οδος"], NONE), "οδος"), [1, 0]);
});

test("what a label does not say is searched as it is", () => {
  const index = nameIndex(["a↵b", "·", "⟨E6⟩"], { rows: [0, 1, 2], texts: ["a\nb", "·", "\ufffd"] });
  assert.deepEqual(findNames(index, "·"), [1]);
  assert.deepEqual(findNames(index, "E6"), []);
  assert.deepEqual(findNames(index, "b"), [0]);
});

test("case is folded as Python's casefold does", () => {
  for (const [a, b] of ["ß SS", "ẞ ss", "ΟΔΟΣ οδοσ", "ς Σ", "ﬁ FI", "ſ S", "K k", "ŉ ʼN", "µ Μ", "ᾳ ΑΙ", "Ж ж"].map(
    (pair) => pair.split(" "),
  ))
    assert.equal(foldCase(a), foldCase(b));
  for (const [a, b] of ["ı i", "é e", "ü u"].map((pair) => pair.split(" "))) assert.notEqual(foldCase(a), foldCase(b));
});
