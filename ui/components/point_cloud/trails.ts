// Moving words as dots, and where they came from: a short tail behind each, and the whole way of the chosen one and of
// its neighbours.

import type { Theme } from "../_shared/colour.ts";
import { contextOf } from "../_shared/elements.ts";
import { NARROW } from "./axes.ts";
import { depthsOf, type Plot, screenSpots } from "./camera.ts";
import { momentAt, placesAt } from "./frames.ts";
import type { Frame } from "./model.ts";
import type { Drawn } from "./motion/scene.ts";
import { NONE } from "./store.ts";

// How much a word stands out.
export const FAINT = 0; // no kind, where others have one
export const BACK = 1; // steps back behind what stands out
export const EVEN = 2;
export const NEAR = 3; // a neighbour of the chosen word, or of the kind that stands out
export const FIRST = 4; // the chosen word

const LOOKS = [
  { radius: 3, alpha: 0.3, rim: 0 },
  { radius: 5, alpha: 0.2, rim: 0 },
  { radius: 5.5, alpha: 0.92, rim: 1 },
  { radius: 7.5, alpha: 1, rim: 1.5 },
  { radius: 10, alpha: 1, rim: 2 },
];
const ROOM = 1500; // words that have room at full size; more are drawn smaller
const MOST_DOTS = 800; // pictures of dots that are kept
const TAIL = 0.09; // of the run's time
const PIECES = 6;
const MOST_TAILS = 2000;
const MARKED = [0, 1, 10, 100, 1000, 10_000]; // steps that have a mark on the chosen word's way

/** A picture that fills a hall's screen has larger names and dots. */
export const magnifying = ({ width, height }: Plot) => Math.max(1, Math.min(1.5, width / 1000, height / 480));

/**
 * Places in the frame's units.
 * @param places (count, 3)
 */
export function framedSpots({ centre, scale }: Frame, places: Float32Array) {
  const spots = new Float32Array(places.length);
  for (let at = 0; at < places.length; at += 1) spots[at] = (places[at] - centre[at % 3]) * scale;
  return spots;
}

/**
 * Where places are on the screen: (count, 2).
 * @param places (count, 3)
 */
export const onScreen = ({ frame, view }: Pick<Drawn, "frame" | "view">, places: Float32Array) =>
  screenSpots(framedSpots(frame, places), places.length / 3, view);

export const screenOf = ({ screen }: Pick<Drawn, "screen">, index: number) => [
  screen[2 * index],
  screen[2 * index + 1],
];

/** @returns FAINT to FIRST, for each word */
export function looksOf({
  model,
  chosen,
  neighbours,
  focus,
}: Pick<Drawn, "model" | "chosen" | "neighbours" | "focus">): Uint8Array {
  const quiet = chosen !== null || focus !== null;
  const looks = new Uint8Array(model.count);
  for (let at = 0; at < model.count; at += 1) {
    const isLit =
      focus &&
      chosen === null &&
      ("group" in focus ? model.groups[at] === focus.group : model.kindOf[at] === focus.kind);
    const isFaint = model.hasKinds && model.groups[at] === NONE;
    looks[at] = isLit ? NEAR : isFaint ? FAINT : quiet ? BACK : EVEN;
  }
  for (const [index] of neighbours) looks[index] = NEAR;
  if (chosen !== null) looks[chosen] = FIRST;
  return looks;
}

export function colourOf({ model, header, theme }: Pick<Drawn, "model" | "header" | "theme">, index: number) {
  const group = model.groups[index];
  return group !== NONE ? header.legend[group][1] : model.hasKinds ? theme.ink : theme.accent;
}

/** @param which looks */
export function drawDots(context: CanvasRenderingContext2D, motion: Drawn, which: number[]) {
  const { model, frame, places, looks, screen, view } = motion;
  const quiet = motion.chosen !== null || motion.focus !== null ? 0.45 : 1; // for words without a kind
  const crowd = Math.max(0.55, Math.min(1, Math.sqrt(ROOM / model.count)));
  const size = view.plot.width < NARROW ? 0.8 : 1 + 0.6 * (magnifying(view.plot) - 1);
  const depths = view.space > 0 ? depthsOf(framedSpots(frame, places), model.count, view) : null;
  const picture = dotPictures(motion, context.getTransform().a);
  for (const look of which) {
    const { radius, alpha } = LOOKS[look];
    const wide = radius * size * (look < NEAR ? crowd : 1);
    for (const at of inOrder(looks, look, depths)) {
      const depth = depths ? Math.max(0, Math.min(1, 0.5 + depths[at] / (2 * view.radius))) : 1; // 0 is far, 1 near
      const near = 1 + view.space * (0.5 * depth - 0.3);
      const { dot, side } = picture(colourOf(motion, at), look, Math.round(4 * wide * near) / 4);
      context.globalAlpha = alpha * (look === FAINT ? quiet : 1) * (1 - view.space * 0.5 * (1 - depth));
      context.drawImage(dot, screen[2 * at] - side / 2, screen[2 * at + 1] - side / 2, side, side);
    }
  }
  context.globalAlpha = 1;
}

