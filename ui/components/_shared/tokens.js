// What tokens on the page have in common: going from one to the next by key, as in any list box, and which is chosen.

import { scaleOf } from "./elements.js";
import { tellChoice } from "./look.js";

/** @typedef {import("./link.js").Link} Link */
/**
 * @typedef {object} View
 * @property {HTMLElement} list that scrolls
 * @property {Link} link
 * @property {Map<number, { option: HTMLElement }>} chips position -> its element
 * @property {number | null | undefined} [tabStop] position of the way in
 */

/**
 * The key that a key stands for along a line: where that runs from right to left, the arrows change places.
 * @param {string} key
 * @param {string} along "rtl" or "ltr"
 */
export function keyAlong(key, along) {
  const turned = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" }[key];
  return turned && along === "rtl" ? turned : key;
}

/**
 * @param {View} view
 * @param {KeyboardEvent} event
 * @param {number | null} position of the chip that has the focus
 */
export function onKey(view, event, position) {
  if (position === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const positions = [...view.chips.keys()];
  const last = positions.length - 1;
  const here = positions.indexOf(position);
  /** @type {Record<string, number>} */
  const moves = {
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

/**
 * Index of the chip above or below: the nearest in the next row, or where it was if there is none.
 * @param {View} view
 * @param {number[]} positions
 * @param {number} here
 * @param {1 | -1} step
 */
function nextRow(view, positions, here, step) {
  const boxOf = (/** @type {number} */ index) =>
    view.chips.get(positions[index])?.option.getBoundingClientRect() ?? new DOMRect();
  const start = boxOf(here);
  /** @type {number | null} */
  let row = null; // bottom of the row that is looked through
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

/**
 * Makes one chip the way in.
 * @param {View} view
 * @param {number | undefined} position
 */
export function rove(view, position) {
  const before = chipAt(view, view.tabStop);
  if (before) before.tabIndex = -1;
  view.tabStop = position;
  const option = chipAt(view, position);
  if (option) option.tabIndex = 0;
}

/**
 * Scrolls the list, and only the list, until the chip is in sight.
 * @param {View} view
 * @param {number | null | undefined} position
 */
export function reveal(view, position) {
  const option = chipAt(view, position);
  if (!option) return;
  const box = option.getBoundingClientRect();
  const frame = view.list.getBoundingClientRect();
  const scale = scaleOf(view.list);
  if (box.top < frame.top) view.list.scrollTop -= (frame.top - box.top) / scale + 6;
  else if (box.bottom > frame.bottom) view.list.scrollTop += (box.bottom - frame.bottom) / scale + 6;
}

/**
 * @param {View} view
 * @param {number | null | undefined} position
 */
const chipAt = (view, position) => (position == null ? undefined : view.chips.get(position)?.option);

/**
 * The browser's half of choice.py: takes over what Python holds as chosen, and reports what the reader chooses since.
 * @param {Pick<Link, "choose">} link
 */
export function choiceOf(link) {
  let turn = 0;
  /** @type {number | null | undefined} */
  let followed;
  let following = false;
  /** @type {(chosen: { position: number | null, turn: number }) => void} */
  let report = () => {};
  return {
    /**
     * Python's choice, unless it was made before the reader's last one reached Python.
     * @param {{ chosen: number | null, turn: number }} held
     * @param {Pick<import("./lifecycle.js").Page, "setStateValue">} page
     */
    follow(held, page) {
      report = (chosen) => page.setStateValue("chosen", chosen);
      tellChoice();
      if (held.turn < turn || (held.turn === turn && held.chosen === followed)) return;
      turn = held.turn;
      followed = held.chosen;
      following = true;
      link.choose(followed);
      following = false;
    },
    /**
     * To be called when the page's pointer chose something; says whether it was the reader who did.
     * @param {number | null} chosen
     */
    tell(chosen) {
      if (following) return false;
      turn += 1;
      followed = chosen;
      report({ position: chosen, turn });
      return true;
    },
  };
}
