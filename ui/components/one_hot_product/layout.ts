// Where one-hot rows, E and results are, and which of them is under a point. Everything in CSS pixels.

import { type Box, clamp } from "../_shared/canvas.ts";
import type { Model, Place } from "./model.ts";

export type Layout = ReturnType<typeof productLayout>;
type Lines = { starts: number[]; holes: { at: number; left: number }[]; total: number };

const TITLE_HEIGHT = 30;
export const TOKEN_ROW = 30;
export const TABLE_ROW = 27;
export const GAP_ROW = 17;
export const FACTOR = 28; // before each row of E, what multiplies it

/**
 * Lines with shorter ones where rows are left out: where each begins, where each gap is and of how many, and the whole.
 * @param size of a line
 */
export function spaced(gaps: number[], size: number, gapSize: number): Lines {
  const lines: Lines = { starts: [], holes: [], total: 0 };
  gaps.forEach((left, index) => {
    if (left > 0) {
      lines.holes.push({ at: lines.total, left });
      lines.total += gapSize;
    }
    if (index === gaps.length - 1) return;
    lines.starts.push(lines.total);
    lines.total += size;
  });
  return lines;
}

export const isStacked = (width: number) => width < 720;

/**
 * @param measure width of a text
 * @param first dimension at the left
 */
export function productLayout(
  model: Pick<Model, "gaps" | "n" | "k" | "rows" | "row_names" | "tokens" | "labels">,
  width: number,
  measure: (text: string, bold: boolean) => number,
  first: number,
) {
  const stacked = isStacked(width);
  const { gaps, n, k } = model;
  const drawn = model.rows.length;
  const widestId = Math.max(...model.rows.map((id) => measure(String(id), false)));
  const idWidth = Math.max(widestId, 14) + 10;
  const tokenWidth = Math.max(...model.tokens.map((token) => measure(token, true)));
  const gutter = Math.ceil(Math.min(stacked ? 104 : 176, Math.max(stacked ? 60 : 76, tokenWidth + 10)) + idWidth);
  const named = model.row_names.some((name) => name);
  const nameWidth = named
    ? Math.min(stacked ? 52 : 66, Math.max(...model.row_names.map((name) => measure(name, false))) + 8)
    : 0;
  const labels = Math.ceil(
    Math.max(idWidth + nameWidth, stacked ? 0 : measure(model.labels.dimension, false)) + FACTOR + 10,
  );
  const nGaps = gaps.filter((left) => left > 0).length;
  const gapWidth = stacked ? 8 : 12;
  const placesRoom =
    (stacked ? width - gutter - 12 : Math.min(0.25 * width, 34 * drawn + gapWidth * nGaps)) - gapWidth * nGaps;
  const place = Math.floor(clamp(placesRoom / drawn, 16, 34));
  const places = spaced(gaps, place, gapWidth);
  const sign = stacked ? 0 : 30;
  const tick = 30; // for the check mark behind each row
  const room = stacked
    ? width - Math.max(gutter, labels) - tick - 10
    : (width - gutter - 10 - places.total - 2 * sign - labels - tick) / 2;
  const narrowest = Math.max(stacked ? 56 : 61, Math.ceil(measure("−0.0000", false)) + 8);
  const shown = clamp(Math.floor(room / narrowest), 1, k);
  const cell = Math.floor(clamp(room / shown, 40, 112));
  const upright = place < widestId + 2;
  const head = upright ? Math.ceil(widestId) + 10 : 22;
  const lines = spaced(gaps, TABLE_ROW, GAP_ROW);
  const sizes = { token: n * TOKEN_ROW, table: shown * cell };
  const top = TITLE_HEIGHT + head;
  const under = 2 * TITLE_HEIGHT + 22; // from one panel to the next below it
  const tallest = stacked ? sizes.token : Math.max(sizes.token, lines.total);
  const side = Math.max(gutter, labels) + 10;

  const hot: Box = { x: gutter + 10, y: top + (tallest - sizes.token) / 2, width: places.total, height: sizes.token };
  const table: Box = {
    x: stacked ? side : hot.x + places.total + sign + labels,
    y: stacked ? hot.y + sizes.token + under : top + (tallest - lines.total) / 2,
    width: sizes.table,
    height: lines.total,
  };
  const result: Box = {
    x: stacked ? side : table.x + sizes.table + sign,
    y: stacked ? table.y + lines.total + under : hot.y,
    width: sizes.table,
    height: sizes.token,
  };
  const height = (stacked ? result.y + sizes.token : top + tallest) + 6;
  return {
    stacked,
    width,
    height,
    gutter,
    idWidth,
    labels,
    place,
    places,
    lines,
    sign,
    shown,
    cell,
    upright,
    head,
    hot,
    table,
    result,
    first: clamp(Math.round(first), 0, k - shown),
  };
}

