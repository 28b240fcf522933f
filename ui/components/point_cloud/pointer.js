// What mouse, pen, fingers and wheel do to the picture of index.js.

import { boxCorners } from "./region.js";

const CLICK = 5; // pixels: less is a click, more is a drag

export function listenToPointers(canvas, figure) {
  const down = new Map(); // pointers that are pressed: id -> [x, y]
  let drag = null; // {start, last, moved, action, corners}
  const placeOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const place = placeOf(event);
    down.set(event.pointerId, place);
    canvas.setPointerCapture(event.pointerId);
    figure.stopGlide();
    if (down.size > 1) {
      drag = { ...(drag ?? { start: place }), moved: true, action: "pinch", corners: null };
      figure.markRegion(null);
    } else
      drag = { start: place, last: place, moved: false, action: figure.dragAction(event.shiftKey), corners: [place] };
  });

  canvas.addEventListener("pointermove", (event) => {
    const place = placeOf(event);
    const before = down.get(event.pointerId);
    if (!drag || !before) return figure.pointAt(...place, event.pointerType);
    if (!drag.moved && Math.hypot(place[0] - drag.start[0], place[1] - drag.start[1]) < CLICK) return;
    if (!drag.moved) figure.pointAway();
    drag.moved = true;
    if (drag.action === "pinch") pinch(event.pointerId, before, place);
    else if (drag.action === "move") figure.pan(place[0] - before[0], place[1] - before[1]);
    else if (drag.action === "turn") figure.turn(place[0] - before[0], place[1] - before[1]);
    else extendRegion(place);
    down.set(event.pointerId, place);
  });

  // Two fingers: their middle moves the picture, their distance zooms it.
  function pinch(id, before, place) {
    const other = [...down].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const distance = ([x, y]) => Math.max(20, Math.hypot(x - other[0], y - other[1]));
    figure.pan((place[0] - before[0]) / 2, (place[1] - before[1]) / 2);
    figure.zoom(distance(place) / distance(before), (place[0] + other[0]) / 2, (place[1] + other[1]) / 2);
  }

  function extendRegion(place) {
    const last = drag.corners.at(-1);
    if (drag.action === "box") drag.corners = [drag.start, place];
    else if (Math.hypot(place[0] - last[0], place[1] - last[1]) > 3) drag.corners.push(place);
    figure.markRegion(drag.action === "box" ? boxCorners(...[drag.corners[0], place]) : drag.corners);
  }

  function release(event, cancelled) {
    if (!down.delete(event.pointerId) || !drag) return;
    if (down.size) return; // the other finger of a pinch
    const { moved, action, corners } = drag;
    drag = null;
    if (cancelled) figure.markRegion(null);
    else if (!moved) figure.click(...placeOf(event), event.pointerType);
    else if (action === "box" || action === "lasso")
      figure.endRegion(action === "box" ? boxCorners(corners[0], corners.at(-1)) : corners);
  }
  canvas.addEventListener("pointerup", (event) => release(event, false));
  canvas.addEventListener("pointercancel", (event) => release(event, true));
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse" && !drag) figure.pointAway(); // a finger's last point stays named
  });

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const perLine = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1;
      const step = Math.max(-240, Math.min(240, event.deltaY * perLine));
      figure.stopGlide();
      figure.zoom(Math.exp(-step * (event.ctrlKey ? 0.01 : 0.0022)), ...placeOf(event));
      figure.pointAt(...placeOf(event), "mouse");
    },
    { passive: false },
  );
}
