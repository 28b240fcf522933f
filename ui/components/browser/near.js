// Tells Python which sections of a long page the reader has come near, so that those further down need not be made yet.

import { perFrame } from "../_shared/lifecycle.js";

const AHEAD = 0.5; // of the window's height: a section is near when it is so far below the window, or above
const REST = 120; // ms without scrolling: what only passes by on the way to another section is not made
const SETTLED = 1500; // ms after a run, by which charts have their heights

/**
 * @param {{ key: string, top: number, bottom: number }[]} places of the sections that wait: px below the window's upper edge
 * @param {number} height of the window
 * @returns {string[]} the keys of those that the reader has come near
 */
export function arrived(places, height) {
  return places
    .filter(({ top, bottom }) => top < (1 + AHEAD) * height && bottom > -AHEAD * height)
    .map(({ key }) => key);
}

/** @type {Set<string>} sections of the page in view that need not wait any more */
let near = new Set();
let release = 0;

/**
 * @param {{ sections: string[] }} data keys of all sections that can wait; those that still do stand as [data-near]
 * @param {import("../_shared/lifecycle.js").Page} page
 */
export default function ({ sections }, { setStateValue }) {
  near = new Set(sections.filter((section) => near.has(section)));
  const app = document.querySelector('[data-testid="stApp"]');
  /** @type {HTMLElement | null} */
  const block = document.querySelector('[data-testid="stMainBlockContainer"]');
  if (!app || !block || !sections.length) return undefined;
  let isTold = false; // and the run that follows has not begun
  let rest = 0;
  const isAtRest = () => app.getAttribute("data-test-script-state") === "notRunning";
  const look = perFrame(() => {
    // While Streamlit changes a page, what will stand above a section can be missing.
    if (isTold || !isAtRest()) return;
    const places = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-near]"))].map(
      (place) => {
        const { top, bottom } = place.getBoundingClientRect();
        return { key: place.dataset.near ?? "", top, bottom };
      },
    );
    const reached = arrived(places, window.innerHeight).filter((key) => sections.includes(key));
    if (!reached.length) return;
    for (const key of reached) near.add(key);
    isTold = true;
    // Until their charts are drawn the page must not become shorter than where the reader is.
    clearTimeout(release);
    block.style.minHeight = `${block.offsetHeight}px`;
    setStateValue("near", [...near]);
  });
  const ends = new MutationObserver(() => {
    isTold = false;
    look.schedule();
    clearTimeout(release);
    if (isAtRest()) release = window.setTimeout(() => void (block.style.minHeight = ""), SETTLED);
  });
  ends.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
  const sizes = new ResizeObserver(look.schedule);
  for (const part of [app, block.firstElementChild ?? block]) sizes.observe(part); // the window's, and the page's
  const scrolled = () => {
    clearTimeout(rest);
    rest = window.setTimeout(look.schedule, REST);
  };
  document.addEventListener("scroll", scrolled, { capture: true, passive: true });
  return () => {
    look.stop();
    clearTimeout(rest);
    ends.disconnect();
    sizes.disconnect();
    document.removeEventListener("scroll", scrolled, { capture: true });
  };
}
