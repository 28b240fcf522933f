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
  // Above it the lesson's panel stays in view, on a phone only Streamlit's bar, and a section's heading between the two.
  const heading = key.startsWith("near-") ? 3 : 0;
  const part = `:is(${placeOf(key)})`;
  rules.textContent = `${part} { ${RING} scroll-margin: ${14.5 + heading}rem 0 2rem; }
    @media (max-width: 640px) { ${part} { scroll-margin-top: ${4.5 + heading}rem; } }`;
  if (before !== stop) {
    before = stop;
    /** @type {ScrollBehavior} */
    let behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    stay(() => {
      const place = document.querySelector(placeOf(key));
      if (!place) return;
      const { top, bottom } = place.getBoundingClientRect();
      const panel = document.querySelector(".st-key-walk")?.getBoundingClientRect();
      const foot = panel && panel.top > 0.3 * window.innerHeight ? panel.top : window.innerHeight; // a phone's is below
      if (top < 0 || bottom > foot) place.scrollIntoView({ behavior, block: "start" });
      behavior = "instant";
    });
  }
  return () => {
    if (rules) rules.textContent = "";
  };
}
