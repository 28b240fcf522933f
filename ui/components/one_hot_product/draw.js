// The parts of the picture: cells, the rows that they make, labels and signs.

import { decimalText, fillLabel, fitText } from "../_shared/text.js";
import { FACTOR, GAP_ROW, placeX, TABLE_ROW, TOKEN_ROW, tableY, tokenY } from "./layout.js";

const CELL_GAP = 2;

function paintValue(context, view, value, x, y, width, height) {
  const { model, theme } = view;
  context.fillStyle = model.scale.css(value);
  context.fillRect(x, y, width - CELL_GAP, height - CELL_GAP);
  context.fillStyle = model.scale.ink(value);
  context.font = `${width >= 60 ? 15 : 13}px ${theme.font}`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillText(decimalText(value, 4), x + width - CELL_GAP - 5, y + height / 2, width - 6);
}

// A row of `values` from `at` on, its dimensions in sight.
export function paintRow(context, view, values, at, x, y, height) {
  const { first, shown, cell } = view.layout;
  for (let column = 0; column < shown; column += 1) {
    paintValue(context, view, values[at * view.model.k + first + column], x + column * cell, y, cell, height);
  }
}

export function paintPlace(context, view, one, x, y, size, height) {
  const { theme } = view;
  context.fillStyle = one ? theme.ink : theme.panel;
  context.fillRect(x, y, size - CELL_GAP, height - CELL_GAP);
  context.fillStyle = one ? theme.ground : theme.ink;
  context.font = `${one ? 700 : 400} ${size >= 20 ? 16 : 13}px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(one ? "1" : "0", x + (size - CELL_GAP) / 2, y + height / 2);
}

export function drawTitles(context, view, seen) {
  const { model, layout, theme } = view;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillStyle = theme.ink;
  const sizes = {
    hot: [model.n, model.vocab_size],
    table: [model.vocab_size, model.d_model],
    result: [model.n, model.d_model],
  };
  for (const [part, title] of [
    ["hot", "one_hot"],
    ["table", "table"],
    ["result", "result"],
  ]) {
    const panel = layout[part];
    context.globalAlpha = seen[part];
    context.font = `600 17px ${theme.font}`;
    const head = part === "hot" ? layout.head : 22;
    const left = part === "hot" ? Math.min(panel.x, panel.x + panel.width - 130) : panel.x;
    const y = panel.y - head - 14;
    const name = model.labels[title];
    const room = layout.width - left;
    context.fillText(name, left, y, room);
    const after = left + context.measureText(name).width + 8;
    context.font = `15px ${theme.font}`;
    const size = sizes[part].map((count) => count.toLocaleString()).join(" × ");
    const next = part === "hot" && !layout.stacked ? layout.table.x - layout.labels : layout.width;
    if (after + context.measureText(size).width < next) context.fillText(size, after, y);
  }
  context.globalAlpha = 1;
}

export function drawTokens(context, view) {
  const { model, layout, theme } = view;
  context.fillStyle = theme.ink;
  context.textBaseline = "middle";
  const panels = layout.stacked ? [layout.hot, layout.result] : [layout.hot];
  panels.forEach((panel, index) => {
    model.tokens.forEach((token, row) => {
      const y = tokenY(panel, row) + TOKEN_ROW / 2;
      const right = index === 0 ? layout.gutter : panel.x - 10;
      context.textAlign = "right";
      context.font = `15px ${theme.font}`;
      context.fillText(String(model.ids[row]), right, y);
      context.font = `600 17px ${theme.font}`;
      const room = right - layout.idWidth;
      context.fillText(fitText(context, token, room), room, y);
    });
  });
  if (layout.stacked) return;
  context.font = `15px ${theme.font}`;
  context.textAlign = "right";
  context.fillText(model.labels.id, layout.gutter, layout.hot.y - 12);
}

// Which rows of E the places stand for, above them; upright where they are too wide.
export function drawPlaceIds(context, view, alpha) {
  const { model, layout, theme } = view;
  context.globalAlpha = alpha;
  context.fillStyle = theme.ink;
  context.font = `14px ${theme.font}`;
  context.textBaseline = "middle";
  model.rows.forEach((id, index) => {
    const x = placeX(layout, index) + (layout.place - CELL_GAP) / 2;
    context.save();
    context.translate(x, layout.hot.y - (layout.upright ? 6 : 12));
    if (layout.upright) context.rotate(-Math.PI / 2);
    context.textAlign = layout.upright ? "left" : "center";
    context.fillText(String(id), 0, 0);
    context.restore();
  });
  context.textAlign = "center";
  for (const { at } of layout.places.holes) {
    for (let row = 0; row < model.n; row += 1)
      context.fillText("…", layout.hot.x + at + 5, tokenY(layout.hot, row) + TOKEN_ROW / 2, 10);
  }
  context.globalAlpha = 1;
}

// E with the ids of its rows; faded(index) tells how much of a row is left.
export function drawTable(context, view, faded) {
  const { model, layout, theme } = view;
  const { table, labels } = layout;
  model.rows.forEach((id, index) => {
    const y = tableY(layout, index);
    const middle = y + TABLE_ROW / 2;
    context.fillStyle = theme.ink;
    context.textBaseline = "middle";
    context.font = `15px ${theme.font}`;
    context.textAlign = "right";
    const right = table.x - FACTOR - 8;
    context.fillText(String(id), right, middle);
    const room = labels - FACTOR - 10 - layout.idWidth;
    if (model.row_names[index] && room > 12)
      context.fillText(fitText(context, model.row_names[index], room), right - layout.idWidth, middle);
    context.globalAlpha = faded(index);
    paintRow(context, view, model.table, index, table.x, y, TABLE_ROW);
    context.globalAlpha = 1;
  });
  context.fillStyle = theme.ink;
  context.font = `14px ${theme.font}`;
  context.textAlign = "left";
  for (const { at, left } of layout.lines.holes) {
    context.fillText(
      fillLabel(model.labels.gap, { count: left.toLocaleString() }),
      table.x + 2,
      table.y + at + GAP_ROW / 2,
      table.width,
    );
  }
}

export function drawDimensions(context, view, panel, alpha) {
  const { model, layout, theme } = view;
  context.globalAlpha = alpha;
  context.fillStyle = theme.ink;
  context.font = `14px ${theme.font}`;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (let column = 0; column < layout.shown; column += 1) {
    context.fillText(String(layout.first + column), panel.x + (column + 1) * layout.cell - CELL_GAP - 5, panel.y - 11);
  }
  if (panel === layout.table || layout.stacked)
    context.fillText(model.labels.dimension, panel.x - 8, panel.y - 11, layout.labels - 8);
  context.globalAlpha = 1;
}

export function drawSigns(context, view, seen) {
  const { layout, theme } = view;
  if (layout.stacked) return;
  context.fillStyle = theme.ink;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `700 26px ${theme.font}`;
  const y = layout.hot.y + layout.hot.height / 2;
  context.globalAlpha = seen.hot;
  context.fillText("×", layout.hot.x + layout.hot.width + layout.sign / 2, y);
  context.globalAlpha = seen.equals;
  context.fillText("=", layout.result.x - layout.sign / 2 - 1, y);
  context.globalAlpha = 1;
}

// Places that will be filled.
export function drawEmpty(context, view, panel, alpha) {
  context.globalAlpha = 0.8 * alpha;
  context.strokeStyle = view.theme.line;
  context.lineWidth = 1.5;
  context.setLineDash([6, 6]);
  context.strokeRect(panel.x, panel.y, panel.width - CELL_GAP, panel.height - CELL_GAP);
  context.setLineDash([]);
  context.globalAlpha = 1;
}
