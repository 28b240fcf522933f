// Which token a key or the pointer means.

import { tokenSpan, tokensAt } from "./columns.js";

/** @typedef {import("./columns.js").Model} Model */
/** @typedef {import("./columns.js").Line} Line */
/** @typedef {{ row: number, token: number }} Place a token of a row */

/**
 * The place that a key leads to; null where it means nothing here.
 * @param {Model} model
 * @param {Pick<Line, "start" | "stop">[]} lines
 * @param {Place} at
 * @param {string} key
 * @returns {Place | null}
 */
export function placeAfterKey(model, lines, at, key) {
  const row = model.rows[at.row];
  const column = row.first[at.token];
  const inRow = (/** @type {number} */ index, /** @type {number} */ near) => {
    const to = Math.max(0, Math.min(model.rows.length - 1, index));
    return { row: to, token: Math.min(model.rows[to].count - 1, tokensAt(model.rows[to], near)[0]) };
  };
  const ofToken = (/** @type {number} */ token) => ({
    row: at.row,
    token: Math.max(0, Math.min(row.count - 1, token)),
  });
  const line = lines.findIndex(({ start, stop }) => column >= start && column < stop);
  const byLine = (/** @type {number} */ index) => {
    const target = lines[Math.max(0, Math.min(lines.length - 1, index))];
    return inRow(at.row, Math.min(target.stop - 1, target.start + column - lines[line].start));
  };
  /** @type {Record<string, () => Place>} */
  const moves = {
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

/**
 * The column under a point of the staff, and the token there; null beside the text.
 * @param {Pick<Model, "rows" | "along">} model
 * @param {Pick<import("./lines.js").Staff, "lineHeight" | "gutter" | "span" | "charactersHeight" | "rowHeight">} staff
 * @param {Line[]} lines
 * @param {number} left
 * @param {number} top
 * @returns {{ column: number, cursor: Place | null } | null}
 */
export function placeUnder(model, staff, lines, left, top) {
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
