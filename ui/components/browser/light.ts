// Lights the part of the page that a stop of a lesson is about, and leads to it once.

import { isStill } from "../_shared/canvas.ts";
import { stay } from "./stay.ts";

const RING = "outline: 3px solid light-dark(#0b5cad, #6cb6ff); outline-offset: 0.5rem; border-radius: 0.25rem;";
const LEAST = 13; // px above a part without a heading, which its ring takes
const FARTHEST = 110; // px from a part to its heading

let rules: HTMLStyleElement | undefined;
let before = ""; // what was led to last

/** What finds a part by its key: it may wait below the window, or be drawn. */
export function placeOf(key: string) {
  const waiting = key.startsWith("near-") ? `, [data-near="${key.slice("near-".length)}"]` : "";
  return `.st-key-${key}${waiting}`;
}

/**
 * Where a part is to be seen: below the lesson's panel, which stays at the window's head, or above it on a phone.
 * @param panel in px of the window; undefined where there is none
 * @param height of the window
 * @returns px
 */
export function sight(
  panel: { top: number; bottom: number } | undefined,
  height: number,
): { head: number; foot: number } {
  if (!panel) return { head: 0, foot: height };
  return panel.top > 0.3 * height ? { head: 0, foot: panel.top } : { head: panel.bottom, foot: height };
}

/**
 * How much above a part is to be seen with it: its heading, where one is right above it.
 * @param tops of the headings, in px of the window
 * @param top of the part
 * @returns px
 */
export function roomAbove(tops: number[], top: number): number {
  const near = tops.filter((above) => above < top && top - above < FARTHEST);
  return near.length ? top - Math.max(...near) : LEAST;
}

/** Whether to lead to the part to be seen with the lit one: it stands before it, or within it where it is too high. */
function isLedTo(used: Element, lit: Element, height: number) {
  if (lit.contains(used)) return lit.getBoundingClientRect().height > height;
  return Boolean(used.compareDocumentPosition(lit) & Node.DOCUMENT_POSITION_FOLLOWING);
}

type Light = { key: string; control: string; stop: string };

/** @param data the part's key, that of the part to be seen with it, and what tells this stop from every other */
export default function ({ key, control, stop }: Light) {
  if (!/^[a-z0-9_-]+$/.test(key) || !/^[a-z0-9_-]*$/.test(control)) return undefined;
  const sheet = (rules ??= document.head.appendChild(document.createElement("style")));
  const part = `:is(${placeOf(key)})`;
  /**
   * @param head px, at least those of Streamlit's bar
   * @param room px above the part
   */
  const light = (head: number, room: number) => {
    const above = `calc(max(${head}px, 3.75rem) + ${room}px)`;
    sheet.textContent = `${part} { ${RING} } :is(${part}${control && `, ${placeOf(control)}`}) { scroll-margin: ${above} 0 2rem; }`;
  };
  light(0, LEAST);
  if (before !== stop) {
    before = stop;
    let behavior: ScrollBehavior = isStill() ? "instant" : "smooth";
    stay(() => {
      const lit = document.querySelector(placeOf(key));
      if (!lit) return;
      const panel = document.querySelector(".st-key-walk")?.getBoundingClientRect();
      const { head, foot } = sight(panel, window.innerHeight);
      const used = control ? document.querySelector(placeOf(control)) : null;
      const place = used && isLedTo(used, lit, foot - head) ? used : lit;
      const { top } = place.getBoundingClientRect();
      const bottom = Math.max(...[lit, used ?? lit].map((part) => part.getBoundingClientRect().bottom));
      const headings = [...document.querySelectorAll('[data-testid="stMain"] :is(h2, h3)')];
      const room = roomAbove(
        headings.map((heading) => heading.getBoundingClientRect().top),
        top,
      );
      light(head, room);
      if (top - room < head || bottom > foot) place.scrollIntoView({ behavior, block: "start" });
      behavior = "instant";
    });
  }
  return () => {
    if (rules) rules.textContent = "";
  };
}
