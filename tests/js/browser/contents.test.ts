// Which section of a page is the one that is being read.

import assert from "node:assert/strict";
import test from "node:test";

import { currentSection } from "../../../ui/components/browser/contents.ts";

const HEIGHT = 1000;
const FAR = 5000; // px that the page can still be scrolled

test("the section that is read is the last that began in the upper part of the window", () => {
  assert.equal(currentSection([80, 900, 2000], HEIGHT, FAR), 0);
  assert.equal(currentSection([-900, 301, 1400], HEIGHT, FAR), 0);
  assert.equal(currentSection([-900, 300, 1400], HEIGHT, FAR), 1);
  assert.equal(currentSection([-3000, -900, -10], HEIGHT, FAR), 2);
});

test("before the first heading the first is marked", () => {
  assert.equal(currentSection([400, 900], HEIGHT, FAR), 0);
});

test("at the end of the page each of its short sections has its turn, and the last comes last", () => {
  const tops = [-2000, 500, 700, 950]; // of a page that is scrolled to its end
  const at = (remaining: number) =>
    currentSection(
      tops.map((top) => top + remaining),
      HEIGHT,
      remaining,
    );
  assert.deepEqual([600, 250, 160, 40, 0].map(at), [0, 1, 1, 2, 3]);
});
