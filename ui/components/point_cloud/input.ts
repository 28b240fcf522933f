// Mouse, pen, fingers, wheel and keys on a picture: one that only reacts to what is under them, is turned in space,
// or is moved, zoomed and marked as well.

import { pointInElement } from "../_shared/elements.ts";
import { handleKeys } from "../_shared/keys.ts";
import { boxCorners } from "./picking.ts";

/** Effect of a drag. */
type Action = "move" | "turn" | "box" | "lasso";
/** Handlers of a picture. */
export interface Figure {
  space: boolean; // whether it is turned
  dragAction: (shift: boolean, kind: string) => Action | null; // null where nothing is dragged
  pointAt: (x: number, y: number, kind: string) => void;
  pointAway: () => void;
  click: (x: number, y: number, kind: string) => void;
  turn: (right: number, down: number, kind: string) => void;
  free?: Free; // where the picture is moved, zoomed and marked
}
interface Free {
  fullScreen: boolean;
  explainWheel: () => void; // that it zooms only in a picture that has been clicked
  stopGlide: () => void;
  pan: (right: number, down: number) => void;
  zoom: (factor: number, x: number, y: number) => void;
  markRegion: (corners: number[][] | null) => void;
  endRegion: (corners: number[][]) => void;
}

const CLICK = 5; // pixels: less is a click, more is a drag
const POINTING = 8; // pixels of the pointer that are no tremble
const KEY_STEP = 60; // pixels that an arrow moves
const KEY_TURN = 40; // pixels of a drag that an arrow stands for, turning

/**
 * How many times nearer a turn of the wheel brings the picture.
 * @param event ctrlKey also where two fingers pinch a touchpad
 */
export function wheelFactor({ deltaY, deltaMode, ctrlKey }: { deltaY: number; deltaMode: number; ctrlKey: boolean }) {
  const perLine = deltaMode === 1 ? 30 : 1; // 1: counted in lines
  const step = Math.max(-240, Math.min(240, deltaY * perLine));
  return Math.exp(-step * (ctrlKey ? 0.01 : 0.0022));
}

export function listenToPointers(canvas: HTMLElement, figure: Figure) {
  const { free } = figure;
  /** Pointers that are pressed: id -> [x, y]. */
  const down = new Map<number, number[]>();
  let drag: { start: number[]; moved: boolean; action: Action | "pinch" | null; corners: number[][] } | null = null;
  const placeOf = (event: MouseEvent) => pointInElement(event, canvas);

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const place = placeOf(event);
    down.set(event.pointerId, place);
    canvas.setPointerCapture(event.pointerId);
    free?.stopGlide();
    if (down.size > 1) {
      drag = { start: drag?.start ?? place, moved: true, action: "pinch", corners: [] };
      free?.markRegion(null);
    } else
      drag = {
        start: place,
        moved: false,
        action: figure.dragAction(event.shiftKey, event.pointerType),
        corners: [place],
      };
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

  /** Two fingers: their middle moves the picture, their distance zooms it. */
  function pinch(id: number, before: number[], place: number[]) {
    const other = [...down].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const distance = ([x, y]: number[]) => Math.max(20, Math.hypot(x - other[0], y - other[1]));
    free?.pan((place[0] - before[0]) / 2, (place[1] - before[1]) / 2);
    free?.zoom(distance(place) / distance(before), (place[0] + other[0]) / 2, (place[1] + other[1]) / 2);
  }

  function extendRegion(region: { start: number[]; action: string | null; corners: number[][] }, place: number[]) {
    const last = region.corners[region.corners.length - 1];
    if (region.action === "box") region.corners = boxCorners(region.start, place);
    else if (Math.hypot(place[0] - last[0], place[1] - last[1]) > 3) region.corners.push(place);
    free?.markRegion(region.corners);
  }

  function release(event: PointerEvent, cancelled: boolean) {
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
  // The wheel scrolls the page until the picture is clicked, and again once the pointer has left it. Who has moved the
  // pointer in the picture since the last turn may mean the picture; a page that scrolls past brings itself under it.
  let isEngaged = false;
  let movedBy = 0; // px
  canvas.addEventListener("pointerenter", () => (movedBy = 0));
  canvas.addEventListener("pointermove", (event) => {
    movedBy += Math.abs(event.movementX) + Math.abs(event.movementY);
  });
  canvas.addEventListener("pointerdown", () => (isEngaged = true));
  canvas.addEventListener("blur", () => (isEngaged = false));
  canvas.addEventListener("pointerleave", (event) => {
    const [x, y] = placeOf(event); // WebKit has the pointer leave, and come back, where a button is released
    const isInside = x >= 0 && y >= 0 && x < canvas.offsetWidth && y < canvas.offsetHeight;
    isEngaged &&= isInside;
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!(isEngaged || event.ctrlKey || event.metaKey || free.fullScreen)) {
        if (movedBy >= POINTING) free.explainWheel();
        movedBy = 0;
        return;
      }
      event.preventDefault();
      free.stopGlide();
      free.zoom(wheelFactor(event), ...placeOf(event));
      figure.pointAt(...placeOf(event), "mouse");
    },
    { passive: false },
  );
  // One finger scrolls the page, two are the picture's.
  canvas.addEventListener("touchmove", (event) => event.touches.length > 1 && event.preventDefault(), {
    passive: false,
  });
}

const ARROWS: Record<string, [right: number, down: number]> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/**
 * Arrows turn what is turned and move what is moved; other keys do what they are given to do.
 * @param actionOf letters as small ones
 */
export function listenToKeys(
  canvas: HTMLElement,
  figure: Figure,
  actionOf: (key: string) => (() => void) | null | undefined,
) {
  handleKeys(canvas, (key, { shiftKey }) => {
    const [right, down] = ARROWS[key] ?? [];
    const action = right === undefined ? actionOf(key.length === 1 ? key.toLowerCase() : key) : null;
    if (action) action();
    else if (right === undefined) return false;
    else if (figure.space && !(shiftKey && figure.free)) figure.turn(-right * KEY_TURN, -down * KEY_TURN, "key");
    else if (figure.free) figure.free.pan(right * KEY_STEP, down * KEY_STEP);
    else return false;
  });
}
