// The finished picture: three heatmaps on sheets painted once per window, their titles, labels, signs and axis.

import { fitCanvas } from "../_shared/elements.js";
import { sumParts } from "../_shared/exact_sum.js";
import { fitText } from "../_shared/text.js";
import { axisTicks, rowTop } from "./layout.js";

export const ROW_GAP = 2;

// One picture per map of the columns in the window: n_rows high, ready to be copied row by row.
export function paintSheets(model, layout, theme) {
  return model.maps.map((map, panel) => {
    const sheet = document.createElement("canvas");
    const context = fitCanvas(sheet, layout.mapWidth, layout.nRows * layout.rowHeight);
    context.imageSmoothingEnabled = false;
    const { mapWidth, rowHeight, nRows, cellWidth, first, shown } = layout;
    context.drawImage(map.picture, first, 0, shown, nRows, 0, 0, mapWidth, nRows * rowHeight);
    if (layout.numbers) paintNumbers(context, model, layout, panel, theme);
    else if (panel === 1 && !model.adds) paintZeros(context, layout, theme);
    if (cellWidth >= 12)
      for (let column = 1; column < shown; column += 1)
        context.clearRect(column * cellWidth - 0.5, 0, 1, nRows * rowHeight);
    for (let row = 0; row < nRows; row += 1) context.clearRect(0, (row + 1) * rowHeight - ROW_GAP, mapWidth, ROW_GAP);
    return sheet;
  });
}

function paintNumbers(context, model, layout, panel, theme) {
  const { rowHeight, cellWidth, first, shown } = layout;
  context.font = `${rowHeight >= 30 ? 17 : 15}px ${theme.font}`;
  context.textBaseline = "middle";
  for (let row = 0; row < layout.nRows; row += 1) {
    for (let column = first; column < first + shown; column += 1) {
      const at = row * layout.dModel + column;
      const text = sumParts(model.maps[0].values[at], model.maps[1].values[at], model.decimals).terms[panel];
      context.fillStyle = model.scale.ink(model.maps[panel].values[at]);
      paintNumber(
        context,
        text,
        model.decimals,
        (column - first + 0.5) * cellWidth,
        (row + 0.5) * rowHeight - ROW_GAP / 2 + 1,
        cellWidth - 6,
      );
    }
  }
}

