// Reads payloads that payload.py packs: a JSON header, then blocks of numbers and bytes.

import { prepareLabels } from "./text.ts";

/** Unpack a payload's header; each call of numbers or bytes reads the next block after it. */
export function unpackPayload<Header>(data: Uint8Array): {
  header: Header;
  numbers: (count: number) => Float32Array<ArrayBuffer>;
  bytes: (count: number) => Uint8Array<ArrayBuffer>;
} {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const headerLength = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + headerLength)));
  prepareLabels(header.labels ?? header.texts);
  let offset = 4 + headerLength;
  const take = (length: number) => data.slice(offset, (offset += length)); // a copy, hence aligned for Float32Array
  return { header, numbers: (count) => new Float32Array(take(4 * count).buffer), bytes: (count) => take(count) };
}

/** Pack a header and what follows it, as payload.py does. */
export function packPayload(header: object, tail: Uint8Array) {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = 4 * Math.ceil(text.length / 4);
  const data = new Uint8Array(4 + length + tail.length).fill(0x20, 4);
  new DataView(data.buffer).setUint32(0, length, true);
  data.set(text, 4);
  data.set(tail, 4 + length);
  return data;
}

const BRACE = 0x7b; // a payload begins with the length of its header, a multiple of 4

/** Parse data that are plain JSON; return a payload unchanged. */
export function parseJsonPayload(data: unknown) {
  return data instanceof Uint8Array && data[0] === BRACE ? JSON.parse(new TextDecoder().decode(data)) : data;
}

const SHARED = 2 ** 31; // flag in the header's length: a SHA-256 replaces the shared data
const DIGEST = 32; // bytes

/** Return the address of the shared data that a payload lacks; null for a complete payload or other data. */
export function sharedAddress(data: unknown) {
  if (!(data instanceof Uint8Array) || data.length < 4) return null;
  const length = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  if (length < SHARED) return null;
  const digest = data.subarray(4 + length - SHARED, 4 + length - SHARED + DIGEST);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return the payload with its shared data in place of their address. */
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

/** Return a function that tells whether its argument, bytes or JSON, differs from that of the call before. */
export function changeDetector(): (data: unknown) => boolean {
  let before: Uint8Array | string | null = null;
  return (data) => {
    const now = data instanceof Uint8Array ? data.slice() : JSON.stringify(data);
    const isSame = now instanceof Uint8Array && before instanceof Uint8Array ? sameBytes(before, now) : before === now;
    before = now;
    return !isSame;
  };
}
