// Tells Python which sections of a long page the reader has come near, so that those further down need not be made yet.

import { perFrame } from "../_shared/lifecycle.js";

const AHEAD = 0.5; // of the window's height: a section is near when it begins this far below the window

/**
 * @param {{ key: string, top: number }[]} places of the sections that wait: px below the window's upper edge
 * @param {number} height of the window
 * @returns {string[]} the keys of those that the reader has come near
 */
export function arrived(places, height) {
  return places.filter(({ top }) => top < (1 + AHEAD) * height).map(({ key }) => key);
}

/** @type {Set<string>} sections of the page in view that need not wait any more */
let near = new Set();

/**
 * @param {{ sections: string[] }} data keys of all sections that can wait; those that still do stand as [data-near]
 * @param {import("../_shared/lifecycle.js").Page} page
 */
export default function ({ sections }, { setStateValue }) {
  near = new Set(sections.filter((section) => near.has(section)));
  const app = document.querySelector('[data-testid="stApp"]');
  if (!app || !sections.length) return undefined;
  let isTold = false; // and the run that follows has not begun
  const look = perFrame(() => {
    // While Streamlit changes a page, what will stand above a section can be missing.
    if (isTold || app.getAttribute("data-test-script-state") !== "notRunning") return;
    const places = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-near]"))].map(
      (place) => ({ key: place.dataset.near ?? "", top: place.getBoundingClientRect().top }),
    );
    const reached = arrived(places, window.innerHeight).filter((key) => sections.includes(key));
    if (!reached.length) return;
    for (const key of reached) near.add(key);
    isTold = true;
    setStateValue("near", [...near]);
  });
  const ends = new MutationObserver(() => {
    isTold = false;
    look.schedule();
  });
  ends.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
  const sizes = new ResizeObserver(look.schedule);
  // The window's, and the page's under it.
  for (const part of [app, document.querySelector('[data-testid="stMainBlockContainer"]')]) part && sizes.observe(part);
  document.addEventListener("scroll", look.schedule, { capture: true, passive: true });
  return () => {
    look.stop();
    ends.disconnect();
    sizes.disconnect();
    document.removeEventListener("scroll", look.schedule, { capture: true });
  };
}
