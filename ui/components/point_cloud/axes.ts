// The ground under the points: in the flat picture gridlines, ticks and titles along two edges; in the turned one the
// three far faces of a box. One scale for all axes. The points' units are those of a frame; ticks are in the
// coordinates' own.

import type { Theme } from "../_shared/colour.ts";
import { decimalText, localized } from "../_shared/numbers.ts";
import { fitText } from "../_shared/text.ts";
import { type Box, type Plot, project, unproject, type View } from "./camera.ts";
import type { Frame } from "./model.ts";

/** A rectangle on the screen. */
export type Rectangle = [left: number, top: number, width: number, height: number];
type Tick = { at: number; text: string };
/** Edge of the box that carries an axis' ticks and its title. */
interface Edge {
  axis: number;
  length: number; // pixels
  upright: boolean;
  out: number[]; // direction away from the box on the screen, of length 1
  top: number[]; // the upper end on the screen
  middle: number[];
  place: (at: number) => number[]; // on the screen of a value along the axis
}

export const AXIS_FONT = 15;
export const NARROW = 560; // pixels, less than which there is little room for words

/**
 * Where points are drawn: the flat picture leaves room for ticks and titles, the turned one carries them inside.
 * @param width of the stage
 */
export function plotArea(width: number, height: number, space: number): Plot {
  const narrow = width < NARROW;
  const [left, bottom] = [narrow ? 62 : 84, 62].map((room) => room * (1 - space));
  const other = 10 * (1 - space);
  return {
    x: left,
    y: other,
    width: Math.max(40, width - left - other),
    height: Math.max(40, height - bottom - other),
  };
}

/** Steps of 1, 2 or 5 times a power of ten, so that one is about `room` of `span` pixels. */
export function niceStep(length: number, span: number, room: number) {
  const wished = (length * room) / span;
  const power = 10 ** Math.floor(Math.log10(wished));
  return ([1, 2, 5].find((step) => step * power >= wished * 0.999) ?? 10) * power;
}

/** The multiples of a step from low to high. */
export function tickMarks(low: number, high: number, step: number) {
  const ticks = [];
  const first = Math.ceil(low / step - 1e-9);
  for (let index = 0; index < 60 && (first + index) * step <= high + step * 1e-9; index += 1) {
    const value = (first + index) * step;
    ticks.push({ value, text: tickText(value, step) });
  }
  return ticks;
}

function tickText(value: number, step: number) {
  if (Math.abs(value) < step / 2) return "0";
  const power = (number: number) => Math.floor(Math.log10(number) + 1e-9);
  const decimals = Math.max(0, -power(step));
  if (Math.abs(value) < 1e5 && decimals <= 4) return decimalText(value, decimals);
  const digits = Math.max(0, Math.min(12, power(Math.abs(value)) - power(step)));
  return localized(value.toExponential(digits).replace("e+", "e"));
}

/** The ticks of the flat picture along one axis, at places of the screen. */
export function flatTicks(view: View, frame: Frame, axis: 0 | 1): Tick[] {
  const { plot } = view;
  const perUnit = view.scale * frame.scale; // pixels for one unit of the coordinates
  const step = niceStep(1, perUnit, plot.width < 500 ? 64 : 92);
  const [low, high] = [unproject(view, plot.x, plot.y + plot.height), unproject(view, plot.x + plot.width, plot.y)].map(
    (corner) => corner[axis] / frame.scale + frame.centre[axis],
  );
  return tickMarks(low, high, step).map(({ value, text }) => {
    const away = (value - low) * perUnit;
    return { at: axis === 0 ? plot.x + away : plot.y + plot.height - away, text };
  });
}

/**
 * The ground of a picture that may be tilting from one kind to the other: flat up to half the way.
 * @param box that the turned picture draws
 * @returns what is written inside the picture
 * @param picture.axes titles
 */
export function drawGround(
  context: CanvasRenderingContext2D,
  picture: { view: View; frame: Frame /** titles */; axes: string[]; theme: Theme },
  box: Box,
): Rectangle[] {
  const { space } = picture.view;
  if (space < 0.5) drawFlatAxes(context, picture, 1 - 2 * space);
  return space > 0.5 ? drawBoxAxes(context, picture, 2 * space - 1, box) : [];
}

