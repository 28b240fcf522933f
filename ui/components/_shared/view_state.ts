// What of a page only the browser knows: steps, cameras, zooms, orders, opened sections. It stands in the address as
// look=1~KEY!VALUE~KEY!VALUE, is read from there when the page is opened, and is written there without a run of the page
// and without an entry in the browser's history. ui/settings/kinds.py has the same grammar.

import { link } from "./link.ts";

type ViewStateEntry = {
  setValue: (numbers: number[] | null) => void;
  setExportedValue: (numbers: number[]) => void;
  restore: () => void;
};

const VERSION = "1";
const KEY = /^[\w.-]{1,60}$/;
const VALUE = /^[\w.,-]{0,600}$/;
const MAX_LENGTH = 3_000; // characters; what comes later is left out
const WRITE_DELAY = 300; // ms without a change, after which it is written: browsers allow an address 100 changes in 30 s
const DIGITS = 6;

/**
 * @param text what an address says
 * @returns null where it is not sound
 */
export function parseViewState(text: string): Map<string, string> | null {
  const [version, ...entries] = text.split("~");
  const pairs = entries.map((entry) => entry.split("!"));
  const isSound = pairs.every((pair) => pair.length === 2 && KEY.test(pair[0]) && VALUE.test(pair[1]));
  if (version !== VERSION || !isSound || text.length > MAX_LENGTH) return null;
  return new Map(pairs.map(([key, value]) => [key, value]));
}

/** @returns "" for none */
export function formatViewState(entries: Map<string, string>): string {
  let text = VERSION;
  for (const [key, value] of entries) {
    const next = `${text}~${key}!${value}`;
    if (next.length <= MAX_LENGTH && KEY.test(key) && VALUE.test(value)) text = next;
  }
  return text === VERSION ? "" : text;
}

export const formatNumbers = (numbers: number[]) =>
  numbers.map((number) => String(Number(number.toPrecision(DIGITS)))).join(",");

/** @returns null where it is anything but numbers */
export function parseNumbers(value: string): number[] | null {
  const numbers = value.split(",").map((part) => (part ? Number(part) : Number.NaN));
  return numbers.every((number) => Math.abs(number) < 1e30) ? numbers : null;
}

/**
 * An address's query with another look.
 * @param state "" for none
 */
export function withViewState(search: string, state: string) {
  const parts = search.replace(/^\?/, "").split("&");
  return [...parts.filter((part) => part && !part.startsWith("look=")), ...(state ? [`look=${state}`] : [])].join("&");
}

const page = {
  path: null as string | null, // of the page that the entries are of
  entries: new Map() as Map<string, string>,
  isTokenInQuery: false, // the page itself has the chosen token in its link
};
/** Called whenever the address has another look. */
const watchers = new Set<() => void>();
/** Called with what the server asks for, as long as their roots stand on the page. */
const listeners = new Set<{ root: Element; onValue: (key: string, value: string) => void }>();
let timer = 0;

// Of another page it is read anew: one that is opened has none, one that is gone back to has its own.
function current() {
  const { pathname, search } = window.location;
  if (page.path !== pathname) {
    page.path = pathname;
    page.entries = parseViewState(new URLSearchParams(search).get("look") ?? "") ?? new Map();
    page.isTokenInQuery = false;
    const [chosen] = parseNumbers(page.entries.get("token") ?? "") ?? [null];
    if (chosen !== null) link.choose(chosen);
  }
  return page.entries;
}

/** Says that the page's own link has the chosen token. */
export function omitChosenToken() {
  current();
  page.isTokenInQuery = true;
  setValue("token", null);
}

link.subscribe(({ chosen, cause }) => {
  if (cause === "choose" && !page.isTokenInQuery && page.path !== null && page.path === window.location.pathname)
    setValue("token", chosen === null ? null : String(chosen));
});

/** @returns what the link says */
export const savedValue = (key: string): string | null => current().get(key) ?? null;

