// The finished picture: three heatmaps on sheets painted once per window, their titles, labels, signs and axis, and what
// is pointed at and chosen.

import { type Box, chosenRing, clamp, clipped, ring } from "../_shared/canvas.ts";
import type { Theme } from "../_shared/colour.ts";
import { fitCanvas } from "../_shared/elements.ts";
import { atPoint } from "../_shared/numbers.ts";
import { fitText } from "../_shared/text.ts";
import { axisTicks, type Cell, columnLeft, type Layout, rowTop } from "./layout.ts";
import { afterSign, cellTerms, isMasked, type Model } from "./model.ts";

/** How much of each map and sign is there, 0..1. */
export type Seen = { maps: number[]; plus: number; equals: number };
type Marks = { hoveredRow: number | null; chosenRow: number | null; cell: Cell | null };
/** What is drawn. */
export interface View {
  model: Model;
  layout: Layout;
  theme: Theme;
  sheets: HTMLCanvasElement[];
  marks: Marks;
  time: number;
}

const ROW_GAP = 2;

/** One picture per map of the columns in the window: n_rows high, ready to be copied row by row. */
export function paintSheets(view: Pick<View, "model" | "layout" | "theme">) {
  const { model, layout } = view;
  const { mapWidth, rowHeight, nRows, cellWidth, first, shown } = layout;
  return model.maps.map((map, index) => {
    const sheet = document.createElement("canvas");
    const context = fitCanvas(sheet, mapWidth, nRows * rowHeight);
    context.imageSmoothingEnabled = false;
    context.drawImage(map.picture, first, 0, shown, nRows, 0, 0, mapWidth, nRows * rowHeight);
    if (layout.numbers) paintNumbers(context, view, index);
    else if (index === 1 && !model.adds) paintZeros(context, view);
    if (cellWidth >= 12)
      for (let column = 1; column < shown; column += 1)
        context.clearRect(column * cellWidth - 0.5, 0, 1, nRows * rowHeight);
    for (let row = 0; row < nRows; row += 1) context.clearRect(0, (row + 1) * rowHeight - ROW_GAP, mapWidth, ROW_GAP);
    return sheet;
  });
}

/** @param index of the map */
function paintNumbers(
  context: CanvasRenderingContext2D,
  { model, layout, theme }: Pick<View, "model" | "layout" | "theme">,
  index: number,
) {
  const { rowHeight, cellWidth, first, shown, nRows, dModel } = layout;
  context.font = `${rowHeight >= 30 ? 17 : 15}px ${theme.font}`;
  context.textBaseline = "middle";
  for (let row = 0; row < nRows; row += 1) {
    for (let column = first; column < first + shown; column += 1) {
      const map = model.maps[index];
      if (isMasked(model, { row, column })) continue;
      context.fillStyle = map.scale.ink(map.values[row * dModel + column]);
      const text = cellTerms(model, { row, column }).terms[index];
      const middle = { x: (column - first + 0.5) * cellWidth, y: (row + 0.5) * rowHeight - ROW_GAP / 2 + 1 };
      paintNumber(context, text, model.decimals, middle, cellWidth - 6);
    }
  }
}

