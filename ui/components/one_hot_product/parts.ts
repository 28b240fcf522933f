// The elements around the canvas: the steps' bar, the readout, the dimensions' slider, the sentences below.

import { figureParts } from "../_shared/canvas.js";
import { makeElement } from "../_shared/elements.js";
import { countText } from "../_shared/numbers.js";
import { stepBar } from "../_shared/stepper.js";
import { fillLabel } from "../_shared/text.js";
import { STEP_COUNT } from "./steps.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {ReturnType<typeof productParts>} Parts */

export function productParts() {
  const steps = stepBar("product", STEP_COUNT);
  const { readout, canvas } = figureParts("product");
  const box = makeElement("div", { className: "box" }, canvas);
  const windowText = makeElement("span", { className: "range-text" });
  const windowRange = makeElement("input", { testid: "product-dimensions", type: "range", min: "0", step: "1" });
  const verdict = makeElement("p", { className: "verdict", testid: "product-equal" });
  verdict.style.visibility = "hidden"; // until the last step
  const root = makeElement(
    "div",
    { className: "product", testid: "one-hot-product" },
    steps.bar,
    steps.step,
    readout,
    box,
    verdict,
    makeElement("div", { className: "window" }, windowText, windowRange),
  );
  return { root, steps, readout, canvas, box, windowText, windowRange, verdict };
}

/**
 * @param {Parts} parts
 * @param {Model} model
 */
export function labelParts(parts, model) {
  const { labels, n, vocab_size, d_model } = model;
  parts.windowRange.setAttribute("aria-label", labels.scroll_dimensions);
  const sizes = { tokens: n, vocab_size: countText(vocab_size), d_model };
  parts.canvas.setAttribute("aria-label", fillLabel(labels.figure, sizes));
  parts.verdict.textContent = verdictText(model);
}

/**
 * How much work each way was, and in how many numbers they agree.
 * @param {Pick<Model, "labels" | "n" | "k" | "vocab_size" | "d_model" | "equalRows">} model
 */
export function verdictText({ labels, n, k, vocab_size, d_model, equalRows }) {
  const equal = equalRows.reduce((sum, row) => sum + row, 0);
  const counts = {
    tokens: n,
    vocab_size,
    d_model,
    copied: n * d_model,
    products: n * vocab_size * d_model,
    count: n * k,
    equal,
  };
  const written = Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, countText(value)]));
  return fillLabel(labels.equal, written);
}

/**
 * @param {Parts} parts
 * @param {Model} model
 * @param {import("./layout.js").Layout} layout
 */
export function showWindow(parts, model, layout) {
  const { labels, rows, vocab_size, d_model } = model;
  const dimensions = fillLabel(labels[layout.shown === d_model ? "all_dimensions" : "dimensions_shown"], {
    first: layout.first,
    last: layout.first + layout.shown - 1,
    d_model,
  });
  const rowsText = fillLabel(labels[rows.length === vocab_size ? "all_rows" : "rows_shown"], {
    shown: rows.length,
    vocab_size: countText(vocab_size),
  });
  parts.windowText.textContent = `${dimensions} · ${rowsText}`;
  parts.windowRange.hidden = layout.shown === model.k;
  parts.windowRange.max = String(model.k - layout.shown);
  parts.windowRange.value = String(layout.first);
  parts.windowRange.setAttribute("aria-valuetext", dimensions);
}
