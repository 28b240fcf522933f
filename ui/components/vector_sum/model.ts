// The three matrices of a sum, or of what else a scheme makes of the tokens' rows, and their numbers in words.

import { colourScale, downscale, type Scale } from "../_shared/colour.ts";
import { MIN_DECIMALS, sumParts, sumText } from "../_shared/exact_sum.ts";
import type { GridCell } from "../_shared/keys.ts";
import { decimalText, localizeNumber } from "../_shared/numbers.ts";
import { unpackPayload } from "../_shared/payload.ts";
import type { StripSize } from "../_shared/strip.ts";
import { fillLabel } from "../_shared/text.ts";

/** The JSON part of the payload; the numbers follow it as bytes. */
interface Header {
  n_rows: number;
  n_columns: number;
  tokens: string[];
  ids: string[];
  first_position: number;
  places: number[]; // of the rows' tokens in their sequence
  total: number; // how many tokens the whole text has
  colours: string[];
  limits: [number, number, number]; // of the matrices' colour scales
  adds: boolean; // whether the scheme adds anything
  pairs: [distance: number, rotated: number] | null; // columns from one of a pair to the other, and how many rotate
  strip?: StripSize & { address: string; limit: number }; // of the embedding matrix, where its rows are the first matrix
  causal: boolean; // whether columns are keys, and those after a row's own are masked
  labels: Record<string, string>;
}
type Matrix = { values: Float32Array; scale: Scale };
export type Model = ReturnType<typeof sumModel>;

export const NARROW_TABLE = 8; // columns

export function sumModel(data: Uint8Array) {
  const { header, numbers } = unpackPayload<Header>(data);
  const { n_rows: rows, n_columns: columns, first_position: firstPosition, limits, strip = null, ...rest } = header;
  const [first, second] = [numbers(rows * columns), numbers(rows * columns)];
  const third = header.pairs ? numbers(rows * columns) : sumOf(first, second);
  const matrices: Matrix[] = [first, second, third].map((values, index) => ({
    values,
    scale: colourScale(header.colours, limits[index]),
  }));
  const decimals = header.pairs ? MIN_DECIMALS : leastDecimals(first, second, columns);
  return { ...rest, strip, rows, columns, firstPosition, decimals, matrices };
}

/** Stored as float32: Math.fround of the exact sum. */
export const sumOf = (first: Float32Array, second: Float32Array) => first.map((value, at) => value + second[at]);

/**
 * How many decimals every number has at least. A narrow table is read number by number, so there all have alike where
 * they can: three where each sum comes out in three, else four; a sum that needs more still takes more.
 */
export function leastDecimals(first: Float32Array, second: Float32Array, columns: number) {
  if (columns > NARROW_TABLE) return MIN_DECIMALS;
  const short = (value: number, at: number) => sumParts(value, second[at]).decimals === MIN_DECIMALS;
  return first.every(short) ? MIN_DECIMALS : MIN_DECIMALS + 1;
}

/**
 * What a band shows: each number, or the mean of several where it has more columns than pixels; masked ones are NaN.
 * @param most columns of the band
 */
export function bandValues(
  { values }: Matrix,
  { rows, columns, causal }: Pick<Model, "rows" | "columns" | "causal">,
  most: number,
) {
  const isShown = (at: number) => !isMasked({ causal }, { row: Math.floor(at / columns), column: at % columns });
  return downscale(
    values.map((value, at) => (isShown(at) ? value : Number.NaN)),
    [rows, columns],
    [rows, most],
  );
}

/** The three numbers of a cell as text, and the sign before the last: a sum as exact_sum.ts writes it. */
function cellTerms(
  { matrices, decimals, columns, pairs }: Pick<Model, "matrices" | "decimals" | "columns" | "pairs">,
  { row, column }: GridCell,
) {
  const values = matrices.map(({ values }) => values[row * columns + column]);
  if (!pairs) return sumParts(values[0], values[1], decimals);
  return { terms: values.map((value) => decimalText(value, decimals)), sign: "=", decimals };
}

/**
 * The numbers of a band as text, each with its decimals: as the sums add up where cells have room for that, else, in a narrow
 * table, rounded to as many decimals as fit; none where not even one does.
 * @param most characters of a cell
 */
export function cellNumbers(model: Model, index: number, most: number): { text: string; decimals: number }[] {
  const { rows, columns, matrices } = model;
  if (most < 4) return [];
  const cells = Array.from({ length: rows * columns }, (_, at) => ({
    row: Math.floor(at / columns),
    column: at % columns,
  }));
  const exact = cells.map((cell) => (isMasked(model, cell) ? null : cellTerms(model, cell)));
  if (exact.every((each) => !each || each.terms.every((text) => text.length <= most)))
    return exact.map((each) => ({ text: each?.terms[index] ?? "", decimals: each?.decimals ?? 0 }));
  const rounded = (decimals: number) =>
    matrices.map(({ values }) => Array.from(values, (value) => decimalText(value, decimals)));
  const fits = (decimals: number) => rounded(decimals).every((texts) => texts.every((text) => text.length <= most));
  const decimals = columns > NARROW_TABLE ? undefined : [4, 3, 2, 1].find(fits);
  return decimals ? rounded(decimals)[index].map((text, at) => ({ text: exact[at] ? text : "", decimals })) : [];
}

/** Whether a cell is of a key after the query. */
const isMasked = ({ causal }: Pick<Model, "causal">, { row, column }: GridCell) => causal && column > row;

/** The columns whose numbers a cell's result is computed from: two where they rotate as a pair, in order. */
export function columnsTogether({ pairs }: Pick<Model, "pairs">, column: number) {
  const [distance, rotated] = pairs ?? [0, 0];
  if (column >= rotated) return [column];
  const first = Math.floor(column / distance) % 2 ? column - distance : column;
  return [first, first + distance];
}

/** The whole operation on a cell, in numbers. */
export function cellText(model: Model, { row, column }: GridCell) {
  const { labels, firstPosition, tokens, causal, matrices, columns, decimals, pairs } = model;
  const token = { position: firstPosition + row, label: tokens[row] };
  const together = columnsTogether(model, column);
  const terms = together.map((at) => cellTerms(model, { row, column: at }).terms);
  if (together.length > 1) {
    const comma = localizeNumber(".") === "," ? "; " : ", ";
    const [before, after] = [0, 2].map((matrix) => `(${terms.map((numbers) => numbers[matrix]).join(comma)})`);
    const [first, second] = together;
    return fillLabel(labels.readout_pair, { ...token, first, second, before, after, angle: terms[0][1] });
  }
  const [a, b] = matrices.map(({ values }) => values[row * columns + column]);
  const sum = pairs ? terms[0][2] : sumText(a, b, decimals); // what does not rotate stays as it is
  const isOut = isMasked(model, { row, column });
  const at = causal ? firstPosition + column : column;
  return fillLabel(labels.readout, { ...token, axis: labels.dimension, column: at, sum: isOut ? labels.masked : sum });
}

export function limitText(limit: number) {
  return limit >= 0.01 && limit < 1000 ? decimalText(limit, limit < 10 ? 2 : 1) : localizeNumber(limit.toPrecision(3));
}
