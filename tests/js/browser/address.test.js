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

/**
 * @param {string} session
 * @param {string} query
 */
function run(session, query) {
  /** @type {unknown[][]} */
  const lost = [];
  address({ session, query }, { setStateValue() {}, setTriggerValue: (...said) => lost.push(said) });
  return lost;
}

test("a query is lost where the visit has another name and another query, and nowhere else", () => {
  const known = { session: "a", query: "x=1" };
  assert.equal(lostQuery(undefined, known), null);
  assert.equal(lostQuery(known, { session: "a", query: "x=2" }), null);
  assert.equal(lostQuery(known, { session: "b", query: "x=1" }), null);
  assert.equal(lostQuery(known, { session: "b", query: "" }), "x=1");
});

test("the query is replaced in place, and not touched where it says so already", () => {
  assert.deepEqual(run("a", "text=new"), []);
  assert.deepEqual(pushed.splice(0), [[7, "", "http://host/tokens?text=new"]]);
  tab.location.href = "http://host/tokens?text=new";
  assert.deepEqual(run("a", "text=new"), []);
  assert.deepEqual(pushed, []);
});

test("what was lost is told once, and the address stays as it was", () => {
  assert.deepEqual(run("b", ""), [["lost", "text=new"]]);
  assert.deepEqual(pushed, []);
  assert.deepEqual(run("b", "text=new"), []);
  assert.deepEqual(pushed, []);
});
