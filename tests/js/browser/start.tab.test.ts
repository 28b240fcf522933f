// Scripts that are parsed while the reader looks at the page.

import assert from "node:assert/strict";
import test from "node:test";

test("each script is parsed once, however many idle moments come, and later where a file comes", async () => {
  const moments: (() => void)[] = [];
  const rests: (() => void)[] = [];
  const parsed: string[] = [];
  let arrive = () => {};
  Object.assign(globalThis, {
    window: { requestIdleCallback: moments.push.bind(moments), setTimeout: rests.push.bind(rests) },
    document: {
      baseURI: "http://localhost/",
      currentScript: { dataset: { later: "plotly.js" } },
      querySelector: () => ({ getAttribute: () => "notRunning" }),
    },
    location: { origin: "http://localhost" },
    URL: class {
      href: string;
      constructor(path: string) {
        parsed.push(path);
        this.href = "data:text/javascript,";
      }
    },
    clearTimeout() {},
    PerformanceObserver: class {
      constructor(heard: () => void) {
        arrive = heard;
      }
      observe() {}
    },
    addEventListener: ((name, listener) => name === "load" && listener()) as (
      name: string,
      listener: () => void,
    ) => void,
  });
  await import("../../../ui/components/browser/start.ts");
  parsed.length = 0; // the first is the page's own address
  const waits = rests.length;
  arrive();
  assert.ok(rests.length > waits);
  for (let rest = 0; rest < 2; rest++) rests[0]();
  for (const moment of moments) moment();
  assert.deepEqual(parsed, ["plotly.js"]);
});
