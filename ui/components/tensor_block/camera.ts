// From where the block is seen. Parallel projection: one step along an axis is the same vector on the screen everywhere.
// Dimensions run to the right, positions down, the batch to the back.

import type { Index } from "./model.ts";

/** Where the block is drawn, in CSS pixels. */
type Plot = { x: number; y: number; width: number; height: number };
/** A place on the screen, in CSS pixels. */
export type Point = [x: number, y: number];
export interface Camera {
  lengths: number[]; // px of the block's edges, before it is rotated
  at: (index: number[]) => Point; // where a corner of a cell is
  steps: Point[]; // one cell along each axis
  facing: number[]; // above 0 where an axis' first side is seen, below 0 where its last is
}

export const CORNER: [yaw: number, pitch: number] = [30, 24]; // degrees to the side and from above: all three cuts are in sight
const EDGE_ON = 1e-3; // a side seen from its edge is not drawn
const EXPONENTS = Array.from({ length: 26 }, (_, step) => step / 50);
const MOST_GROWTH = 1.5; // of a side seen straight on, against the corner
const LEAST_SHARE = 0.1; // of what is seen, for the smallest of the three sides

/**
 * @param counts of cells along each axis
 * @param yaw degrees
 */
export function blockCamera(counts: Index, plot: Plot, yaw: number, pitch: number): Camera {
  const shape = edgeLengths(counts, plot);
  const scale = Math.min(fittingScale(shape, plot, yaw, pitch), MOST_GROWTH * fittingScale(shape, plot, ...CORNER));
  const lengths = shape.map((length) => length * scale);
  const { edges, facing } = projectEdges(lengths, yaw, pitch);
  const steps = edges.map(([x, y], axis): Point => [x / counts[axis], y / counts[axis]]);
  const middle = [plot.x + plot.width / 2, plot.y + plot.height / 2];
  const along = (index: number[], side: 0 | 1) =>
    index.reduce((sum, k, axis) => sum + steps[axis][side] * (k - counts[axis] / 2), middle[side]);
  return { lengths, at: (index) => [along(index, 0), along(index, 1)], steps, facing };
}

/** The three edges on the screen, each from its first index to its last, as CSS rotates them. */
function projectEdges([deep, tall, wide]: number[], yaw: number, pitch: number): { edges: Point[]; facing: number[] } {
  const [y, p] = [yaw, pitch].map((degrees) => (degrees * Math.PI) / 180);
  return {
    edges: [
      [-Math.sin(y) * deep, -Math.cos(y) * Math.sin(p) * deep],
      [0, Math.cos(p) * tall],
      [Math.cos(y) * wide, -Math.sin(y) * Math.sin(p) * wide],
    ],
    facing: [Math.cos(y) * Math.cos(p), Math.sin(p), Math.sin(y) * Math.cos(p)],
  };
}

function fittingScale(lengths: number[], plot: Plot, yaw: number, pitch: number) {
  const { edges } = projectEdges(lengths, yaw, pitch);
  const extent = (side: 0 | 1) => edges.reduce((sum, edge) => sum + Math.abs(edge[side]), 1e-9);
  return Math.min(plot.width / extent(0), plot.height / extent(1));
}

/**
 * A block of 8 x 4 x 256 drawn to scale is a needle: its edges grow with a power of the counts, that one by which its
 * sides fill the picture best.
 */
function edgeLengths(counts: Index, plot: Plot) {
  let best = { area: -1, lengths: [...counts] as number[] };
  for (const exponent of EXPONENTS) {
    const lengths = counts.map((count) => count ** exponent);
    const [deep, tall, wide] = lengths;
    const { facing } = projectEdges(lengths, ...CORNER);
    const sides = [tall * wide, deep * wide, deep * tall].map((side, axis) => side * facing[axis]);
    const sum = sides[0] + sides[1] + sides[2];
    const share = Math.min(1, Math.min(...sides) / sum / LEAST_SHARE);
    const area = sum * share * fittingScale(lengths, plot, ...CORNER) ** 2;
    if (area > best.area) best = { area, lengths };
  }
  return best.lengths;
}

