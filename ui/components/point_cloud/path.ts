// The text's tokens in order: a line with arrowheads from each to the next, between where their rows lie and where these
// lie with their positions added.

import { framed, mixed } from "./model.js";
import { shortName } from "./names.js";

/** @typedef {import("../_shared/colour.js").Theme} Theme */
/** @typedef {import("../_shared/link.js").Link} Link */
/**
 * @typedef {Omit<import("./names.js").Wanted, "place"> & { label: string, positions: number[], place?: number }} PathName
 */
/** @typedef {{ position: number, label: string, before: number[], after: number[] | null }} Token as Python's PathPoint */

/**
 * Where each token is, `mix` of the way from before to after, in the units of the points.
 * @param {Token[]} path
 * @param {import("./model.js").Frame} frame
 * @param {number} mix
 */
export function pathSpots(path, frame, mix) {
  return path.map(({ before, after }) => {
    const from = framed(frame, before);
    return after && mix ? mixed(from, framed(frame, after), mix) : from;
  });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number[][]} spots on the screen
 * @param {Theme} theme
 */
export function drawPathLine(context, spots, theme) {
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
 * @param {CanvasRenderingContext2D} context
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} rim pixels that it is larger
 */
function arrowHead(context, [x1, y1], [x2, y2], rim) {
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

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number[][]} spots on the screen
 * @param {Token[]} path
 * @param {Pick<Link, "hovered" | "chosen">} link
 * @param {Theme} theme
 */
export function drawPathDots(context, spots, path, { hovered, chosen }, theme) {
  spots.forEach(([x, y], index) => {
    const { position } = path[index];
    const lit = position === hovered || position === chosen;
    dot(context, x, y, lit ? 8.5 : 6, position === chosen ? theme.ink : theme.accent, theme);
  });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {string} colour
 * @param {Theme} theme
 */
export function dot(context, x, y, radius, colour, theme) {
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
 * @param {number[][]} spots on the screen
 * @param {Token[]} path
 * @param {Pick<Link, "hovered" | "chosen">} link
 */
export function pathNames(spots, path, { hovered, chosen }) {
  /** @type {Map<string, PathName>} */
  const names = new Map();
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

/** @param {number[]} positions */
const numberList = (positions) =>
  positions.length > 4 ? `${positions.slice(0, 3).join(", ")}, …` : positions.join(", ");
