// Numbers compared one by one.

import assert from "node:assert/strict";

export function near(actual: number | ArrayLike<number>, expected: number | ArrayLike<number>, within: number = 1e-9) {
  const [one, other] = [actual, expected].map((value) => (typeof value === "number" ? [value] : Array.from(value)));
  assert.equal(one.length, other.length);
  one.forEach((value, at) => {
    assert.ok(Math.abs(value - other[at]) <= within, `${at}: ${value} is not ${other[at]} to ${within}`);
  });
}

/** Numbers from -1 to 1, the same every time. */
export function scattered(count: number, seed = 1) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}
