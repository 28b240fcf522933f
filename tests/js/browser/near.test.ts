// Which sections of a long page the reader has come near.

import assert from "node:assert/strict";
import test from "node:test";
import { arrived, fills } from "../../../ui/components/browser/near.ts";

test("a section is near up to half a window's height below the window, and as far above", () => {
  const places = [
    { key: "far above", top: -4000, bottom: -500 },
    { key: "above", top: -4000, bottom: -499 },
    { key: "in", top: 500, bottom: 600 },
    { key: "soon", top: 1499, bottom: 2000 },
    { key: "later", top: 1500, bottom: 2000 },
  ];
  assert.deepEqual(arrived(places, 1000), ["above", "in", "soon"]);
  assert.deepEqual(arrived(places, 300), []);
});

test("a block is full when anything in it reaches down to the height that was kept for it, to a pixel", () => {
  assert.ok(fills(500, 100, [300, 600, 580]));
  assert.ok(fills(500, 100, [599]));
  assert.ok(!fills(500, 100, [300, 598]));
  assert.ok(!fills(500, 100, []));
});
