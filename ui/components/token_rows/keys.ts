// Which token a key or the pointer means.

import { type Line, type Model, tokenSpan, tokensAt } from "./columns.ts";
import type { Staff } from "./lines.ts";

/** A token of a row. */
export type Place = { row: number; token: number };

/** The place that a key leads to; null where it means nothing here. */
export function placeAfterKey(
  model: Model,
  lines: Pick<Line, "start" | "stop">[],
  at: Place,
  key: string,
): Place | null {
  const row = model.rows[at.row];
  const column = row.first[at.token];
  const inRow = (index: number, near: number) => {
    const to = Math.max(0, Math.min(model.rows.length - 1, index));
    return { row: to, token: Math.min(model.rows[to].count - 1, tokensAt(model.rows[to], near)[0]) };
  };
  const ofToken = (token: number) => ({
    row: at.row,
    token: Math.max(0, Math.min(row.count - 1, token)),
  });
  const line = lines.findIndex(({ start, stop }) => column >= start && column < stop);
  const byLine = (index: number) => {
    const target = lines[Math.max(0, Math.min(lines.length - 1, index))];
    return inRow(at.row, Math.min(target.stop - 1, target.start + column - lines[line].start));
  };
  const moves: Record<string, () => Place> = {
    ArrowLeft: () => ofToken(at.token - 1),
    ArrowRight: () => ofToken(at.token + 1),
    ArrowUp: () => inRow(at.row - 1, column),
    ArrowDown: () => inRow(at.row + 1, column),
    PageUp: () => byLine(line - 1),
    PageDown: () => byLine(line + 1),
    Home: () => ofToken(0),
    End: () => ofToken(row.count - 1),
  };
  return Object.hasOwn(moves, key) ? moves[key]() : null;
}

/** The column under a point of the staff, and the token there; null beside the text. */
export function placeUnder(
  model: Pick<Model, "rows" | "along">,
  staff: Pick<Staff, "lineHeight" | "gutter" | "span" | "charactersHeight" | "rowHeight">,
  lines: Line[],
  left: number,
  top: number,
): { column: number; cursor: Place | null } | null {
  const index = Math.floor(top / staff.lineHeight);
  const line = lines[index];
  const x = model.along === "rtl" ? staff.span - left + staff.gutter : left - staff.gutter;
  if (!line || x < 0 || x >= line.width) return null;
  let column = line.start;
  while (column + 1 < line.stop && line.edges[column + 1 - line.start] <= x) column += 1;
  const row = Math.floor((top - index * staff.lineHeight - staff.charactersHeight) / staff.rowHeight);
  if (!model.rows[row]) return { column, cursor: null };
  const [from, to] = tokensAt(model.rows[row], column);
  for (let token = from; token < to; token += 1) {
    if (x < tokenSpan(model.rows[row], token, line)[1]) return { column, cursor: { row, token } };
  }
  return { column, cursor: null };
}
