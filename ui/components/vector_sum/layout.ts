// Where the three heatmaps are and which cells they show. Everything in CSS pixels.

import { clamp } from "../_shared/canvas.js";

/** @typedef {import("../_shared/canvas.js").Box} Box */
/** @typedef {{ row: number, column: number }} Cell */
/** @typedef {{ first: number, cellWidth: number | null }} Wish where the window shall begin, and how wide its cells be */
/** @typedef {ReturnType<typeof sumLayout>} Layout */

const TITLE_HEIGHT = 30;
const STACKED_TITLE_HEIGHT = 26;
const AXIS_HEIGHT = 26;
const MIN_ROW_HEIGHT = 22;
const STACKED_ROW_HEIGHT = 18; // nine rows of three maps, what plays them and the slider below are on one screen of a phone
const MAX_ROW_HEIGHT = 44;
const USUAL_HEIGHT = 220; // of a map whose rows all fit: with what is above it, it is in sight at 1280 x 720
const CELL_WIDTHS = [1, 2, 4, 6, 10, 16, 26, 44, 76]; // what the zoom buttons step through
const EVERY_COLUMN_FROM = 3; // at least so wide, and all dimensions are shown at once
const USUAL_CELL_WIDTH = 6;
const NUMBERS_FROM = 60; // cells at least so wide hold their number
const STACKED_BELOW = 700;

/** @param {number} width */
export const isStacked = (width) => width < STACKED_BELOW;

/**
 * The window that fits.
 * @param {object} measures
 * @param {number} measures.width
 * @param {number} measures.gutter for the tokens at the left
 * @param {number} measures.nRows
 * @param {number} measures.dModel
 * @param {Wish} measures.wish
 * @param {number} measures.scrollTop
 * @param {number} measures.ratio device pixels per CSS pixel
 */
export function sumLayout({ width, gutter, nRows, dModel, wish, scrollTop, ratio }) {
  const stacked = isStacked(width);
  const signWidth = stacked ? 0 : width < 1000 ? 36 : 50; // for the plus and the equals sign
  const left = gutter + 10;
  const room = Math.floor(stacked ? width - left - 4 : (width - left - 2 * signWidth - 4) / 3);
  const shown = columnsShown(room, dModel, wish.cellWidth);
  // Whole device pixels per cell, so that equal cells look equal.
  const cellWidth = Math.max(1, Math.floor((room / shown) * ratio)) / ratio;
  const mapWidth = cellWidth * shown;
  const spare = stacked ? 0 : Math.min(40, (3 * (room - mapWidth)) / 2); // what whole pixels leave over
  const least = stacked ? STACKED_ROW_HEIGHT : MIN_ROW_HEIGHT;
  const tallest = (stacked ? 9.5 : 23.5) * least; // half a row says that there are more
  const title = stacked ? STACKED_TITLE_HEIGHT : TITLE_HEIGHT;
  const rowHeight = clamp(Math.floor(Math.min(tallest, USUAL_HEIGHT) / nRows), least, MAX_ROW_HEIGHT);
  const mapHeight = Math.min(nRows * rowHeight, tallest);
  const panels = [0, 1, 2].map((index) => ({
    x: stacked ? left : left + index * (mapWidth + signWidth + spare),
    y: title + (stacked ? index * (title + mapHeight + 10) : 0),
    width: mapWidth,
    height: mapHeight,
  }));
  const layout = {
    stacked,
    width,
    height: panels[2].y + mapHeight + AXIS_HEIGHT,
    gutter,
    between: signWidth + spare,
    panels,
    mapWidth,
    mapHeight,
    cellWidth,
    rowHeight,
    room,
    nRows,
    dModel,
    shown,
    first: clamp(Math.round(wish.first), 0, dModel - shown),
    maxScroll: nRows * rowHeight - mapHeight,
    numbers: cellWidth >= NUMBERS_FROM,
    scroll: 0,
    firstRow: 0,
    lastRow: 0,
  };
  scrollTo(layout, scrollTop);
  return layout;
}

/**
 * Scrolls the rows, and says which are in sight.
 * @param {Pick<Layout, "scroll" | "maxScroll" | "firstRow" | "lastRow" | "rowHeight" | "nRows" | "mapHeight">} layout
 * @param {number} top
 */
export function scrollTo(layout, top) {
  layout.scroll = clamp(top, 0, layout.maxScroll);
  layout.firstRow = Math.floor(layout.scroll / layout.rowHeight);
  layout.lastRow = Math.min(layout.nRows, Math.ceil((layout.scroll + layout.mapHeight) / layout.rowHeight)) - 1;
}

/**
 * @param {number} room
 * @param {number} dModel
 * @param {number | null} wished width of a cell; null where none was chosen
 */
export function columnsShown(room, dModel, wished) {
  if (wished === null && dModel * EVERY_COLUMN_FROM <= room) return dModel;
  return clamp(Math.floor(room / (wished ?? USUAL_CELL_WIDTH)), 1, dModel);
}

