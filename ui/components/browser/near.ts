// Reports to Python which sections of a long page the reader is near, so that those further down are not drawn yet; stores
// each section's height for its placeholder; and restores the scroll position when the page is reloaded.

import { debounce } from "../_shared/debounce.ts";
import { type Page, perFrame } from "../_shared/lifecycle.ts";
import { isAtRest, storage } from "../_shared/page.ts";
import { holdScroll } from "./hold_scroll.ts";

const AHEAD = "50% 0px"; // of the window's height above and below it: sections within are near
const PASSING = 120; // ms: a section that only passes by on the way to another one is not drawn
const CHECK_INTERVAL = 100; // ms between two checks of the sections that are being drawn: each forces a layout
const MAX_WAIT = 5000; // ms after the run at which a section's reserved height is released in any case

/**
 * Whether a block's elements fill the height that is reserved for it.
 * @param height in px
 * @param top of the block
 * @param bottoms of its elements
 */
export function fillsHeight(height: number, top: number, bottoms: number[]) {
  return Math.max(top, ...bottoms) - top >= height - 1;
}

const WAITING = "[data-near]"; // placeholders
const UNFINISHED = "[data-testid='stSkeleton'], .stPlotlyChart:not(:has(.main-svg))";

const app = () => document.querySelector('[data-testid="stApp"]');

const SCROLL_KEY = "read-at"; // in sessionStorage: the page's path, its scroll position, and the heading there
let isScrollRestored = false;

const main = () => document.querySelector('[data-testid="stMain"]');
const clientTop = (element: Element) => element.getBoundingClientRect().top;

// With the current heading: what is above it may be of another height after the reload.
function saveScroll() {
  const headings = [...document.querySelectorAll('[data-testid="stMain"] :is(h1, h2)')];
  const heading = headings.findLast((heading) => clientTop(heading) < window.innerHeight / 2);
  const headingPosition = heading ? [heading.id, clientTop(heading)] : [];
  storage()?.setItem(SCROLL_KEY, JSON.stringify([location.pathname, main()?.scrollTop ?? 0, ...headingPosition]));
}

// Called once all placeholders are there, with about the heights of their sections.
function restoreScroll() {
  isScrollRestored = true;
  addEventListener("pagehide", saveScroll);
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const [path, top, id, headingTop] = JSON.parse(storage()?.getItem(SCROLL_KEY) ?? "[]");
  if (navigation?.type !== "reload" || path !== location.pathname || !top || main()?.scrollTop) return;
  main()?.scrollTo({ top });
  holdScroll(() => {
    const heading = document.getElementById(id);
    if (heading) main()?.scrollBy({ top: clientTop(heading) - headingTop });
  });
}

const HEIGHTS = "section-heights"; // in localStorage: px by section and page width
const WIDTH_STEP = 160; // px: pages whose widths differ by less share the heights

let heights: Record<string, number> = {};

/** @param key of a section */
const heightKey = (key: string) => `${key} ${Math.round((main()?.clientWidth ?? window.innerWidth) / WIDTH_STEP)}`;

function readHeights() {
  try {
    const stored = JSON.parse(localStorage.getItem(HEIGHTS) ?? "{}");
    heights = Object.fromEntries(Object.entries<number>(stored).filter(([, height]) => Number.isFinite(height)));
  } catch {
    // No storage in a frame whose cookies are blocked, or no JSON: placeholders have their usual height.
  }
}

/** Store the heights of the page's sections, except those whose height is still reserved. */
function rememberHeights() {
  const before = JSON.stringify(heights);
  for (const block of document.querySelectorAll('[class*="st-key-near-"]')) {
    const key =
      [...block.classList].find((name) => name.startsWith("st-key-near-"))?.slice("st-key-near-".length) ?? "";
    const { height } = block.getBoundingClientRect();
    if (height && !keptHeights.has(key)) heights[heightKey(key)] = Math.round(height);
  }
  const after = JSON.stringify(heights);
  if (after === before) return;
  try {
    localStorage.setItem(HEIGHTS, after);
  } catch {
    // Not remembered.
  }
}

/** Give each placeholder the height that its section had last time. */
function setPlaceholderHeights() {
  for (const place of [...document.querySelectorAll("[data-near]")] as HTMLElement[]) {
    const height = heights[heightKey(place.dataset.near ?? "")];
    if (height && place.style.height !== `${height}px`) place.style.height = `${height}px`;
  }
}

