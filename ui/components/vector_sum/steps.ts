// The picture at any moment of the five steps: time 0 tokens, 1 rows, 2 positions, 3 plus signs, 4 sum. What is added is
// there from the start, pale; of what comes of it, only the place.

import { between, clamp01, clipped, ease, staggered } from "../_shared/canvas.ts";
import {
  drawAxis,
  drawLabels,
  drawMarks,
  drawRow,
  drawRowSigns,
  drawTitles,
  eachVisibleRow,
  type Seen,
  type View,
} from "./draw.ts";
import { rowTop } from "./layout.ts";

export const STEP_COUNT = 5;
const PALE = 0.4; // of the full colour

/** Each row in sight starts a little after the one above; all have arrived when progress is 1. */
function rowShare(
  { firstRow, lastRow }: { firstRow: number; lastRow: number },
  row: number,
  progress: number,
  spread = 0.4,
) {
  return ease(staggered(row - firstRow, lastRow - firstRow + 1, progress, spread));
}

export function seenAt(time: number): Seen {
  return {
    maps: [clamp01(time), clamp01(time - 1), clamp01((4 * (time - 3.25)) / 3)],
    plus: clamp01(time - 2),
    equals: clamp01((time - 3) * 2),
  };
}

export function drawMoment(context: CanvasRenderingContext2D, view: View) {
  const { layout, time } = view;
  const seen = seenAt(time);
  context.clearRect(0, 0, layout.width, layout.height);
  for (const index of [0, 1]) drawMap(context, view, index, seen.maps[index] === 1 ? 1 : PALE);
  if (seen.maps[2] === 1) drawMap(context, view, 2, 1);
  else drawPlace(context, view, 2);
  if (time > 0 && time < 1) drawUnfolding(context, view);
  else if (time > 1 && time < 2) drawSliding(context, view, time - 1);
  else if (time > 3 && time < 4) drawMerging(context, view, time - 3);
  if (time < 1) drawIds(context, view, 1 - time);
  drawTitles(context, view, seen);
  drawRowSigns(context, view, 1, (row) => between(PALE, 1, rowShare(layout, row, seen.plus)));
  drawRowSigns(context, view, 2, (row) => between(PALE, 1, rowShare(layout, row, seen.equals)));
  drawLabels(context, view);
  drawAxis(context, view);
  drawMarks(context, view);
}

function drawMap(context: CanvasRenderingContext2D, { layout, theme, sheets }: View, index: number, alpha: number) {
  const panel = layout.panels[index];
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.strokeRect(panel.x - 1.5, panel.y - 1.5, panel.width + 3, panel.height + 2);
  context.globalAlpha = alpha;
  clipped(context, panel, () =>
    eachVisibleRow(layout, (row) => drawRow(context, sheets[index], layout, row, panel.x, rowTop(layout, panel, row))),
  );
  context.globalAlpha = 1;
}

/** Where a map will be. */
function drawPlace(context: CanvasRenderingContext2D, { layout, theme }: View, index: number) {
  const panel = layout.panels[index];
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.setLineDash([5, 4]);
  context.strokeRect(panel.x - 1.5, panel.y - 1.5, panel.width + 3, panel.height + 2);
  context.setLineDash([]);
}

/** Each token unfolds into its row. */
function drawUnfolding(context: CanvasRenderingContext2D, { layout, sheets, time }: View) {
  const panel = layout.panels[0];
  clipped(context, panel, () =>
    eachVisibleRow(layout, (row) =>
      drawRow(context, sheets[0], layout, row, panel.x, rowTop(layout, panel, row), rowShare(layout, row, time)),
    ),
  );
}

/** The ids of the tokens, where their rows will be. */
function drawIds(context: CanvasRenderingContext2D, { model, layout, theme }: View, alpha: number) {
  const panel = layout.panels[0];
  context.globalAlpha = alpha;
  context.font = `600 16px ${theme.font}`;
  context.textBaseline = "middle";
  context.textAlign = "center";
  clipped(context, panel, () =>
    eachVisibleRow(layout, (row) => {
      const cell = layout.numbers ? layout.cellWidth - 6 : 0; // whose number would look out from behind the id
      const width = Math.max(context.measureText(model.ids[row]).width + 16, cell);
      const middle = rowTop(layout, panel, row) + layout.rowHeight / 2;
      context.fillStyle = theme.ground;
      context.beginPath();
      context.roundRect(panel.x + 3, middle - 11, width, 20, 5);
      context.fill();
      context.fillStyle = theme.ink;
      context.fillText(model.ids[row], panel.x + 3 + width / 2, middle);
    }),
  );
  context.globalAlpha = 1;
}

function drawSliding(context: CanvasRenderingContext2D, { layout, sheets }: View, progress: number) {
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

/** Copies of the token row and the position row meet in the third map and turn into their sum. */
function drawMerging(context: CanvasRenderingContext2D, { layout, sheets }: View, progress: number) {
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
