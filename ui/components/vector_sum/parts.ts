// The elements around the canvas: the steps' bar, the readout, the window's controls, the colour bar.

import { colourBar, figureParts, fillColourBar } from "../_shared/canvas.ts";
import { makeElement } from "../_shared/elements.ts";
import { iconButton, nameButton } from "../_shared/icons.ts";
import { decimalText, localized } from "../_shared/numbers.ts";
import { stepBar } from "../_shared/stepper.ts";
import { fillLabel } from "../_shared/text.ts";
import { type Layout, nextCellWidth } from "./layout.ts";
import type { Model } from "./model.ts";
import { STEP_COUNT } from "./steps.ts";

export type Parts = ReturnType<typeof vectorSumParts>;

export function vectorSumParts() {
  const steps = stepBar("step", STEP_COUNT);
  const { readout, canvas } = figureParts("sum");
  const spacer = makeElement("div", {}, canvas);
  const scroller = makeElement("div", { className: "scroller", testid: "sum-scroller" }, spacer);
  const windowRange = makeElement("input", { testid: "sum-dimensions", type: "range", min: "0", step: "1" });
  const windowText = makeElement("span", { className: "range-text", testid: "sum-window" });
  const [more, fewer] = [iconButton("sum-more", "more"), iconButton("sum-fewer", "fewer")];
  const zoom = makeElement("div", { className: "buttons" }, more, fewer);
  const bar = colourBar("sum-colours");
  const scaleText = makeElement("p", { className: "scale-text", testid: "sum-scale" });
  const none = makeElement("p", { className: "none", testid: "sum-no-addition" });
  const root = makeElement(
    "div",
    { className: "sum", testid: "vector-sum" },
    steps.bar,
    steps.step,
    none,
    scroller,
    readout,
    makeElement("div", { className: "window" }, windowText, windowRange, zoom),
    makeElement("div", { className: "legend" }, bar.root, scaleText),
  );
  return {
    root,
    steps,
    readout,
    canvas,
    spacer,
    scroller,
    windowRange,
    windowText,
    more,
    fewer,
    bar,
    scaleText,
    none,
  };
}

export function labelParts(parts: Parts, model: Model) {
  const { labels, scale } = model;
  nameButton(parts.more, labels.more);
  nameButton(parts.fewer, labels.fewer);
  parts.windowRange.setAttribute("aria-label", labels.scroll_dimensions);
  parts.canvas.setAttribute("aria-label", fillLabel(labels.figure, { rows: model.nRows, d_model: model.dModel }));
  parts.none.textContent = labels.no_addition;
  parts.none.hidden = model.adds;
  fillColourBar(parts.bar, scale.stops, limitText(scale.limit));
  parts.scaleText.textContent = scaleSentence(model);
}

const scaleSentence = ({ labels, beyond, scale }: Model) =>
  fillLabel(labels[beyond ? "scale" : "scale_all"], { limit: limitText(scale.limit) });

export function limitText(limit: number) {
  return limit >= 0.01 && limit < 1000 ? decimalText(limit, limit < 10 ? 2 : 1) : localized(limit.toPrecision(3));
}

export function showWindow(parts: Parts, model: Model, layout: Layout) {
  const text = windowText(model, layout);
  parts.windowText.textContent = text;
  parts.windowRange.hidden = layout.shown === model.dModel;
  parts.windowRange.max = String(model.dModel - layout.shown);
  parts.windowRange.value = String(layout.first);
  parts.windowRange.setAttribute("aria-valuetext", text);
  parts.more.disabled = nextCellWidth(layout, -1) === null;
  parts.fewer.disabled = nextCellWidth(layout, 1) === null;
  parts.more.hidden = parts.fewer.hidden = parts.more.disabled && parts.fewer.disabled;
}

export function windowText(
  {
    labels,
    nRows,
    dModel,
    firstPosition,
    total,
  }: Pick<Model, "labels" | "nRows" | "dModel" | "firstPosition" | "total">,
  layout: Pick<Layout, "first" | "shown" | "firstRow" | "lastRow" | "maxScroll">,
) {
  const dimensions = { first: layout.first, last: layout.first + layout.shown - 1, d_model: dModel };
  const rows = { first: firstPosition, last: firstPosition + nRows - 1, total };
  const texts = [
    fillLabel(labels[layout.shown === dModel ? "all_dimensions" : "dimensions_shown"], dimensions),
    fillLabel(labels[nRows === total ? "all_tokens" : "tokens_shown"], rows),
  ];
  const inSight = { first: firstPosition + layout.firstRow, last: firstPosition + layout.lastRow };
  if (layout.maxScroll > 0) texts.push(fillLabel(labels.in_sight, inSight));
  return texts.join(" · ");
}
