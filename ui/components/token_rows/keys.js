// Which token a key or the pointer means. A place is {row, token}.

import { tokenSpan, tokensAt } from "./columns.js";

// Null where the key means nothing here.
export function placeAfterKey(model, lines, at, key) {
  const row = model.rows[at.row];
  const column = row.first[at.token];
  const inRow = (index, near) => {
    const other = model.rows[Math.max(0, Math.min(model.rows.length - 1, index))];
    return { row: model.rows.indexOf(other), token: Math.min(other.count - 1, tokensAt(other, near)[0]) };
  };
  const ofToken = (token) => ({ row: at.row, token: Math.max(0, Math.min(row.count - 1, token)) });
  const line = lines.findIndex(({ start, stop }) => column >= start && column < stop);
  const byLine = (index) => {
    const target = lines[Math.max(0, Math.min(lines.length - 1, index))];
    return inRow(at.row, Math.min(target.stop - 1, target.start + column - lines[line].start));
  };
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
  return key in moves ? moves[key]() : null;
}

// {column, cursor: place or null} under a point of the staff, null beside the text.
export function placeUnder(model, staff, lines, left, top) {
  const index = Math.floor(top / staff.lineHeight);
  const line = lines[index];
  const x = left - staff.gutter;
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
