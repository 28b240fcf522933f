// Token rows plus position rows give input rows: what is shown, where the pointer is, and what each event does.

import { clamp, showReadout } from "../_shared/canvas.ts";
import { type Theme, themeOf } from "../_shared/colour.ts";
import { contextOf, deviceRatio, fitCanvas, pointIn } from "../_shared/elements.ts";
import { lasting, type ParentElement, perFrame, takingDown, watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { lookOf } from "../_shared/look.ts";
import { newsWatch } from "../_shared/payload.ts";
import { namedStep, playSteps } from "../_shared/stepper.ts";
import { fillLabel } from "../_shared/text.ts";
import { paintSheets } from "./draw.ts";
import { type Figure, listenToControls, listenToKeys, listenToPointer } from "./events.ts";
import {
  type Cell,
  cellAt,
  isStacked,
  type Layout,
  nextCellWidth,
  reveal,
  scrollTo,
  sumLayout,
  type Wish,
  zoomed,
} from "./layout.ts";
import { afterSign, cellTerms, isMasked, type Model, sumModel } from "./model.ts";
import { labelParts, showWindow, vectorSumParts } from "./parts.ts";
import { drawMoment, STEP_COUNT } from "./steps.ts";

export default lasting(mountSum);

function mountSum(parentElement: ParentElement) {
  const parts = vectorSumParts();
  const { root, canvas, scroller, spacer } = parts;
  parentElement.append(root);

  const isNew = newsWatch();
  let wish: Wish = { first: 0, cellWidth: null };
  let model: Model | null = null;
  let layout: Layout | null = null;
  let theme = themeOf(root);
  let sheets: HTMLCanvasElement[] | null = null; // null when they do not show the window
  let cell: Cell | null = null; // under the pointer
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
  const rowOf = (position: number | null) => {
    const row = position === null || !model ? -1 : position - model.firstPosition;
    return model && row >= 0 && row < model.nRows ? row : null;
  };
  const positionOf = (row: number) => (model ? model.firstPosition + row : null);

  function receive(data: Uint8Array) {
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

  function slide(first: number) {
    if (!model || !layout) return;
    wish.first = clamp(first, 0, model.dModel - layout.shown);
    if (Math.round(wish.first) === layout.first) return;
    layout.first = Math.round(wish.first);
    sheets = null;
    showWindow(parts, model, layout);
    frames.schedule();
  }

  function scrollRows(top: number) {
    scroller.scrollTop = top;
    followScroll();
  }

  function followScroll() {
    if (!model || !layout) return;
    scrollTo(layout, scroller.scrollTop);
    showWindow(parts, model, layout);
    frames.schedule();
  }

  function showRow(row: number | null) {
    if (row !== null && layout) scrollRows(reveal(layout, { row, column: null }).scroll);
  }

  const figure: Figure = {
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

/** The pointer stays on its token when the rows are those of other positions; null where that is not shown any more. */
export function followed(
  { row, column }: Cell,
  before: Pick<Model, "firstPosition">,
  now: Pick<Model, "firstPosition" | "nRows" | "dModel">,
): Cell | null {
  const next = row + before.firstPosition - now.firstPosition;
  return next >= 0 && next < now.nRows && column < now.dModel ? { row: next, column } : null;
}

/** The room left of the rows, for the tokens. */
function measured(
  context: CanvasRenderingContext2D,
  { tokens, firstPosition, nRows }: Model,
  theme: Theme,
  stacked: boolean,
) {
  context.font = `600 18px ${theme.font}`;
  const widthOf = (text: string) => context.measureText(text).width;
  const numberWidth = stacked ? 0 : widthOf(String(firstPosition + nRows)) + 10;
  return Math.ceil(clamp(Math.max(...tokens.map(widthOf)) + numberWidth, stacked ? 56 : 84, stacked ? 84 : 170));
}

function cellText(model: Model, cell: Cell) {
  const { labels, firstPosition, tokens, signs, causal } = model;
  const { terms, sign } = cellTerms(model, cell);
  const sum = `${terms[0]} ${signs[0]} ${afterSign(terms[1])} ${sign} ${terms[2]}`;
  const [position, label] = [firstPosition + cell.row, tokens[cell.row]];
  const column = causal ? firstPosition + cell.column : cell.column;
  const values = { position, label, axis: labels.dimension, column };
  return fillLabel(labels.readout, { ...values, sum: isMasked(model, cell) ? labels.masked : sum });
}
