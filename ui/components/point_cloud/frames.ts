// Points on a time axis: where they are at each step that is kept, and at every moment between two steps.

import type { Page } from "../_shared/lifecycle.ts";
import type { Box } from "./camera.ts";
import { blend, boxOf, interpolate } from "./model.ts";
import { type Frame, NONE, store, type Words } from "./store.ts";

/** Python's data of a picture with a time axis. */
export interface MotionData {
  run: string;
  words: string; // their address
  frames: string[]; // addresses of the steps there are
  last: number; // of the steps there are
  n_steps: number;
  follow: boolean;
  step: number;
  step_turn: number;
  chosen: number | null;
  turn: number; // of the choice
  neighbours: [index: number, similarity: number][];
  axes: string[];
  dimensions: 2 | 3;
  height: number;
  beside: number;
  replay: boolean;
}
/** All that is told, with what is written on the picture. */
export type Header = MotionData & Pick<Words, "texts" | "legend">;
interface Timeline {
  times: number[]; // of the frames, as timeOf counts
  frames: Frame[]; // the first step first
}
/** The words and how they are grouped. */
interface Cast {
  name: string;
  run: string;
  count: number;
  labels: string[];
  kinds: string[];
  groups: Uint8Array;
  kindOf: Uint8Array;
  members: number[][]; // the words of each kind, in order
  groupOfKind: number[];
  hasKinds: boolean;
  box: Box; // that holds every place of every step
  newest: number; // time of the last step there is
}
export type MotionModel = Timeline & Cast;

const EARLY = 12; // steps; until there time passes evenly, later ever more steps go by in the same time

/** Python's data with the words of the picture; null while these are on their way. */
export function withWords(told: MotionData, page: Page): Header | null {
  const words = store.get("words", told.words, page);
  return words && { ...told, texts: words.texts, legend: words.legend };
}

/** The words and steps of a run so far; null while they are on their way. */
export function motionModel(
  {
    run,
    words: name,
    frames: addresses,
    n_steps: nSteps,
    legend,
  }: Pick<Header, "run" | "words" | "frames" | "n_steps" | "legend">,
  page: Page,
): MotionModel | null {
  const words = store.get("words", name, page);
  const chunks = addresses.map((address) => store.get("frames", address, page));
  if (!words || !chunks.length || chunks.includes(null)) return null;
  const frames = chunks.flatMap((chunk) => chunk?.frames ?? []);
  const { labels, kinds, groups, kindOf } = words;
  const members = kinds.map(() => [] as number[]);
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
 * @param nSteps of the whole run
 */
export function timeOf(step: number, nSteps: number) {
  return Math.log1p(step / EARLY) / Math.log1p(Math.max(1, nSteps) / EARLY);
}

/** The step at a time or the last before it, and the share of the way to the next. */
export function momentAt({ times }: Pick<Timeline, "times">, time: number) {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time + 1e-9) low = middle;
    else high = middle - 1;
  }
  if (low === times.length - 1) return { index: low, share: 0 };
  return { index: low, share: Math.max(0, Math.min(1, (time - times[low]) / (times[low + 1] - times[low]))) };
}

/** Index of the step nearest to a time. */
export function nearestFrame(timeline: Pick<Timeline, "times">, time: number) {
  const { index, share } = momentAt(timeline, time);
  return share > 0.5 ? index + 1 : index;
}

/** Where all words are at a time, on straight lines between two steps. */
export function placesAt(timeline: Timeline, time: number) {
  const { index, share } = momentAt(timeline, time);
  const { places } = timeline.frames[index];
  return share === 0 ? places : blend(places, timeline.frames[index + 1].places, share);
}

/**
 * A box on its way to a wanted one: there where it is nearly there.
 * @param share of the rest of the way
 */
export function growBox(box: Box | null, wanted: Box, share: number) {
  if (!box) return { box: wanted, growing: false };
  const next = { low: interpolate(box.low, wanted.low, share), high: interpolate(box.high, wanted.high, share) };
  const span = Math.max(...wanted.high.map((high, axis) => high - wanted.low[axis])) || 1;
  const off: (end: "low" | "high") => number[] = (end) =>
    wanted[end].map((value, axis) => Math.abs(value - next[end][axis]));
  const growing = Math.max(...off("low"), ...off("high")) > span * 1e-3;
  return { box: growing ? next : wanted, growing };
}