// Rows of nothing but zeros have the colour of the page: say what they are.
function paintZeros(context, layout, theme) {
  context.font = `16px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = theme.ink;
  const count = Math.max(1, Math.min(layout.shown, Math.floor(layout.mapWidth / 60)));
  for (let row = 0; row < layout.nRows; row += 1) {
    for (let i = 0; i < count; i += 1)
      context.fillText("0", ((i + 0.5) * layout.mapWidth) / count, (row + 0.5) * layout.rowHeight);
  }
}

// The decimal points of a column stand under each other, though some sums need more digits to add up.
function paintNumber(context, text, decimals, x, y, room) {
  const [whole, fraction] = text.split(".");
  const point = x - context.measureText("0".repeat(decimals)).width / 2;
  const right = point + context.measureText(`.${fraction}`).width;
  const fits = right <= x + room / 2 && point - context.measureText(whole).width >= x - room / 2;
  context.textAlign = fits ? "right" : "center";
  if (!fits) return context.fillText(text, x, y, room);
  context.fillText(whole, point, y);
  context.textAlign = "left";
  context.fillText(`.${fraction}`, point, y);
}

// Copies one row of a sheet to (x, y), its left `share` only.
export function drawRow(context, sheet, layout, row, x, y, share = 1) {
  const ratioX = sheet.width / layout.mapWidth;
  const ratioY = sheet.height / (layout.nRows * layout.rowHeight);
  const width = layout.mapWidth * share;
  if (width < 0.5) return;
  context.drawImage(
    sheet,
    0,
    row * layout.rowHeight * ratioY,
    width * ratioX,
    layout.rowHeight * ratioY,
    x,
    y,
    width,
    layout.rowHeight,
  );
}

export function eachVisibleRow(layout, fn) {
  for (let row = layout.firstRow; row <= layout.lastRow; row += 1) fn(row);
}

export function clipped(context, box, draw) {
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  draw();
  context.restore();
}

export function drawTitles(context, model, layout, theme, seen) {
  const names = ["token_rows", "position_rows", "input_rows"];
  context.fillStyle = theme.ink;
  context.textBaseline = "middle";
  layout.panels.forEach((panel, index) => {
    context.globalAlpha = seen[index];
    context.textAlign = "left";
    context.font = `600 18px ${theme.font}`;
    context.fillText(model.labels[names[index]], panel.x, panel.y - 15, panel.width);
    if (index === 0 || !layout.stacked) return; // side by side each row has its own sign
    context.globalAlpha = index === 1 ? seen.plus : seen.equals;
    drawSign(context, theme, index === 1 ? "+" : "=", panel.x - 16, panel.y - 15, 28);
  });
  context.globalAlpha = 1;
}

function drawSign(context, theme, sign, x, y, size) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = theme.ink;
  context.font = `700 ${size}px ${theme.font}`;
  context.fillText(sign, x, y);
}

// A plus between the two rows and an equals sign before their sum, row by row; share(row) makes them appear.
export function drawRowSigns(context, layout, theme, plusShare, equalsShare) {
  if (layout.stacked) return;
  const size = Math.min(24, layout.rowHeight * 0.8);
  for (const [index, sign, share] of [
    [1, "+", plusShare],
    [2, "=", equalsShare],
  ]) {
    const panel = layout.panels[index];
    clipped(context, { x: 0, y: panel.y, width: layout.width, height: panel.height }, () => {
      eachVisibleRow(layout, (row) => {
        const grown = share(row);
        if (grown <= 0) return;
        context.globalAlpha = Math.min(1, grown);
        const y = rowTop(layout, panel, row) + layout.rowHeight / 2 - 1;
        drawSign(context, theme, sign, panel.x - layout.between / 2, y, size * grown);
      });
    });
  }
  context.globalAlpha = 1;
}

function labelFont(layout, theme) {
  return `600 ${layout.rowHeight >= 24 ? 18 : 16}px ${theme.font}`;
}

export function drawLabels(context, model, layout, theme, seen) {
  const panels = layout.stacked ? layout.panels : layout.panels.slice(0, 1);
  context.textBaseline = "middle";
  context.fillStyle = theme.ink;
  panels.forEach((panel, index) => {
    context.globalAlpha = seen[index];
    clipped(context, { x: 0, y: panel.y, width: layout.width, height: panel.height }, () => {
      eachVisibleRow(layout, (row) => {
        const y = rowTop(layout, panel, row) + layout.rowHeight / 2;
        context.font = `15px ${theme.font}`;
        context.textAlign = "left";
        const number = String(model.firstPosition + row);
        if (!layout.stacked) context.fillText(number, 0, y);
        const taken = layout.stacked ? 0 : context.measureText(number).width + 8;
        context.font = labelFont(layout, theme);
        context.textAlign = "right";
        context.fillText(fitText(context, model.tokens[row], layout.gutter - taken), layout.gutter, y);
      });
    });
  });
  context.globalAlpha = 1;
}

export function drawAxis(context, model, layout, theme, seen) {
  context.fillStyle = theme.ink;
  context.strokeStyle = theme.ink;
  context.lineWidth = 1;
  context.font = `15px ${theme.font}`;
  context.textBaseline = "top";
  layout.panels.forEach((panel, index) => {
    if (layout.stacked && index < 2) return;
    context.globalAlpha = seen[index];
    const bottom = panel.y + panel.height;
    context.textAlign = "center";
    for (const tick of axisTicks(layout)) {
      const x = panel.x + (tick - layout.first + 0.5) * layout.cellWidth;
      context.beginPath();
      context.moveTo(x, bottom);
      context.lineTo(x, bottom + 5);
      context.stroke();
      context.fillText(String(tick), x, bottom + 8);
    }
    if (index > 0 && !layout.stacked) return;
    context.textAlign = "right";
    context.fillText(model.labels.dimension, layout.gutter, bottom + 8, layout.gutter);
  });
  context.globalAlpha = 1;
}
