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

/**
 * Where a part is to be seen: below the lesson's panel, which stays at the window's head, or above it on a phone.
 * @param {{ top: number, bottom: number } | undefined} panel in px of the window; undefined where there is none
 * @param {number} height of the window
 * @returns {{ head: number, foot: number }} px
 */
export function sight(panel, height) {
  if (!panel) return { head: 0, foot: height };
  return panel.top > 0.3 * height ? { head: 0, foot: panel.top } : { head: panel.bottom, foot: height };
}

/** @param {{ key: string, stop: string }} data the part's key, and what tells this stop from every other */
export default function ({ key, stop }) {
  if (!/^[a-z0-9_-]+$/.test(key)) return undefined;
  const sheet = (rules ??= document.head.appendChild(document.createElement("style")));
  const part = `:is(${placeOf(key)})`;
  const heading = key.startsWith("near-") ? 3.75 : 0.75; // rem above it, for a section's heading
  /** @param {number} head px, at least those of Streamlit's bar */
  const light = (head) => {
    const above = `calc(max(${head}px, 3.75rem) + ${heading}rem)`;
    sheet.textContent = `${part} { ${RING} scroll-margin: ${above} 0 2rem; }`;
  };
  light(0);
  if (before !== stop) {
    before = stop;
    /** @type {ScrollBehavior} */
    let behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    stay(() => {
      const place = document.querySelector(placeOf(key));
      if (!place) return;
      const { top, bottom } = place.getBoundingClientRect();
      const panel = document.querySelector(".st-key-walk")?.getBoundingClientRect();
      const { head, foot } = sight(panel, window.innerHeight);
      light(head);
      if (top < head || bottom > foot) place.scrollIntoView({ behavior, block: "start" });
      behavior = "instant";
    });
  }
  return () => {
    if (rules) rules.textContent = "";
  };
}
