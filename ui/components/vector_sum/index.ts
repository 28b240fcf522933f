// Token rows plus position rows give input rows: what is shown, where the pointer is, and what each event does.

import { clamp, showReadout } from "../_shared/canvas.js";
import { themeOf } from "../_shared/colour.js";
import { contextOf, deviceRatio, fitCanvas, pointIn } from "../_shared/elements.js";
import { lasting, perFrame, takingDown, watchSize } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { lookOf } from "../_shared/look.js";
import { newsWatch } from "../_shared/payload.js";
import { namedStep, playSteps } from "../_shared/stepper.js";
import { fillLabel } from "../_shared/text.js";
import { paintSheets } from "./draw.js";
import { listenToControls, listenToKeys, listenToPointer } from "./events.js";
import { cellAt, isStacked, nextCellWidth, reveal, scrollTo, sumLayout, zoomed } from "./layout.js";
import { afterSign, cellTerms, isMasked, sumModel } from "./model.js";
import { labelParts, showWindow, vectorSumParts } from "./parts.js";
import { drawMoment, STEP_COUNT } from "./steps.js";

/** @typedef {import("./layout.js").Cell} Cell */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./model.js").Model} Model */

export default lasting(mountSum);

/** @param {import("../_shared/lifecycle.js").Place} parentElement */
function mountSum(parentElement) {
  const parts = vectorSumParts();
  const { root, canvas, scroller, spacer } = parts;
  parentElement.append(root);

  const isNew = newsWatch();
  /** @type {import("./layout.js").Wish} */
  let wish = { first: 0, cellWidth: null };
  /** @type {Model | null} */
  let model = null;
  /** @type {Layout | null} */
  let layout = null;
  let theme = themeOf(root);
  /** @type {HTMLCanvasElement[] | null} */
  let sheets = null; // null when they do not show the window
  /** @type {Cell | null} */
  let cell = null; // under the pointer
  let moved = false; // the text's rows are others: the chosen one may be out of sight
  const frames = perFrame(draw);
  const look = lookOf(root, "cells", ([first, cellWidth = 0, row = 0]) => {
    wish = { first: Math.max(0, first), cellWidth: cellWidth > 0 ? cellWidth : null };
    arrange();
    if (layout) scrollRows(row * layout.rowHeight);
  });

  const { player, label } = playSteps(parts.steps, root, {
    last: STEP_COUNT - 1,
    describe: (step) => (model ? namedStep(model.labels, step, STEP_COUNT) : { title: "", text: "" }),
    onTime: frames.schedule,
  });
  const rowOf = (/** @type {number | null} */ position) => {
    const row = position === null || !model ? -1 : position - model.firstPosition;
    return model && row >= 0 && row < model.nRows ? row : null;
  };
  const positionOf = (/** @type {number} */ row) => (model ? model.firstPosition + row : null);

  /** @param {Uint8Array} data */
  function receive(data) {
    theme = themeOf(root);
    if (isNew(data)) {
      const before = model;
      model = sumModel(data);
      // The first time too: a link may name a token further down.
      moved ||= before?.firstPosition !== model.firstPosition;
      cell = cell && before ? followed(cell, before, model) : null;
      labelParts(parts, model);
      label(model.labels);
    }
    arrange();
  }

  // Measures and lays out anew: after new data, a new size, a new window.
  function arrange() {
    if (!model || root.clientWidth === 0) return;
    const { nRows, dModel } = model;
    const gutter = measured(contextOf(canvas), model, theme, isStacked(scroller.clientWidth));
    // A vertical scrollbar takes width, and whether there is one depends on the height of the rows alone.
    const place = () => {
      const { clientWidth: width, scrollTop } = scroller;
      return sumLayout({ nRows, dModel, width, gutter, wish, scrollTop, ratio: deviceRatio() });
    };
    layout = place();
    scroller.style.overflowY = layout.maxScroll > 0 ? "scroll" : "hidden";
    scroller.style.height = `${layout.height}px`;
    spacer.style.height = `${layout.height + layout.maxScroll}px`;
    layout = place();
    wish.first = layout.first;
    sheets = null;
    if (moved) showRow(rowOf(link.chosen));
    moved = false;
    showWindow(parts, model, layout);
    frames.now();
    look.ready();
  }

  function draw() {
    if (!model || !layout) return;
    sheets ??= paintSheets({ model, layout, theme });
    const marks = { hoveredRow: rowOf(link.hovered), chosenRow: rowOf(link.chosen), cell };
    const context = fitCanvas(canvas, layout.width, layout.height);
    drawMoment(context, { model, layout, theme, sheets, marks, time: player.time });
    showReadout(parts, cell ? cellText(model, cell) : model.labels.readout_hint, cell !== null);
    root.dataset.cell = cell ? `${cell.row},${cell.column}` : "";
    const { panels, cellWidth, rowHeight, first, shown, scroll, nRows } = layout;
    look.say(first || wish.cellWidth || scroll ? [first, wish.cellWidth ?? 0, scroll / rowHeight] : null);
    const geometry = JSON.stringify({ panels, cellWidth, rowHeight, first, shown, scroll, nRows });
    if (root.dataset.geometry !== geometry) root.dataset.geometry = geometry; // where a cell is, for tests
  }

  /** @param {number} first */
  function slide(first) {
    if (!model || !layout) return;
    wish.first = clamp(first, 0, model.dModel - layout.shown);
    if (Math.round(wish.first) === layout.first) return;
    layout.first = Math.round(wish.first);
    sheets = null;
    showWindow(parts, model, layout);
    frames.schedule();
  }

  /** @param {number} top */
  function scrollRows(top) {
    scroller.scrollTop = top;
    followScroll();
  }

  function followScroll() {
    if (!model || !layout) return;
    scrollTo(layout, scroller.scrollTop);
    showWindow(parts, model, layout);
    frames.schedule();
  }

  /** @param {number | null} row */
  function showRow(row) {
    if (row !== null && layout) scrollRows(reveal(layout, { row, column: null }).scroll);
  }

  /** @type {import("./events.js").Figure} */
  const figure = {
    layout: () => layout,
    cell: () => cell,
    first: () => wish.first,
    hit(event) {
      return layout && cellAt(layout, ...pointIn(event, canvas));
    },
    pointAt(place) {
      cell = place && place.column !== null ? { row: place.row, column: place.column } : null;
      link.hover(place && positionOf(place.row));
      frames.schedule();
    },
    slide,
    scrollRows,
    followScroll,
    zoom(towards) {
      const cellWidth = layout && nextCellWidth(layout, towards);
      if (!layout || cellWidth === null) return;
      wish = zoomed(layout, cellWidth, cell?.column ?? null);
      arrange();
    },
    toggle: (row) => link.toggle(positionOf(row)),
  };
  listenToPointer(canvas, figure);
  listenToKeys(canvas, figure);
  listenToControls(parts, figure);

  const unsubscribe = link.subscribe(({ chosen, cause }) => {
    if (cause === "choose" && !canvas.matches(":hover")) showRow(rowOf(chosen));
    frames.schedule();
  });
  return { receive, unmount: takingDown(root, unsubscribe, watchSize(root, arrange), player.stop, frames.stop) };
}

