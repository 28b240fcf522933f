// One panel of index.js: its elements, what it says, its picture, and which cell is where.

import { chosenRing, clamp, ring } from "../_shared/canvas.js";
import { colourIndices, colourScale, downscale, paintIndices } from "../_shared/colour.js";
import { fitCanvas, makeElement, spelled } from "../_shared/elements.js";
import { decimalText } from "../_shared/numbers.js";
import { fillLabel } from "../_shared/text.js";

/**
 * @typedef {object} Spec one matrix and what is said about it, as Panel.described sends it
 * @property {string} title
 * @property {string} place
 * @property {number} group
 * @property {string} note
 * @property {string} alt
 * @property {[rows: number, columns: number] | null} shape null where there is nothing to draw
 * @property {number} limit
 * @property {boolean} unsigned
 * @property {[below: boolean, above: boolean]} beyond
 * @property {string} under
 * @property {string} rows what a row is
 * @property {string} columns
 * @property {boolean} positions whether columns are positions too
 * @property {boolean} named
 */
/**
 * @typedef {object} Header
 * @property {Spec[]} panels
 * @property {number | null} chosen
 * @property {number | null} front which panel stands out
 * @property {string[]} tokens
 * @property {string[]} colours
 * @property {string[]} groups
 * @property {Record<string, string>} labels
 */
/** @typedef {{ shape: [rows: number, columns: number], values: Float32Array }} Matrix */
/** @typedef {{ row: number, column: number }} Cell */
/**
 * @typedef {ReturnType<typeof gridPanel> & {
 *   spec?: Spec,
 *   matrix?: Matrix | null,
 *   scale?: import("../_shared/colour.js").Scale,
 *   image?: { picture: HTMLCanvasElement, extent: [rows: number, columns: number], pixels: number } | null,
 * }} Panel
 */

