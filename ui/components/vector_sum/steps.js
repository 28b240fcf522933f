// The picture at any moment of the five steps: time 0 tokens, 1 rows, 2 positions, 3 plus signs, 4 sum.

import { between, clamp01, clipped, ease, staggered } from "../_shared/canvas.js";
import { fitText } from "../_shared/text.js";
import {
  drawAxis,
  drawLabels,
  drawMarks,
  drawRow,
  drawRowSigns,
  drawTitles,
  eachVisibleRow,
  labelSize,
} from "./draw.js";
import { rowTop } from "./layout.js";

/** @typedef {import("./draw.js").View} View */

export const STEP_COUNT = 5;

/**
 * Each row in sight starts a little after the one above; all have arrived when progress is 1.
 * @param {{ firstRow: number, lastRow: number }} layout
 * @param {number} row
 * @param {number} progress
 */
function rowShare({ firstRow, lastRow }, row, progress, spread = 0.4) {
  return ease(staggered(row - firstRow, lastRow - firstRow + 1, progress, spread));
}

/**
 * @param {number} time
 * @returns {import("./draw.js").Seen}
 */
export function seenAt(time) {
  return {
    maps: [clamp01((time - 0.4) / 0.6), clamp01(time - 1), clamp01((4 * (time - 3.25)) / 3)],
    plus: clamp01(time - 2),
    equals: clamp01((time - 3) * 2),
  };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {View} view
 */
export function drawMoment(context, view) {
  const { layout, time } = view;
  const seen = seenAt(time);
  context.clearRect(0, 0, layout.width, layout.height);
  drawEmptyMaps(context, view);
  if (time < 1) drawUnfolding(context, view);
  else drawMap(context, view, 0);
  if (time >= 2) drawMap(context, view, 1);
  else if (time > 1) drawSliding(context, view, time - 1);
  if (time >= 4) drawMap(context, view, 2);
  else if (time > 3) drawMerging(context, view, time - 3);
  drawTitles(context, view, seen);
  drawRowSigns(context, view, 1, (row) => rowShare(layout, row, seen.plus));
  drawRowSigns(context, view, 2, (row) => rowShare(layout, row, seen.equals));
  if (time >= 1) drawLabels(context, view, [1, seen.maps[1], seen.maps[2]]);
  drawAxis(context, view, seen);
  drawMarks(context, view, seen);
}

/**
 * The places that will be filled, so that the eye knows where things go.
 * @param {CanvasRenderingContext2D} context
 * @param {View} view
 */
function drawEmptyMaps(context, { layout, theme, time }) {
  context.globalAlpha = 0.7 * clamp01(time * 2);
  context.strokeStyle = theme.line;
  context.lineWidth = 1.5;
  context.setLineDash([6, 6]);
  layout.panels.forEach((panel, index) => {
    if (time < [1, 2, 4][index]) context.strokeRect(panel.x + 1, panel.y + 1, panel.width - 2, panel.height - 2);
  });
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {View} view
 * @param {number} index
 */
function drawMap(context, { layout, theme, sheets }, index) {
  const panel = layout.panels[index];
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.strokeRect(panel.x - 1.5, panel.y - 1.5, panel.width + 3, panel.height + 2);
  clipped(context, panel, () =>
    eachVisibleRow(layout, (row) => drawRow(context, sheets[index], layout, row, panel.x, rowTop(layout, panel, row))),
  );
}

/**
 * The tokens leave the sentence for their places, then each unfolds into its row.
 * @param {CanvasRenderingContext2D} context
 * @param {View} view
 */
function drawUnfolding(context, view) {
  const { layout, sheets, time } = view;
  const panel = layout.panels[0];
  clipped(context, panel, () =>
    eachVisibleRow(layout, (row) => {
      const share = rowShare(layout, row, clamp01((time - 0.4) / 0.6));
      drawRow(context, sheets[0], layout, row, panel.x, rowTop(layout, panel, row), share);
    }),
  );
  const move = ease(clamp01(time / 0.5));
  view.sentence.forEach((_, row) => drawChip(context, view, row, move));
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {View} view
 * @param {number} row
 * @param {number} move 0 in the sentence, 1 at its row
 */
function drawChip(context, { model, layout, theme, sentence, marks }, row, move) {
  const box = sentence[row];
  const lit = row === marks.hoveredRow || row === marks.chosenRow;
  const x = between(box.x, layout.gutter - box.width, move);
  const y = between(box.y, rowTop(layout, layout.panels[0], row) - (box.height - layout.rowHeight) / 2, move);
  const alpha = row >= layout.firstRow && row <= layout.lastRow ? 1 : 1 - move;
  context.globalAlpha = alpha * (1 - move);
  context.fillStyle = theme.panel;
  context.strokeStyle = lit ? theme.accent : theme.line;
  context.lineWidth = lit ? 4 : 1.5;
  context.beginPath();
  context.roundRect(x, y, box.width, box.height, 8);
  context.fill();
  context.stroke();
  context.fillStyle = theme.ink;
  context.textBaseline = "middle";
  context.textAlign = "center";
  context.font = `${15 * box.scale}px ${theme.font}`;
  context.fillText(model.ids[row], x + box.width / 2, y + box.height * 0.75, box.width - 8);
  context.globalAlpha = alpha;
  context.font = `600 ${between(18 * box.scale, labelSize(layout), move)}px ${theme.font}`;
  context.textAlign = "right";
  const text = fitText(context, model.tokens[row], box.width - 6);
  const inset = (box.width - context.measureText(text).width) / 2;
  context.fillText(text, x + box.width - inset * (1 - move), y + box.height * between(0.34, 0.5, move));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {View} view
 * @param {number} progress
 */
function drawSliding(context, { layout, sheets }, progress) {
  const panel = layout.panels[1];
  const away = layout.stacked ? panel.width : layout.width - panel.x;
  clipped(context, { ...panel, width: layout.width - panel.x }, () =>
    eachVisibleRow(layout, (row) => {
      const share = rowShare(layout, row, progress);
      context.globalAlpha = share;
      drawRow(context, sheets[1], layout, row, panel.x + (1 - share) * away, rowTop(layout, panel, row));
    }),
  );
}

/**
 * Copies of the token row and the position row meet in the third map and turn into their sum.
 * @param {CanvasRenderingContext2D} context
 * @param {View} view
 * @param {number} progress
 */
function drawMerging(context, { layout, sheets }, progress) {
  const target = layout.panels[2];
  eachVisibleRow(layout, (row) => {
    const share = rowShare(layout, row, progress, 0.35);
    const [move, blend] = [ease(clamp01(share / 0.7)), clamp01((share - 0.6) / 0.4)];
    const to = rowTop(layout, target, row);
    for (const index of [0, 1]) {
      if (share <= 0 || blend >= 1) continue;
      const panel = layout.panels[index];
      const y = between(rowTop(layout, panel, row), to, move);
      const edge = between(panel.y, target.y, move);
      clipped(context, { x: 0, y: edge, width: layout.width, height: layout.mapHeight }, () => {
        context.globalAlpha = (index === 0 ? 1 : 0.55) * (1 - blend);
        drawRow(context, sheets[index], layout, row, between(panel.x, target.x, move), y);
      });
    }
    if (blend <= 0) return;
    clipped(context, target, () => {
      context.globalAlpha = blend;
      drawRow(context, sheets[2], layout, row, target.x, to);
    });
  });
}
