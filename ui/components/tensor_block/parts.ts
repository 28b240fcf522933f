// The elements around the picture of index.ts: views, readout, the three cuts, the colours.

import { colourBar, fillColourBar } from "../_shared/canvas.ts";
import { makeElement } from "../_shared/elements.ts";
import { countText, localized } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import { CORNER } from "./camera.ts";
import { type Index, type Model, rangeText } from "./model.ts";

export type Parts = ReturnType<typeof blockParts>;

export const VIEWS: Record<string, [yaw: number, pitch: number]> = {
  corner: CORNER,
  front: [0, 0],
  side: [90, 0],
  top: [0, 90],
};

export function blockParts() {
  const views = Object.keys(VIEWS).map((name) => makeElement("button", { type: "button", testid: `block-${name}` }));
  const viewGroup = makeElement("div", { className: "group", role: "group" }, ...views);
  const toToken = makeElement("button", { className: "single", type: "button", testid: "block-to-token" });
  const whole = makeElement("button", { className: "single", type: "button", testid: "block-whole" });
  const readout = makeElement("p", { className: "readout", testid: "block-readout", role: "status" });
  const canvas = makeElement("canvas", { testid: "block-canvas", role: "application", tabindex: "0" });
  const cuts = [0, 1, 2].map((axis) => {
    const name = makeElement("b");
    const range = makeElement("span", { className: "range" });
    const input = makeElement("input", { testid: `block-cut-${axis}`, type: "range", min: "0", step: "1" });
    return { name, range, input, root: makeElement("label", { className: "cut" }, name, input, range) };
  });
  const shown = makeElement("p", { className: "shown", testid: "block-shown" });
  const bar = colourBar("block-colours");
  const scaleText = makeElement("p", { className: "scale-text" });
  const root = makeElement(
    "div",
    { className: "block", testid: "tensor-block" },
    makeElement("div", { className: "bar" }, viewGroup, toToken, whole),
    readout,
    canvas,
    makeElement("div", { className: "cuts" }, ...cuts.map((cut) => cut.root)),
    makeElement("div", { className: "legend" }, bar.root, scaleText, shown),
  );
  return { root, views, viewGroup, toToken, whole, readout, canvas, cuts, shown, bar, scaleText };
}

export function labelBlock(parts: Parts, model: Model) {
  const { labels } = model;
  const [batch, positions, dimensions] = model.shape;
  parts.canvas.setAttribute("aria-label", fillLabel(labels.figure, { batch, positions, dimensions }));
  parts.viewGroup.setAttribute("aria-label", labels.views);
  Object.keys(VIEWS).forEach((name, index) => (parts.views[index].textContent = labels[name]));
  parts.toToken.textContent = labels.to_token;
  parts.whole.textContent = labels.whole;
  parts.cuts.forEach(({ name, input, root }, axis) => {
    name.textContent = model.indexNames[axis];
    input.setAttribute("aria-label", fillLabel(labels.cut, { axis: model.indexNames[axis] }));
    input.max = String(model.shown[axis] - 1);
    input.disabled = model.shown[axis] === 1;
    root.title = input.ariaLabel ?? "";
  });
  const product = (shape: number[]) => countText(shape.reduce((a, b) => a * b));
  const all = model.shape.every((count, axis) => count === model.shown[axis]);
  parts.shown.textContent = all
    ? ""
    : fillLabel(labels.shown, { drawn: product(model.shown), whole: product(model.shape) });
  parts.shown.hidden = all;
  const limit = limitText(model.limit);
  fillColourBar(parts.bar, model.colours, limit);
  parts.scaleText.textContent = fillLabel(labels.scale, { limit });
}

export function limitText(limit: number) {
  return localized(limit >= 0.01 && limit < 1000 ? String(Number(limit.toFixed(4))) : limit.toPrecision(3));
}

export function showCuts(parts: Parts, model: Model, cut: Index) {
  parts.cuts.forEach(({ range, input }, axis) => {
    const text = rangeText(model, axis, cut[axis]);
    if (Number(input.value) !== cut[axis]) input.value = String(cut[axis]);
    if (range.textContent === text) return;
    range.textContent = text;
    input.setAttribute("aria-valuetext", text);
  });
  parts.whole.disabled = cut.every((count) => count === 0);
}

export function showView(parts: Parts, yaw: number, pitch: number) {
  Object.values(VIEWS).forEach(([side, up], index) =>
    parts.views[index].setAttribute("aria-pressed", String(Math.abs(yaw - side) < 0.5 && Math.abs(pitch - up) < 0.5)),
  );
}