/**
 * The next width that shows fewer (towards = 1) or more (-1) columns; null at the end.
 * @param {Pick<Layout, "room" | "dModel" | "shown">} layout
 * @param {1 | -1} towards
 */
export function nextCellWidth({ room, dModel, shown }, towards) {
  const candidates = towards > 0 ? CELL_WIDTHS : [...CELL_WIDTHS].reverse();
  return candidates.find((width) => towards * columnsShown(room, dModel, width) < towards * shown) ?? null;
}

/**
 * What to wish for so that the columns get another width, and the column pointed at stays where it is.
 * @param {Pick<Layout, "room" | "dModel" | "shown" | "first">} layout
 * @param {number} cellWidth
 * @param {number | null} column pointed at; null zooms around the middle
 * @returns {Wish}
 */
export function zoomed({ room, dModel, shown, first }, cellWidth, column) {
  const middle = column ?? first + shown / 2;
  const share = (middle - first) / shown;
  return { first: middle - share * columnsShown(room, dModel, cellWidth), cellWidth };
}

/**
 * @param {Pick<Layout, "rowHeight" | "scroll">} layout
 * @param {Pick<Box, "y">} panel
 * @param {number} row
 */
export const rowTop = ({ rowHeight, scroll }, panel, row) => panel.y + row * rowHeight - scroll;

/**
 * @param {Pick<Layout, "first" | "cellWidth">} layout
 * @param {Pick<Box, "x">} panel
 * @param {number} column
 */
export const columnLeft = ({ first, cellWidth }, panel, column) => panel.x + (column - first) * cellWidth;

/**
 * The cell under a point; column null over the token labels; null elsewhere.
 * @param {Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {{ row: number, column: number | null } | null}
 */
export function cellAt(layout, x, y) {
  for (const [index, panel] of layout.panels.entries()) {
    if (y < panel.y || y >= panel.y + panel.height) continue;
    const row = Math.floor((y - panel.y + layout.scroll) / layout.rowHeight);
    if (row < 0 || row >= layout.nRows) return null;
    if (x >= panel.x && x < panel.x + panel.width) {
      const column = layout.first + Math.floor((x - panel.x) / layout.cellWidth);
      return { row, column: Math.min(column, layout.dModel - 1) };
    }
    if (x < layout.gutter + 10 && (layout.stacked || index === 0)) return { row, column: null };
  }
  return null;
}

/**
 * The window and the scroll that bring a cell into sight.
 * @param {Pick<Layout, "first" | "scroll" | "shown" | "rowHeight" | "mapHeight">} layout
 * @param {{ row: number, column: number | null }} cell
 */
export function reveal({ first, scroll, shown, rowHeight, mapHeight }, { row, column }) {
  const top = row * rowHeight;
  return {
    first: column === null ? first : clamp(first, column - shown + 1, column),
    scroll: clamp(scroll, top + rowHeight - mapHeight, top),
  };
}

/**
 * Where a key leads; the first one only shows where the pointer is. Null for a key that leads nowhere.
 * @param {string} key
 * @param {Cell | null} cell
 * @param {Pick<Layout, "firstRow" | "first" | "shown" | "nRows" | "dModel">} layout
 * @returns {Cell | null}
 */
export function nextCell(key, cell, { firstRow, first, shown, nRows, dModel }) {
  const { row, column } = cell ?? { row: firstRow, column: first };
  /** @type {Record<string, [row: number, column: number]>} */
  const moves = {
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    PageUp: [row, column - shown],
    PageDown: [row, column + shown],
    Home: [row, 0],
    End: [row, dModel - 1],
  };
  if (!(key in moves)) return null;
  const [toRow, toColumn] = cell ? moves[key] : [row, column];
  return { row: clamp(toRow, 0, nRows - 1), column: clamp(toColumn, 0, dModel - 1) };
}

/**
 * By how many columns a turn of the wheel slides the window; null where it means the page, not the window.
 * @param {Pick<WheelEvent, "shiftKey" | "deltaX" | "deltaY"> & { lines: boolean }} wheel lines: whether it counts lines
 * @param {Pick<Layout, "shown" | "dModel" | "cellWidth">} layout
 */
export function wheelColumns({ shiftKey, deltaX, deltaY, lines }, { shown, dModel, cellWidth }) {
  const across = shiftKey ? deltaY || deltaX : deltaX;
  if (across === 0 || shown === dModel || (!shiftKey && Math.abs(across) < Math.abs(deltaY))) return null;
  return (across * (lines ? 24 : 1)) / Math.max(4, cellWidth);
}

/**
 * Round numbers for the dimension axis, far enough apart to be read.
 * @param {Pick<Layout, "first" | "shown" | "cellWidth">} layout
 */
export function axisTicks({ first, shown, cellWidth }) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => size * cellWidth >= 40) ?? 1000;
  const ticks = [];
  for (let at = Math.ceil(first / step) * step; at < first + shown; at += step) ticks.push(at);
  return ticks;
}
