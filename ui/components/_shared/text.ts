// Sentences with placeholders, text that fits a width, the direction of a text, and the labels of a component.

import { setLanguage } from "./numbers.ts";

const TOUCH = "_touch";

/**
 * Set the language of a component's labels, and where there is no mouse the words for a finger: those of "hint_touch" then
 * stand under "hint".
 */
export function prepareLabels(labels: Record<string, string> | null | undefined) {
  setLanguage(labels);
  if (labels && globalThis.matchMedia?.("(hover: none)").matches)
    for (const name of Object.keys(labels))
      if (name.endsWith(TOUCH)) labels[name.slice(0, -TOUCH.length)] = labels[name];
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Return the direction of a text's first letter. */
export function direction(text: string): "rtl" | "ltr" {
  return RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

/** Return the direction of a text given as its tokens' labels. Ignores byte and special tokens. */
export function labelsDirection(labels: string[]) {
  const firstWordLabel = labels.find((label) => !/^[⟨[<].*[⟩\]>]$/.test(label) && /\p{L}/u.test(label));
  return direction(firstWordLabel ?? "");
}

/** Whether any letter or number of a text runs against a direction. */
export const runsAgainst = (text: string, along: "rtl" | "ltr") =>
  (text.match(/\p{L}/gu) ?? []).some((letter) => RIGHT_TO_LEFT.test(letter) !== (along === "rtl")) ||
  (along === "rtl" && /\p{Nd}{2}/u.test(text)); // digits run from left to right

/** Isolate a right-to-left text, so that it does not reorder the text around it. */
const isolate = (text: string) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

// Chinese has a space beside a number or a Latin name and none beside a Chinese one: decided when the value is known.
const HAN = "[\\u3000-\\u303f\\u3400-\\u9fff\\uff00-\\uffef]";
const BESIDE_VALUE = new RegExp(`(?<=${HAN}) (?=\\{)|(?<=\\}) (?=${HAN})`, "g");
const BETWEEN_HAN = new RegExp(`(?<=${HAN})\\0(?=${HAN})`, "g");

/** Fill the placeholders of "{name} of {count}"; one without a value stays. */
export function fillLabel(template: string, values: Record<string, unknown> = {}) {
  return template
    .replace(BESIDE_VALUE, "\0")
    .replace(/\{(\w+)\}/g, (hole, name) => (name in values ? isolate(String(values[name])) : hole))
    .replace(BETWEEN_HAN, "")
    .replaceAll("\0", " ");
}