/** Sections of the page in view that have been reported as near, by the page and by its fragment. */
let nearKeys = new Set<string>();
let nearPath = ""; // the path of that page
/** Reserved heights of the sections that are being drawn: those of their placeholders. */
const keptHeights = new Map<string, { height: number; since: number }>();
let stylesheet: HTMLStyleElement | undefined;

// By a CSS rule, since the section's block does not exist yet.
function writeHeightRules() {
  stylesheet ??= document.head.appendChild(document.createElement("style"));
  stylesheet.textContent = [...keptHeights]
    .map(([key, { height }]) => `.st-key-near-${key} { min-height: ${height}px; }`)
    .join("");
}

const releaseHeights = perFrame(() => {
  const previousSize = keptHeights.size;
  for (const [key, entry] of keptHeights) {
    const block = document.querySelector(`.st-key-near-${key}`);
    if (!block) {
      if (isAtRest() && !document.querySelector(`[data-near="${key}"]`)) keptHeights.delete(key); // another page
      continue;
    }
    if (isAtRest()) entry.since ||= performance.now();
    const bottoms = [...block.children].map((child) => child.getBoundingClientRect().bottom);
    const isFull = fillsHeight(entry.height, block.getBoundingClientRect().top, bottoms);
    const isDrawn = isAtRest() && !block.querySelector(UNFINISHED);
    const isSettled = entry.since && performance.now() - entry.since > MAX_WAIT;
    if (isFull || isDrawn || isSettled) keptHeights.delete(key);
  }
  if (keptHeights.size < previousSize) writeHeightRules();
  if (keptHeights.size) setTimeout(releaseHeights.schedule, CHECK_INTERVAL);
});

/** @param data keys of all sections that can wait; [data-near] are the placeholders of those that still do */
export default function ({ sections }: { sections: string[] }, { setStateValue }: Page) {
  if (location.pathname !== nearPath) nearKeys = new Set();
  nearPath = location.pathname;
  readHeights();
  const frame = app();
  const page = document.querySelector('[data-testid="stMainBlockContainer"]');
  if (!frame || !page || !sections.length) return undefined;
  let isReported = false; // and the rerun has not begun
  const reached = new Map<string, number>(); // heights of the placeholders that are near
  const report = () => {
    // During a run elements above a section can be missing.
    if (isReported || !isAtRest() || !reached.size) return;
    isReported = true;
    // The page must not become shorter than the scroll position while a section's charts are drawn.
    for (const [key, height] of reached) {
      nearKeys.add(key);
      keptHeights.set(key, { height, since: 0 });
    }
    writeHeightRules();
    releaseHeights.schedule();
    setStateValue("near", [...nearKeys]);
  };
  const reportAtRest = debounce(report, PASSING);
  let isFirst = true; // callback since placeholders were observed: nothing has been scrolled past
  const positions = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        for (const placeholder of target.matches(WAITING) ? [target] : target.querySelectorAll(WAITING)) {
          const key = placeholder.getAttribute("data-near") ?? "";
          const { height } = placeholder.getBoundingClientRect();
          if (isIntersecting && height && sections.includes(key)) reached.set(key, height);
          else reached.delete(key);
        }
      }
      if (isFirst) report();
      else reportAtRest();
      isFirst = false;
    },
    { root: main(), rootMargin: AHEAD },
  );
  const observe = perFrame(() => {
    if (isReported || !isAtRest()) return;
    rememberHeights();
    setPlaceholderHeights();
    if (!isScrollRestored) restoreScroll();
    positions.disconnect();
    reached.clear();
    isFirst = true;
    // Content of a closed <details> never intersects: watch the element itself, so that its sections are drawn before it opens.
    for (const placeholder of document.querySelectorAll(WAITING))
      positions.observe(placeholder.closest("details:not([open])") ?? placeholder);
  });
  const runs = new MutationObserver(() => {
    isReported = false;
    observe.schedule();
  });
  runs.observe(frame, { attributes: true, attributeFilter: ["data-test-script-state"] });
  const sizes = new ResizeObserver(observe.schedule);
  for (const part of [frame, page.firstElementChild ?? page]) sizes.observe(part); // the window and the page
  return () => {
    observe.stop();
    reportAtRest.cancel();
    for (const observer of [positions, runs, sizes]) observer.disconnect();
  };
}
