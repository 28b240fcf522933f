// The axes: in the flat picture gridlines, ticks and titles along two edges; in space the outline of a box with three
// titled axes. One scale for all axes. The points' units are those of a frame; ticks are in the coordinates' own.

import type { Theme } from "../_shared/colour.ts";
import { localizeNumber } from "../_shared/numbers.ts";
import { fitText } from "../_shared/text.ts";
import { niceStep, tickText as plainTickText, tickValues } from "../_shared/ticks.ts";
import { type Box, type Plot, project, unproject, type View } from "./camera.ts";
import { type Label, moveInside, type Rectangle } from "./labels.ts";
import type { Frame } from "./model.ts";

type Tick = { at: number; text: string };

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

/** A tick's number, with as many decimals as its step has; far numbers by powers of ten. */
export function tickText(value: number, step: number) {
  if (Math.abs(value) < step / 2) return "0";
  const power = (number: number) => Math.floor(Math.log10(number) + 1e-9);
  if (Math.abs(value) < 1e5 && step >= 1e-4) return plainTickText(value, step);
  const digits = Math.max(0, Math.min(12, power(Math.abs(value)) - power(step)));
  return localizeNumber(value.toExponential(digits).replace("e+", "e"));
}

/** The ticks of the flat picture along one axis, at places of the screen. */
export function flatTicks(view: View, frame: Frame, axis: 0 | 1): Tick[] {
  const { plot } = view;
  const perUnit = view.scale * frame.scale; // pixels for one unit of the coordinates
  const ends = [unproject(view, plot.x, plot.y + plot.height), unproject(view, plot.x + plot.width, plot.y)];
  const [low, high] = ends.map((corner) => corner[axis] / frame.scale + frame.centre[axis]);
  const step = niceStep(high - low, ((high - low) * perUnit) / (plot.width < 500 ? 56 : 92));
  return tickValues(low, high, step).map((value) => {
    const away = (value - low) * perUnit;
    return { at: axis === 0 ? plot.x + away : plot.y + plot.height - away, text: tickText(value, step) };
  });
}

export interface Axes {
  view: View;
  frame: Frame;
  axes: string[]; // titles
  theme: Theme;
}

/** Draw the axes of a picture that may be tilting from the flat one to the one in space: flat up to half the way. */
export function drawAxes(context: CanvasRenderingContext2D, picture: Axes, box: Box) {
  const { space } = picture.view;
  if (space < 0.5) drawFlatAxes(context, picture, 1 - 2 * space);
  else drawSpaceAxes(context, picture, 2 * space - 1, box);
}

function drawFlatAxes(context: CanvasRenderingContext2D, { view, frame, axes, theme }: Axes, alpha: number) {
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
const rectangle = (...numbers: [number, number, number, number]) => numbers;

/** The box to draw: a little larger than what it holds and never flat. */
export function paddedBox({ low, high }: Box): Box {
  const most = Math.max(0.2, ...high.map((value, axis) => value - low[axis]));
  const halves = low.map((value, axis) => Math.max((high[axis] - value) / 2, most * 0.12) * 1.06);
  const middles = low.map((value, axis) => (value + high[axis]) / 2);
  return {
    low: middles.map((middle, axis) => middle - halves[axis]),
    high: middles.map((middle, axis) => middle + halves[axis]),
  };
}

/** The corners of a box on the screen; bit i of a corner's number is set at the high end of axis i. */
function cornersOf(view: View, box: Box) {
  const { low, high } = paddedBox(box);
  return Array.from({ length: 8 }, (_, bits) =>
    project(
      view,
      [0, 1, 2].map((axis) => ((bits >> axis) & 1 ? high : low)[axis]),
    ),
  );
}

/** The outline of a box, with three axes from one corner. */
function drawSpaceAxes(context: CanvasRenderingContext2D, { view, theme }: Axes, alpha: number, box: Box) {
  const corners = cornersOf(view, box);
  for (const axis of [0, 1, 2])
    for (let bits = 0; bits < 8; bits += 1) {
      if ((bits >> axis) & 1) continue;
      const [[x1, y1], [x2, y2]] = [corners[bits], corners[bits | (1 << axis)]];
      context.globalAlpha = alpha * (bits ? 0.6 : 1);
      context.strokeStyle = bits ? theme.line : theme.ink;
      context.lineWidth = bits ? 1 : 1.8;
      strokeLine(context, x1, y1, x2, y2);
    }
  context.globalAlpha = 1;
}

/** The titles of the axes in space, each beyond the end of its axis, as labels; none of an axis seen from its end. */
export function axisTitles({ view, axes }: Pick<Axes, "view" | "axes">, box: Box): Label[] {
  if (view.space < 0.5) return [];
  const corners = cornersOf(view, box);
  return axes.flatMap((text, axis): Label[] => {
    const [[x1, y1], [x, y]] = [corners[0], corners[1 << axis]];
    const length = Math.hypot(x - x1, y - y1);
    if (length < 40) return [];
    const [right, down] = [(x - x1) / length, (y - y1) / length];
    const places = (width: number, height: number) =>
      [16, 28, 40, 52, 64].map((away): Rectangle => {
        const [left, top] = [x + right * (away + width / 2) - width / 2, y + down * away - height / 2];
        return moveInside(view.plot, [left, top, width, height]);
      });
    return [{ id: `axis ${axis}`, text, look: "axis", x, y, gap: 999, places, must: true }];
  });
}

export function strokeLine(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
