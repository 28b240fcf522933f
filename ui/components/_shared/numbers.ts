// Numbers, lists, quotation marks and colons as the page's language writes them. What goes into files and links, or
// back to Python, is written without these.

const MINUS = "−";
const known = new Map<string, { count: Intl.NumberFormat; point: string }>();
let tag = "en";

/** Takes up the language of the labels that have come, before anything is drawn with them. */
export function speak(labels: { language?: string } | null | undefined) {
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

/** A number as JavaScript writes it, with the language's decimal sign and a true minus. */
export const localized = (text: string) => text.replaceAll("-", MINUS).replace(".", written().point);

/** Without a sign on what rounds to zero. */
export function decimalText(value: number, decimals: number) {
  const digits = Math.abs(value).toFixed(decimals);
  return localized(value < 0 && /[1-9]/.test(digits) ? `-${digits}` : digits);
}

/** So many digits, without zeros at the end. */
export const significantText = (value: number, digits: number) => localized(String(Number(value.toPrecision(digits))));

/** A whole number in groups of three digits. */
export const countText = (count: number) => written().count.format(count).replace("-", MINUS);

const isChinese = () => tag.startsWith("zh");

export const listText = (items: readonly string[]) => items.join(isChinese() ? "、" : ", ");

/** @param sentences one after the other; empty ones are left out */
export const sentencesText = (sentences: readonly string[]) => sentences.filter(Boolean).join(isChinese() ? "" : " ");

export const quotedText = (text: string) => (tag.startsWith("fr") ? `«\u202f${text}\u202f»` : `“${text}”`);

/** "name: value". */
export function namedText(name: string, value: string) {
  const colon = isChinese() ? "：" : tag.startsWith("fr") ? "\u00a0: " : ": ";
  return `${name}${colon}${value}`;
}
