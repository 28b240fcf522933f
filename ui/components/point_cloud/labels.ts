// Labels of points: placed one after another, the most important first, none over another; drawn as elements over the
// canvases.

import { makeElement } from "../_shared/elements.ts";
import type { Plot } from "./camera.ts";

/** A rectangle on the screen. */
export type Rectangle = [left: number, top: number, width: number, height: number];
export type LabelLook = keyof typeof LOOKS;
export interface Label {
  id: string; // of what it names: the same label keeps its side from frame to frame
  text: string;
  look: LabelLook;
  x: number; // of the point
  y: number;
  gap: number; // px from the middle of the point
  must?: boolean; // shown even where it covers another one
  reach?: number; // px that it may stand off its point, with a line between them
  air?: number; // px that it keeps from other labels
  dot?: number; // radius of its point, which no other label may cover
  /** The best first, instead of the sides of the point; `last` is the one that it had before, moved with the point. */
  places?: (width: number, height: number, last?: Rectangle) => Rectangle[];
  colour?: string;
}
export type PlacedLabel = Label & { box: Rectangle; place: number };

/** Font size, weight, room at both ends of the text, height: px. */
const LOOKS = {
  chosen: { size: 15, weight: 700, ends: 7, height: 24 },
  token: { size: 15, weight: 700, ends: 7, height: 24 },
  lit: { size: 15, weight: 700, ends: 7, height: 24 },
  named: { size: 15, weight: 700, ends: 7, height: 24 },
  found: { size: 15, weight: 500, ends: 7, height: 24 },
  crowd: { size: 15, weight: 500, ends: 2, height: 20 },
  near: { size: 16, weight: 600, ends: 3, height: 20 },
  group: { size: 20, weight: 700, ends: 4, height: 25 },
  kind: { size: 16, weight: 700, ends: 3, height: 20 },
  axis: { size: 17, weight: 600, ends: 3, height: 22 },
  word: { size: 15, weight: 500, ends: 2, height: 19 },
};
const SIDES = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
  [1, -0.5],
  [-1, -0.5],
  [1, 0.5],
  [-1, 0.5],
];
const OFFSETS = [0, 9, 18, 29, 40, 53, 66, 96]; // px that a label may stand farther off
const LONGEST = 44; // characters
const BESIDE = 7; // px from a point, within which a label is taken for its name
const SWEEPS = 4; // over all labels, to move those that confuse each other
const CELL = 48; // px, of the grid that boxes are looked up in

export const shortText = (text: string) =>
  [...text].length > LONGEST ? `${[...text].slice(0, LONGEST - 1).join("")}…` : text;

export const boxAround = (x: number, y: number, radius: number): Rectangle => [
  x - radius,
  y - radius,
  2 * radius,
  2 * radius,
];

/** Whether two rectangles overlap; a hundredth of a pixel is none, so that what had room keeps it when both move. */
export const overlaps = ([x, y, width, height]: Rectangle, [x2, y2, width2, height2]: Rectangle) =>
  x + 0.01 < x2 + width2 && x2 + 0.01 < x + width && y + 0.01 < y2 + height2 && y2 + 0.01 < y + height;

export const isInside = ({ x, y, width, height }: Plot, [left, top, wide, high]: Rectangle) =>
  left >= x + 2 && top >= y + 2 && left + wide <= x + width - 2 && top + high <= y + height - 2;

export const moveInside = ({ x, y, width, height }: Plot, [left, top, wide, high]: Rectangle): Rectangle => [
  Math.max(x + 3, Math.min(x + width - wide - 3, left)),
  Math.max(y + 3, Math.min(y + height - high - 3, top)),
  wide,
  high,
];

/** Rectangles in a grid, so that a new one is compared with those near it alone. */
export function boxGrid(boxes: Rectangle[]) {
  const cells = new Map<number, Rectangle[]>();
  function* cellsOf([left, top, width, height]: Rectangle) {
    for (let column = Math.floor(left / CELL); column <= Math.floor((left + width) / CELL); column += 1)
      for (let row = Math.floor(top / CELL); row <= Math.floor((top + height) / CELL); row += 1)
        yield column * 8192 + row;
  }
  const grid = {
    add(box: Rectangle) {
      for (const cell of cellsOf(box)) cells.set(cell, [...(cells.get(cell) ?? []), box]);
    },
    isFree(box: Rectangle) {
      for (const cell of cellsOf(box)) if (cells.get(cell)?.some((other) => overlaps(box, other))) return false;
      return true;
    },
  };
  for (const box of boxes) grid.add(box);
  return grid;
}

type Segment = [x: number, y: number, toX: number, toY: number];

