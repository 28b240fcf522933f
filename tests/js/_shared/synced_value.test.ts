// A value that Python and the reader both set.

import assert from "node:assert/strict";
import test from "node:test";

import { syncedValue } from "../../../ui/components/_shared/synced_value.ts";

test("Python's value counts unless it is older than the reader's last report", () => {
  const applied: number[] = [];
  const reports: unknown[] = [];
  const page = { setStateValue: (name: string, value: unknown) => void reports.push([name, value]) };
  const cut = syncedValue<number>("cut", (value) => applied.push(value));
  cut.receive(1, 0, page);
  cut.receive(1, 0, page); // another run with the same value
  cut.report(5);
  cut.report(6);
  assert.deepEqual(reports, [
    ["cut", { value: 5, turn: 1 }],
    ["cut", { value: 6, turn: 2 }],
  ]);
  cut.receive(5, 1, page); // the run of the first report ends after the second was made
  cut.receive(6, 2, page);
  assert.deepEqual(applied, [1]);
  cut.receive(9, 2, page); // a link or a new text
  cut.receive(6, 2, page);
  assert.deepEqual(applied, [1, 9, 6]);
});
