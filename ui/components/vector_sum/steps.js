// The picture at any moment of the five steps: time 0 tokens, 1 rows, 2 positions, 3 plus signs, 4 sum.

import { fitText } from "../_shared/text.js";
import { clipped, drawAxis, drawLabels, drawRow, drawRowSigns, drawTitles, eachVisibleRow } from "./draw.js";
import { rowTop } from "./layout.js";
import { drawMarks } from "./marks.js";

export const STEP_COUNT = 5;
const clamp01 = (x) => Math.max(0, Math.min(1, x));
const ease = (x) => (x < 0.5 ? 4 * x ** 3 : 1 - (-2 * x + 2) ** 3 / 2);
const between = (a, b, share) => a + (b - a) * share;

// Each row in sight starts a little after the one above; all have arrived when progress is 1.
function rowShare(layout, row, progress, spread = 0.4) {
  const count = Math.max(1, layout.lastRow - layout.firstRow);
  const start = (spread * (row - layout.firstRow)) / count;
  return ease(clamp01((progress - start) / (1 - spread)));
}

// {0, 1, 2: how much of each map is there, plus, equals}
function seenAt(time) {
  return {
    0: clamp01((time - 0.4) / 0.6),
    1: clamp01(time - 1),
    2: clamp01((4 * (time - 3.25)) / 3),
    plus: clamp01(time - 2),
    equals: clamp01((time - 3) * 2),
  };
}

// view: {model, layout, theme, sheets, time, marks}
export function drawMoment(context, view) {
  const { model, layout, theme, sheets, time } = view;
  const seen = seenAt(time);
  context.clearRect(0, 0, layout.width, layout.height);
  drawEmptyMaps(context, layout, theme, time);
  if (time < 1) drawUnfolding(context, view, time);
  else drawMap(context, layout, theme, sheets[0], 0);
  if (time >= 2) drawMap(context, layout, theme, sheets[1], 1);
  else if (time > 1) drawSliding(context, layout, sheets[1], time - 1);
  if (time >= 4) drawMap(context, layout, theme, sheets[2], 2);
  else if (time > 3) drawMerging(context, layout, sheets, time - 3);
  drawTitles(context, model, layout, theme, seen);
  drawRowSigns(
    context,
    layout,
    theme,
    (row) => rowShare(layout, row, clamp01(time - 2)),
    (row) => rowShare(layout, row, seen.equals),
  );
  if (time >= 1) drawLabels(context, model, layout, theme, { 0: 1, 1: seen[1], 2: seen[2] });
  drawAxis(context, model, layout, theme, seen);
  drawMarks(context, model, layout, theme, view.marks, seen);
}

// The places that will be filled, so that the eye knows where things go.
function drawEmptyMaps(context, layout, theme, time) {
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

function drawMap(context, layout, theme, sheet, index) {
  const panel = layout.panels[index];
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.strokeRect(panel.x - 1.5, panel.y - 1.5, panel.width + 3, panel.height + 2);
  clipped(context, panel, () =>
    eachVisibleRow(layout, (row) => drawRow(context, sheet, layout, row, panel.x, rowTop(layout, panel, row))),
  );
}

// The tokens leave the sentence for their places, then each unfolds into its row.
function drawUnfolding(context, view, progress) {
  const { model, layout, theme, sheets, marks } = view;
  const panel = layout.panels[0];
  clipped(context, panel, () =>
    eachVisibleRow(layout, (row) => {
      const share = rowShare(layout, row, clamp01((progress - 0.4) / 0.6));
      drawRow(context, sheets[0], layout, row, panel.x, rowTop(layout, panel, row), share);
    }),
  );
  const move = ease(clamp01(progress / 0.5));
  view.sentence.forEach((box, row) => {
    const y = rowTop(layout, panel, row);
    const inSight = row >= layout.firstRow && row <= layout.lastRow;
    const at = {
      x: between(box.x, layout.gutter - box.width, move),
      y: between(box.y, y - (box.height - layout.rowHeight) / 2, move),
    };
    context.globalAlpha = inSight ? 1 : 1 - move;
    const size = between(18 * box.scale, layout.rowHeight >= 24 ? 18 : 16, move);
    const lit = row === marks.hoveredRow || row === marks.chosenRow;
    drawChip(context, [model.tokens[row], model.ids[row]], at, box, size, theme, {
      lit,
      frame: 1 - move,
      rightAligned: move,
    });
  });
  context.globalAlpha = 1;
}

function drawChip(context, [text, id], at, box, size, theme, { lit, frame, rightAligned }) {
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * frame;
  context.fillStyle = theme.panel;
  context.strokeStyle = lit ? theme.accent : theme.line;
  context.lineWidth = lit ? 4 : 1.5;
  context.beginPath();
  context.roundRect(at.x, at.y, box.width, box.height, 8);
  context.fill();
  context.stroke();
  context.fillStyle = theme.ink;
  context.textBaseline = "middle";
  context.textAlign = "center";
  context.font = `${15 * box.scale}px ${theme.font}`;
  context.fillText(id, at.x + box.width / 2, at.y + box.height * 0.75, box.width - 8);
  context.globalAlpha = alpha;
  context.font = `600 ${size}px ${theme.font}`;
  context.textAlign = "right";
  const shownText = fitText(context, text, box.width - 6);
  const inset = (box.width - context.measureText(shownText).width) / 2;
  context.fillText(
    shownText,
    at.x + box.width - inset * (1 - rightAligned),
    at.y + box.height * between(0.5, 0.34, frame),
  );
}

function drawSliding(context, layout, sheet, progress) {
  const panel = layout.panels[1];
  const away = layout.stacked ? panel.width : layout.width - panel.x;
  clipped(context, { x: panel.x, y: panel.y, width: layout.width - panel.x, height: panel.height }, () =>
    eachVisibleRow(layout, (row) => {
      const share = rowShare(layout, row, progress);
      context.globalAlpha = share;
      drawRow(context, sheet, layout, row, panel.x + (1 - share) * away, rowTop(layout, panel, row));
    }),
  );
}

// Copies of the token row and the position row meet in the third map and turn into their sum.
function drawMerging(context, layout, sheets, progress) {
  const target = layout.panels[2];
  eachVisibleRow(layout, (row) => {
    const share = rowShare(layout, row, progress, 0.35);
    const [move, blend] = [ease(clamp01(share / 0.7)), clamp01((share - 0.6) / 0.4)];
    const to = rowTop(layout, target, row);
    [0, 1].forEach((index) => {
      if (share <= 0 || blend >= 1) return;
      const panel = layout.panels[index];
      const y = between(rowTop(layout, panel, row), to, move);
      const edge = between(panel.y, target.y, move);
      clipped(context, { x: 0, y: edge, width: layout.width, height: layout.mapHeight }, () => {
        context.globalAlpha = (index === 0 ? 1 : 0.55) * (1 - blend);
        drawRow(context, sheets[index], layout, row, between(panel.x, target.x, move), y);
      });
    });
    if (blend <= 0) return;
    clipped(context, target, () => {
      context.globalAlpha = blend;
      drawRow(context, sheets[2], layout, row, target.x, to);
    });
  });
}
