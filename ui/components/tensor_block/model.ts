// What index.ts is sent, and its axes: 0 is the batch, 1 the position, 2 the dimension.

import { colourIndices, colourScale, paintIndices } from "../_shared/colour.ts";
import { decimalText } from "../_shared/numbers.ts";
import { unpackPayload } from "../_shared/payload.ts";
import { fillLabel } from "../_shared/text.ts";
import type { Face } from "./faces.ts";

/** Indices of a cell, or how many there are of each. */
export type Index = [batch: number, position: number, dimension: number];
/** What is sent besides the numbers. */
interface Header {
  shape: Index; // of the whole block
  shown: Index; // how much of it is drawn
  starts: number[]; // place in the text of each sample's first token
  tokens: string[][];
  colours: string[];
  limit: number;
  cut: Index; // how many of the first along each axis are cut away
  yaw: number; // degrees
  pitch: number;
  turn: number; // number of the last view that Python was told
  labels: Record<string, string>;
}
export type Model = ReturnType<typeof blockModel>;

export function blockModel(data: Uint8Array) {
  const { header, numbers } = unpackPayload<Header>(data);
  const [batch, positions, dimensions] = header.shown;
  const { labels } = header;
  const pictures = new Map<string, HTMLCanvasElement>(); // of the layers that were looked at
  return {
    ...header,
    values: numbers(batch * positions * dimensions),
    indexNames: [labels.sample, labels.position, labels.dimension], // of one step along an axis
    names: [labels.batch, labels.position, labels.dimension],
    scale: colourScale(header.colours, header.limit),
    pictures,
  };
}

export const valueAt = ({ values, shown }: Pick<Model, "values" | "shown">, [b, i, d]: Index) =>
  values[(b * shown[1] + i) * shown[2] + d];

/** Place in the text of a cell's token. */
export const tokenPosition = ({ starts }: Pick<Model, "starts">, [b, i]: Index) => starts[b] + i;

/** Every [sample, position] where a token of the text stands: windows that overlap have it more than once. */
export function placesOf(
  { shown, starts }: Pick<Model, "shown" | "starts">,
  position: number | null,
): [sample: number, position: number][] {
  if (position === null) return [];
  return starts.flatMap((start, b) =>
    position >= start && position < start + shown[1] ? [[b, position - start] as [number, number]] : [],
  );
}

export function readCell(model: Pick<Model, "values" | "shown" | "tokens" | "labels">, cell: Index) {
  const [sample, position, dimension] = cell;
  const value = decimalText(valueAt(model, cell), 4);
  const label = model.tokens[sample][position];
  return fillLabel(model.labels.readout, { sample, position, dimension, label, value });
}

/** @param first that is not cut away */
export function rangeText(
  { shape, shown, labels }: Pick<Model, "shape" | "shown" | "labels">,
  axis: number,
  first: number,
) {
  const [count, drawn] = [shape[axis], shown[axis]];
  if (first === 0 && count === drawn) return fillLabel(labels.whole_axis, { count });
  return fillLabel(labels.cut_axis, { first, last: drawn - 1, count });
}

/** The numbers of one layer across an axis, line after line. */
export function layerValues(
  model: Pick<Model, "values" | "shown">,
  { axis, layer, rows, columns }: Pick<Face, "axis" | "layer" | "rows" | "columns">,
) {
  const [high, wide] = [model.shown[rows], model.shown[columns]];
  const numbers = new Float32Array(high * wide);
  const cell: Index = [0, 0, 0];
  cell[axis] = layer;
  for (let r = 0; r < high; r += 1) {
    cell[rows] = r;
    for (let c = 0; c < wide; c += 1) {
      cell[columns] = c;
      numbers[r * wide + c] = valueAt(model, cell);
    }
  }
  return numbers;
}

/** One pixel per number of a whole layer; a cut only shows less of it. */
export function layerPicture(model: Model, face: Face) {
  const name = `${face.axis} ${face.layer}`;
  const kept = model.pictures.get(name);
  if (kept) return kept;
  if (model.pictures.size > 60) model.pictures.clear();
  const { shown, scale } = model;
  const picture = paintIndices(
    colourIndices(layerValues(model, face), scale),
    shown[face.rows],
    shown[face.columns],
    scale,
  );
  model.pictures.set(name, picture);
  return picture;
}
