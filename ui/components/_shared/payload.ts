// What Python packs, read again: a JSON header, then blocks of numbers and bytes (payload.py is the other half).

import { setLanguage } from "./numbers.ts";

/** Each call of numbers and bytes reads the next block behind the header. */
export function unpackPayload<Header>(data: Uint8Array): {
  header: Header;
  numbers: (count: number) => Float32Array<ArrayBuffer>;
  bytes: (count: number) => Uint8Array<ArrayBuffer>;
} {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const headerLength = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + headerLength)));
  setLanguage(header.labels ?? header.texts);
  let offset = 4 + headerLength;
  const take = (length: number) => data.slice(offset, (offset += length)); // a copy, hence aligned for Float32Array
  return { header, numbers: (count) => new Float32Array(take(4 * count).buffer), bytes: (count) => take(count) };
}

const BRACE = 0x7b; // a payload begins with the length of its header, a multiple of 4

/** Data that are nothing but JSON, read; a payload as it is. */
export function parseJsonPayload(data: unknown) {
  return data instanceof Uint8Array && data[0] === BRACE ? JSON.parse(new TextDecoder().decode(data)) : data;
}

const SHARED = 2 ** 31; // in the length of a header: a SHA-256 stands behind it in place of shared data
const DIGEST = 32; // bytes

/** Where a payload stands without its shared data: their address; null for a payload that is whole, or other data. */
export function sharedAddress(data: unknown) {
  if (!(data instanceof Uint8Array) || data.length < 4) return null;
  const length = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  if (length < SHARED) return null;
  const digest = data.subarray(4 + length - SHARED, 4 + length - SHARED + DIGEST);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The payload with its shared data in their place. */
export function insertShared(data: Uint8Array, shared: Uint8Array) {
  const length = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true) - SHARED;
  const whole = new Uint8Array(data.length - DIGEST + shared.length);
  whole.set(data.subarray(0, 4 + length));
  new DataView(whole.buffer).setUint32(0, length, true);
  whole.set(shared, 4 + length);
  whole.set(data.subarray(4 + length + DIGEST), 4 + length + shared.length);
  return whole;
}

export function sameBytes(a: Uint8Array | null, b: Uint8Array | null) {
  if (!a || !b || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

/** Tells which of the data that come one after the other, bytes or JSON, differ from those before. */
export function changeDetector(): (data: unknown) => boolean {
  let before: Uint8Array | string | null = null;
  return (data) => {
    const now = data instanceof Uint8Array ? data.slice() : JSON.stringify(data);
    const isSame = now instanceof Uint8Array && before instanceof Uint8Array ? sameBytes(before, now) : before === now;
    before = now;
    return !isSame;
  };
}
