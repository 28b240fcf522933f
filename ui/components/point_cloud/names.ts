// Names beside points: none over another, those that must be read first; a pill behind each keeps it legible.

import type { Theme } from "../_shared/colour.ts";
import { type Rectangle, strokeLine, touches } from "./axes.ts";
import type { Plot } from "./camera.ts";
import { isInside } from "./tiles.ts";

export type Look = "chosen" | "named" | "found" | "neighbour" | "hover" | "path" | "path-chosen" | "path-hover";
/** A name that is to stand beside a place of the screen. */
export interface Wanted {
  x: number;
  y: number;
  text: string;
  place: number; // BESIDE, OFF or ALWAYS
  look: Look;
  gap: number; // radius of the point
}
export type Placed = Wanted & { width: number; left: number; top: number; off: number };
interface Kept {
  dots: number[][]; // spots that names should not cover
  ring: number[] | null; // the chosen point, that none may cover
  written: Rectangle[]; // text on the ground that only what must be named may cover
}

export const NAME_FONT = 15;
export const NAME_HEIGHT = 24;
const LONGEST_NAME = 30; // characters
export const SIDES = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
];
const FARTHER = [0, 18, 40, 66, 96, 130]; // how far a name may stand off its point where there is no room beside it
const RING = 13; // radius of what is drawn on the chosen point

// Where a name may stand: beside its point or not at all; farther off; and, if need be, even over other names.
export const BESIDE = 0;
export const OFF = 1;
export const ALWAYS = 2;

export const shortName = (text: string) =>
  [...text].length > LONGEST_NAME ? `${[...text].slice(0, LONGEST_NAME - 1).join("")}…` : text;

/**
 * Gives each name {x, y, width, look} a place, or leaves it out.
 * @param wanted in order of importance
 */
export function placeNames(
  context: Pick<CanvasRenderingContext2D, "font" | "measureText">,
  wanted: Wanted[],
  kept: Kept,
  plot: Plot,
  theme: Theme,
) {
  const placed: Placed[] = [];
  for (const name of wanted) {
    const text = shortName(name.text);
    context.font = nameFont(name.look, theme);
    const width = Math.ceil(context.measureText(text).width) + 14;
    const spot = bestSpot({ ...name, width }, placed, kept, plot);
    if (spot) placed.push({ ...name, ...spot, text, width });
  }
  return placed;
}

const nameFont = (look: Look, theme: Theme) =>
  `${look === "found" || look === "neighbour" ? 500 : 700} ${NAME_FONT}px ${theme.font}`;

/**
 * Left and top of a box that stands so far away from (x, y) on one side of it.
 * @param side to the right and down, -1 to 1 each
 */
export function beside(x: number, y: number, [right, down]: number[], away: number, width: number, height: number) {
  return [x + right * away + ((right - 1) * width) / 2, y + down * away + ((down - 1) * height) / 2];
}

/** The place of a box that is nearest to (x, y). */
export function nearestInBox([left, top, width, height]: Rectangle, x: number, y: number) {
  return [Math.max(left, Math.min(left + width, x)), Math.max(top, Math.min(top + height, y))];
}

function bestSpot(
  { x, y, gap, width, place }: Wanted & { width: number },
  placed: Placed[],
  { dots, ring, written }: Kept,
  plot: Plot,
) {
  const must = place === ALWAYS;
  let best: { left: number; top: number; off: number } | null = null;
  let least = Infinity;
  for (const off of place === BESIDE ? [0] : FARTHER) {
    for (let side = 0; side < SIDES.length; side += 1) {
      const away = (side > 3 ? 0.7 : 1) * (gap + 4 + off);
      const [left, top] = beside(x, y, SIDES[side], away, width, NAME_HEIGHT);
      const outside = !isInside(plot, [left, top, width, NAME_HEIGHT]);
      if (outside && !must) continue;
      if (ring && awayFrom(ring, left, top, width) < RING) continue;
      let cost = (outside ? 40 : 0) + side * 0.1 + off * 0.05;
      for (const other of placed) cost += 10 * overlap(left, top, width, other);
      for (const box of written) if (touches([left, top, width, NAME_HEIGHT], box)) cost += 20;
      if (cost >= least || (cost >= 10 && !must)) continue;
      for (const [dotX, dotY] of dots)
        if (dotX > left - 3 && dotX < left + width + 3 && dotY > top - 3 && dotY < top + NAME_HEIGHT + 3) cost += 2;
      if (cost < least) [best, least] = [{ left, top, off }, cost];
    }
    if (least < 2) break;
  }
  return best;
}

/** How far a spot is from a name. */
function awayFrom([x, y]: number[], left: number, top: number, width: number) {
  const [nearX, nearY] = nearestInBox([left, top, width, NAME_HEIGHT], x, y);
  return Math.hypot(nearX - x, nearY - y);
}

/** 0 where two names do not touch, from 1 to 2 where they do. */
function overlap(left: number, top: number, width: number, other: Placed) {
  const across = Math.min(left + width, other.left + other.width) - Math.max(left, other.left) + 2;
  const down = Math.min(top, other.top) + NAME_HEIGHT - Math.max(top, other.top) + 2;
  return across > 0 && down > 0 ? 1 + (across / width) * (down / NAME_HEIGHT) : 0;
}

/** Lines from points to the names that stand off them. */
export function drawLeaders(context: CanvasRenderingContext2D, placed: Placed[], theme: Theme) {
  for (const { x, y, left, top, width, off } of placed) {
    if (!off) continue;
    const [toX, toY] = nearestInBox([left, top, width, NAME_HEIGHT], x, y);
    context.strokeStyle = theme.ground;
    context.lineWidth = 3.5;
    strokeLine(context, x, y, toX, toY);
    context.strokeStyle = theme.ink;
    context.lineWidth = 1;
    strokeLine(context, x, y, toX, toY);
  }
}

export function drawNames(context: CanvasRenderingContext2D, placed: Placed[], theme: Theme) {
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.direction = "ltr";
  // The least important first, so that the others lie on top where there was no room at all.
  for (const { left, top, width, text, look } of [...placed].reverse()) {
    const loud = look === "chosen" || look === "path-chosen";
    const lit = look === "hover" || look === "path-hover";
    context.beginPath();
    context.roundRect(left + 0.5, top + 0.5, width - 1, NAME_HEIGHT - 1, 7);
    context.globalAlpha = look === "found" ? 0.86 : 0.95;
    context.fillStyle = loud ? theme.ink : lit ? theme.accent : theme.ground;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = look.startsWith("path") ? 1.5 : 1;
    context.strokeStyle = loud || lit ? theme.ground : look.startsWith("path") ? theme.ink : theme.line;
    context.stroke();
    context.font = nameFont(look, theme);
    context.fillStyle = loud || lit ? theme.ground : theme.ink;
    context.fillText(text, left + 7, top + NAME_HEIGHT / 2 + 1);
  }
}
