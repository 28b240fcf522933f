import assert from "node:assert/strict";
import { test } from "node:test";
import { listenToEvents, parseEvents, retryDelay } from "../../../ui/components/_shared/stream.ts";

test("whole events are taken, and what is cut waits for its rest", () => {
  const first = parseEvents('event: you\ndata: "a.b"\n\n: \n\nid: 7\nda');
  assert.deepEqual(first.events, [
    { type: "you", id: "", data: '"a.b"' },
    { type: "", id: "", data: "" },
  ]);
  const second = parseEvents(`${first.rest}ta: {"a":"x: y"}\n\n`);
  assert.deepEqual(second, { events: [{ type: "", id: "7", data: '{"a":"x: y"}' }], rest: "" });
});

test("attempts come less and less often, not all at once, and never stop", () => {
  assert.equal(retryDelay(0, 0), 500);
  assert.equal(retryDelay(0, 1), 1500);
  assert.equal(retryDelay(2, 0.5), 4000);
  assert.equal(retryDelay(1000, 0.5), 20_000);
});

test("what the server refuses is said in its own words, and only once where that gives up", async () => {
  const [before, fetched] = [globalThis.window, globalThis.fetch];
  globalThis.window = { setTimeout: () => 0, addEventListener() {}, removeEventListener() {} } as any;
  globalThis.fetch = async () => new Response("There is no lecture.", { status: 404 });
  const said = await new Promise((resolve) => {
    const refused = (sentence: string, status: number) => {
      resolve([sentence, status]);
      return false;
    };
    listenToEvents({ url: "http://host/", headers: () => ({}), onEvent() {}, onRefused: refused });
  });
  [globalThis.window, globalThis.fetch] = [before, fetched];
  assert.deepEqual(said, ["There is no lecture.", 404]);
});
