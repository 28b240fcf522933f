// Where many points lie: contours over a crowd; and of more points than are drawn how many lie in each cell, as an image
// under the few that are, and what of the picture is seen, which the page counts in anew.

import { debounce } from "../_shared/debounce.ts";
import { canvasContext } from "../_shared/elements.ts";
import { project, screenSpots, unproject, type View } from "./camera.ts";
import { type Frame, fromFrame, interpolate, type Model, toFrame } from "./model.ts";
import type { Cells } from "./store.ts";

/** A rectangle of the coordinates, in their units. */
export type Window = [left: number, bottom: number, right: number, top: number];
/** Python's summary of all points, where the picture has some of them. */
export interface Extent {
  low: [number, number]; // that all points lie above
  high: [number, number]; // that they lie below
  count: number; // of all points
  window: Window | null; // that is shown at first, and where `turn` has changed; null for all
  turn: number; // number of the page's last wish for a window
  cells: string; // fingerprint of the counts, "" where the points themselves are here
  over: Window | null; // where the cells are
  most: number; // points in one cell
}
/** A report to Python of the window in view. */
export type Report = { picture: string; seen: Window; size: [number, number]; window: boolean | null };

export const REST = 150; // milliseconds without a move, after which the page is asked to count

const GRID = 128; // cells along each side of the square in which points are counted for their contours
const REACH = 1.15; // of it beyond the middle, in the points' units
const SMOOTHINGS = 8; // each by half a cell's variance
// Of the two triangles between four cells; a line crosses no side of a triangle, or two.
const SIDES = [
  [0, 1],
  [1, GRID],
  [GRID, 0],
  [1, GRID],
  [GRID, GRID + 1],
  [GRID + 1, 1],
];
const LEVELS = [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32]; // of the greatest density

/** Lines along which a crowd is equally dense, as pairs of spots (2 * n, 3) in the plane of the flat picture. */
export function densityContours({ spots, count }: Pick<Model, "spots" | "count">): Float32Array {
  const cell = (2 * REACH) / GRID;
  const cellAt = (place: number) => Math.floor((place + REACH) / cell);
  let density = new Float32Array(GRID * GRID);
  for (let at = 0; at < count; at += 1) {
    density[GRID * cellAt(spots[3 * at + 1]) + cellAt(spots[3 * at])] += 1;
  }
  for (let turn = 0; turn < SMOOTHINGS; turn += 1)
    for (const step of [1, GRID]) {
      const before = density;
      density = before.map((value, at) => (2 * value + (before[at - step] ?? 0) + (before[at + step] ?? 0)) / 4);
    }
  const most = density.reduce((a, b) => Math.max(a, b));
  const ends: number[] = [];
  const placeOf = (at: number) => [at % GRID, Math.floor(at / GRID)].map((index) => (index + 0.5) * cell - REACH);
  for (const level of LEVELS.map((share) => share * most))
    for (let at = 0; at < GRID * (GRID - 1) - 1; at += 1)
      for (const [from, to] of SIDES) {
        const low = density[at + from];
        const high = density[at + to];
        if (low < level !== high < level)
          ends.push(...interpolate(placeOf(at + from), placeOf(at + to), (level - low) / (high - low)), 0);
      }
  return Float32Array.from(ends);
}

export function drawContours(context: CanvasRenderingContext2D, contours: Float32Array, view: View, colour: string) {
  const screen = screenSpots(contours, contours.length / 3, view);
  context.beginPath();
  for (let at = 0; at < screen.length; at += 4) {
    context.moveTo(screen[at], screen[at + 1]);
    context.lineTo(screen[at + 2], screen[at + 3]);
  }
  Object.assign(context, { strokeStyle: colour, globalAlpha: 0.4, lineWidth: 1 });
  context.stroke();
  context.globalAlpha = 1;
}

/**
 * The colour of a cell, as an index: even steps of the palette are equal factors, from one point to the most.
 * @param count at least 1
 */
export function tintOf(count: number, most: number, colours: number) {
  return most > 1 ? Math.round((Math.log(count) / Math.log(most)) * (colours - 1)) : 0;
}

/**
 * The cells as pixels; those without points are transparent.
 * @param palette RGBA
 * @returns RGBA
 */
export function cellPixels(
  { counts }: Cells,
  most: number,
  palette: Uint8Array,
  colours: number,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * counts.length);
  for (let at = 0; at < counts.length; at += 1) {
    const from = 4 * tintOf(counts[at], most, colours);
    if (counts[at]) pixels.set(palette.subarray(from, from + 4), 4 * at);
  }
  return pixels;
}

/** @param palette RGBA */
export function cellImage(cells: Cells, most: number, palette: Uint8Array, colours: number) {
  const image = document.createElement("canvas");
  [image.width, image.height] = [cells.columns, cells.rows];
  const pixels = new ImageData(cellPixels(cells, most, palette, colours), cells.columns, cells.rows);
  canvasContext(image).putImageData(pixels, 0, 0);
  return image;
}

/** Draw the cells at their positions and sizes in the view. */
export function drawCells(
  context: CanvasRenderingContext2D,
  image: HTMLCanvasElement,
  over: Window,
  view: View,
  frame: Frame,
) {
  const corner = (x: number, y: number) => project(view, [...toFrame(frame, [x, y]), 0]);
  const [[left, bottom], [right, top]] = [corner(over[0], over[1]), corner(over[2], over[3])];
  context.imageSmoothingEnabled = false;
  context.drawImage(image, left, top, right - left, bottom - top);
}

/** The rectangle that is seen of the flat picture. */
export function visibleWindow(view: View, frame: Frame): Window {
  const { plot } = view;
  const at = (x: number, y: number) => fromFrame(frame, unproject(view, x, y));
  const [[left, bottom], [right, top]] = [at(plot.x, plot.y + plot.height), at(plot.x + plot.width, plot.y)];
  return [left, bottom, right, top];
}

/**
 * How to stand so that a window fills the picture.
 * @param view of the same picture, at any zoom
 */
export function poseFacing([left, bottom, right, top]: Window, frame: Frame, { plot, scale, zoom }: View) {
  const middle = [(left + right) / 2, (bottom + top) / 2];
  const wanted = Math.min(plot.width / (right - left), plot.height / (top - bottom)) / frame.scale; // pixels per unit
  return {
    zoom: (zoom * wanted) / scale,
    centre: [...toFrame(frame, middle), 0],
  };
}

/**
 * How many points lie in the cell at a place of the screen; 0 where there is no cell.
 * @param over where they are
 */
export function countAt(
  { columns, rows, counts }: Cells,
  over: Window,
  view: View,
  frame: Frame,
  x: number,
  y: number,
) {
  const [across, up] = fromFrame(frame, unproject(view, x, y));
  const column = Math.floor(((across - over[0]) / (over[2] - over[0])) * columns);
  const row = Math.floor(((over[3] - up) / (over[3] - over[1])) * rows);
  return column >= 0 && column < columns && row >= 0 && row < rows ? counts[row * columns + column] : 0;
}

/** Return a function that reports the visible window to the page after a pause, and no window twice. */
export function windowReporter(send: (report: Report) => void) {
  let [told, waiting] = ["", ""];
  const sendReport = debounce((report: Report) => {
    if (told === waiting) return;
    told = waiting;
    send(report);
  }, REST);
  return {
    see(report: Report) {
      const now = JSON.stringify(report);
      if (now === waiting) return;
      waiting = now;
      sendReport(report);
    },
    stop: sendReport.cancel,
    /** Whether something is seen that the page has not been told of. */
    get due() {
      return waiting !== told;
    },
  };
}
