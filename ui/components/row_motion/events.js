// What mouse, fingers, keys and controls do to the picture of index.js.

import { RANGE_STEPS } from "./parts.js";

const CLICK = 5; // pixels: less is a click, more is a drag
const KEY_TURN = 40; // pixels of a drag that an arrow stands for

export function listenToMotion(parts, figure) {
  listenToMotionPointer(parts.canvas, figure);
  listenToTimeControls(parts, figure);
  parts.canvas.addEventListener("keydown", (event) => {
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!arrow || !figure.space || event.ctrlKey || event.metaKey || event.altKey) return;
    figure.turn(arrow[0] * KEY_TURN, arrow[1] * KEY_TURN);
    event.preventDefault();
    event.stopPropagation();
  });
  parts.root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.fullscreenElement) figure.clear();
  });
  // A word picked from the list comes at once, unlike one that is typed.
  parts.search.addEventListener("input", (event) => {
    const picked = !event.inputType || event.inputType === "insertReplacementText";
    figure.find(picked ? parts.search.value : "", false);
  });
  parts.search.addEventListener("keydown", (event) => event.key === "Enter" && figure.find(parts.search.value, true));
  parts.kind.addEventListener("change", () => {
    const { value } = parts.kind;
    figure.emphasise(value ? { kind: Number(value.slice(5)) } : null);
  });
  parts.legend.addEventListener("click", (event) => {
    const button = event.target.closest?.("button");
    if (button) figure.emphasise({ group: Number(button.dataset.group) });
  });
  for (const [name, button] of Object.entries(parts.switches))
    button.addEventListener("click", () => figure.toggle(name));
  parts.save.addEventListener("click", () => figure.save());
  parts.full.addEventListener("click", () => figure.fullScreen());
}

// In two dimensions nothing is dragged, and a finger scrolls the page; in three a finger turns the picture to the side.
function listenToMotionPointer(canvas, figure) {
  let drag = null; // {start, last, moved}
  const placeOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drag = { start: placeOf(event), last: placeOf(event), moved: false };
    if (figure.space) canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const place = placeOf(event);
    const touch = event.pointerType === "touch";
    if (!drag) {
      if (!touch) figure.pointAt(...place);
      return;
    }
    if (!drag.moved && Math.hypot(place[0] - drag.start[0], place[1] - drag.start[1]) < CLICK) return;
    drag.moved = true;
    if (figure.space) figure.turn(place[0] - drag.last[0], touch ? 0 : place[1] - drag.last[1]);
    drag.last = place;
  });
  canvas.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) figure.click(...placeOf(event), event.pointerType === "touch");
    drag = null;
  });
  canvas.addEventListener("pointercancel", () => (drag = null));
  canvas.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && figure.pointAway());
}

function listenToTimeControls(parts, figure) {
  const { range } = parts;
  parts.play.addEventListener("click", () => figure.time("toggle"));
  parts.first.addEventListener("click", () => figure.time("toFirst"));
  parts.last.addEventListener("click", () => figure.time("toLast"));
  parts.speed.addEventListener("change", () => figure.time("setSpeed", Number(parts.speed.value)));
  const value = () => Number(range.value) / RANGE_STEPS;
  range.addEventListener("input", () => figure.drag(true, value()));
  range.addEventListener("change", () => figure.drag(false, value()));
  range.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (by) figure.time("move", by);
    else if (event.key === "Home") figure.time("toFirst");
    else if (event.key === "End") figure.time("toLast");
    else return;
    event.preventDefault();
  });
}