/**
 * The pointer stays on its token when the rows are those of other positions; null where that is not shown any more.
 * @param {Cell} cell
 * @param {Pick<Model, "firstPosition">} before
 * @param {Pick<Model, "firstPosition" | "nRows" | "dModel">} now
 * @returns {Cell | null}
 */
export function followed({ row, column }, before, now) {
  const next = row + before.firstPosition - now.firstPosition;
  return next >= 0 && next < now.nRows && column < now.dModel ? { row: next, column } : null;
}

/**
 * The room left of the rows, for the tokens.
 * @param {CanvasRenderingContext2D} context
 * @param {Model} model
 * @param {import("../_shared/colour.js").Theme} theme
 * @param {boolean} stacked
 */
function measured(context, { tokens, firstPosition, nRows }, theme, stacked) {
  context.font = `600 18px ${theme.font}`;
  const widthOf = (/** @type {string} */ text) => context.measureText(text).width;
  const numberWidth = stacked ? 0 : widthOf(String(firstPosition + nRows)) + 10;
  return Math.ceil(clamp(Math.max(...tokens.map(widthOf)) + numberWidth, stacked ? 56 : 84, stacked ? 84 : 170));
}

/**
 * @param {Model} model
 * @param {Cell} cell
 */
function cellText(model, cell) {
  const { labels, firstPosition, tokens, signs, causal } = model;
  const { terms, sign } = cellTerms(model, cell);
  const sum = `${terms[0]} ${signs[0]} ${afterSign(terms[1])} ${sign} ${terms[2]}`;
  const [position, label] = [firstPosition + cell.row, tokens[cell.row]];
  const column = causal ? firstPosition + cell.column : cell.column;
  const values = { position, label, axis: labels.dimension, column };
  return fillLabel(labels.readout, { ...values, sum: isMasked(model, cell) ? labels.masked : sum });
}
