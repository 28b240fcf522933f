// The axes: in the flat picture gridlines, with numbers along two edges; in space the outline of a box with three
// titled axes. One scale for all axes. The points' units are those of a frame; ticks are in the coordinates' own.

import type { Theme } from "../_shared/colour.ts";
import { localizeNumber } from "../_shared/numbers.ts";
import { niceStep, tickText as plainTickText, tickValues } from "../_shared/ticks.ts";
import { type Box, project, unproject, type View } from "./camera.ts";
import { type Label, moveInside, type Rectangle } from "./labels.ts";
import { type Frame, fromFrame } from "./model.ts";

type Tick = { at: number; text: string };

const AXIS_FONT = 15;
const [TICK_WIDTH, TICK_HEIGHT] = [46, 26]; // px along the left and lower edges, in which ticks have their numbers
const CORNER = 92; // px at the upper end of the left edge, which are left for tools and a title

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
  const [low, high] = ends.map((corner) => fromFrame(frame, corner)[axis]);
  const step = niceStep(high - low, ((high - low) * perUnit) / (plot.width < 500 ? 56 : 92));
  return tickValues(low, high, step).map((value) => {
    const away = (value - low) * perUnit;
    return { at: axis === 0 ? plot.x + away : plot.y + plot.height - away, text: tickText(value, step) };
  });
}

interface Axes {
  view: View;
  frame: Frame;
  axes: string[]; // titles
  theme: Theme;
}

/** Draw the axes of a picture that may be tilting from the flat one to the one in space: flat up to half the way. */
export function drawAxes(context: CanvasRenderingContext2D, picture: Axes, box: Box) {
  const { space } = picture.view;
  if (space < 0.5) drawGrid(context, picture, 1 - 2 * space);
  else drawSpaceAxes(context, picture, 2 * space - 1, box);
}

/** Draw lines across the whole picture, with their numbers inside its left and lower edges. */
function drawGrid(context: CanvasRenderingContext2D, { view, frame, axes, theme }: Axes, alpha: number) {
  const { width, height } = view.plot;
  Object.assign(context, {
    font: `${AXIS_FONT}px ${theme.font}`,
    strokeStyle: theme.line,
    fillStyle: theme.ink,
    lineWidth: 1,
  });
  context.textBaseline = "bottom";
  const lowest = height - TICK_HEIGHT;
  const end = width - 1.25 * context.measureText(titleAcross(axes)).width - 30; // of the numbers: the title is larger
  for (const axis of [0, 1] as const) {
    context.textAlign = axis === 0 ? "center" : "left";
    for (const { at: exact, text } of flatTicks(view, frame, axis)) {
      const at = Math.round(exact) + 0.5;
      context.globalAlpha = alpha * (text === "0" ? 0.9 : 0.4);
      if (axis === 0) strokeLine(context, at, 0, at, lowest);
      else if (at < lowest) strokeLine(context, 0, at, width, at);
      context.globalAlpha = 0.8 * alpha;
      if (axis === 0 && at > TICK_WIDTH && at < end) context.fillText(text, at, height - 5);
      if (axis === 1 && at > CORNER + 18 && at < lowest) context.fillText(text, 8, at - 1);
    }
  }
  context.globalAlpha = 1;
}

/** The edges of the flat picture that have the ticks' numbers, which labels leave free. */
export function tickEdges({ space, plot: { width, height } }: View): Rectangle[] {
  return space < 0.5
    ? [
        [0, CORNER, TICK_WIDTH, height],
        [0, height - TICK_HEIGHT, width, TICK_HEIGHT],
      ]
    : [];
}

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

const titleAcross = ([title]: string[]) => (title.includes("→") ? title : `${title} →`);

/**
 * The titles of the axes, as labels: of the flat picture in its corners; in space each beyond the end of its axis, none
 * of an axis seen from its end.
 * @param top px of the upper corner, where tools are above it
 */
export function axisTitles({ view, axes }: Pick<Axes, "view" | "axes">, box: Box, top: number = 8): Label[] {
  const title = { look: "axis" as const, x: 0, y: 0, gap: Infinity, must: true };
  if (view.space < 0.5) {
    const { width, height } = view.plot;
    const atRight = (wide: number, high: number): Rectangle[] => [[width - wide - 8, height - high - 3, wide, high]];
    return [
      { ...title, id: "axis 0", text: titleAcross(axes), places: atRight },
      { ...title, id: "axis 1", text: `↑ ${axes[1]}`, places: (wide, high) => [[8, top, wide, high]] },
    ];
  }
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
    return [{ ...title, id: `axis ${axis}`, text, places }];
  });
}

function strokeLine(context: CanvasRenderingContext2D, x1: number, y1: number, x2: number, y2: number) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
