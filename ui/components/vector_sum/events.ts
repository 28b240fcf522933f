// What pointer, wheel, keys and controls do to the figure of index.ts.

import { pointIn } from "../_shared/elements.ts";
import { type Cell, type Layout, nextCell, reveal, wheelColumns } from "./layout.ts";
import type { Parts } from "./parts.ts";

/** A token's row, and the cell of it, if it is one. */
type Place = { row: number; column: number | null };
/** What the listeners may see and do. */
export interface Figure {
  layout: () => Layout | null;
  cell: () => Cell | null; // under the pointer
  first: () => number; // dimension of the window, not yet rounded to a whole one
  hit: (event: MouseEvent) => Place | null;
  pointAt: (place: Place | null) => void;
  slide: (first: number) => void;
  scrollRows: (top: number) => void;
  followScroll: () => void;
  zoom: (towards: 1 | -1) => void;
  toggle: (row: number) => void;
}

export function listenToPointer(canvas: HTMLCanvasElement, figure: Figure) {
  /** While a button or finger is down. */
  let drag: { x: number; first: number; moved: boolean } | null = null;
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

export function listenToKeys(canvas: HTMLCanvasElement, figure: Figure) {
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

export function listenToControls(parts: Parts, figure: Figure) {
  parts.scroller.addEventListener("scroll", figure.followScroll, { passive: true });
  parts.windowRange.addEventListener("input", () => figure.slide(Number(parts.windowRange.value)));
  parts.more.addEventListener("click", () => figure.zoom(-1));
  parts.fewer.addEventListener("click", () => figure.zoom(1));
}