export function gridPanel() {
  const parts = {
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
  const frame = makeElement("div", { className: "frame" }, parts.canvas);
  const picture = makeElement(
    "div",
    { className: "picture" },
    makeElement("div", { className: "plot" }, parts.rowNames, frame, parts.columnNames),
    parts.value,
    parts.bar,
    makeElement("div", { className: "ends" }, parts.low, parts.zero, parts.high),
    parts.under,
  );
  const head = makeElement("header", {}, parts.title, parts.place);
  const root = makeElement("section", { className: "panel", testid: "grid-panel" }, head, picture, parts.note);
  return { ...parts, frame, picture, root };
}

/**
 * @param {Panel} panel
 * @param {Spec} spec
 * @param {Matrix | null} matrix
 * @param {Header} header
 */
export function fillPanel(panel, spec, matrix, { groups, colours, tokens, labels }) {
  panel.spec = spec;
  panel.matrix = matrix;
  panel.root.style.setProperty("--group", groups[spec.group]);
  panel.title.textContent = spec.title;
  panel.place.textContent = spec.place;
  panel.place.hidden = !spec.place;
  panel.note.textContent = spec.note;
  panel.note.hidden = !spec.note;
  panel.picture.hidden = !matrix;
  panel.image = null;
  if (!matrix) return;
  panel.scale = colourScale(colours, spec.limit);
  panel.canvas.setAttribute("aria-label", spec.alt);
  panel.under.textContent = spec.under;
  for (const names of [panel.rowNames, panel.columnNames]) {
    names.hidden = !spec.named;
    names.style.setProperty("--names", String(tokens.length));
    names.replaceChildren(...(spec.named ? tokens.map((token) => makeElement("span", {}, spelled(token))) : []));
  }
  const stops = spec.unsigned ? colours.slice((colours.length - 1) / 2) : colours;
  panel.bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  const ends = scaleEnds(spec, labels);
  panel.low.textContent = ends.low;
  panel.zero.hidden = spec.unsigned;
  panel.high.textContent = ends.high;
}

/**
 * What stands at the ends of the scale: that values lie beyond, where some do.
 * @param {Pick<Spec, "limit" | "unsigned" | "beyond">} spec
 * @param {Record<string, string>} labels
 */
export function scaleEnds({ limit, unsigned, beyond: [below, above] }, labels) {
  const decimals = Number.isInteger(limit) ? 0 : clamp(2 - Math.floor(Math.log10(limit)), 1, 4);
  const text = decimalText(limit, decimals);
  const low = below ? fillLabel(labels.at_most, { limit: `−${text}` }) : `−${text}`;
  return { low: unsigned ? "0" : low, high: above ? fillLabel(labels.at_least, { limit: text }) : text };
}

/**
 * The cell under a point of a picture of some size; at its rim the nearest.
 * @param {[rows: number, columns: number]} shape
 * @param {{ x: number, y: number, width: number, height: number }} place
 * @returns {Cell}
 */
export function cellAt([rows, columns], { x, y, width, height }) {
  return {
    row: clamp(Math.floor((y / height) * rows), 0, rows - 1),
    column: clamp(Math.floor((x / width) * columns), 0, columns - 1),
  };
}

/**
 * Where a cell, or a row all across, is outlined on a square picture; a cell at least so large that it can be seen.
 * @param {[rows: number, columns: number]} shape
 * @param {number} row
 * @param {number | null} column
 * @param {number} size of the picture
 * @returns {import("../_shared/canvas.js").Box | null} null where the matrix has no such cell
 */
export function outlineBox([rows, columns], row, column, size) {
  if (row >= rows || (column ?? 0) >= columns) return null;
  const middle = (/** @type {number} */ index, /** @type {number} */ count) => ((index + 0.5) / count) * size;
  const least = column === null ? 0 : 5;
  const height = Math.max(least, size / rows);
  const y = middle(row, rows) - height / 2;
  if (column === null) return { x: 1.5, y, width: size - 3, height };
  const width = Math.max(least, size / columns);
  return { x: middle(column, columns) - width / 2, y, width, height };
}

const THIN = 9; // px; the outline of a lower row would cover the row

/**
 * Points at a row from both edges of the picture.
 * @param {CanvasRenderingContext2D} context
 * @param {number} y the row's middle
 * @param {number} size of the picture
 * @param {{ ground: string, colour: string }} looks
 */
function pointAtRow(context, y, size, { ground, colour }) {
  for (const [edge, tip] of [
    [0, 11],
    [size, size - 11],
  ]) {
    const arrow = new Path2D();
    arrow.moveTo(edge, y - 7);
    arrow.lineTo(tip, y);
    arrow.lineTo(edge, y + 7);
    arrow.closePath();
    context.fillStyle = colour;
    context.strokeStyle = ground;
    context.lineWidth = 2;
    context.fill(arrow);
    context.stroke(arrow);
  }
}

/**
 * @param {Panel} panel
 * @param {object} marks
 * @param {number | null} marks.hovered row
 * @param {number | null} marks.chosen row
 * @param {Cell | null} marks.cursor
 * @param {import("../_shared/colour.js").Theme} marks.theme
 */
export function paintPanel(panel, { hovered, chosen, cursor, theme }) {
  const { matrix, scale } = panel;
  const size = panel.frame.clientWidth; // all pictures are squares of one size, whatever they are of
  if (!matrix || !scale || !size) return;
  const { shape, values } = matrix;
  const context = fitCanvas(panel.canvas, size, size);
  panel.canvas.style.width = "100%";
  // What is masked stays clear, and the panel's grey shows through: it must not look like zero.
  const pixels = panel.canvas.width;
  if (panel.image?.pixels !== pixels) {
    const small = downscale(values, shape, [pixels, pixels]);
    const picture = paintIndices(colourIndices(small.values, scale), ...small.shape, scale);
    panel.image = { picture, extent: small.extent, pixels };
  }
  const { picture, extent } = panel.image;
  context.fillStyle = `color-mix(in srgb, ${theme.ink} 14%, ${theme.ground})`;
  context.fillRect(0, 0, size, size);
  context.imageSmoothingEnabled = false;
  context.drawImage(picture, 0, 0, extent[1], extent[0], 0, 0, size, size);
  /** @type {(row: number | null, column: number | null, looks: Partial<Parameters<typeof ring>[2]>) => void} */
  const outline = (row, column, looks) => {
    const box = row === null ? null : outlineBox(shape, row, column, size);
    const drawn = { ground: theme.ground, colour: theme.accent, thickness: 2, rim: 2, ...looks };
    if (box && column === null && box.height < THIN) pointAtRow(context, box.y + box.height / 2, size, drawn);
    else if (box) ring(context, box, drawn);
  };
  outline(chosen, null, chosenRing(theme));
  if (hovered !== chosen) outline(hovered, null, {});
  if (cursor) outline(cursor.row, cursor.column, {});
}