export const tableY = ({ table, lines }: Pick<Layout, "table" | "lines">, index: number) =>
  table.y + lines.starts[index];

export const tokenY = (panel: Pick<Box, "y">, row: number) => panel.y + row * TOKEN_ROW;

export const placeX = ({ hot, places }: Pick<Layout, "hot" | "places">, index: number) => hot.x + places.starts[index];

/**
 * What is under a point: a place of a one-hot row, a number of E or of the results, what stands beside them, or null.
 */
export function productHit(layout: Layout, x: number, y: number): Place | null {
  const { hot, table, result, places, lines } = layout;
  const within = (panel: Box, more = 0) =>
    x >= panel.x - more && x < panel.x + panel.width && y >= panel.y && y < panel.y + panel.height;
  const column = (panel: Box) =>
    x < panel.x ? null : layout.first + Math.min(layout.shown - 1, Math.floor((x - panel.x) / layout.cell));
  const line = ({ starts }: Lines, at: number, size: number) => {
    const index = starts.findIndex((start) => at >= start && at < start + size);
    return index < 0 ? null : index;
  };
  const row = (panel: Box) => Math.floor((y - panel.y) / TOKEN_ROW);
  if (within(hot, layout.gutter)) return { part: "hot", row: row(hot), index: line(places, x - hot.x, layout.place) };
  if (within(table, layout.labels)) {
    const index = line(lines, y - table.y, TABLE_ROW);
    return index === null ? null : { part: "table", index, column: column(table) };
  }
  if (!within(result, layout.stacked ? layout.gutter : 0)) return null;
  return { part: "result", row: row(result), column: column(result) };
}

/**
 * Where a key leads: the pointer goes through the places of a one-hot row and on into the numbers of its result, as one
 * wide row. The first key only shows where the pointer is. Null for a key that leads nowhere.
 * @param row of the token that the place belongs to
 */
export function nextPlace(
  key: string,
  place: Place | null,
  row: number,
  { rows, k, n, drawnAt }: Pick<Model, "rows" | "k" | "n" | "drawnAt">,
): Exclude<Place, { part: "table" }> | null {
  const places = rows.length;
  const at = place?.part === "hot" ? (place.index ?? 0) : places + (place?.column ?? 0);
  const moves: Record<string, [row: number, at: number]> = {
    ArrowLeft: [row, at - 1],
    ArrowRight: [row, at + 1],
    ArrowUp: [row - 1, at],
    ArrowDown: [row + 1, at],
    Home: [row, 0],
    End: [row, places + k - 1],
  };
  if (!(key in moves)) return null;
  const [toRow, toAt] = place ? moves[key] : [0, drawnAt[0]];
  const [nextRow, next] = [clamp(toRow, 0, n - 1), clamp(toAt, 0, places + k - 1)];
  if (next < places) return { part: "hot", row: nextRow, index: next };
  return { part: "result", row: nextRow, column: next - places };
}

/** The first dimension of the window that has a column in sight. */
export const revealed = ({ first, shown }: Pick<Layout, "first" | "shown">, column: number) =>
  clamp(first, column - shown + 1, column);
