// Behaviour that all lists of tokens share: hovering, keyboard navigation as in a list box, and the chosen token.

import { displayScale } from "./elements.ts";
import { handleKeys, isActivation, keyAlong, nextInList } from "./keys.ts";
import type { Page } from "./lifecycle.ts";
import type { Link } from "./link.ts";
import { syncedValue } from "./synced_value.ts";
import { omitChosenToken } from "./view_state.ts";

export interface View {
  list: HTMLElement; // the scroll container
  link: Link;
  chips: Map<number, { option: HTMLElement }>; // position -> its element
  tabStop?: number | null | undefined; // position of the chip with tabIndex 0
  acting?: boolean; // while the reader hovers or clicks here
  lit: Record<"hovered" | "chosen", HTMLElement | undefined>;
}

/**
 * Hover and choose the tokens of a list by pointer and keys.
 * @param selector of a token's element, which has its position as data-position
 */
export function listenToTokens(view: View, selector: string) {
  const { list, link } = view;
  let focused: number | null = null; // by keyboard
  const positionOf = (event: Event) => {
    const option = (event.target as Element).closest(selector) as HTMLElement | null;
    return option ? Number(option.dataset.position) : null;
  };
  // A token that the reader acts on is in sight already.
  const withoutScrolling = (change: () => void) => {
    view.acting = true;
    change();
    view.acting = false;
  };
  list.addEventListener("pointerover", (event) => {
    const position = positionOf(event); // null between two tokens: the last one stays
    if (position !== null && event.pointerType !== "touch") withoutScrolling(() => link.hover(position));
  });
  list.addEventListener("pointerleave", () => withoutScrolling(() => link.hover(focused)));
  list.addEventListener("click", (event) => {
    const position = positionOf(event);
    if (position === null) return;
    setTabStop(view, position);
    withoutScrolling(() => link.toggle(position));
  });
  list.addEventListener("focusin", (event) => {
    if (!(event.target as Element).matches(":focus-visible")) return;
    focused = positionOf(event);
    link.hover(focused);
  });
  list.addEventListener("focusout", () => {
    focused = null;
    link.hover(null);
  });
  handleKeys(list, (key, event) => moveByKey(view, keyAlong(key, list.dir), positionOf(event)));
}

/** Mark the hovered and the chosen token. */
export function markTokens(view: View) {
  for (const name of ["hovered", "chosen"] as const) {
    const option = chipAt(view, view.link[name]);
    if (option !== view.lit[name]) {
      view.lit[name]?.classList.remove(name);
      if (name === "chosen") view.lit[name]?.setAttribute("aria-selected", "false");
      view.lit[name] = option;
    }
    option?.classList.add(name);
    if (name === "chosen") option?.setAttribute("aria-selected", "true");
  }
}

/** @param position of the chip that has the focus */
function moveByKey(view: View, key: string, position: number | null) {
  if (position === null) return false;
  const positions = [...view.chips.keys()];
  const here = positions.indexOf(position);
  const rowStep = { ArrowDown: 1, ArrowUp: -1 }[key];
  const to = rowStep ? nextRow(view, positions, here, rowStep) : nextInList(key, here, positions.length);
  if (to !== null) {
    setTabStop(view, positions[to]);
    view.chips.get(positions[to])?.option.focus();
  } else if (isActivation(key)) view.link.toggle(position);
  else return false;
}

/** Return the index of the nearest chip in the row above or below; the same index if there is none. */
function nextRow(view: View, positions: number[], here: number, step: number) {
  const boxOf = (index: number) => view.chips.get(positions[index])?.option.getBoundingClientRect() ?? new DOMRect();
  const start = boxOf(here);
  let row: number | null = null; // bottom of the row that is searched
  let best = { index: here, distance: Infinity };
  for (let index = here + step; index >= 0 && index < positions.length; index += step) {
    const box = boxOf(index);
    if (Math.abs(box.bottom - start.bottom) < 8) continue;
    row ??= box.bottom;
    if (Math.abs(box.bottom - row) >= 8) break;
    const distance = Math.abs(box.left + box.width / 2 - start.left - start.width / 2);
    if (distance < best.distance) best = { index, distance };
  }
  return best.index;
}

/** Make one chip the tab stop of the list. */
export function setTabStop(view: View, position: number | undefined) {
  const before = chipAt(view, view.tabStop);
  if (before) before.tabIndex = -1;
  view.tabStop = position;
  const option = chipAt(view, position);
  if (option) option.tabIndex = 0;
}

export const scrollToToken = (view: Pick<View, "list" | "chips">, position: number | null | undefined) =>
  scrollIntoList(view.list, chipAt(view, position));

/** Scroll the list, and only the list, until one of its elements is in sight. */
export function scrollIntoList(list: HTMLElement, option: Element | undefined) {
  if (!option) return;
  const [box, frame] = [option.getBoundingClientRect(), list.getBoundingClientRect()];
  const scale = displayScale(list);
  if (box.top < frame.top) list.scrollTop -= (frame.top - box.top) / scale + 6;
  else if (box.bottom > frame.bottom) list.scrollTop += (box.bottom - frame.bottom) / scale + 6;
}

const chipAt = (view: Pick<View, "chips">, position: number | null | undefined) =>
  position == null ? undefined : view.chips.get(position)?.option;

/** Synchronize the chosen token, which Python, the reader and every view of the page set. */
export function chosenToken(link: Pick<Link, "choose">) {
  let isApplying = false;
  const choice = syncedValue<number | null>("chosen", (chosen) => {
    isApplying = true;
    link.choose(chosen);
    isApplying = false;
  });
  return {
    /** Apply Python's choice, unless it was made before the reader's last one reached Python. */
    receive(report: { chosen: number | null; turn: number }, page: Pick<Page, "setStateValue">) {
      omitChosenToken();
      choice.receive(report.chosen, report.turn, page);
    },
    /** Report a choice of the page's pointer to Python; return whether the reader made it. */
    report(chosen: number | null) {
      if (!isApplying) choice.report(chosen);
      return !isApplying;
    },
  };
}
