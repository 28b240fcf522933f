// Which movements of a pointer are a drag, which are a click, and which are the page's.

import assert from "node:assert/strict";
import test from "node:test";

import { listenToDrag } from "../../../ui/components/_shared/drag.ts";

/** An element shown twice as large as its CSS pixels, as on a slide, and what its listener was told. */
function draggable(options: { sideways?: boolean } = {}) {
  const element = Object.assign(new EventTarget(), {
    offsetWidth: 100,
    getBoundingClientRect: () => ({ left: 10, top: 0, width: 200 }),
    setPointerCapture() {},
  });
  const log: unknown[] = [];
  const stop = listenToDrag(element as unknown as HTMLElement, {
    onStart: ({ x, y }) => log.push(["start", x, y]),
    onMove: ({ x, y, dx, dy, startX, startY }) => log.push(["move", x, y, dx, dy, startX, startY]),
    onEnd: ({ x, y }) => log.push(["end", x, y]),
    onClick: ({ x, y }) => log.push(["click", x, y]),
    onHover: (point) => log.push(["hover", point?.x]),
    ...options,
  });
  const send = (type: string, x: number, y: number, details = {}) =>
    element.dispatchEvent(
      Object.assign(new Event(type), {
        clientX: 10 + 2 * x,
        clientY: 2 * y,
        button: 0,
        pointerType: "mouse",
        ...details,
      }),
    );
  return { send, log, stop };
}

test("a pointer that moves less than the threshold clicks; further it drags, in the element's own pixels", () => {
  const { send, log } = draggable();
  send("pointerdown", 20, 20);
  send("pointermove", 22, 22);
  send("pointerup", 22, 22);
  assert.deepEqual(log.splice(0), [["click", 22, 22]]);
  send("pointerdown", 20, 20);
  send("pointermove", 26, 20);
  send("pointermove", 27, 21);
  send("pointerup", 27, 21);
  assert.deepEqual(log, [
    ["start", 20, 20],
    ["move", 26, 20, 6, 0, 20, 20],
    ["move", 27, 21, 1, 1, 20, 20],
    ["end", 27, 21],
  ]);
});

test("a drag that is taken away ends, and never clicks; the second button does nothing", () => {
  const { send, log } = draggable();
  send("pointerdown", 20, 20);
  send("pointermove", 40, 20);
  send("pointercancel", 40, 20);
  send("pointerup", 40, 20);
  send("pointerdown", 20, 20);
  send("pointercancel", 20, 20);
  send("pointerdown", 20, 20, { button: 2 });
  send("pointerup", 20, 20, { button: 2 });
  assert.deepEqual(log.slice(-1), [["end", 40, 20]]);
  assert.equal(log.length, 3);
});

test("a finger that moves down scrolls the page where only sideways drags count", () => {
  const finger = { pointerType: "touch" };
  const { send, log } = draggable({ sideways: true });
  send("pointerdown", 20, 20, finger);
  send("pointermove", 22, 40, finger);
  send("pointerup", 22, 40, finger);
  assert.deepEqual(log, []);
  send("pointerdown", 20, 20, finger);
  send("pointermove", 40, 22, finger);
  assert.deepEqual(log[0], ["start", 20, 20]);
});

test("the mouse hovers while no button is down, a finger never", () => {
  const { send, log, stop } = draggable();
  send("pointermove", 5, 5);
  send("pointerleave", 5, 5);
  send("pointermove", 5, 5, { pointerType: "touch" });
  stop();
  send("pointermove", 5, 5);
  assert.deepEqual(log, [
    ["hover", 5],
    ["hover", undefined],
  ]);
});