/** @param value null for what a page has when it is opened */
export function setValue(key: string, value: string | null) {
  const entries = current();
  if ((entries.get(key) ?? null) === value) return;
  if (value === null) entries.delete(key);
  else entries.set(key, value);
  clearTimeout(timer);
  timer = window.setTimeout(writeViewState, WRITE_DELAY);
}

/** What of components is in view, for files that are saved. */
const exportedValues = new Map<string, { root: Element; numbers: number[] }>();

/** The look of the page, and what is in view, as a file that is saved has to show them; "" for none. */
export function exportViewState() {
  for (const [key, { root }] of exportedValues) if (!root.isConnected) exportedValues.delete(key);
  const exported = [...exportedValues].map(([key, { numbers }]) => [key, formatNumbers(numbers)] as const);
  return formatViewState(new Map([...exported, ...current()]));
}

/** The look of the page in view, as the address has it; "" for none. */
export const viewState = () => formatViewState(current());

export const watchViewState = (listener: () => void) => void watchers.add(listener);

/** Writes it into the address at once. */
export function writeViewState() {
  clearTimeout(timer);
  const url = new URL(window.location.href);
  const search = withViewState(url.search, viewState());
  if (search === url.search.replace(/^\?/, "")) return;
  url.search = search;
  window.history.replaceState(window.history.state, "", url);
  for (const listener of watchers) listener();
}

/** Takes up what the server asks for, as a stop of a lesson does; what it does not name stays as it is. */
export function applyViewState(text: string) {
  for (const [key, value] of parseViewState(text) ?? []) {
    setValue(key, value);
    for (const listener of listeners) {
      if (listener.root.isConnected) listener.onValue(key, value);
      else listeners.delete(listener);
    }
  }
}

/**
 * @param root that has to stand on the page
 * @param hear called with what the server asks for
 */
export const onViewRequest = (root: Element, onValue: (key: string, value: string) => void) =>
  void listeners.add({ root, onValue: onValue });

/**
 * The key that the page calls an element by.
 * @param root in it
 */
function elementKey(root: Element) {
  const place = root.getRootNode();
  const named = (place instanceof ShadowRoot ? place.host : root).closest('[class*="st-key-"]');
  return named?.className.match(/(?:^| )st-key-([\w-]+)/)?.[1] ?? "";
}

/**
 * What a component lets the link say of itself, as numbers.
 * @param root of the component
 * @param part its name within it
 * @param apply puts into effect what a link says, which can be any finite numbers
 * @returns ready: to be called whenever there is something to put it into effect on; until it has been called, and
 * while another page is in view, nothing that is said counts
 */
export function registerViewState(root: Element, part: string, apply: (numbers: number[]) => void): ViewStateEntry {
  let key = "";
  let path = "";
  const onText = (value: string) => {
    const numbers = parseNumbers(value);
    if (numbers) apply(numbers);
  };
  return {
    restore() {
      if (key || !root.isConnected) return;
      key = `${elementKey(root)}.${part}`;
      path = window.location.pathname;
      onViewRequest(root, (named, value) => void (named === key && onText(value)));
      const saved = savedValue(key);
      if (saved !== null) onText(saved);
    },
    setValue(numbers) {
      if (key && path === window.location.pathname) setValue(key, numbers && formatNumbers(numbers));
    },
    setExportedValue(numbers) {
      exportedValues.set(`${elementKey(root)}.seen`, { root, numbers });
    },
  };
}

/** Keeps how far a part of a component is scrolled, as a share of its height. */
export function registerScroll(root: Element, scroller: Element) {
  const entry = registerViewState(root, "top", ([share]) => void (scroller.scrollTop = share * scroller.scrollHeight));
  const save = () => entry.setValue(scroller.scrollTop > 1 ? [scroller.scrollTop / scroller.scrollHeight] : null);
  scroller.addEventListener("scroll", save, { passive: true });
  return entry;
}
