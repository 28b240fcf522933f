// The payload as one-hot rows, E and results, and where they are. Everything in CSS pixels.

import { colourScale } from "../_shared/colour.js";
import { unpackPayload } from "../_shared/payload.js";

const TITLE_HEIGHT = 30;
export const TOKEN_ROW = 36;
export const TABLE_ROW = 30;
export const GAP_ROW = 20;
export const FACTOR = 28; // before each row of E, what multiplies it

export function productModel(data) {
  const { header, numbers } = unpackPayload(data);
  const { rows, ids, k } = header;
  const [table, looked, product] = [numbers(rows.length * k), numbers(ids.length * k), numbers(ids.length * k)];
  const [a, b] = [new Uint32Array(looked.buffer), new Uint32Array(product.buffer)];
  const equalRows = ids.map((_, row) => {
    let equal = 0;
    for (let at = row * k; at < (row + 1) * k; at += 1) equal += a[at] === b[at];
    return equal;
  });
  const scale = colourScale(header.colours, header.limit);
  // Rows of E that are left out before each drawn one, and after the last.
  const gaps = rows.map((id, index) => id - (index ? rows[index - 1] : -1) - 1);
  gaps.push(header.vocab_size - 1 - rows.at(-1));
  const drawnAt = ids.map((id) => rows.indexOf(id));
  return { ...header, table, looked, product, equalRows, scale, gaps, drawnAt, n: ids.length };
}

// Lines of `size` with shorter ones where rows are left out: where each begins, where each gap is, and the whole.
function spaced(gaps, size, gapSize) {
  const [starts, holes] = [[], []];
  let at = 0;
  gaps.forEach((left, index) => {
    if (left > 0) {
      holes.push({ at, left });
      at += gapSize;
    }
    if (index === gaps.length - 1) return;
    starts.push(at);
    at += size;
  });
  return { starts, holes, total: at };
}

// measure(text, bold): width of a text; first: dimension at the left.
export function productLayout(model, width, measure, first) {
  const stacked = width < 720;
  const { gaps, n, k } = model;
  const drawn = model.rows.length;
  const idWidth = Math.max(...model.rows.map((id) => measure(String(id), false)), 14) + 10;
  const tokenWidth = Math.max(...model.tokens.map((token) => measure(token, true)));
  const gutter = Math.ceil(Math.min(stacked ? 104 : 176, Math.max(stacked ? 60 : 76, tokenWidth + 10)) + idWidth);
  const named = model.row_names.some((name) => name);
  const nameWidth = named
    ? Math.min(stacked ? 52 : 66, Math.max(...model.row_names.map((name) => measure(name, false))) + 8)
    : 0;
  const labels = Math.ceil(
    Math.max(idWidth + nameWidth, stacked ? 0 : measure(model.labels.dimension, false)) + FACTOR + 10,
  );
  const nGaps = gaps.filter((left) => left > 0).length;
  const gapWidth = stacked ? 8 : 12;
  const placesRoom =
    (stacked ? width - gutter - 12 : Math.min(0.25 * width, 34 * drawn + gapWidth * nGaps)) - gapWidth * nGaps;
  const place = Math.floor(Math.max(16, Math.min(34, placesRoom / drawn)));
  const places = spaced(gaps, place, gapWidth);
  const sign = stacked ? 0 : 30;
  const tick = 30; // for the check mark behind each row
  const room = stacked
    ? width - Math.max(gutter, labels) - tick - 10
    : (width - gutter - 10 - places.total - 2 * sign - labels - tick) / 2;
  const narrowest = stacked ? 56 : 61;
  const shown = Math.max(1, Math.min(k, Math.floor(room / narrowest)));
  const cell = Math.floor(Math.min(112, Math.max(40, room / shown)));
  const upright = place < Math.max(...model.rows.map((id) => measure(String(id), false))) + 2;
  const head = upright ? Math.ceil(Math.max(...model.rows.map((id) => measure(String(id), false)))) + 10 : 22;
  const lines = spaced(gaps, TABLE_ROW, GAP_ROW);
  const tokensHeight = n * TOKEN_ROW;
  const tableWidth = shown * cell;
  const left = gutter + 10;
  let [hot, table, result, height] = [];
  if (stacked) {
    const side = Math.max(gutter, labels) + 10;
    hot = { x: left, y: TITLE_HEIGHT + head };
    table = { x: side, y: hot.y + tokensHeight + 2 * TITLE_HEIGHT + 22 };
    result = { x: side, y: table.y + lines.total + 2 * TITLE_HEIGHT + 22 };
    height = result.y + tokensHeight + 6;
  } else {
    const tallest = Math.max(tokensHeight, lines.total);
    const top = TITLE_HEIGHT + head;
    hot = { x: left, y: top + (tallest - tokensHeight) / 2 };
    table = { x: left + places.total + sign + labels, y: top + (tallest - lines.total) / 2 };
    result = { x: table.x + tableWidth + sign, y: hot.y };
    height = top + tallest + 6;
  }
  Object.assign(hot, { width: places.total, height: tokensHeight });
  Object.assign(table, { width: tableWidth, height: lines.total });
  Object.assign(result, { width: tableWidth, height: tokensHeight });
  return {
    stacked,
    width,
    height,
    gutter,
    idWidth,
    labels,
    place,
    places,
    lines,
    sign,
    shown,
    cell,
    upright,
    head,
    hot,
    table,
    result,
    first: Math.max(0, Math.min(k - shown, Math.round(first))),
  };
}

export const tableY = (layout, index) => layout.table.y + layout.lines.starts[index];
export const tokenY = (panel, row) => panel.y + row * TOKEN_ROW;
export const placeX = (layout, index) => layout.hot.x + layout.places.starts[index];

// What is under a point: {part: "hot", row, index}, {part: "table", index, column}, {part: "result", row, column}, or null.
export function productHit(layout, x, y) {
  const within = (panel, more = 0) =>
    x >= panel.x - more && x < panel.x + panel.width && y >= panel.y && y < panel.y + panel.height;
  const column = (panel) =>
    x < panel.x ? null : layout.first + Math.min(layout.shown - 1, Math.floor((x - panel.x) / layout.cell));
  if (within(layout.hot, layout.gutter)) {
    const index = layout.places.starts.findIndex(
      (start) => x >= layout.hot.x + start && x < layout.hot.x + start + layout.place,
    );
    return { part: "hot", row: Math.floor((y - layout.hot.y) / TOKEN_ROW), index: index < 0 ? null : index };
  }
  if (within(layout.table, layout.labels)) {
    const index = layout.lines.starts.findIndex(
      (start) => y >= layout.table.y + start && y < layout.table.y + start + TABLE_ROW,
    );
    return index < 0 ? null : { part: "table", index, column: column(layout.table) };
  }
  if (within(layout.result, layout.stacked ? layout.gutter : 0)) {
    return { part: "result", row: Math.floor((y - layout.result.y) / TOKEN_ROW), column: column(layout.result) };
  }
  return null;
}
