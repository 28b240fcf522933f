// One panel of index.js: its elements, what it says, and its picture.

import { colourScale } from "../_shared/colour.js";
import { fitCanvas, makeElement } from "../_shared/elements.js";
import { decimalText, fillLabel } from "../_shared/text.js";

export function gridPanel() {
  const panel = {
    title: makeElement("h3"),
    place: makeElement("p", { className: "place" }),
    note: makeElement("p", { className: "note" }),
    canvas: makeElement("canvas", { role: "img" }),
    rowNames: makeElement("div", { className: "names rows", "aria-hidden": "true" }),
    columnNames: makeElement("div", { className: "names columns", "aria-hidden": "true" }),
    under: makeElement("p", { className: "under" }),
    value: makeElement("p", { className: "value" }),
    bar: makeElement("div", { className: "bar" }),
    low: makeElement("span"),
    zero: makeElement("span", { text: "0" }),
    high: makeElement("span"),
  };
  panel.frame = makeElement("div", { className: "frame" }, panel.canvas);
  panel.picture = makeElement(
    "div",
    { className: "picture" },
    makeElement("div", { className: "plot" }, panel.rowNames, panel.frame, panel.columnNames),
    panel.value,
    panel.bar,
    makeElement("div", { className: "ends" }, panel.low, panel.zero, panel.high),
    panel.under,
  );
  const head = makeElement("header", {}, panel.title, panel.place);
  panel.root = makeElement("section", { className: "panel", testid: "grid-panel" }, head, panel.picture, panel.note);
  return panel;
}

export function fillPanel(panel, spec, values, { groups, colours, tokens, labels }) {
  panel.spec = spec;
  panel.values = values;
  panel.root.classList.toggle("front", spec.front);
  panel.root.style.setProperty("--group", groups[spec.group]);
  panel.title.textContent = spec.title;
  panel.place.textContent = spec.place;
  panel.place.hidden = !spec.place;
  panel.note.textContent = spec.note;
  panel.note.hidden = !spec.note;
  panel.picture.hidden = !values;
  panel.image = null;
  if (!values) return;
  panel.scale = colourScale(colours, spec.limit);
  panel.canvas.setAttribute("aria-label", spec.alt);
  panel.under.textContent = spec.under;
  for (const names of [panel.rowNames, panel.columnNames]) {
    names.hidden = !spec.named;
    names.replaceChildren(
      ...(spec.named ? tokens.map((token) => makeElement("span", {}, makeElement("bdi", { text: token }))) : []),
    );
  }
  const stops = spec.unsigned ? colours.slice((colours.length - 1) / 2) : colours;
  panel.bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  const limit = decimalText(spec.limit, decimalsFor(spec.limit));
  const [below, above] = spec.beyond;
  panel.low.textContent = spec.unsigned ? "0" : below ? fillLabel(labels.at_most, { limit: `−${limit}` }) : `−${limit}`;
  panel.zero.hidden = spec.unsigned;
  panel.high.textContent = above ? fillLabel(labels.at_least, { limit }) : limit;
}

function decimalsFor(limit) {
  return Number.isInteger(limit) ? 0 : Math.max(1, Math.min(4, 2 - Math.floor(Math.log10(limit))));
}

function paintCells({ spec, values, scale }) {
  const [rows, columns] = spec.shape;
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i += 1) {
    // What is masked stays clear, and the panel's grey shows through: it must not look like zero.
    pixels[i] = Number.isNaN(values[i]) ? 0 : scale.packed[scale.index(values[i])];
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

// hovered and chosen are rows or null, cursor {row, column} or null.
export function paintPanel(panel, { hovered, chosen, cursor, theme }) {
  const [rows, columns] = panel.spec.shape;
  const size = panel.frame.clientWidth; // all pictures are squares of one size, whatever they are of
  if (!size) return;
  const context = fitCanvas(panel.canvas, size, size);
  panel.canvas.style.width = "100%";
  panel.image ??= paintCells(panel);
  context.fillStyle = `color-mix(in srgb, ${theme.ink} 14%, ${theme.ground})`;
  context.fillRect(0, 0, size, size);
  context.imageSmoothingEnabled = false;
  context.drawImage(panel.image, 0, 0, size, size);
  const outline = (box, colour) => {
    context.strokeStyle = theme.ground;
    context.lineWidth = 4;
    context.strokeRect(...box);
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.strokeRect(...box);
  };
  const middle = (index, count) => ((index + 0.5) / count) * size;
  const outlineRow = (row, colour) => {
    const tall = Math.max(4, size / rows);
    if (row !== null && row < rows) outline([1.5, middle(row, rows) - tall / 2, size - 3, tall], colour);
  };
  outlineRow(chosen, theme.ink);
  if (hovered !== chosen) outlineRow(hovered, theme.accent);
  if (cursor && cursor.row < rows && cursor.column < columns) {
    const [w, h] = [Math.max(5, size / columns), Math.max(5, size / rows)];
    outline([middle(cursor.column, columns) - w / 2, middle(cursor.row, rows) - h / 2, w, h], theme.accent);
  }
}
