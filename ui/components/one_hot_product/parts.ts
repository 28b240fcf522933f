// The elements around the canvas: the steps' bar, the readout, the dimensions' slider, the sentences below.

import { figureParts } from "../_shared/canvas.ts";
import { makeElement } from "../_shared/elements.ts";
import { countText } from "../_shared/numbers.ts";
import { stepBar } from "../_shared/stepper.ts";
import { fillLabel } from "../_shared/text.ts";
import type { Layout } from "./layout.ts";
import type { Model } from "./model.ts";
import { STEP_COUNT } from "./steps.ts";

type Parts = ReturnType<typeof productParts>;

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

export function labelParts(parts: Parts, model: Model) {
  const { labels, n, vocab_size, d_model } = model;
  parts.windowRange.setAttribute("aria-label", labels.scroll_dimensions);
  const sizes = { tokens: n, vocab_size: countText(vocab_size), d_model };
  parts.canvas.setAttribute("aria-label", fillLabel(labels.figure, sizes));
  parts.verdict.textContent = verdictText(model);
}

/** How much work each way was, and in how many numbers they agree. */
export function verdictText({
  labels,
  n,
  k,
  vocab_size,
  d_model,
  equalRows,
}: Pick<Model, "labels" | "n" | "k" | "vocab_size" | "d_model" | "equalRows">) {
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

export function showWindow(parts: Parts, model: Model, layout: Layout) {
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
