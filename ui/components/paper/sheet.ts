// A figure on a white sheet, as one SVG: title, picture and sources; and the same texts as chunks of a PNG. Without a document.

import { namedText } from "../_shared/numbers.ts";

export const INK = "#1a1a1a";
export const FONT =
  "Arial, Helvetica, 'Liberation Sans', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif";
const TITLE = 20; // px
const SMALL = 13; // px, of the lines below the picture
const MARGIN = 24;
const MAX_LINES = 4; // of one entry at most; the file's description has all of it

/** Return the width of a text in px. */
export type Measure = (text: string, size: number, isBold?: boolean) => number;
/** An entry under the picture, such as "Source" and its text. */
type Entry = { word: string; text: string };
/** All texts of the sheet; `language` as in HTML's `lang`. */
type Words = { title: string; entries: Entry[]; link: string; language: string };

export const escapeXml = (text: string) =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no form for them
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? "");

const IDEOGRAPHIC = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
const NEVER_FIRST = /[\s，。、！？：；）》」』】〕”’…—·％,.!?:;)\]}%»]/;
const NEVER_LAST = /[（《「『【〔“‘([{«]/;

/**
 * Whether a line may end before an index of a text: at a space, or beside a Chinese character if the punctuation allows it.
 */
function canBreak(text: string, index: number) {
  const [before, after] = [text[index - 1], text[index] ?? ""];
  if (after === " ") return true;
  return (IDEOGRAPHIC.test(before) || IDEOGRAPHIC.test(after)) && !NEVER_FIRST.test(after) && !NEVER_LAST.test(before);
}

/**
 * Break a text into lines, between words if possible, and cut it after the last line.
 * @param width px
 * @param most number of lines
 */
export function wrapLines(text: string, width: number, measure: (text: string) => number, most: number = MAX_LINES) {
  const lines: string[] = [];
  let rest = text.replace(/[ \t\r\n]+/g, " ").trim();
  while (rest && lines.length < most) {
    let fits = rest.length;
    if (measure(rest) > width) {
      let [low, high] = [1, rest.length];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (measure(rest.slice(0, middle)) <= width) low = middle;
        else high = middle - 1;
      }
      fits = low;
      while (fits > low / 2 && !canBreak(rest, fits)) fits -= 1;
      if (fits <= low / 2) fits = low;
      if (fits > 1 && splitsSurrogates(rest, fits)) fits -= 1;
    }
    lines.push(rest.slice(0, fits));
    rest = rest.slice(fits).trim();
  }
  if (rest) lines[lines.length - 1] = `${lines[lines.length - 1].slice(0, -1)}…`;
  return lines;
}

/** Whether an index of a text is within a pair of surrogates. */
const splitsSurrogates = (text: string, index: number) =>
  /[\ud800-\udbff]/.test(text[index - 1]) && /[\udc00-\udfff]/.test(text[index] ?? "");

/**
 * Break the sheet's texts into lines and place them.
 * @param width of the whole sheet
 */
function layOutText({ title, entries, link }: Omit<Words, "language">, width: number, measure: Measure) {
  const room = width - 2 * MARGIN;
  const heading = wrapLines(title, room, (text) => measure(text, TITLE, true), 3);
  const small = (text: string) => measure(text, SMALL);
  const below = entries.flatMap(({ word, text }) =>
    wrapLines(namedText(word, text), room, small).map((line) => ({ line, isLink: text === link })),
  );
  const top = MARGIN + heading.length * 26 + (heading.length ? 8 : 0);
  const foot = below.length ? 16 + below.length * 18 : 0;
  return { heading, below, top, foot };
}

/**
 * Draw the sheet.
 * @param picture its size in px, and SVG code
 */
export function drawSheet(
  words: Words,
  { width, height, inner }: { width: number; height: number; inner: string },
  measure: Measure,
) {
  const wide = width + 2 * MARGIN;
  const { heading, below, top, foot } = layOutText(words, wide, measure);
  const tall = top + height + foot + MARGIN;
  const text = (line: string, y: number, more: string) =>
    `<text x="${MARGIN}" y="${y}" ${more}>${escapeXml(line)}</text>`;
  const titles = heading.map((line, index) =>
    text(line, MARGIN + 18 + 26 * index, `font-size="${TITLE}" font-weight="bold"`),
  );
  const notes = below.map(({ line, isLink }, index) => {
    const element = text(line, top + height + 24 + 18 * index, `font-size="${SMALL}"`);
    return isLink ? `<a href="${escapeXml(words.link)}">${element}</a>` : element;
  });
  const description = words.entries.map(({ word, text }) => namedText(word, text)).join("\n");
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xml:lang="${escapeXml(words.language)}" width="${wide}" height="${tall}" viewBox="0 0 ${wide} ${tall}">`,
    `<title>${escapeXml(words.title)}</title><desc>${escapeXml(description)}</desc>`,
    `<rect width="${wide}" height="${tall}" fill="#ffffff"/>`,
    `<g font-family="${escapeXml(FONT)}" fill="${INK}">${titles.join("")}${notes.join("")}</g>`,
    `<svg x="${MARGIN}" y="${top}" width="${width}" height="${height}">${inner}</svg>`,
    "</svg>",
  ].join("\n");
  return { svg, width: wide, height: tall };
}

/** Return the CRC-32 that PNG uses. */
export function crc32(bytes: Uint8Array) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Insert text chunks into a PNG, after its first chunk. */
export function addPngTexts(png: Uint8Array, texts: [keyword: string, text: string][]) {
  const encoder = new TextEncoder();
  const first = 8 + 25; // the signature, and IHDR
  const chunks = texts.map(([keyword, text]) => {
    // iTXt: keyword, not compressed, no language, no translated keyword, text in UTF-8.
    const data = encoder.encode(`iTXt${keyword}\0\0\0\0\0${text}`);
    const chunk = new Uint8Array(data.length + 8);
    const view = new DataView(chunk.buffer);
    view.setUint32(0, data.length - 4);
    chunk.set(data, 4);
    view.setUint32(data.length + 4, crc32(data));
    return chunk;
  });
  const parts = [png.subarray(0, first), ...chunks, png.subarray(first)];
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
