// The numbers of the block. Its axes: 0 is the batch, 1 the position, 2 the dimension.

import { colourIndices, colourScale, downscale, paintIndices } from "../_shared/colour.ts";
import { decimalText } from "../_shared/numbers.ts";
import { unpackPayload } from "../_shared/payload.ts";
import { fillLabel } from "../_shared/text.ts";
import type { Face } from "./camera.ts";

/** Indices of a cell, or how many there are of each. */
export type Index = [batch: number, position: number, dimension: number];
/** From where the block is seen, in degrees, and how many of the first along each axis are cut away. */
export type View = { cut: Index; yaw: number; pitch: number };
/** The JSON part of the payload; the numbers follow it as bytes. */
interface Header {
  shape: Index; // of the whole block
  shown: Index; // how much of it is drawn
  starts: number[]; // position in the text of each sample's first token
  tokens: string[][];
  colours: string[];
  limit: number;
  view: View;
  turn: number; // of the last view that the browser reported
  labels: Record<string, string>;
}
export type Model = ReturnType<typeof blockModel>;

export function blockModel(data: Uint8Array) {
  const { header, numbers } = unpackPayload<Header>(data);
  const { labels, shown } = header;
  return {
    ...header,
    values: numbers(shown[0] * shown[1] * shown[2]),
    indexNames: [labels.sample, labels.position, labels.dimension], // of one step along an axis
    names: [labels.batch, labels.position, labels.dimension],
    scale: colourScale(header.colours, header.limit),
  };
}

const valueAt = ({ values, shown }: Pick<Model, "values" | "shown">, [b, i, d]: Index) =>
  values[(b * shown[1] + i) * shown[2] + d];

/** Position in the text of a cell's token. */
export const tokenPosition = ({ starts }: Pick<Model, "starts">, [b, i]: Index) => starts[b] + i;

/** Every [sample, position] of a token of the text: windows that overlap have it more than once. */
export function findToken(
  { shown, starts }: Pick<Model, "shown" | "starts">,
  position: number | null,
): [sample: number, position: number][] {
  if (position === null) return [];
  return starts.flatMap((start, b) =>
    position >= start && position < start + shown[1] ? [[b, position - start] as [number, number]] : [],
  );
}

export function cellText(model: Pick<Model, "values" | "shown" | "tokens" | "labels">, cell: Index) {
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

/** The numbers of a face, row after row. */
export function faceValues(
  model: Pick<Model, "values" | "shown">,
  { axis, rows, columns, layer, size }: Pick<Face, "axis" | "rows" | "columns" | "layer" | "size">,
) {
  const numbers = new Float32Array(size[0] * size[1]);
  const cell: Index = [0, 0, 0];
  cell[axis] = layer;
  for (let at = 0; at < numbers.length; at += 1) {
    cell[rows] = model.shown[rows] - size[0] + Math.floor(at / size[1]);
    cell[columns] = model.shown[columns] - size[1] + (at % size[1]);
    numbers[at] = valueAt(model, cell);
  }
  return numbers;
}

/**
 * A face's colours, a pixel a cell; where the screen has fewer pixels, each is the mean of several cells.
 * @param most rows and columns that the screen can show
 */
export function facePicture(model: Model, face: Face, most: [rows: number, columns: number]) {
  const { values, shape, extent } = downscale(faceValues(model, face), face.size, most);
  const picture = paintIndices(colourIndices(values, model.scale), ...shape, model.scale);
  // The last mean can be of fewer cells, and its pixel then ends outside the face.
  picture.style.height = `${(100 * shape[0]) / extent[0]}%`;
  picture.style.width = `${(100 * shape[1]) / extent[1]}%`;
  return picture;
}

/** A cut that leaves at least one along each axis. */
export const clampCut = (cut: Index, shown: Index) => cut.map((k, axis) => Math.min(k, shown[axis] - 1)) as Index;

/**
 * Move the cell pointed at by keys over the front, which is cut back or forward where it goes there.
 * @param cell null where nothing is pointed at yet: any key then leads to the first cell of the front
 */
export function moveCell(cell: Index | null, cut: Index, by: Index, shown: Index): { cell: Index; cut: Index } {
  const to = cut.map((first, axis) =>
    cell ? Math.max(0, Math.min(cell[axis] + by[axis], shown[axis] - 1)) : first,
  ) as Index;
  return { cell: to, cut: [to[0], Math.min(cut[1], to[1]), Math.min(cut[2], to[2])] };
}
