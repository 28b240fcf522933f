// The text as columns, one per character: the model that the payload holds, and where lines break.

import { nextInList } from "../_shared/keys.ts";
import { unpackPayload } from "../_shared/payload.ts";
import { labelsDirection, runsAgainst } from "../_shared/text.ts";

export const LETTER = 20; // px
export const SMALL = 15; // px, of labels that are not the token's own characters
const MIN_COLUMN = 15; // px, as in style.css
const LABEL_ROOM = 10; // px around a label: a chip's margins, border and padding
export const MAX_PARTS = 24; // tokens of one character that are drawn; the others are counted

/** A tokenizer's row as Python sends it; TokenRow in Python says what each entry is. */
interface SentRow {
  title: string;
  count: number;
  unknown: number;
  characters_per_token: number | null;
  bytes_per_token: number | null;
  labels: Record<number, string>;
}
export type Row = SentRow & { first: Int32Array; last: Int32Array; ids: Int32Array };
export interface Header {
  characters: string[];
  rows: SentRow[];
  differing: [start: number, stop: number][]; // stretches in which the rows are cut at different places
  labels: Record<string, string>; // LABELS in Python
  chosen: number | null;
  turn: number;
}
export type Model = Omit<Header, "rows"> & {
  rows: Row[];
  count: number; // of columns
  crossed: Uint16Array; // how many tokens lie across the edge before each column
  place: Int32Array; // index of the stretch that a column is in, -1 for none
  along: "rtl" | "ltr"; // which way the columns run
  isMixed: boolean; // whether some letters run the other way, so that it reads otherwise than it is stored
  content: string; // all but the choice
};
/** Columns from start to before stop. */
export type Line = { start: number; stop: number };
/** A token of a row. */
export type Place = { row: number; token: number };

export function rowsModel(data: Uint8Array): Model {
  const { header, bytes } = unpackPayload<Header>(data);
  const integers = (count: number) => new Int32Array(bytes(4 * count).buffer);
  const count = header.characters.length;
  const crossed = new Uint16Array(count + 1);
  const rows = header.rows.map((row) => {
    const [first, last, ids] = [integers(row.count), integers(row.count), integers(row.count)];
    for (let i = 0; i < row.count; i += 1) for (let c = first[i] + 1; c <= last[i]; c += 1) crossed[c] += 1;
    return { ...row, first, last, ids };
  });
  const place = new Int32Array(count).fill(-1);
  header.differing.forEach(([start, stop], index) => place.fill(index, start, stop));
  const content = JSON.stringify([
    { ...header, chosen: null, turn: 0 },
    rows.map(({ first, last, ids }) => `${first} ${last} ${ids}`),
  ]);
  const along = labelsDirection(header.characters);
  const isMixed = runsAgainst(header.characters.filter((label) => !isSmall(label)).join(""), along);
  return { ...header, rows, count, crossed, place, along, isMixed, content };
}

export const tokenCharacters = ({ characters }: Pick<Model, "characters">, { first, last }: Row, token: number) =>
  characters.slice(first[token], last[token] + 1);

export const tokenText = (model: Pick<Model, "characters">, row: Row, token: number) =>
  row.labels[token] ?? tokenCharacters(model, row, token).join("");

/** First and last of the tokens that share a column with a token, or share one with those that do. */
export function sharingTokens(
  { first, last, count }: Pick<Row, "first" | "last" | "count">,
  token: number,
): [number, number] {
  let [from, to] = [token, token];
  while (from > 0 && first[from] === last[from - 1]) from -= 1;
  while (to + 1 < count && first[to + 1] === last[to]) to += 1;
  return [from, to];
}

/**
 * What a chip shows in place of the token's own characters: a label that says something else, with bytes out of their
 * brackets, since room is dear; or the mark that its label adds before them ("##ing", "▁the").
 */
export function chipLabel(
  model: Pick<Model, "characters">,
  row: Row,
  token: number,
): { label?: string; mark?: string } {
  const label = row.labels[token];
  if (label === undefined) return {};
  const stem = tokenCharacters(model, row, token).join("").replace(/^·/, "");
  const [from, to] = sharingTokens(row, token);
  if (from === to && label.endsWith(stem)) return { mark: label.slice(0, label.length - stem.length) };
  return { label: label.replace(/⟨([0-9A-F]{2}(?: [0-9A-F]{2})*)⟩/g, "$1") };
}

