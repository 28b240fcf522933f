// The points as they are drawn: centred, scaled to a box from -1 to 1 with one scale for all axes, with names and ids.

import type { Page } from "../_shared/lifecycle.ts";
import type { Box } from "./camera.ts";
import { store } from "./store.ts";

/** (value - centre) * scale lies in -1..1; box in those units. */
export type Frame = Box & { centre: number[]; scale: number };
export interface Model {
  fingerprint: string;
  namesName: string; // the part of the fingerprint that says what the points are called
  count: number;
  ids: ArrayLike<number>;
  labels: string[];
  spots: Float32Array<ArrayBuffer>; // (count, 3), in the frame's units
  frame: Frame;
  contours?: Float32Array; // of their density, once they are drawn
}

/**
 * The points of a fingerprint; null while they are on their way.
 * @param fingerprint "names.places", their addresses
 * @param box that all points lie in, where these are not all
 */
export function pointModel(fingerprint: string, box: Box | null, page: Page): Model | null {
  const [namesName, placesName] = fingerprint.split(".");
  const [names, places] = [store.get("names", namesName, page), store.get("places", placesName, page)];
  if (!names || !places) return null;
  const { columns, values } = places;
  const frame = frameOf(box ?? boxOf(values, columns));
  const spots = toFrameSpots(frame, values, columns);
  return { fingerprint, namesName, count: names.count, ids: names.ids, labels: names.labels, spots, frame };
}

/**
 * The least and the greatest along each axis; 0 where there are no points, or no such column.
 * @param values (count, columns)
 */
export function boxOf(values: Float32Array, columns: number): Box {
  const [low, high] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (let axis = 0; axis < columns; axis += 1) {
    let [least, greatest] = [Infinity, -Infinity];
    for (let at = axis; at < values.length; at += columns) {
      const value = values[at];
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
    if (least <= greatest) [low[axis], high[axis]] = [least, greatest];
  }
  return { low, high };
}

/** @param box in the coordinates' own units */
export function frameOf({ low, high }: Box): Frame {
  const centre = low.map((value, axis) => value / 2 + high[axis] / 2);
  const half = Math.max(...high.map((value, axis) => value - centre[axis]));
  // Points that are all in one place get room around them in proportion to where they are.
  const scale = half > 0 ? 1 / half : 1 / Math.max(1, ...centre.map((value) => Math.abs(value) / 10));
  const reach = half > 0 ? high.map((value, axis) => (value - centre[axis]) * scale) : [1, 1, 1];
  return { centre, scale, low: reach.map((value) => -value), high: reach };
}

export const toFrame = (frame: Pick<Frame, "centre" | "scale">, place: number[]) =>
  place.map((value, axis) => (value - frame.centre[axis]) * frame.scale);

/**
 * Places in the frame's units: (count, 3).
 * @param places (count, columns)
 */
export function toFrameSpots(
  { centre, scale }: Pick<Frame, "centre" | "scale">,
  places: Float32Array,
  columns: number = 3,
) {
  const spots = new Float32Array((3 * places.length) / columns);
  for (let at = 0; at < places.length; at += 1) {
    const axis = at % columns;
    spots[(3 * (at - axis)) / columns + axis] = (places[at] - centre[axis]) * scale;
  }
  return spots;
}

export const fromFrame = (frame: Pick<Frame, "centre" | "scale">, spot: number[]) =>
  spot.map((value, axis) => value / frame.scale + frame.centre[axis]);

/**
 * For each new point the old one of the same id and label, -1 where there is none; null where less than half have one.
 */
function sameAsBefore(before: Model, after: Model) {
  const old = new Int32Array(after.count).fill(-1);
  if (before.namesName === after.namesName) return old.map((_, at) => at);
  const where = new Map();
  for (let at = 0; at < before.count; at += 1) where.set(before.ids[at], at);
  let found = 0;
  for (let at = 0; at < after.count; at += 1) {
    const there = where.get(after.ids[at]);
    if (there === undefined || before.labels[there] !== after.labels[at]) continue;
    old[at] = there;
    found += 1;
  }
  return found * 2 > after.count ? old : null;
}

/**
 * Where points start from on their way to new places: their old ones, as drawn now; new points stand still.
 * @param now where the old points are drawn
 */
export function startingSpots(before: Model, now: Float32Array, after: Model) {
  const old = sameAsBefore(before, after);
  if (!old) return null;
  const start = after.spots.slice();
  for (let at = 0; at < after.count; at += 1) {
    if (old[at] >= 0) for (let axis = 0; axis < 3; axis += 1) start[3 * at + axis] = now[3 * old[at] + axis];
  }
  return start;
}

/**
 * Numbers on the way from some to others.
 * @param share of the way
 */
export function blend(from: Float32Array, to: Float32Array, share: number) {
  const spots = new Float32Array(to.length);
  for (let at = 0; at < to.length; at += 1) spots[at] = from[at] + (to[at] - from[at]) * share;
  return spots;
}

/**
 * A place on the way from one to another.
 * @param share of the way
 */
export const interpolate = (from: number[], to: number[], share: number) =>
  from.map((value, axis) => value + (to[axis] - value) * share);

/** The smallest box around a frame's points and some more of them. */
export function boxAround(frame: Box, spots: number[][]): Box {
  const box = { low: [...frame.low], high: [...frame.high] };
  for (const spot of spots) {
    for (let axis = 0; axis < 3; axis += 1) {
      box.low[axis] = Math.min(box.low[axis], spot[axis]);
      box.high[axis] = Math.max(box.high[axis], spot[axis]);
    }
  }
  return box;
}
