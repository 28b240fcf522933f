// What pointer, wheel, keys and controls do to the figure of index.js.

import { pointIn } from "../_shared/elements.js";
import { nextCell, reveal, wheelColumns } from "./layout.js";

/** @typedef {{ row: number, column: number | null }} Place a token's row, and the cell of it, if it is one */
/**
 * @typedef {object} Figure what the listeners may see and do
 * @property {() => import("./layout.js").Layout | null} layout
 * @property {() => import("./layout.js").Cell | null} cell under the pointer
 * @property {() => number} first dimension of the window, not yet rounded to a whole one
 * @property {(event: MouseEvent) => Place | null} hit
 * @property {(place: Place | null) => void} pointAt
 * @property {(first: number) => void} slide
 * @property {(top: number) => void} scrollRows
 * @property {() => void} followScroll
 * @property {(towards: 1 | -1) => void} zoom
 * @property {(row: number) => void} toggle
 */

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Figure} figure
 */
export function listenToPointer(canvas, figure) {
  /** @type {{ x: number, first: number, moved: boolean } | null} while a button or finger is down */
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    const layout = figure.layout();
    if (event.button !== 0 || !layout) return;
    drag = { x: pointIn(event, canvas)[0], first: layout.first, moved: false };
    if (event.pointerType !== "mouse") figure.pointAt(figure.hit(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    const layout = figure.layout();
    const pulled = drag ? pointIn(event, canvas)[0] - drag.x : 0;
    if (drag && layout && layout.shown < layout.dModel && (drag.moved || Math.abs(pulled) > 5)) {
      if (!drag.moved) canvas.setPointerCapture(event.pointerId);
      drag.moved = true;
      figure.slide(drag.first - pulled / layout.cellWidth);
    }
    figure.pointAt(figure.hit(event));
  });
  canvas.addEventListener("pointerup", (event) => {
    const target = figure.hit(event);
    if (drag && !drag.moved && target) figure.toggle(target.row);
    drag = null;
  });
  canvas.addEventListener("pointercancel", () => (drag = null));
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && !drag?.moved) figure.pointAt(null); // a finger's last cell stays lit
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      const layout = figure.layout();
      const { shiftKey, deltaX, deltaY } = event;
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE;
      const columns = layout && wheelColumns({ shiftKey, deltaX, deltaY, lines }, layout);
      if (columns === null) return;
      event.preventDefault();
      figure.slide(figure.first() + columns);
      figure.pointAt(figure.hit(event));
    },
    { passive: false },
  );
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Figure} figure
 */
export function listenToKeys(canvas, figure) {
  canvas.addEventListener("keydown", (event) => {
    const layout = figure.layout();
    if (!layout || event.ctrlKey || event.metaKey || event.altKey) return;
    const cell = figure.cell();
    const next = nextCell(event.key, cell, layout);
    if (next) {
      const { first, scroll } = reveal(layout, next);
      figure.slide(first);
      figure.scrollRows(scroll);
      figure.pointAt(next);
    } else if (event.key === "Enter" || event.key === " ") figure.toggle(cell?.row ?? layout.firstRow);
    else if (event.key === "Escape") figure.pointAt(null);
    else if (event.key === "+" || event.key === "=") figure.zoom(1);
    else if (event.key === "-") figure.zoom(-1);
    else return;
    event.preventDefault();
  });
  canvas.addEventListener("blur", () => figure.pointAt(null));
}

/**
 * @param {import("./parts.js").Parts} parts
 * @param {Figure} figure
 */
export function listenToControls(parts, figure) {
  parts.scroller.addEventListener("scroll", figure.followScroll, { passive: true });
  parts.windowRange.addEventListener("input", () => figure.slide(Number(parts.windowRange.value)));
  parts.more.addEventListener("click", () => figure.zoom(-1));
  parts.fewer.addEventListener("click", () => figure.zoom(1));
}
