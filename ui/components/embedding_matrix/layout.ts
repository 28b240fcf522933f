// Where the strip, the marks on it and the rows pulled out of it are. Everything in CSS pixels.

import { type Box, clamp } from "../_shared/canvas.ts";

/** What is sent besides the numbers. */
export interface Header {
  lines: number; // of the strip
  columns: number;
  vocab_size: number;
  d_model: number;
  k: number; // how many dimensions of each row are sent
  positions: number[]; // of each row's token in the text
  ids: number[];
  tokens: string[];
  by_chance: boolean[];
  colours: string[];
  limit: number;
  labels: Record<string, string>;
}
export interface Layout {
  narrow: boolean;
  height: number;
  strip: Box;
  labelX: number; // where the ids stand
  list: Box; // of rows, right of the lines
  rowHeight: number;
}
export interface CellLayout {
  token: number; // width
  id: number; // width
  x: number; // of the first number in the list
  width: number; // of a number
  numbered: number; // how many columns are numbers
  coloured: number; // how many more are colours alone
}

export const STRIPE = 5; // pixels per column shown as colour alone

/** @param room CSS px that it may be high */
export function matrixLayout(
  width: number,
  { positions, ids, vocab_size: vocabSize }: Pick<Header, "positions" | "ids" | "vocab_size">,
  room: number = Infinity,
): Layout {
  const narrow = width < 640;
  const rowHeight = narrow ? 66 : 40;
  const headHeight = 28; // room for the axis labels above and below the strip
  const strip = {
    x: 26,
    y: headHeight,
    width: narrow ? 40 : 120,
    height: Math.min(narrow ? 420 : 380, rowHeight * Math.floor((room - 3 * headHeight) / rowHeight)),
  };
  const labelX = strip.x + strip.width + (narrow ? 12 : 36);
  const x = labelX + (narrow ? 64 : width < 1000 ? 130 : 160);
  const height = Math.min(positions.length * rowHeight, strip.height);
  // A short list stands beside the marks, so that the lines stay short.
  const middle = ids.reduce((sum, id) => sum + markHeight(strip, id, vocabSize), 0) / Math.max(1, ids.length);
  const y = Math.round(clamp(middle - height / 2, strip.y, strip.y + strip.height - height));
  const list = { x, y, width: width - x, height };
  return { narrow, height: strip.height + 2 * headHeight, strip, labelX, list, rowHeight };
}

/**
 * Where the name of the columns begins: it ends with the strip, and leaves room for the 0 of the first row.
 * @param width of the name
 */
export function columnsLeft({ narrow, strip }: Pick<Layout, "narrow" | "strip">, width: number) {
  return strip.x + (narrow ? 18 : Math.max(18, strip.width - width));
}

/** Numbers first, then colours alone, as far as the width goes. */
export function cellLayout(
  header: Pick<Header, "tokens" | "ids" | "k" | "d_model">,
  narrow: boolean,
  listWidth: number,
): CellLayout {
  const longest = Math.max(1, ...header.tokens.map((token) => [...token].length));
  const token = clamp(longest * 11, 48, 170);
  const repeated = new Set(header.ids).size < header.ids.length;
  const id = repeated ? 180 : 96;
  const x = narrow ? 8 : 8 + token + 10 + id + 10;
  let width = narrow ? 58 : 76;
  const room = listWidth - x - 8;
  const fitting = (space: number) => clamp(Math.floor(space / width), 1, header.k);
  let numbered = fitting(room);
  if (numbered < header.d_model) {
    // Room for "…", and for the rest of k as colours: all of it, or two fifths of the width.
    const beside = narrow ? 22 : Math.min(room * 0.4, (header.k - fitting(room)) * STRIPE + 34);
    numbered = fitting(room - beside);
  }
  if (numbered === header.d_model && !narrow) width = clamp(Math.floor(room / numbered), width, 120);
  const left = Math.floor((room - numbered * width - 34) / STRIPE);
  const coloured = narrow ? 0 : clamp(left, 0, header.k - numbered);
  return { token, id, x, width, numbered, coloured };
}

export const markHeight = (strip: Box, id: number, vocabSize: number) =>
  strip.y + ((id + 0.5) / vocabSize) * strip.height;

/**
 * Moves the wished heights apart until each is `gap` from the next, as little as possible, within [top, bottom].
 * @returns in the order of `wished`
 */
export function spreadApart(wished: number[], gap: number, top: number, bottom: number): number[] {
  const order = wished.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  type Group = { sum: number; count: number };
  const topOf = ({ sum, count }: Group) => {
    const span = (count - 1) * gap;
    return clamp(sum / count - span / 2, top, bottom - span);
  };
  const groups: Group[] = [];
  for (const { y } of order) {
    groups.push({ sum: y, count: 1 });
    // Neighbours that would touch become one group around their common middle.
    for (let last = groups.length - 1; last > 0; last -= 1) {
      const [a, b] = [groups[last - 1], groups[last]];
      if (topOf(b) - topOf(a) >= a.count * gap) break;
      groups.splice(last - 1, 2, { sum: a.sum + b.sum, count: a.count + b.count });
    }
  }
  const placed: number[] = new Array(wished.length);
  let at = 0;
  for (const group of groups) {
    const start = topOf(group);
    for (let i = 0; i < group.count; i += 1, at += 1) placed[order[at].index] = start + i * gap;
  }
  return placed;
}

/** The picked row whose mark is nearest to a point, as an index; null where none is near. */
export function nearestMark(
  x: number,
  y: number,
  { strip, labelX }: Pick<Layout, "strip" | "labelX">,
  { ids, vocab_size: vocabSize }: Pick<Header, "ids" | "vocab_size">,
) {
  if (x < strip.x - 8 || x > labelX || y < strip.y - 8 || y > strip.y + strip.height + 8) return null;
  let nearest: number | null = null;
  let distance = Math.max(12, strip.height / vocabSize / 2);
  ids.forEach((id, index) => {
    const away = Math.abs(markHeight(strip, id, vocabSize) - y);
    if (away < distance) [nearest, distance] = [index, away];
  });
  return nearest;
}

/**
 * The rows that a scrolled list shows a part of.
 * @param count of rows
 */
export function rowsInSight(scrollTop: number, { list, rowHeight }: Pick<Layout, "list" | "rowHeight">, count: number) {
  const last = Math.ceil((scrollTop + list.height) / rowHeight) - 1;
  return { first: Math.floor(scrollTop / rowHeight), last: Math.min(count - 1, last) };
}