/** The words that look so; those on top last: the more important ones, in space the nearer ones. */
export function inOrder(looks: Uint8Array, look: number, depths: Float32Array | null) {
  const words = [];
  for (let at = looks.length - 1; at >= 0; at -= 1) if (looks[at] === look) words.push(at);
  return depths ? words.sort((a, b) => depths[a] - depths[b]) : words;
}

export type Dots = { theme: Theme | null; ratio: number; made: Map<string, { dot: HTMLCanvasElement; side: number }> };

/** What gives the picture of a dot and how wide it is; each is made once. */
function dotPictures(
  { dots, theme }: Pick<Drawn, "dots" | "theme">,
  ratio: number,
): (colour: string, look: number, radius: number) => { dot: HTMLCanvasElement; side: number } {
  if (dots.theme !== theme || dots.ratio !== ratio || dots.made.size > MOST_DOTS)
    Object.assign(dots, { theme, ratio, made: new Map() });
  return (colour, look, radius) => {
    const key = `${colour} ${look} ${radius}`;
    const made = dots.made.get(key) ?? dotPicture(colour, radius, LOOKS[look].rim, theme, ratio);
    dots.made.set(key, made);
    return made;
  };
}

function dotPicture(colour: string, radius: number, rim: number, theme: Theme, ratio: number) {
  const dot = document.createElement("canvas");
  dot.width = dot.height = Math.ceil(2 * (radius + rim + 1) * ratio);
  const context = contextOf(dot);
  const circle: (size: number, fill: string) => void = (size, fill) => {
    context.beginPath();
    context.arc(dot.width / 2, dot.width / 2, size * ratio, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
  };
  if (rim) circle(radius + rim, theme.ground);
  circle(radius, colour);
  return { dot, side: dot.width / ratio };
}

/** Around the chosen word and the one under the pointer. */
export function drawRings(context: CanvasRenderingContext2D, motion: Drawn) {
  const { chosen, hovered, theme } = motion;
  for (const { index, colour } of [
    { index: chosen, colour: theme.ink },
    { index: hovered, colour: theme.accent },
  ]) {
    if (index === null) continue;
    const [x, y] = screenOf(motion, index);
    for (const { line, wide } of [
      { line: theme.ground, wide: 6 },
      { line: colour, wide: 3 },
    ]) {
      context.beginPath();
      context.arc(x, y, index === chosen ? 13 : 11, 0, 2 * Math.PI);
      context.strokeStyle = line;
      context.lineWidth = wide;
      context.stroke();
    }
  }
}

/** The moments that a tail goes back to, the present first. */
export const tailMoments = (time: number) =>
  Array.from({ length: PIECES + 1 }, (_, piece) => Math.max(0, time - (TAIL * piece) / PIECES));

export function drawTails(context: CanvasRenderingContext2D, motion: Drawn) {
  const { model, transport, looks, view } = motion;
  const moments = tailMoments(transport.clock.time);
  const spots = moments.map((moment, piece) => (piece ? onScreen(motion, placesAt(model, moment)) : motion.screen));
  /** Colour -> words. */
  const bundles = new Map<string, number[]>();
  for (let at = 0; at < Math.min(model.count, MOST_TAILS); at += 1) {
    if (looks[at] <= BACK) continue;
    const colour = colourOf(motion, at);
    bundles.set(colour, bundles.get(colour) ?? []);
    bundles.get(colour)?.push(at);
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
        context.moveTo(from[2 * at], from[2 * at + 1]);
        context.lineTo(to[2 * at], to[2 * at + 1]);
      }
      context.stroke();
    }
  }
  context.globalAlpha = 1;
}

export function drawWays(context: CanvasRenderingContext2D, motion: Drawn) {
  const { chosen, neighbours, theme } = motion;
  if (chosen === null) return;
  for (const [index] of neighbours) drawWay(context, motion, index, colourOf(motion, index), 1.8, 0.55);
  const way = drawWay(context, motion, chosen, theme.ink, 3.2, 1);
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

/** From the first step to the moment shown; returns its corners. */
function drawWay(
  context: CanvasRenderingContext2D,
  motion: Drawn,
  index: number,
  colour: string,
  width: number,
  alpha: number,
) {
  const { model, transport, theme } = motion;
  const until = momentAt(model, transport.clock.time).index;
  const way = model.frames.slice(0, until + 1).map(({ step, places }) => {
    const [x, y] = onScreen(motion, places.subarray(3 * index, 3 * index + 3));
    return { step, x, y };
  });
  const [x, y] = screenOf(motion, index);
  context.lineJoin = "round";
  for (const { stroke, wide, strong } of [
    { stroke: theme.ground, wide: width + 3, strong: 0.75 },
    { stroke: colour, wide: width, strong: alpha },
  ]) {
    context.beginPath();
    for (const corner of way) context.lineTo(corner.x, corner.y);
    context.lineTo(x, y);
    Object.assign(context, { strokeStyle: stroke, lineWidth: wide, globalAlpha: strong });
    context.stroke();
  }
  context.globalAlpha = 1;
  return way;
}
