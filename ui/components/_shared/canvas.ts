// Helpers for pictures on canvases: interpolation, boxes and clipping.

/** A rectangle in CSS pixels. */
export type Box = { x: number; y: number; width: number; height: number };

/** @param low takes precedence if it is above high */
export const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));

export const clamp01 = (share: number) => clamp(share, 0, 1);

/**
 * Cubic easing, slow at both ends.
 * @param share 0..1
 */
export const ease = (share: number) => (share < 0.5 ? 4 * share ** 3 : 1 - (-2 * share + 2) ** 3 / 2);

/** Whether the reader prefers reduced motion. */
export const prefersReducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param share 0 gives a, 1 gives b */
export const interpolate = (a: number, b: number, share: number) => a + (b - a) * share;

/** Draw clipped to a box. */
export function drawClipped(context: CanvasRenderingContext2D, box: Box, draw: () => void) {
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  draw();
  context.restore();
}
