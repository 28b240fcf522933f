// The whole embedding matrix as a strip, and lines from the rows that a text picks to where these are drawn.

import { colourIndices, paintIndices, type Scale } from "./colour.ts";
import { makeSvgElement } from "./elements.ts";

/** The size of a strip, and of the matrix that it shows. */
export interface StripSize {
  lines: number; // of the strip
  columns: number;
  vocab_size: number;
}

const REACH = 12; // px from a mark within which it is pointed at
const SPOT = 12; // px between the spots of two rows
const FRAMED = 8; // px of a row of the strip that is outlined where it is picked, not painted over

/** @param halves bfloat16, the upper halves of float32 */
export function stripPicture(halves: Uint8Array<ArrayBuffer>, { lines, columns }: StripSize, scale: Scale) {
  const values = new Float32Array(Uint32Array.from(new Uint16Array(halves.buffer), (half) => half << 16).buffer);
  return paintIndices(colourIndices(values, scale), lines, columns, scale);
}

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

/**
 * Mark each row on the strip at its true height. From there a line leads to a spot apart from those of other rows, and on
 * to each place where the row is drawn.
 * @param svg from 4 px left of the strip on
 * @param rows those in sight, by the y of their middles
 */
export function drawLines(
  svg: SVGElement,
  strip: HTMLElement,
  { ids, vocabSize }: { ids: number[]; vocabSize: number },
  rows: { index: number; y: number }[],
  { hovered, chosen }: { hovered: number | null; chosen: number | null },
) {
  const { clientHeight: height } = strip;
  const [start, end] = [strip.clientWidth + 8, svg.clientWidth];
  const thickness = Math.max(2, height / vocabSize);
  const litIds = [hovered, chosen].filter((index) => index !== null).map((index) => ids[index]);
  const marks = [...new Set(ids)].map((id) => {
    const y = rowCentreY(id, vocabSize, height) - thickness / 2;
    const looks = {
      x: "1",
      y: String(y),
      width: String(start - 2),
      height: String(thickness),
      class: `${litIds.includes(id) ? "lit" : ""} ${thickness < FRAMED ? "" : "framed"}`,
    };
    return makeSvgElement("rect", looks);
  });
  const visibleIds = [...new Set(rows.map(({ index }) => ids[index]))].sort((one, other) => one - other);
  const heights = visibleIds.map((id) => rowCentreY(id, vocabSize, height));
  const spots = new Map(spreadHeights(heights, SPOT, height).map((y, at) => [visibleIds[at], y]));
  const spotX = start + Math.min(14, (end - start) / 3);
  const stems = [...spots].flatMap(([id, y], at) => {
    const state = litIds.includes(id) ? "lit" : "";
    return [
      makeSvgElement("path", { d: `M${start} ${heights[at]}L${spotX} ${y}`, class: `stem ${state}` }),
      makeSvgElement("circle", { cx: String(spotX), cy: String(y), r: "3.5", class: state }),
    ];
  });
  const curves = rows.map(({ index, y }) => {
    const from = spots.get(ids[index]) ?? 0;
    const middle = (spotX + end) / 2;
    const state = index === hovered ? "hovered" : index === chosen ? "chosen" : "";
    return makeSvgElement("path", {
      d: `M${spotX} ${from}C${middle} ${from} ${middle} ${y} ${end} ${y}`,
      class: state,
    });
  });
  svg.replaceChildren(...curves, ...stems, ...marks);
}
