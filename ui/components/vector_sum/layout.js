// Where the three heatmaps are and which cells they show. Everything in CSS pixels.

const TITLE_HEIGHT = 30;
const AXIS_HEIGHT = 26;
const MIN_ROW_HEIGHT = 22;
const MAX_ROW_HEIGHT = 44;
const CELL_WIDTHS = [1, 2, 4, 6, 10, 16, 26, 44, 76]; // what the zoom buttons step through
const EVERY_COLUMN_FROM = 3; // at least so wide, and all dimensions are shown at once
const USUAL_CELL_WIDTH = 6;
const NUMBERS_FROM = 70; // cells at least so wide hold their number

// window_: {first: dimension, cellWidth: wished or null}; returns the layout with the window that fits.
export function sumLayout({ width, gutter, nRows, dModel, window_, scrollTop }) {
  const stacked = width < 700;
  const signWidth = stacked ? 0 : width < 1000 ? 36 : 50; // for the plus and the equals sign
  const left = gutter + 10;
  const room = Math.floor(stacked ? width - left - 4 : (width - left - 2 * signWidth - 4) / 3);
  const shown = columnsShown(room, dModel, window_.cellWidth);
  const ratio = Math.min(window.devicePixelRatio || 1, 3);
  // Whole device pixels per cell, so that equal cells look equal.
  const cellWidth = Math.max(1, Math.floor((room / shown) * ratio)) / ratio;
  const mapWidth = cellWidth * shown;
  const spare = stacked ? 0 : Math.min(40, (3 * (room - mapWidth)) / 2); // what whole pixels leave over
  const tallest = stacked ? 10.5 * MIN_ROW_HEIGHT : 23.5 * MIN_ROW_HEIGHT; // half a row says that there are more
  const rowHeight = Math.max(MIN_ROW_HEIGHT, Math.min(MAX_ROW_HEIGHT, Math.floor(tallest / nRows)));
  const mapHeight = Math.min(nRows * rowHeight, tallest);
  const panels = ["token", "position", "input"].map((name, index) => ({
    name,
    x: stacked ? left : left + index * (mapWidth + signWidth + spare),
    y: TITLE_HEIGHT + (stacked ? index * (TITLE_HEIGHT + mapHeight + 10) : 0),
    width: mapWidth,
    height: mapHeight,
  }));
  const height = panels[2].y + mapHeight + AXIS_HEIGHT;
  const first = Math.max(0, Math.min(dModel - shown, Math.round(window_.first)));
  const maxScroll = nRows * rowHeight - mapHeight;
  const scroll = Math.max(0, Math.min(maxScroll, scrollTop));
  return {
    stacked,
    width,
    height,
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
    first,
    scroll,
    maxScroll,
    firstRow: Math.floor(scroll / rowHeight),
    lastRow: Math.min(nRows - 1, Math.ceil((scroll + mapHeight) / rowHeight) - 1),
    numbers: cellWidth >= NUMBERS_FROM,
  };
}

export function columnsShown(room, dModel, wished) {
  if (wished !== null) return Math.max(1, Math.min(dModel, Math.floor(room / wished)));
  if (dModel * EVERY_COLUMN_FROM <= room) return dModel;
  return Math.max(1, Math.min(dModel, Math.floor(room / USUAL_CELL_WIDTH)));
}

// The next width that shows fewer (towards = 1) or more (-1) columns; null at the end.
export function nextCellWidth(layout, towards) {
  const shownAt = (cellWidth) => columnsShown(layout.room, layout.dModel, cellWidth);
  const candidates = towards > 0 ? CELL_WIDTHS : [...CELL_WIDTHS].reverse();
  return (
    candidates.find((width) => (towards > 0 ? shownAt(width) < layout.shown : shownAt(width) > layout.shown)) ?? null
  );
}

export function rowTop(layout, panel, row) {
  return panel.y + row * layout.rowHeight - layout.scroll;
}

// The cell under a point: {panel, row, column}; column null over the token labels; null elsewhere.
export function cellAt(layout, x, y) {
  for (const [index, panel] of layout.panels.entries()) {
    if (y < panel.y || y >= panel.y + panel.height) continue;
    const row = Math.floor((y - panel.y + layout.scroll) / layout.rowHeight);
    if (row < 0 || row >= layout.nRows) return null;
    if (x >= panel.x && x < panel.x + panel.width) {
      const column = layout.first + Math.floor((x - panel.x) / layout.cellWidth);
      return { panel: index, row, column: Math.min(column, layout.dModel - 1) };
    }
    if (x < layout.gutter + 10 && (layout.stacked || index === 0)) return { panel: index, row, column: null };
  }
  return null;
}

// The window and the scroll that bring a cell into sight.
export function reveal(layout, { row, column }) {
  let { first, scroll } = layout;
  if (column !== null) {
    if (column < first) first = column;
    else if (column >= first + layout.shown) first = column - layout.shown + 1;
  }
  const top = row * layout.rowHeight;
  if (top < scroll) scroll = top;
  else if (top + layout.rowHeight > scroll + layout.mapHeight) scroll = top + layout.rowHeight - layout.mapHeight;
  return { first, scroll };
}

// Round numbers for the dimension axis, far enough apart to be read.
export function axisTicks(layout) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => size * layout.cellWidth >= 40) ?? 1000;
  const ticks = [];
  for (let at = Math.ceil(layout.first / step) * step; at < layout.first + layout.shown; at += step) ticks.push(at);
  return ticks;
}

// The tokens as a sentence, before they become rows: a box for each, centred in the figure.
export function sentenceLayout(layout, widths) {
  for (let scale = 1.25; ; scale *= 0.9) {
    const [height, gap] = [56 * scale, 10 * scale]; // the token and its id
    const boxes = [];
    let [x, y, lineStart] = [0, 0, 0];
    const endLine = () => {
      const shift = (layout.width - (x - gap)) / 2;
      for (let i = lineStart; i < boxes.length; i += 1) boxes[i].x += shift;
      lineStart = boxes.length;
    };
    for (const natural of widths) {
      const width = Math.min(layout.width - 8, natural * scale + 20 * scale);
      if (x > 0 && x + width > layout.width - 8) {
        endLine();
        [x, y] = [0, y + height + gap];
      }
      boxes.push({ x, y, width, height, scale });
      x += width + gap;
    }
    endLine();
    const used = y + height;
    if (used <= layout.height - 16 || scale < 0.5) {
      for (const box of boxes) box.y += Math.max(4, (layout.height - used) / 2);
      return boxes;
    }
  }
}
