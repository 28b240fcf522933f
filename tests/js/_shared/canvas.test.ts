// Bounds of numbers and easing, texts, and the sums written out.

import assert from "node:assert/strict";
import test from "node:test";

import { clamp, ease } from "../../../ui/components/_shared/canvas.ts";
import { sumParts, sumText } from "../../../ui/components/_shared/exact_sum.ts";
import { fillLabel, labelsDirection, runsAgainst } from "../../../ui/components/_shared/text.ts";

test("a number is kept within its bounds", () => {
  assert.deepEqual(
    [-3, 0, 2, 5, 9].map((value) => clamp(value, 0, 5)),
    [0, 0, 2, 5, 5],
  );
  assert.equal(clamp(3, 0, -1), 0);
});

test("a movement is slow at both ends and half-way in the middle", () => {
  assert.deepEqual([0, 0.5, 1].map(ease), [0, 0.5, 1]);
  for (let share = 0; share <= 0.5; share += 0.05) {
    assert.ok(Math.abs(ease(share) - 4 * share * share * share) < 1e-12);
    assert.ok(Math.abs(ease(share) + ease(1 - share) - 1) < 1e-12);
  }
});

test("holes without a value stay", () => {
  assert.equal(fillLabel("{a} of {b}, {a}", { a: 0 }), "0 of {b}, 0");
});

test("a Chinese label has no space beside a Chinese value, and one beside a Latin one", () => {
  const said = (names: string) => fillLabel("有 {names} 会", { names });
  assert.deepEqual(["码点", "gpt2", "码 点"].map(said), ["有码点会", "有 gpt2 会", "有码 点会"]);
});

test("what runs from right to left does not reorder the sentence around it", () => {
  assert.equal(fillLabel("‘{label}’, id {id}", { label: "שלום", id: 7 }), "‘\u2068שלום\u2069’, id 7");
  assert.equal(fillLabel("‘{label}’", { label: "cat" }), "‘cat’");
});

test("tokens run as the first of them with a letter of the text, not as bytes or special tokens", () => {
  assert.equal(labelsDirection(["[CLS]", "⟨d8 a7⟩", "1", "·سلام", "GPT"]), "rtl");
  assert.equal(labelsDirection(["the", "שלום"]), "ltr");
  assert.equal(labelsDirection(["<s>", "…"]), "ltr");
  assert.equal(runsAgainst("שלום 1", "rtl"), false);
  assert.equal(runsAgainst("שלום 12", "rtl"), true);
  assert.equal(runsAgainst("שלום GPT", "rtl"), true);
  assert.equal(runsAgainst("GPT שלום", "ltr"), true);
});

test("a sum takes the decimals with which what is shown adds up", () => {
  const [tenth, fifth] = [Math.fround(0.1), Math.fround(0.2)];
  assert.equal(sumText(tenth, fifth), "0.100 + 0.200 = 0.300");
  assert.equal(sumText(Math.fround(0.0004), Math.fround(0.0004)), "0.0004 + 0.0004 = 0.0008");
  assert.equal(sumText(fifth, -tenth), "0.200 + (−0.100) = 0.100");
  assert.deepEqual(sumParts(1, 2, 4), { terms: ["1.0000", "2.0000", "3.0000"], sign: "=", decimals: 4 });
  assert.equal(sumParts(Math.fround(1e7 + 1), Math.fround(0.33333334)).sign, "≈");
});
