// Which sections of a long page the reader has come near.

import assert from "node:assert/strict";
import test from "node:test";
import { arrived } from "../../../ui/components/browser/near.js";

test("a section is near from half a window's height below the window on, and stays so above it", () => {
  const places = [
    { key: "above", top: -4000 },
    { key: "in", top: 500 },
    { key: "soon", top: 1499 },
    { key: "later", top: 1500 },
  ];
  assert.deepEqual(arrived(places, 1000), ["above", "in", "soon"]);
  assert.deepEqual(arrived(places, 300), ["above"]);
});
