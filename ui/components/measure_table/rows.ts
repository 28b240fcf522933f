// In which order the rows of the table stand, and the bar in each of its cells.

import { language } from "../_shared/numbers.ts";

/** A row has one scheme. A measure that is not defined for it has no number and no text. */
export type Row = {
  title: string;
  colour: string;
  front: boolean;
  values: (number | null)[];
  texts: (string | null)[];
};
/** By what rows are sorted: a column, the titles (-1), or nothing, as they came (null). */
export type Order = { column: number | null; down: boolean };

/**
 * Sort the rows by a column. Undefined values sort last in both directions; text columns sort as text.
 */
export function sortRows(rows: Row[], { column, down }: Order) {
  const sorted = [...rows];
  if (column === null) return sorted;
  const sign = down ? -1 : 1;
  if (column < 0) return sorted.sort((a, b) => sign * a.title.localeCompare(b.title, language()));
  return sorted.sort((a, b) => {
    const [first, second] = [a.values[column], b.values[column]];
    if (first === null && second === null) return sign * (a.texts[column] ?? "").localeCompare(b.texts[column] ?? "");
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return sign * (first - second);
  });
}

/**
 * Where a number's bar starts and how long it is, as shares of a track that holds zero and all numbers of the column.
 */
export function barOf(value: number, column: (number | null)[]) {
  const numbers = column.filter((each) => each !== null);
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const at = (number: number) => (high > low ? (number - low) / (high - low) : 0);
  const start = at(Math.min(0, value));
  return { start, length: at(Math.max(0, value)) - start };
}
