// Where the strip, the marks on it and the rows pulled out of it are. Everything in CSS pixels.

import { clamp } from "../_shared/canvas.js";

/**
 * @typedef {object} Header what is sent besides the numbers
 * @property {number} lines of the strip
 * @property {number} columns
 * @property {number} vocab_size
 * @property {number} d_model
 * @property {number} k how many dimensions of each row are sent
 * @property {number[]} positions of each row's token in the text
 * @property {number[]} ids
 * @property {string[]} tokens
 * @property {boolean[]} by_chance
 * @property {string[]} colours
 * @property {number} limit
 * @property {Record<string, string>} labels
 */
/** @typedef {import("../_shared/canvas.js").Box} Box */
/**
 * @typedef {object} Layout
 * @property {boolean} narrow
 * @property {number} height
 * @property {Box} strip
 * @property {number} labelX where the ids stand
 * @property {Box} list of rows, right of the lines
 * @property {number} rowHeight
 */
/**
 * @typedef {object} CellLayout
 * @property {number} token width
 * @property {number} id width
 * @property {number} x of the first number in the list
 * @property {number} width of a number
 * @property {number} numbered how many columns are numbers
 * @property {number} coloured how many more are colours alone
 */

export const STRIPE = 5; // pixels per column shown as colour alone

/**
 * @param {number} width
 * @param {Pick<Header, "positions" | "ids" | "vocab_size">} header
 * @param {number} [room] CSS px that it may be high
 * @returns {Layout}
 */
export function matrixLayout(width, { positions, ids, vocab_size: vocabSize }, room = Infinity) {
  const narrow = width < 640;
  const rowHeight = narrow ? 66 : 40;
  const headHeight = 28; // room for the axis labels above and below the strip
  const strip = {
    x: 26,
    y: headHeight,
    width: narrow ? 40 : 120,
    height: Math.min(narrow ? 420 : 380, rowHeight * Math.floor((room - 3 * headHeight) / rowHeight)),
  };
  const labelX = strip.x + strip.width + (narrow ? 12 : 36);
  const x = labelX + (narrow ? 64 : width < 1000 ? 130 : 160);
  const height = Math.min(positions.length * rowHeight, strip.height);
  // A short list stands beside the marks, so that the lines stay short.
  const middle = ids.reduce((sum, id) => sum + markHeight(strip, id, vocabSize), 0) / Math.max(1, ids.length);
  const y = Math.round(clamp(middle - height / 2, strip.y, strip.y + strip.height - height));
  const list = { x, y, width: width - x, height };
  return { narrow, height: strip.height + 2 * headHeight, strip, labelX, list, rowHeight };
}

/**
 * Where the name of the columns begins: it ends with the strip, and leaves room for the 0 of the first row.
 * @param {Pick<Layout, "narrow" | "strip">} layout
 * @param {number} width of the name
 */
export function columnsLeft({ narrow, strip }, width) {
  return strip.x + (narrow ? 18 : Math.max(18, strip.width - width));
}

/**
 * Numbers first, then colours alone, as far as the width goes.
 * @param {Pick<Header, "tokens" | "ids" | "k" | "d_model">} header
 * @param {boolean} narrow
 * @param {number} listWidth
 * @returns {CellLayout}
 */
export function cellLayout(header, narrow, listWidth) {
  const longest = Math.max(1, ...header.tokens.map((token) => [...token].length));
  const token = clamp(longest * 11, 48, 170);
  const repeated = new Set(header.ids).size < header.ids.length;
  const id = repeated ? 180 : 96;
  const x = narrow ? 8 : 8 + token + 10 + id + 10;
  let width = narrow ? 58 : 76;
  const room = listWidth - x - 8;
  const fitting = (/** @type {number} */ space) => clamp(Math.floor(space / width), 1, header.k);
  let numbered = fitting(room);
  if (numbered < header.d_model) {
    // Room for "…", and for the rest of k as colours: all of it, or two fifths of the width.
    const beside = narrow ? 22 : Math.min(room * 0.4, (header.k - fitting(room)) * STRIPE + 34);
    numbered = fitting(room - beside);
  }
  if (numbered === header.d_model && !narrow) width = clamp(Math.floor(room / numbered), width, 120);
  const left = Math.floor((room - numbered * width - 34) / STRIPE);
  const coloured = narrow ? 0 : clamp(left, 0, header.k - numbered);
  return { token, id, x, width, numbered, coloured };
}

/**
 * @param {Box} strip
 * @param {number} id
 * @param {number} vocabSize
 */
export const markHeight = (strip, id, vocabSize) => strip.y + ((id + 0.5) / vocabSize) * strip.height;

/**
 * Moves the wished heights apart until each is `gap` from the next, as little as possible, within [top, bottom].
 * @param {number[]} wished
 * @param {number} gap
 * @param {number} top
 * @param {number} bottom
 * @returns {number[]} in the order of `wished`
 */
export function spreadApart(wished, gap, top, bottom) {
  const order = wished.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  /** @typedef {{ sum: number, count: number }} Group */
  const topOf = (/** @type {Group} */ { sum, count }) => {
    const span = (count - 1) * gap;
    return clamp(sum / count - span / 2, top, bottom - span);
  };
  /** @type {Group[]} */
  const groups = [];
  for (const { y } of order) {
    groups.push({ sum: y, count: 1 });
    // Neighbours that would touch become one group around their common middle.
    for (let last = groups.length - 1; last > 0; last -= 1) {
      const [a, b] = [groups[last - 1], groups[last]];
      if (topOf(b) - topOf(a) >= a.count * gap) break;
      groups.splice(last - 1, 2, { sum: a.sum + b.sum, count: a.count + b.count });
    }
  }
  /** @type {number[]} */
  const placed = new Array(wished.length);
  let at = 0;
  for (const group of groups) {
    const start = topOf(group);
    for (let i = 0; i < group.count; i += 1, at += 1) placed[order[at].index] = start + i * gap;
  }
  return placed;
}

/**
 * The picked row whose mark is nearest to a point, as an index; null where none is near.
 * @param {number} x
 * @param {number} y
 * @param {Pick<Layout, "strip" | "labelX">} layout
 * @param {Pick<Header, "ids" | "vocab_size">} header
 */
export function nearestMark(x, y, { strip, labelX }, { ids, vocab_size: vocabSize }) {
  if (x < strip.x - 8 || x > labelX || y < strip.y - 8 || y > strip.y + strip.height + 8) return null;
  /** @type {number | null} */
  let nearest = null;
  let distance = Math.max(12, strip.height / vocabSize / 2);
  ids.forEach((id, index) => {
    const away = Math.abs(markHeight(strip, id, vocabSize) - y);
    if (away < distance) [nearest, distance] = [index, away];
  });
  return nearest;
}

/**
 * The rows that a scrolled list shows a part of.
 * @param {number} scrollTop
 * @param {Pick<Layout, "list" | "rowHeight">} layout
 * @param {number} count of rows
 */
export function rowsInSight(scrollTop, { list, rowHeight }, count) {
  const last = Math.ceil((scrollTop + list.height) / rowHeight) - 1;
  return { first: Math.floor(scrollTop / rowHeight), last: Math.min(count - 1, last) };
}
