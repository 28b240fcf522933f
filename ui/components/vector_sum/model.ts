// The payload as three maps, each with its picture: rows of the tokens and of the positions, and their sum; or what else a
// scheme makes of the two.

import { colourIndices, colourScale, paintIndices } from "../_shared/colour.ts";
import { MIN_DECIMALS, sumParts } from "../_shared/exact_sum.ts";
import { decimalText } from "../_shared/numbers.ts";
import { unpackPayload } from "../_shared/payload.ts";

/** What is sent besides the numbers. */
interface Header {
  n_rows: number;
  d_model: number;
  tokens: string[];
  ids: string[];
  first_position: number;
  total: number; // how many tokens the whole text has
  colours: string[];
  limit: number;
  adds: boolean; // whether the scheme adds anything
  signs: [string, string]; // between the maps
  angles: number | null; // where the scale of the second map ends, if it has its own: then the third is sent too
  causal: boolean; // whether columns are tokens, and those after a row's own are masked
  labels: Record<string, string>;
}
export type Model = ReturnType<typeof sumModel>;

const NARROW = 8; // dimensions

export function sumModel(data: Uint8Array) {
  const { header, numbers } = unpackPayload<Header>(data);
  const { n_rows: nRows, d_model: dModel, first_position: firstPosition, angles, ...rest } = header;
  const scale = colourScale(header.colours, header.limit);
  const [first, second] = [numbers(nRows * dModel), numbers(nRows * dModel)];
  const third = angles === null ? sumOf(first, second) : numbers(nRows * dModel);
  const maps = [first, second, third].map((values, index) => {
    const own = index === 1 && angles !== null ? colourScale(header.colours, angles) : scale;
    return { values, scale: own, picture: paintIndices(colourIndices(values, own), nRows, dModel, own) };
  });
  const beyond = maps.some(({ values, scale: { limit } }) => values.some((value) => Math.abs(value) > limit));
  const decimals = angles === null ? leastDecimals(first, second, dModel) : MIN_DECIMALS;
  return { ...rest, nRows, dModel, firstPosition, scale, beyond, decimals, maps, sums: angles === null };
}

/** Stored as float32: Math.fround of the exact sum. */
export const sumOf = (first: Float32Array, second: Float32Array) => first.map((value, at) => value + second[at]);

/**
 * How many decimals every number has at least. A narrow table is read number by number, so there all have alike where
 * they can: three where each sum comes out in three, else four; a sum that needs more still takes more.
 */
export function leastDecimals(first: Float32Array, second: Float32Array, dModel: number) {
  if (dModel > NARROW) return MIN_DECIMALS;
  const short = (value: number, at: number) => sumParts(value, second[at]).decimals === MIN_DECIMALS;
  return first.every(short) ? MIN_DECIMALS : MIN_DECIMALS + 1;
}

/** The numbers of a cell as text, and the sign before the last: a sum as exact_sum.ts writes it. */
export function cellTerms(
  { maps, decimals, dModel, sums }: Pick<Model, "maps" | "decimals" | "dModel" | "sums">,
  { row, column }: { row: number; column: number },
) {
  const values = maps.map((map) => map.values[row * dModel + column]);
  if (sums) return sumParts(values[0], values[1], decimals);
  return { terms: values.map((value) => decimalText(value, decimals)), sign: "=", decimals };
}

/** Whether a cell is of a key after the query. */
export const isMasked = ({ causal }: Pick<Model, "causal">, { row, column }: { row: number; column: number }) =>
  causal && column > row;

/** @param term in brackets where it has a sign of its own */
export const afterSign = (term: string) => (term.startsWith("−") ? `(${term})` : term);
