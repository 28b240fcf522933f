// Names on moving words: which of them the picture wants, and where they stand, none over another. They fade in and out
// and glide to other sides, so that nothing flickers while words move.

import { isStill } from "../../_shared/canvas.ts";
import type { Theme } from "../../_shared/colour.ts";
import { countText } from "../../_shared/numbers.ts";
import { fillLabel } from "../../_shared/text.ts";
import { NARROW, type Rectangle, strokeLine, touches } from "../axes.ts";
import { type Plot, project } from "../camera.ts";
import { gatherings } from "../frames.ts";
import { framed } from "../model.ts";
import { beside, nearestInBox, SIDES } from "../names.ts";
import { magnifying, screenOf } from "../trails.ts";
import type { Motion } from "./index.ts";
import type { Drawn } from "./scene.ts";

type Look = keyof typeof STYLES;
/** How a name lies to its place. */
type Lay = "middle" | "beside" | "around" | "always";
interface Wanted {
  id: string;
  x: number;
  y: number;
  text: string;
  look: Look;
  gap: number; // radius of the word's dot
  colour: string;
  kind?: number; // whose name it is
  tight?: boolean; // the kind lies so close together that a name on its middle would hide it
}
interface Written {
  alpha: number;
  font: string | null; // null where it is to be measured anew
  size: number;
  width: number;
  height: number;
  side: number; // that it stands on
  wanted: number[]; // offset of its corner from its place
  offset: number[]; // where it has come to on the way there
  box: Rectangle;
}
export type Name = Wanted & Written;
type Side = [right: number, down: number, off: number];

const GATHERED = 0.65; // share of the whole spread below which a kind is named; before training no kind of the grammar has less than 0.79
const SPREAD = 0.08; // of the picture's shorter side: while all words lie closer together, names would hide them
const HOLD = 1.08; // how far past both bounds a name may stay while words move, so that it does not flicker
const ROOM_PER_TITLE = 9000; // square pixels of the picture for each kind that is named
const TIGHT = 22; // pixels: a kind that lies so close together would be hidden by a name on its middle
const ROOM_PER_NAME = 17_000; // square pixels of the picture for each word that is named only to show what is where
const AIR = 8; // pixels left and right of a name, or two names on one line read as one
const FADE_SECONDS = 0.25;
const SHIFT_SECONDS = 0.12; // how fast a name goes over to another side of its word

const FARTHER_OFF = [0, 24, 50, 80, 112, 146]; // pixels that a neighbour's name may stand off, with a line to its word
const around: (off: number) => Side[] = (off) => SIDES.map(([right, down]) => [right, down, off]);
/** Up and down, in heights of the name. */
const upright: (heights: number[]) => Side[] = (heights) => heights.map((down) => [0, down, 0]);
const PLACES = {
  middle: upright([0, -1, 1, -1.6, 1.6]),
  tight: upright([-1.05, 1.05, -1.7, 1.7, 0]),
  beside: around(0),
  around: FARTHER_OFF.flatMap(around),
  always: around(0),
};

// Size, weight, and how it is laid: "middle" on its place, "beside" it, "around" it farther off,
// "always" beside it even where there is no room. `over`: what is drawn later.
const STYLES = {
  chosen: { size: 20, weight: 700, lay: "always" as Lay, over: 3 },
  near: { size: 17, weight: 600, lay: "around" as Lay, over: 2 },
  title: { size: 21, weight: 700, lay: "middle" as Lay, over: 1 },
  aside: { size: 17, weight: 600, lay: "middle" as Lay, over: 1 }, // a kind while a word is followed
  word: { size: 15, weight: 500, lay: "beside" as Lay, over: 0 },
};

