// Lists a long page's sections and marks the current one: in a menu of the bar above the page, or on a phone in the sidebar,
// under the pages' names.

import { prefersReducedMotion } from "../_shared/canvas.ts";
import { makeElement } from "../_shared/elements.ts";
import { perFrame } from "../_shared/lifecycle.ts";
import { watchPage } from "../_shared/page.ts";
import { closeDrawer, OVERLAY_BELOW } from "./drawer.ts";
import { holdScroll } from "./hold_scroll.ts";

const MAX_UNLISTED = 3; // title and sections of a page that needs no list
const READING_LINE = 0.3; // of the window's height: the last section that begins above it is the current one

/**
 * Return the index of the current section: the last one that begins above a line. Towards the page's end the line sinks to
 * the window's lower edge, so that each of several short sections there becomes the current one. Until the title has left
 * the window, it is the current one.
 * @param tops of the headings, in px below the window's upper edge, ascending
 * @param height of the window
 * @param remaining how many px the page can still be scrolled down
 * @returns 0 if none has begun
 */
export function currentSection(tops: number[], height: number, remaining: number): number {
  if (tops[0] > 0) return 0;
  const line = Math.max(READING_LINE * height, height - remaining);
  return Math.max(0, tops.filter((top) => top <= line).length - 1);
}

/** Title and section headings of the page in view. */
let headings: HTMLElement[] = [];
let nav: HTMLElement | undefined;
let button: HTMLButtonElement | undefined; // opens it
let isOpen = false;
const currentMark = perFrame(markCurrent);
const sectionList = perFrame(listSections);

/** @param data.label the list's name */
export default function ({ label }: { label: string }) {
  if (!nav || !button) {
    nav = makeElement("nav", { className: "page-contents", id: "page-contents" });
    button = makeElement("button", { className: "contents-button", type: "button", popovertarget: nav.id });
    nav.addEventListener("toggle", ({ newState }) => void (isOpen = newState === "open"));
    // Streamlit may replace the page, its header and its sidebar at any time.
    watchPage(sectionList.schedule);
    document.addEventListener("scroll", currentMark.schedule, { capture: true, passive: true });
  }
  nav.setAttribute("aria-label", label);
  button.textContent = label;
  sectionList.schedule();
}

/** Return the page's title and the visible headings of its sections. */
export const pageHeadings = () =>
  [...(document.querySelectorAll('[data-testid="stMain"] :is(h1, h2)') as NodeListOf<HTMLElement>)].filter(
    (heading) => heading.offsetParent,
  );

function listSections() {
  const isDrawer = window.innerWidth < OVERLAY_BELOW;
  const container = document.querySelector(isDrawer ? '[data-testid="stSidebarUserContent"]' : ".copy-link");
  if (!nav || !button || !container) return;
  const previous = headings;
  headings = pageHeadings();
  if (headings.length <= MAX_UNLISTED) {
    nav.remove();
    button.remove();
    headings = [];
    return;
  }
  if (nav.parentElement !== container) {
    nav.popover = isDrawer ? null : "auto";
    if (isDrawer) button.remove();
    if (isDrawer) container.append(nav);
    else container.prepend(button, nav);
  }
  if (isOpen && !nav.matches(":popover-open")) nav.showPopover(); // Streamlit has replaced the header around it
  const isSame = headings.length === previous.length && headings.every((heading, index) => heading === previous[index]);
  if (isSame && headings.every((heading, index) => heading.textContent.trim() === nav?.children[index].textContent))
    return;
  nav.replaceChildren(...headings.map(sectionLink));
  markCurrent();
}

function sectionLink(heading: HTMLElement) {
  const link = document.createElement("a");
  link.textContent = heading.textContent.trim();
  link.href = `#${heading.id}`;
  link.addEventListener("click", (event) => {
    event.preventDefault(); // the address is the page's settings
    closeDrawer();
    if (nav?.popover) nav.hidePopover();
    scrollToHeading(heading);
  });
  return link;
}

/**
 * Scroll to a heading, and again whenever the page above it changes, until the reader moves on.
 * @param isUserAction whether the reader has asked for it; the heading then gets the focus
 */
export function scrollToHeading(heading: HTMLElement, isUserAction: boolean = true) {
  let behavior: ScrollBehavior = !isUserAction || prefersReducedMotion() ? "instant" : "smooth";
  holdScroll(() => {
    // Streamlit may have replaced the heading meanwhile.
    const current = document.getElementById(heading.id);
    if (!current) return;
    if (isUserAction) {
      current.tabIndex = -1;
      current.focus({ preventScroll: true });
    }
    current.scrollIntoView({ behavior, block: "start" });
    behavior = "instant";
  });
}

/** Return the index of the heading that is being read; null without headings. */
export function currentHeading(headings: HTMLElement[]) {
  const main = document.querySelector('[data-testid="stMain"]');
  if (!main || !headings.length) return null;
  const { scrollHeight, scrollTop, clientHeight } = main;
  const tops = headings.map((heading) => heading.getBoundingClientRect().top);
  return currentSection(tops, clientHeight, scrollHeight - scrollTop - clientHeight);
}

function markCurrent() {
  const current = currentHeading(headings);
  if (!nav || current === null) return;
  for (const [index, link] of [...nav.children].entries()) {
    if (index === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}
