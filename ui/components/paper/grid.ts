// Tables and tokens as SVG: columns as wide as their content; texts and tokens wrap to the next line.

import { direction, labelsDirection } from "../_shared/text.ts";
import { escapeXml, FONT, INK, type Measure, wrapLines } from "./sheet.ts";

const [SIZE, SMALL] = [16, 13]; // px
const LINE = 23; // px of a line of text
const PAD = 8; // px above and below a cell's content
const GAP = 24; // px between columns
const [PADDING, SPACING] = [8, 5]; // px beside a token's text, and between tokens
const MIN_COLUMN = 72; // px of a column at least
const NUMBER = /^[−+-]?[\d.,\u202f\u00a0]+[ \u202f\u00a0]?%?$/;

/** A token and the note under it, "" for none. */
type Token = [text: string, note: string];
export type Cell = string | Token[];
export type Grid = { columns: string[]; rows: Cell[][] };

const round = (amount: number) => Math.round(amount * 10) / 10;

const tokenWidth = ([text, note]: Token, measure: Measure) =>
  Math.max(measure(text, SIZE), measure(note, SMALL)) + 2 * PADDING;

/** Divide the width fairly; columns that need less than an equal share leave the rest to wider ones. */
export function fairColumnWidths(preferred: number[], available: number) {
  const widths = preferred.map(() => 0);
  let left = available;
  const order = preferred.map((_, column) => column).sort((a, b) => preferred[a] - preferred[b]);
  order.forEach((column, place) => {
    widths[column] = Math.min(preferred[column], Math.max(MIN_COLUMN, left / (order.length - place)));
    left -= widths[column];
  });
  return widths;
}

/** Lay out tokens in lines; a token that is wider than a line is shortened. */
export function flowTokens(tokens: Token[], room: number, measure: Measure) {
  const tall = tokens.some(([, note]) => note) ? 46 : 28;
  const placed: { token: Token; x: number; y: number; width: number }[] = [];
  let [x, y] = [0, 0];
  for (const [text, note] of tokens) {
    const [shortened = ""] = wrapLines(text, room - 2 * PADDING, (part) => measure(part, SIZE), 1);
    const width = Math.min(room, tokenWidth([shortened, note], measure));
    if (x && x + width > room) [x, y] = [0, y + tall + SPACING];
    placed.push({ token: [shortened, note], x, y, width });
    x += width + SPACING;
  }
  return { placed, tall, height: placed.length ? y + tall : 0 };
}

/** Return an SVG text whose start, middle or end is at x, in either direction of writing. */
function textElement(
  text: string,
  {
    x,
    y,
    size = SIZE,
    align = "start",
    along = direction(text),
    more = "",
  }: { x: number; y: number; size?: number; align?: "start" | "middle" | "end"; along?: "ltr" | "rtl"; more?: string },
) {
  const anchor = along === "ltr" || align === "middle" ? align : align === "start" ? "end" : "start";
  const looks = `${more}${along === "rtl" ? ' direction="rtl"' : ""}${anchor === "start" ? "" : ` text-anchor="${anchor}"`}`;
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}"${looks}>${escapeXml(text)}</text>`;
}

/** Lay out a cell: return its height, and a function that draws it from its upper left corner. */
function layOutCell(
  cell: Cell,
  { width, isNumber, isHead }: { width: number; isNumber: boolean; isHead: boolean },
  measure: Measure,
) {
  if (typeof cell !== "string") {
    const { placed, tall, height } = flowTokens(cell, width, measure);
    const isMirrored = labelsDirection(cell.map(([text]) => text)) === "rtl";
    const draw = (left: number, top: number) =>
      placed.map(({ token: [text, note], x, y, width: wide }) => {
        const start = left + (isMirrored ? width - x - wide : x);
        const middle = start + wide / 2;
        const box = `<rect x="${round(start)}" y="${round(top + y)}" width="${round(wide)}" height="${tall}" rx="6" fill="#eef3f8" stroke="#8a94a3"/>`;
        const under = note && textElement(note, { x: middle, y: top + y + 39, size: SMALL, align: "middle" });
        return box + textElement(text, { x: middle, y: top + y + 20, align: "middle" }) + under;
      });
    return { height, draw };
  }
  const lines = wrapLines(cell, width, (text) => measure(text, SIZE, isHead), 40);
  const looks: Omit<Parameters<typeof textElement>[1], "x" | "y"> = {
    align: isNumber ? "end" : "start",
    along: direction(cell),
    more: isHead ? ' font-weight="bold"' : "",
  };
  const draw = (left: number, top: number) =>
    lines.map((text, row) =>
      textElement(text, { x: left + (isNumber ? width : 0), y: top + 17 + LINE * row, ...looks }),
    );
  return { height: lines.length * LINE, draw };
}

/** Draw a table in a given width. */
export function drawGrid({ columns, rows }: Grid, width: number, measure: Measure) {
  const cells = columns.map((_, column) => rows.map((row) => row[column]));
  const preferred = cells.map((column, index) => {
    const widths = column.map((cell) =>
      typeof cell === "string"
        ? measure(cell, SIZE)
        : cell.reduce((sum, token) => sum + tokenWidth(token, measure) + SPACING, 0),
    );
    return Math.ceil(widths.reduce((most, each) => Math.max(most, each), measure(columns[index], SIZE, true))) + 1;
  });
  const widths = fairColumnWidths(preferred, width - GAP * (columns.length - 1));
  const isNumber = cells.map((column) => column.every((cell) => typeof cell === "string" && NUMBER.test(cell)));
  const wide = widths.reduce((sum, each) => sum + each, GAP * (columns.length - 1));
  const parts: string[] = [];
  let y = 0;
  const drawRow = (row: Cell[], isHead: boolean) => {
    const layouts = row.map((cell, column) =>
      layOutCell(cell, { width: widths[column], isNumber: isNumber[column], isHead }, measure),
    );
    let x = 0;
    layouts.forEach(({ draw }, column) => {
      parts.push(...draw(x, y + PAD));
      x += widths[column] + GAP;
    });
    y += Math.max(LINE, ...layouts.map(({ height }) => height)) + 2 * PAD;
    if (isHead || rows.length > 1) parts.push(`<path d="M0 ${y - 0.5}H${round(wide)}" stroke="#c9ced6"/>`);
  };
  if (columns.some(Boolean)) drawRow(columns, true);
  for (const row of rows) drawRow(row, false);
  return { inner: `<g font-family="${escapeXml(FONT)}" fill="${INK}">${parts.join("")}</g>`, width, height: y + 2 };
}
