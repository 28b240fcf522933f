// Numbers compared one by one.

import assert from "node:assert/strict";

/**
 * @param {number | ArrayLike<number>} actual
 * @param {number | ArrayLike<number>} expected
 * @param {number} within
 */
export function near(actual, expected, within = 1e-9) {
  const [one, other] = [actual, expected].map((value) => (typeof value === "number" ? [value] : Array.from(value)));
  assert.equal(one.length, other.length);
  one.forEach((value, at) => {
    assert.ok(Math.abs(value - other[at]) <= within, `${at}: ${value} is not ${other[at]} to ${within}`);
  });
}

/** Numbers from -1 to 1, the same every time. */
export function scattered(/** @type {number} */ count, seed = 1) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}
