// Calls that wait for a pause.

import assert from "node:assert/strict";
import test from "node:test";

import { debounce } from "../../../ui/components/_shared/debounce.ts";

test("of calls that follow each other the last is made, once, when none has come for a while", (context) => {
  context.mock.timers.enable();
  const made: string[] = [];
  const call = debounce((text: string) => made.push(text), 100);
  for (const text of ["a", "b", "c"]) {
    call(text);
    context.mock.timers.tick(99);
  }
  assert.deepEqual(made, []);
  context.mock.timers.tick(1);
  context.mock.timers.tick(1000);
  assert.deepEqual(made.splice(0), ["c"]);
  call("cancelled");
  call.cancel();
  context.mock.timers.tick(1000);
  call("at once");
  call.flush();
  call.flush();
  context.mock.timers.tick(1000);
  assert.deepEqual(made, ["at once"]);
});
