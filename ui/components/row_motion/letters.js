// Names as they are written: letters with a halo, lines to those that stand off, the step in the corner.

import { fillLabel } from "../_shared/text.js";
import { NARROW, strokeLine } from "../point_cloud/axes.js";
import { magnifying } from "./screen.js";
import { grouped } from "./words.js";

export function drawMotionNames(context, { shown, theme }) {
  const order = { word: 0, aside: 1, title: 1, near: 2, chosen: 3 };
  context.textBaseline = "middle";
  context.textAlign = "center";
  for (const name of [...shown.values()].sort((a, b) => order[a.look] - order[b.look])) drawName(context, name, theme);
}

export function drawLeads(context, { shown, theme }) {
  for (const name of shown.values()) if (name.look === "near") drawLead(context, name, theme);
}

function drawName(context, { text, look, box, font, size, colour, alpha }, theme) {
  const [left, top, width, height] = box;
  const [x, y] = [left + width / 2, top + height / 2 + 1];
  context.globalAlpha = alpha;
  context.font = font;
  if (look === "chosen") {
    context.beginPath();
    context.roundRect(left, top, width, height, 8);
    context.fillStyle = theme.ink;
    context.fill();
    context.fillStyle = theme.ground;
    context.fillText(text, x, y);
  } else {
    context.lineJoin = "round";
    context.strokeStyle = theme.ground;
    context.lineWidth = size > 16 ? 6 : 4.5;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillStyle = `color-mix(in srgb, ${colour} 68%, ${theme.ink})`; // letters are thinner than dots
    context.fillText(text, x, y);
  }
  context.globalAlpha = 1;
}

// A line from a word to its name, where that stands off it.
function drawLead(context, { x, y, box: [left, top, width, height], alpha }, theme) {
  const [toX, toY] = [Math.max(left, Math.min(left + width, x)), Math.max(top, Math.min(top + height, y))];
  if (Math.hypot(toX - x, toY - y) < 20) return;
  for (const [colour, wide] of [
    [theme.ground, 4],
    [theme.ink, 1.3],
  ]) {
    Object.assign(context, { globalAlpha: alpha, strokeStyle: colour, lineWidth: wide });
    strokeLine(context, [x, y, toX, toY]);
  }
  context.globalAlpha = 1;
}

// The step in large numbers in the corner; returns its box.
export function drawCounter(context, { header, time, view, theme }) {
  const { plot, space } = view;
  const narrow = plot.width < NARROW;
  const [before, after] = fillLabel(header.texts.step_of, { steps: grouped(header.n_steps) }).split("{step}");
  const sizes = (narrow ? [17, 26] : [22, 38]).map((size) => size * magnifying(plot));
  const runs = [
    [before, 500, sizes[0]],
    [grouped(time.step()), 700, sizes[1]],
    [after ?? "", 500, sizes[0]],
  ];
  let x = plot.x + 14;
  const y = plot.y + sizes[1] + 8 + 10 * space;
  context.textBaseline = "alphabetic";
  context.textAlign = "left";
  context.lineJoin = "round";
  for (const [text, weight, size] of runs) {
    context.font = `${weight} ${size}px ${theme.font}`;
    context.lineWidth = 7;
    context.strokeStyle = theme.ground;
    context.fillStyle = theme.ink;
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
    x += context.measureText(text).width;
  }
  return [plot.x, plot.y, x - plot.x + 10, y - plot.y + 14];
}
