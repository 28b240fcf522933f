// What Python packs, read again: a JSON header, then blocks of numbers and bytes (payload.py is the other half).

import { speak } from "./numbers.js";

/**
 * Each call of numbers and bytes reads the next block behind the header.
 * @param {Uint8Array} data
 * @returns {{
 *   header: any,
 *   numbers: (count: number) => Float32Array<ArrayBuffer>,
 *   bytes: (count: number) => Uint8Array<ArrayBuffer>,
 * }}
 */
export function unpackPayload(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const headerLength = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + headerLength)));
  speak(header.labels ?? header.texts);
  let offset = 4 + headerLength;
  const take = (/** @type {number} */ length) => data.slice(offset, (offset += length)); // a copy, hence aligned for Float32Array
  return { header, numbers: (count) => new Float32Array(take(4 * count).buffer), bytes: (count) => take(count) };
}

/**
 * @param {Uint8Array | null} a
 * @param {Uint8Array | null} b
 */
export function sameBytes(a, b) {
  if (!a || !b || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * Tells which of the data that come one after the other, bytes or JSON, differ from those before.
 * @returns {(data: unknown) => boolean}
 */
export function newsWatch() {
  /** @type {Uint8Array | string | null} */
  let before = null;
  return (data) => {
    const now = data instanceof Uint8Array ? data.slice() : JSON.stringify(data);
    const isSame = now instanceof Uint8Array && before instanceof Uint8Array ? sameBytes(before, now) : before === now;
    before = now;
    return !isSame;
  };
}
