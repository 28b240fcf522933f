// The text as columns, one per character: what the payload holds, how wide each column is, and where lines break.

import { unpackPayload } from "../_shared/payload.ts";
import { directionOf } from "../_shared/text.ts";

export const MIN_COLUMN = 15;
const MIN_PART = 20; // of a column that several tokens share
export const MOST_PARTS = 24; // more of them are drawn as one
export const SMALL = 13;
export const FONT_SIZE = 20;

type LabelName =
  | "figure"
  | "counts"
  | "tokenizer"
  | "tokens"
  | "characters_per_token"
  | "bytes_per_token"
  | "unknown"
  | "all_unknown"
  | "here"
  | "nothing_here"
  | "part_of"
  | "parts_here"
  | "hint"
  | "hint_touch"
  | "chosen"
  | "one_of_chosen"
  | "none_of_chosen"
  | "crowd"
  | "line"
  | "lines"
  | "lines_before"
  | "lines_next"
  | "readout"
  | "empty"
  | "all_agree"
  | "some_empty"
  | "place"
  | "one_place"
  | "no_place"
  | "before"
  | "next"
  | "stored_order";
/** A tokenizer's row as Python sends it; TokenRow in Python says what each entry is. */
interface SentRow {
  title: string;
  count: number;
  unknown: number;
  characters_per_token: number | null;
  bytes_per_token: number | null;
  labels: Record<number, string>;
}
/** The tokens that share a column: the first of them, and how many. */
type Share = { start: number; count: number };
export type Row = SentRow & { first: Int32Array; last: Int32Array; ids: Int32Array; shares: Map<number, Share> };
export interface Header {
  characters: string[];
  rows: SentRow[];
  differing: [start: number, stop: number][]; // stretches in which the rows are cut at different places
  labels: Record<LabelName, string>;
  chosen: number | null;
  turn: number;
}
interface ModelParts {
  rows: Row[];
  count: number; // of columns
  crossed: Uint16Array; // how many tokens lie across the edge before each column
  place: Int32Array; // index of the stretch that a column is in, -1 for none
  along: "rtl" | "ltr"; // which direction the columns stand
  looks: string; // all that is drawn, in one string
}
export type Model = Omit<Header, "rows"> & ModelParts;
/** Columns, and where each begins in px. */
export type Line = { start: number; stop: number; edges: Float32Array; width: number };
/** Width of a text in CSS px. */
export type Measure = (text: string, size: number) => number;

export function rowsModel(data: Uint8Array): Model {
  const { header, bytes } = unpackPayload<Header>(data);
  const integers = (count: number) => new Int32Array(bytes(4 * count).buffer);
  const count = header.characters.length;
  const crossed = new Uint16Array(count + 1);
  const rows = header.rows.map((row) => {
    const [first, last, ids] = [integers(row.count), integers(row.count), integers(row.count)];
    for (let i = 0; i < row.count; i += 1) for (let c = first[i] + 1; c <= last[i]; c += 1) crossed[c] += 1;
    return { ...row, first, last, ids, shares: sharedColumns(first, last) };
  });
  const place = new Int32Array(count).fill(-1);
  header.differing.forEach(([start, stop], index) => place.fill(index, start, stop));
  const { chosen, turn, ...looks } = header;
  return {
    ...header,
    rows,
    count,
    crossed,
    place,
    along: directionOf(header.characters),
    looks: JSON.stringify([looks, rows.map((row) => [...row.ids, ...row.first, ...row.last])]),
  };
}

/**
 * The tokens that share each column that several share.
 * @param first column of each token
 */
export function sharedColumns(first: ArrayLike<number>, last: ArrayLike<number>) {
  const shares = new Map<number, Share>();
  for (let i = 1; i < first.length; i += 1) {
    if (first[i] !== last[i - 1]) continue;
    const share = shares.get(first[i]);
    if (share) share.count += 1;
    else shares.set(first[i], { start: i - 1, count: 2 });
  }
  return shares;
}

export function tokenText(model: Pick<Model, "characters">, row: Row, token: number) {
  return row.labels[token] ?? model.characters.slice(row.first[token], row.last[token] + 1).join("");
}

/**
 * What a chip shows: a token's own characters, with the mark before them that its label adds ("##ing", "▁the"); where
 * the label says something else, that, with bytes out of their brackets, since room is dear. `own` tells which.
 */
