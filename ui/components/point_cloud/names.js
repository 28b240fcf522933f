// Names beside points: none over another, those that must be read first; a pill behind each keeps it legible.

import { strokeLine } from "./axes.js";

export const NAME_FONT = 15;
export const NAME_HEIGHT = 24;
const LONGEST_NAME = 30; // characters
const SIDES = [
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

export const shortName = (text) =>
  [...text].length > LONGEST_NAME ? `${[...text].slice(0, LONGEST_NAME - 1).join("")}…` : text;

// Gives each name {x, y, width, look} a place, or leaves it out.
//
// wanted: {x, y, text, place, look, gap} in order of importance; `gap` is the radius of the point.
// kept: {dots, ring, written}: spots that names should not cover, the chosen point that none may cover, and boxes of text
// on the ground that only what must be named may cover.
export function placeNames(context, wanted, kept, plot, theme) {
  const placed = [];
  const widths = new Map();
  for (const name of wanted) {
    const font = nameFont(name.look, theme);
    const text = shortName(name.text);
    const key = `${font}|${text}`;
    if (!widths.has(key)) {
      context.font = font;
      widths.set(key, Math.ceil(context.measureText(text).width) + 14);
    }
    const width = widths.get(key);
    const spot = bestSpot({ ...name, width }, placed, kept, plot);
    if (spot) placed.push({ ...name, ...spot, text, width });
  }
  return placed;
}

const nameFont = (look, theme) =>
  `${look === "found" || look === "neighbour" ? 500 : 700} ${NAME_FONT}px ${theme.font}`;

function bestSpot({ x, y, gap, width, place }, placed, { dots, ring, written }, plot) {
  const must = place === ALWAYS;
  let [best, least] = [null, Infinity];
  for (const off of place === BESIDE ? [0] : FARTHER) {
    for (let side = 0; side < SIDES.length; side += 1) {
      const [right, down] = SIDES[side];
      const away = (right && down ? 0.7 : 1) * (gap + 4 + off);
      const left = x + right * away + ((right - 1) * width) / 2;
      const top = y + down * away + ((down - 1) * NAME_HEIGHT) / 2;
      const outside =
        left < plot.x + 2 ||
        top < plot.y + 2 ||
        left + width > plot.x + plot.width - 2 ||
        top + NAME_HEIGHT > plot.y + plot.height - 2;
      if (outside && !must) continue;
      if (ring && awayFrom(ring, left, top, width) < RING) continue;
      let cost = (outside ? 40 : 0) + side * 0.1 + off * 0.05;
      for (const other of placed) cost += 10 * overlap(left, top, width, other);
      for (const box of written) if (meets(left, top, width, box)) cost += 20;
      if (cost >= least || (cost >= 10 && !must)) continue;
      for (const [dotX, dotY] of dots)
        if (dotX > left - 3 && dotX < left + width + 3 && dotY > top - 3 && dotY < top + NAME_HEIGHT + 3) cost += 2;
      if (cost < least) [best, least] = [{ left, top, off }, cost];
    }
    if (least < 2) break;
  }
  return best;
}

// How far a spot is from a name.
function awayFrom([x, y], left, top, width) {
  return Math.hypot(Math.max(left - x, 0, x - left - width), Math.max(top - y, 0, y - top - NAME_HEIGHT));
}

const meets = (left, top, width, [x, y, wide, tall]) =>
  left < x + wide && x < left + width && top < y + tall && y < top + NAME_HEIGHT;

// 0 where two names do not touch, from 1 to 2 where they do.
function overlap(left, top, width, other) {
  const across = Math.min(left + width, other.left + other.width) - Math.max(left, other.left) + 2;
  const down = Math.min(top, other.top) + NAME_HEIGHT - Math.max(top, other.top) + 2;
  return across > 0 && down > 0 ? 1 + (across / width) * (down / NAME_HEIGHT) : 0;
}

// Lines from points to the names that stand off them.
export function drawLeaders(context, placed, theme) {
  for (const { x, y, left, top, width, off } of placed) {
    if (!off) continue;
    const [toX, toY] = [Math.max(left, Math.min(left + width, x)), Math.max(top, Math.min(top + NAME_HEIGHT, y))];
    context.strokeStyle = theme.ground;
    context.lineWidth = 3.5;
    strokeLine(context, [x, y, toX, toY]);
    context.strokeStyle = theme.ink;
    context.lineWidth = 1;
    strokeLine(context, [x, y, toX, toY]);
  }
}

export function drawNames(context, placed, theme) {
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