/** [start, stop): the tokens of a row that hold any of a column. */
export function tokensAt(row: Pick<Row, "first" | "last" | "count">, column: number): [start: number, stop: number] {
  let [low, high] = [0, row.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row.last[middle] < column) low = middle + 1;
    else high = middle;
  }
  let stop = low;
  while (stop < row.count && row.first[stop] <= column) stop += 1;
  return [low, stop];
}

/** The column whose tokens are listed while none is pointed at: the first letter that the rows split differently. */
export function restingColumn({ characters, place, count }: Pick<Model, "characters" | "place" | "count">) {
  if (count === 0) return null;
  return Math.max(
    0,
    characters.findIndex((label, column) => place[column] >= 0 && label !== "·"),
  );
}

export const isSmall = (label: string) => label.length > 3 && label.startsWith("⟨");

/**
 * Estimate how wide the browser will make each column, in px, in order to break lines.
 * @param measure width of a text in px at a font size
 */
export function estimateWidths(model: Model, measure: (text: string, size: number) => number) {
  const widths = Float32Array.from(model.characters, (label) =>
    Math.max(MIN_COLUMN, measure(label, isSmall(label) ? SMALL : LETTER)),
  );
  for (const row of model.rows) {
    for (let token = 0; token < row.count; token += 1) {
      const [from, to] = sharingTokens(row, token);
      let lacking = 0;
      for (let i = from; i <= Math.min(to, from + MAX_PARTS); i += 1) {
        const { label } = chipLabel(model, row, i);
        if (label) lacking += measure(label, SMALL) + LABEL_ROOM;
      }
      token = to;
      if (!lacking) continue;
      const columns = widths.subarray(row.first[from], row.last[to] + 1);
      lacking -= columns.reduce((sum, width) => sum + width, 0);
      if (lacking > 0) columns.forEach((width, c) => (columns[c] = width + lacking / columns.length));
    }
  }
  return widths;
}

/** Break the text into lines of as many columns as fit, between tokens where that leaves less than half a line empty. */
export function textLines(
  { count, crossed, characters }: Pick<Model, "count" | "crossed" | "characters">,
  widths: ArrayLike<number>,
  room: number,
): Line[] {
  const lines: Line[] = [];
  for (let start = 0, stop = 0; start < count; start = stop) {
    let [width, cut, cutWidth] = [0, 0, 0];
    while (stop < count && (stop === start || width + widths[stop] <= room)) {
      width += widths[stop];
      stop += 1;
      if (crossed[stop]) continue;
      [cut, cutWidth] = [stop, width];
      if (characters[stop - 1] === "↵") break;
    }
    if (cutWidth > room / 2) stop = cut;
    lines.push({ start, stop });
  }
  return lines;
}

/** Token that a key moves to; null for a key that does not move. */
export function placeAfterKey({ rows }: Model, lines: Line[], { row, token }: Place, key: string): Place | null {
  const column = rows[row].first[token];
  const inRow = (to: number, near: number) => ({
    row: to,
    token: Math.min(rows[to].count - 1, tokensAt(rows[to], near)[0]),
  });
  if (key === "ArrowUp" || key === "ArrowDown") return inRow(nextInList(key, row, rows.length) ?? row, column);
  if (key.startsWith("Page")) {
    const line = lines.findIndex(({ stop }) => column < stop);
    const { start, stop } = lines[nextInList(key, line, lines.length, 1) ?? line];
    return inRow(row, Math.min(stop - 1, start + column - lines[line].start));
  }
  const next = nextInList(key, token, rows[row].count);
  return next === null ? null : { row, token: next };
}

/** First column of the next place where the rows differ, in either direction; null where there is none. */
export function placeBeside(
  { differing, place }: Pick<Model, "differing" | "place">,
  column: number | null,
  step: 1 | -1,
) {
  const from = column ?? -1;
  const here = from < 0 ? -1 : place[from];
  const starts = differing.map(([start]) => start);
  if (step > 0) return starts.find((start) => start > from) ?? null;
  return starts.filter((start, index) => start < from && index !== here).at(-1) ?? null;
}
