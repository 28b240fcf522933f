// Labels of components.

import assert from "node:assert/strict";
import test from "node:test";

import { prepareLabels } from "../../../ui/components/_shared/text.ts";

test("where there is no mouse, labels are those for a finger", (context) => {
  const labels = () => ({ hint: "Point at a cell.", hint_touch: "Tap a cell.", other: "Other" });
  const withMouse = labels();
  prepareLabels(withMouse);
  assert.equal(withMouse.hint, "Point at a cell.");
  Object.assign(globalThis, { matchMedia: () => ({ matches: true }) });
  context.after(() => Reflect.deleteProperty(globalThis, "matchMedia"));
  const withFinger = labels();
  prepareLabels(withFinger);
  assert.deepEqual([withFinger.hint, withFinger.other], ["Tap a cell.", "Other"]);
});
