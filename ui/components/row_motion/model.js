// The words with where they are at each step, and at every moment between two steps.

import { heldFrames, heldWords } from "./held.js";

export const NONE = 255; // no group, no kind
const EARLY = 12; // steps; until there time passes evenly, later ever more steps go by in the same time

// What is there of a run; null while its words or its steps are on their way.
export function motionModel(store, { run, words: name, n_steps: nSteps, legend }) {
  const words = heldWords(store, name);
  const frames = words && heldFrames(store, run, words.labels.length);
  if (!frames?.length) return null;
  const low = [0, 1, 2].map((axis) => Math.min(...frames.map((frame) => frame.low[axis])));
  const high = [0, 1, 2].map((axis) => Math.max(...frames.map((frame) => frame.high[axis])));
  const model = {
    run,
    name,
    frames,
    count: words.labels.length,
    labels: words.labels,
    kinds: words.kinds,
    groups: words.groups,
    kindOf: words.kindOf,
    box: { low, high },
    hasKinds: legend.length > 0,
  };
  model.times = frames.map(({ step }) => timeOf(step, nSteps));
  model.newest = model.times.at(-1);
  model.members = membersOf(model);
  model.groupOfKind = model.members.map((indices) => (indices.length ? model.groups[indices[0]] : NONE));
  return model;
}

// The words of each kind, in order.
function membersOf({ kinds, kindOf }) {
  const members = kinds.map(() => []);
  kindOf.forEach((kind, index) => kind !== NONE && members[kind].push(index));
  return members;
}

// From 0 for the first step to 1 for the last of the whole run, however many of them are there yet.
export function timeOf(step, nSteps) {
  return Math.log1p(step / EARLY) / Math.log1p(Math.max(1, nSteps) / EARLY);
}

// The step at a time or the last before it, and the share of the way to the next.
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

// Index of the step nearest to a time.
export function nearestFrame(model, time) {
  const { index, share } = momentAt(model, time);
  return share > 0.5 ? index + 1 : index;
}

// Where all words are at a time, on straight lines between two steps.
export function placesAt(model, time) {
  const { index, share } = momentAt(model, time);
  const from = model.frames[index].places;
  if (share === 0) return from;
  const to = model.frames[index + 1].places;
  const places = new Float32Array(from.length);
  for (let at = 0; at < from.length; at += 1) places[at] = from[at] + (to[at] - from[at]) * share;
  return places;
}

// How far each kind has come together: its middle, and how far its words lie from it as a share of how far all words
// with a kind lie from theirs, about 1 for words laid out by chance; and the latter, in the axes' unit.
export function gatherings({ members, hasKinds }, places, axes) {
  if (!hasKinds) return { whole: 0, kinds: [] };
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
  return { whole, kinds: kinds.filter(Boolean) };
}