export function chipText(model: Pick<Model, "characters">, row: Row, token: number) {
  const characters = model.characters.slice(row.first[token], row.last[token] + 1).join("");
  const label = row.labels[token];
  if (label === undefined) return { text: characters, mark: "", own: true };
  const stem = characters.replace(/^·/, "");
  if (!row.shares.has(row.first[token]) && label.endsWith(stem)) {
    return { text: characters, mark: label.slice(0, label.length - stem.length), own: true };
  }
  return { text: label.replace(/⟨([0-9A-F]{2}(?: [0-9A-F]{2})*)⟩/g, "$1"), mark: "", own: false };
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
 * measure(text, size) in CSS px; no column is wider than the room of a line.
 * @param room of a line
 */
export function columnWidths(model: Model, measure: Measure, room: number) {
  const known = new Map<string, number>();
  const widths = Float32Array.from(model.characters, (label) => {
    const width =
      known.get(label) ?? Math.ceil(Math.max(MIN_COLUMN, measure(label, isSmall(label) ? SMALL : FONT_SIZE)) + 1);
    known.set(label, width);
    return width;
  });
  // Beside the widest there is room for the space before it.
  const widest = room - 20;
  const widen = (column: number, wanted: number) => {
    widths[column] = Math.max(widths[column], Math.min(widest, wanted));
  };
  for (const row of model.rows) {
    for (const [column, { start, count }] of row.shares) {
      let slot = MIN_PART;
      for (let i = start; i < start + Math.min(count, MOST_PARTS); i += 1) {
        if (row.first[i] === row.last[i]) slot = Math.max(slot, measure(chipText(model, row, i).text, SMALL) + 8);
      }
      widen(column, Math.min(slot, 84) * Math.min(count, MOST_PARTS));
    }
    for (const index of Object.keys(row.labels).map(Number)) {
      const [first, last] = [row.first[index], row.last[index]];
      const { text, mark, own } = chipText(model, row, index);
      if (row.shares.has(first) && row.shares.has(last) && first === last) continue;
      let width = 0;
      // Of a column that is shared with others there is only a part.
      for (let c = first; c <= last; c += 1) width += widths[c] / Math.min(MOST_PARTS, row.shares.get(c)?.count ?? 1);
      const wanted = own
        ? measure(text.replace(/^·/, ""), FONT_SIZE) + measure(mark, SMALL) + 6
        : measure(text, SMALL) + 8;
      if (own && !mark) continue;
      const at = row.shares.has(last) && !row.shares.has(first) ? first : last;
      widen(at, widths[at] + (wanted - width) * (row.shares.get(at)?.count ?? 1));
    }
  }
  return widths;
}

/** [{start, stop}]: as many columns as fit, cut where no token is cut if such a place is not too far back. */
export function textLines(
  model: Pick<Model, "count" | "crossed" | "characters">,
  widths: ArrayLike<number>,
  room: number,
): Line[] {
  const lines: { start: number; stop: number }[] = [];
  let start = 0;
  let width = 0;
  let fit = 0; // last whole cut in this line
  let fitWidth = 0;
  const close = (stop: number) => {
    lines.push({ start, stop });
    start = stop;
  };
  for (let c = 0; c < model.count; c += 1) {
    if (c > start && model.crossed[c] === 0) {
      [fit, fitWidth] = [c, width];
      if (model.characters[c - 1] === "↵") {
        close(c);
        width = fitWidth = 0;
      }
    }
    if (width + widths[c] > room && c > start) {
      if (fit > start && fitWidth > 0.5 * room) {
        close(fit);
        width -= fitWidth;
      }
      // A column as wide as a line has it for itself, also where a token goes across.
      if (width + widths[c] > room && c > start) {
        close(c);
        width = 0;
      }
      fitWidth = 0;
    }
    width += widths[c];
  }
  if (start < model.count) close(model.count);
  return lines.map(({ start, stop }) => {
    const edges = new Float32Array(stop - start + 1); // where each column begins, and the last ends
    for (let c = start; c < stop; c += 1) edges[c - start + 1] = edges[c - start] + widths[c];
    return { start, stop, edges, width: edges[stop - start] };
  });
}

/** Left and right of a token in a line, not cut to the line. */
export function tokenSpan(row: Pick<Row, "first" | "last" | "shares">, token: number, line: Line) {
  const at = (column: number) => line.edges[Math.max(0, Math.min(line.stop - line.start, column - line.start))];
  const side = (column: number, offset: 0 | 1) => {
    const share = row.shares.get(column);
    const [left, right] = [at(column), at(column + 1)];
    if (!share) return offset ? right : left;
    return left + ((right - left) * (token - share.start + offset)) / share.count;
  };
  return [side(row.first[token], 0), side(row.last[token], 1)];
}
