// What tokens on the page have in common: pointing at them, going from one to the next by key, as in any list box, and
// which is chosen.

import { clamp } from "./canvas.ts";
import { scaleOf } from "./elements.ts";
import type { Page } from "./lifecycle.ts";
import type { Link } from "./link.ts";
import { tellChoice } from "./look.ts";

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
  list.addEventListener("keydown", (event) => onKey(view, event, positionOf(event)));
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

/**
 * The key that a key stands for along a line: where that runs from right to left, the arrows change places.
 * @param along "rtl" or "ltr"
 */
export function keyAlong(key: string, along: string) {
  const turned = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" }[key];
  return turned && along === "rtl" ? turned : key;
}

/**
 * Which entry of a list a key leads to; null for a key that leads nowhere.
 * @param page entries that a page key goes on by
 */
export function nextInList(key: string, here: number, count: number, page?: number) {
  const moves: Record<string, number> = {
    ArrowDown: here + 1,
    ArrowRight: here + 1,
    ArrowUp: here - 1,
    ArrowLeft: here - 1,
    Home: 0,
    End: count - 1,
    ...(page && { PageDown: here + page, PageUp: here - page }),
  };
  return Object.hasOwn(moves, key) ? clamp(moves[key], 0, count - 1) : null;
}

/** @param position of the chip that has the focus */
function onKey(view: View, event: KeyboardEvent, position: number | null) {
  if (position === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const positions = [...view.chips.keys()];
  const last = positions.length - 1;
  const here = positions.indexOf(position);
  const moves: Record<string, number> = {
    ArrowRight: here + 1,
    ArrowLeft: here - 1,
    ArrowDown: nextRow(view, positions, here, 1),
    ArrowUp: nextRow(view, positions, here, -1),
    Home: 0,
    End: last,
  };
  const key = keyAlong(event.key, view.list.dir);
  if (key in moves) {
    const target = positions[Math.max(0, Math.min(last, moves[key]))];
    rove(view, target);
    view.chips.get(target)?.option.focus();
  } else if (event.key === "Enter" || event.key === " ") {
    view.link.toggle(position);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Index of the chip above or below: the nearest in the next row, or where it was if there is none. */
function nextRow(view: View, positions: number[], here: number, step: 1 | -1) {
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

/**
 * The browser's half of reports.py: takes over what Python holds as chosen, and reports what the reader chooses since.
 */
export function choiceOf(link: Pick<Link, "choose">) {
  let turn = 0;
  let followed: number | null | undefined;
  let following = false;
  let report: (chosen: { value: number | null; turn: number }) => void = () => {};
  return {
    /** Python's choice, unless it was made before the reader's last one reached Python. */
    follow(held: { chosen: number | null; turn: number }, page: Pick<Page, "setStateValue">) {
      report = (chosen) => page.setStateValue("chosen", chosen);
      tellChoice();
      if (held.turn < turn || (held.turn === turn && held.chosen === followed)) return;
      turn = held.turn;
      followed = held.chosen;
      following = true;
      link.choose(followed);
      following = false;
    },
    /** To be called when the page's pointer chose something; says whether it was the reader who did. */
    tell(chosen: number | null) {
      if (following) return false;
      turn += 1;
      followed = chosen;
      report({ value: chosen, turn });
      return true;
    },
  };
}