/** The room of the block within the picture: round it stand labels, with less room on a phone. */
export function blockPlot(width: number, height: number): Plot {
  const [left, right, top, bottom] = width < 640 ? [58, 88, 30, 56] : [104, 180, 34, 68];
  return { x: left, y: top, width: Math.max(40, width - left - right), height: height - top - bottom };
}

/** The same direction within [-180, 180). */
export const wrapDegrees = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** A side of the block that is seen. */
export interface Face {
  axis: number; // that it lies across
  rows: number; // the axis that its rows run along
  columns: number;
  layer: number; // whose numbers it shows
  size: [rows: number, columns: number];
  width: number; // px before it is rotated
  height: number;
  transform: string; // of CSS, from the middle of the block
}

const FACE_AXES = [
  [1, 2],
  [0, 2],
  [1, 0],
]; // of the side across each axis: what its rows are, and its columns
const FACE_ROTATIONS = ["", "rotateX(-90deg)", "rotateY(90deg)"]; // of a side whose rows run down and columns to the right

/** The side across an axis that is seen, null for one that is seen from its edge. */
export function visibleFace(axis: number, { lengths, facing }: Camera, counts: Index, cut: Index): Face | null {
  if (Math.abs(facing[axis]) < EDGE_ON) return null;
  const [rows, columns] = FACE_AXES[axis];
  const corner = [...cut];
  if (facing[axis] < 0) corner[axis] = counts[axis];
  const [back, down, right] = corner.map((k, other) => lengths[other] * (k / counts[other] - 0.5));
  const left = (other: number) => (counts[other] - cut[other]) / counts[other]; // share that is not cut away
  return {
    axis,
    rows,
    columns,
    layer: facing[axis] > 0 ? cut[axis] : counts[axis] - 1,
    size: [counts[rows] - cut[rows], counts[columns] - cut[columns]],
    width: lengths[columns] * left(columns),
    height: lengths[rows] * left(rows),
    transform: `translate3d(${right}px, ${down}px, ${-back}px) ${FACE_ROTATIONS[axis]}`,
  };
}

/** The cell of a face at a place on it, in px before it is rotated. */
export function cellOnFace(
  { axis, rows, columns, layer, size, width, height }: Face,
  x: number,
  y: number,
  cut: Index,
) {
  const cell: Index = [0, 0, 0];
  const along = (share: number, count: number) => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
  cell[axis] = layer;
  cell[rows] = cut[rows] + along(y / height, size[0]);
  cell[columns] = cut[columns] + along(x / width, size[1]);
  return cell;
}

/**
 * The index where that edge along an axis starts which is labelled: where a side that is seen meets one that is not, so
 * that no text beside it lies on a number. None where the axis is seen from its end.
 */
export function labelledEdge({ at, facing }: Camera, counts: Index, cut: Index, axis: number): Index | undefined {
  const [p, q] = [0, 1, 2].filter((other) => other !== axis);
  const isSeen = (other: number, last: boolean) => (last ? -facing[other] : facing[other]) > EDGE_ON;
  const edges = [];
  for (const lastP of [false, true]) {
    for (const lastQ of [false, true]) {
      if (isSeen(p, lastP) === isSeen(q, lastQ)) continue;
      const start: Index = [...cut];
      if (lastP) start[p] = counts[p];
      if (lastQ) start[q] = counts[q];
      const middle = [...start];
      middle[axis] = (cut[axis] + counts[axis]) / 2;
      const [x, y] = at(middle);
      // Names of tokens stand to the right of the front, all else below.
      const inFront = axis !== 0 && isSeen(0, p === 0 ? lastP : lastQ) ? 1e5 : 0;
      edges.push({ start, rank: inFront + (axis === 1 ? x : y) + (axis === 0 ? -x / 1000 : 0) });
    }
  }
  return edges.sort((a, b) => b.rank - a.rank)[0]?.start;
}