/** The line from a point to a label that stands off it; null where the label stands at its point. */
export function leaderOf({ x, y, gap }: Label, [left, top, width, height]: Rectangle): Segment | null {
  const [toX, toY] = [Math.max(left, Math.min(left + width, x)), Math.max(top, Math.min(top + height, y))];
  return Math.hypot(toX - x, toY - y) < gap + 8 ? null : [x, y, toX, toY];
}

/** Whether a line runs through a rectangle. */
export function meets([x, y, toX, toY]: Segment, [left, top, width, height]: Rectangle) {
  if (Math.max(x, toX) < left || Math.min(x, toX) > left + width) return false;
  if (Math.max(y, toY) < top || Math.min(y, toY) > top + height) return false;
  let [from, to] = [0, 1]; // shares of the line between which it is inside
  for (const [at, step, low, high] of [
    [x, toX - x, left, left + width],
    [y, toY - y, top, top + height],
  ]) {
    if (step === 0) continue; // it is between them
    const [one, other] = [(low - at) / step, (high - at) / step];
    from = Math.max(from, Math.min(one, other));
    to = Math.min(to, Math.max(one, other));
  }
  return from < to;
}

/** Whether two lines cross each other. */
export function cross([x, y, toX, toY]: Segment, [x2, y2, toX2, toY2]: Segment) {
  const side = (px: number, py: number) => (toX - x) * (py - y) - (toY - y) * (px - x);
  const side2 = (px: number, py: number) => (toX2 - x2) * (py - y2) - (toY2 - y2) * (px - x2);
  return side(x2, y2) * side(toX2, toY2) < 0 && side2(x, y) * side2(toX, toY) < 0;
}

/** The sides of a point, nearest first. */
function sidesOf({ x, y, gap, reach = 0 }: Label, width: number, height: number) {
  return OFFSETS.filter((off) => off <= reach).flatMap((off) =>
    SIDES.map(([right, down]): Rectangle => {
      const away = (right && down ? 0.7 : 1) * (gap + off);
      return [x + right * away + ((right - 1) * width) / 2, y + down * away + ((down - 1) * height) / 2, width, height];
    }),
  );
}

/**
 * Place each label at its first free position, or leave it out. Those that may stand off their points are then moved to
 * where they are not taken for the name of another point, and no line to a label runs through a point, label or line.
 * @param labels the most important first
 * @param room.blocked what no label may cover
 * @param room.before the labels of the last frame, which keep their places where these are free
 * @param room.most labels to place
 */
export function placeLabels(
  labels: Iterable<Label>,
  room: { plot: Plot; blocked: Rectangle[]; before?: PlacedLabel[]; most?: number },
  widthOf: (text: string, look: LabelLook) => number,
  scale: number = 1,
): PlacedLabel[] {
  const grid = boxGrid(room.blocked);
  const labelsBefore = new Map(room.before?.map((label) => [label.id, label]));
  const placed: PlacedLabel[] = [];
  for (const label of labels) {
    const dot = label.dot ? boxAround(label.x, label.y, label.dot) : null;
    if (dot && !label.must && !(isInside(room.plot, dot) && grid.isFree(dot))) continue;
    const text = shortText(label.text);
    const { ends, height } = LOOKS[label.look];
    const size = [Math.ceil(widthOf(text, label.look)) + 2 * ends * scale, height * scale] as const;
    const before = labelsBefore.get(label.id);
    const places = label.places?.(...size, before && movedBox(before, label)) ?? sidesOf(label, ...size);
    const isFree = (place: number) =>
      isInside(room.plot, places[place]) && grid.isFree(expand(places[place], label.air));
    const last = label.places ? 0 : (before?.place ?? 0);
    let place = last < places.length && isFree(last) ? last : places.findIndex((_, at) => isFree(at));
    if (place < 0 && label.must)
      place = Math.max(
        0,
        places.findIndex((box) => isInside(room.plot, box)),
      );
    if (place < 0) continue;
    grid.add(places[place]);
    if (dot) grid.add(dot);
    placed.push({ ...label, text, box: places[place], place });
    if (placed.length === room.most) break;
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1)
    // filter() and not some(): each is asked.
    if (!placed.filter((label) => label.reach && moveClear(label, placed, room)).length) break;
  return placed;
}

/** The box of a label that has moved with its point. */
function movedBox({ box: [left, top, width, height], x, y }: PlacedLabel, to: Label): Rectangle {
  return [left - x + to.x, top - y + to.y, width, height];
}

/**
 * Move labels of clusters from where they were shown towards their new places, in px of the way from their points.
 * @param before as shown last
 * @param share of the way
 * @returns the labels, and whether any is still on its way
 */
