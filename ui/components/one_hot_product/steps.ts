// The picture at any moment: time 0 ids, 1 rows picked, 2 one-hot rows, 3 one product in full, 4 all products, 5 equal.

import { between, clamp01, ease, staggered } from "../_shared/canvas.ts";
import {
  drawDimensions,
  drawEmpty,
  drawMarks,
  drawPlaceIds,
  drawSigns,
  drawTable,
  drawTick,
  drawTitles,
  drawTokens,
  lightToken,
  outline,
  paintPlace,
  paintRow,
  type View,
} from "./draw.ts";
import { FACTOR, placeX, TABLE_ROW, TOKEN_ROW, tableY, tokenY } from "./layout.ts";

type Context = CanvasRenderingContext2D;
/** How far each step has come, 0..1. */
type Shares = { pick: number; hot: number; one: number; all: number; equal: number };

export const STEP_COUNT = 6;
const SPREAD = 0.5;

/** How far each step has come. */
export function sharesAt(time: number): Shares {
  const [pick, hot, one, all, equal] = [0, 1, 2, 3, 4].map((step) => clamp01(time - step));
  return { pick, hot, one, all, equal };
}

export function drawMoment(context: Context, view: View) {
  const { model, layout, theme, time, focus } = view;
  const shares = sharesAt(time);
  const { pick, hot, one, all, equal } = shares;
  const seen = { hot: clamp01(hot * 2), result: clamp01(pick * 2) };
  const factors = 1 - clamp01(all * 3); // of the one-hot row before the rows of E, once they are there
  context.clearRect(0, 0, layout.width, layout.height);
  if (hot < 1) drawEmpty(context, view, layout.hot, 1 - hot);
  // What was looked up leaves again, so that the product has a place to land.
  const waiting = pick < 1 ? 1 - pick : Math.min(hot, 1 - Math.max(all, model.n === 1 ? one : 0));
  if (waiting > 0) drawEmpty(context, view, layout.result, waiting);
  drawTitles(context, view, seen);
  drawTokens(context, view);
  drawPlaceIds(context, view, seen.hot);
  drawDimensions(context, view, layout.table, 1);
  drawDimensions(context, view, layout.result, seen.result);
  const kept = model.drawnAt[focus];
  const fade = all < 1 ? clamp01((one - 0.4) / 0.25) * factors : 0;
  drawTable(context, view, (index) => (index === kept ? 1 : 1 - 0.88 * fade));
  if (hot > 0) drawOneHot(context, view, hot);
  if (one > 0 && factors > 0) drawFactors(context, view, clamp01(one / 0.4), factors);
  drawSigns(context, view, seen.hot, clamp01((one - 0.5) * 2));
  drawResults(context, view, shares);
  if (equal > 0)
    for (let row = 0; row < model.n; row += 1)
      drawTick(context, view, row, ease(staggered(row, model.n, equal, SPREAD)));
  if (one > 0.4 && all < 0.3)
    lightToken(context, view, focus, { colour: theme.accent }, { hot: 1, result: one >= 1 ? 1 : 0 });
  drawMarks(context, view, { hot, result: hot > 0 ? all : pick });
}

/** Each id unfolds into its row of zeros and one 1, from the left. */
function drawOneHot(context: Context, view: View, hot: number) {
  const { model, layout } = view;
  for (let row = 0; row < model.n; row += 1) {
    const share = staggered(row, model.n, hot, SPREAD) * (model.rows.length + 1);
    model.rows.forEach((id, index) => {
      const alpha = clamp01(share - index);
      if (alpha <= 0) return;
      context.globalAlpha = alpha;
      const [x, y] = [placeX(layout, index), tokenY(layout.hot, row)];
      paintPlace(context, view, id === model.ids[row], { x, y, width: layout.place, height: TOKEN_ROW });
    });
  }
  context.globalAlpha = 1;
}

/** The places of one token's row go to stand before the rows of E that they multiply. */
function drawFactors(context: Context, view: View, progress: number, alpha: number) {
  const { model, layout, focus } = view;
  const move = ease(progress);
  context.globalAlpha = alpha;
  model.rows.forEach((id, index) => {
    const box = {
      x: between(placeX(layout, index), layout.table.x - FACTOR, move),
      y: between(tokenY(layout.hot, focus), tableY(layout, index), move),
      width: between(layout.place, FACTOR - 2, move),
      height: between(TOKEN_ROW, TABLE_ROW, move),
    };
    paintPlace(context, view, id === model.ids[focus], box);
  });
  context.globalAlpha = 1;
}

/** What was looked up arrives first, and leaves as the other way begins: then the products land. */
function drawResults(context: Context, view: View, { pick, hot, one, all }: Shares) {
  const { model, focus } = view;
  const left = 1 - clamp01(hot * 2);
  for (let row = 0; row < model.n; row += 1) {
    const picked = staggered(row, model.n, pick, SPREAD);
    if (picked > 0 && left > 0) drawCopy(context, view, model.looked, row, ease(picked), left);
    const landed = row === focus ? clamp01((one - 0.65) / 0.35) : staggered(row, model.n, all, SPREAD);
    if (landed > 0) drawCopy(context, view, model.product, row, ease(landed), 1);
  }
}

/** A token's row on its way from E to its place. */
function drawCopy(context: Context, view: View, values: Float32Array, row: number, share: number, alpha: number) {
  const { model, layout, theme } = view;
  const box = {
    x: between(layout.table.x, layout.result.x, share),
    y: between(tableY(layout, model.drawnAt[row]), tokenY(layout.result, row), share),
    width: layout.table.width,
    height: between(TABLE_ROW, TOKEN_ROW, share),
  };
  context.globalAlpha = alpha;
  paintRow(context, view, values, row, box);
  context.globalAlpha = 1;
  if (share > 0 && share < 1) outline(context, view, box, theme.accent);
}
