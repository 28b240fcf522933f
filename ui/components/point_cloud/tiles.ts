// The picture as small squares, each free or taken: what has room where is a matter of looking at a few of them.

import type { Rectangle } from "./axes.ts";
import type { Plot } from "./camera.ts";

export type Tiles = ReturnType<typeof newTiles>;

export const TILE = 6; // CSS pixels

export function newTiles(plot: Plot) {
  const [columns, rows] = [Math.ceil(plot.width / TILE), Math.ceil(plot.height / TILE)];
  return { plot, columns, rows, taken: new Uint8Array(columns * rows), near: new Uint8Array(columns * rows) };
}

/** The tile under a place of the screen, -1 outside the picture. */
export function tileAt({ plot, columns, rows }: Tiles, x: number, y: number) {
  const [column, row] = [Math.floor((x - plot.x) / TILE), Math.floor((y - plot.y) / TILE)];
  return column >= 0 && column < columns && row >= 0 && row < rows ? row * columns + column : -1;
}

/** Columns and rows of a box, as far as they are in the picture. */
function tilesOf({ plot, columns, rows }: Tiles, [left, top, width, height]: Rectangle) {
  return [
    Math.max(0, Math.floor((left - plot.x) / TILE)),
    Math.min(columns - 1, Math.floor((left + width - plot.x) / TILE)),
    Math.max(0, Math.floor((top - plot.y) / TILE)),
    Math.min(rows - 1, Math.floor((top + height - plot.y) / TILE)),
  ];
}

/** Whether a box lies in the picture. */
export function isInside(plot: Plot, [left, top, width, height]: Rectangle) {
  return (
    left >= plot.x + 2 &&
    top >= plot.y + 2 &&
    left + width <= plot.x + plot.width - 2 &&
    top + height <= plot.y + plot.height - 2
  );
}

/** Whether a box lies in the picture and nothing is in it. */
export function isFree(tiles: Tiles, box: Rectangle) {
  const { plot, columns, taken } = tiles;
  if (!isInside(plot, box)) return false;
  const [first, last, upper, lower] = tilesOf(tiles, box);
  for (let row = upper; row <= lower; row += 1) {
    for (let tile = row * columns + first; tile <= row * columns + last; tile += 1) if (taken[tile]) return false;
  }
  return true;
}

export function coverBox(tiles: Tiles, box: Rectangle) {
  const [first, last, upper, lower] = tilesOf(tiles, box);
  for (let row = upper; row <= lower; row += 1)
    if (first <= last) tiles.taken.fill(1, row * tiles.columns + first, row * tiles.columns + last + 1);
}

/** Takes the tiles along a line from spot to spot, as far as they are in the picture. */
export function coverLine(tiles: Tiles, spots: number[][]) {
  for (let index = 1; index < spots.length; index += 1) {
    const [[x1, y1], [x2, y2]] = [spots[index - 1], spots[index]];
    const [start, end] = shareInside(tiles.plot, spots[index - 1], spots[index]);
    const steps = Math.ceil(((end - start) * Math.hypot(x2 - x1, y2 - y1)) / (TILE - 1));
    for (let step = 0; step <= steps; step += 1) {
      const share = start + ((end - start) * step) / Math.max(1, steps);
      const tile = tileAt(tiles, x1 + (x2 - x1) * share, y1 + (y2 - y1) * share);
      if (tile >= 0) tiles.taken[tile] = 1;
    }
  }
}

/** Whether a line from spot to spot runs through a box. */
export function crossesBox(spots: number[][], [x, y, width, height]: Rectangle) {
  return spots.slice(1).some((spot, index) => {
    const [start, end] = shareInside({ x, y, width, height }, spots[index], spot);
    return start <= end;
  });
}

/** Between which shares of its way a line is in a box; the first is greater where it never is. */
function shareInside({ x, y, width, height }: Plot, [x1, y1]: number[], [x2, y2]: number[]) {
  let [start, end] = [0, 1];
  for (const [from, to, low, high] of [
    [x1, x2, x, x + width],
    [y1, y2, y, y + height],
  ]) {
    if (from === to && (from < low || from > high)) return [1, 0];
    if (from === to) continue;
    const [one, other] = [(low - from) / (to - from), (high - from) / (to - from)];
    start = Math.max(start, Math.min(one, other));
    end = Math.min(end, Math.max(one, other));
  }
  return [start, end];
}

/**
 * Keeps further names away from a place of the screen.
 * @param reach pixels
 */
export function coverAround({ plot, columns, rows, near }: Tiles, x: number, y: number, reach: number) {
  const [middle, centre] = [(x - plot.x) / TILE, (y - plot.y) / TILE];
  const far = reach / TILE;
  for (let row = Math.max(0, Math.floor(centre - far)); row <= Math.min(rows - 1, Math.floor(centre + far)); row += 1) {
    const half = Math.sqrt(Math.max(0, far * far - (row + 0.5 - centre) ** 2));
    const [first, last] = [Math.max(0, Math.floor(middle - half)), Math.min(columns - 1, Math.floor(middle + half))];
    if (first <= last) near.fill(1, row * columns + first, row * columns + last + 1);
  }
}

/**
 * How many square pixels of the picture have points in them or beside them.
 * @param screen (count, 2)
 */
export function crowdedArea(screen: Float32Array, count: number, { plot }: { plot: Plot }) {
  const side = 4 * TILE;
  const [columns, rows] = [Math.ceil(plot.width / side), Math.ceil(plot.height / side)];
  const crowded = new Uint8Array(columns * rows);
  for (let at = 0; at < count; at += 1) {
    const [column, row] = [
      Math.floor((screen[2 * at] - plot.x) / side),
      Math.floor((screen[2 * at + 1] - plot.y) / side),
    ];
    if (column >= 0 && column < columns && row >= 0 && row < rows) crowded[row * columns + column] = 1;
  }
  return crowded.reduce((sum, one) => sum + one, 0) * side * side;
}
