// The parts of the picture: cells, the rows that they make, labels, signs, and what is pointed at and chosen.

import { type Box, chosenRing, ring } from "../_shared/canvas.ts";
import type { Theme } from "../_shared/colour.ts";
import { letters } from "../_shared/elements.ts";
import { countText, decimalText } from "../_shared/numbers.ts";
import { fillLabel, fitText } from "../_shared/text.ts";
import { FACTOR, GAP_ROW, type Layout, placeX, TABLE_ROW, TOKEN_ROW, tableY, tokenY } from "./layout.ts";
import type { Model, Place } from "./model.ts";

type Context = CanvasRenderingContext2D;
/** How much of the one-hot rows and of the results is there, 0..1. */
type Seen = { hot: number; result: number };
/** What is drawn. */
export interface View {
  model: Model;
  layout: Layout;
  theme: Theme;
  time: number;
  focus: number; // the token whose product is shown in full
  marks: { hovered: number | null; chosen: number | null; cell: Place | null };
}

const CELL_GAP = 2;

/** A row of `values` from `at` on, its dimensions in sight. */
export function paintRow(
  context: Context,
  { model, layout, theme }: View,
  values: Float32Array,
  at: number,
  { x, y, height }: { x: number; y: number; height: number },
) {
  const { first, shown, cell: width } = layout;
  context.font = `${letters(width >= 60 ? 15 : 13)} ${theme.font}`;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (let column = 0; column < shown; column += 1) {
    const value = values[at * model.k + first + column];
    const left = x + column * width;
    context.fillStyle = model.scale.css(value);
    context.fillRect(left, y, width - CELL_GAP, height - CELL_GAP);
    context.fillStyle = model.scale.ink(value);
    context.fillText(decimalText(value, 4), left + width - CELL_GAP - 5, y + height / 2, width - 6);
  }
}

