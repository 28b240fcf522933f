// What a finger does to the block: to the side it turns it, up and down it scrolls the page.

import assert from "node:assert/strict";
import test from "node:test";

import { listenToBlock } from "../../../ui/components/tensor_block/events.ts";
import { VIEWS } from "../../../ui/components/tensor_block/parts.ts";

type Move = [type: string, x: number, y: number];

/** Return what a figure is asked to do while a pointer moves so over its canvas. */
function done(pointerType: "mouse" | "touch", moves: Move[]) {
  const calls: [name: string, ...numbers: number[]][] = [];
  const figure: any = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...by: number[]) =>
          calls.push([String(name), ...by]),
    },
  );
  const canvas = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: 0, top: 0 }),
    setPointerCapture() {},
  });
  const control = () => new EventTarget();
  const parts: any = {
    canvas,
    views: Object.values(VIEWS).map(control),
    cuts: [],
    whole: control(),
    toToken: control(),
  };
  listenToBlock(parts, figure);
  for (const [type, clientX, clientY] of moves) {
    canvas.dispatchEvent(Object.assign(new Event(type), { pointerType, clientX, clientY, button: 0 }));
  }
  return calls;
}

const SIDEWAYS: Move[] = [
  ["pointerdown", 100, 100],
  ["pointermove", 110, 105],
  ["pointermove", 120, 100],
  ["pointerup", 120, 100],
];
const DOWN: Move[] = [
  ["pointerdown", 100, 100],
  ["pointermove", 105, 110],
  ["pointermove", 130, 110],
  ["pointerup", 130, 110],
];

test("a finger to the side turns the block and never tips it", () => {
  assert.deepEqual(done("touch", SIDEWAYS), [["pointAway"], ["turn", 4, 0], ["turn", 4, 0]]);
});

test("a finger that begins up or down scrolls, and neither turns nor chooses", () => {
  assert.deepEqual(done("touch", DOWN), []);
});

test("a mouse turns it both ways", () => {
  assert.deepEqual(done("mouse", DOWN), [["pointAway"], ["turn", 2, 4], ["turn", 10, 0]]);
});

test("a finger that rests chooses what it is on", () => {
  assert.deepEqual(
    done("touch", [
      ["pointerdown", 100, 100],
      ["pointermove", 102, 101],
      ["pointerup", 102, 101],
    ]),
    [["click", 102, 101]],
  );
});
