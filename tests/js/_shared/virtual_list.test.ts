// Which rows of a long list are in sight.

import assert from "node:assert/strict";
import test from "node:test";

import { rowsInSight } from "../../../ui/components/_shared/virtual_list.ts";

test("the rows in sight are those between the edges, with one more at either end, and no row that is not there", () => {
  const at = (scrollTop: number, count = 100) => rowsInSight({ scrollTop, clientHeight: 100 }, 30, count);
  assert.deepEqual(at(0), [0, 4]);
  assert.deepEqual(at(300), [9, 14]);
  assert.deepEqual(at(2900), [95, 99]);
  assert.deepEqual(at(0, 2), [0, 1]);
  const [first, last] = at(0, 0);
  assert.ok(last < first, "an empty list has none");
});
