// Lists a long page's sections, and marks the one that is being read: in a menu of the bar above the page, or on a phone in
// the sidebar, under the pages' names.

import { isStill } from "../_shared/canvas.ts";
import { makeElement } from "../_shared/elements.ts";
import { perFrame } from "../_shared/lifecycle.ts";
import { closeDrawer, OVER_THE_PAGE } from "./drawer.ts";
import { stay } from "./stay.ts";

const FEWEST = 3; // sections that are worth a list
const LINE = 0.3; // of the window's height: the section that has begun above it is the one that is read

/**
 * Which section is being read: the last that began above a line. Towards the page's end the line sinks to the window's
 * lower edge, so that each of several short sections there has its turn.
 * @param tops of the headings, in px below the window's upper edge, rising
 * @param height of the window
 * @param remaining how many px the page can still be scrolled down
 * @returns the first where none has begun
 */
export function currentSection(tops: number[], height: number, remaining: number): number {
  const line = Math.max(LINE * height, height - remaining);
  return Math.max(0, tops.filter((top) => top <= line).length - 1);
}

/** Title and sections of the page in view. */
let headings: HTMLElement[] = [];
let nav: HTMLElement | undefined;
let button: HTMLButtonElement | undefined; // opens it
let isOpen = false;
const mark = perFrame(markCurrent);
const list = perFrame(listSections);

/** @param data what the list is called */
export default function ({ label }: { label: string }) {
  if (!nav || !button) {
    nav = makeElement("nav", { className: "page-contents", id: "page-contents" });
    button = makeElement("button", { className: "contents-button", type: "button", popovertarget: nav.id });
    nav.addEventListener("toggle", ({ newState }) => void (isOpen = newState === "open"));
    // Streamlit makes page, header and sidebar anew when it likes: what is watched is what holds them all.
    new MutationObserver(list.schedule).observe(document.body, { childList: true, subtree: true });
    document.addEventListener("scroll", mark.schedule, { capture: true, passive: true });
  }
  nav.setAttribute("aria-label", label);
  button.textContent = label;
  list.schedule();
}

/** The page's title and the headings of its sections, as far as they are there. */
export const headingsOf = () =>
  [...(document.querySelectorAll('[data-testid="stMain"] :is(h1, h2)') as NodeListOf<HTMLElement>)].filter(
    (heading) => heading.offsetParent,
  );

function listSections() {
  const isDrawer = window.innerWidth < OVER_THE_PAGE;
  const bar = document.querySelector(isDrawer ? '[data-testid="stSidebarUserContent"]' : ".copy-link");
  if (!nav || !button || !bar) return;
  const before = headings;
  headings = headingsOf();
  if (headings.length <= FEWEST) {
    nav.remove();
    button.remove();
    headings = [];
    return;
  }
  if (nav.parentElement !== bar) {
    nav.popover = isDrawer ? null : "auto";
    if (isDrawer) button.remove();
    if (isDrawer) bar.append(nav);
    else bar.prepend(button, nav);
  }
  if (isOpen && !nav.matches(":popover-open")) nav.showPopover(); // Streamlit has made its header anew around it
  const isSame = headings.length === before.length && headings.every((heading, at) => heading === before[at]);
  if (isSame && headings.every((heading, at) => heading.textContent.trim() === nav?.children[at].textContent)) return;
  nav.replaceChildren(...headings.map(entry));
  markCurrent();
}

function entry(heading: HTMLElement) {
  const link = document.createElement("a");
  link.textContent = heading.textContent.trim();
  link.href = `#${heading.id}`;
  link.addEventListener("click", (event) => {
    event.preventDefault(); // the address is the page's settings
    closeDrawer();
    if (nav?.popover) nav.hidePopover();
    leadTo(heading);
  });
  return link;
}

/**
 * Leads to a heading, and there again when the page above it changes, until the reader moves on.
 * @param isAsked whether the reader has asked for it; else the focus stays where it is
 */
export function leadTo(heading: HTMLElement, isAsked: boolean = true) {
  let behavior: ScrollBehavior = !isAsked || isStill() ? "instant" : "smooth";
  stay(() => {
    // Streamlit may have made the heading anew meanwhile.
    const current = document.getElementById(heading.id);
    if (!current) return;
    if (isAsked) {
      current.tabIndex = -1;
      current.focus({ preventScroll: true });
    }
    current.scrollIntoView({ behavior, block: "start" });
    behavior = "instant";
  });
}

/** Which of the page's headings is being read; null where there are none. */
export function headingRead(headings: HTMLElement[]) {
  const main = document.querySelector('[data-testid="stMain"]');
  if (!main || !headings.length) return null;
  const { scrollHeight, scrollTop, clientHeight } = main;
  const tops = headings.map((heading) => heading.getBoundingClientRect().top);
  return currentSection(tops, clientHeight, scrollHeight - scrollTop - clientHeight);
}

function markCurrent() {
  const current = headingRead(headings);
  if (!nav || current === null) return;
  for (const [at, link] of [...nav.children].entries()) {
    if (at === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}
