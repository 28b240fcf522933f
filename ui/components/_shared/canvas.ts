// Helpers for moving pictures: bounds of numbers, easing, reduced motion.

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
