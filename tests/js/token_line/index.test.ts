// What a token of a message is called.

import assert from "node:assert/strict";
import test from "node:test";

import { nameOfKind } from "../../../ui/components/token_line/index.tsx";

test("a special token that is cut into several was typed by somebody; other kinds keep their names", () => {
  assert.equal(nameOfKind("special", true), "special");
  assert.equal(nameOfKind("special", false), "typed");
  for (const kind of ["frame", "content"] as const) {
    for (const whole of [true, false]) assert.equal(nameOfKind(kind, whole), kind);
  }
});
