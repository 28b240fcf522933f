// Numbers, lists, quotation marks and colons as the page's language writes them. What goes into files and links, or
// back to Python, is written without these.

const MINUS = "−";
/** @type {Map<string, { count: Intl.NumberFormat, point: string }>} */
const known = new Map();
let tag = "en";

/**
 * Takes up the language of the labels that have come, before anything is drawn with them.
 * @param {{ language?: string } | null | undefined} labels
 */
export function speak(labels) {
  if (labels?.language) tag = labels.language;
}

/** The page's language, as in the attribute `lang`. */
export const language = () => tag;

function written() {
  let form = known.get(tag);
  if (!form) {
    const count = new Intl.NumberFormat(tag);
    const point = count.formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";
    form = { count, point };
    known.set(tag, form);
  }
  return form;
}

/**
 * A number as JavaScript writes it, with the language's decimal sign and a true minus.
 * @param {string} text
 */
export const localized = (text) => text.replaceAll("-", MINUS).replace(".", written().point);

/**
 * Without a sign on what rounds to zero.
 * @param {number} value
 * @param {number} decimals
 */
export function decimalText(value, decimals) {
  const digits = Math.abs(value).toFixed(decimals);
  return localized(value < 0 && /[1-9]/.test(digits) ? `-${digits}` : digits);
}

/**
 * So many digits, without zeros at the end.
 * @param {number} value
 * @param {number} digits
 */
export const significantText = (value, digits) => localized(String(Number(value.toPrecision(digits))));

/**
 * A whole number in groups of three digits.
 * @param {number} count
 */
export const countText = (count) => written().count.format(count).replace("-", MINUS);

/**
 * What stands before the decimal sign of a text that decimalText made, and the rest with it.
 * @param {string} text
 */
export function atPoint(text) {
  const at = text.indexOf(written().point);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}

const isChinese = () => tag.startsWith("zh");

/** @param {readonly string[]} items */
export const listText = (items) => items.join(isChinese() ? "、" : ", ");

/** @param {readonly string[]} sentences one after the other; empty ones are left out */
export const sentencesText = (sentences) => sentences.filter(Boolean).join(isChinese() ? "" : " ");

/** @param {string} text */
export const quotedText = (text) => (tag.startsWith("fr") ? `«\u202f${text}\u202f»` : `“${text}”`);

/**
 * "name: value".
 * @param {string} name
 * @param {string} value
 */
export function namedText(name, value) {
  const colon = isChinese() ? "：" : tag.startsWith("fr") ? "\u00a0: " : ": ";
  return `${name}${colon}${value}`;
}
