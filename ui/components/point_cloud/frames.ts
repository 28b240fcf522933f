// Points on a time axis: where they are at each step that is kept, and at every moment between two steps.

import { blend, boxOf, mixed } from "./model.js";
import { NONE, store } from "./store.js";

/** @typedef {import("./camera.js").Box} Box */
/** @typedef {import("./store.js").Frame} Frame */
/** @typedef {import("../_shared/lifecycle.js").Page} Page */
/**
 * @typedef {object} Told what a picture with a time axis is to show
 * @property {string} run
 * @property {string} words their address
 * @property {string[]} frames addresses of the steps there are
 * @property {number} last of the steps there are
 * @property {number} n_steps
 * @property {boolean} follow
 * @property {number} step
 * @property {number} step_turn
 * @property {number | null} chosen
 * @property {number} turn of the choice
 * @property {[index: number, similarity: number][]} neighbours
 * @property {string[]} axes
 * @property {2 | 3} dimensions
 * @property {number} height
 * @property {number} beside
 * @property {boolean} replay
 */
/** @typedef {Told & Pick<import("./store.js").Words, "texts" | "legend">} Header with what is written on the picture */
/**
 * @typedef {object} Timeline
 * @property {number[]} times of the frames, as timeOf counts
 * @property {Frame[]} frames the first step first
 */
/**
 * @typedef {object} Cast the words and how they are grouped
 * @property {string} name
 * @property {string} run
 * @property {number} count
 * @property {string[]} labels
 * @property {string[]} kinds
 * @property {Uint8Array} groups
 * @property {Uint8Array} kindOf
 * @property {number[][]} members the words of each kind, in order
 * @property {number[]} groupOfKind
 * @property {boolean} hasKinds
 * @property {Box} box that holds every place of every step
 * @property {number} newest time of the last step there is
 */
/** @typedef {Timeline & Cast} MotionModel */
/** @typedef {{ kind: number, centre: number[], share: number }} Gathering */

const EARLY = 12; // steps; until there time passes evenly, later ever more steps go by in the same time

/**
 * What a picture is told, with what is written on it; null while its words are on their way.
 * @param {Told} told
 * @param {Page} page
 * @returns {Header | null}
 */
export function withWords(told, page) {
  const words = store.get("words", told.words, page);
  return words && { ...told, texts: words.texts, legend: words.legend };
}

/**
 * What there is of a run; null while its words or its steps are on their way.
 * @param {Pick<Header, "run" | "words" | "frames" | "n_steps" | "legend">} header
 * @param {Page} page
 * @returns {MotionModel | null}
 */
export function motionModel({ run, words: name, frames: addresses, n_steps: nSteps, legend }, page) {
  const words = store.get("words", name, page);
  const chunks = addresses.map((address) => store.get("frames", address, page));
  if (!words || !chunks.length || chunks.includes(null)) return null;
  const frames = chunks.flatMap((chunk) => chunk?.frames ?? []);
  const { labels, kinds, groups, kindOf } = words;
  const members = kinds.map(() => /** @type {number[]} */ ([]));
  kindOf.forEach((kind, index) => kind !== NONE && members[kind].push(index));
  const groupOfKind = members.map((indices) => (indices.length ? groups[indices[0]] : NONE));
  const boxes = frames.map(({ places }) => boxOf(places, 3));
  const low = [0, 1, 2].map((axis) => Math.min(...boxes.map((box) => box.low[axis])));
  const high = [0, 1, 2].map((axis) => Math.max(...boxes.map((box) => box.high[axis])));
  const times = frames.map(({ step }) => timeOf(step, nSteps));
  const newest = times[times.length - 1];
  const hasKinds = legend.length > 0;
  const count = labels.length;
  const cast = { name, run, count, labels, kinds, groups, kindOf, members, groupOfKind, hasKinds };
  return { ...cast, box: { low, high }, frames, times, newest };
}

/**
 * From 0 for the first step to 1 for the last of the whole run, however many of them are there yet.
 * @param {number} step
 * @param {number} nSteps of the whole run
 */
export function timeOf(step, nSteps) {
  return Math.log1p(step / EARLY) / Math.log1p(Math.max(1, nSteps) / EARLY);
}

/**
 * The step at a time or the last before it, and the share of the way to the next.
 * @param {Pick<Timeline, "times">} timeline
 * @param {number} time
 */
