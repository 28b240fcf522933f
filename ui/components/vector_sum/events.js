// What pointer, wheel, keys and controls do to the figure of index.js.

import { reveal } from "./layout.js";

export function listenToPointer(canvas, figure) {
  let drag = null; // {x, first, moved} while a button or finger is down
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drag = { x: event.clientX, first: figure.layout.first, moved: false };
    if (event.pointerType !== "mouse") figure.pointAt(figure.hit(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    const pulled = drag ? event.clientX - drag.x : 0;
    if (drag && figure.layout.shown < figure.model.dModel && (drag.moved || Math.abs(pulled) > 5)) {
      if (!drag.moved) canvas.setPointerCapture(event.pointerId);
      drag.moved = true;
      figure.slide(drag.first - pulled / figure.layout.cellWidth);
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
      const across = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (
        Math.abs(across) < Math.abs(event.shiftKey ? 0 : event.deltaY) ||
        across === 0 ||
        figure.layout.shown === figure.model.dModel
      )
        return;
      event.preventDefault();
      const perLine = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1;
      figure.slide(figure.first + (across * perLine) / Math.max(4, figure.layout.cellWidth));
      figure.pointAt(figure.hit(event));
    },
    { passive: false },
  );
}

export function listenToKeys(canvas, figure) {
  canvas.addEventListener("keydown", (event) => {
    const { row, column } = figure.cell ?? { row: figure.layout.firstRow, column: figure.layout.first };
    const moves = {
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      PageUp: { row, column: column - figure.layout.shown },
      PageDown: { row, column: column + figure.layout.shown },
      Home: { row, column: 0 },
      End: { row, column: figure.model.dModel - 1 },
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) {
      const to = figure.cell ? moves[event.key] : { row, column }; // the first key only shows where the pointer is
      to.row = Math.max(0, Math.min(figure.model.nRows - 1, to.row));
      to.column = Math.max(0, Math.min(figure.model.dModel - 1, to.column));
      const { first, scroll } = reveal(figure.layout, to);
      figure.slide(first);
      figure.scrollRows(scroll);
      figure.pointAt(to);
    } else if (event.key === "Enter" || event.key === " ") figure.toggle(row);
    else if (event.key === "Escape") figure.pointAt(null);
    else if (event.key === "+" || event.key === "=") figure.zoom(1);
    else if (event.key === "-") figure.zoom(-1);
    else return;
    event.preventDefault();
  });
  canvas.addEventListener("blur", () => figure.pointAt(null));
}

export function listenToControls(parts, figure, player) {
  parts.scroller.addEventListener("scroll", figure.followScroll, { passive: true });
  parts.play.addEventListener("click", player.toggle);
  parts.back.addEventListener("click", player.back);
  parts.forward.addEventListener("click", player.forward);
  parts.range.addEventListener("input", () => player.jump(Number(parts.range.value)));
  parts.range.addEventListener("keydown", (event) => {
    // By key one step at a time, not one hundredth.
    const step = {
      ArrowRight: player.forward,
      ArrowUp: player.forward,
      PageUp: player.forward,
      ArrowLeft: player.back,
      ArrowDown: player.back,
      PageDown: player.back,
    };
    if (!(event.key in step)) return;
    step[event.key]();
    event.preventDefault();
  });
  [...parts.ticks.children].forEach((tick, step) => tick.addEventListener("click", () => player.jump(step)));
  parts.windowRange.addEventListener("input", () => figure.slide(Number(parts.windowRange.value)));
  parts.more.addEventListener("click", () => figure.zoom(-1));
  parts.fewer.addEventListener("click", () => figure.zoom(1));
  parts.save.addEventListener("click", () => figure.save());
}
