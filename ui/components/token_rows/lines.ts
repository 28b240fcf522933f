// One line of the staff: the characters, and under them a row of chips for each tokenizer.

import { makeElement } from "../_shared/elements.ts";
import { fillLabel, hasAgainst } from "../_shared/text.ts";
import {
  chipText,
  columnWidths,
  FONT_SIZE,
  isSmall,
  type Line,
  type Measure,
  MIN_COLUMN,
  MOST_PARTS,
  type Model,
  SMALL,
  tokenSpan,
  tokensAt,
} from "./columns.ts";
import type { Place } from "./keys.ts";

/** How large everything is, in px. */
export interface Staff {
  measure: Measure;
  narrow: boolean; // whether each row's name stands above it instead of beside it
  gutter: number; // for the names
  nameHeight: number;
  room: number; // of a line
  scale: number;
  widths: Float32Array; // of the columns
  charactersHeight: number;
  rowHeight: number;
  lineHeight: number;
  shown: number; // how many lines are in sight
  span: number; // of the widest line
}
type DrawnChip = { element: HTMLElement; row: number; token: number };
export interface DrawnLine {
  root: HTMLElement;
  sheet: HTMLElement;
  line: Line;
  chips: DrawnChip[];
  characters: HTMLElement[]; // of each column
}

const CHARACTERS_HEIGHT = 42;
const CHIP_HEIGHT = 36;
export const LINE_GAP = 26;
const MOST_LINES = 3; // in sight at once
const SCALES = [1.35, 1];
// Letters that may stand apart, as wide as their columns; those of other scripts join or stack.
const SPACED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]*$/u;

/** Shortened with "…" until it fits; "" where not even one sign does. */
export function fittingText(text: string, width: number, measure: (text: string) => number) {
  if (measure(text) <= width) return text;
  const signs = [...text];
  while (signs.length > 0 && measure(`${signs.join("").trimEnd()}…`) > width) signs.pop();
  return signs.length > 0 ? `${signs.join("").trimEnd()}…` : "";
}

/** Letters that are read against the line, each under its own column, as the line of characters has them. */
function standingLetters(model: Model, line: Line, from: number, to: number) {
  const letters = [];
  for (let column = from; column < to; column += 1) {
    const letter = makeElement("bdi", { text: model.characters[column] });
    letter.style.width = `${line.edges[column - line.start + 1] - line.edges[column - line.start]}px`;
    letters.push(letter);
  }
  return makeElement("span", { className: "letters" }, ...letters);
}

/** How tall the rows are; on a narrow page each row's name stands above it instead of beside it. */
export function staffMeasures(model: Model, width: number, measure: Measure): Staff {
  const narrow = width < 640;
  const names = model.rows.map((row) => measure(row.title, 16));
  const gutter = narrow ? 0 : Math.min(190, Math.ceil(Math.max(...names)) + 22);
  const nameHeight = narrow ? 21 : 0;
  const room = width - gutter - 2;
  const widths = columnWidths(model, measure, room);
  const whole = widths.reduce((sum, each) => sum + each, 0);
  // A short text is written larger; in few steps, so that it does not swell and shrink at every key.
  const scale = SCALES.find((each) => whole * each <= room) ?? 1;
  const charactersHeight = CHARACTERS_HEIGHT * scale;
  const rowHeight = CHIP_HEIGHT * scale + nameHeight + (narrow ? 3 : 4);
  const lineHeight = charactersHeight + model.rows.length * rowHeight + LINE_GAP;
  return {
    ...{ measure, narrow, gutter, nameHeight, room, scale, widths: widths.map((each) => each * scale) },
    ...{ charactersHeight, rowHeight, lineHeight, shown: 1, span: 0 },
  };
}

/**
 * Gives the lines their room: some of them in sight, and the box that is read in as much as its words can take.
 * @param count of all lines
 */
export function sizeStaff(
  { root, scroller, staffBox }: { root: HTMLElement; scroller: HTMLElement; staffBox: HTMLElement },
  model: Model,
  staff: Staff,
  count: number,
) {
  const heightOf = (some: number) => some * staff.lineHeight - LINE_GAP + 6;
  // Whole lines; where they scroll, never more than a screen of them.
  const fitting = staff.narrow ? MOST_LINES : Math.floor(Math.max(560, window.innerHeight * 0.8) / staff.lineHeight);
  staff.shown = Math.min(count, MOST_LINES, Math.max(1, fitting));
  scroller.style.height = `${staff.shown < count ? staff.shown * staff.lineHeight : heightOf(staff.shown)}px`;
  // The last lines can be at the top too, so that one always goes on by whole lines.
  staffBox.style.height = `${heightOf(Math.ceil(count / staff.shown) * staff.shown)}px`;
  root.classList.toggle("narrow", staff.narrow);
  root.style.setProperty("--scale", String(staff.scale));
  root.style.setProperty("--apart", `${staff.scale * Math.max(0, MIN_COLUMN + 1 - staff.measure("n", FONT_SIZE))}px`);
  root.style.setProperty("--readout-lines", String(1 + Math.ceil(0.75 * model.rows.length))); // on a phone
}

