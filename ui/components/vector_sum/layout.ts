// Where the three heatmaps are and which cells they show. Everything in CSS pixels.

import { type Box, clamp } from "../_shared/canvas.ts";

export type Cell = { row: number; column: number };
/** Where the window shall begin, and how wide its cells be. */
export type Wish = { first: number; cellWidth: number | null };
export type Layout = ReturnType<typeof sumLayout>;

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

export const isStacked = (width: number) => width < STACKED_BELOW;

/**
 * The window that fits.
 * @param measures.gutter for the tokens at the left
 * @param measures.ratio device pixels per CSS pixel
 */
export function sumLayout({
  width,
  gutter,
  nRows,
  dModel,
  wish,
  scrollTop,
  ratio,
}: {
  width: number /** for the tokens at the left */;
  gutter: number;
  nRows: number;
  dModel: number;
  wish: Wish;
  scrollTop: number /** device pixels per CSS pixel */;
  ratio: number;
}) {
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

/** Scrolls the rows, and says which are in sight. */
export function scrollTo(
  layout: Pick<Layout, "scroll" | "maxScroll" | "firstRow" | "lastRow" | "rowHeight" | "nRows" | "mapHeight">,
  top: number,
) {
  layout.scroll = clamp(top, 0, layout.maxScroll);
  layout.firstRow = Math.floor(layout.scroll / layout.rowHeight);
  layout.lastRow = Math.min(layout.nRows, Math.ceil((layout.scroll + layout.mapHeight) / layout.rowHeight)) - 1;
}

/** @param wished width of a cell; null where none was chosen */
export function columnsShown(room: number, dModel: number, wished: number | null) {
  if (wished === null && dModel * EVERY_COLUMN_FROM <= room) return dModel;
  return clamp(Math.floor(room / (wished ?? USUAL_CELL_WIDTH)), 1, dModel);
}

/** The next width that shows fewer (towards = 1) or more (-1) columns; null at the end. */
export function nextCellWidth({ room, dModel, shown }: Pick<Layout, "room" | "dModel" | "shown">, towards: 1 | -1) {
  const candidates = towards > 0 ? CELL_WIDTHS : [...CELL_WIDTHS].reverse();
  return candidates.find((width) => towards * columnsShown(room, dModel, width) < towards * shown) ?? null;
}

/**
 * What to wish for so that the columns get another width, and the column pointed at stays where it is.
 * @param column pointed at; null zooms around the middle
 */
export function zoomed(
  { room, dModel, shown, first }: Pick<Layout, "room" | "dModel" | "shown" | "first">,
  cellWidth: number,
  column: number | null,
): Wish {
  const middle = column ?? first + shown / 2;
  const share = (middle - first) / shown;
  return { first: middle - share * columnsShown(room, dModel, cellWidth), cellWidth };
}

export const rowTop = (
  { rowHeight, scroll }: Pick<Layout, "rowHeight" | "scroll">,
  panel: Pick<Box, "y">,
  row: number,
) => panel.y + row * rowHeight - scroll;

export const columnLeft = (
  { first, cellWidth }: Pick<Layout, "first" | "cellWidth">,
  panel: Pick<Box, "x">,
  column: number,
) => panel.x + (column - first) * cellWidth;

/** The cell under a point; column null over the token labels; null elsewhere. */
export function cellAt(layout: Layout, x: number, y: number): { row: number; column: number | null } | null {
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

/** The window and the scroll that bring a cell into sight. */
export function reveal(
  {
    first,
    scroll,
    shown,
    rowHeight,
    mapHeight,
  }: Pick<Layout, "first" | "scroll" | "shown" | "rowHeight" | "mapHeight">,
  { row, column }: { row: number; column: number | null },
) {
  const top = row * rowHeight;
  return {
    first: column === null ? first : clamp(first, column - shown + 1, column),
    scroll: clamp(scroll, top + rowHeight - mapHeight, top),
  };
}

/** Where a key leads; the first one only shows where the pointer is. Null for a key that leads nowhere. */
export function nextCell(
  key: string,
  cell: Cell | null,
  { firstRow, first, shown, nRows, dModel }: Pick<Layout, "firstRow" | "first" | "shown" | "nRows" | "dModel">,
): Cell | null {
  const { row, column } = cell ?? { row: firstRow, column: first };
  const moves: Record<string, [row: number, column: number]> = {
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
 * @param wheel lines: whether it counts lines
 */
export function wheelColumns(
  { shiftKey, deltaX, deltaY, lines }: Pick<WheelEvent, "shiftKey" | "deltaX" | "deltaY"> & { lines: boolean },
  { shown, dModel, cellWidth }: Pick<Layout, "shown" | "dModel" | "cellWidth">,
) {
  const across = shiftKey ? deltaY || deltaX : deltaX;
  if (across === 0 || shown === dModel || (!shiftKey && Math.abs(across) < Math.abs(deltaY))) return null;
  return (across * (lines ? 24 : 1)) / Math.max(4, cellWidth);
}

/** Round numbers for the dimension axis, far enough apart to be read. */
export function axisTicks({ first, shown, cellWidth }: Pick<Layout, "first" | "shown" | "cellWidth">) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => size * cellWidth >= 40) ?? 1000;
  const ticks = [];
  for (let at = Math.ceil(first / step) * step; at < first + shown; at += step) ticks.push(at);
  return ticks;
}