export function momentAt({ times }, time) {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time + 1e-9) low = middle;
    else high = middle - 1;
  }
  if (low === times.length - 1) return { index: low, share: 0 };
  return { index: low, share: Math.max(0, Math.min(1, (time - times[low]) / (times[low + 1] - times[low]))) };
}

/**
 * Index of the step nearest to a time.
 * @param {Pick<Timeline, "times">} timeline
 * @param {number} time
 */
export function nearestFrame(timeline, time) {
  const { index, share } = momentAt(timeline, time);
  return share > 0.5 ? index + 1 : index;
}

/**
 * Where all words are at a time, on straight lines between two steps.
 * @param {Timeline} timeline
 * @param {number} time
 */
export function placesAt(timeline, time) {
  const { index, share } = momentAt(timeline, time);
  const { places } = timeline.frames[index];
  return share === 0 ? places : blend(places, timeline.frames[index + 1].places, share);
}

/**
 * A box on its way to a wanted one: there where it is nearly there.
 * @param {Box | null} box
 * @param {Box} wanted
 * @param {number} share of the rest of the way
 */
export function growBox(box, wanted, share) {
  if (!box) return { box: wanted, growing: false };
  const next = { low: mixed(box.low, wanted.low, share), high: mixed(box.high, wanted.high, share) };
  const span = Math.max(...wanted.high.map((high, axis) => high - wanted.low[axis])) || 1;
  /** @type {(end: "low" | "high") => number[]} */
  const off = (end) => wanted[end].map((value, axis) => Math.abs(value - next[end][axis]));
  const growing = Math.max(...off("low"), ...off("high")) > span * 1e-3;
  return { box: growing ? next : wanted, growing };
}

/**
 * How far each kind has come together: its middle, and how far its words lie from it as a share of how far all words
 * with a kind lie from theirs, about 1 for words laid out by chance; and the latter, in the axes' unit.
 * @param {Pick<MotionModel, "members" | "hasKinds">} model
 * @param {Float32Array} places (count, 3)
 * @param {number} axes that count
 * @returns {{ whole: number, kinds: Gathering[] }}
 */
export function gatherings({ members, hasKinds }, places, axes) {
  if (!hasKinds) return { whole: 0, kinds: [] };
  /** @param {number[]} indices */
  const spread = (indices) => {
    const centre = [0, 0, 0];
    for (const index of indices)
      for (let axis = 0; axis < 3; axis += 1) centre[axis] += places[3 * index + axis] / indices.length;
    let sum = 0;
    for (const index of indices)
      for (let axis = 0; axis < axes; axis += 1) sum += (places[3 * index + axis] - centre[axis]) ** 2;
    return { centre, reach: Math.sqrt(sum / Math.max(1, indices.length - 1)) };
  };
  const whole = spread(members.flat()).reach || 1;
  const kinds = members.map((indices, kind) => {
    if (!indices.length) return null;
    const { centre, reach } = spread(indices);
    return { kind, centre, share: indices.length > 1 ? reach / whole : 1 };
  });
  return { whole, kinds: kinds.filter((gathering) => gathering !== null) };
}

const SMOOTH = 1000 / 40; // milliseconds from a drawn frame to the next one, up to which all is well
const LONGEST = 200; // milliseconds between two pictures at most

/**
 * How often the picture is drawn: with every frame of the screen, or less often where drawing takes the browser so long
 * that the page beside it would starve. Time goes on all the same, in longer strides.
 */
export function newPace() {
  // Milliseconds from a drawn frame to the next one, smoothed; the same after one that was passed over.
  const cost = { drawn: 1000 / 60, idle: 1000 / 60 };
  let [lastDrawn, last, drew] = [-Infinity, -Infinity, false];
  return {
    /**
     * Tells whether a frame is to be drawn, and learns from when it came.
     * @param {number} now
     */
    isDue(now) {
      const since = now - last;
      if (since > 0 && since < 1000) {
        const of = drew ? "drawn" : "idle";
        cost[of] += (since - cost[of]) * 0.3;
      }
      last = now;
      // A screen that is slow by itself is no reason to draw less.
      const slow = cost.drawn > Math.max(SMOOTH, 1.3 * cost.idle);
      drew = !slow || now - lastDrawn >= Math.min(LONGEST, 2.5 * cost.drawn);
      if (drew) lastDrawn = now;
      return drew;
    },
    /** The next frame comes after a rest, and tells nothing. */
    rest() {
      last = -Infinity;
    },
  };
}
