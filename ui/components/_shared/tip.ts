// Lines beside a place on a picture: the first in bold.

import { makeElement } from "./elements.ts";

/**
 * @param parts what is shown, and what it stays inside of
 * @param lines null hides it
 * @param x of the place on the stage
 */
export function showTip(
  { tip, stage }: { tip: HTMLElement; stage: HTMLElement },
  lines: string[] | null | undefined,
  x: number = 0,
  y: number = 0,
) {
  tip.hidden = !lines;
  if (!lines) return;
  tip.replaceChildren(...lines.map((text, index) => makeElement(index ? "span" : "b", { text })));
  const [width, height] = [tip.offsetWidth, tip.offsetHeight];
  const left = x + 16 + width < stage.clientWidth ? x + 16 : Math.max(4, x - 16 - width);
  const top = y - 12 - height > 0 ? y - 12 - height : y + 18;
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}
