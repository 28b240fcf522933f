// The points as they are drawn: centred, scaled to a box from -1 to 1 with one scale for all axes, with names and ids.

import { store } from "./store.js";

/** @typedef {import("./camera.js").Box} Box */
/** @typedef {Box & { centre: number[], scale: number }} Frame (value - centre) * scale lies in -1..1; box in those units */
/**
 * @typedef {object} Model
 * @property {string} fingerprint
 * @property {string} namesName the part of the fingerprint that says what the points are called
 * @property {number} count
 * @property {ArrayLike<number>} ids
 * @property {string[]} labels
 * @property {Float32Array<ArrayBuffer>} spots (count, 3), in the frame's units
 * @property {Frame} frame
 */

/**
 * The points of a fingerprint; null while they are on their way.
 * @param {string} fingerprint "names.places", their addresses
 * @param {Box | null} box that all points lie in, where these are not all
 * @param {import("../_shared/lifecycle.js").Page} page
 * @returns {Model | null}
 */
export function pointModel(fingerprint, box, page) {
  const [namesName, placesName] = fingerprint.split(".");
  const [names, places] = [store.get("names", namesName, page), store.get("places", placesName, page)];
  if (!names || !places) return null;
  const { columns, values } = places;
  const frame = frameOf(box ?? boxOf(values, columns));
  const spots = new Float32Array(3 * names.count);
  for (let at = 0; at < names.count; at += 1) {
    for (let axis = 0; axis < columns; axis += 1) {
      spots[3 * at + axis] = (values[columns * at + axis] - frame.centre[axis]) * frame.scale;
    }
  }
  return { fingerprint, namesName, count: names.count, ids: names.ids, labels: names.labels, spots, frame };
}

/**
 * The least and the greatest along each axis; 0 where there are no points, or no such column.
 * @param {Float32Array} values (count, columns)
 * @param {number} columns
 * @returns {Box}
 */
export function boxOf(values, columns) {
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

/**
 * @param {Box} box in the coordinates' own units
 * @returns {Frame}
 */
export function frameOf({ low, high }) {
  const centre = low.map((value, axis) => value / 2 + high[axis] / 2);
  const half = Math.max(...high.map((value, axis) => value - centre[axis]));
  // Points that are all in one place get room around them in proportion to where they are.
  const scale = half > 0 ? 1 / half : 1 / Math.max(1, ...centre.map((value) => Math.abs(value) / 10));
  const reach = half > 0 ? high.map((value, axis) => (value - centre[axis]) * scale) : [1, 1, 1];
  return { centre, scale, low: reach.map((value) => -value), high: reach };
}

/**
 * @param {Frame} frame
 * @param {number[]} place
 */
export const framed = (frame, place) => place.map((value, axis) => (value - frame.centre[axis]) * frame.scale);

/**
 * For each new point the old one of the same id and label, -1 where there is none; null where less than half have one.
 * @param {Model} before
 * @param {Model} after
 */
function sameAsBefore(before, after) {
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
 * @param {Model} before
 * @param {Float32Array} now where the old points are drawn
 * @param {Model} after
 */
export function startingSpots(before, now, after) {
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
 * @param {Float32Array} from
 * @param {Float32Array} to
 * @param {number} share of the way
 */
export function blend(from, to, share) {
  const spots = new Float32Array(to.length);
  for (let at = 0; at < to.length; at += 1) spots[at] = from[at] + (to[at] - from[at]) * share;
  return spots;
}

/**
 * A place on the way from one to another.
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} share of the way
 */
export const mixed = (from, to, share) => from.map((value, axis) => value + (to[axis] - value) * share);

/**
 * The smallest box around a frame's points and some more of them.
 * @param {Box} frame
 * @param {number[][]} spots
 * @returns {Box}
 */
export function boxAround(frame, spots) {
  const box = { low: [...frame.low], high: [...frame.high] };
  for (const spot of spots) {
    for (let axis = 0; axis < 3; axis += 1) {
      box.low[axis] = Math.min(box.low[axis], spot[axis]);
      box.high[axis] = Math.max(box.high[axis], spot[axis]);
    }
  }
  return box;
}
