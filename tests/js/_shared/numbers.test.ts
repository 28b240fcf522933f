// How each language writes numbers, lists, colons and quotation marks.

import assert from "node:assert/strict";
import test from "node:test";
import { sumText } from "../../../ui/components/_shared/exact_sum.ts";
import {
  countText,
  decimalText,
  language,
  listText,
  localizeNumber,
  namedText,
  quotedText,
  sentencesText,
  setLanguage,
  significantText,
} from "../../../ui/components/_shared/numbers.ts";
import { tickText } from "../../../ui/components/point_cloud/axes.ts";

function spoken(tag: string, check: () => void) {
  setLanguage({ language: tag });
  check();
  setLanguage({ language: "en" });
}

test("decimals have a true minus, and none where they round to zero", () => {
  assert.equal(decimalText(-1.25, 3), "−1.250");
  assert.equal(decimalText(-0.0004, 3), "0.000");
  assert.equal(decimalText(-0, 2), "0.00");
  assert.equal(decimalText(12.3456, 2), "12.35");
  assert.equal(significantText(-0.0012345, 3), "−0.00123");
  assert.equal(countText(-50_257), "−50,257");
});

test("French has a decimal comma and narrow spaces between thousands", () => {
  spoken("fr", () => {
    assert.equal(decimalText(-1234.5, 2), "−1234,50");
    assert.equal(countText(1_234_567), "1\u202f234\u202f567");
    assert.equal(significantText(0.123456, 3), "0,123");
    assert.equal(localizeNumber("-2.5e-7"), "−2,5e−7");
    assert.deepEqual(
      [-0.5, 0, 0.5].map((value) => tickText(value, 0.5)),
      ["−0,5", "0", "0,5"],
    );
    assert.equal(sumText(0.25, -0.5), "0,250 + (−0,500) = −0,250");
  });
});

test("Chinese writes numbers as English does", () => {
  spoken("zh-Hans", () => {
    assert.equal(decimalText(-0.5, 2), "−0.50");
    assert.equal(countText(50_257), "50,257");
  });
});

test("lists, colons, quotation marks and the gap between sentences are the language's own", () => {
  const written = () => [listText(["a", "b"]), namedText("a", "b"), quotedText("a"), sentencesText(["A.", "", "B."])];
  assert.deepEqual(written(), ["a, b", "a: b", "“a”", "A. B."]);
  spoken("fr", () => assert.deepEqual(written(), ["a, b", "a\u00a0: b", "«\u202fa\u202f»", "A. B."]));
  spoken("zh-Hans", () => assert.deepEqual(written(), ["a、b", "a：b", "“a”", "A.B."]));
});

test("labels without a language change nothing", () => {
  setLanguage({});
  setLanguage(undefined);
  assert.equal(language(), "en");
});
