// When a tab hands back what a restarted server has forgotten, and what it keeps of it.

import assert from "node:assert/strict";
import test from "node:test";

/** @type {unknown[][]} */
const pushed = [];
const tab = {
  location: { href: "http://host/tokens?text=old" },
  history: {
    state: 7,
    replaceState: (/** @type {unknown} */ state, /** @type {string} */ title, /** @type {URL} */ url) =>
      pushed.push([state, title, String(url)]),
  },
};
globalThis.window = /** @type {any} */ (tab);
const { default: address, lostQuery } = await import("../../../ui/components/browser/address.js");

const page = { setStateValue() {}, setTriggerValue() {} };

/**
 * @param {string} session
 * @param {string} query
 */
function run(session, query) {
  /** @type {unknown[][]} */
  const lost = [];
  address({ session, query, run: 0 }, { setStateValue() {}, setTriggerValue: (...said) => lost.push(said) });
  return lost;
}

test("a query is lost where the visit has another name and another query, and nowhere else", () => {
  const known = { session: "a", query: "x=1", run: 1 };
  assert.equal(lostQuery(undefined, known), null);
  assert.equal(lostQuery(known, { ...known, session: "a", query: "x=2" }), null);
  assert.equal(lostQuery(known, { ...known, session: "b", query: "x=1" }), null);
  assert.equal(lostQuery(known, { ...known, session: "b", query: "" }), "x=1");
});

test("the query is replaced in place, and not touched where it says so already", () => {
  assert.deepEqual(run("a", "text=new"), []);
  assert.deepEqual(pushed.splice(0), [[7, "", "http://host/tokens?text=new"]]);
  tab.location.href = "http://host/tokens?text=new";
  assert.deepEqual(run("a", "text=new"), []);
  assert.deepEqual(pushed, []);
});

test("of two links of one visit the newer counts, and a part of the page begins no visit", () => {
  tab.location.href = "http://host/tokens";
  address({ session: "a", query: "x=5", run: 5 }, page);
  address({ session: "a", query: "x=4", run: 4 }, page);
  address({ session: "a", query: "x=6", run: 6, part: true }, page);
  address({ session: "c", query: "x=7", run: 7, part: true }, page);
  assert.deepEqual(
    pushed.splice(0).map(([, , url]) => url),
    ["http://host/tokens?x=5", "http://host/tokens?x=6"],
  );
  delete (/** @type {any} */ (tab).embeddingExplorerAddress);
  address({ session: "c", query: "x=8", run: 6 }, page);
  assert.match(String(pushed.splice(0)[0]?.[2]), /x=7$/); // the part's link was the newer one
  delete (/** @type {any} */ (tab).embeddingExplorerAddress);
  address({ session: "a", query: "text=new", run: 8 }, page);
  pushed.length = 0;
  tab.location.href = "http://host/tokens?text=new";
});

test("what was lost is told once, and the address stays as it was", () => {
  assert.deepEqual(run("b", ""), [["lost", "text=new"]]);
  assert.deepEqual(pushed, []);
  assert.deepEqual(run("b", "text=new"), []);
  assert.deepEqual(pushed, []);
});
