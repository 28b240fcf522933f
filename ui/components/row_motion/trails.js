// Where words came from: a short tail behind each, and the whole way of the chosen one and of its neighbours.

import { NARROW } from "../point_cloud/axes.js";
import { momentAt, placesAt } from "./model.js";
import { BACK, colourOf, magnifying, screenPlaces } from "./screen.js";

const TAIL = 0.09; // of the run's time
const PIECES = 6;
const MOST_TAILS = 2000;
const MARKED = [0, 1, 10, 100, 1000, 10_000]; // steps that have a mark on the chosen word's way

export function drawTails(context, motion) {
  const { model, clock, looks, view } = motion;
  const moments = Array.from({ length: PIECES + 1 }, (_, piece) => Math.max(0, clock.time - (TAIL * piece) / PIECES));
  const spots = moments.map((moment, piece) => (piece ? screenPlaces(motion, placesAt(model, moment)) : motion.screen));
  const bundles = new Map(); // colour -> words
  for (let at = 0; at < Math.min(model.count, MOST_TAILS); at += 1) {
    if (looks[at] <= BACK) continue;
    const key = colourOf(motion, at);
    if (!bundles.has(key)) bundles.set(key, []);
    bundles.get(key).push(at);
  }
  context.lineCap = "round";
  for (const [colour, words] of bundles) {
    context.strokeStyle = colour;
    for (let piece = PIECES; piece > 0; piece -= 1) {
      context.globalAlpha = 0.5 * (1 - (piece - 1) / PIECES) ** 1.3;
      context.lineWidth =
        (view.plot.width < NARROW ? 2.4 : 3.4 * magnifying(view.plot)) * (1 - (0.75 * (piece - 1)) / PIECES);
      const [from, to] = [spots[piece], spots[piece - 1]];
      context.beginPath();
      for (const at of words) {
        context.moveTo(from[3 * at], from[3 * at + 1]);
        context.lineTo(to[3 * at], to[3 * at + 1]);
      }
      context.stroke();
    }
  }
  context.globalAlpha = 1;
}

export function drawPaths(context, motion) {
  const { chosen, neighbours, theme } = motion;
  if (chosen === null) return;
  for (const [index] of neighbours) drawPath(context, motion, index, colourOf(motion, index), 1.8, 0.55);
  const way = drawPath(context, motion, chosen, theme.ink, 3.2, 1);
  for (const { step, x, y } of way.filter(({ step }) => MARKED.includes(step))) {
    context.beginPath();
    context.arc(x, y, step ? 3.5 : 5, 0, 2 * Math.PI);
    context.fillStyle = step ? theme.ink : theme.ground;
    context.fill();
    context.lineWidth = 2.5;
    context.strokeStyle = theme.ink;
    if (!step) context.stroke();
  }
}

// From the first step to the moment shown; returns its corners.
function drawPath(context, motion, index, colour, width, alpha) {
  const { model, clock, screen, theme } = motion;
  const until = momentAt(model, clock.time).index;
  const way = model.frames.slice(0, until + 1).map(({ step, places }) => {
    const [x, y] = screenPlaces(motion, places.subarray(3 * index, 3 * index + 3));
    return { step, x, y };
  });
  const line = [...way, { step: -1, x: screen[3 * index], y: screen[3 * index + 1] }];
  context.lineJoin = "round";
  for (const [stroke, wide, strong] of [
    [theme.ground, width + 3, 0.75],
    [colour, width, alpha],
  ]) {
    context.beginPath();
    line.forEach(({ x, y }, at) => (at ? context.lineTo(x, y) : context.moveTo(x, y)));
    Object.assign(context, { strokeStyle: stroke, lineWidth: wide, globalAlpha: strong });
    context.stroke();
  }
  context.globalAlpha = 1;
  return way;
}
