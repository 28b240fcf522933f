import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRight, publicQuery } from "../../../ui/components/_shared/room.ts";

const RIGHT = `ABC234.${"s".repeat(32)}`;

test("the right to present is found after # and nothing else is one", () => {
  assert.equal(parseRight(`#room=${RIGHT}`), RIGHT);
  for (const wrong of ["", "#questions", `#${RIGHT}`, `#room=${RIGHT}x`, `#room=${RIGHT.slice(1)}`, `room=${RIGHT}`]) {
    assert.equal(parseRight(wrong), "");
  }
});

test("a query loses the presenter's own settings and keeps the rest as it was", () => {
  assert.equal(publicQuery("text=a+b%26c&lesson=z.abc&stop=3&d_model=8", ["lesson", "stop"]), "text=a+b%26c&d_model=8");
  assert.equal(publicQuery("", ["lesson"]), "");
});
