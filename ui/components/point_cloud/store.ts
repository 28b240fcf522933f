// Cache of the data that a page's pictures are drawn from: fetched by address, and read once for all of them.

import { cachedData, fetchData } from "../_shared/data.ts";
import type { Page } from "../_shared/lifecycle.ts";
import { unpackPayload } from "../_shared/payload.ts";
import { prepareLabels } from "../_shared/text.ts";

type Names = { part: "names"; count: number; ids: Uint16Array | Int32Array; labels: string[] };
type Places = { part: "places"; columns: number; values: Float32Array };
/** What the names of some rows are searched as: those where it is not the label. */
type Texts = { part: "texts"; rows: number[]; texts: string[] };
/** Indices of points, the first the most important. */
type Order = { part: "order"; order: Uint16Array | Uint32Array };
export interface Words {
  part: "words";
  labels: string[]; // the most important first
  kinds: string[];
  legend: [name: string, colour: string, count: number][];
  texts: Record<string, string>;
  groups: Uint8Array; // of each word in the legend, NONE for none
  kindOf: Uint8Array; // each word in kinds, NONE for none
}
/** Where all words are at a step: (count, 3) */
export type Frame = { step: number; places: Float32Array };
type Frames = { part: "frames"; count: number; steps: number[]; units: number[]; frames: Frame[] };
/** How many points lie in each, from the top down, row by row. */
export type Cells = { part: "density"; columns: number; rows: number; counts: Uint32Array };
type Part = Names | Places | Texts | Order | Cells | Words | Frames;
/** Reads the next bytes. */
type Bytes = (count: number) => Uint8Array<ArrayBuffer>;

export const NONE = 255; // no group, no kind

// biome-ignore lint/suspicious/noExplicitAny: what each part is packed with
const READERS: Record<Part["part"], (header: any, bytes: Bytes, length: number) => Part> = {
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
  texts: (header) => header,
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
    prepareLabels(header.texts); // unpackPayload took the words for them
    return { ...header, groups: bytes(count), kindOf: bytes(count) };
  },
  // 16-bit shares of the farthest place of a step, and what one of them is worth.
  frames(header, bytes) {
    const frames = header.steps.map((step: number, at: number) => ({
      step,
      places: Float32Array.from(new Int16Array(bytes(6 * header.count).buffer), (share) => share * header.units[at]),
    }));
    return { ...header, frames };
  },
};

/** Number and width of the integers at the start of a body, and the bytes behind them. */
function counted(body: Uint8Array<ArrayBuffer>) {
  const [count, width] = new Uint32Array(body.buffer, 0, 2);
  return { buffer: body.buffer, count, width, rest: body.subarray(8 + width * count) };
}

/** @param data packed as embedlib/components/payload.py does */
export function readPart(data: Uint8Array): Part {
  const { header, bytes } = unpackPayload<{ part: Part["part"] }>(data);
  return READERS[header.part](header, bytes, data.length);
}

const LIMIT = 16e6; // bytes of what parts were read from; what has not been used for longest goes first

export const store = (() => {
  /** By address, the longest unused first. */
  const parts = new Map<string, { part: Part; size: number }>();
  const awaited = new Set<string>();
  const subscribers = new Set<() => void>();

  function read(address: string, data: Uint8Array) {
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

  async function arrive(address: string, page: Page) {
    awaited.add(address);
    try {
      read(address, await fetchData(address, page));
    } finally {
      awaited.delete(address);
    }
    for (const fn of [...subscribers]) fn();
  }

  return {
    /** The data at an address; null while it is fetched: subscribers are called when it is here. */
    get<Kind extends Part["part"]>(_kind: Kind, address: string, page: Page): Extract<Part, { part: Kind }> | null {
      const here = parts.get(address);
      if (here) {
        parts.delete(address);
        parts.set(address, here);
        return here.part as Extract<Part, { part: Kind }>;
      }
      const data = cachedData(address);
      if (data) return read(address, data) as Extract<Part, { part: Kind }>;
      if (!awaited.has(address)) arrive(address, page).catch(console.error);
      return null;
    },
    subscribe: (fn: () => void) => {
      subscribers.add(fn);
      return () => void subscribers.delete(fn);
    },
  };
})();
