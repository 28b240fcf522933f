// Keeps the page at a place while what stands above it is still being made.

import { debounce } from "../_shared/debounce.ts";

const REST = 5000; // ms without a change, after which nothing more is awaited
const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"]; // by which the reader goes on

/** Whether no run of the page is under way. */
export const isAtRest = () =>
  document.querySelector('[data-testid="stApp"]')?.getAttribute("data-test-script-state") === "notRunning";

let leave = () => {};

/**
 * Goes to a place at once, and there again when the page's size changes, until the reader moves on or the page rests.
 */
export function stay(go: () => void) {
  leave();
  const wait = debounce(() => (isAtRest() ? leave() : wait()), REST);
  const sizes = new ResizeObserver(() => {
    wait();
    go();
  });
  const page = document.querySelector('[data-testid="stMainBlockContainer"] > *');
  if (page) sizes.observe(page);
  leave = () => {
    wait.cancel();
    sizes.disconnect();
    for (const move of MOVES) removeEventListener(move, leave, { capture: true });
  };
  for (const move of MOVES) addEventListener(move, leave, { capture: true, passive: true });
}
