// One-hot rows times E beside the rows that a lookup gives: what is shown, where the pointer is, what each event does.

import { clamp, showReadout } from "../_shared/canvas.ts";
import { themeOf } from "../_shared/colour.ts";
import { contextOf, fitCanvas, letters, pointIn } from "../_shared/elements.ts";
import { lasting, type ParentElement, perFrame, takingDown, watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { lookOf } from "../_shared/look.ts";
import { newsWatch } from "../_shared/payload.ts";
import { namedStep, playSteps } from "../_shared/stepper.ts";
import { isStacked, type Layout, nextPlace, productHit, productLayout, revealed } from "./layout.ts";
import { type Model, type Place, productModel, readoutText, someTokens, tokenOf } from "./model.ts";
import { labelParts, productParts, showWindow } from "./parts.ts";
import { drawMoment, STEP_COUNT } from "./steps.ts";

const ON_SLIDE = 4; // tokens; more would be small
const STACKED = 3; // tokens; more would not be on one screen of a phone

export default lasting(mountProduct);

function mountProduct(parentElement: ParentElement) {
  const parts = productParts();
  const { root, canvas, box } = parts;
  parentElement.append(root);

  const isNew = newsWatch();
  let whole: Model | null = null;
  let model: Model | null = null; // what is drawn of it
  let layout: Layout | null = null;
  let theme = themeOf(root);
  let cell: Place | null = null; // under the pointer
  let first = 0; // dimension at the left
  const frames = perFrame(draw);
  const look = lookOf(root, "cells", ([to]) => slide(Math.max(0, Math.round(to))));

  const { player, label } = playSteps(parts.steps, root, {
    last: STEP_COUNT - 1,
    describe: (step) => (model ? namedStep(model.labels, step, STEP_COUNT) : { title: "", text: "" }),
    onTime(time) {
      parts.verdict.style.visibility = time > STEP_COUNT - 2 ? "visible" : "hidden"; // not before the last step says it
      frames.schedule();
    },
  });
  const rowOf = (position: number | null) => {
    const row = position === null || !model ? -1 : model.positions.indexOf(position);
    return row < 0 ? null : row;
  };

  function receive(data: Uint8Array) {
    theme = themeOf(root);
    if (isNew(data)) {
      whole = model = productModel(data);
      cell = null;
      labelParts(parts, model);
      label(model.labels);
    }
    arrange();
  }

  function arrange() {
    if (!whole || box.clientWidth === 0) return;
    model = shortened(whole, isStacked(box.clientWidth));
    const context = contextOf(canvas);
    const measure = (text: string, bold: boolean) => {
      context.font = `${bold ? `600 ${letters(17)}` : letters(15)} ${theme.font}`;
      return context.measureText(text).width;
    };
    layout = productLayout(model, box.clientWidth, measure, first);
    first = layout.first;
    showWindow(parts, model, layout);
    frames.now();
    look.say(first ? [first] : null);
    look.ready();
  }

  /** As many tokens as there is room for, the chosen one among them. */
  function shortened(whole: Model, stacked: boolean) {
    if (!stacked && document.body.dataset.present === undefined) return whole;
    const most = stacked ? STACKED : ON_SLIDE;
    const last = Math.max(most, whole.positions.indexOf(link.chosen ?? -1) + 1);
    return someTokens(whole, last - most, last);
  }

  function draw() {
    if (!model || !layout) return;
    const marks = { hovered: rowOf(link.hovered), chosen: rowOf(link.chosen), cell };
    const context = fitCanvas(canvas, layout.width, layout.height);
    drawMoment(context, { model, layout, theme, marks, time: player.time, focus: marks.chosen ?? 0 });
    showReadout(parts, readoutText(model, cell), cell !== null);
    const { hot, table, result, shown, place, cell: width, places } = layout;
    const geometry = JSON.stringify({ hot, table, result, first, shown, place, cell: width, starts: places.starts });
    if (root.dataset.geometry !== geometry) root.dataset.geometry = geometry; // where a cell is, for tests
  }

  function slide(to: number) {
    if (!model || !layout) return;
    first = clamp(to, 0, model.k - layout.shown);
    arrange();
  }

  function pointAt(next: Place | null) {
    cell = next;
    const row = model && tokenOf(model, next);
    link.hover(row === null ? null : model?.positions[row]);
    frames.schedule();
  }

  const toggle = (row: number | null) => {
    if (row !== null) link.toggle(model?.positions[row]);
  };
  const placeUnder = (event: MouseEvent) => {
    return layout && productHit(layout, ...pointIn(event, canvas));
  };

  canvas.addEventListener("pointermove", (event) => pointAt(placeUnder(event)));
  canvas.addEventListener("pointerdown", (event) => event.pointerType !== "mouse" && pointAt(placeUnder(event)));
  canvas.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && pointAt(null));
  canvas.addEventListener("click", (event) => toggle(model && tokenOf(model, placeUnder(event))));
  canvas.addEventListener("keydown", (event) => {
    if (!model || !layout || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = tokenOf(model, cell) ?? 0;
    const next = nextPlace(event.key, cell, row, model);
    if (next) {
      if (next.part === "result" && next.column !== null) {
        const to = revealed(layout, next.column);
        if (to !== first) slide(to);
      }
      pointAt(next);
    } else if (event.key === "Enter" || event.key === " ") toggle(row);
    else if (event.key === "Escape") pointAt(null);
    else return;
    event.preventDefault();
  });
  canvas.addEventListener("blur", () => pointAt(null));
  parts.windowRange.addEventListener("input", () => slide(Number(parts.windowRange.value)));

  const unsubscribe = link.subscribe(({ cause }) => (cause === "choose" ? arrange() : frames.schedule()));
  return { receive, unmount: takingDown(root, unsubscribe, watchSize(root, arrange), player.stop, frames.stop) };
}
