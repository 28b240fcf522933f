// Writes a sum of two float32 so that the digits shown add up; exact_sum.py has the same rule and explains it.

import { decimalText } from "./numbers.ts";

export const MIN_DECIMALS = 3;
const MAX_DECIMALS = 7;

/**
 * @param least decimals that each term has
 * @returns first, second and sum as text, with so many decimals
 */
export function sumParts(
  first: number,
  second: number,
  least: number = MIN_DECIMALS,
): { terms: string[]; sign: "=" | "≈"; decimals: number } {
  const values = [first, second, Math.fround(first + second)];
  for (let decimals = least; ; decimals += 1) {
    const terms = values.map((value) => decimalText(value, decimals));
    const [a, b, c] = terms.map((text) => BigInt(text.replace("−", "-").replace(/[.,]/, "")));
    if (a + b === c) return { terms, sign: "=", decimals };
    if (decimals === MAX_DECIMALS) return { terms, sign: "≈", decimals };
  }
}

/** @param least decimals that each term has */
export function sumText(first: number, second: number, least: number = MIN_DECIMALS) {
  const { terms, sign } = sumParts(first, second, least);
  const [a, b, c] = terms;
  return `${a} + ${b.startsWith("−") ? `(${b})` : b} ${sign} ${c}`;
}