/** Rows of nothing but zeros have the colour of the page: say what they are. */
function paintZeros(
  context: CanvasRenderingContext2D,
  { layout: { nRows, rowHeight, mapWidth, shown }, theme }: Pick<View, "layout" | "theme">,
) {
  context.font = `16px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = theme.ink;
  const count = clamp(Math.floor(mapWidth / 60), 1, shown);
  for (let row = 0; row < nRows; row += 1) {
    for (let i = 0; i < count; i += 1) context.fillText("0", ((i + 0.5) * mapWidth) / count, (row + 0.5) * rowHeight);
  }
}

/** The decimal points of a column stand under each other, though some sums need more digits to add up. */
function paintNumber(
  context: CanvasRenderingContext2D,
  text: string,
  decimals: number,
  { x, y }: { x: number; y: number },
  room: number,
) {
  const [whole, fraction] = atPoint(text);
  const point = x - context.measureText("0".repeat(decimals)).width / 2;
  const right = point + context.measureText(fraction).width;
  const fits = right <= x + room / 2 && point - context.measureText(whole).width >= x - room / 2;
  context.textAlign = fits ? "right" : "center";
  if (!fits) return context.fillText(text, x, y, room);
  context.fillText(whole, point, y);
  context.textAlign = "left";
  context.fillText(fraction, point, y);
}

/** Copies one row of a sheet to (x, y), its left `share` only. */
export function drawRow(
  context: CanvasRenderingContext2D,
  sheet: HTMLCanvasElement,
  { mapWidth, rowHeight, nRows }: Layout,
  row: number,
  x: number,
  y: number,
  share = 1,
) {
  const width = mapWidth * share;
  if (width < 0.5) return;
  const tall = sheet.height / nRows;
  context.drawImage(sheet, 0, row * tall, sheet.width * share, tall, x, y, width, rowHeight);
}

export function eachVisibleRow(
  { firstRow, lastRow }: Pick<Layout, "firstRow" | "lastRow">,
  draw: (row: number) => void,
) {
  for (let row = firstRow; row <= lastRow; row += 1) draw(row);
}

export function drawTitles(context: CanvasRenderingContext2D, { model, layout, theme }: View, seen: Seen) {
  const { token_rows, position_rows, input_rows } = model.labels;
  const titles = [token_rows, position_rows, input_rows];
  context.fillStyle = theme.ink;
  context.textBaseline = "middle";
  layout.panels.forEach((panel, index) => {
    context.textAlign = "left";
    context.font = `600 18px ${theme.font}`;
    context.fillText(titles[index], panel.x, panel.y - 15, panel.width);
    if (index === 0 || !layout.stacked) return; // side by side each row has its own sign
    context.globalAlpha = 0.3 + 0.7 * (index === 1 ? seen.plus : seen.equals);
    drawSign(context, theme, model.signs[index - 1], panel.x - 16, panel.y - 15, 28);
    context.globalAlpha = 1;
  });
}

function drawSign(context: CanvasRenderingContext2D, theme: Theme, sign: string, x: number, y: number, size: number) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = theme.ink;
  context.font = `700 ${size}px ${theme.font}`;
  context.fillText(sign, x, y);
}

/**
 * A plus between the two rows or an equals sign before their sum, row by row.
 * @param index of the map that it stands before
 * @param share makes it appear
 */
export function drawRowSigns(
  context: CanvasRenderingContext2D,
  { model, layout, theme }: View,
  index: 1 | 2,
  share: (row: number) => number,
) {
  if (layout.stacked) return;
  const size = Math.min(24, layout.rowHeight * 0.8);
  const panel = layout.panels[index];
  clipped(context, { ...panel, x: 0, width: layout.width }, () => {
    eachVisibleRow(layout, (row) => {
      const grown = share(row);
      context.globalAlpha = grown;
      const y = rowTop(layout, panel, row) + layout.rowHeight / 2 - 1;
      drawSign(context, theme, model.signs[index - 1], panel.x - layout.between / 2, y, size);
    });
  });
  context.globalAlpha = 1;
}

export function drawLabels(context: CanvasRenderingContext2D, { model, layout, theme }: View) {
  const panels = layout.stacked ? layout.panels : layout.panels.slice(0, 1);
  context.textBaseline = "middle";
  context.fillStyle = theme.ink;
  for (const panel of panels) {
    clipped(context, { ...panel, x: 0, width: layout.width }, () => {
      eachVisibleRow(layout, (row) => {
        const y = rowTop(layout, panel, row) + layout.rowHeight / 2;
        context.font = `15px ${theme.font}`;
        context.textAlign = "left";
        const number = String(model.firstPosition + row);
        if (!layout.stacked) context.fillText(number, 0, y);
        const taken = layout.stacked ? 0 : context.measureText(number).width + 8;
        context.font = `600 ${layout.rowHeight >= 24 ? 18 : 16}px ${theme.font}`;
        context.textAlign = "right";
        context.fillText(fitText(context, model.tokens[row], layout.gutter - taken), layout.gutter, y);
      });
    });
  }
}

export function drawAxis(context: CanvasRenderingContext2D, { model, layout, theme }: View) {
  context.fillStyle = theme.ink;
  context.strokeStyle = theme.ink;
  context.lineWidth = 1;
  context.font = `15px ${theme.font}`;
  context.textBaseline = "top";
  layout.panels.forEach((panel, index) => {
    if (layout.stacked && index < 2) return;
    const bottom = panel.y + panel.height;
    context.textAlign = "center";
    for (const tick of axisTicks(layout)) {
      const x = columnLeft(layout, panel, tick + 0.5);
      context.beginPath();
      context.moveTo(x, bottom);
      context.lineTo(x, bottom + 5);
      context.stroke();
      context.fillText(String(model.causal ? model.firstPosition + tick : tick), x, bottom + 8);
    }
    if (index > 0 && !layout.stacked) return;
    context.textAlign = "right";
    context.fillText(model.labels.dimension, layout.gutter, bottom + 8, layout.gutter);
  });
}

/** Lights rows and, where there is one, the cell pointed at, in each map. */
export function drawMarks(context: CanvasRenderingContext2D, view: View) {
  const { model, layout, theme, marks } = view;
  const { hoveredRow, chosenRow, cell } = marks;
  const { panels } = layout;
  for (const panel of panels) {
    const box = { x: panel.x - 4, y: panel.y - 4, width: panel.width + 8, height: panel.height + 8 };
    clipped(context, box, () => {
      if (chosenRow !== null) {
        context.globalAlpha = 0.4;
        context.fillStyle = theme.ground;
        eachVisibleRow(layout, (row) => {
          if (row !== chosenRow && row !== hoveredRow)
            context.fillRect(panel.x, rowTop(layout, panel, row), panel.width, layout.rowHeight);
        });
        context.globalAlpha = 1;
        outlineRow(context, view, panel, chosenRow, chosenRing(theme));
      }
      if (hoveredRow !== null && !(cell && hoveredRow === chosenRow))
        outlineRow(context, view, panel, hoveredRow, { ground: theme.ground, colour: theme.accent });
      if (cell) outlineCell(context, view, panel, cell);
    });
  }
  if (cell && !isMasked(model, cell)) for (const index of panels.keys()) drawBadge(context, view, index, cell);
}

function outlineRow(
  context: CanvasRenderingContext2D,
  { layout }: View,
  panel: Box,
  row: number,
  looks: Parameters<typeof ring>[2],
) {
  const box = { x: panel.x - 1, y: rowTop(layout, panel, row) - 1, width: panel.width + 2, height: layout.rowHeight };
  ring(context, box, looks);
}

function outlineCell(context: CanvasRenderingContext2D, { layout, theme }: View, panel: Box, { row, column }: Cell) {
  const grow = layout.cellWidth < 14 ? 2 : 0;
  const box = {
    x: columnLeft(layout, panel, column) - grow,
    y: rowTop(layout, panel, row) - grow,
    width: layout.cellWidth + 2 * grow,
    height: layout.rowHeight - ROW_GAP + 2 * grow,
  };
  ring(context, box, { ground: theme.ground, colour: theme.ink });
}

/**
 * What a cell's badge says: its number, with its sign, so that the three badges read as the sum.
 * @param plus the sign before the second
 * @param index of the map
 */
export function badgeText({ terms, sign }: ReturnType<typeof cellTerms>, plus: string, index: number) {
  if (index === 0) return terms[0];
  return index === 2 ? `${sign} ${terms[2]}` : `${plus} ${afterSign(terms[1])}`;
}

/** @param index of the map */
function drawBadge(context: CanvasRenderingContext2D, { model, layout, theme }: View, index: number, cell: Cell) {
  const panel = layout.panels[index];
  const y = rowTop(layout, panel, cell.row);
  if (y + layout.rowHeight <= panel.y || y >= panel.y + panel.height) return;
  const text = badgeText(cellTerms(model, cell), model.signs[0], index);
  context.font = `700 18px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const width = context.measureText(text).width + 18;
  const middle = columnLeft(layout, panel, cell.column + 0.5);
  const x = clamp(middle - width / 2, 0, layout.width - width);
  const above = y - 36 >= 0 ? y - 36 : y + layout.rowHeight + 6;
  context.fillStyle = theme.ink;
  context.strokeStyle = theme.ground;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(x, above, width, 28, 6);
  context.fill();
  context.stroke();
  context.fillStyle = theme.ground;
  context.fillText(text, x + width / 2, above + 15);
}
