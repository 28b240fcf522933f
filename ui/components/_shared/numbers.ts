// Numbers, lists, quotation marks and colons as the page's language writes them. Files, links and reports to Python do without.

const MINUS = "−";
const formats = new Map<string, { count: Intl.NumberFormat; point: string }>();
let currentLanguage = "en";

/** Set the language to that of a component's labels, before anything is drawn with them. */
export function setLanguage(labels: { language?: string } | null | undefined) {
  if (labels?.language) currentLanguage = labels.language;
}

/** Return the page's language, as in the attribute `lang`. */
export const language = () => currentLanguage;

function numberFormat() {
  let form = formats.get(currentLanguage);
  if (!form) {
    const count = new Intl.NumberFormat(currentLanguage);
    const point = count.formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";
    form = { count, point };
    formats.set(currentLanguage, form);
  }
  return form;
}

/** Write a number that JavaScript wrote with the language's decimal sign and a true minus. */
export const localizeNumber = (text: string) => text.replaceAll("-", MINUS).replace(".", numberFormat().point);

/** Write a number with fixed decimals, and without a sign if it rounds to zero. */
export function decimalText(value: number, decimals: number) {
  const digits = Math.abs(value).toFixed(decimals);
  return localizeNumber(value < 0 && /[1-9]/.test(digits) ? `-${digits}` : digits);
}

/** Write a number with significant digits, without trailing zeros. */
export const significantText = (value: number, digits: number) =>
  localizeNumber(String(Number(value.toPrecision(digits))));

/** Write a whole number in groups of three digits. */
export const countText = (count: number) => numberFormat().count.format(count).replace("-", MINUS);

const isChinese = () => currentLanguage.startsWith("zh");

export const listText = (items: readonly string[]) => items.join(isChinese() ? "、" : ", ");

/** Join sentences; empty ones are left out. */
export const sentencesText = (sentences: readonly string[]) => sentences.filter(Boolean).join(isChinese() ? "" : " ");

export const quotedText = (text: string) => (currentLanguage.startsWith("fr") ? `«\u202f${text}\u202f»` : `“${text}”`);

/** "name: value". */
export function namedText(name: string, value: string) {
  const colon = isChinese() ? "：" : currentLanguage.startsWith("fr") ? "\u00a0: " : ": ";
  return `${name}${colon}${value}`;
}
