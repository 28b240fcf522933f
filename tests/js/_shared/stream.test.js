import assert from "node:assert/strict";
import { test } from "node:test";
import { pause, takeEvents } from "../../../ui/components/_shared/stream.js";

test("whole events are taken, and what is cut waits for its rest", () => {
  const first = takeEvents('event: you\ndata: "a.b"\n\n: \n\nid: 7\nda');
  assert.deepEqual(first.events, [
    { type: "you", id: "", data: '"a.b"' },
    { type: "", id: "", data: "" },
  ]);
  const second = takeEvents(`${first.rest}ta: {"a":"x: y"}\n\n`);
  assert.deepEqual(second, { events: [{ type: "", id: "7", data: '{"a":"x: y"}' }], rest: "" });
});

test("attempts come less and less often, not all at once, and never stop", () => {
  assert.equal(pause(0, 0), 500);
  assert.equal(pause(0, 1), 1500);
  assert.equal(pause(2, 0.5), 4000);
  assert.equal(pause(1000, 0.5), 20_000);
});