export function drawLine(model: Model, staff: Staff, line: Line) {
  const root = makeElement("div", { className: "line" });
  const sheet = makeElement("div", { className: "sheet" });
  sheet.style.left = `${staff.gutter}px`;
  sheet.style.width = `${staff.span}px`;
  sheet.dir = model.along;
  const drawn: DrawnLine = { root, sheet, line, chips: [], characters: [] };
  for (const band of bandsOf(model, line)) {
    const element = placed("div", "band", ...band, model.along);
    element.append(makeElement("div", { className: "wave" }));
    sheet.append(element);
  }
  for (let column = line.start; column < line.stop; column += 1) drawCharacter(drawn, model, column);
  model.rows.forEach((row, index) => {
    const top = staff.charactersHeight + index * staff.rowHeight;
    const name = makeElement("div", { className: "name", text: row.title });
    name.style.top = `${top}px`;
    if (!staff.narrow) name.style.width = `${staff.gutter - 10}px`;
    root.append(name);
    drawRow(drawn, model, staff, index, top + staff.nameHeight);
  });
  root.append(sheet);
  return drawn;
}

/** @param along which way the line runs */
function placed<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  left: number,
  right: number,
  along: "rtl" | "ltr",
) {
  const element = makeElement(tag, { className });
  element.style[along === "rtl" ? "right" : "left"] = `${left}px`;
  element.style.width = `${right - left}px`;
  return element;
}

/** The stretches in this line in which the rows are cut at different places. */
export function bandsOf(model: Pick<Model, "place">, line: Line) {
  const bands: [left: number, right: number][] = [];
  for (let c = line.start; c < line.stop; c += 1) {
    const place = model.place[c];
    if (place < 0) continue;
    const [left, right] = [line.edges[c - line.start], line.edges[c - line.start + 1]];
    const last = bands.at(-1);
    if (last && model.place[c - 1] === place) last[1] = right;
    else bands.push([left, right]);
  }
  return bands;
}

function drawCharacter(drawn: DrawnLine, model: Model, column: number) {
  const { line } = drawn;
  const label = model.characters[column];
  const [left, right] = [line.edges[column - line.start], line.edges[column - line.start + 1]];
  const element = placed("bdi", "character", left, right, model.along);
  element.textContent = label;
  element.classList.toggle("small", isSmall(label));
  drawn.characters.push(element);
  drawn.sheet.append(element);
}

/** @param index of the row */
function drawRow(drawn: DrawnLine, model: Model, staff: Staff, index: number, top: number) {
  const row = model.rows[index];
  const { line } = drawn;
  let [token] = tokensAt(row, line.start);
  while (token < row.count && row.first[token] < line.stop) {
    const share = row.shares.get(row.first[token]);
    const [left, right] = tokenSpan(row, token, line);
    // Too many parts to tell apart become one.
    const crowd =
      share && token > share.start && share.count > MOST_PARTS ? share.count - (token - share.start) - 1 : 0;
    const end = crowd > 1 ? tokenSpan(row, token + crowd - 1, line)[1] : right;
    const chip = placed("div", "chip", left + 1, Math.max(left + 4, end - 1.5), model.along);
    chip.style.top = `${top}px`;
    const width = end - left - 2;
    const { text: label, mark, own } = chipText(model, row, token);
    const [from, to] = [Math.max(line.start, row.first[token]), Math.min(line.stop, row.last[token] + 1)];
    const more = crowd > 1 ? fillLabel(model.labels.crowd, { count: crowd }) : null;
    const text = more ?? (own ? model.characters.slice(from, to).join("") : label);
    const small = !own || crowd > 1 || isSmall(text);
    const turned = own && !small && hasAgainst(text, model.along);
    if (turned) chip.append(standingLetters(model, line, from, to));
    else if (small)
      chip.append(
        makeElement("bdi", {
          text: fittingText(text, width - 4, (shown) => staff.measure(shown, SMALL) * staff.scale),
        }),
      );
    else if (mark && row.first[token] >= line.start)
      chip.append(
        makeElement("bdi", { dir: model.along }, makeElement("small", { text: mark }), text.replace(/^·/, "")),
      );
    else chip.append(makeElement("bdi", { text }));
    chip.classList.toggle("small", small);
    chip.classList.toggle("odd", token % 2 === 1);
    const part = Boolean(share) || row.shares.has(row.last[token]);
    chip.classList.toggle("part", part);
    chip.classList.toggle("other", !own && !part);
    chip.classList.toggle("spaced", !small && !mark && SPACED.test(text));
    chip.classList.toggle("from-before", row.first[token] < line.start);
    chip.classList.toggle("goes-on", row.last[token] >= line.stop);
    drawn.chips.push({ element: chip, row: index, token });
    drawn.sheet.append(chip);
    token += Math.max(1, crowd);
  }
}

/**
 * [element, class] of all that the pointer lights: the chips that hold a column, its character, the one token meant.
 */
export function litElements(
  model: Model,
  drawn: DrawnLine[],
  { hovered, chosen, cursor }: { hovered: number | null; chosen: number | null; cursor: Place | null },
): [HTMLElement, string][] {
  const lit: [HTMLElement, string][] = [];
  for (const { line, chips, characters } of drawn) {
    for (const [name, column] of Object.entries({ hovered, chosen })) {
      if (column === null) continue;
      if (column >= line.start && column < line.stop) lit.push([characters[column - line.start], name]);
      for (const { element, row, token } of chips) {
        const { first, last } = model.rows[row];
        if (first[token] <= column && column <= last[token]) lit.push([element, name]);
      }
    }
    if (!cursor) continue;
    for (const { element, row, token } of chips)
      if (row === cursor.row && token === cursor.token) lit.push([element, "cursor"]);
  }
  return lit;
}
