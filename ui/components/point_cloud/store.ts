// What a page's pictures are drawn from: fetched by the addresses that they are given, and read once for all of them.

import { fetchData, keptData } from "../_shared/data.js";
import { unpackPayload } from "../_shared/payload.js";

/** @typedef {{ part: "names", count: number, ids: Uint16Array | Int32Array, labels: string[] }} Names */
/** @typedef {{ part: "places", columns: number, values: Float32Array }} Places */
/** @typedef {{ part: "order", order: Uint16Array | Uint32Array }} Order indices of points, the first the most important */
/**
 * @typedef {object} Words
 * @property {"words"} part
 * @property {string[]} labels the most important first
 * @property {string[]} kinds
 * @property {[name: string, colour: string, count: number][]} legend
 * @property {Record<string, string>} texts
 * @property {Uint8Array} groups of each word in the legend, NONE for none
 * @property {Uint8Array} kindOf each word in kinds, NONE for none
 */
/** @typedef {{ step: number, places: Float32Array }} Frame where all words are at a step: (count, 3) */
/** @typedef {{ part: "frames", count: number, steps: number[], units: number[], frames: Frame[] }} Frames */
/** @typedef {{ part: "density", columns: number, rows: number, counts: Uint32Array }} Cells how many points lie in each, from the top down, row by row */
/** @typedef {Names | Places | Order | Cells | Words | Frames} Part */
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
 * @param {Uint8Array} data packed as ui/components/_shared/payload.py does
 * @returns {Part}
 */
export function readPart(data) {
  const { header, bytes } = unpackPayload(data);
  return READERS[header.part](header, bytes, data.length);
}

const LIMIT = 16e6; // bytes of what parts were read from; what has not been used for longest goes first

export const store = (() => {
  /** @type {Map<string, { part: Part, size: number }>} by address, the longest unused first */
  const parts = new Map();
  /** @type {Set<string>} */
  const awaited = new Set();
  /** @type {Set<() => void>} */
  const subscribers = new Set();

  /**
   * @param {string} address
   * @param {Uint8Array} data
   */
  function read(address, data) {
    const part = readPart(data);
    parts.set(address, { part, size: data.length });
    let size = [...parts.values()].reduce((sum, entry) => sum + entry.size, 0);
    for (const [oldest, entry] of parts) {
      if (size <= LIMIT || oldest === address) break;
      parts.delete(oldest);
      size -= entry.size;
    }
    return part;
  }

  /**
   * @param {string} address
   * @param {import("../_shared/lifecycle.js").Page} page
   */
  async function arrive(address, page) {
    awaited.add(address);
    try {
      read(address, await fetchData(address, page));
    } finally {
      awaited.delete(address);
    }
    for (const fn of [...subscribers]) fn();
  }

  return {
    /**
     * What stands under an address; null while it is on its way, subscribers hear when it has come.
     * @template {Part["part"]} Kind
     * @param {Kind} _kind
     * @param {string} address
     * @param {import("../_shared/lifecycle.js").Page} page
     * @returns {Extract<Part, { part: Kind }> | null}
     */
    get(_kind, address, page) {
      const here = parts.get(address);
      if (here) {
        parts.delete(address);
        parts.set(address, here);
        return /** @type {any} */ (here.part);
      }
      const data = keptData(address);
      if (data) return /** @type {any} */ (read(address, data));
      if (!awaited.has(address)) arrive(address, page).catch(console.error);
      return null;
    },
    subscribe: (/** @type {() => void} */ fn) => {
      subscribers.add(fn);
      return () => void subscribers.delete(fn);
    },
  };
})();
