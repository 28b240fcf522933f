// What the page holds of a training, read out of what it was sent.

import { unpackPayload } from "../_shared/payload.js";

const read = new WeakMap(); // bytes -> what they say
const READERS = { words: readWords, frames: readFrames };

function heldParts(store) {
  return store.all().map((data) => {
    if (!(data instanceof Uint8Array)) return data;
    if (!read.has(data)) {
      const { header, bytes } = unpackPayload(data);
      read.set(data, READERS[header.part](header, bytes));
    }
    return read.get(data);
  });
}

// What a picture is told: the page's settings with what is written on it; null while some of it is on its way.
export function heldHeader(store, key) {
  const parts = heldParts(store);
  const told = parts.find((part) => part.told === key);
  const words = told && parts.find((part) => part.name === told.words);
  return words ? { ...told, texts: words.texts, legend: words.legend } : null;
}

export const heldWords = (store, name) => heldParts(store).find((part) => part.name === name) ?? null;

// Of a run with so many words, the steps in order.
export function heldFrames(store, run, count) {
  return heldParts(store)
    .filter((part) => part.run === run && part.count === count)
    .flatMap((part) => part.frames)
    .sort((a, b) => a.step - b.step)
    .filter((frame, at, all) => at === 0 || frame.step > all[at - 1].step);
}

function readWords(header, bytes) {
  const count = header.labels.length;
  return { ...header, groups: bytes(count), kindOf: bytes(count) };
}

function readFrames({ run, count, steps, units }, bytes) {
  const frames = steps.map((step, at) => {
    const shares = new Int16Array(bytes(6 * count).buffer);
    const places = Float32Array.from(shares, (share) => share * units[at]);
    return { step, places, ...boxOfPlaces(places) };
  });
  return { run, count, frames };
}

// The least and the greatest along each axis.
export function boxOfPlaces(places) {
  const box = { low: [...places.subarray(0, 3)], high: [...places.subarray(0, 3)] };
  for (let at = 0; at < places.length; at += 1) {
    const axis = at % 3;
    if (places[at] < box.low[axis]) box.low[axis] = places[at];
    else if (places[at] > box.high[axis]) box.high[axis] = places[at];
  }
  return box;
}
