// The elements around the canvas: the steps' bar, the readout, the window's controls, the colour bar.

import { colourBar, figureParts, fillColourBar } from "../_shared/canvas.js";
import { makeElement } from "../_shared/elements.js";
import { iconButton, nameButton } from "../_shared/icons.js";
import { decimalText, localized } from "../_shared/numbers.js";
import { stepBar } from "../_shared/stepper.js";
import { fillLabel } from "../_shared/text.js";
import { nextCellWidth } from "./layout.js";
import { STEP_COUNT } from "./steps.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./model.js").Model} Model */
/** @typedef {ReturnType<typeof vectorSumParts>} Parts */

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

/**
 * @param {Parts} parts
 * @param {Model} model
 */
export function labelParts(parts, model) {
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

/** @param {Model} model */
const scaleSentence = ({ labels, beyond, scale }) =>
  fillLabel(labels[beyond ? "scale" : "scale_all"], { limit: limitText(scale.limit) });

/** @param {number} limit */
export function limitText(limit) {
  return limit >= 0.01 && limit < 1000 ? decimalText(limit, limit < 10 ? 2 : 1) : localized(limit.toPrecision(3));
}

/**
 * @param {Parts} parts
 * @param {Model} model
 * @param {Layout} layout
 */
export function showWindow(parts, model, layout) {
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

/**
 * @param {Pick<Model, "labels" | "nRows" | "dModel" | "firstPosition" | "total">} model
 * @param {Pick<Layout, "first" | "shown" | "firstRow" | "lastRow" | "maxScroll">} layout
 */
export function windowText({ labels, nRows, dModel, firstPosition, total }, layout) {
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
