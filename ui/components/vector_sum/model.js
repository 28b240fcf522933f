// The payload as three maps: rows of the tokens, of the positions, and their sum, each with its picture.

import { colourIndices, colourScale, paintIndices } from "../_shared/colour.js";
import { MIN_DECIMALS, sumParts } from "../_shared/exact_sum.js";
import { unpackPayload } from "../_shared/payload.js";

/**
 * @typedef {object} Header what is sent besides the numbers
 * @property {number} n_rows
 * @property {number} d_model
 * @property {string[]} tokens
 * @property {string[]} ids
 * @property {number} first_position
 * @property {number} total how many tokens the whole text has
 * @property {string[]} colours
 * @property {number} limit
 * @property {boolean} adds whether the scheme adds position rows
 * @property {Record<string, string>} labels
 */
/** @typedef {ReturnType<typeof sumModel>} Model */

const NARROW = 8; // dimensions

/** @param {Uint8Array} data */
export function sumModel(data) {
  const unpacked = unpackPayload(data);
  /** @type {Header} */
  const header = unpacked.header;
  const { n_rows: nRows, d_model: dModel, tokens, ids, total, adds, labels, first_position: firstPosition } = header;
  const scale = colourScale(header.colours, header.limit);
  const [first, second] = [unpacked.numbers(nRows * dModel), unpacked.numbers(nRows * dModel)];
  const maps = [first, second, sumOf(first, second)].map((values) => ({
    values,
    picture: paintIndices(colourIndices(values, scale), nRows, dModel, scale),
  }));
  const beyond = maps.some(({ values }) => values.some((value) => Math.abs(value) > header.limit));
  const decimals = leastDecimals(first, second, dModel);
  return { nRows, dModel, scale, beyond, decimals, maps, tokens, ids, total, adds, labels, firstPosition };
}

/**
 * Stored as float32: Math.fround of the exact sum.
 * @param {Float32Array} first
 * @param {Float32Array} second
 */
export const sumOf = (first, second) => first.map((value, at) => value + second[at]);

/**
 * How many decimals every number has at least. A narrow table is read number by number, so there all have alike where
 * they can: three where each sum comes out in three, else four; a sum that needs more still takes more.
 * @param {Float32Array} first
 * @param {Float32Array} second
 * @param {number} dModel
 */
export function leastDecimals(first, second, dModel) {
  if (dModel > NARROW) return MIN_DECIMALS;
  const short = (/** @type {number} */ value, /** @type {number} */ at) =>
    sumParts(value, second[at]).terms[0].split(".")[1].length === MIN_DECIMALS;
  return first.every(short) ? MIN_DECIMALS : MIN_DECIMALS + 1;
}

/**
 * The sum of a cell, in parts as exact_sum.js writes them.
 * @param {Pick<Model, "maps" | "decimals" | "dModel">} model
 * @param {{ row: number, column: number }} cell
 */
export function cellSum({ maps, decimals, dModel }, { row, column }) {
  const at = row * dModel + column;
  return sumParts(maps[0].values[at], maps[1].values[at], decimals);
}
