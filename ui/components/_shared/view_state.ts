// View state: what only the browser knows of a page, such as steps, cameras, zooms, sort orders and open sections. The
// address has it as look=1~KEY!VALUE~KEY!VALUE; it is read when the page is opened, and written without a run of the page
// and without an entry in the browser's history. ui/settings/kinds.py has the same grammar.

import { link } from "./link.ts";

type ViewStateEntry = {
  setValue: (numbers: number[] | null) => void;
  setExportedValue: (numbers: number[]) => void;
  restore: () => void;
};

/** Where the view state is kept: in the page's address, unless a host such as a notebook has another place. */
let storage = {
  /** Return the page that entries belong to. */
  page: () => window.location.pathname,
  read: () => new URLSearchParams(window.location.search).get("look") ?? "",
  write(state: string) {
    const url = new URL(window.location.href);
    const search = withViewState(url.search, state);
    if (search === url.search.replace(/^\?/, "")) return;
    url.search = search;
    window.history.replaceState(window.history.state, "", url);
    for (const listener of watchers) listener();
  },
};

export const setViewStateStorage = (other: typeof storage) => void (storage = other);

const VERSION = "1";
const KEY = /^[\w.-]{1,60}$/;
const VALUE = /^[\w.,-]{0,600}$/;
const MAX_LENGTH = 3_000; // characters; entries beyond are left out
const WRITE_DELAY = 300; // ms without a change before the address is written: browsers allow 100 changes in 30 s
const DIGITS = 6;

/**
 * @param text of the address
 * @returns null if it is invalid
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

/** @returns null if any entry is no number */
export function parseNumbers(value: string): number[] | null {
  const numbers = value.split(",").map((part) => (part ? Number(part) : Number.NaN));
  return numbers.every((number) => Math.abs(number) < 1e30) ? numbers : null;
}

/**
 * Return an address's query with another view state.
 * @param state "" for none
 */
export function withViewState(search: string, state: string) {
  const parts = search.replace(/^\?/, "").split("&");
  return [...parts.filter((part) => part && !part.startsWith("look=")), ...(state ? [`look=${state}`] : [])].join("&");
}

const page = {
  path: null as string | null, // of the page that has these entries
  entries: new Map() as Map<string, string>,
  isTokenInQuery: false, // the page's own settings have the chosen token
};
/** Called whenever the address's view state changes. */
const watchers = new Set<() => void>();
/** Called with values that the server requests, while their roots are on the page. */
const listeners = new Set<{ root: Element; onValue: (key: string, value: string) => void }>();
let timer = 0;

// Read again on another page: one that is opened has none, one that the reader goes back to has its own.
function current() {
  const path = storage.page();
  if (page.path !== path) {
    page.path = path;
    page.entries = parseViewState(storage.read()) ?? new Map();
    page.isTokenInQuery = false;
    const [chosen] = parseNumbers(page.entries.get("token") ?? "") ?? [null];
    if (chosen !== null) link.choose(chosen);
  }
  return page.entries;
}

/** Leave the chosen token out of the view state, since the page's own settings have it. */
export function omitChosenToken() {
  current();
  page.isTokenInQuery = true;
  setValue("token", null);
}

link.subscribe(({ chosen, cause }) => {
  if (cause === "choose" && !page.isTokenInQuery && page.path !== null && page.path === storage.page())
    setValue("token", chosen === null ? null : String(chosen));
});

/** @returns null if the link has no value */
export const savedValue = (key: string): string | null => current().get(key) ?? null;

/** @param value null for the value of a page that is opened */
export function setValue(key: string, value: string | null) {
  const entries = current();
  if ((entries.get(key) ?? null) === value) return;
  if (value === null) entries.delete(key);
  else entries.set(key, value);
  clearTimeout(timer);
  timer = window.setTimeout(writeViewState, WRITE_DELAY);
}

/** Values for saved files alone: what each component has in view. */
const exportedValues = new Map<string, { root: Element; numbers: number[] }>();

/** View state for a saved file: that of the link, and what is in view; "" for none. */
export function exportViewState() {
  for (const [key, { root }] of exportedValues) if (!root.isConnected) exportedValues.delete(key);
  const exported = [...exportedValues].map(([key, { numbers }]) => [key, formatNumbers(numbers)] as const);
  return formatViewState(new Map([...exported, ...current()]));
}

/** View state as it is written in the URL; "" for none. */
export const viewState = () => formatViewState(current());

export const watchViewState = (listener: () => void) => void watchers.add(listener);

/** Write the view state into its storage at once. */
export function writeViewState() {
  clearTimeout(timer);
  storage.write(viewState());
}

/** Apply a view state that the server requests, as a stop of a lesson does; values that it does not name stay. */
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
 * Call a function for each value that the server requests, while an element is on the page.
 */
export const onViewRequest = (root: Element, onValue: (key: string, value: string) => void) =>
  void listeners.add({ root, onValue });

/**
 * Return the Streamlit key of the element that a root is in; "" for none.
 */
function elementKey(root: Element) {
  const place = root.getRootNode();
  const named = (place instanceof ShadowRoot ? place.host : root).closest('[class*="st-key-"]');
  return named?.className.match(/(?:^| )st-key-([\w-]+)/)?.[1] ?? "";
}

/**
 * Register a part of a component's view state, which is numbers.
 * @param root of the component
 * @param part its name within the component
 * @param apply applies the link's value, which can be any finite numbers
 * @returns restore: to be called whenever the component has data to apply the value to; until then, and while another page is
 * in view, setValue has no effect
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
      path = storage.page();
      onViewRequest(root, (named, value) => void (named === key && onText(value)));
      const saved = savedValue(key);
      if (saved !== null) onText(saved);
    },
    setValue(numbers) {
      if (key && path === storage.page()) setValue(key, numbers && formatNumbers(numbers));
    },
    setExportedValue(numbers) {
      exportedValues.set(`${elementKey(root)}.seen`, { root, numbers });
    },
  };
}

/** Register the scroll position of a part of a component, as a share of its height. */
export function registerScroll(root: Element, scroller: Element) {
  const entry = registerViewState(root, "top", ([share]) => void (scroller.scrollTop = share * scroller.scrollHeight));
  const save = () => entry.setValue(scroller.scrollTop > 1 ? [scroller.scrollTop / scroller.scrollHeight] : null);
  scroller.addEventListener("scroll", save, { passive: true });
  return entry;
}
