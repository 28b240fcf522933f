// What tokens on the page have in common: pointing at them, going from one to the next by key, as in any list box, and
// which is chosen.

import { scaleOf } from "./elements.ts";
import { handleKeys, isActivation, keyAlong, nextInList } from "./keys.ts";
import type { Page } from "./lifecycle.ts";
import type { Link } from "./link.ts";
import { tellChoice } from "./look.ts";
import { syncedValue } from "./synced_value.ts";

export interface View {
  list: HTMLElement; // that scrolls
  link: Link;
  chips: Map<number, { option: HTMLElement }>; // position -> its element
  tabStop?: number | null | undefined; // position of the way in
  acting?: boolean; // whether the reader points or clicks here
  lit: Record<"hovered" | "chosen", HTMLElement | undefined>;
}

/**
 * Lets pointer and keys hover and choose the tokens of a list.
 * @param selector of a token's element, whose data-position says where it is
 */
export function listenToTokens(view: View, selector: string) {
  const { list, link } = view;
  let focused: number | null = null; // by keyboard
  const positionOf = (event: Event) => {
    const option = (event.target as Element).closest(selector) as HTMLElement | null;
    return option ? Number(option.dataset.position) : null;
  };
  // What the reader does here is in sight already: the list need not scroll to it.
  const act = (change: () => void) => {
    view.acting = true;
    change();
    view.acting = false;
  };
  list.addEventListener("pointerover", (event) => {
    const position = positionOf(event); // null between two tokens: the last one stays
    if (position !== null && event.pointerType !== "touch") act(() => link.hover(position));
  });
  list.addEventListener("pointerleave", () => act(() => link.hover(focused)));
  list.addEventListener("click", (event) => {
    const position = positionOf(event);
    if (position === null) return;
    rove(view, position);
    act(() => link.toggle(position));
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

/** Lights the tokens that are hovered and chosen. */
export function light(view: View) {
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
    rove(view, positions[to]);
    view.chips.get(positions[to])?.option.focus();
  } else if (isActivation(key)) view.link.toggle(position);
  else return false;
}

/** Index of the chip above or below: the nearest in the next row, or where it was if there is none. */
function nextRow(view: View, positions: number[], here: number, step: number) {
  const boxOf = (index: number) => view.chips.get(positions[index])?.option.getBoundingClientRect() ?? new DOMRect();
  const start = boxOf(here);
  let row: number | null = null; // bottom of the row that is looked through
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

/** Makes one chip the way in. */
export function rove(view: View, position: number | undefined) {
  const before = chipAt(view, view.tabStop);
  if (before) before.tabIndex = -1;
  view.tabStop = position;
  const option = chipAt(view, position);
  if (option) option.tabIndex = 0;
}

export const reveal = (view: Pick<View, "list" | "chips">, position: number | null | undefined) =>
  revealIn(view.list, chipAt(view, position));

/** Scrolls the list, and only the list, until one of its elements is in sight. */
export function revealIn(list: HTMLElement, option: Element | undefined) {
  if (!option) return;
  const [box, frame] = [option.getBoundingClientRect(), list.getBoundingClientRect()];
  const scale = scaleOf(list);
  if (box.top < frame.top) list.scrollTop -= (frame.top - box.top) / scale + 6;
  else if (box.bottom > frame.bottom) list.scrollTop += (box.bottom - frame.bottom) / scale + 6;
}

const chipAt = (view: Pick<View, "chips">, position: number | null | undefined) =>
  position == null ? undefined : view.chips.get(position)?.option;

/** The chosen token, which Python, the reader and every view of the page set. */
export function choiceOf(link: Pick<Link, "choose">) {
  let applying = false;
  const choice = syncedValue<number | null>("chosen", (chosen) => {
    applying = true;
    link.choose(chosen);
    applying = false;
  });
  return {
    /** Python's choice, unless it was made before the reader's last one reached Python. */
    follow(held: { chosen: number | null; turn: number }, page: Pick<Page, "setStateValue">) {
      tellChoice();
      choice.receive(held.chosen, held.turn, page);
    },
    /** To be called when the page's pointer chose something; says whether it was the reader who did. */
    tell(chosen: number | null) {
      if (!applying) choice.report(chosen);
      return !applying;
    },
  };
}
