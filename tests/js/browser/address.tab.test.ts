// When a tab hands back what a restarted server has forgotten, and what it keeps of it.

import assert from "node:assert/strict";
import test from "node:test";

const pushed: unknown[][] = [];
const tab = {
  location: { href: "http://host/tokens?text=old" },
  history: {
    state: 7,
    replaceState: (state: unknown, title: string, url: URL) => pushed.push([state, title, String(url)]),
    pushState: (_state: unknown, _title: string, url: URL) => {
      entries.push(String(url));
      tab.location.href = String(url);
    },
  },
  addEventListener: (_name: string, listener: () => void) => void listeners.add(listener),
  removeEventListener: (_name: string, listener: () => void) => listeners.delete(listener),
  setTimeout: (wake: () => void) => void alarms.push(wake),
};
const alarms: (() => void)[] = [];
const entries: string[] = [];
const listeners = new Set<() => void>();
let time: number = 0;
Object.defineProperty(performance, "now", { value: () => time }); // Node 18 lets nobody assign it
globalThis.window = tab as any;
const {
  default: address,
  isControlChange: isControl,
  lostQuery,
  splitQuery,
} = await import("../../../ui/components/browser/address.ts");

const page = { setStateValue() {}, setTriggerValue() {} };

function run(session: string, query: string) {
  const lost: unknown[][] = [];
  address(
    { session, query, run: 0, texts: ["text", "x"] },
    { setStateValue() {}, setTriggerValue: (...said) => lost.push(said) },
  );
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

test("what Streamlit reads of a query is no setting, and stays in the address", () => {
  assert.deepEqual(splitQuery("?embed=true&text=embed=1&embed_options=x&section=y&d=1&embedding=y"), {
    query: "text=embed=1&d=1&embedding=y",
    streamlit: "embed=true&embed_options=x&section=y",
  });
  assert.deepEqual(splitQuery(""), { query: "", streamlit: "" });
  const { say, goTo, told } = visit();
  goTo("http://host/?embed=true");
  say("");
  assert.deepEqual(pushed, []);
  say("text=new");
  assert.equal(pushed.at(-1)?.[2], "http://host/?text=new&embed=true");
  goTo("http://host/?text=new&embed=true");
  assert.deepEqual(told, []);
  goTo("http://host/?embed=true");
  assert.deepEqual(told, [["back", ""]]);
  delete (tab as any).embeddingExplorerAddress;
  run("a", "text=new");
  pushed.length = 0;
  tab.location.href = "http://host/tokens?text=new";
});

test("of two links of one visit the newer counts, and a part of the page begins no visit", () => {
  tab.location.href = "http://host/tokens";
  address({ session: "a", query: "x=5", run: 5, texts: ["text", "x"] }, page);
  address({ session: "a", query: "x=4", run: 4, texts: ["text", "x"] }, page);
  address({ session: "a", query: "x=6", run: 6, part: true }, page);
  address({ session: "c", query: "x=7", run: 7, part: true }, page);
  assert.deepEqual(
    pushed.splice(0).map(([, , url]) => url),
    ["http://host/tokens?x=5", "http://host/tokens?x=6"],
  );
  delete (tab as any).embeddingExplorerAddress;
  address({ session: "c", query: "x=8", run: 6, texts: ["text", "x"] }, page);
  assert.match(String(pushed.splice(0)[0]?.[2]), /x=7$/); // the part's link was the newer one
  delete (tab as any).embeddingExplorerAddress;
  address({ session: "a", query: "text=new", run: 8, texts: ["text", "x"] }, page);
  pushed.length = 0;
  tab.location.href = "http://host/tokens?text=new";
});

test("what was lost is told once, and the address stays as it was", () => {
  assert.deepEqual(run("b", ""), [["lost", "text=new"]]);
  assert.deepEqual(pushed, []);
  assert.deepEqual(run("b", "text=new"), []);
  assert.deepEqual(pushed, []);
});

test("a control is changed where neither the page, nor a text, nor what the server took up is another", () => {
  const known = { session: "a", query: "text=x&d=1", run: 1, path: "/", texts: ["text"], recalled: 0 };
  const now = { session: "a", query: "text=x&d=2", run: 2, path: "/", recalled: 0 };
  assert.ok(isControl(known, now));
  assert.ok(!isControl(undefined, now));
  assert.ok(!isControl(known, { ...now, query: known.query }));
  assert.ok(!isControl(known, { ...now, query: "text=y&d=2" }));
  assert.ok(!isControl(known, { ...now, query: "d=2" }));
  assert.ok(!isControl(known, { ...now, path: "/tokens" }));
  assert.ok(!isControl(known, { ...now, session: "b" }));
  assert.ok(!isControl(known, { ...now, recalled: 1 }));
});

/** A visit of one page, whose every run says a link. */
function visit() {
  delete (tab as any).embeddingExplorerAddress;
  entries.length = pushed.length = 0;
  listeners.clear();
  tab.location.href = "http://host/";
  const told: unknown[][] = [];
  let count = 0;
  let end: void | (() => void);
  const say = (query: string, { recalled = 0, part = false } = {}) => {
    const setTriggerValue = (...what: unknown[]) => void told.push(what);
    const more = part ? { part } : { recalled, texts: ["text"] };
    if (!part) end?.();
    const ended = address({ session: "v", query, run: ++count, ...more }, { setStateValue() {}, setTriggerValue });
    if (!part) end = ended;
  };
  const goTo = (href: string) => {
    tab.location.href = href;
    for (const listener of [...listeners]) listener();
  };
  return { say, goTo, told };
}

test("what is changed a while after the last is an entry, and what follows closely is the same one", () => {
  const { say } = visit();
  say("");
  time += 5_000;
  say("d=1");
  for (const d of [2, 3, 4]) {
    time += 900;
    say(`d=${d}`, { part: d === 3 });
  }
  time += 1_000;
  say("d=5");
  assert.deepEqual(entries, ["http://host/?d=1", "http://host/?d=5"]);
  assert.deepEqual(
    pushed.map(([, , url]) => url),
    ["http://host/?d=2", "http://host/?d=3", "http://host/?d=4"],
  );
  time += 5_000;
  say("d=5&text=typed", { part: true });
  assert.equal(entries.length, 2);
});

test("who goes back is taken there once, whatever the page says before it has heard of it, and adds no entry", () => {
  const { say, goTo, told } = visit();
  say("");
  time += 5_000;
  say("d=1");
  assert.equal(listeners.size, 1);
  goTo("http://host/");
  assert.deepEqual(told, [["back", ""]]);
  pushed.length = 0;
  say("d=1");
  say("d=1", { part: true });
  assert.deepEqual(pushed, []);
  say("text=typed", { recalled: 1 });
  assert.deepEqual(pushed, [[7, "", "http://host/?text=typed"]]);
  assert.equal(entries.length, 1);
  time += 5_000;
  tab.location.href = "http://host/?text=typed";
  say("text=typed&d=2", { recalled: 1 });
  assert.equal(entries.length, 2);
});

test("a server that never hears of it does not hold the address for good", () => {
  const { say, goTo } = visit();
  say("");
  time += 5_000;
  say("d=1");
  goTo("http://host/");
  time += 10_000;
  say("d=2");
  assert.match(tab.location.href + entries.join() + pushed.join(), /d=2/);
});

test("where nobody answers it is asked once more, and not where somebody did or the reader went on", () => {
  const { say, goTo, told } = visit();
  const wake = () => {
    time += 10_000;
    for (const alarm of alarms.splice(0)) alarm();
    return told.splice(0);
  };
  alarms.length = 0;
  say("");
  time += 5_000;
  say("d=1");
  goTo("http://host/");
  told.length = pushed.length = 0;
  assert.deepEqual(wake(), [["back", ""]]);
  say("d=1");
  assert.deepEqual(pushed, []); // it waits for this answer too
  assert.deepEqual(wake(), []);
  say("d=1", { recalled: 1 });
  goTo("http://host/?d=2");
  time += 1;
  goTo("http://host/?d=3");
  assert.deepEqual(told.splice(0), [
    ["back", "d=2"],
    ["back", "d=3"],
  ]);
  assert.deepEqual(wake(), [["back", "d=3"]]);
  say("d=3", { recalled: 2 });
  goTo("http://host/?d=4");
  told.length = 0;
  say("d=4", { recalled: 3 });
  assert.deepEqual(wake(), []);
  goTo("http://host/?d=5");
  told.length = 0;
  goTo("http://host/tokens");
  assert.deepEqual(wake(), []);
});

test("another page, and a place on the same, ask for no settings", () => {
  const { say, goTo, told } = visit();
  say("d=1");
  goTo("http://host/tokens?d=7");
  goTo("http://host/?d=1#code");
  assert.deepEqual(told, []);
});

test("another stop of a lesson on another page is asked for once that page is there", () => {
  const { say, goTo, told } = visit();
  goTo("http://host/tokens");
  say("d=1&lesson=tour&stop=1");
  goTo("http://host/?lesson=tour");
  assert.deepEqual(told, []);
  pushed.length = 0;
  say("d=1&lesson=tour&stop=1", { part: true });
  say("d=1&lesson=tour&stop=1");
  assert.deepEqual(told.splice(0), [["back", "lesson=tour"]]);
  assert.deepEqual(pushed, []);
  say("lesson=tour", { recalled: 1 });
  goTo("http://host/tokens?lesson=tour");
  say("lesson=tour", { recalled: 1 });
  assert.deepEqual(told, []); // a page that the reader opened from the menu has the same stop
  goTo("http://host/positions");
  goTo("http://host/tokens?lesson=tour");
  say("lesson=tour", { recalled: 1 });
  assert.deepEqual(told, []);
});
