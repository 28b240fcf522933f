// What of a page only the browser knows: steps, cameras, zooms, orders, opened sections. It stands in the address as
// look=1~KEY!VALUE~KEY!VALUE, is read from there when the page is opened, and is written there without a run of the page
// and without an entry in the browser's history. ui/settings/kinds.py has the same grammar.

import { link } from "./link.ts";

type Look = { say: (numbers: number[] | null) => void; see: (numbers: number[]) => void; ready: () => void };

const VERSION = "1";
const KEY = /^[\w.-]{1,60}$/;
const VALUE = /^[\w.,-]{0,600}$/;
const MOST = 3_000; // characters; what comes later is left out
const REST = 300; // ms without a change, after which it is written: browsers allow an address 100 changes in 30 s
const DIGITS = 6;

/**
 * @param text what an address says
 * @returns null where it is not sound
 */
export function parseLook(text: string): Map<string, string> | null {
  const [version, ...entries] = text.split("~");
  const pairs = entries.map((entry) => entry.split("!"));
  const isSound = pairs.every((pair) => pair.length === 2 && KEY.test(pair[0]) && VALUE.test(pair[1]));
  if (version !== VERSION || !isSound || text.length > MOST) return null;
  return new Map(pairs.map(([key, value]) => [key, value]));
}

/** @returns "" for none */
export function writeLook(entries: Map<string, string>): string {
  let text = VERSION;
  for (const [key, value] of entries) {
    const next = `${text}~${key}!${value}`;
    if (next.length <= MOST && KEY.test(key) && VALUE.test(value)) text = next;
  }
  return text === VERSION ? "" : text;
}

export const writeNumbers = (numbers: number[]) =>
  numbers.map((number) => String(Number(number.toPrecision(DIGITS)))).join(",");

/** @returns null where it is anything but numbers */
export function readNumbers(value: string): number[] | null {
  const numbers = value.split(",").map((part) => (part ? Number(part) : Number.NaN));
  return numbers.every((number) => Math.abs(number) < 1e30) ? numbers : null;
}

/**
 * An address's query with another look.
 * @param look "" for none
 */
export function withLook(search: string, look: string) {
  const parts = search.replace(/^\?/, "").split("&");
  return [...parts.filter((part) => part && !part.startsWith("look=")), ...(look ? [`look=${look}`] : [])].join("&");
}

const page = {
  path: null as string | null, // of the page that the entries are of
  entries: new Map() as Map<string, string>,
  isToldChoice: false, // the page itself has the chosen token in its link
};
/** Called whenever the address has another look. */
const watchers = new Set<() => void>();
/** Called with what the server asks for, as long as their roots stand on the page. */
const listeners = new Set<{ root: Element; hear: (key: string, value: string) => void }>();
let timer = 0;

// Of another page it is read anew: one that is opened has none, one that is gone back to has its own.
function current() {
  const { pathname, search } = window.location;
  if (page.path !== pathname) {
    page.path = pathname;
    page.entries = parseLook(new URLSearchParams(search).get("look") ?? "") ?? new Map();
    page.isToldChoice = false;
    const [chosen] = readNumbers(page.entries.get("token") ?? "") ?? [null];
    if (chosen !== null) link.choose(chosen);
  }
  return page.entries;
}

/** Says that the page's own link has the chosen token. */
export function tellChoice() {
  current();
  page.isToldChoice = true;
  say("token", null);
}

link.subscribe(({ chosen, cause }) => {
  if (cause === "choose" && !page.isToldChoice && page.path !== null && page.path === window.location.pathname)
    say("token", chosen === null ? null : String(chosen));
});

/** @returns what the link says */
export const lookAt = (key: string): string | null => current().get(key) ?? null;

/** @param value null for what a page has when it is opened */
export function say(key: string, value: string | null) {
  const entries = current();
  if ((entries.get(key) ?? null) === value) return;
  if (value === null) entries.delete(key);
  else entries.set(key, value);
  clearTimeout(timer);
  timer = window.setTimeout(write, REST);
}

/** What of components is in view, for files that are saved. */
const views = new Map<string, { root: Element; numbers: number[] }>();

/** The look of the page, and what is in view, as a file that is saved has to show them; "" for none. */
export function seenLook() {
  for (const [key, { root }] of views) if (!root.isConnected) views.delete(key);
  const seen = [...views].map(([key, { numbers }]) => [key, writeNumbers(numbers)] as const);
  return writeLook(new Map([...seen, ...current()]));
}

/** The look of the page in view, as the address has it; "" for none. */
export const shownLook = () => writeLook(current());

export const watchLook = (told: () => void) => void watchers.add(told);

/** Writes it into the address at once. */
export function write() {
  clearTimeout(timer);
  const url = new URL(window.location.href);
  const search = withLook(url.search, shownLook());
  if (search === url.search.replace(/^\?/, "")) return;
  url.search = search;
  window.history.replaceState(window.history.state, "", url);
  for (const told of watchers) told();
}

/** Takes up what the server asks for, as a stop of a lesson does; what it does not name stays as it is. */
export function takeUp(text: string) {
  for (const [key, value] of parseLook(text) ?? []) {
    say(key, value);
    for (const listener of listeners) {
      if (listener.root.isConnected) listener.hear(key, value);
      else listeners.delete(listener);
    }
  }
}

/**
 * @param root that has to stand on the page
 * @param hear called with what the server asks for
 */
export const onLookChange = (root: Element, hear: (key: string, value: string) => void) =>
  void listeners.add({ root, hear });

/**
 * The key that the page calls an element by.
 * @param root in it
 */
function keyOf(root: Element) {
  const place = root.getRootNode();
  const named = (place instanceof ShadowRoot ? place.host : root).closest('[class*="st-key-"]');
  return named?.className.match(/(?:^| )st-key-([\w-]+)/)?.[1] ?? "";
}

/**
 * What a component lets the link say of itself, as numbers.
 * @param root of the component
 * @param part its name within it
 * @param take puts into effect what a link says, which can be any finite numbers
 * @returns ready: to be called whenever there is something to put it into effect on; until it has been called, and
 * while another page is in view, nothing that is said counts
 */
export function lookOf(root: Element, part: string, take: (numbers: number[]) => void): Look {
  let key = "";
  let path = "";
  const news = (value: string) => {
    const numbers = readNumbers(value);
    if (numbers) take(numbers);
  };
  return {
    ready() {
      if (key || !root.isConnected) return;
      key = `${keyOf(root)}.${part}`;
      path = window.location.pathname;
      onLookChange(root, (named, value) => void (named === key && news(value)));
      const given = lookAt(key);
      if (given !== null) news(given);
    },
    say(numbers) {
      if (key && path === window.location.pathname) say(key, numbers && writeNumbers(numbers));
    },
    see(numbers) {
      views.set(`${keyOf(root)}.seen`, { root, numbers });
    },
  };
}

/** Keeps how far a part of a component is scrolled, as a share of its height. */
export function lookOfScroll(root: Element, scroller: Element) {
  const look = lookOf(root, "top", ([share]) => void (scroller.scrollTop = share * scroller.scrollHeight));
  const tell = () => look.say(scroller.scrollTop > 1 ? [scroller.scrollTop / scroller.scrollHeight] : null);
  scroller.addEventListener("scroll", tell, { passive: true });
  return look;
}
