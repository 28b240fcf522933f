// The payload as one-hot rows, E and results.

import { colourScale } from "../_shared/colour.ts";
import { decimalText } from "../_shared/numbers.ts";
import { unpackPayload } from "../_shared/payload.ts";
import { fillLabel } from "../_shared/text.ts";

/** What is sent besides the numbers. */
interface Header {
  rows: number[]; // ids of the rows of E that are drawn, ascending
  row_names: string[];
  vocab_size: number;
  d_model: number;
  k: number; // how many of the dimensions are sent
  positions: number[]; // of the tokens in the text
  ids: number[];
  tokens: string[];
  colours: string[];
  limit: number;
  labels: Record<string, string>;
}
export type Model = ReturnType<typeof productModel>;
/** A cell or a name under the pointer; row is a token's, index that of a drawn row of E; null beside the numbers. */
export type Place =
  | { part: "hot"; row: number; index: number | null }
  | { part: "table"; index: number; column: number | null }
  | { part: "result"; row: number; column: number | null };

export function productModel(data: Uint8Array) {
  const { header, numbers } = unpackPayload<Header>(data);
  const { rows, ids, k, vocab_size, colours, limit } = header;
  const [table, looked, product] = [numbers(rows.length * k), numbers(ids.length * k), numbers(ids.length * k)];
  return {
    ...header,
    table,
    looked,
    product,
    equalRows: equalNumbers(looked, product, k),
    scale: colourScale(colours, limit),
    gaps: gapsBetween(rows, vocab_size),
    drawnAt: ids.map((id) => rows.indexOf(id)),
    n: ids.length,
  };
}

/**
 * A few of the tokens, with the rows of E that they pick.
 * @param last exclusive
 */
export function someTokens(model: Model, first: number, last: number): Model {
  const { k, vocab_size } = model;
  const picked = model.drawnAt.slice(first, last);
  const drawn = model.rows.map((_, at) => at).filter((at) => picked.includes(at));
  const rows = drawn.map((at) => model.rows[at]);
  const table = Float32Array.from(drawn.flatMap((at) => [...model.table.subarray(at * k, (at + 1) * k)]));
  return {
    ...model,
    rows,
    row_names: drawn.map((at) => model.row_names[at]),
    positions: model.positions.slice(first, last),
    ids: model.ids.slice(first, last),
    tokens: model.tokens.slice(first, last),
    table,
    looked: model.looked.subarray(first * k, last * k),
    product: model.product.subarray(first * k, last * k),
    equalRows: model.equalRows.slice(first, last),
    gaps: gapsBetween(rows, vocab_size),
    drawnAt: picked.map((at) => drawn.indexOf(at)),
    n: picked.length,
  };
}

/**
 * In how many numbers two tables are equal to the bit, row by row.
 * @param k numbers in a row
 */
export function equalNumbers(a: Float32Array, b: Float32Array, k: number) {
  const [bitsOfA, bitsOfB] = [a, b].map(
    ({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length),
  );
  return Array.from({ length: a.length / k }, (_, row) => {
    let equal = 0;
    for (let at = row * k; at < (row + 1) * k; at += 1) equal += Number(bitsOfA[at] === bitsOfB[at]);
    return equal;
  });
}

/** How many rows of E are left out before each drawn one, and after the last. */
export const gapsBetween = (rows: number[], vocabSize: number) =>
  [...rows, vocabSize].map((id, index) => id - (index ? rows[index - 1] : -1) - 1);

/** The token that a place belongs to; a row of E belongs to the first that picks it. */
export function tokenOf({ drawnAt }: Pick<Model, "drawnAt">, place: Place | null) {
  if (!place) return null;
  if (place.part !== "table") return place.row;
  const row = drawnAt.indexOf(place.index);
  return row < 0 ? null : row;
}

/** What is under the pointer, in words. */
export function readoutText(
  {
    labels,
    k,
    tokens,
    ids,
    rows,
    table,
    product,
    drawnAt,
  }: Pick<Model, "labels" | "k" | "tokens" | "ids" | "rows" | "table" | "product" | "drawnAt">,
  place: Place | null,
) {
  if (place?.part === "hot" && place.index !== null) {
    const [id, row] = [ids[place.row], rows[place.index]];
    return fillLabel(labels.readout_place, { label: tokens[place.row], id, row, value: id === row ? 1 : 0 });
  }
  if (!place || place.part === "hot" || place.column === null) return labels.readout_hint;
  const dimension = place.column;
  const text = (value: number) => decimalText(value, 4);
  if (place.part === "table") {
    const value = text(table[place.index * k + dimension]);
    return fillLabel(labels.readout_table, { row: rows[place.index], dimension, value });
  }
  const factor = table[drawnAt[place.row] * k + dimension];
  return fillLabel(labels.readout_result, {
    label: tokens[place.row],
    dimension,
    factor: factor < 0 ? `(${text(factor)})` : text(factor),
    value: text(product[place.row * k + dimension]),
  });
}
