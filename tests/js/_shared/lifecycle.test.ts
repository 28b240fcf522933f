// Which runs of the page a component is handed, and when the page learns that it is drawn and gives up the height it has
// kept.

import assert from "node:assert/strict";
import test from "node:test";
import { markDrawn, persistentComponent } from "../../../ui/components/_shared/lifecycle.ts";

class ShadowRoot {
  attributes = new Set() as Set<string>;
  host = { setAttribute: (name: string) => this.attributes.add(name) };
}
Object.assign(globalThis, { ShadowRoot, window: globalThis });

const handedOn = () => new Promise((resolve) => setTimeout(resolve));

/** @param answer of what receives the data */
function component(answer?: unknown) {
  const log: string[] = [];
  const place = new ShadowRoot();
  const run = persistentComponent(() => {
    log.push("mount");
    const receive = (data: string) => {
      log.push(data);
      return answer;
    };
    return { receive, unmount: () => void log.push("unmount") };
  });
  return { log, place, run: (data: unknown) => run({ data, parentElement: place } as any) };
}

test("what is mounted is handed the data of each run, and taken down with the last", async () => {
  const { log, run } = component();
  const first = run("first");
  await handedOn();
  const second = run("second");
  await handedOn();
  first();
  assert.deepEqual(log, ["mount", "first", "second"]);
  second();
  assert.deepEqual(log.splice(0), ["mount", "first", "second", "unmount"]);
  run("third");
  await handedOn();
  assert.deepEqual(log, ["mount", "third"]);
});

test("a run that another has overtaken is not drawn, whichever is called first", async () => {
  for (const order of [
    ["old", "new"],
    ["new", "old"],
  ]) {
    const { log, run } = component();
    const ends = new Map(order.map((data) => [data, run(data)]));
    ends.get("old")?.();
    await handedOn();
    assert.deepEqual(log, ["mount", "new"]);
  }
  const { log, run } = component();
  run("new");
  await handedOn();
  run("old")(); // when the new one is long drawn
  await handedOn();
  assert.deepEqual(log, ["mount", "new"]);
});

test("a component that is taken down before its data was handed on is never mounted", async () => {
  const { log, run } = component();
  run("data")();
  await handedOn();
  assert.deepEqual(log, []);
});

async function received(answer: unknown) {
  const { place, run } = component(answer);
  run("data");
  await handedOn();
  return place;
}

test("a component is drawn as soon as it has its data", async () => {
  assert.deepEqual([...(await received(undefined)).attributes], ["data-drawn"]);
  assert.deepEqual([...(await received(true)).attributes], ["data-drawn"]);
});

test("one whose data are on their way says itself when they are there", async () => {
  const place = await received(false);
  assert.deepEqual([...place.attributes], []);
  markDrawn(place as any);
  assert.deepEqual([...place.attributes], ["data-drawn"]);
});

/** A payload whose shared data are to be fetched. */
function addressed() {
  const [header, address] = ['{"a":1} ', "ab".repeat(32)];
  const data = new Uint8Array(4 + header.length + 32 + 1);
  new DataView(data.buffer).setUint32(0, header.length + 2 ** 31, true);
  data.set(new TextEncoder().encode(header), 4);
  data.fill(0xab, 4 + header.length);
  data[data.length - 1] = 7;
  return { address, data };
}

test("data that are fetched stand in the payload as if they had been sent, and are fetched once", async () => {
  const { address, data } = addressed();
  Object.assign(globalThis, { document: { baseURI: "http://app/some/where/" } });
  const asked: string[] = [];
  const missing: string[] = [];
  const answers = [
    { ok: false, status: 404 },
    { ok: true, arrayBuffer: async () => Uint8Array.of(5, 6).buffer },
  ];
  const fetched = async (url: URL) => {
    asked.push(String(url));
    return answers.shift();
  };
  Object.assign(globalThis, { fetch: fetched });
  const received: number[][] = [];
  const receive = (whole: Uint8Array) => void received.push([...whole.slice(12)]);
  const run = persistentComponent(() => ({ receive, unmount: () => {} }));
  const setTriggerValue = (name: string, value: string) => missing.push(name, value);
  const parentElement = new ShadowRoot();
  const first = run({ data, parentElement, setTriggerValue } as any);
  await handedOn();
  assert.deepEqual(received, []);
  run({ data, parentElement, setTriggerValue } as any);
  first(); // overtaken while its data are on their way
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.deepEqual(received, [[5, 6, 7]]);
  assert.deepEqual(missing, ["missing", address]); // the page is run again, which serves them
  run({ data, parentElement, setTriggerValue } as any);
  await handedOn();
  assert.deepEqual(received, [
    [5, 6, 7],
    [5, 6, 7],
  ]);
  assert.deepEqual(asked, Array(2).fill(`http://app/some/where/component-data/${address}`));
});
