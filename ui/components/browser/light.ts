// Outlines the section of the page that a stop of a lesson is about, and scrolls to it once.

import { prefersReducedMotion } from "../_shared/canvas.ts";
import { sectionSelector } from "../_shared/page.ts";
import { holdScroll } from "./hold_scroll.ts";

const RING = "outline: 3px solid light-dark(#0b5cad, #6cb6ff); outline-offset: 0.5rem; border-radius: 0.25rem;";
const RING_ROOM = 13; // px above a section without a heading, for its outline
const HEADING = '.stElementContainer:has(> [data-testid="stHeading"])';
const BAR = 3.75; // rem, the height of Streamlit's bar
const MAX_HEADING_GAP = 110; // px from a section to its heading

let stylesheet: HTMLStyleElement | undefined;
let previousStop = ""; // the stop that was scrolled to last
let isClear = false; // whether the panel left its section free when the page was last scrolled

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

/**
 * Return how far the page is scrolled for a section: not at all where the window holds it then; else so far that it
 * begins below the panel with what stands beside it, and with its end in sight if it takes no more than to cover that.
 * @param section its edges with the page at its top, the room above it, and by how much what stands beside it is higher,
 * in px of the window
 * @param range of the window that is free
 */
export function scrollTarget(
  section: { top: number; bottom: number; room: number; beside: number },
  range: { head: number; foot: number },
) {
  const { top, bottom, room, beside } = section;
  if (bottom <= range.foot) return 0;
  const first = top - room - range.head;
  return Math.max(0, first, Math.min(first + beside, bottom - range.foot));
}

/** Return the top of what stands beside a section, such as a formula beside its slider, where it begins just above it. */
function rowTop(section: Element) {
  const { top } = section.getBoundingClientRect();
  const row = section.closest('[data-testid="stHorizontalBlock"]')?.getBoundingClientRect().top ?? top;
  return top - row < MAX_HEADING_GAP ? Math.min(top, row) : top;
}

type Light = { key: string; control: string; stop: string };

const query = (selector: string) => document.querySelector(selector);
const main = () => query('[data-testid="stMain"]');
const barHeight = () => BAR * Number.parseFloat(getComputedStyle(document.documentElement).fontSize); // px

/** The free part of the window once the page is scrolled: its panel then stands right below Streamlit's bar. */
function freeRange() {
  const panel = query(".st-key-walk")?.getBoundingClientRect();
  const { head, foot } = visibleRange(panel, window.innerHeight);
  return { head: barHeight() + (panel && head ? panel.height : 0), foot };
}

/** Return the section that a stop scrolls to, and the bottom of it and its control; null while it is not on the page. */
function stopSection({ key, control }: Light, height: number) {
  const lit = query(sectionSelector(key));
  if (!lit) return null;
  const controlElement = control ? query(sectionSelector(control)) : null;
  const section = controlElement && leadsToControl(controlElement, lit, height) ? controlElement : lit;
  const bottom = Math.max(...[lit, controlElement ?? lit].map((part) => part.getBoundingClientRect().bottom));
  return { section, bottom };
}

/** Return where a section begins with what stands beside it, how much higher that is, and the room for a heading above. */
function sectionTop(section: Element) {
  const top = rowTop(section);
  const headings = [...document.querySelectorAll('[data-testid="stMain"] :is(h2, h3)')];
  const tops = headings.map((heading) => heading.getBoundingClientRect().top);
  return { top, beside: section.getBoundingClientRect().top - top, room: marginAbove(tops, top) };
}

/** @param data keys of the section, "" for none, and of the control to be seen with it, and an id of the stop */
export default function (light: Light) {
  const { key, control, stop } = light;
  if (![key, control].every((name) => /^[a-z0-9_-]*$/.test(name))) return undefined;
  const sheet = (stylesheet ??= document.head.appendChild(document.createElement("style")));
  const style = () => {
    const { head, foot } = freeRange();
    const lit = `:is(${sectionSelector(key)})`;
    const ring = key && `${lit} { ${RING} } ${HEADING} + * > ${lit} { margin-top: 1.2rem; }`; // off the heading's letters
    // For whatever else scrolls the page, such as its list of sections, whose headings leave room for the bar alone.
    sheet.textContent = `${ring} [data-testid="stMain"] { scroll-padding-block: ${head - barHeight()}px ${window.innerHeight - foot}px; }`;
  };
  const scrollToSection = (behavior: ScrollBehavior) => {
    const range = freeRange();
    const target = stopSection(light, range.foot - range.head);
    const page = main();
    if (!target || !page) return;
    const { top, ...around } = sectionTop(target.section);
    const edges = { ...around, top: top + page.scrollTop, bottom: target.bottom + page.scrollTop };
    page.scrollTo({ top: scrollTarget(edges, range), behavior });
  };
  let { head: lastHead } = freeRange();
  const noteClear = () => {
    const range = freeRange();
    if (range.head !== lastHead) return; // the panel has grown, and what it now covers it had left free
    const top = key && stopSection(light, range.foot - range.head)?.section.getBoundingClientRect().top;
    if (typeof top === "number") isClear = top >= range.head && top < range.foot;
  };
  // The panel grows as the window or the page beside opened settings narrows; what it left free stays so.
  const sizes = new ResizeObserver(() => {
    style();
    const { head } = freeRange();
    if (head === lastHead) return;
    lastHead = head;
    if (isClear) scrollToSection("instant");
  });
  const panel = query(".st-key-walk");
  style();
  // Warnings about a link stand at the page's top: do not scroll away from them.
  if (key && previousStop !== stop && !query(".st-key-notices")) {
    previousStop = stop;
    isClear = false;
    let behavior: ScrollBehavior = prefersReducedMotion() ? "instant" : "smooth";
    holdScroll(() => {
      scrollToSection(behavior);
      behavior = "instant";
    });
  }
  if (panel) sizes.observe(panel);
  document.addEventListener("scroll", noteClear, { capture: true, passive: true });
  return () => {
    sizes.disconnect();
    document.removeEventListener("scroll", noteClear, { capture: true });
    sheet.textContent = "";
  };
}