/** In order of importance. At rest nothing counts that was there before: equal steps have equal names. */
function wantedNames(motion: Drawn) {
  const { chosen, neighbours } = motion;
  const wanted = [];
  if (chosen !== null) wanted.push(wordName(motion, chosen, "chosen", 14));
  for (const [index] of neighbours) wanted.push(wordName(motion, index, "near", 9));
  if (!motion.names) return wanted;
  // While words move, what has a name keeps it before others get one.
  const keep = (some: Wanted[]) => [
    ...some.filter(({ id }) => isKept(motion, id)),
    ...some.filter(({ id }) => !isKept(motion, id)),
  ];
  wanted.push(...keep(titleNames(motion)));
  if (chosen === null) wanted.push(...keep(exampleNames(motion)));
  return wanted;
}

const isMoving = ({ transport, growing, from }: Motion) => transport.clock.mode !== "rest" || growing || from !== null;
const isKept = (motion: Motion, id: string) => isMoving(motion) && motion.nameplates.has(id);

function wordName(motion: Drawn, index: number, look: Look, gap: number): Wanted {
  const [x, y] = screenOf(motion, index);
  return { id: `${index}`, x, y, text: motion.model.labels[index], look, gap, colour: motion.theme.ink };
}

/** Whether a kind is among those that stand out; all are where none does. */
const inFocus = ({ model, focus }: Drawn, kind: number) =>
  !focus || ("group" in focus ? model.groupOfKind[kind] === focus.group : kind === focus.kind);

/** Kinds that have come together. */
function titleNames(motion: Drawn): Wanted[] {
  const { model, view, header, places, chosen, frame } = motion;
  const { whole, kinds } = gatherings(model, places, header.dimensions);
  const perUnit = frame.scale * view.scale;
  const spread = (whole * perUnit) / Math.min(view.plot.width, view.plot.height);
  const gathered = kinds
    .filter(({ kind, share }) => {
      const hold = isKept(motion, `kind ${kind}`) ? HOLD : 1;
      return share < GATHERED * hold && spread * hold > SPREAD && (chosen !== null || inFocus(motion, kind));
    })
    .sort((a, b) => a.share - b.share);
  const most = Math.round((view.plot.width * view.plot.height) / (ROOM_PER_TITLE * magnifying(view.plot)));
  return groupsInTurn(gathered, ({ kind }) => model.groupOfKind[kind])
    .slice(0, most)
    .map(({ kind, centre, share }) => {
      const [x, y] = project(view, framed(frame, centre));
      const colour = header.legend[model.groupOfKind[kind]][1];
      const tight = share * whole * perUnit < TIGHT * magnifying(view.plot);
      const look = chosen === null ? "title" : "aside";
      return { id: `kind ${kind}`, kind, x, y, tight, text: model.kinds[kind], look, gap: 0, colour };
    });
}

/**
 * The best of each group before the second best of any.
 * @param items the best first
 */
