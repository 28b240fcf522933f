// The sides of the block that are seen: which layers of numbers they show, which cell is where, and which edges lie on
// the outline.

import type { Camera, Point } from "./camera.ts";
import type { Index } from "./model.ts";

export interface Face {
  axis: number; // that it lies across
  rows: number; // the axis that its rows run along
  columns: number;
  corner: Index; // where it begins
  first: boolean; // whether it is the axis' first side
  layer: number; // whose numbers it shows
  origin: Point; // of its first cell on the screen
  right: Point; // one cell on
  down: Point;
  size: [columns: number, rows: number];
}

export const FACE_AXES = [
  [1, 2],
  [0, 2],
  [1, 0],
]; // of the side across each axis: what its rows are, and its columns
export const EDGE_ON = 1e-3; // a side seen from its edge is not drawn

export function visibleFaces(camera: Camera, counts: Index, cut: Index): Face[] {
  return [0, 1, 2].flatMap((axis) => {
    if (Math.abs(camera.facing[axis]) < EDGE_ON) return [];
    const first = camera.facing[axis] > 0;
    const [rows, columns] = FACE_AXES[axis];
    const corner: Index = [...cut];
    corner[axis] = first ? cut[axis] : counts[axis];
    const face: Face = {
      axis,
      rows,
      columns,
      corner,
      first,
      layer: first ? cut[axis] : counts[axis] - 1,
      origin: camera.at(corner),
      right: camera.steps[columns],
      down: camera.steps[rows],
      size: [counts[columns] - cut[columns], counts[rows] - cut[rows]],
    };
    return [face];
  });
}

/** The cell that is seen at a place on the screen, or null. */
export function cellUnder(faces: Face[], x: number, y: number): Index | null {
  for (const { axis, rows, columns, corner, layer, origin, right, down, size } of faces) {
    const across = right[0] * down[1] - right[1] * down[0];
    if (Math.abs(across) < 1e-9) continue;
    const [dx, dy] = [x - origin[0], y - origin[1]];
    const column = Math.floor((dx * down[1] - dy * down[0]) / across);
    const row = Math.floor((right[0] * dy - right[1] * dx) / across);
    if (column < 0 || row < 0 || column >= size[0] || row >= size[1]) continue;
    const cell: Index = [0, 0, 0];
    cell[axis] = layer;
    cell[rows] = corner[rows] + row;
    cell[columns] = corner[columns] + column;
    return cell;
  }
  return null;
}

/** The corners on the screen of that part of a side which lies between two corners of the block. */
export function faceQuad(
  camera: Camera,
  { rows, columns, corner }: { rows: number; columns: number; corner: number[] },
  low: number[],
  high: number[],
) {
  const at = (row: number, column: number) => {
    const index = [...corner];
    index[rows] = row;
    index[columns] = column;
    return camera.at(index);
  };
  return [
    at(low[rows], low[columns]),
    at(low[rows], high[columns]),
    at(high[rows], high[columns]),
    at(high[rows], low[columns]),
  ];
}

/**
 * One of the four edges along an axis, as the index where it starts: where a side that is seen meets one that is not,
 * so that no text beside it lies on a number. None where the axis is seen from its end.
 */
export function outlineEdge(camera: Camera, counts: Index, cut: Index, axis: number) {
  const [p, q] = [0, 1, 2].filter((other) => other !== axis);
  const seen = (other: number, last: boolean) =>
    last ? camera.facing[other] < -EDGE_ON : camera.facing[other] > EDGE_ON;
  const edges = [];
  for (const lastP of [false, true]) {
    for (const lastQ of [false, true]) {
      if (seen(p, lastP) === seen(q, lastQ)) continue;
      const start: Index = [...cut];
      if (lastP) start[p] = counts[p];
      if (lastQ) start[q] = counts[q];
      const middle = [...start];
      middle[axis] = (cut[axis] + counts[axis]) / 2;
      const [x, y] = camera.at(middle);
      // Names of tokens stand to the right of the front, all else below.
      const inFront = axis !== 0 && seen(0, p === 0 ? lastP : lastQ) ? 1e5 : 0;
      edges.push({ start, rank: inFront + (axis === 1 ? x : y) + (axis === 0 ? -x / 1000 : 0) });
    }
  }
  return edges.sort((a, b) => b.rank - a.rank)[0]?.start;
}

/**
 * Which indices along an edge get their number: from the first that is left to the last, every one or every second,
 * fourth, eighth.
 * @param length of the edge in pixels
 * @param room that a number needs
 */
export function tickIndices(first: number, count: number, length: number, room: number) {
  const each = length / (count - first);
  let step = 1;
  while (step * each < room) step *= 2;
  const ticks = [first];
  for (let k = (Math.floor(first / step) + 1) * step; k < count; k += step) {
    if ((k - first) * each >= room) ticks.push(k);
  }
  const last = count - 1;
  const before = ticks[ticks.length - 1];
  if (before === last) return ticks;
  if (ticks.length > 1 && (last - before) * each < room) ticks.pop();
  if ((last - ticks[ticks.length - 1]) * each >= room) ticks.push(last);
  return ticks;
}
