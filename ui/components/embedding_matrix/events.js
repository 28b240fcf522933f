// What pointer and keys do to the figure of index.js; rows are named by their index.

import { nearestMark } from "./strip.js";

export function listenToRows(list, figure) {
  const rowUnder = (event) => {
    const row = event.target.closest?.(".row");
    return row ? figure.view.data.header.positions.indexOf(Number(row.dataset.position)) : null;
  };
  list.addEventListener("pointermove", (event) => {
    const row = rowUnder(event);
    if (row !== null) figure.hover(row);
  });
  list.addEventListener("pointerleave", () => figure.hover(null));
  list.addEventListener("click", (event) => {
    const row = rowUnder(event);
    if (row === null) return;
    figure.activate(row);
    figure.toggle(row);
  });
  list.addEventListener("scroll", figure.schedule, { passive: true });
  list.addEventListener("blur", () => figure.hover(null));
  list.addEventListener("keydown", (event) => {
    const { active, view } = figure;
    const last = view.data.header.positions.length - 1;
    const page = Math.floor(view.layout.list.height / view.layout.rowHeight);
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: last,
    };
    if (event.key === "Enter" || event.key === " ") figure.toggle(active);
    else if (event.key in to) {
      figure.activate(Math.max(0, Math.min(last, to[event.key])));
      figure.reveal(figure.active);
      figure.hover(figure.active);
    } else return;
    event.preventDefault();
  });
}

export function listenToStrip(canvas, figure) {
  canvas.addEventListener("pointermove", (event) => {
    const nearest = nearestMark(event.offsetX, event.offsetY, figure.view);
    canvas.style.cursor = nearest === null ? "" : "pointer";
    figure.hover(nearest);
  });
  canvas.addEventListener("pointerleave", () => figure.hover(null));
  canvas.addEventListener("click", (event) => {
    const nearest = nearestMark(event.offsetX, event.offsetY, figure.view);
    if (nearest === null) return;
    figure.toggle(nearest);
    figure.reveal(nearest);
  });
}
