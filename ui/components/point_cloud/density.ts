// More points than are drawn: how many lie in each cell, as an image under the few that are, and what of the picture is
// seen, which the page counts in anew.

import { clipped } from "../_shared/canvas.js";
import { contextOf } from "../_shared/elements.js";
import { project, unproject } from "./camera.js";

/** @typedef {import("./camera.js").Plot} Plot */
/** @typedef {import("./camera.js").View} View */
/** @typedef {import("./model.js").Frame} Frame */
/** @typedef {import("./store.js").Cells} Cells */
/** @typedef {[left: number, bottom: number, right: number, top: number]} Window in the units of the coordinates */
/**
 * @typedef {object} Extent what Python says of all points, where the picture has some of them
 * @property {[number, number]} low that all points lie above
 * @property {[number, number]} high that they lie below
 * @property {number} count of all points
 * @property {Window | null} window that is shown at first, and where `turn` has changed; null for all
 * @property {number} turn number of the page's last wish for a window
 * @property {string} cells fingerprint of the counts, "" where the points themselves are here
 * @property {Window | null} over where the cells are
 * @property {number} most points in one cell
 */
/** @typedef {{ picture: string, seen: Window, size: [number, number], window: boolean | null }} Report what is seen */

export const REST = 150; // milliseconds without a move, after which the page is asked to count

/**
 * The colour of a cell, as an index: even steps of the palette are equal factors, from one point to the most.
 * @param {number} count at least 1
 * @param {number} most
 * @param {number} colours
 */
export function tintOf(count, most, colours) {
  return most > 1 ? Math.round((Math.log(count) / Math.log(most)) * (colours - 1)) : 0;
}

/**
 * The cells as pixels; those without points are transparent.
 * @param {Cells} cells
 * @param {number} most
 * @param {Uint8Array} palette RGBA
 * @param {number} colours
 * @returns {Uint8ClampedArray<ArrayBuffer>} RGBA
 */
export function cellPixels({ counts }, most, palette, colours) {
  const known = Array.from({ length: 256 }, (_, count) => 4 * tintOf(Math.max(1, count), most, colours));
  const pixels = new Uint8ClampedArray(4 * counts.length);
  for (let at = 0; at < counts.length; at += 1) {
    const count = counts[at];
    if (!count) continue;
    const from = count < 256 ? known[count] : 4 * tintOf(count, most, colours);
    for (let channel = 0; channel < 4; channel += 1) pixels[4 * at + channel] = palette[from + channel];
  }
  return pixels;
}

/**
 * @param {Cells} cells
 * @param {number} most
 * @param {Uint8Array} palette RGBA
 * @param {number} colours
 */
export function cellImage(cells, most, palette, colours) {
  const image = document.createElement("canvas");
  [image.width, image.height] = [cells.columns, cells.rows];
  const pixels = new ImageData(cellPixels(cells, most, palette, colours), cells.columns, cells.rows);
  contextOf(image).putImageData(pixels, 0, 0);
  return image;
}

/**
 * Draws the cells where they lie in the view, each as large as it is seen there.
 * @param {CanvasRenderingContext2D} context
 * @param {HTMLCanvasElement} image
 * @param {Window} over
 * @param {View} view
 * @param {Frame} frame
 */
export function drawCells(context, image, over, view, frame) {
  const corner = (/** @type {number} */ x, /** @type {number} */ y) =>
    project(view, [(x - frame.centre[0]) * frame.scale, (y - frame.centre[1]) * frame.scale, 0]);
  const [[left, bottom], [right, top]] = [corner(over[0], over[1]), corner(over[2], over[3])];
  clipped(context, view.plot, () => {
    context.imageSmoothingEnabled = false;
    context.drawImage(image, left, top, right - left, bottom - top);
  });
}

/**
 * The rectangle that is seen of the flat picture.
 * @param {View} view
 * @param {Frame} frame
 * @returns {Window}
 */
export function seenWindow(view, frame) {
  const { plot } = view;
  const at = (/** @type {number} */ x, /** @type {number} */ y) =>
    unproject(view, x, y).map((value, axis) => value / frame.scale + frame.centre[axis]);
  const [[left, bottom], [right, top]] = [at(plot.x, plot.y + plot.height), at(plot.x + plot.width, plot.y)];
  return [left, bottom, right, top];
}

/**
 * How to stand so that a window fills the picture.
 * @param {Window} window
 * @param {Frame} frame
 * @param {View} view of the same picture, at any zoom
 */
export function facing([left, bottom, right, top], frame, { plot, scale, zoom }) {
  const middle = [(left + right) / 2, (bottom + top) / 2];
  const wanted = Math.min(plot.width / (right - left), plot.height / (top - bottom)) / frame.scale; // pixels per unit
  return {
    zoom: (zoom * wanted) / scale,
    centre: [...middle.map((value, axis) => (value - frame.centre[axis]) * frame.scale), 0],
  };
}

/**
 * How many points lie in the cell at a place of the screen; 0 where there is no cell.
 * @param {Cells} cells
 * @param {Window} over where they are
 * @param {View} view
 * @param {Frame} frame
 * @param {number} x
 * @param {number} y
 */
export function countAt({ columns, rows, counts }, over, view, frame, x, y) {
  const [across, up] = unproject(view, x, y).map((value, axis) => value / frame.scale + frame.centre[axis]);
  const column = Math.floor(((across - over[0]) / (over[2] - over[0])) * columns);
  const row = Math.floor(((over[3] - up) / (over[3] - over[1])) * rows);
  return column >= 0 && column < columns && row >= 0 && row < rows ? counts[row * columns + column] : 0;
}

/**
 * Tells the page what is seen once nothing has moved for a while, and nothing twice.
 * @param {(report: Report) => void} send
 */
export function newLookout(send) {
  let [told, waiting] = ["", ""];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return {
    /** @param {Report} report */
    see(report) {
      const now = JSON.stringify(report);
      if (now === waiting) return;
      clearTimeout(timer);
      waiting = now;
      if (now === told) return;
      timer = setTimeout(() => {
        told = now;
        send(report);
      }, REST);
    },
    stop: () => clearTimeout(timer),
    /** Whether something is seen that the page has not been told of. */
    get due() {
      return waiting !== told;
    },
  };
}
