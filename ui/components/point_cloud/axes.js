// The flat picture's ground: gridlines with one scale for both axes, lines through zero, ticks, titles.

import { fitText } from "../_shared/text.js";
import { niceStep, tickMarks, unproject } from "./camera.js";

export const AXIS_FONT = 15;
export const NARROW = 560; // pixels, less than which there is little room for words

// Where points are drawn: the flat picture leaves room for ticks and titles, the turned one carries them inside.
export function plotArea(width, height, space) {
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

export function drawFlatAxes(context, view, frame, axes, theme, alpha) {
  const { plot, scale } = view;
  const perUnit = scale * frame.scale; // pixels for one unit of the coordinates
  const step = niceStep(1, perUnit, plot.width < 500 ? 64 : 92);
  const corner = unproject(view, plot.x, plot.y + plot.height);
  const other = unproject(view, plot.x + plot.width, plot.y);
  context.save();
  context.globalAlpha = alpha;
  context.font = `${AXIS_FONT}px ${theme.font}`;
  context.strokeStyle = theme.line;
  for (const axis of [0, 1]) {
    const [low, high] = [corner[axis], other[axis]].map((at) => at / frame.scale + frame.centre[axis]);
    for (const { value, text } of tickMarks(low, high, step)) {
      const away = (value - low) * perUnit;
      const at = Math.round(axis === 0 ? plot.x + away : plot.y + plot.height - away) + 0.5;
      context.globalAlpha = alpha * (text === "0" ? 1 : 0.38);
      context.lineWidth = text === "0" ? 1.6 : 1;
      strokeLine(context, axis === 0 ? [at, plot.y, at, plot.y + plot.height] : [plot.x, at, plot.x + plot.width, at]);
      context.globalAlpha = alpha;
      context.fillStyle = theme.ink;
      context.textAlign = axis === 0 ? "center" : "right";
      context.textBaseline = axis === 0 ? "top" : "middle";
      if (axis === 0) context.fillText(text, at, plot.y + plot.height + 8);
      else if (at > plot.y + 6 && at < plot.y + plot.height - 4) context.fillText(text, plot.x - 8, at);
    }
  }
  context.lineWidth = 1;
  context.strokeRect(
    Math.round(plot.x) + 0.5,
    Math.round(plot.y) + 0.5,
    Math.round(plot.width) - 1,
    Math.round(plot.height) - 1,
  );
  context.font = `600 ${AXIS_FONT + 2}px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(fitText(context, axes[0], plot.width), plot.x + plot.width / 2, plot.y + plot.height + 58);
  context.translate(16, plot.y + plot.height / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "middle";
  context.fillText(fitText(context, axes[1], plot.height), 0, 0);
  context.restore();
}

export function strokeLine(context, [x1, y1, x2, y2]) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
