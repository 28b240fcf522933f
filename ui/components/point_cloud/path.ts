// The text's tokens in order: a line with arrowheads from each to the next, between where their rows lie and where these
// lie with their positions added.

import type { Theme } from "../_shared/colour.ts";
import type { Link } from "../_shared/link.ts";
import { type Frame, framed, mixed } from "./model.ts";
import { shortName, type Wanted } from "./names.ts";

type PathName = Omit<Wanted, "place"> & { label: string; positions: number[]; place?: number };
/** A token of the path, as Python's PathPoint. */
export type Token = { position: number; label: string; before: number[]; after: number[] | null };

/** Where each token is, `mix` of the way from before to after, in the units of the points. */
export function pathSpots(path: Token[], frame: Frame, mix: number) {
  return path.map(({ before, after }) => {
    const from = framed(frame, before);
    return after && mix ? mixed(from, framed(frame, after), mix) : from;
  });
}

/** @param spots on the screen */
export function drawPathLine(context: CanvasRenderingContext2D, spots: number[][], theme: Theme) {
  context.lineJoin = context.lineCap = "round";
  for (const { colour, width, rim } of [
    { colour: theme.ground, width: 6, rim: 2 },
    { colour: theme.ink, width: 2.2, rim: 0 },
  ]) {
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    for (const [x, y] of spots) context.lineTo(x, y);
    context.stroke();
    spots.slice(1).forEach((to, index) => arrowHead(context, spots[index], to, rim));
  }
  context.lineCap = "butt";
}

/**
 * A little past the middle, so that a line walked both ways shows both heads.
 * @param rim pixels that it is larger
 */
function arrowHead(context: CanvasRenderingContext2D, [x1, y1]: number[], [x2, y2]: number[], rim: number) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length < 26) return;
  const [right, down] = [(x2 - x1) / length, (y2 - y1) / length];
  const [x, y] = [x1 + (x2 - x1) * 0.6, y1 + (y2 - y1) * 0.6];
  const [long, wide] = [7 + rim, 5.5 + rim];
  context.beginPath();
  context.moveTo(x + right * long, y + down * long);
  context.lineTo(x - right * long - down * wide, y - down * long + right * wide);
  context.lineTo(x - right * long + down * wide, y - down * long - right * wide);
  context.closePath();
  context.fill();
}

/** @param spots on the screen */
export function drawPathDots(
  context: CanvasRenderingContext2D,
  spots: number[][],
  path: Token[],
  { hovered, chosen }: Pick<Link, "hovered" | "chosen">,
  theme: Theme,
) {
  spots.forEach(([x, y], index) => {
    const { position } = path[index];
    const lit = position === hovered || position === chosen;
    dot(context, x, y, lit ? 8.5 : 6, position === chosen ? theme.ink : theme.accent, theme);
  });
}

export function dot(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  colour: string,
  theme: Theme,
) {
  context.beginPath();
  context.arc(x, y, radius + 2, 0, 2 * Math.PI);
  context.fillStyle = theme.ground;
  context.fill();
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

/**
 * One name for all tokens that lie in one place: "the 1, 5".
 * @param spots on the screen
 */
export function pathNames(spots: number[][], path: Token[], { hovered, chosen }: Pick<Link, "hovered" | "chosen">) {
  const names = new Map<string, PathName>();
  spots.forEach(([x, y], index) => {
    const { position, label } = path[index];
    const key = `${Math.round(x)},${Math.round(y)},${label}`;
    const name = names.get(key) ?? { x, y, label, positions: [], gap: 8, look: "path", text: "" };
    name.positions.push(position);
    if (position === hovered) name.look = "path-hover";
    if (position === chosen && name.look !== "path-hover") name.look = "path-chosen";
    names.set(key, name);
  });
  for (const name of names.values()) name.text = `${numberList(name.positions)} ${shortName(name.label)}`;
  return [...names.values()].sort((a, b) => Number(b.look !== "path") - Number(a.look !== "path"));
}

const numberList = (positions: number[]) =>
  positions.length > 4 ? `${positions.slice(0, 3).join(", ")}, …` : positions.join(", ");
