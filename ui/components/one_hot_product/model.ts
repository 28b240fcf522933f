// The rows of E, the tokens that pick them, and the sentence on each of their numbers.

import { colourScale } from "../_shared/colour.ts";
import { nextInGrid } from "../_shared/keys.ts";
import { countText, decimalText } from "../_shared/numbers.ts";
import { unpackPayload } from "../_shared/payload.ts";
import { fillLabel } from "../_shared/text.ts";

/** The JSON part of the payload; the numbers follow it as bytes. */
interface Header {
  rows: number[]; // ids of the rows of E that are drawn, ascending
  row_names: string[];
  vocab_size: number;
  d_model: number;
  k: number; // dimensions that are sent
  positions: number[]; // of the tokens in the text
  ids: number[];
  tokens: string[];
  colours: string[];
  limit: number;
  labels: Record<string, string>;
}
/** A row of E; `skipped` rows before it are not drawn. */
type TableRow = { id: number; name: string; values: Float32Array; skipped: number };
export type Token = {
  id: number;
  position: number;
  label: string;
  looked: Float32Array; // by lookup
  product: Float32Array; // of its one-hot row and E
  equal: number; // how many numbers of the two are equal to the bit
};
export type Model = ReturnType<typeof productModel>;
/** A number of one of the three tables; `row` counts tokens or rows of E, `column` counts rows of E or dimensions. */
export type Cell = { table: "hot" | "matrix" | "result"; row: number; column: number };

export function productModel(data: Uint8Array) {
  const { header, numbers } = unpackPayload<Header>(data);
  const { k, ids, positions, vocab_size, d_model, labels } = header;
  const rows = header.rows.map((id, index) => ({ id, name: header.row_names[index], values: numbers(k), skipped: 0 }));
  const looked = ids.map(() => numbers(k));
  const tokens = ids.map((id, index): Token => {
    const product = numbers(k);
    const equal = countEqual(looked[index], product);
    return { id, position: positions[index], label: header.tokens[index], looked: looked[index], product, equal };
  });
  const scale = colourScale(header.colours, header.limit);
  return { rows: withSkipped(rows), tokens, vocab_size, d_model, k, labels, scale };
}

/** How many numbers are equal to the bit. */
export function countEqual(a: Float32Array, b: Float32Array) {
  const [bitsOfA, bitsOfB] = [a, b].map((row) => new Uint32Array(row.buffer, row.byteOffset, row.length));
  return bitsOfA.reduce((count, bits, at) => count + Number(bits === bitsOfB[at]), 0);
}

/** Count the rows of E that are left out before each drawn one. */
export const withSkipped = (rows: TableRow[]): TableRow[] =>
  rows.map((row, index) => ({ ...row, skipped: row.id - (rows[index - 1]?.id ?? -1) - 1 }));

/**
 * The last tokens up to the chosen one, at most so many, with the rows of E that they pick.
 * @param chosen its position in the text
 */
export function shorten<Whole extends Pick<Model, "tokens" | "rows">>(
  whole: Whole,
  most: number,
  chosen: number | null,
) {
  if (whole.tokens.length <= most) return whole;
  const last = Math.max(most, whole.tokens.findIndex(({ position }) => position === chosen) + 1);
  const tokens = whole.tokens.slice(last - most, last);
  const lookedUpIds = new Set(tokens.map(({ id }) => id));
  const isDrawn = ({ id }: TableRow) => lookedUpIds.has(id) || (lookedUpIds.has(id - 1) && lookedUpIds.has(id + 1));
  return { ...whole, tokens, rows: withSkipped(whole.rows.filter(isDrawn)) };
}

/** The token that a cell belongs to; a row of E belongs to the first that picks it. */
export function tokenAt({ tokens, rows }: Pick<Model, "tokens" | "rows">, cell: Cell | null): Token | undefined {
  if (cell?.table === "matrix") return tokens.find(({ id }) => id === rows[cell.row]?.id);
  return cell ? tokens[cell.row] : undefined;
}

export function cellText({ labels, rows, tokens }: Pick<Model, "labels" | "rows" | "tokens">, cell: Cell) {
  const { row, column: dimension } = cell;
  if (cell.table === "matrix") {
    const { id, values } = rows[row];
    return fillLabel(labels.readout_table, { row: id, dimension, value: decimalText(values[dimension], 4) });
  }
  const { id, label, product } = tokens[row];
  if (cell.table === "hot") {
    const place = rows[cell.column].id;
    return fillLabel(labels.readout_place, { label, id, row: place, value: Number(id === place) });
  }
  const value = decimalText(product[dimension], 4);
  const number = rows.find((other) => other.id === id)?.values[dimension] ?? 0;
  const factor = decimalText(number, 4);
  return fillLabel(labels.readout_result, { label, dimension, factor: number < 0 ? `(${factor})` : factor, value });
}

/** How much work each way was, and in how many numbers they agree. */
export function verdictText({ labels, tokens, k, vocab_size, d_model }: Omit<Model, "rows" | "scale">) {
  const n = tokens.length;
  const counts = {
    tokens: n,
    vocab_size,
    d_model,
    copied: n * d_model,
    products: n * vocab_size * d_model,
    zeros: n * (vocab_size - 1) * d_model,
    count: n * k,
    equal: tokens.reduce((sum, { equal }) => sum + equal, 0),
  };
  const written = Object.entries(counts).map(([name, count]) => [name, countText(count)]);
  return fillLabel(labels.equal, Object.fromEntries(written));
}

/** The cell of the same table that a key moves to; null for a key that does not move. */
export function nextCell(
  key: string,
  { table, ...cell }: Cell,
  { rows, tokens, k }: { rows: unknown[]; tokens: unknown[]; k: number },
): Cell | null {
  const size = { rows: (table === "matrix" ? rows : tokens).length, columns: table === "hot" ? rows.length : k };
  const next = nextInGrid(key, cell, size);
  return next && { table, ...next };
}

/**
 * How many dimensions fit.
 * @param room px that are left beside those in sight; below 0 that are missing
 * @param width px of one, in all tables that are beside each other
 */
export function fittingDimensions(shown: number, room: number, width: number) {
  const rounded = 4; // px by which the browser's whole numbers can differ; without them the count could go to and fro
  return shown + Math.floor((room < 0 ? room : Math.max(0, room - rounded)) / width);
}
