// Tells Python which sections of a long page the reader is near, so that those further down need not be drawn yet; remembers
// how high each section was; and takes a page that is loaded again to where it was read, which Streamlit's scrolling does not.

import { debounce } from "../_shared/debounce.ts";
import { type Page, perFrame } from "../_shared/lifecycle.ts";
import { isAtRest, stay } from "./stay.ts";

const AHEAD = "50% 0px"; // of the window's height: a section is near when it is so far below the window, or above
const PASSING = 120; // ms: a section that only passes by on the way to another one is not drawn
const LOOK = 100; // ms between two looks at the sections that are being made: each has the page laid out
const SETTLED = 5000; // ms at rest after which a section has its height, whatever it seems to wait for

/**
 * Whether what stands in a block fills the height that was kept for it.
 * @param kept in px
 * @param top of the block
 * @param bottoms of what stands in it
 */
export function fills(kept: number, top: number, bottoms: number[]) {
  return Math.max(top, ...bottoms) - top >= kept - 1;
}

const TO_COME = "[data-testid='stSkeleton'], .stPlotlyChart:not(:has(.main-svg))";

const app = () => document.querySelector('[data-testid="stApp"]');

const READ_AT = "read-at"; // in the tab's storage: the page's address, how far it was scrolled, and the heading there
let isLoaded = false; // and was taken to where it was read

const main = () => document.querySelector('[data-testid="stMain"]');
const topOf = (element: Element) => element.getBoundingClientRect().top;

/** The tab's storage; there is none in a frame on a site whose cookies the browser keeps out. */
export function storage() {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}

// With the heading that is read: what stands above it can be of another height when it is made anew.
function keepPlace() {
  const headings = [...document.querySelectorAll('[data-testid="stMain"] :is(h1, h2)')];
  const heading = headings.findLast((heading) => topOf(heading) < window.innerHeight / 2);
  const place = heading ? [heading.id, topOf(heading)] : [];
  storage()?.setItem(READ_AT, JSON.stringify([location.pathname, main()?.scrollTop ?? 0, ...place]));
}

// Once the places of all sections are there, which have about the sections' heights.
function resume() {
  isLoaded = true;
  addEventListener("pagehide", keepPlace);
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const [path, top, id, at] = JSON.parse(storage()?.getItem(READ_AT) ?? "[]");
  if (visit?.type !== "reload" || path !== location.pathname || !top || main()?.scrollTop) return;
  main()?.scrollTo({ top });
  stay(() => {
    const heading = document.getElementById(id);
    if (heading) main()?.scrollBy({ top: topOf(heading) - at });
  });
}

const HEIGHTS = "section-heights"; // in the browser's storage: px by section and by width of the page
const WIDTH_STEP = 160; // px: pages of about one width share a height

let heights: Record<string, number> = {};

/** @param key of a section */
const heightKey = (key: string) => `${key} ${Math.round((main()?.clientWidth ?? window.innerWidth) / WIDTH_STEP)}`;

function readHeights() {
  try {
    const stored = JSON.parse(localStorage.getItem(HEIGHTS) ?? "{}");
    heights = Object.fromEntries(Object.entries<number>(stored).filter(([, height]) => Number.isFinite(height)));
  } catch {
    // No storage in a frame whose cookies are blocked, or not ours: placeholders have their usual height.
  }
}

/** Note how high the sections on the page are, but those whose height is still kept for what comes. */
function rememberHeights() {
  const before = JSON.stringify(heights);
  for (const block of document.querySelectorAll('[class*="st-key-near-"]')) {
    const key =
      [...block.classList].find((name) => name.startsWith("st-key-near-"))?.slice("st-key-near-".length) ?? "";
    const { height } = block.getBoundingClientRect();
    if (height && !kept.has(key)) heights[heightKey(key)] = Math.round(height);
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

/** Sections of the page in view that need not wait any more, of the whole and of its part. */
let near = new Set<string>();
let nearOn = ""; // the path of that page
/** Sections that keep their places' heights while they are made. */
const kept = new Map<string, { height: number; since: number }>();
let rules: HTMLStyleElement | undefined;

// The block of a section is not there yet when its height is to be kept: a rule awaits it.
function keepHeights() {
  rules ??= document.head.appendChild(document.createElement("style"));
  rules.textContent = [...kept].map(([key, { height }]) => `.st-key-near-${key} { min-height: ${height}px; }`).join("");
}

const letGo = perFrame(() => {
  const before = kept.size;
  for (const [key, entry] of kept) {
    const block = document.querySelector(`.st-key-near-${key}`);
    if (!block) {
      if (isAtRest() && !document.querySelector(`[data-near="${key}"]`)) kept.delete(key); // another page
      continue;
    }
    if (isAtRest()) entry.since ||= performance.now();
    const bottoms = [...block.children].map((child) => child.getBoundingClientRect().bottom);
    const isFull = fills(entry.height, block.getBoundingClientRect().top, bottoms);
    const isDrawn = isAtRest() && !block.querySelector(TO_COME);
    const isSettled = entry.since && performance.now() - entry.since > SETTLED;
    if (isFull || isDrawn || isSettled) kept.delete(key);
  }
  if (kept.size < before) keepHeights();
  if (kept.size) setTimeout(letGo.schedule, LOOK);
});

/** @param data keys of all sections that can wait; those that still do stand as [data-near] */
export default function ({ sections }: { sections: string[] }, { setStateValue }: Page) {
  if (location.pathname !== nearOn) near = new Set();
  nearOn = location.pathname;
  readHeights();
  const frame = app();
  const page = document.querySelector('[data-testid="stMainBlockContainer"]');
  if (!frame || !page || !sections.length) return undefined;
  let isReported = false; // and the run that follows has not begun
  const reached = new Map<string, number>(); // heights of the placeholders that are near
  const report = () => {
    // While Streamlit changes a page, what will stand above a section can be missing.
    if (isReported || !isAtRest() || !reached.size) return;
    isReported = true;
    // Until its charts are drawn the page must not become shorter than where the reader is.
    for (const [key, height] of reached) {
      near.add(key);
      kept.set(key, { height, since: 0 });
    }
    keepHeights();
    letGo.schedule();
    setStateValue("near", [...near]);
  };
  const reportAtRest = debounce(report, PASSING);
  let isFirst = true; // answer of the observer since it was told what to observe
  const positions = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        const key = (target as HTMLElement).dataset.near ?? "";
        if (isIntersecting && boundingClientRect.height && sections.includes(key))
          reached.set(key, boundingClientRect.height);
        else reached.delete(key);
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
    if (!isLoaded) resume();
    positions.disconnect();
    reached.clear();
    isFirst = true;
    for (const placeholder of document.querySelectorAll("[data-near]")) positions.observe(placeholder);
  });
  const runs = new MutationObserver(() => {
    isReported = false;
    observe.schedule();
  });
  runs.observe(frame, { attributes: true, attributeFilter: ["data-test-script-state"] });
  const sizes = new ResizeObserver(observe.schedule);
  for (const part of [frame, page.firstElementChild ?? page]) sizes.observe(part); // the window's, and the page's
  return () => {
    observe.stop();
    reportAtRest.cancel();
    for (const observer of [positions, runs, sizes]) observer.disconnect();
  };
}
