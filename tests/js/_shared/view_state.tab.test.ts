// What an address says of a page's looks: read, written, and passed over where it is not sound.

import assert from "node:assert/strict";
import test from "node:test";

const tab = {
  location: { pathname: "/", search: "?look=1~sum.step!2~token!3", href: "http://host/?look=1~sum.step!2~token!3" },
};
const written: string[] = [];
const history = {
  state: null,
  replaceState: (_a: unknown, _b: string, url: URL) => written.push(url.search),
};
globalThis.window = { ...tab, history, setTimeout: () => 0 } as any;
const {
  savedValue: lookAt,
  parseViewState: parseLook,
  parseNumbers: readNumbers,
  setValue: say,
  applyViewState: takeUp,
  withViewState: withLook,
  writeViewState: write,
  setViewStateStorage,
  formatViewState: writeLook,
  formatNumbers: writeNumbers,
  onViewRequest: onLookChange,
} = await import("../../../ui/components/_shared/view_state.ts");
const { link } = await import("../../../ui/components/_shared/link.ts");

test("what is written reads back", () => {
  const entries = new Map([
    ["vector-sum.step", "2.5"],
    ["by-length.xaxis", writeNumbers([-0.123456789, 1e-7])],
  ]);
  const text = writeLook(entries);
  assert.equal(text, "1~vector-sum.step!2.5~by-length.xaxis!-0.123457,1e-7");
  assert.deepEqual(parseLook(text), entries);
  assert.deepEqual(readNumbers("-0.123457,1e-7"), [-0.123457, 1e-7]);
  assert.equal(writeLook(new Map()), "");
});

test("another version, a cut entry, other signs and too much of it are no look", () => {
  for (const text of [
    "",
    "2~a!1",
    "1~a",
    "1~a!1!2",
    "1~a!<b>",
    "1~a b!1",
    `1~a!${"1".repeat(700)}`,
    `1${"~a!1".repeat(900)}`,
  ])
    assert.equal(parseLook(text)?.size ?? null, null, text);
  for (const value of ["", "1,", "one", "NaN", "Infinity", "1e99"]) assert.equal(readNumbers(value), null, value);
});

test("a look that becomes too long leaves out what came last", () => {
  const entries = new Map(Array.from({ length: 400 }, (_, at) => [`part-${at}.step`, "1"]));
  const read = parseLook(writeLook(entries));
  assert.ok(read && read.size > 100 && read.has("part-0.step") && !read.has("part-399.step"));
});

test("a query keeps its other parts", () => {
  assert.equal(withLook("?a=1&look=1~x!1&embed=true", "1~y!2"), "a=1&embed=true&look=1~y!2");
  assert.equal(withLook("?look=1~x!1", ""), "");
});

test("a page is opened as its address says, and says there what changes, until another page is in view", () => {
  assert.equal(lookAt("sum.step"), "2");
  assert.equal(link.chosen, 3); // no part of the page has told the server of a choice
  say("sum.step", null);
  link.choose(null);
  say("sum.cells", "4,0");
  write();
  assert.equal(written.at(-1), "?look=1~sum.cells!4,0");
  Object.assign(window.location, { pathname: "/tokens", search: "", href: "http://host/tokens" });
  assert.equal(lookAt("sum.cells"), null);
});

test("what the server asks for is told to who listens as long as they stand on the page", () => {
  const heard: string[] = [];
  const root = { isConnected: true } as any;
  onLookChange(root, (key, value) => heard.push(`${key}=${value}`));
  takeUp("1~sum.step!4");
  takeUp("of another version");
  root.isConnected = false;
  takeUp("1~sum.step!5");
  assert.deepEqual(heard, ["sum.step=4"]);
  assert.equal(lookAt("sum.step"), "5");
});

test("a host such as a notebook keeps the looks in a place of its own", () => {
  let kept = "1~sum.step!4";
  const before = written.length;
  setViewStateStorage({ page: () => "", read: () => kept, write: (state) => void (kept = state) });
  assert.equal(lookAt("sum.step"), "4");
  say("sum.step", "1");
  write();
  assert.equal(kept, "1~sum.step!1");
  assert.equal(written.length, before);
});
