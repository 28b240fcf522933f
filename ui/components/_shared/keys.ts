// Moving by keys through a list or a grid.
//
//     handleKeys(list, (key) => {
//       const next = nextInList(keyAlong(key, list.dir), here, count, 10);
//       if (next !== null) focus(next);
//       else if (isActivation(key)) choose(here);
//       else return false;
//     });

import { clamp } from "./canvas.ts";

export type GridCell = { row: number; column: number };

/**
 * Return a listener for keys that are pressed without Ctrl, Meta or Alt: `<div onKeyDown={keyListener(…)}>`.
 * @param handler returns false for a key that it leaves to the page
 */
export const keyListener =
  (handler: (key: string, event: KeyboardEvent) => boolean | undefined | void) => (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || handler(event.key, event) === false) return;
    event.preventDefault();
    event.stopPropagation();
  };

/** Call a handler for such keys. */
export const handleKeys = (target: HTMLElement, handler: Parameters<typeof keyListener>[0]) =>
  target.addEventListener("keydown", keyListener(handler));

/** Whether a key does what a click does. */
export const isActivation = (key: string) => key === "Enter" || key === " ";

/** Swap the left and right arrow keys where a line runs from right to left. */
export function keyAlong(key: string, along: string) {
  const mirrored = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" }[key];
  return mirrored && along === "rtl" ? mirrored : key;
}

/**
 * Index of the entry that a key moves to; null for a key that does not move.
 * @param page entries that Page Up and Page Down move by; without it they do not move
 */
export function nextInList(key: string, index: number, count: number, page?: number) {
  const moves: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowRight: index + 1,
    ArrowUp: index - 1,
    ArrowLeft: index - 1,
    Home: 0,
    End: count - 1,
    ...(page && { PageDown: index + page, PageUp: index - page }),
  };
  return Object.hasOwn(moves, key) ? clamp(moves[key], 0, count - 1) : null;
}

/**
 * Cell that a key moves to, null for a key that does not move. Home and End move to the ends of the row.
 * @param cell null where nothing is pointed at yet: any of the keys then leads to `start`
 * @param page rows that Page Up and Page Down move by; without it they do not move
 */
export function nextInGrid(
  key: string,
  cell: GridCell | null,
  { rows, columns }: { rows: number; columns: number },
  { start = { row: 0, column: 0 }, page }: { start?: GridCell; page?: number } = {},
): GridCell | null {
  const { row, column } = cell ?? start;
  const moves: Record<string, [row: number, column: number]> = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [row, 0],
    End: [row, columns - 1],
    ...(page && { PageUp: [row - page, column], PageDown: [row + page, column] }),
  };
  if (!Object.hasOwn(moves, key)) return null;
  const [nextRow, nextColumn] = cell ? moves[key] : [row, column];
  return { row: clamp(nextRow, 0, rows - 1), column: clamp(nextColumn, 0, columns - 1) };
}

const FIELDS = "input:not([type='button'], [type='range']), textarea, select, [contenteditable='true']";
const OPEN_DIALOG = "[data-baseweb='popover'], [role='dialog']:not(.slides *), [role='menu']";

/** Whether a key is for the element that it is pressed in, or for a dialog, and not for the page. */
export const isForElement = (target: Element) => target.matches(FIELDS) || document.querySelector(OPEN_DIALOG) !== null;

/** Whether a key begins and ends the slides. */
export const isSlidesKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  !ctrlKey && !metaKey && !altKey && key.toLowerCase() === "p";