export function groupsInTurn<Item>(items: Item[], groupOf: (item: Item) => number): Item[] {
  const rank = (item: Item, at: number) =>
    items.slice(0, at).filter((other) => groupOf(other) === groupOf(item)).length;
  return items
    .map((item, at) => ({ item, rank: rank(item, at) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** The first words of each kind in turn; where one kind stands out, all of its words. */
function exampleNames(motion: Drawn) {
  const { model, focus, view } = motion;
  const most = Math.round((view.plot.width * view.plot.height) / ROOM_PER_NAME);
  if (!model.hasKinds)
    return Array.from({ length: Math.min(model.count, most) }, (_, index) => wordName(motion, index, "word", 6));
  const lists = model.members.filter((_, kind) => inFocus(motion, kind));
  const words = [];
  for (let turn = 0; words.length < most && lists.some((list) => turn < list.length); turn += 1) {
    for (const list of lists) if (turn < list.length) words.push(list[turn]);
  }
  return words.slice(0, focus ? 2 * most : most).map((index) => wordName(motion, index, "word", 7));
}

/**
 * Decides what is named and where.
 * @param counter box of the step's number
 * @param seconds since it was drawn last
 */
export function layNames(context: CanvasRenderingContext2D, motion: Drawn, counter: Rectangle, seconds: number) {
  const { nameplates: names, chosen } = motion;
  const wanted = motion.names || chosen !== null ? wantedNames(motion) : [];
  const taken = [counter, ...motion.written];
  if (chosen !== null) {
    const [x, y] = screenOf(motion, chosen);
    taken.push([x - 14, y - 14, 28, 28]);
  }
  const placed = new Set();
  for (const name of wanted) if (layName(context, motion, name, taken)) placed.add(name.id);
  motion.fading = false;
  const still = isStill();
  for (const [id, name] of names) {
    const goal = placed.has(id) ? 1 : 0;
    const moves = fade(name, goal, seconds, still);
    if (moves) motion.fading = true;
    else if (goal === 0) names.delete(id);
  }
}

/**
 * Takes a name some of the way to where it is wanted, and in or out; returns whether it is still on its way.
 * @param still whether motion is to be reduced
 */
export function fade(
  name: Pick<Name, "alpha" | "offset" | "wanted" | "box" | "x" | "y" | "width" | "height">,
  goal: 0 | 1,
  seconds: number,
  still: boolean,
) {
  const step = still ? 1 : seconds / FADE_SECONDS;
  const part = still ? 1 : 1 - Math.exp(-seconds / SHIFT_SECONDS);
  name.alpha = name.alpha < goal ? Math.min(goal, name.alpha + step) : Math.max(goal, name.alpha - step);
  name.offset = name.offset.map((from, axis) => from + (name.wanted[axis] - from) * part);
  const shifts = Math.hypot(name.wanted[0] - name.offset[0], name.wanted[1] - name.offset[1]) >= 0.4;
  if (!shifts) name.offset = name.wanted;
  name.box = [name.x + name.offset[0], name.y + name.offset[1], name.width, name.height];
  return name.alpha !== goal || shifts;
}

/** Whether a name stands on no other and not close beside one. */
export const hasRoom = ([left, top, width, height]: Rectangle, taken: Rectangle[]) =>
  !taken.some((other) => touches([left - AIR, top, width + 2 * AIR, height], other));

/** Gives a name the first place that is free; false where there is none. */
function layName(context: CanvasRenderingContext2D, motion: Drawn, wanted: Wanted, taken: Rectangle[]) {
  const { nameplates: names, theme, view } = motion;
  const { plot } = view;
  const { size: full, weight, lay } = STYLES[wanted.look];
  const smaller = plot.width < NARROW && wanted.look !== "word";
  const size = smaller ? Math.max(15, full - 4) : Math.round(full * magnifying(plot));
  const font = `${weight} ${size}px ${theme.font}`;
  const isPill = wanted.look === "chosen";
  const before = names.get(wanted.id);
  let width = before?.width ?? 0;
  if (before?.font !== font || before.text !== wanted.text) {
    context.font = font;
    width = Math.ceil(context.measureText(wanted.text).width) + (isPill ? 18 : 4);
  }
  const sized = { ...wanted, size, font, width, height: Math.round(size * (isPill ? 1.55 : 1.2)) };
  const sides = PLACES[lay === "middle" && wanted.tight ? "tight" : lay];
  const isFree = (at: number) => {
    const box = boxAtSide(sized, lay, sides[at], plot);
    return hasRoom(box, taken);
  };
  // While words move a name stays on its side as long as it can; as they come to rest it takes the best one.
  const keeps = before && isMoving(motion) && isFree(before.side);
  const side = keeps ? before.side : sides.findIndex((_, at) => isFree(at));
  if (before) Object.assign(before, sized);
  if (side < 0 && lay !== "always") return false;
  const box = boxAtSide(sized, lay, sides[Math.max(0, side)], plot);
  const offset = [box[0] - wanted.x, box[1] - wanted.y];
  const place = { side: Math.max(0, side), wanted: offset, box };
  if (before) Object.assign(before, place);
  else names.set(wanted.id, { alpha: 0, offset, ...sized, ...place });
  taken.push(box);
  return true;
}

/** The box of a name on one side of its place, inside the picture. */
export function boxAtSide(
  { x, y, gap, width, height }: { x: number; y: number; gap: number; width: number; height: number },
  lay: Lay,
  [right, down, off]: Side,
  plot: Plot,
): Rectangle {
  const away = gap + 3 + off * (right && down ? 0.75 : 1);
  const [left, top] =
    lay === "middle"
      ? [x - width / 2, y - height / 2 + down * height]
      : beside(x, y, [right, down], away, width, height);
  return [
    Math.max(plot.x + 3, Math.min(plot.x + plot.width - width - 3, left)),
    Math.max(plot.y + 3, Math.min(plot.y + plot.height - height - 3, top)),
    width,
    height,
  ];
}

export function drawMotionNames(context: CanvasRenderingContext2D, { nameplates: names, theme }: Drawn) {
  context.textBaseline = "middle";
  context.textAlign = "center";
  for (const name of [...names.values()].sort((a, b) => STYLES[a.look].over - STYLES[b.look].over))
    drawName(context, name, theme);
  context.globalAlpha = 1;
}

function drawName(
  context: CanvasRenderingContext2D,
  { text, look, box, font, size, colour, alpha }: Name,
  theme: Theme,
) {
  const [left, top, width, height] = box;
  const [x, y] = [left + width / 2, top + height / 2 + 1];
  context.globalAlpha = alpha;
  if (font) context.font = font;
  if (look === "chosen") {
    context.beginPath();
    context.roundRect(left, top, width, height, 8);
    context.fillStyle = theme.ink;
    context.fill();
    context.fillStyle = theme.ground;
  } else {
    context.lineJoin = "round";
    context.strokeStyle = theme.ground;
    context.lineWidth = size > 16 ? 6 : 4.5;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillStyle = `color-mix(in srgb, ${colour} 68%, ${theme.ink})`; // letters are thinner than dots
  }
  context.fillText(text, x, y);
}

/** Lines from words to their names, where these stand off them. */
export function drawLeads(context: CanvasRenderingContext2D, { nameplates: names, theme }: Drawn) {
  for (const { look, x, y, box, alpha } of names.values()) {
    const [toX, toY] = nearestInBox(box, x, y);
    if (look !== "near" || Math.hypot(toX - x, toY - y) < 20) continue;
    for (const { colour, wide } of [
      { colour: theme.ground, wide: 4 },
      { colour: theme.ink, wide: 1.3 },
    ]) {
      Object.assign(context, { globalAlpha: alpha, strokeStyle: colour, lineWidth: wide });
      strokeLine(context, x, y, toX, toY);
    }
  }
  context.globalAlpha = 1;
}

/** The step in large numbers in the corner; returns its box. */
export function drawCounter(context: CanvasRenderingContext2D, { header, transport, view, theme }: Drawn): Rectangle {
  const { plot, space } = view;
  const [before, after] = fillLabel(header.texts.step_of, { steps: countText(header.n_steps) }).split("{step}");
  const [small, large] = (plot.width < NARROW ? [17, 26] : [22, 38]).map((size) => size * magnifying(plot));
  let x = plot.x + 14;
  const y = plot.y + large + 8 + 10 * space;
  context.textBaseline = "alphabetic";
  context.textAlign = "left";
  context.lineJoin = "round";
  context.lineWidth = 7;
  context.strokeStyle = theme.ground;
  context.fillStyle = theme.ink;
  for (const { text, font } of [
    { text: before, font: `500 ${small}px ${theme.font}` },
    { text: countText(transport.step()), font: `700 ${large}px ${theme.font}` },
    { text: after ?? "", font: `500 ${small}px ${theme.font}` },
  ]) {
    context.font = font;
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
    x += context.measureText(text).width;
  }
  return [plot.x, plot.y, x - plot.x + 10, y - plot.y + 14];
}
