// From where the block is seen. Parallel projection: one step along an axis is the same vector on the screen everywhere,
// so that every face is an affine picture. Dimensions run to the right, positions down, the batch to the back.

import { turnMatrix } from "../_shared/camera.ts";
import type { Box as Plot } from "../_shared/canvas.ts";

/** A place on the screen, in CSS pixels. */
export type Point = [x: number, y: number];
export interface Camera {
  at: (index: number[]) => Point; // where a corner of a cell is
  steps: Point[]; // one cell along each axis
  facing: number[]; // above 0 where an axis' first side is seen, below 0 where its last is
}

export const CORNER: [yaw: number, pitch: number] = [30, 24]; // degrees to the side and from above: all three cuts are in sight
const EXPONENTS = Array.from({ length: 26 }, (_, step) => step / 50);
const MOST_GROWTH = 1.5; // of a side seen straight on, against the corner
const LEAST_SHARE = 0.1; // of what is seen, for the smallest of the three sides

/**
 * @param counts of cells along each axis
 * @param yaw degrees
 */
export function blockCamera(counts: number[], plot: Plot, yaw: number, pitch: number): Camera {
  const lengths = edgeLengths(counts, plot);
  const scale = Math.min(fittingScale(lengths, plot, yaw, pitch), MOST_GROWTH * fittingScale(lengths, plot, ...CORNER));
  const { edges, facing } = turnedEdges(lengths, yaw, pitch);
  const steps = edges.map(([x, y], axis) => [(x * scale) / counts[axis], (y * scale) / counts[axis]] as Point);
  const middle = [plot.x + plot.width / 2, plot.y + plot.height / 2];
  const along = (index: number[], side: 0 | 1) =>
    index.reduce((sum, k, axis) => sum + steps[axis][side] * (k - counts[axis] / 2), middle[side]);
  return { at: (index) => [along(index, 0), along(index, 1)], steps, facing };
}

/** The three edges on the screen, each from its first index to its last. */
function turnedEdges([deep, tall, wide]: number[], yaw: number, pitch: number): { edges: Point[]; facing: number[] } {
  // Dimensions along the body's first axis, positions along its second, downwards as the screen counts, samples along
  // its third.
  const [xx, , xz, yx, yy, yz, zx, zy, zz] = turnMatrix((-yaw * Math.PI) / 180, (pitch * Math.PI) / 180);
  return {
    edges: [
      [xz * deep, yz * deep],
      [0, yy * tall],
      [xx * wide, yx * wide],
    ],
    facing: [zz, zy, zx],
  };
}

function fittingScale(lengths: number[], plot: Plot, yaw: number, pitch: number) {
  const { edges } = turnedEdges(lengths, yaw, pitch);
  const extent = (side: 0 | 1) => edges.reduce((sum, edge) => sum + Math.abs(edge[side]), 1e-9);
  return Math.min(plot.width / extent(0), plot.height / extent(1));
}

/**
 * A block of 8 x 4 x 256 drawn to scale is a needle: its edges grow with a power of the counts, that one by which its
 * faces fill the picture best.
 */
function edgeLengths(counts: number[], plot: Plot) {
  let best = { area: -1, lengths: counts };
  for (const exponent of EXPONENTS) {
    const lengths = counts.map((count) => count ** exponent);
    const scale = fittingScale(lengths, plot, ...CORNER);
    const [a, b, c] = turnedEdges(lengths, ...CORNER).edges;
    const across = ([x, y]: Point, [u, v]: Point) => Math.abs(x * v - y * u);
    const sides = [across(a, b), across(b, c), across(a, c)];
    const sum = sides[0] + sides[1] + sides[2];
    const area = sum * scale ** 2 * Math.min(1, Math.min(...sides) / sum / LEAST_SHARE);
    if (area > best.area) best = { area, lengths };
  }
  return best.lengths;
}

/** Round the labels there is less room on a phone. */
export function blockPlot(width: number, height: number): Plot {
  const [left, right, top, bottom] = width < 640 ? [58, 88, 14, 56] : [104, 214, 18, 68];
  return { x: left, y: top, width: Math.max(40, width - left - right), height: height - top - bottom };
}

/** The same direction within [-180, 180). */
export const wrapped = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;
