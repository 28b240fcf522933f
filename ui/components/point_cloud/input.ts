// What mouse, pen, fingers, wheel and keys do to a picture: one that only tells what is under them, is turned in space,
// or is moved, zoomed and marked as well.

import { pointIn } from "../_shared/elements.js";
import { boxCorners } from "./picking.js";

/** @typedef {"move" | "turn" | "box" | "lasso"} Action of a drag */
/**
 * @typedef {object} Figure what a picture lets the reader do
 * @property {boolean} space whether it is turned
 * @property {(shift: boolean) => Action | null} dragAction null where nothing is dragged
 * @property {(x: number, y: number, kind: string) => void} pointAt
 * @property {() => void} pointAway
 * @property {(x: number, y: number, kind: string) => void} click
 * @property {(right: number, down: number, kind: string) => void} turn
 * @property {Free} [free] where the picture is moved, zoomed and marked
 */
/**
 * @typedef {object} Free
 * @property {() => void} stopGlide
 * @property {(right: number, down: number) => void} pan
 * @property {(factor: number, x: number, y: number) => void} zoom
 * @property {(corners: number[][] | null) => void} markRegion
 * @property {(corners: number[][]) => void} endRegion
 */

const CLICK = 5; // pixels: less is a click, more is a drag
const KEY_STEP = 60; // pixels that an arrow moves
const KEY_TURN = 40; // pixels of a drag that an arrow stands for, turning

/**
 * How many times nearer a turn of the wheel brings the picture.
 * @param {{ deltaY: number, deltaMode: number, ctrlKey: boolean }} event ctrlKey also where two fingers pinch a touchpad
 */
export function wheelFactor({ deltaY, deltaMode, ctrlKey }) {
  const perLine = deltaMode === 1 ? 30 : 1; // 1: counted in lines
  const step = Math.max(-240, Math.min(240, deltaY * perLine));
  return Math.exp(-step * (ctrlKey ? 0.01 : 0.0022));
}

/**
 * @param {HTMLElement} canvas
 * @param {Figure} figure
 */
export function listenToPointers(canvas, figure) {
  const { free } = figure;
  /** @type {Map<number, number[]>} pointers that are pressed: id -> [x, y] */
  const down = new Map();
  /** @type {{ start: number[], moved: boolean, action: Action | "pinch" | null, corners: number[][] } | null} */
  let drag = null;
  /** @type {(event: MouseEvent) => [number, number]} */
  const placeOf = (event) => {
    return pointIn(event, canvas);
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const place = placeOf(event);
    down.set(event.pointerId, place);
    canvas.setPointerCapture(event.pointerId);
    free?.stopGlide();
    if (down.size > 1) {
      drag = { start: drag?.start ?? place, moved: true, action: "pinch", corners: [] };
      free?.markRegion(null);
    } else drag = { start: place, moved: false, action: figure.dragAction(event.shiftKey), corners: [place] };
  });

  canvas.addEventListener("pointermove", (event) => {
    const place = placeOf(event);
    const before = down.get(event.pointerId);
    if (!drag || !before) return figure.pointAt(...place, event.pointerType);
    if (!drag.moved && Math.hypot(place[0] - drag.start[0], place[1] - drag.start[1]) < CLICK) return;
    if (!drag.moved) figure.pointAway();
    drag.moved = true;
    const [right, lower] = [place[0] - before[0], place[1] - before[1]];
    if (drag.action === "turn") figure.turn(right, lower, event.pointerType);
    else if (drag.action === "pinch") pinch(event.pointerId, before, place);
    else if (drag.action === "move") free?.pan(right, lower);
    else if (drag.action) extendRegion(drag, place);
    down.set(event.pointerId, place);
  });

  /**
   * Two fingers: their middle moves the picture, their distance zooms it.
   * @param {number} id
   * @param {number[]} before
   * @param {number[]} place
   */
  function pinch(id, before, place) {
    const other = [...down].find(([key]) => key !== id)?.[1];
    if (!other) return;
    /** @param {number[]} from */
    const distance = ([x, y]) => Math.max(20, Math.hypot(x - other[0], y - other[1]));
    free?.pan((place[0] - before[0]) / 2, (place[1] - before[1]) / 2);
    free?.zoom(distance(place) / distance(before), (place[0] + other[0]) / 2, (place[1] + other[1]) / 2);
  }

  /**
   * @param {{ start: number[], action: string | null, corners: number[][] }} region
   * @param {number[]} place
   */
  function extendRegion(region, place) {
    const last = region.corners[region.corners.length - 1];
    if (region.action === "box") region.corners = boxCorners(region.start, place);
    else if (Math.hypot(place[0] - last[0], place[1] - last[1]) > 3) region.corners.push(place);
    free?.markRegion(region.corners);
  }

  /**
   * @param {PointerEvent} event
   * @param {boolean} cancelled
   */
  function release(event, cancelled) {
    if (!down.delete(event.pointerId) || !drag || down.size) return; // size: the other finger of a pinch
    const { moved, action, corners } = drag;
    drag = null;
    if (cancelled) free?.markRegion(null);
    else if (!moved) figure.click(...placeOf(event), event.pointerType);
    else if (action === "box" || action === "lasso") free?.endRegion(corners);
  }
  canvas.addEventListener("pointerup", (event) => release(event, false));
  canvas.addEventListener("pointercancel", (event) => release(event, true));
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && !drag) figure.pointAway(); // a finger's last point stays named
  });

  if (!free) return;
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      free.stopGlide();
      free.zoom(wheelFactor(event), ...placeOf(event));
      figure.pointAt(...placeOf(event), "mouse");
    },
    { passive: false },
  );
}

/** @type {Record<string, [right: number, down: number]>} */
const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * Arrows turn what is turned and move what is moved; other keys do what they are given to do.
 * @param {HTMLElement} canvas
 * @param {Figure} figure
 * @param {(key: string) => (() => void) | null | undefined} actionOf letters as small ones
 */
export function listenToKeys(canvas, figure, actionOf) {
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in ARROWS) {
      const [right, down] = ARROWS[event.key];
      if (figure.space && !(event.shiftKey && figure.free)) figure.turn(-right * KEY_TURN, -down * KEY_TURN, "key");
      else if (figure.free) figure.free.pan(right * KEY_STEP, down * KEY_STEP);
      else return;
    } else {
      const action = actionOf(event.key.length === 1 ? event.key.toLowerCase() : event.key);
      if (!action) return;
      action();
    }
    event.preventDefault();
    event.stopPropagation();
  });
}
