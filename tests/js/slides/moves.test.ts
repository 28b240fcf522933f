import assert from "node:assert/strict";
import test from "node:test";
import {
  clockFace,
  elapsedTime,
  fittingMagnification,
  keyAction,
  minMagnification,
  moveTarget,
  STOPPED,
  slideScale,
  splitSlide,
  toggleTimer,
} from "../../../ui/components/slides/moves.ts";

const ROOM = { slides: 3, questions: 2, ahead: false, behind: false };
const at = (slide: number, asked = 0) => ({ slide, asked });

test("keys and what clickers send turn the slides, and none does with a modifier", () => {
  for (const key of ["ArrowRight", "PageDown", " ", "Enter"]) assert.equal(keyAction({ key }), "next");
  for (const key of ["ArrowLeft", "PageUp", "Backspace"]) assert.equal(keyAction({ key }), "back");
  assert.deepEqual(
    ["b", "B", ".", "s", "f", "?", "Escape", "Home", "End", "x"].map((key) => keyAction({ key })),
    ["blank", "blank", "blank", "notes", "full", "keys", "end", "first", "last", null],
  );
  for (const modifier of ["ctrlKey", "metaKey", "altKey"])
    assert.equal(keyAction({ key: "f", [modifier]: true }), null);
});

test("a slide's figure goes through its steps first, then come the question and its answer, then the next slide", () => {
  assert.equal(moveTarget(at(0), { ...ROOM, ahead: true }, "next"), "ahead");
  assert.deepEqual(moveTarget(at(0), ROOM, "next"), at(0, 1));
  assert.deepEqual(moveTarget(at(0, 1), { ...ROOM, ahead: true }, "next"), at(0, 2));
  assert.deepEqual(moveTarget(at(0, 2), ROOM, "next"), at(1));
  assert.deepEqual(moveTarget(at(0), { ...ROOM, questions: 0 }, "next"), at(1));
  assert.equal(moveTarget(at(2, 2), ROOM, "next"), null);
});

test("back goes the same way, and whole slides pass over steps and questions", () => {
  assert.deepEqual(moveTarget(at(1, 2), ROOM, "back"), at(1, 1));
  assert.equal(moveTarget(at(1), { ...ROOM, behind: true }, "back"), "behind");
  assert.deepEqual(moveTarget(at(1), ROOM, "back"), at(0));
  assert.equal(moveTarget(at(0), ROOM, "back"), null);
  assert.deepEqual(moveTarget(at(1), { ...ROOM, ahead: true }, "skip"), at(2));
  assert.deepEqual(moveTarget(at(1, 1), ROOM, "return"), at(1));
  assert.deepEqual(moveTarget(at(1), ROOM, "return"), at(0));
  assert.deepEqual(moveTarget(at(1), ROOM, "first"), at(0));
  assert.deepEqual(moveTarget(at(1), ROOM, "last"), at(2));
});

test("letters grow with the smaller side of the window, and stay legible on a phone", () => {
  assert.equal(slideScale(1280, 720), 1);
  assert.equal(slideScale(1920, 1080), 1.5);
  assert.equal(slideScale(2560, 720), 1);
  assert.equal(slideScale(390, 844), 0.6);
});

test("a figure is shown as large as it fits, and one that never fits as small as it may be", () => {
  assert.equal(
    fittingMagnification((times) => 300 * times <= 480, 1),
    1.6,
  );
  assert.equal(
    fittingMagnification(() => true, 1.5),
    3,
  );
  assert.equal(
    fittingMagnification(() => false, 1),
    1,
  );
  assert.ok(15 * minMagnification(1) >= 18); // a chart's smallest letters
});

test("what has no room beside others comes after them, with the words before it", () => {
  const [words, wide, note, tall] = [
    { height: 40, isFigure: false },
    { height: 300, isFigure: true },
    { height: 30, isFigure: false },
    { height: 380, isFigure: true },
  ];
  assert.deepEqual(splitSlide([words, wide, note, tall], 420), [
    [words, wide],
    [note, tall],
  ]);
  assert.deepEqual(splitSlide([words, wide, tall], 1000), [[words, wide, tall]]);
  assert.deepEqual(splitSlide([words, tall], 400), [[tall]]);
  assert.deepEqual(splitSlide([words], 400), [[words]]);
  assert.deepEqual(splitSlide([], 400), [[]]);
  const text = { height: 200, isFigure: false };
  assert.deepEqual(splitSlide([text, tall], 400), [[text], [tall]]);
  assert.deepEqual(splitSlide([text, tall], 400, true), [[tall]]);
  const line = { height: 60, isFigure: false };
  assert.deepEqual(splitSlide(Array(8).fill(line), 300), [Array(5).fill(line), Array(3).fill(line)]);
});

test("the timer counts while it runs, and keeps what it has counted while it stands", () => {
  const running = toggleTimer(STOPPED, 1_000);
  assert.equal(elapsedTime(running, 61_000), 60_000);
  const standing = toggleTimer(running, 61_000);
  assert.equal(elapsedTime(standing, 999_000), 60_000);
  assert.equal(elapsedTime(toggleTimer(standing, 100_000), 105_000), 65_000);
  assert.equal(elapsedTime(running, 0), 0); // a clock that was set back
});

test("a time is written in minutes and seconds, and in hours where there are any", () => {
  assert.deepEqual([0, 59_999, 61_000, 3_600_000 + 61_000].map(clockFace), ["0:00", "0:59", "1:01", "1:01:01"]);
});
