// Sentences with holes, text that fits a width, and which way a text runs.

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of the first letter. */
export function direction(text: string): "rtl" | "ltr" {
  return RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr";
}

/** The direction of a text that is given as the labels of its tokens: bytes and special tokens say nothing of it. */
export function labelsDirection(labels: string[]) {
  const firstWordLabel = labels.find((label) => !/^[⟨[<].*[⟩\]>]$/.test(label) && /\p{L}/u.test(label));
  return direction(firstWordLabel ?? "");
}

/** Whether any letter or number of a text runs against a direction. */
export const runsAgainst = (text: string, along: "rtl" | "ltr") =>
  (text.match(/\p{L}/gu) ?? []).some((letter) => RIGHT_TO_LEFT.test(letter) !== (along === "rtl")) ||
  (along === "rtl" && /\p{Nd}{2}/u.test(text)); // digits run from left to right

/** A text that runs from right to left, kept from reordering what surrounds it. */
const isolate = (text: string) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

// Chinese has a space beside a number or a Latin name, none beside a name of its own: told once the value is there.
const HAN = "[\\u3000-\\u303f\\u3400-\\u9fff\\uff00-\\uffef]";
const BESIDE_VALUE = new RegExp(`(?<=${HAN}) (?=\\{)|(?<=\\}) (?=${HAN})`, "g");
const BETWEEN_HAN = new RegExp(`(?<=${HAN})\\0(?=${HAN})`, "g");

/** Fills the holes of "{name} of {count}"; a hole without a value stays. */
export function fillLabel(template: string, values: Record<string, unknown> = {}) {
  return template
    .replace(BESIDE_VALUE, "\0")
    .replace(/\{(\w+)\}/g, (hole, name) => (name in values ? isolate(String(values[name])) : hole))
    .replace(BETWEEN_HAN, "")
    .replaceAll("\0", " ");
}

/** Shortens a text to a width on a canvas, with an ellipsis. */
export function fitText(context: Pick<CanvasRenderingContext2D, "measureText">, text: string, width: number) {
  if (context.measureText(text).width <= width) return text;
  const characters = [...text];
  while (characters.length > 1 && context.measureText(`${characters.join("")}…`).width > width) characters.pop();
  return `${characters.join("")}…`;
}
