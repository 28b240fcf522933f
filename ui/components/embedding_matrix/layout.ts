// Where rows of E lie on the strip, and which of them is near a point. Everything in CSS pixels.

/** What is sent besides the numbers. */
export interface Header {
  lines: number; // of the strip
  columns: number;
  vocab_size: number;
  d_model: number;
  positions: number[]; // of each row's token in the text
  ids: number[];
  tokens: string[];
  by_chance: boolean[];
  colours: string[];
  limit: number;
  labels: Record<string, string>;
}

const REACH = 12; // px from a mark within which it is pointed at

/** Where the middle of a row is on a strip of a height. */
export const rowCentreY = (id: number, vocabSize: number, height: number) => ((id + 0.5) / vocabSize) * height;

/** The picked row whose mark is nearest to a height, as an index; null where none is near. */
export function nearestRow(y: number, ids: number[], vocabSize: number, height: number) {
  let nearest: number | null = null;
  let least = Math.max(REACH, height / vocabSize / 2);
  for (const [index, id] of ids.entries()) {
    const distance = Math.abs(rowCentreY(id, vocabSize, height) - y);
    if (distance < least) [nearest, least] = [index, distance];
  }
  return nearest;
}

/**
 * Move heights apart, as little as it takes, so that each has its own place.
 * @param heights ascending, in px
 * @param gap between two of them, as far as `room` has it
 * @param room px that they may take, from 0
 * @returns as many, ascending
 */
export function spreadHeights(heights: number[], gap: number, room: number) {
  const apart = Math.min(gap, room / Math.max(1, heights.length));
  const spread: number[] = [];
  for (const [index, height] of heights.entries())
    spread.push(Math.max(height, index ? spread[index - 1] + apart : apart / 2));
  for (let index = spread.length - 1, most = room - apart / 2; index >= 0; index -= 1, most -= apart)
    spread[index] = Math.min(spread[index], most);
  return spread;
}
