// Ticks of an axis at multiples of 1, 2 or 5 times a power of ten.
//
//     tickValues(-0.3, 1.2, niceStep(1.5, 5)) // [0, 0.5, 1]

import { decimalText } from "./numbers.ts";

/**
 * Smallest step of 1, 2 or 5 times a power of ten that divides a range into at most `most` parts.
 * @param span of the range, above 0
 * @param least for indices 1: ticks at whole numbers only
 */
export function niceStep(span: number, most: number, least = 0) {
  const wished = Math.max(span / most, least);
  const power = 10 ** Math.floor(Math.log10(wished));
  return ([1, 2, 5].find((factor) => factor * power >= wished * 0.999) ?? 10) * power;
}

/** Multiples of a step from low to high. */
export function tickValues(low: number, high: number, step: number) {
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step);
}

/** A tick's number with as many decimals as its step has. */
export const tickText = (value: number, step: number) =>
  decimalText(value, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
