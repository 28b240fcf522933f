// Colour scales for numbers, text colours on them, matrices as pictures, and the theme's colours.

import { canvasContext } from "./elements.ts";

const SCALE_STEPS = 127; // index 0 is -limit, 127 zero, 254 +limit
const CLEAR = 2 * SCALE_STEPS + 1; // the index of transparent cells

/** Returns a number's CSS colour. */
type Colour = (value: number) => string;
export interface Scale {
  limit: number; // the number with the last colour; -limit has the first
  stops: string[]; // the scale's colours, evenly spaced
  // colour of each index, as ImageData stores a pixel on a little-endian machine; the last is transparent
  packed: Uint32Array;
  index: (value: number) => number; // of a number's colour
  css: Colour;
  ink: Colour; // black or white, for text on it
}
export type Theme = Record<"ground" | "panel" | "ink" | "accent" | "line" | "font", string>;

/**
 * @param stops colours as "#rrggbb", evenly spaced from -limit to +limit
 * @param limit above 0
 */
export function colourScale(stops: string[], limit: number): Scale {
  const rgb = stops.map((stop) => [1, 3, 5].map((start) => parseInt(stop.slice(start, start + 2), 16)));
  const table = Array.from({ length: 2 * SCALE_STEPS + 1 }, (_, index) => {
    const place = (index / (2 * SCALE_STEPS)) * (rgb.length - 1);
    const left = Math.min(Math.floor(place), rgb.length - 2);
    return rgb[left].map((channel, c) => Math.round(channel + (place - left) * (rgb[left + 1][c] - channel)));
  });
  const packed = new Uint32Array(CLEAR + 1);
  table.forEach(([r, g, b], index) => (packed[index] = (255 << 24) | (b << 16) | (g << 8) | r));
  const scale: Scale = {
    limit,
    stops,
    packed,
    index: (value) =>
      SCALE_STEPS + Math.max(-SCALE_STEPS, Math.min(SCALE_STEPS, Math.round((value / limit) * SCALE_STEPS))),
    css: (value) => `rgb(${table[scale.index(value)].join(" ")})`,
    ink: (value) => contrastingInk(table[scale.index(value)]),
  };
  return scale;
}

/** Return black or white, whichever has more contrast: at least 4.58:1 on any colour. */
function contrastingInk(rgb: number[]) {
  const [r, g, b] = rgb.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (luminance + 0.05) ** 2 > 0.0525 ? "#000000" : "#ffffff";
}

/**
 * Draw a matrix of colour indices as a picture of one pixel per cell, to be scaled up without smoothing.
 * @param indices row by row
 */
export function paintIndices(indices: ArrayLike<number>, lines: number, columns: number, scale: Pick<Scale, "packed">) {
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = lines;
  const context = canvasContext(canvas);
  const image = context.createImageData(columns, lines);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = scale.packed[indices[i]];
  context.putImageData(image, 0, 0);
  return canvas;
}

/**
 * Shrink a matrix to at most so many rows and columns by the mean of whole groups of cells, so that a picture with less
 * than a pixel per cell drops none. Groups are even: others would beat with columns that alternate, such as sin and
 * cos.
 * @param values row after row; NaN is passed over, and a group of nothing else is NaN
 * @returns extent: the shape in groups, with a fraction where the last group is not full
 */
export function downscale(
  values: Float32Array,
  [rows, columns]: [rows: number, columns: number],
  [mostRows, mostColumns]: [rows: number, columns: number],
): { values: Float32Array; shape: [rows: number, columns: number]; extent: [rows: number, columns: number] } {
  const groupSize = (count: number, limit: number) => (count <= limit ? 1 : 2 * Math.ceil(count / limit / 2));
  const [tall, wide] = [groupSize(rows, mostRows), groupSize(columns, mostColumns)];
  const [height, width] = [Math.ceil(rows / tall), Math.ceil(columns / wide)];
  const sums = new Float64Array(height * width);
  const counts = new Float64Array(height * width);
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const value = values[row * columns + column];
      const group = Math.floor(row / tall) * width + Math.floor(column / wide);
      if (Number.isNaN(value)) continue;
      sums[group] += value;
      counts[group] += 1;
    }
  const means = Float32Array.from(sums, (sum, group) => sum / counts[group]);
  return { values: means, shape: [height, width], extent: [rows / tall, columns / wide] };
}

/** Return the colour index of each number; NaN is transparent. */
export function colourIndices(values: Float32Array, scale: Pick<Scale, "index">) {
  return Uint8Array.from(values, (value) => (Number.isNaN(value) ? CLEAR : scale.index(value)));
}

/** Read the theme's colours and font, for canvases. */
export function readTheme(element: Element): Theme {
  const style = getComputedStyle(element);
  const read = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  return {
    ground: read("--st-background-color", "#ffffff"),
    panel: read("--st-secondary-background-color", "#eeeeee"),
    ink: read("--st-text-color", "#111111"),
    accent: read("--st-primary-color", "#0b5cad"),
    line: read("--st-border-color", "#c3cad3"),
    font: read("--st-font", "sans-serif"),
  };
}
