// Which parts of the browser's component take part in a run: those that it has data for.

import assert from "node:assert/strict";
import test from "node:test";

const watched: string[] = [];
class Observer {
  look: () => void;
  constructor(look: () => void) {
    this.look = look;
  }
  observe(target: { name: string }) {
    watched.push(target.name);
    this.look();
  }
  disconnect() {
    watched.push("end");
  }
}
Object.assign(globalThis, {
  document: {
    documentElement: { style: {} },
    querySelector: (selector: string) => ({ name: selector, clientWidth: 500 }),
  },
  ShadowRoot: class {},
  window: globalThis,
  getComputedStyle: () => ({ backgroundColor: "white" }),
  requestAnimationFrame: () => 0,
  MutationObserver: Observer,
  ResizeObserver: Observer,
});
const { default: browser } = await import("../../../ui/components/browser/index.ts");

const told: unknown[][] = [];
const page = {
  parentElement: {},
  setStateValue: (...said: unknown[]) => told.push(said),
} as any;

async function run(data: object) {
  const end = browser({ ...page, data });
  await new Promise((resolve) => setTimeout(resolve));
  return end;
}

test("a part without data does nothing, and what one began is ended by the next run or with the component", async () => {
  await run({});
  assert.deepEqual([told, watched], [[], []]);
  await run({ theme: true });
  assert.deepEqual(watched.splice(0), ['[data-testid="stApp"]']);
  const end = await run({ theme: true });
  assert.deepEqual(watched.splice(0), ["end", '[data-testid="stApp"]']);
  end();
  assert.deepEqual(watched.splice(0), ["end"]);
});

test("a width is told where it is not what Python takes it for", async () => {
  for (const width of [
    { below: 640, narrow: false },
    { below: 640, narrow: true },
    { below: 400, narrow: true },
  ])
    await run({ width });
  assert.deepEqual(told, [
    ["narrow", true],
    ["narrow", false],
  ]);
});
