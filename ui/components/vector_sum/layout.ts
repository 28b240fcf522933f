// How high the rows of the three bands are, and which of their columns are numbered. Everything in CSS pixels.

import { clamp } from "../_shared/canvas.ts";
import { niceStep, tickValues } from "../_shared/ticks.ts";

const AXIS = 26; // height
const TITLE = 26; // height of a band's name where that stands above it
const GAP = 6; // between bands
const WRITTEN = 24; // height of a row of a table whose numbers are read one by one
const LEAST = 11; // height of a row whose label can be read
const MOST = 40;
const READABLE = 15; // height of a row whose label can be read from the last row of a lecture hall, magnified
const NUMBER_HEIGHT = 16; // height of a row with numbers
const USUAL = 9; // rows of a short sentence
const TICK = 56; // least distance of the axis' numbers

interface Options {
  isNarrow: boolean;
  isSlide: boolean;
  isTable: boolean;
  headsFit?: boolean;
  head?: number;
  most?: number;
}
export type Rows = ReturnType<typeof rowsLayout>;

/**
 * @param room that the bands have, with their axis
 * @param options.isNarrow whether the names of bands stand above them, not beside them
 * @param options.isTable whether it is a table of so few columns that its numbers are read one by one
 * @param options.headsFit whether the names of bands beside each other have the room
 * @param options.head of what stands above the first band where all are below each other
 * @param options.most that the bands take of a page that is scrolled to them; without it, all of their room
 * @returns beside: whether the bands stand beside each other: on a slide where rows would be too low to be read, on a
 * page where a short sentence would not be in the first window; not where a text grows, or the picture would jump
 */
export function rowsLayout(
  count: number,
  room: number,
  { isNarrow, isSlide, isTable, headsFit = true, head = 0, most = room }: Options,
) {
  const around = AXIS + 2 * GAP + (isNarrow ? (head ? 2 : 3) * TITLE : 0) + head;
  const readable = isTable ? WRITTEN : isSlide ? READABLE : LEAST;
  const share = (room - around) / 3;
  const beside = !isNarrow && headsFit && (isSlide ? share < count * readable : share < USUAL * LEAST);
  const bandHeight = (height: number) => (beside ? height - AXIS - TITLE : (height - around) / 3);
  const rowHeight = clamp(Math.floor(bandHeight(room) / count), readable, MOST);
  const height = Math.min(count * rowHeight, Math.max(bandHeight(most), 3.5 * rowHeight));
  return { beside, rowHeight, height, maxScroll: count * rowHeight - height };
}

/** How many characters of a number a cell has room for, in a band of a width. */
export function cellCharacters(columns: number, width: number, rowHeight: number) {
  const digit = numberSize(rowHeight) / 2;
  // The decimal point is half as wide as a digit.
  return rowHeight < NUMBER_HEIGHT ? 0 : Math.max(0, Math.floor((width / columns - 4) / digit + 0.5));
}

/** Font size of the numbers in cells. */
export const numberSize = (rowHeight: number) => clamp(rowHeight - 5, 12, 16);

/** The columns that the axis numbers, and where each has its middle, as a share of the width. */
export function axisTicks({ first, columns }: { first: number; columns: number }, width: number) {
  const step = niceStep(columns, Math.max(1, width / TICK), 1);
  return tickValues(first, first + columns - 1, step).map((at) => ({ at, share: (at - first + 0.5) / columns }));
}
