// Lights the part of the page that a stop of a lesson is about, and leads to it once.

import { stay } from "./stay.js";

const RING = "outline: 3px solid light-dark(#0b5cad, #6cb6ff); outline-offset: 0.5rem; border-radius: 0.25rem;";

/** @type {HTMLStyleElement | undefined} */
let rules;
let before = ""; // what was led to last

/**
 * What finds a part by its key: it may wait below the window, or be drawn.
 * @param {string} key
 */
export function placeOf(key) {
  const waiting = key.startsWith("near-") ? `, [data-near="${key.slice("near-".length)}"]` : "";
  return `.st-key-${key}${waiting}`;
}

/** @param {{ key: string, stop: string }} data the part's key, and what tells this stop from every other */
export default function ({ key, stop }) {
  if (!/^[a-z0-9_-]+$/.test(key)) return undefined;
  rules ??= document.head.appendChild(document.createElement("style"));
  // Above it the lesson's panel stays in view, and a section's heading between the two.
  const above = key.startsWith("near-") ? "17.5rem" : "14.5rem";
  rules.textContent = `:is(${placeOf(key)}) { ${RING} scroll-margin: ${above} 0 2rem; }`;
  if (before !== stop) {
    before = stop;
    /** @type {ScrollBehavior} */
    let behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    stay(() => {
      const place = document.querySelector(placeOf(key));
      if (!place) return;
      const { top, bottom } = place.getBoundingClientRect();
      if (top < 0 || bottom > window.innerHeight) place.scrollIntoView({ behavior, block: "start" });
      behavior = "instant";
    });
  }
  return () => {
    if (rules) rules.textContent = "";
  };
}
