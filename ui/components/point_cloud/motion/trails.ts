// Moving words as points, and where they came from: a short tail behind each, and the whole way of the chosen one and of
// its neighbours.

import { depthsOf, type Plot, screenSpots } from "../camera.ts";
import { momentAt, placesAt } from "../frames.ts";
import type { Scene } from "../gl.ts";
import { paletteBytes, rgbOf } from "../gl.ts";
import { toFrameSpots } from "../model.ts";
import { DIM, drawOrder, FAINT, FRONT, PLAIN } from "../picking.ts";
import { NONE } from "../store.ts";
import type { Drawn } from "./scene.ts";

const PHONE = 400; // px of a picture on a phone
const ROOM = 1500; // words that have room at full size; more are drawn smaller
const TAIL = 0.09; // of the run's time
const PIECES = 6;
const MOST_TAILS = 2000;
const MARKED = [0, 1, 10, 100, 1000, 10_000]; // steps that have a mark on the chosen word's way

/** How much larger labels and dots are in a picture that fills a hall's screen, and smaller on a phone. */
export const magnifying = ({ width, height }: Plot) =>
  width < PHONE ? 0.85 : Math.max(1, Math.min(1.5, width / 1000, height / 560));

/**
 * Where places are on the screen: (count, 2).
 * @param places (count, 3)
 */
export const onScreen = ({ frame, view }: Pick<Drawn, "frame" | "view">, places: Float32Array) =>
  screenSpots(toFrameSpots(frame, places), places.length / 3, view);

export const screenOf = ({ screen }: Pick<Drawn, "screen">, index: number) => [
  screen[2 * index],
  screen[2 * index + 1],
];

/** How each word looks: FRONT for those that stand out, DIM for those behind them. */
export function wordStates({ model, chosen, neighbours, lit }: Pick<Drawn, "model" | "chosen" | "neighbours" | "lit">) {
  const isQuiet = chosen !== null || lit !== null;
  const states = Uint8Array.from({ length: model.count }, (_, at) => {
    const isLit =
      lit && chosen === null && ("group" in lit ? model.groups[at] === lit.group : model.kindOf[at] === lit.kind);
    if (isLit) return FRONT;
    return model.hasKinds && model.groups[at] === NONE ? FAINT : isQuiet ? DIM : PLAIN;
  });
  for (const [index] of neighbours) states[index] = FRONT;
  if (chosen !== null) states[chosen] = FRONT;
  return states;
}

export function colourOf({ model, header, theme }: Pick<Drawn, "model" | "header" | "theme">, index: number) {
  const group = model.groups[index];
  return group !== NONE ? header.legend[group][1] : model.hasKinds ? theme.ink : theme.accent;
}

/** The words as points for the painter. */
export function wordScene(motion: Drawn, size: { width: number; height: number; ratio: number }): Scene {
  const { model, frame, places, view, header, theme, states } = motion;
  const spots = toFrameSpots(frame, places);
  const isQuiet = motion.chosen !== null || motion.lit !== null;
  const crowd = Math.max(0.6, Math.min(1, Math.sqrt(ROOM / model.count)));
  const scale = magnifying(view.plot);
  return {
    ...size,
    spots,
    from: null,
    share: 1,
    count: model.count,
    tints: Uint8Array.from(model.groups, (group) => (group === NONE ? header.legend.length : group)),
    states,
    order: drawOrder(model.count, states, view.space > 0 ? depthsOf(spots, model.count, view) : null),
    view,
    palette: paletteBytes([...header.legend.map(([, colour]) => colour), model.hasKinds ? theme.ink : theme.accent]),
    style: {
      diameters: [6 * crowd, 5 * crowd, 9, 4.5 * crowd].map((diameter) => diameter * scale),
      alphas: [0.9, 0.22, 1, isQuiet ? 0.12 : 0.28],
      rim: 1,
      rimColour: rgbOf(theme.ground),
    },
  };
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
  const { model, transport, states, view } = motion;
  const moments = tailMoments(transport.clock.time);
  const spots = moments.map((moment, piece) => (piece ? onScreen(motion, placesAt(model, moment)) : motion.screen));
  /** Colour -> words. */
  const bundles = new Map<string, number[]>();
  for (let at = 0; at < Math.min(model.count, MOST_TAILS); at += 1) {
    if (states[at] === DIM || states[at] === FAINT) continue;
    const colour = colourOf(motion, at);
    bundles.set(colour, bundles.get(colour) ?? []);
    bundles.get(colour)?.push(at);
  }
  context.lineCap = "round";
  for (const [colour, words] of bundles) {
    context.strokeStyle = colour;
    for (let piece = PIECES; piece > 0; piece -= 1) {
      context.globalAlpha = 0.4 * (1 - (piece - 1) / PIECES) ** 1.3;
      context.lineWidth = 2.2 * magnifying(view.plot) * (1 - (0.75 * (piece - 1)) / PIECES);
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
