// One panel of index.ts: its elements, what it says, its picture, and which cell is where.

import { type Box, chosenRing, clamp, ring } from "../_shared/canvas.ts";
import { colourIndices, colourScale, downscale, paintIndices, type Scale, type Theme } from "../_shared/colour.ts";
import { fitCanvas, makeElement, spelled } from "../_shared/elements.ts";
import { decimalText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";

/** One matrix and what is said about it, as Panel.described sends it. */
export interface Spec {
  title: string;
  place: string;
  group: number;
  note: string;
  alt: string;
  shape: [rows: number, columns: number] | null; // null where there is nothing to draw
  limit: number;
  unsigned: boolean;
  beyond: [below: boolean, above: boolean];
  under: string;
  rows: string; // what a row is
  columns: string;
  positions: boolean; // whether columns are positions too
  named: boolean;
}
export interface Header {
  panels: Spec[];
  chosen: number | null;
  front: number | null; // which panel stands out
  tokens: string[];
  colours: string[];
  groups: string[];
  labels: Record<string, string>;
}
export type Matrix = { shape: [rows: number, columns: number]; values: Float32Array };
export type Cell = { row: number; column: number };
export type Panel = ReturnType<typeof gridPanel> & {
  spec?: Spec;
  matrix?: Matrix | null;
  scale?: Scale;
  image?: { picture: HTMLCanvasElement; extent: [rows: number, columns: number]; pixels: number } | null;
};

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

export function fillPanel(
  panel: Panel,
  spec: Spec,
  matrix: Matrix | null,
  { groups, colours, tokens, labels }: Header,
) {
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

/** What stands at the ends of the scale: that values lie beyond, where some do. */
export function scaleEnds(
  { limit, unsigned, beyond: [below, above] }: Pick<Spec, "limit" | "unsigned" | "beyond">,
  labels: Record<string, string>,
) {
  const decimals = Number.isInteger(limit) ? 0 : clamp(2 - Math.floor(Math.log10(limit)), 1, 4);
  const text = decimalText(limit, decimals);
  const low = below ? fillLabel(labels.at_most, { limit: `−${text}` }) : `−${text}`;
  return { low: unsigned ? "0" : low, high: above ? fillLabel(labels.at_least, { limit: text }) : text };
}

/** The cell under a point of a picture of some size; at its rim the nearest. */
export function cellAt(
  [rows, columns]: [rows: number, columns: number],
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): Cell {
  return {
    row: clamp(Math.floor((y / height) * rows), 0, rows - 1),
    column: clamp(Math.floor((x / width) * columns), 0, columns - 1),
  };
}

/**
 * Where a cell, or a row all across, is outlined on a square picture; a cell at least so large that it can be seen.
 * @param size of the picture
 * @returns null where the matrix has no such cell
 */
export function outlineBox(
  [rows, columns]: [rows: number, columns: number],
  row: number,
  column: number | null,
  size: number,
): Box | null {
  if (row >= rows || (column ?? 0) >= columns) return null;
  const middle = (index: number, count: number) => ((index + 0.5) / count) * size;
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
 * @param y the row's middle
 * @param size of the picture
 */
function pointAtRow(
  context: CanvasRenderingContext2D,
  y: number,
  size: number,
  { ground, colour }: { ground: string; colour: string },
) {
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
 * @param marks.hovered row
 * @param marks.chosen row
 */
export function paintPanel(
  panel: Panel,
  {
    hovered,
    chosen,
    cursor,
    theme,
  }: { /** row */ hovered: number | null /** row */; chosen: number | null; cursor: Cell | null; theme: Theme },
) {
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
  const outline: (row: number | null, column: number | null, looks: Partial<Parameters<typeof ring>[2]>) => void = (
    row,
    column,
    looks,
  ) => {
    const box = row === null ? null : outlineBox(shape, row, column, size);
    const drawn = { ground: theme.ground, colour: theme.accent, thickness: 2, rim: 2, ...looks };
    if (box && column === null && box.height < THIN) pointAtRow(context, box.y + box.height / 2, size, drawn);
    else if (box) ring(context, box, drawn);
  };
  outline(chosen, null, chosenRing(theme));
  if (hovered !== chosen) outline(hovered, null, {});
  if (cursor) outline(cursor.row, cursor.column, {});
}
