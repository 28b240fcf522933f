// What index.js is sent, and its axes: 0 is the batch, 1 the position, 2 the dimension.

import { colourIndices, colourScale, paintIndices } from "../_shared/colour.js";
import { decimalText } from "../_shared/numbers.js";
import { unpackPayload } from "../_shared/payload.js";
import { fillLabel } from "../_shared/text.js";

/** @typedef {[batch: number, position: number, dimension: number]} Index of a cell, or how many there are of each */
/**
 * @typedef {object} Header what is sent besides the numbers
 * @property {Index} shape of the whole block
 * @property {Index} shown how much of it is drawn
 * @property {number[]} starts place in the text of each sample's first token
 * @property {string[][]} tokens
 * @property {string[]} colours
 * @property {number} limit
 * @property {Index} cut how many of the first along each axis are cut away
 * @property {number} yaw degrees
 * @property {number} pitch
 * @property {number} turn number of the last view that Python was told
 * @property {Record<string, string>} labels
 */
/** @typedef {ReturnType<typeof blockModel>} Model */

/** @param {Uint8Array} data */
export function blockModel(data) {
  const unpacked = unpackPayload(data);
  /** @type {Header} */
  const header = unpacked.header;
  const [batch, positions, dimensions] = header.shown;
  const { labels } = header;
  /** @type {Map<string, HTMLCanvasElement>} */
  const pictures = new Map(); // of the layers that were looked at
  return {
    ...header,
    values: unpacked.numbers(batch * positions * dimensions),
    indexNames: [labels.sample, labels.position, labels.dimension], // of one step along an axis
    names: [labels.batch, labels.position, labels.dimension],
    scale: colourScale(header.colours, header.limit),
    pictures,
  };
}

/**
 * @param {Pick<Model, "values" | "shown">} model
 * @param {Index} cell
 */
export const valueAt = ({ values, shown }, [b, i, d]) => values[(b * shown[1] + i) * shown[2] + d];

/**
 * Place in the text of a cell's token.
 * @param {Pick<Model, "starts">} model
 * @param {Index} cell
 */
export const tokenPosition = ({ starts }, [b, i]) => starts[b] + i;

/**
 * Every [sample, position] where a token of the text stands: windows that overlap have it more than once.
 * @param {Pick<Model, "shown" | "starts">} model
 * @param {number | null} position
 * @returns {[sample: number, position: number][]}
 */
export function placesOf({ shown, starts }, position) {
  if (position === null) return [];
  return starts.flatMap((start, b) =>
    position >= start && position < start + shown[1] ? [/** @type {[number, number]} */ ([b, position - start])] : [],
  );
}

/**
 * @param {Pick<Model, "values" | "shown" | "tokens" | "labels">} model
 * @param {Index} cell
 */
export function readCell(model, cell) {
  const [sample, position, dimension] = cell;
  const value = decimalText(valueAt(model, cell), 4);
  const label = model.tokens[sample][position];
  return fillLabel(model.labels.readout, { sample, position, dimension, label, value });
}

/**
 * @param {Pick<Model, "shape" | "shown" | "labels">} model
 * @param {number} axis
 * @param {number} first that is not cut away
 */
export function rangeText({ shape, shown, labels }, axis, first) {
  const [count, drawn] = [shape[axis], shown[axis]];
  if (first === 0 && count === drawn) return fillLabel(labels.whole_axis, { count });
  return fillLabel(labels.cut_axis, { first, last: drawn - 1, count });
}

/**
 * The numbers of one layer across an axis, line after line.
 * @param {Pick<Model, "values" | "shown">} model
 * @param {Pick<import("./faces.js").Face, "axis" | "layer" | "rows" | "columns">} face
 */
export function layerValues(model, { axis, layer, rows, columns }) {
  const [high, wide] = [model.shown[rows], model.shown[columns]];
  const numbers = new Float32Array(high * wide);
  /** @type {Index} */
  const cell = [0, 0, 0];
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

/**
 * One pixel per number of a whole layer; a cut only shows less of it.
 * @param {Model} model
 * @param {import("./faces.js").Face} face
 */
export function layerPicture(model, face) {
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
