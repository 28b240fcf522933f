// Holds the scroll position while elements above it are still being drawn.

import { debounce } from "../_shared/debounce.ts";
import { isAtRest } from "../_shared/page.ts";

const PAUSE = 15_000; // ms without a change after which the position is released
const USER_INPUT = ["wheel", "touchstart", "pointerdown", "keydown"]; // release it

let release = () => {};

/**
 * Call a function that scrolls, now and whenever the page's size changes, until the reader moves on or the page rests.
 */
export function holdScroll(scroll: () => void) {
  release();
  const wait = debounce(() => (isAtRest() ? release() : wait()), PAUSE);
  const sizes = new ResizeObserver(() => {
    wait();
    scroll();
  });
  const page = document.querySelector('[data-testid="stMainBlockContainer"] > *');
  if (page) sizes.observe(page);
  release = () => {
    wait.cancel();
    sizes.disconnect();
    for (const type of USER_INPUT) removeEventListener(type, release, { capture: true });
  };
  for (const type of USER_INPUT) addEventListener(type, release, { capture: true, passive: true });
}
