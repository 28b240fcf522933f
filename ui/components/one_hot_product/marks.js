// What is pointed at, what is chosen, and which rows have come out equal.

import { placeX, TABLE_ROW, TOKEN_ROW, tableY, tokenY } from "./layout.js";

// An outline with a rim of the page's ground, so that it shows on any colour.
export function ring(context, theme, x, y, width, height, colour, thickness = 2.5) {
  for (const [stroke, line] of [
    [theme.ground, thickness + 3],
    [colour, thickness],
  ]) {
    context.strokeStyle = stroke;
    context.lineWidth = line;
    context.strokeRect(x - 1, y - 1, width, height);
  }
}

// The token's one-hot row, the place of its 1, its row of E and its result: one ring each.
export function lightToken(context, view, row, colour, seen) {
  const { model, layout, theme } = view;
  const index = model.drawnAt[row];
  ring(context, theme, layout.table.x, tableY(layout, index), layout.table.width, TABLE_ROW, colour);
  if (seen.hot > 0.9) ring(context, theme, layout.hot.x, tokenY(layout.hot, row), layout.hot.width, TOKEN_ROW, colour);
  if (seen.result > 0.9)
    ring(context, theme, layout.result.x, tokenY(layout.result, row), layout.result.width, TOKEN_ROW, colour);
}

export function drawMarks(context, view, seen) {
  const { model, layout, theme, marks } = view;
  if (marks.chosen !== null) lightToken(context, view, marks.chosen, theme.ink, seen);
  if (marks.hovered !== null && marks.hovered !== marks.chosen)
    lightToken(context, view, marks.hovered, theme.accent, seen);
  const { cell } = marks;
  if (!cell) return;
  if (cell.part === "hot") {
    if (cell.index !== null && seen.hot > 0.9)
      ring(
        context,
        theme,
        placeX(layout, cell.index),
        tokenY(layout.hot, cell.row),
        layout.place,
        TOKEN_ROW,
        theme.accent,
        3,
      );
    return;
  }
  const column = cell.column - layout.first;
  if (cell.column === null || column < 0 || column >= layout.shown) return;
  const index = cell.part === "table" ? cell.index : model.drawnAt[cell.row];
  ring(
    context,
    theme,
    layout.table.x + column * layout.cell,
    tableY(layout, index),
    layout.cell,
    TABLE_ROW,
    theme.accent,
    3,
  );
  if (cell.part === "result" && seen.result > 0.9) {
    ring(
      context,
      theme,
      layout.result.x + column * layout.cell,
      tokenY(layout.result, cell.row),
      layout.cell,
      TOKEN_ROW,
      theme.accent,
      3,
    );
  }
}

export function drawTick(context, view, row, share) {
  const { model, layout, theme } = view;
  const equal = model.equalRows[row] === model.k;
  const [x, y] = [layout.result.x + layout.result.width + 13, tokenY(layout.result, row) + TOKEN_ROW / 2];
  context.strokeStyle = theme.ink;
  context.lineWidth = 3;
  context.globalAlpha = share;
  context.beginPath();
  if (equal)
    [
      [-7, 0],
      [-2, 6],
      [8, -7],
    ].forEach(([dx, dy], at) => context[at ? "lineTo" : "moveTo"](x + dx, y + dy));
  else
    for (const sign of [-1, 1]) {
      context.moveTo(x - 6, y - 6 * sign);
      context.lineTo(x + 6, y + 6 * sign);
    }
  context.stroke();
  context.globalAlpha = 1;
}
