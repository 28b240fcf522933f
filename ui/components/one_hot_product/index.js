// One-hot rows times E beside the rows that a lookup gives: what is shown, where the pointer is, what each event does.

import { themeOf } from "../_shared/colour.js";
import { fitCanvas } from "../_shared/elements.js";
import { lasting } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { sameBytes } from "../_shared/payload.js";
import { stepPlayer } from "../_shared/stepper.js";
import { listenToControls, listenToKeys, listenToPointer } from "./events.js";
import { productHit, productLayout, productModel } from "./layout.js";
import { labelParts, productParts, readoutText, saveImage, showPlaying, showStep, showWindow } from "./parts.js";
import { drawMoment, STEP_COUNT } from "./steps.js";

export default lasting(mountProduct);

function mountProduct(parentElement) {
  const parts = productParts();
  const { root, canvas, box, readout } = parts;
  parentElement.append(root);

  const held = { payload: null };
  let [model, layout, theme] = [null, null, null];
  let cell = null; // what the pointer is on, as productHit gives it
  let first = 0; // dimension at the left
  let frame = 0;

  const player = stepPlayer(STEP_COUNT - 1, {
    onTime: () => {
      showStep(parts, model, player);
      schedule();
    },
    onState: (playing) => showPlaying(parts, model, playing),
  });
  const schedule = () => (frame ||= requestAnimationFrame(draw));
  const rowOf = (position) => {
    const row = position === null ? -1 : model.positions.indexOf(position);
    return row < 0 ? null : row;
  };
  // The token that a place belongs to; a row of E belongs to the first that picks it.
  const tokenOf = (at) => {
    if (!at) return null;
    if (at.part !== "table") return at.row;
    const row = model.drawnAt.indexOf(at.index);
    return row < 0 ? null : row;
  };

  held.receive = (data) => {
    theme = themeOf(root);
    if (!sameBytes(held.payload, data)) {
      held.payload = data.slice();
      model = productModel(data);
      cell = null;
      labelParts(parts, model);
      showPlaying(parts, model, player.playing);
      parts.stepName.textContent = ""; // the language may have changed
      showStep(parts, model, player);
    }
    arrange();
  };

  function arrange() {
    if (!model || box.clientWidth === 0) return;
    const context = canvas.getContext("2d");
    const measure = (text, bold) => {
      context.font = `${bold ? "600 17px" : "15px"} ${theme.font}`;
      return context.measureText(text).width;
    };
    layout = productLayout(model, box.clientWidth, measure, first);
    first = layout.first;
    showWindow(parts, model, layout);
    draw();
  }

  function draw() {
    cancelAnimationFrame(frame);
    frame = 0;
    if (!layout) return;
    const marks = { hovered: rowOf(link.hovered), chosen: rowOf(link.chosen), cell };
    const context = fitCanvas(canvas, layout.width, layout.height);
    drawMoment(context, { model, layout, theme, marks, time: player.time, focus: marks.chosen ?? 0 });
    const text = readoutText(model, cell);
    // Read out for who moves by key, not at every move of the mouse.
    readout.ariaLive = canvas.matches(":focus") ? "polite" : "off";
    if (readout.textContent !== text) readout.textContent = text;
    readout.classList.toggle("on", cell !== null);
    const { hot, table, result, shown, place } = layout;
    const geometry = JSON.stringify({
      hot,
      table,
      result,
      first,
      shown,
      place,
      cell: layout.cell,
      starts: layout.places.starts,
    });
    if (root.dataset.geometry !== geometry) root.dataset.geometry = geometry; // where a cell is, for tests
  }

  function slide(to) {
    first = Math.max(0, Math.min(model.k - layout.shown, to));
    arrange();
  }

  // What the listeners may do; the model changes, so it is read through it.
  const figure = {
    get model() {
      return model;
    },
    get cell() {
      return cell;
    },
    tokenOf,
    slide,
    hit(event) {
      const area = canvas.getBoundingClientRect();
      return layout && productHit(layout, event.clientX - area.left, event.clientY - area.top);
    },
    pointAt(next) {
      cell = next;
      const row = tokenOf(next);
      link.hover(row === null ? null : model.positions[row]);
      schedule();
    },
    reveal(column) {
      if (column < first) slide(column);
      else if (column >= first + layout.shown) slide(column - layout.shown + 1);
    },
    toggle: (row) => link.toggle(model.positions[row]),
    save: () => saveImage(canvas, model, layout, theme),
  };
  listenToPointer(canvas, figure);
  listenToKeys(canvas, figure);
  listenToControls(parts, figure, player);

  const unsubscribe = link.subscribe(schedule);
  const resized = new ResizeObserver(arrange);
  resized.observe(root);
  held.unmount = () => {
    unsubscribe();
    resized.disconnect();
    player.stop();
    cancelAnimationFrame(frame);
    root.remove();
  };
  return held;
}
