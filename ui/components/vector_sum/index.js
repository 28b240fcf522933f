// Token rows plus position rows give input rows: what is shown, where the pointer is, and what each event does.

import { themeOf } from "../_shared/colour.js";
import { fitCanvas } from "../_shared/elements.js";
import { sumText } from "../_shared/exact_sum.js";
import { lasting } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { sameBytes } from "../_shared/payload.js";
import { stepPlayer } from "../_shared/stepper.js";
import { fillLabel } from "../_shared/text.js";
import { paintSheets } from "./draw.js";
import { listenToControls, listenToKeys, listenToPointer } from "./events.js";
import { cellAt, columnsShown, nextCellWidth, reveal, sentenceLayout, sumLayout } from "./layout.js";
import { sumModel } from "./model.js";
import { labelParts, saveImage, showPlaying, showStep, vectorSumParts, windowTexts } from "./parts.js";
import { drawMoment, STEP_COUNT } from "./steps.js";

export default lasting(mountSum);

function mountSum(parentElement) {
  const parts = vectorSumParts();
  const { root, canvas, scroller, spacer, readout } = parts;
  parentElement.append(root);

  const held = { payload: null, moved: false };
  const window_ = { first: 0, cellWidth: null };
  let [model, layout, theme, sheets, sentence] = [null, null, null, null, null];
  let cell = null; // {row, column} under the pointer
  let frame = 0;
  let stale = true; // the sheets do not show the window

  const player = stepPlayer(STEP_COUNT - 1, {
    onTime: () => {
      showStep(parts, model, player);
      schedule();
    },
    onState: (playing) => showPlaying(parts, model, playing),
  });
  const schedule = () => (frame ||= requestAnimationFrame(draw));
  const rowOf = (position) => {
    const row = position === null ? -1 : position - model.firstPosition;
    return row >= 0 && row < model.nRows ? row : null;
  };

  held.receive = (data) => {
    theme = themeOf(root);
    if (!sameBytes(held.payload, data)) {
      held.payload = data.slice();
      const next = sumModel(data);
      const moved = model !== null && model.firstPosition !== next.firstPosition;
      held.moved ||= moved || model === null; // the first time too: a link may name a token further down
      if (cell && moved) cell.row += model.firstPosition - next.firstPosition; // the pointer stays on its token
      if (cell && (cell.row < 0 || cell.row >= next.nRows || cell.column >= next.dModel)) cell = null;
      model = next;
      labelParts(parts, model);
      showPlaying(parts, model, player.playing);
      parts.stepName.textContent = ""; // the language may have changed
      showStep(parts, model, player);
    }
    arrange();
  };

  function revealChosen() {
    const chosen = rowOf(link.chosen);
    if (held.moved && chosen !== null) scrollRows(reveal(layout, { row: chosen, column: null }).scroll);
    held.moved = false;
  }

  // Measures and lays out anew: after new data, a new size, a new window.
  function arrange() {
    if (!model || root.clientWidth === 0) return;
    const context = canvas.getContext("2d");
    const stacked = scroller.clientWidth < 700;
    context.font = `600 18px ${theme.font}`;
    const widths = model.tokens.map((token) => context.measureText(token).width);
    const chipWidths = model.ids.map((id, row) => Math.max(widths[row], context.measureText(id).width * 0.9));
    const numberWidth = stacked ? 0 : context.measureText(String(model.firstPosition + model.nRows)).width + 10;
    const gutter = Math.ceil(
      Math.max(stacked ? 56 : 84, Math.min(stacked ? 84 : 170, Math.max(...widths) + numberWidth)),
    );
    // A vertical scrollbar takes width, and whether there is one depends on the height of the rows alone.
    const place = () =>
      sumLayout({ ...model, width: scroller.clientWidth, gutter, window_, scrollTop: scroller.scrollTop });
    layout = place();
    scroller.style.overflowY = layout.maxScroll > 0 ? "scroll" : "hidden";
    scroller.style.height = `${layout.height}px`;
    spacer.style.height = `${layout.height + layout.maxScroll}px`;
    layout = place();
    window_.first = layout.first;
    sentence = sentenceLayout(layout, chipWidths);
    stale = true;
    revealChosen();
    showWindow();
    draw();
  }

  function showWindow() {
    parts.windowText.textContent = windowTexts(model, layout);
    parts.windowRange.hidden = layout.shown === model.dModel;
    parts.windowRange.max = String(model.dModel - layout.shown);
    parts.windowRange.value = String(layout.first);
    parts.windowRange.setAttribute("aria-valuetext", parts.windowText.textContent);
    parts.more.disabled = nextCellWidth(layout, -1) === null;
    parts.fewer.disabled = nextCellWidth(layout, 1) === null;
    parts.more.hidden = parts.fewer.hidden = parts.more.disabled && parts.fewer.disabled;
  }

  function draw() {
    cancelAnimationFrame(frame);
    frame = 0;
    if (!layout) return;
    if (stale) sheets = paintSheets(model, layout, theme);
    stale = false;
    const marks = { hoveredRow: rowOf(link.hovered), chosenRow: rowOf(link.chosen), cell };
    const context = fitCanvas(canvas, layout.width, layout.height);
    drawMoment(context, { model, layout, theme, sheets, sentence, marks, time: player.time });
    showReadout();
    const { panels, cellWidth, rowHeight, first, shown, scroll, nRows } = layout;
    const geometry = JSON.stringify({ panels, cellWidth, rowHeight, first, shown, scroll, nRows });
    if (root.dataset.geometry !== geometry) root.dataset.geometry = geometry; // where a cell is, for tests
  }

  function showReadout() {
    let text = model.labels.readout_hint;
    if (cell) {
      const at = cell.row * model.dModel + cell.column;
      const position = model.firstPosition + cell.row;
      const sum = sumText(model.maps[0].values[at], model.maps[1].values[at], model.decimals);
      text = fillLabel(model.labels.readout, { position, label: model.tokens[cell.row], dimension: cell.column, sum });
    }
    // Read out for who moves by key, not at every move of the mouse.
    readout.ariaLive = canvas.matches(":focus") ? "polite" : "off";
    if (readout.textContent !== text) readout.textContent = text;
    readout.classList.toggle("on", cell !== null);
    root.dataset.cell = cell ? `${cell.row},${cell.column}` : "";
  }

  function slide(first) {
    const last = model.dModel - layout.shown;
    window_.first = Math.max(0, Math.min(last, first));
    if (Math.round(window_.first) === layout.first) return;
    layout.first = Math.round(window_.first);
    stale = true;
    showWindow();
    schedule();
  }

  function scrollRows(top) {
    scroller.scrollTop = top;
    layout.scroll = Math.max(0, Math.min(layout.maxScroll, top));
    followScroll();
  }

  function followScroll() {
    layout.scroll = Math.max(0, Math.min(layout.maxScroll, scroller.scrollTop));
    layout.firstRow = Math.floor(layout.scroll / layout.rowHeight);
    layout.lastRow = Math.min(layout.nRows - 1, Math.ceil((layout.scroll + layout.mapHeight) / layout.rowHeight) - 1);
    showWindow();
    schedule();
  }

  function pointAt(next) {
    cell = next && next.column !== null ? { row: next.row, column: next.column } : null;
    link.hover(next ? model.firstPosition + next.row : null);
    schedule();
  }

  function zoom(towards) {
    const wished = nextCellWidth(layout, towards);
    if (wished === null) return;
    const middle = cell ? cell.column : layout.first + layout.shown / 2;
    const share = (middle - layout.first) / layout.shown;
    window_.cellWidth = wished;
    window_.first = middle - share * columnsShown(layout.room, model.dModel, wished);
    arrange();
  }

  // What lies under a point of the figure now: a chip of the sentence at the first step, else a cell.
  function hit(event) {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (player.time >= 1) return cellAt(layout, x, y);
    const row = sentence.findIndex(
      (chip) => x >= chip.x && x < chip.x + chip.width && y >= chip.y && y < chip.y + chip.height,
    );
    return row < 0 ? null : { panel: 0, row, column: null };
  }

  // What the listeners may do; model and layout change, so they are read through it.
  const figure = {
    get model() {
      return model;
    },
    get layout() {
      return layout;
    },
    get cell() {
      return cell;
    },
    get first() {
      return window_.first;
    }, // of the window, not yet rounded to a whole dimension
    hit,
    pointAt,
    slide,
    scrollRows,
    followScroll,
    zoom,
    toggle: (row) => link.toggle(model.firstPosition + row),
    save: () => saveImage(canvas, model, layout, theme),
  };
  listenToPointer(canvas, figure);
  listenToKeys(canvas, figure);
  listenToControls(parts, figure, player);

  const unsubscribe = link.subscribe(({ chosen, cause }) => {
    const row = cause === "choose" ? rowOf(chosen) : null;
    if (row !== null && layout && !canvas.matches(":hover")) scrollRows(reveal(layout, { row, column: null }).scroll);
    schedule();
  });
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
