// What pictures on canvases have in common: shares of a movement, boxes and clipping.

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
