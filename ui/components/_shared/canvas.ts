// What pictures on canvases have in common: shares of a movement, outlines, the bar of colours, the picture as a file.

import type { Theme } from "./colour.ts";
import { makeElement } from "./elements.ts";

/** A rectangle in CSS pixels. */
export type Box = { x: number; y: number; width: number; height: number };

/** @param low wins where it is above high */
export const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));

export const clamp01 = (share: number) => clamp(share, 0, 1);

/**
 * Slow at both ends.
 * @param share 0..1
 */
export const ease = (share: number) => (share < 0.5 ? 4 * share ** 3 : 1 - (-2 * share + 2) ** 3 / 2);

/** Whether the reader wishes for no motion. */
export const isStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param share 0 gives a, 1 gives b */
export const between = (a: number, b: number, share: number) => a + (b - a) * share;

/** Draws within a box only. */
export function clipped(context: CanvasRenderingContext2D, box: Box, draw: () => void) {
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  draw();
  context.restore();
}

/**
 * An outline with a rim of the page's ground, so that it shows on any colour.
 * @param looks.rim of the ground, on both sides together
 */
export function ring(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Box,
  {
    ground,
    colour,
    thickness = 2.5,
    rim = 3,
  }: { ground: string; colour: string; thickness?: number /** of the ground, on both sides together */; rim?: number },
) {
  context.strokeStyle = ground;
  context.lineWidth = thickness + rim;
  context.strokeRect(x, y, width, height);
  context.strokeStyle = colour;
  context.lineWidth = thickness;
  context.strokeRect(x, y, width, height);
}

/**
 * How the chosen token's outline looks: on a slide found from the last row, as ui/frame.css has it for what is styled.
 */
export function chosenRing({ ground, ink }: Theme) {
  if (document.body.dataset.present === undefined) return { ground, colour: ink };
  return { ground, colour: /^#[0-7]/.test(ground) ? "#ff7b72" : "#c62828", thickness: 5 };
}

/** A bar of the scale's colours with its ends and its middle under it. */
export function colourBar(testid: string) {
  const gradient = makeElement("div", { className: "gradient" });
  const numbers = makeElement("div", { className: "numbers" });
  return { root: makeElement("div", { className: "colours", testid }, gradient, numbers), gradient, numbers };
}

/** @param stops colours from -limit to limit */
export function fillColourBar({ gradient, numbers }: ReturnType<typeof colourBar>, stops: string[], limit: string) {
  gradient.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  numbers.replaceChildren(...[`−${limit}`, "0", limit].map((text) => makeElement("span", { text })));
}

/**
 * Says what is under the pointer: read out for who moves by key, not at every move of the mouse.
 * @param on whether something is under it
 */
export function showReadout(
  { readout, canvas }: { readout: HTMLElement; canvas: HTMLElement },
  text: string,
  on: boolean,
) {
  readout.ariaLive = canvas.matches(":focus") ? "polite" : "off";
  if (readout.textContent !== text) readout.textContent = text;
  readout.classList.toggle("on", on);
}
