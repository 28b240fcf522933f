// What a page's pictures are drawn from, read out of what the page was sent: data.js puts it in, the pictures take it.

import { unpackPayload } from "../_shared/payload.js";

/** @typedef {{ part: "names", name: string, count: number, ids: Uint16Array | Int32Array, labels: string[] }} Names */
/** @typedef {{ part: "places", name: string, columns: number, values: Float32Array }} Places */
/** @typedef {{ part: "order", name: string, order: Uint16Array | Uint32Array }} Order indices of points, the first the most important */
/**
 * @typedef {object} Words
 * @property {"words"} part
 * @property {string} name
 * @property {string[]} labels the most important first
 * @property {string[]} kinds
 * @property {[name: string, colour: string, count: number][]} legend
 * @property {Record<string, string>} texts
 * @property {Uint8Array} groups of each word in the legend, NONE for none
 * @property {Uint8Array} kindOf each word in kinds, NONE for none
 */
/** @typedef {{ step: number, places: Float32Array }} Frame where all words are at a step: (count, 3) */
/** @typedef {{ part: "frames", name: string, run: string, count: number, steps: number[], units: number[], frames: Frame[] }} Frames */
/**
 * @typedef {object} Told what a picture with a time axis is to show
 * @property {"header"} part
 * @property {string} name of the picture
 * @property {string} run
 * @property {string} words
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
 * @property {string} theme
 */
/** @typedef {{ part: "density", name: string, columns: number, rows: number, counts: Uint32Array }} Cells how many points lie in each, from the top down, row by row */
/** @typedef {Names | Places | Order | Cells | Words | Frames | Told} Part */
/** @typedef {(count: number) => Uint8Array<ArrayBuffer>} Bytes reads the next ones */

export const NONE = 255; // no group, no kind

/** @type {Record<string, (header: any, bytes: Bytes, length: number) => Part>} */
const READERS = {
  names(header, bytes, length) {
    const { buffer, count, width, rest } = counted(bytes(length));
    const Ids = width === 2 ? Uint16Array : Int32Array;
    const text = new TextDecoder().decode(rest);
    return { ...header, count, ids: new Ids(buffer, 8, count), labels: count ? text.split("\0") : [] };
  },
  places(header, bytes, length) {
    const { buffer } = bytes(length);
    return { ...header, columns: new DataView(buffer).getUint32(0, true), values: new Float32Array(buffer, 4) };
  },
  order(header, bytes, length) {
    const { buffer, count, width } = counted(bytes(length));
    return { ...header, order: new (width === 2 ? Uint16Array : Uint32Array)(buffer, 8, count) };
  },
  density(header, bytes) {
    const [columns, rows, many] = new Uint32Array(bytes(12).buffer);
    const large = new Uint32Array(bytes(4 * many).buffer);
    const counts = Uint32Array.from(bytes(columns * rows));
    let next = 0;
    for (let at = 0; at < counts.length; at += 1) if (counts[at] === 255) counts[at] = large[next++];
    return { ...header, columns, rows, counts };
  },
  words(header, bytes) {
    const count = header.labels.length;
    return { ...header, groups: bytes(count), kindOf: bytes(count) };
  },
  // 16-bit shares of the farthest place of a step, and what one of them is worth.
  frames(header, bytes) {
    const frames = header.steps.map((/** @type {number} */ step, /** @type {number} */ at) => ({
      step,
      places: Float32Array.from(new Int16Array(bytes(6 * header.count).buffer), (share) => share * header.units[at]),
    }));
    return { ...header, frames };
  },
};

/**
 * How many numbers of which width follow, and what comes behind them.
 * @param {Uint8Array<ArrayBuffer>} body
 */
function counted(body) {
  const [count, width] = new Uint32Array(body.buffer, 0, 2);
  return { buffer: body.buffer, count, width, rest: body.subarray(8 + width * count) };
}

/**
 * @param {Uint8Array | Told} data packed as ui/components/_shared/payload.py does, or plain
 * @returns {Part}
 */
export function readPart(data) {
  if (!(data instanceof Uint8Array)) return data;
  const { header, bytes } = unpackPayload(data);
  return READERS[header.part](header, bytes, data.length);
}

/** Parts by who holds them, so that what two hold stays until both have let go. */
export const store = (() => {
  /** @type {Map<object, Part>} */
  const parts = new Map();
  /** @type {Set<() => void>} */
  const subscribers = new Set();
  /** @type {<Kind extends Part["part"]>(kind: Kind) => Extract<Part, { part: Kind }>[]} */
  const all = (kind) => /** @type {any} */ ([...parts.values()].filter(({ part }) => part === kind));
  return {
    names: (/** @type {string} */ name) => all("names").find((part) => part.name === name) ?? null,
    places: (/** @type {string} */ name) => all("places").find((part) => part.name === name) ?? null,
    order: (/** @type {string} */ name) => all("order").find((part) => part.name === name)?.order ?? null,
    density: (/** @type {string} */ name) => all("density").find((part) => part.name === name) ?? null,
    words: (/** @type {string} */ name) => all("words").find((part) => part.name === name) ?? null,
    header: (/** @type {string} */ name) => all("header").find((part) => part.name === name) ?? null,
    frames: () => all("frames"),
    put: (/** @type {object} */ holder, /** @type {Part} */ part) => {
      parts.set(holder, part);
      for (const fn of [...subscribers]) fn();
    },
    drop: (/** @type {object} */ holder) => void parts.delete(holder),
    subscribe: (/** @type {() => void} */ fn) => {
      subscribers.add(fn);
      return () => void subscribers.delete(fn);
    },
  };
})();
