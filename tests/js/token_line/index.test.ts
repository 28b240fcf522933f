// What a token of a message is called.

import assert from "node:assert/strict";
import test from "node:test";

import { nameOfKind } from "../../../ui/components/token_line/index.js";

test("a special token that is cut into several was typed by somebody; other kinds keep their names", () => {
  assert.equal(nameOfKind("special", true), "special");
  assert.equal(nameOfKind("special", false), "typed");
  for (const kind of /** @type {const} */ (["frame", "content"])) {
    for (const whole of [true, false]) assert.equal(nameOfKind(kind, whole), kind);
  }
});