/** One place of a one-hot row. */
export function paintPlace(context: Context, { theme }: View, one: boolean, { x, y, width, height }: Box) {
  context.fillStyle = one ? theme.ink : theme.panel;
  context.fillRect(x, y, width - CELL_GAP, height - CELL_GAP);
  context.fillStyle = one ? theme.ground : theme.ink;
  context.font = `${one ? 700 : 400} ${letters(width >= 20 ? 16 : 13)} ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(one ? "1" : "0", x + (width - CELL_GAP) / 2, y + height / 2);
}

export function drawTitles(context: Context, { model, layout, theme }: View, seen: Seen) {
  const { hot, table, result, stacked, width } = layout;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillStyle = theme.ink;
  const title = (name: string, shape: number[], place: Title) => {
    context.globalAlpha = place.alpha;
    context.font = `600 ${letters(17)} ${theme.font}`;
    context.fillText(name, place.left, place.y, width - place.left);
    const after = place.left + context.measureText(name).width + 8;
    context.font = `${letters(15)} ${theme.font}`;
    const size = shape.map(countText).join(" × ");
    if (after + context.measureText(size).width < place.next) context.fillText(size, after, place.y);
  };
  /** Next: where the size must have ended. */
  type Title = { alpha: number; left: number; y: number; next: number };
  title(model.labels.one_hot, [model.n, model.vocab_size], {
    alpha: Math.max(0.45, seen.hot),
    left: Math.min(hot.x, hot.x + hot.width - 130),
    y: hot.y - layout.head - 14,
    next: stacked ? width : table.x - layout.labels,
  });
  title(model.labels.table, [model.vocab_size, model.d_model], {
    alpha: 1,
    left: table.x,
    y: table.y - 36,
    next: width,
  });
  title(model.labels.result, [model.n, model.d_model], {
    alpha: Math.max(0.45, seen.result),
    left: result.x,
    y: result.y - 36,
    next: width,
  });
  context.globalAlpha = 1;
}

export function drawTokens(context: Context, { model, layout, theme }: View) {
  context.fillStyle = theme.ink;
  context.textBaseline = "middle";
  context.textAlign = "right";
  const panels = layout.stacked ? [layout.hot, layout.result] : [layout.hot];
  panels.forEach((panel, index) => {
    const right = index === 0 ? layout.gutter : panel.x - 10;
    const room = right - layout.idWidth;
    model.tokens.forEach((token, row) => {
      const y = tokenY(panel, row) + TOKEN_ROW / 2;
      context.font = `${letters(15)} ${theme.font}`;
      context.fillText(String(model.ids[row]), right, y);
      context.font = `600 ${letters(17)} ${theme.font}`;
      context.fillText(fitText(context, token, room), room, y);
    });
  });
  if (layout.stacked) return;
  context.font = `${letters(15)} ${theme.font}`;
  context.fillText(model.labels.id, layout.gutter, layout.hot.y - 12);
}

/** Which rows of E the places stand for, above them; upright where they are too wide. */
export function drawPlaceIds(context: Context, { model, layout, theme }: View, alpha: number) {
  context.globalAlpha = alpha;
  context.fillStyle = theme.ink;
  context.font = `${letters(14)} ${theme.font}`;
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

/**
 * E with the ids of its rows.
 * @param left how much of a row is not faded
 */
export function drawTable(context: Context, view: View, left: (index: number) => number) {
  const { model, layout, theme } = view;
  const { table, labels } = layout;
  model.rows.forEach((id, index) => {
    const y = tableY(layout, index);
    const middle = y + TABLE_ROW / 2;
    context.fillStyle = theme.ink;
    context.textBaseline = "middle";
    context.font = `${letters(15)} ${theme.font}`;
    context.textAlign = "right";
    const right = table.x - FACTOR - 8;
    context.fillText(String(id), right, middle);
    const room = labels - FACTOR - 10 - layout.idWidth;
    if (model.row_names[index] && room > 12)
      context.fillText(fitText(context, model.row_names[index], room), right - layout.idWidth, middle);
    context.globalAlpha = left(index);
    paintRow(context, view, model.table, index, { x: table.x, y, height: TABLE_ROW });
    context.globalAlpha = 1;
  });
  context.fillStyle = theme.ink;
  context.font = `${letters(14)} ${theme.font}`;
  context.textAlign = "left";
  for (const hole of layout.lines.holes) {
    const text = fillLabel(model.labels.gap, { count: countText(hole.left) });
    context.fillText(text, table.x + 2, table.y + hole.at + GAP_ROW / 2, table.width);
  }
}

export function drawDimensions(context: Context, { model, layout, theme }: View, panel: Box, alpha: number) {
  context.globalAlpha = alpha;
  context.fillStyle = theme.ink;
  context.font = `${letters(14)} ${theme.font}`;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (let column = 0; column < layout.shown; column += 1) {
    context.fillText(String(layout.first + column), panel.x + (column + 1) * layout.cell - CELL_GAP - 5, panel.y - 11);
  }
  if (panel === layout.table || layout.stacked)
    context.fillText(model.labels.dimension, panel.x - 8, panel.y - 11, layout.labels - 8);
  context.globalAlpha = 1;
}

/** @param times how much of its sign is there */
export function drawSigns(context: Context, { layout, theme }: View, times: number, equals: number) {
  if (layout.stacked) return;
  const { hot, result, sign } = layout;
  context.fillStyle = theme.ink;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = `700 26px ${theme.font}`;
  const y = hot.y + hot.height / 2;
  context.globalAlpha = times;
  context.fillText("×", hot.x + hot.width + sign / 2, y);
  context.globalAlpha = equals;
  context.fillText("=", result.x - sign / 2 - 1, y);
  context.globalAlpha = 1;
}

/** Places that will be filled. */
export function drawEmpty(context: Context, { theme }: View, panel: Box, alpha: number) {
  context.globalAlpha = 0.8 * alpha;
  context.strokeStyle = theme.line;
  context.lineWidth = 1.5;
  context.setLineDash([6, 6]);
  context.strokeRect(panel.x, panel.y, panel.width - CELL_GAP, panel.height - CELL_GAP);
  context.setLineDash([]);
  context.globalAlpha = 1;
}

export function outline(
  context: Context,
  { theme }: View,
  { x, y, width, height }: Box,
  colour: string,
  thickness = 2.5,
) {
  ring(context, { x: x - 1, y: y - 1, width, height }, { ground: theme.ground, colour, thickness });
}

/** The token's one-hot row, its row of E and its result: one outline each. */
export function lightToken(
  context: Context,
  view: View,
  row: number,
  { colour, thickness }: { colour: string; thickness?: number },
  seen: Seen,
) {
  const { model, layout } = view;
  const { hot, table, result } = layout;
  const y = tableY(layout, model.drawnAt[row]);
  outline(context, view, { ...table, y, height: TABLE_ROW }, colour, thickness);
  if (seen.hot > 0.9) outline(context, view, { ...hot, y: tokenY(hot, row), height: TOKEN_ROW }, colour, thickness);
  if (seen.result > 0.9)
    outline(context, view, { ...result, y: tokenY(result, row), height: TOKEN_ROW }, colour, thickness);
}

export function drawMarks(context: Context, view: View, seen: Seen) {
  const { theme, marks } = view;
  if (marks.chosen !== null) lightToken(context, view, marks.chosen, chosenRing(theme), seen);
  if (marks.hovered !== null && marks.hovered !== marks.chosen)
    lightToken(context, view, marks.hovered, { colour: theme.accent }, seen);
  if (marks.cell) {
    for (const box of cellBoxes(view, marks.cell, seen)) outline(context, view, box, theme.accent, 3);
  }
}

/** What is outlined for a cell: a number of the results has its own number of E beside it. */
export function cellBoxes({ model, layout }: Pick<View, "model" | "layout">, cell: Place, seen: Seen): Box[] {
  const { hot, table, result, first, shown, cell: width } = layout;
  if (cell.part === "hot") {
    if (cell.index === null || seen.hot <= 0.9) return [];
    return [{ x: placeX(layout, cell.index), y: tokenY(hot, cell.row), width: layout.place, height: TOKEN_ROW }];
  }
  if (cell.column === null || cell.column < first || cell.column >= first + shown) return [];
  const right = (cell.column - first) * width;
  const index = cell.part === "table" ? cell.index : model.drawnAt[cell.row];
  const boxes = [{ x: table.x + right, y: tableY(layout, index), width, height: TABLE_ROW }];
  if (cell.part === "result" && seen.result > 0.9)
    boxes.push({ x: result.x + right, y: tokenY(result, cell.row), width, height: TOKEN_ROW });
  return boxes;
}

/** A check mark behind a row that came out equal, a cross behind one that did not. */
export function drawTick(context: Context, { model, layout, theme }: View, row: number, share: number) {
  const [x, y] = [layout.result.x + layout.result.width + 13, tokenY(layout.result, row) + TOKEN_ROW / 2];
  context.strokeStyle = theme.ink;
  context.lineWidth = 3;
  context.globalAlpha = share;
  context.beginPath();
  if (model.equalRows[row] === model.k) {
    context.moveTo(x - 7, y);
    context.lineTo(x - 2, y + 6);
    context.lineTo(x + 8, y - 7);
  } else
    for (const sign of [-1, 1]) {
      context.moveTo(x - 6, y - 6 * sign);
      context.lineTo(x + 6, y + 6 * sign);
    }
  context.stroke();
  context.globalAlpha = 1;
}
