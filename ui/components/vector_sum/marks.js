// What is pointed at and what is chosen: the same row, the same cell, in each of the three maps.

import { sumParts } from "../_shared/exact_sum.js";
import { clipped, eachVisibleRow, ROW_GAP } from "./draw.js";
import { rowTop } from "./layout.js";

// Lights rows and, where there is one, the cell pointed at, in each map that is on the screen by now.
export function drawMarks(context, model, layout, theme, { hoveredRow, chosenRow, cell }, seen) {
  layout.panels.forEach((panel, index) => {
    if (seen[index] < 1) return;
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
        outlineRow(context, layout, panel, chosenRow, theme, theme.ink);
      }
      if (hoveredRow !== null && !(cell && hoveredRow === chosenRow))
        outlineRow(context, layout, panel, hoveredRow, theme, theme.accent);
      if (cell) outlineCell(context, layout, panel, cell, theme);
    });
  });
  if (cell)
    layout.panels.forEach(
      (panel, index) => seen[index] >= 1 && drawBadge(context, model, layout, panel, index, cell, theme),
    );
}

function outlineRow(context, layout, panel, row, theme, colour) {
  ring(context, panel.x - 1, rowTop(layout, panel, row) - 1, panel.width + 2, layout.rowHeight, theme, colour, 2.5);
}

function outlineCell(context, layout, panel, cell, theme) {
  const x = panel.x + (cell.column - layout.first) * layout.cellWidth;
  const grow = layout.cellWidth < 14 ? 2 : 0;
  ring(
    context,
    x - grow,
    rowTop(layout, panel, cell.row) - grow,
    layout.cellWidth + 2 * grow,
    layout.rowHeight - ROW_GAP + 2 * grow,
    theme,
    theme.ink,
    2.5,
  );
}

// An outline with a rim of the page's ground, so that it shows on any colour.
function ring(context, x, y, width, height, theme, colour, thickness) {
  context.strokeStyle = theme.ground;
  context.lineWidth = thickness + 3;
  context.strokeRect(x, y, width, height);
  context.strokeStyle = colour;
  context.lineWidth = thickness;
  context.strokeRect(x, y, width, height);
}

// The cell's number, beside the cell: with its sign, so that the three badges read as the sum.
function drawBadge(context, model, layout, panel, index, cell, theme) {
  const y = rowTop(layout, panel, cell.row);
  if (y + layout.rowHeight <= panel.y || y >= panel.y + panel.height) return;
  const at = cell.row * layout.dModel + cell.column;
  const { terms, sign } = sumParts(model.maps[0].values[at], model.maps[1].values[at], model.decimals);
  const text = `${["", "+ ", `${sign} `][index]}${index === 1 && terms[1].startsWith("−") ? `(${terms[1]})` : terms[index]}`;
  context.font = `700 18px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const width = context.measureText(text).width + 18;
  const middle = panel.x + (cell.column - layout.first + 0.5) * layout.cellWidth;
  const x = Math.max(0, Math.min(layout.width - width, middle - width / 2));
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
