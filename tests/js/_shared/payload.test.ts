// What Python packs, read again.

import assert from "node:assert/strict";
import test from "node:test";

import { changeDetector, packPayload, sameBytes, unpackPayload } from "../../../ui/components/_shared/payload.ts";

/** A payload at some offset of a larger buffer, where nothing is aligned. */
function encodePayload(header: object, numbers: number[], bytes: number[]) {
  const tail = [...new Uint8Array(Float32Array.from(numbers).buffer), ...bytes];
  return Uint8Array.of(0, 0, 0, ...packPayload(header, Uint8Array.from(tail))).subarray(3);
}

test("the header comes first, then each block in the order of asking", () => {
  const { header, numbers, bytes } = unpackPayload<object>(
    encodePayload({ rows: 2, name: "Größe" }, [1.5, -0.25, 3], [7, 8, 9]),
  );
  assert.deepEqual(header, { rows: 2, name: "Größe" });
  assert.deepEqual([...numbers(2)], [1.5, -0.25]);
  assert.deepEqual([...numbers(1)], [3]);
  assert.deepEqual([...bytes(2)], [7, 8]);
  assert.deepEqual([...bytes(5)], [9]);
});

test("a block is a copy that outlives what was sent", () => {
  const data = encodePayload({}, [2], []);
  const [number] = [unpackPayload(data).numbers(1)];
  data.fill(0);
  assert.deepEqual([...number], [2]);
});

test("bytes are the same where all of them are", () => {
  const some = Uint8Array.of(1, 2, 3);
  assert.equal(sameBytes(some, Uint8Array.of(1, 2, 3)), true);
  for (const other of [Uint8Array.of(1, 2, 4), Uint8Array.of(1, 2), Uint8Array.of(1, 2, 3, 0), null]) {
    assert.equal(sameBytes(some, other), false);
    assert.equal(sameBytes(other, some), false);
  }
});

test("data are new when any byte of them is, or anything that JSON says", () => {
  const isNew = changeDetector();
  const data = Uint8Array.of(1, 2);
  assert.equal(isNew(data), true);
  assert.equal(isNew(data), false);
  data[1] = 3; // what was seen is kept as it was, whatever becomes of the sender's buffer
  assert.equal(isNew(data), true);
  assert.equal(isNew(Uint8Array.of(1, 3)), false);
  assert.deepEqual([{ a: [1] }, { a: [1] }, { a: [2] }, null].map(isNew), [true, false, true, true]);
});
