// Outlines the section of the page that a stop of a lesson is about, and scrolls to it once.

import { prefersReducedMotion } from "../_shared/canvas.ts";
import { holdScroll } from "./hold_scroll.ts";

const RING = "outline: 3px solid light-dark(#0b5cad, #6cb6ff); outline-offset: 0.5rem; border-radius: 0.25rem;";
const RING_ROOM = 13; // px above a section without a heading, for its outline
const MAX_HEADING_GAP = 110; // px from a section to its heading

let stylesheet: HTMLStyleElement | undefined;
let previousStop = ""; // the stop that was scrolled to last

/** Return the CSS selector of a section's key: of its placeholder or, once drawn, of its block. */
export function sectionSelector(key: string) {
  const placeholder = key.startsWith("near-") ? `, [data-near="${key.slice("near-".length)}"]` : "";
  return `.st-key-${key}${placeholder}`;
}

/**
 * Return the part of the window that the lesson's panel leaves free: below it, or above it on a phone.
 * @param panel in px of the window; undefined where there is none
 * @param height of the window
 * @returns px
 */
export function visibleRange(
  panel: { top: number; bottom: number } | undefined,
  height: number,
): { head: number; foot: number } {
  if (!panel) return { head: 0, foot: height };
  return panel.top > 0.3 * height ? { head: 0, foot: panel.top } : { head: panel.bottom, foot: height };
}

/**
 * Return the room to keep in view above a section: that of its heading, if one is right above it.
 * @param tops of the headings, in px of the window
 * @param top of the section
 * @returns px
 */
export function marginAbove(tops: number[], top: number): number {
  const close = tops.filter((above) => above < top && top - above < MAX_HEADING_GAP);
  return close.length ? top - Math.max(...close) : RING_ROOM;
}

/**
 * Whether to scroll to the control in place of the section: it is within one too high for the window, or before it, and
 * the window holds both but for a quarter of the section.
 */
function leadsToControl(control: Element, section: Element, height: number) {
  const lit = section.getBoundingClientRect();
  if (section.contains(control)) return lit.height > height;
  const isBefore = control.compareDocumentPosition(section) & Node.DOCUMENT_POSITION_FOLLOWING;
  return Boolean(isBefore) && lit.bottom - control.getBoundingClientRect().top < height + lit.height / 4;
}

type Light = { key: string; control: string; stop: string };

/** @param data keys of the section and of the control to be seen with it, "" for none, and an id of the stop */
export default function ({ key, control, stop }: Light) {
  if (!/^[a-z0-9_-]+$/.test(key) || !/^[a-z0-9_-]*$/.test(control)) return undefined;
  const sheet = (stylesheet ??= document.head.appendChild(document.createElement("style")));
  const selector = `:is(${sectionSelector(key)})`;
  const both = `:is(${selector}${control && `, ${sectionSelector(control)}`})`;
  /**
   * @param head px, at least those of Streamlit's bar
   * @param room px above the section
   */
  const highlight = (head: number, room: number) => {
    const above = `calc(max(${head}px, 3.75rem) + ${room}px)`;
    sheet.textContent = `${selector} { ${RING} } ${both} { scroll-margin: ${above} 0 2rem; }`;
  };
  highlight(0, RING_ROOM);
  // Warnings about a link stand at the page's top: do not scroll away from them.
  if (previousStop !== stop && !document.querySelector(".st-key-notices")) {
    previousStop = stop;
    let behavior: ScrollBehavior = prefersReducedMotion() ? "instant" : "smooth";
    holdScroll(() => {
      const lit = document.querySelector(sectionSelector(key));
      if (!lit) return;
      const panel = document.querySelector(".st-key-walk")?.getBoundingClientRect();
      const { head, foot } = visibleRange(panel, window.innerHeight);
      const controlElement = control ? document.querySelector(sectionSelector(control)) : null;
      const section = controlElement && leadsToControl(controlElement, lit, foot - head) ? controlElement : lit;
      const { top } = section.getBoundingClientRect();
      const bottom = Math.max(...[lit, controlElement ?? lit].map((part) => part.getBoundingClientRect().bottom));
      const headings = [...document.querySelectorAll('[data-testid="stMain"] :is(h2, h3)')];
      const room = marginAbove(
        headings.map((heading) => heading.getBoundingClientRect().top),
        top,
      );
      highlight(head, room);
      if (top - room < head || bottom > foot) section.scrollIntoView({ behavior, block: "start" });
      behavior = "instant";
    });
  }
  return () => {
    if (stylesheet) stylesheet.textContent = "";
  };
}
