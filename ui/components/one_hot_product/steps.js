// The picture at any moment: time 0 ids, 1 rows picked, 2 one-hot rows, 3 one product in full, 4 all products, 5 equal.

import {
  drawDimensions,
  drawEmpty,
  drawPlaceIds,
  drawSigns,
  drawTable,
  drawTitles,
  drawTokens,
  paintPlace,
  paintRow,
} from "./draw.js";
import { FACTOR, placeX, TABLE_ROW, TOKEN_ROW, tableY, tokenY } from "./layout.js";
import { drawMarks, drawTick, lightToken, ring } from "./marks.js";

export const STEP_COUNT = 6;
const clamp01 = (x) => Math.max(0, Math.min(1, x));
const ease = (x) => (x < 0.5 ? 4 * x ** 3 : 1 - (-2 * x + 2) ** 3 / 2);
const between = (a, b, share) => a + (b - a) * share;

// Each row starts a little after the one above; all have arrived when progress is 1.
function rowShare(row, count, progress, spread = 0.5) {
  const start = (spread * row) / Math.max(1, count - 1);
  return clamp01((progress - start) / (1 - spread));
}

// view: {model, layout, theme, time, focus, marks}; focus is the token whose product is shown in full.
export function drawMoment(context, view) {
  const { model, layout, theme, time, focus } = view;
  const [pick, hot, one, all, equal] = [0, 1, 2, 3, 4].map((step) => clamp01(time - step));
  const seen = { hot: clamp01(hot * 2), table: 1, result: clamp01(pick * 2), equals: clamp01((one - 0.5) * 2) };
  const factors = one * (1 - clamp01(all * 3)); // how far the one-hot row has become factors before the rows of E
  context.clearRect(0, 0, layout.width, layout.height);
  if (hot < 1) drawEmpty(context, view, layout.hot, 1 - hot);
  // What was looked up leaves again, so that the product has a place to land.
  const waiting = pick < 1 ? 1 - pick : Math.min(hot, 1 - Math.max(all, model.n === 1 ? one : 0));
  if (waiting > 0) drawEmpty(context, view, layout.result, waiting);
  drawTitles(context, view, { hot: Math.max(0.45, seen.hot), table: 1, result: Math.max(0.45, seen.result) });
  drawTokens(context, view);
  drawPlaceIds(context, view, seen.hot);
  drawDimensions(context, view, layout.table, 1);
  drawDimensions(context, view, layout.result, seen.result);
  const kept = model.drawnAt[focus];
  const fade = one > 0 && all < 1 ? clamp01((one - 0.4) / 0.25) * (1 - clamp01(all * 3)) : 0;
  drawTable(context, view, (index) => (index === kept ? 1 : 1 - 0.88 * fade));
  if (hot > 0) drawOneHot(context, view, hot);
  if (factors > 0) drawFactors(context, view, clamp01(one / 0.4), 1 - clamp01(all * 3));
  drawSigns(context, view, seen);
  drawResults(context, view, { pick, hot, one, all });
  if (equal > 0)
    for (let row = 0; row < model.n; row += 1) drawTick(context, view, row, ease(rowShare(row, model.n, equal)));
  if (one > 0.4 && all < 0.3)
    lightToken(context, { ...view, theme }, focus, theme.accent, { hot: 1, result: one >= 1 ? 1 : 0 });
  drawMarks(context, view, { hot, result: hot > 0 ? all : pick });
}

// Each id unfolds into its row of zeros and one 1, from the left.
function drawOneHot(context, view, hot) {
  const { model, layout } = view;
  for (let row = 0; row < model.n; row += 1) {
    const share = rowShare(row, model.n, hot) * (model.rows.length + 1);
    model.rows.forEach((id, index) => {
      context.globalAlpha = clamp01(share - index);
      if (context.globalAlpha > 0)
        paintPlace(
          context,
          view,
          id === model.ids[row],
          placeX(layout, index),
          tokenY(layout.hot, row),
          layout.place,
          TOKEN_ROW,
        );
    });
  }
  context.globalAlpha = 1;
}

// The places of one token's row go to stand before the rows of E that they multiply.
function drawFactors(context, view, progress, alpha) {
  const { model, layout, focus } = view;
  const move = ease(progress);
  context.globalAlpha = alpha;
  model.rows.forEach((id, index) => {
    const size = between(layout.place, FACTOR - 2, move);
    const x = between(placeX(layout, index), layout.table.x - FACTOR, move);
    const y = between(tokenY(layout.hot, focus), tableY(layout, index), move);
    paintPlace(context, view, id === model.ids[focus], x, y, size, between(TOKEN_ROW, TABLE_ROW, move));
  });
  context.globalAlpha = 1;
}

// What was looked up arrives first, and leaves as the other way begins: then the products land.
function drawResults(context, view, { pick, hot, one, all }) {
  const { model, focus } = view;
  const left = 1 - clamp01(hot * 2);
  for (let row = 0; row < model.n; row += 1) {
    const picked = rowShare(row, model.n, pick);
    if (picked > 0 && left > 0) drawCopy(context, view, model.looked, row, ease(picked), left);
    const landed = row === focus ? clamp01((one - 0.65) / 0.35) : rowShare(row, model.n, all);
    if (landed > 0) drawCopy(context, view, model.product, row, ease(landed), 1);
  }
}

// A token's row on its way from E to its place.
function drawCopy(context, view, values, row, share, alpha) {
  const { model, layout, theme } = view;
  const x = between(layout.table.x, layout.result.x, share);
  const y = between(tableY(layout, model.drawnAt[row]), tokenY(layout.result, row), share);
  const height = between(TABLE_ROW, TOKEN_ROW, share);
  context.globalAlpha = alpha;
  paintRow(context, view, values, row, x, y, height);
  context.globalAlpha = 1;
  if (share > 0 && share < 1) ring(context, theme, x, y, layout.table.width, height, theme.accent);
}
