// Tables and tokens on paper: columns as wide as what stands in them, texts and tokens that go on in a next line.

import { direction, directionOf } from "../_shared/text.ts";
import { escaped, FONT, INK, type Measure, wrapped } from "./sheet.ts";

const [SIZE, SMALL] = [16, 13]; // px
const LINE = 23; // px of a line of text
const PAD = 8; // px over and under what stands in a cell
const GAP = 24; // px between columns
const [INSIDE, APART] = [8, 5]; // px beside a token's text, and between tokens
const LEAST = 72; // px that a column keeps where others need its room
const NUMBER = /^[−+-]?[\d.,\u202f\u00a0]+[ \u202f\u00a0]?%?$/;

/** A token and what stands under it, "" for nothing. */
type Token = [text: string, note: string];
export type Cell = string | Token[];
export type Grid = { columns: string[]; rows: Cell[][] };

const round = (amount: number) => Math.round(amount * 10) / 10;

const widthOf = ([text, note]: Token, measure: Measure) =>
  Math.max(measure(text, SIZE), measure(note, SMALL)) + 2 * INSIDE;

/** The widths of columns that share a room: who needs less than an equal share leaves the rest to the others. */
export function shared(wanted: number[], room: number) {
  const widths = wanted.map(() => 0);
  let left = room;
  const order = wanted.map((_, column) => column).sort((a, b) => wanted[a] - wanted[b]);
  order.forEach((column, place) => {
    widths[column] = Math.min(wanted[column], Math.max(LEAST, left / (order.length - place)));
    left -= widths[column];
  });
  return widths;
}

/** Tokens in lines, each with its place; one that is wider than a line is cut. */
export function flowing(tokens: Token[], room: number, measure: Measure) {
  const tall = tokens.some(([, note]) => note) ? 46 : 28;
  const placed: { token: Token; x: number; y: number; width: number }[] = [];
  let [x, y] = [0, 0];
  for (const [text, note] of tokens) {
    const [cut = ""] = wrapped(text, room - 2 * INSIDE, (part) => measure(part, SIZE), 1);
    const width = Math.min(room, widthOf([cut, note], measure));
    if (x && x + width > room) [x, y] = [0, y + tall + APART];
    placed.push({ token: [cut, note], x, y, width });
    x += width + APART;
  }
  return { placed, tall, height: placed.length ? y + tall : 0 };
}

/** Writes a text that begins, has its middle or ends at a place, whichever way it runs. */
function written(
  text: string,
  {
    x,
    y,
    size = SIZE,
    at = "start",
    along = direction(text),
    more = "",
  }: { x: number; y: number; size?: number; at?: "start" | "middle" | "end"; along?: "ltr" | "rtl"; more?: string },
) {
  const anchor = along === "ltr" || at === "middle" ? at : at === "start" ? "end" : "start";
  const looks = `${more}${along === "rtl" ? ' direction="rtl"' : ""}${anchor === "start" ? "" : ` text-anchor="${anchor}"`}`;
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}"${looks}>${escaped(text)}</text>`;
}

/** A cell's height, and how it is written from a corner on. */
function cellOf(
  cell: Cell,
  { width, isNumber, isHead }: { width: number; isNumber: boolean; isHead: boolean },
  measure: Measure,
) {
  if (typeof cell !== "string") {
    const { placed, tall, height } = flowing(cell, width, measure);
    const isMirrored = directionOf(cell.map(([text]) => text)) === "rtl";
    const at = (left: number, top: number) =>
      placed.map(({ token: [text, note], x, y, width: wide }) => {
        const start = left + (isMirrored ? width - x - wide : x);
        const middle = start + wide / 2;
        const box = `<rect x="${round(start)}" y="${round(top + y)}" width="${round(wide)}" height="${tall}" rx="6" fill="#eef3f8" stroke="#8a94a3"/>`;
        const under = note && written(note, { x: middle, y: top + y + 39, size: SMALL, at: "middle" });
        return box + written(text, { x: middle, y: top + y + 20, at: "middle" }) + under;
      });
    return { height, at };
  }
  const lines = wrapped(cell, width, (text) => measure(text, SIZE, isHead), 40);
  const looks: Omit<Parameters<typeof written>[1], "x" | "y"> = {
    at: isNumber ? "end" : "start",
    along: direction(cell),
    more: isHead ? ' font-weight="bold"' : "",
  };
  const at = (left: number, top: number) =>
    lines.map((text, row) => written(text, { x: left + (isNumber ? width : 0), y: top + 17 + LINE * row, ...looks }));
  return { height: lines.length * LINE, at };
}

/** Draws a grid in a given width. */
export function drawnGrid({ columns, rows }: Grid, width: number, measure: Measure) {
  const cells = columns.map((_, column) => rows.map((row) => row[column]));
  const wanted = cells.map((column, index) => {
    const widths = column.map((cell) =>
      typeof cell === "string"
        ? measure(cell, SIZE)
        : cell.reduce((sum, token) => sum + widthOf(token, measure) + APART, 0),
    );
    return Math.ceil(widths.reduce((most, each) => Math.max(most, each), measure(columns[index], SIZE, true))) + 1;
  });
  const widths = shared(wanted, width - GAP * (columns.length - 1));
  const isNumber = cells.map((column) => column.every((cell) => typeof cell === "string" && NUMBER.test(cell)));
  const wide = widths.reduce((sum, each) => sum + each, GAP * (columns.length - 1));
  const parts: string[] = [];
  let y = 0;
  const draw = (row: Cell[], isHead: boolean) => {
    const drawn = row.map((cell, column) =>
      cellOf(cell, { width: widths[column], isNumber: isNumber[column], isHead }, measure),
    );
    let x = 0;
    drawn.forEach(({ at }, column) => {
      parts.push(...at(x, y + PAD));
      x += widths[column] + GAP;
    });
    y += Math.max(LINE, ...drawn.map(({ height }) => height)) + 2 * PAD;
    if (isHead || rows.length > 1) parts.push(`<path d="M0 ${y - 0.5}H${round(wide)}" stroke="#c9ced6"/>`);
  };
  if (columns.some(Boolean)) draw(columns, true);
  for (const row of rows) draw(row, false);
  return { inner: `<g font-family="${escaped(FONT)}" fill="${INK}">${parts.join("")}</g>`, width, height: y + 2 };
}
