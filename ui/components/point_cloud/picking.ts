// In which order points are drawn, which of them is under the pointer, and which are marked by dragging around them.

import type { Theme } from "../_shared/colour.ts";

export const PLAIN = 0;
export const DIM = 1;
export const FRONT = 2;
export const FAINT = 3; // a moving word of no kind, where others have one

/**
 * Indices of the points, least first: dim points below plain ones below those that stand out; within each by depth
 * where there is one, else in an order that mixes kinds and ids, the same every time.
 */
export function drawOrder(count: number, states: Uint8Array, depths: Float32Array | null) {
  const buckets = new Uint32Array(3 * 0x4000 + 1);
  const keys = new Uint16Array(count);
  const layers = [1, 0, 2, 0]; // of PLAIN, DIM, FRONT, FAINT
  let [least, greatest] = [Infinity, -Infinity];
  if (depths) {
    for (let at = 0; at < count; at += 1) {
      if (depths[at] < least) least = depths[at];
      if (depths[at] > greatest) greatest = depths[at];
    }
  }
  const perUnit = greatest > least ? 0x3fff / (greatest - least) : 0;
  for (let at = 0; at < count; at += 1) {
    const within = depths ? (depths[at] - least) * perUnit : Math.imul(at, 2654435761) >>> 18;
    keys[at] = layers[states[at]] * 0x4000 + within;
    buckets[keys[at] + 1] += 1;
  }
  for (let key = 1; key < buckets.length; key += 1) buckets[key] += buckets[key - 1];
  const order = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) order[buckets[keys[at]]++] = at;
  return order;
}

/**
 * The nearest point to (x, y), null where none is within reach. Even among 65,000 points it takes less than a frame.
 * @param screen (count, 2)
 * @param favour pixels by which a point counts as nearer
 */
export function pick(
  screen: Float32Array,
  x: number,
  y: number,
  reach: number,
  favour: (index: number) => number = () => 0,
) {
  let [best, least]: [number | null, number] = [null, reach];
  for (let at = 0; at < screen.length / 2; at += 1) {
    const distance = Math.hypot(screen[2 * at] - x, screen[2 * at + 1] - y);
    if (distance > 2 * reach) continue;
    const effective = distance - favour(at);
    if (effective < least) [best, least] = [at, effective];
  }
  return best;
}

/**
 * Point indices by their distance from (x, y) on the screen, the nearest first.
 * @param screen (count, 2)
 */
export function nearestOnScreen(screen: Float32Array, count: number, x: number, y: number, howMany: number) {
  const distances = new Float32Array(count);
  for (let at = 0; at < count; at += 1) distances[at] = Math.hypot(screen[2 * at] - x, screen[2 * at + 1] - y);
  return Array.from(distances.keys())
    .sort((a, b) => distances[a] - distances[b] || a - b)
    .slice(0, howMany);
}

/** Corners of a polygon on the screen: [x, y] each. */
type Corners = number[][];

/**
 * @param screen (count, 2)
 * @returns 1 for each point inside
 */
export function pointsInside(corners: Corners, screen: Float32Array, count: number): Uint8Array {
  const inside = new Uint8Array(count);
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => corner[axis]));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  for (let at = 0; at < count; at += 1) {
    const [x, y] = [screen[2 * at], screen[2 * at + 1]];
    if (x < left || x > right || y < top || y > bottom) continue;
    let odd = false;
    for (let i = 0, j = corners.length - 1; i < corners.length; j = i, i += 1) {
      const [[x1, y1], [x2, y2]] = [corners[i], corners[j]];
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) odd = !odd;
    }
    if (odd) inside[at] = 1;
  }
  return inside;
}

export const boxCorners = ([x1, y1]: number[], [x2, y2]: number[]): Corners => [
  [x1, y1],
  [x2, y1],
  [x2, y2],
  [x1, y2],
];

/**
 * One bit per point, the first in the lowest bit, as base64.
 * @param bytes 0 or 1 each
 */
export function bitsText(bytes: Uint8Array) {
  const packed = new Uint8Array(Math.ceil(bytes.length / 8));
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at]) packed[at >> 3] |= 1 << (at & 7);
  let text = "";
  for (let at = 0; at < packed.length; at += 0x2000) text += String.fromCharCode(...packed.subarray(at, at + 0x2000));
  return btoa(text);
}

/** @returns 0 or 1 each */
export function bitsOf(packed: Uint8Array, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) bytes[at] = (packed[at >> 3] >> (at & 7)) & 1;
  return bytes;
}

export function drawRegion(context: CanvasRenderingContext2D, corners: Corners, theme: Theme) {
  context.beginPath();
  for (const [x, y] of corners) context.lineTo(x, y);
  context.closePath();
  context.globalAlpha = 0.12;
  context.fillStyle = theme.accent;
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = 2;
  context.setLineDash([6, 5]);
  context.strokeStyle = theme.accent;
  context.stroke();
  context.setLineDash([]);
}
