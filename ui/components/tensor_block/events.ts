// What pointer, keys and controls do to the block of index.ts.

import { pointIn } from "../_shared/elements.ts";
import { CORNER } from "./camera.ts";
import type { Index } from "./model.ts";
import { type Parts, VIEWS } from "./parts.ts";

/** What the listeners may do. */
interface Figure {
  cut: () => Index;
  turnTo: (yaw: number, pitch: number) => void;
  turn: (right: number, down: number) => void; // by degrees
  cutTo: (cut: Index) => void;
  cutToChosen: () => void;
  pointAt: (x: number, y: number) => void;
  pointAway: () => void;
  click: (x: number, y: number) => void;
  choose: () => void;
  step: (by: Index) => void;
}

const DRAG_DEGREES = 0.4; // per pixel
const KEY_DEGREES = 10;

export function listenToBlock(parts: Parts, figure: Figure) {
  listenToBlockPointer(parts.canvas, figure);
  listenToBlockKeys(parts.canvas, figure);
  Object.values(VIEWS).forEach((view, index) =>
    parts.views[index].addEventListener("click", () => figure.turnTo(...view)),
  );
  parts.cuts.forEach(({ input }, axis) =>
    input.addEventListener("input", () => {
      const next: Index = [...figure.cut()];
      next[axis] = Number(input.value);
      figure.cutTo(next);
    }),
  );
  parts.whole.addEventListener("click", () => figure.cutTo([0, 0, 0]));
  parts.toToken.addEventListener("click", figure.cutToChosen);
}

/**
 * A finger that moves up or down scrolls the page, as the canvas' touch-action says; to the side it turns the block.
 */
function listenToBlockPointer(canvas: HTMLCanvasElement, figure: Figure) {
  type Point = [x: number, y: number];
  let drag: { start: Point; last: Point; moved: boolean } | null = null;
  const place: (event: PointerEvent) => Point = (event) => pointIn(event, canvas);
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drag = { start: place(event), last: place(event), moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = place(event);
    if (!drag) {
      if (event.pointerType !== "touch") figure.pointAt(x, y);
      return;
    }
    const finger = event.pointerType === "touch";
    if (!drag.moved) {
      const [right, down] = [Math.abs(x - drag.start[0]), Math.abs(y - drag.start[1])];
      if (Math.hypot(right, down) < 5) return;
      if (finger && down >= right) {
        drag = null; // scrolls, and neither turns nor chooses
        return;
      }
      figure.pointAway();
    }
    drag.moved = true;
    figure.turn((x - drag.last[0]) * DRAG_DEGREES, finger ? 0 : (y - drag.last[1]) * DRAG_DEGREES);
    drag.last = [x, y];
  });
  canvas.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) figure.click(...place(event));
    drag = null;
  });
  canvas.addEventListener("pointercancel", () => (drag = null));
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && !drag) figure.pointAway(); // a finger's last cell stays read out
  });
}

const ARROWS: Record<string, [right: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function listenToBlockKeys(canvas: HTMLCanvasElement, figure: Figure) {
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow && event.shiftKey) figure.step([0, arrow[1], arrow[0]]);
    else if (arrow) figure.turn(arrow[0] * KEY_DEGREES, arrow[1] * KEY_DEGREES);
    else if (event.key === "PageUp") figure.step([-1, 0, 0]);
    else if (event.key === "PageDown") figure.step([1, 0, 0]);
    else if (event.key === "Home") figure.turnTo(...CORNER);
    else if (event.key === "Enter" || event.key === " ") figure.choose();
    else if (event.key === "Escape") figure.pointAway();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  canvas.addEventListener("blur", () => figure.pointAway());
}
