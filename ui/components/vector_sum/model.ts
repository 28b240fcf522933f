// The payload as three maps, each with its picture: rows of the tokens and of the positions, and their sum; or what else a
// scheme makes of the two.

import { colourIndices, colourScale, paintIndices } from "../_shared/colour.js";
import { MIN_DECIMALS, sumParts } from "../_shared/exact_sum.js";
import { decimalText } from "../_shared/numbers.js";
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
 * @property {boolean} adds whether the scheme adds anything
 * @property {[string, string]} signs between the maps
 * @property {number | null} angles where the scale of the second map ends, if it has its own: then the third is sent too
 * @property {boolean} causal whether columns are tokens, and those after a row's own are masked
 * @property {Record<string, string>} labels
 */
/** @typedef {ReturnType<typeof sumModel>} Model */

const NARROW = 8; // dimensions

/** @param {Uint8Array} data */
export function sumModel(data) {
  const unpacked = unpackPayload(data);
  /** @type {Header} */
  const header = unpacked.header;
  const { n_rows: nRows, d_model: dModel, first_position: firstPosition, angles, ...rest } = header;
  const scale = colourScale(header.colours, header.limit);
  const [first, second] = [unpacked.numbers(nRows * dModel), unpacked.numbers(nRows * dModel)];
  const third = angles === null ? sumOf(first, second) : unpacked.numbers(nRows * dModel);
  const maps = [first, second, third].map((values, index) => {
    const own = index === 1 && angles !== null ? colourScale(header.colours, angles) : scale;
    return { values, scale: own, picture: paintIndices(colourIndices(values, own), nRows, dModel, own) };
  });
  const beyond = maps.some(({ values, scale: { limit } }) => values.some((value) => Math.abs(value) > limit));
  const decimals = angles === null ? leastDecimals(first, second, dModel) : MIN_DECIMALS;
  return { ...rest, nRows, dModel, firstPosition, scale, beyond, decimals, maps, sums: angles === null };
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
    sumParts(value, second[at]).decimals === MIN_DECIMALS;
  return first.every(short) ? MIN_DECIMALS : MIN_DECIMALS + 1;
}

/**
 * The numbers of a cell as text, and the sign before the last: a sum as exact_sum.js writes it.
 * @param {Pick<Model, "maps" | "decimals" | "dModel" | "sums">} model
 * @param {{ row: number, column: number }} cell
 */
export function cellTerms({ maps, decimals, dModel, sums }, { row, column }) {
  const values = maps.map((map) => map.values[row * dModel + column]);
  if (sums) return sumParts(values[0], values[1], decimals);
  return { terms: values.map((value) => decimalText(value, decimals)), sign: "=", decimals };
}

/**
 * Whether a cell is of a key after the query.
 * @param {Pick<Model, "causal">} model
 * @param {{ row: number, column: number }} cell
 */
export const isMasked = ({ causal }, { row, column }) => causal && column > row;

/** @param {string} term in brackets where it has a sign of its own */
export const afterSign = (term) => (term.startsWith("−") ? `(${term})` : term);