export function glideLabels(placed: PlacedLabel[], before: PlacedLabel[], share: number) {
  const lastLabels = new Map(before.map((label) => [label.id, label]));
  let gliding = false;
  const labels = placed.map((label) => {
    const last = label.places && lastLabels.get(label.id);
    if (!last) return label;
    const [from, to] = [movedBox(last, label), label.box];
    const [right, down] = [to[0] - from[0], to[1] - from[1]];
    if (Math.hypot(right, down) < 0.5) return label;
    gliding = true;
    const box: Rectangle = [from[0] + share * right, from[1] + share * down, to[2], to[3]];
    return { ...label, box };
  });
  return { labels, gliding };
}

const expand = ([left, top, width, height]: Rectangle, by: number = 0): Rectangle => [
  left - by,
  top - by,
  width + 2 * by,
  height + 2 * by,
];

/** Move a label to the free place where it conflicts with the fewest points, labels and lines; return whether it moved. */
function moveClear(label: PlacedLabel, placed: PlacedLabel[], room: { plot: Plot; blocked: Rectangle[] }) {
  const others = placed.filter((other) => other !== label);
  const leaders = others.map((other) => leaderOf(other, other.box)).filter((leader) => leader !== null);
  const own = boxAround(label.x, label.y, 1);
  const dots = room.blocked.filter((dot) => !overlaps(own, dot));
  const countConflicts = (box: Rectangle) => {
    const leader = leaderOf(label, box);
    const beside = expand(box, BESIDE);
    const through = (other: Rectangle) => leader !== null && meets(leader, other);
    return (
      dots.filter((dot) => overlaps(beside, dot) || through(dot)).length +
      others.filter((other) => through(other.box)).length +
      leaders.filter((other) => meets(other, box) || (leader && cross(leader, other))).length
    );
  };
  let least = countConflicts(label.box);
  if (!least) return false;
  const before = label.place;
  for (const [place, box] of sidesOf(label, label.box[2], label.box[3]).entries()) {
    const around = expand(box, label.air);
    if (!isInside(room.plot, box) || room.blocked.some((dot) => overlaps(around, dot))) continue;
    if (others.some((other) => overlaps(around, other.box))) continue;
    const count = countConflicts(box);
    if (count >= least) continue;
    least = count;
    Object.assign(label, { place, box });
    if (!least) break;
  }
  return label.place !== before;
}

/** Return a function that measures texts in a font, each once. */
export function textMeter(context: CanvasRenderingContext2D) {
  const known = new Map<string, number>();
  return (font: string, scale: number) => (text: string, look: LabelLook) => {
    const letters = `${LOOKS[look].weight} ${LOOKS[look].size * scale}px ${font}`;
    const key = `${letters} ${text}`;
    let width = known.get(key);
    if (width === undefined) {
      if (known.size > 20_000) known.clear();
      context.font = letters;
      width = context.measureText(text).width;
      known.set(key, width);
    }
    return width;
  };
}

/** Show labels as elements; those shown before are moved. */
export function showLabels(layer: HTMLElement, placed: PlacedLabel[], plot: Plot, scale: number = 1) {
  const { x, y, width, height } = plot;
  layer.style.clipPath = `rect(${y}px ${x + width}px ${y + height}px ${x}px)`;
  const before = new Map([...layer.children].map((element) => [(element as HTMLElement).dataset.id, element]));
  for (const { id, text, look, box, colour } of placed) {
    const element = (before.get(id) as HTMLElement | undefined) ?? layer.appendChild(makeElement("span"));
    before.delete(id);
    const { size, weight } = LOOKS[look];
    element.dataset.id = id;
    element.className = `label ${look}`;
    if (element.textContent !== text) element.textContent = text;
    element.style.cssText = `font: ${weight} ${size * scale}px/${box[3]}px var(--st-font); width: ${box[2]}px; ${
      colour ? `--own: ${colour}; ` : ""
    }transform: translate(${box[0].toFixed(2)}px, ${box[1].toFixed(2)}px)`;
  }
  for (const element of before.values()) element.remove();
}

/** Lines from points to labels that stand off them. */
export function drawLeaders(context: CanvasRenderingContext2D, placed: PlacedLabel[], colour: string) {
  context.lineWidth = 1.2;
  for (const label of placed) {
    const leader = leaderOf(label, label.box);
    if (!leader) continue;
    context.strokeStyle = label.colour ?? colour;
    context.beginPath();
    context.moveTo(leader[0], leader[1]);
    context.lineTo(leader[2], leader[3]);
    context.stroke();
  }
}