function drawFlatAxes(
  context: CanvasRenderingContext2D,
  { view, frame, axes, theme }: { view: View; frame: Frame; axes: string[]; theme: Theme },
  alpha: number,
) {
  const { plot } = view;
  const [right, bottom] = [plot.x + plot.width, plot.y + plot.height];
  context.save();
  context.font = `${AXIS_FONT}px ${theme.font}`;
  context.strokeStyle = theme.line;
  context.fillStyle = theme.ink;
  for (const axis of [0, 1] as const) {
    context.textAlign = axis === 0 ? "center" : "right";
    context.textBaseline = axis === 0 ? "top" : "middle";
    for (const { at: exact, text } of flatTicks(view, frame, axis)) {
      const at = Math.round(exact) + 0.5;
      context.globalAlpha = alpha * (text === "0" ? 1 : 0.38);
      context.lineWidth = text === "0" ? 1.6 : 1;
      strokeLine(context, ...(axis === 0 ? rectangle(at, plot.y, at, bottom) : rectangle(plot.x, at, right, at)));
      context.globalAlpha = alpha;
      if (axis === 0) context.fillText(text, at, bottom + 8);
      else if (at > plot.y + 6 && at < bottom - 4) context.fillText(text, plot.x - 8, at);
    }
  }
  context.globalAlpha = alpha;
  context.lineWidth = 1;
  const [left, top] = [Math.round(plot.x) + 0.5, Math.round(plot.y) + 0.5];
  context.strokeRect(left, top, Math.round(plot.width) - 1, Math.round(plot.height) - 1);
  context.font = `600 ${AXIS_FONT + 2}px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(fitText(context, axes[0], plot.width), plot.x + plot.width / 2, bottom + 58);
  context.translate(16, plot.y + plot.height / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "middle";
  context.fillText(fitText(context, axes[1], plot.height), 0, 0);
  context.restore();
}

/** Four numbers as what they are. */
export const rectangle = (...numbers: [number, number, number, number]) => numbers;

/**
 * The box to draw: a little larger than what it holds and never flat.
 * @returns low and high along each axis
 */
export function sidesOf({ low, high }: Box): number[][] {
  const most = Math.max(0.2, ...high.map((value, axis) => value - low[axis]));
  return low.map((value, axis) => {
    const half = Math.max((high[axis] - value) / 2, most * 0.12) * 1.06;
    const middle = (value + high[axis]) / 2;
    return [middle - half, middle + half];
  });
}

/** The ticks along each side of the box, in the units of the points: about nine along the longest. */
export function boxTicks(sides: number[][], frame: Frame): Tick[][] {
  const longest = Math.max(...sides.map(([low, high]) => high - low)) / frame.scale;
  const step = niceStep(longest, 9, 1);
  return sides.map((side, axis) => {
    const [low, high] = side.map((at) => at / frame.scale + frame.centre[axis]);
    return tickMarks(low, high, step).map(({ value, text }) => ({
      at: (value - frame.centre[axis]) * frame.scale,
      text,
    }));
  });
}

const OTHERS = [
  [1, 2],
  [0, 2],
  [0, 1],
];

function drawBoxAxes(
  context: CanvasRenderingContext2D,
  { view, frame, axes, theme }: { view: View; frame: Frame; axes: string[]; theme: Theme },
  alpha: number,
  box: Box,
) {
  const sides = sidesOf(box);
  // Of each pair of faces one looks at the reader; the other one is behind the points.
  const behind = sides.map((side, axis) => side[view.turn[6 + axis] > 0 ? 0 : 1]);
  const ticks = boxTicks(sides, frame);
  context.save();
  context.strokeStyle = theme.line;
  for (const axis of [0, 1, 2]) {
    const line: (place: number, other: number) => void = (place, other) => {
      const [from, to] = [[...behind], [...behind]];
      from[axis] = to[axis] = place;
      [from[other], to[other]] = sides[other];
      const [[x1, y1], [x2, y2]] = [project(view, from), project(view, to)];
      strokeLine(context, x1, y1, x2, y2);
    };
    for (const other of OTHERS[axis]) {
      for (const { at, text } of ticks[axis]) {
        context.globalAlpha = alpha * (text === "0" ? 1 : 0.34);
        context.lineWidth = text === "0" ? 1.6 : 1;
        line(at, other);
      }
      context.globalAlpha = alpha * 0.7;
      context.lineWidth = 1;
      for (const end of sides[axis]) line(end, other);
    }
  }
  context.globalAlpha = alpha;
  context.fillStyle = theme.ink;
  const edges = [0, 1, 2].map((axis) => edgeOf(view, sides, axis)).filter((edge) => edge !== null);
  const written = edges.flatMap((edge) => writeTicks(context, edge, ticks[edge.axis], theme));
  for (const edge of edges) written.push(writeTitle(context, view.plot, edge, axes[edge.axis] ?? "", written, theme));
  context.restore();
  return written;
}

/**
 * The edge of an axis that lies on the outline of the box, below or to the left; null where it is seen from its end.
 */
export function edgeOf(view: View, sides: number[][], axis: number): Edge | null {
  const others = OTHERS[axis];
  const placeAt: (corner: number[], at: number) => number[] = (corner, at) => {
    const spot = [0, 0, 0];
    spot[axis] = at;
    others.forEach((other, index) => (spot[other] = sides[other][corner[index]]));
    return project(view, spot);
  };
  const isFront = (corner: number[]) =>
    others.map((other, index) => view.turn[6 + other] * (corner[index] ? 1 : -1) > 0);
  const outline = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ].filter((corner) => isFront(corner)[0] !== isFront(corner)[1]);
  if (!outline.length) return null;
  const [low, high] = sides[axis];
  const middles = outline.map((corner) => placeAt(corner, (low + high) / 2));
  const [start, end] = [placeAt(outline[0], low), placeAt(outline[0], high)];
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  if (length < 46) return null;
  const upright = Math.abs(end[1] - start[1]) > Math.abs(end[0] - start[0]);
  const chosen = upright ? (middles[0][0] < middles[1][0] ? 0 : 1) : middles[0][1] > middles[1][1] ? 0 : 1;
  const heart = project(
    view,
    sides.map(([from, to]) => (from + to) / 2),
  );
  // Outwards: at a right angle to the edge, away from the middle of the box.
  let out = [(end[1] - start[1]) / length, -(end[0] - start[0]) / length];
  if (out[0] * (middles[chosen][0] - heart[0]) + out[1] * (middles[chosen][1] - heart[1]) < 0)
    out = out.map((part) => -part);
  const top = placeAt(outline[chosen], view.turn[3 + axis] > 0 ? high : low);
  return { axis, length, upright, out, top, middle: middles[chosen], place: (at) => placeAt(outline[chosen], at) };
}

function writeTicks(
  context: CanvasRenderingContext2D,
  { length, out: [outX, outY], place }: Edge,
  ticks: Tick[],
  theme: Theme,
) {
  context.textBaseline = "middle";
  context.textAlign = Math.abs(outX) < 0.35 ? "center" : outX < 0 ? "right" : "left";
  context.font = `${AXIS_FONT}px ${theme.font}`;
  const every = Math.max(1, Math.ceil(34 / (length / Math.max(1, ticks.length))));
  return ticks
    .filter((_, index) => index % every === 0)
    .map(({ at, text }) => {
      const [x, y] = place(at);
      haloText(context, text, x + outX * 12, y + outY * 14, theme);
      return textBox(context, text, x + outX * 12, y + outY * 14);
    });
}

/** Beyond the ticks, and as much farther out as it takes to lie on none of them. */
function writeTitle(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { upright, out: [outX, outY], top, middle: [x, y] }: Edge,
  title: string,
  taken: Rectangle[],
  theme: Theme,
) {
  context.textBaseline = "middle";
  context.textAlign = "center";
  context.font = `600 ${AXIS_FONT + 2}px ${theme.font}`;
  const half = context.measureText(title).width / 2;
  const [toX, toY] = upright
    ? [top[0], top[1] - 18]
    : [x + outX * (40 + Math.abs(outX) * Math.min(half, 70)), y + outY * 42];
  const [stepX, stepY] = upright ? [0, -6] : [outX * 6, outY * 6];
  const spots = Array.from({ length: 16 }, (_, steps) => [
    Math.max(half + 6, Math.min(plot.width - half - 6, toX + steps * stepX)),
    Math.max(13, Math.min(plot.height - 13, toY + steps * stepY)),
  ]);
  const isFree = ([atX, atY]: number[]) => {
    const [left, upper, width, height] = textBox(context, title, atX, atY);
    return !taken.some((other) => touches([left - 6, upper, width + 12, height], other));
  };
  const [atX, atY] = spots.find(isFree) ?? spots[0];
  haloText(context, title, atX, atY, theme);
  return textBox(context, title, atX, atY);
}

/** What a text takes of the picture. */
function textBox(context: CanvasRenderingContext2D, text: string, x: number, y: number): Rectangle {
  const { width } = context.measureText(text);
  const before = context.textAlign === "left" ? 0 : context.textAlign === "right" ? 1 : 0.5;
  return [x - before * width, y - AXIS_FONT / 2 - 2, width, AXIS_FONT + 4];
}

/** Whether two rectangles lie over each other, by more than a line. */
export const touches = ([x, y, width, height]: Rectangle, [x2, y2, width2, height2]: Rectangle) =>
  x < x2 + width2 && x2 < x + width && y < y2 + height2 && y2 < y + height;

export function strokeLine(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

export function haloText(context: CanvasRenderingContext2D, text: string, x: number, y: number, theme: Theme) {
  context.strokeStyle = theme.ground;
  context.lineWidth = 5;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}
