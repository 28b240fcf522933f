// How long a typed text is, which way it is written, and when it is sent.

import assert from "node:assert/strict";
import test from "node:test";

import { direction } from "../../../ui/components/_shared/text.ts";
import { agreementPause, isOver, measure, pause } from "../../../ui/components/live_text/text.ts";

test("a text is sent 50 ms after a key, and a second after the first one at the latest", () => {
  assert.deepEqual([0, 500, 950, 970, 1000, 4000].map(pause), [50, 50, 50, 30, 0, 0]);
});

test("characters are counted and cut by code point, as a string's own iterator has them", () => {
  const texts = ["", "a", "naïve", "👩‍👩‍👧 and 𝄞𝄞", "\ud800", "a\udc00b", "\ud83d\ud83d\ude00", "é".repeat(9)];
  for (const text of texts) {
    const points = [...text];
    for (let most = 0; most <= points.length + 1; most += 1) {
      assert.deepEqual(measure(text, most), { start: points.slice(0, most).join(""), total: points.length }, text);
    }
  }
});

test("a text is over its limit where its characters are more, however many units they take", () => {
  for (const [text, limit] of [
    ["abc", 3],
    ["abcd", 3],
    ["𝄞𝄞𝄞", 3],
    ["𝄞𝄞𝄞𝄞", 3],
    ["𝄞𝄞a𝄞", 3],
    ["", 0],
  ] as const) {
    assert.equal(
      isOver(text.length, () => text, limit),
      [...text].length > limit,
      text,
    );
  }
});

test("only a text in doubt is read", () => {
  const unread = () => assert.fail("read");
  assert.equal(isOver(3, unread, 3), false);
  assert.equal(isOver(7, unread, 3), true);
});

test("the first letter gives the direction", () => {
  assert.deepEqual(["hello", "12 שלום", "مرحبا", "… a שלום", "123", "", "\u{1e900}"].map(direction), [
    "ltr",
    "rtl",
    "rtl",
    "ltr",
    "ltr",
    "ltr",
    "rtl",
  ]);
});

test("a text that Python lacks is sent again after ever longer pauses, and at some time no more", () => {
  assert.deepEqual([0, 1, 2, 5].map(agreementPause), [700, 1400, 2800, 22400]);
  const pauses = Array.from({ length: 20 }, (_, tries) => agreementPause(tries));
  const given = pauses.filter((pause) => pause !== null);
  assert.ok(given.reduce((sum, pause) => sum + pause, 0) > 5 * 60_000);
  assert.deepEqual([...new Set(pauses.slice(given.length))], [null]);
});
