// The text's tokens in order: a line with arrowheads from each to the next, between where their rows lie and where these
// lie with their positions added.

import { framed } from "./model.js";
import { shortName } from "./names.js";

// Where each token is, `mix` of the way from before to after, in the units of the points.
export function pathSpots(path, frame, mix) {
  return path.map(({ before, after }) => {
    const from = framed(frame, before);
    if (!after || mix === 0) return from;
    const to = framed(frame, after);
    return from.map((value, axis) => value + (to[axis] - value) * mix);
  });
}

export function drawPathLine(context, spots, theme) {
  const steps = spots.slice(1).map((to, index) => [...spots[index].slice(0, 2), ...to.slice(0, 2)]);
  context.lineJoin = context.lineCap = "round";
  for (const [colour, width] of [
    [theme.ground, 6],
    [theme.ink, 2.2],
  ]) {
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    spots.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.stroke();
    for (const [x1, y1, x2, y2] of steps) arrowHead(context, x1, y1, x2, y2, width > 3 ? 2 : 0);
  }
  context.lineCap = "butt";
}

// A little past the middle, so that a line walked both ways shows both heads.
function arrowHead(context, x1, y1, x2, y2, rim) {
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

export function drawPathDots(context, spots, path, { hovered, chosen }, theme) {
  spots.forEach(([x, y], index) => {
    const { position } = path[index];
    const lit = position === hovered || position === chosen;
    dot(context, x, y, lit ? 8.5 : 6, position === chosen ? theme.ink : theme.accent, theme);
  });
}

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

// One name for all tokens that lie in one place: "the 1, 5".
export function pathNames(spots, path, { hovered, chosen }) {
  const names = new Map();
  spots.forEach(([x, y], index) => {
    const { position, label } = path[index];
    const key = `${Math.round(x)},${Math.round(y)},${label}`;
    const name = names.get(key) ?? { x, y, label, positions: [], gap: 8, look: "path" };
    name.positions.push(position);
    if (position === hovered) name.look = "path-hover";
    if (position === chosen && name.look !== "path-hover") name.look = "path-chosen";
    names.set(key, name);
  });
  const all = [...names.values()].map((name) => ({
    ...name,
    text: `${numberList(name.positions)} ${shortName(name.label)}`,
  }));
  return all.sort((a, b) => (b.look !== "path") - (a.look !== "path"));
}

const numberList = (positions) =>
  positions.length > 4 ? `${positions.slice(0, 3).join(", ")}, …` : positions.join(", ");
