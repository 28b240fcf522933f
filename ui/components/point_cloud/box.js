// The turned picture's ground: the three far faces of a box around the points, with gridlines, ticks and titles.

import { AXIS_FONT, strokeLine } from "./axes.js";
import { niceStep, project, tickMarks } from "./camera.js";

// The box in the units of the points, a little larger than what it holds and never flat.
function boxToDraw({ low, high }) {
  const most = Math.max(0.2, ...high.map((value, axis) => value - low[axis]));
  return low.map((value, axis) => {
    const half = Math.max((high[axis] - value) / 2, most * 0.12) * 1.06;
    const middle = (value + high[axis]) / 2;
    return [middle - half, middle + half];
  });
}

// Returns the boxes [left, top, width, height] of ticks and titles.
export function drawBoxAxes(context, view, frame, axes, theme, alpha, box) {
  const sides = boxToDraw(box);
  const others = [
    [1, 2],
    [0, 2],
    [0, 1],
  ];
  // Of each pair of faces one looks at the reader; the other one is behind the points.
  const behind = sides.map((side, axis) => side[view.turn[6 + axis] > 0 ? 0 : 1]);
  const longest = Math.max(...sides.map(([low, high]) => high - low)) / frame.scale;
  const step = niceStep(longest, 9, 1);
  const ticks = sides.map((side, axis) => {
    const [low, high] = side.map((at) => at / frame.scale + frame.centre[axis]);
    return tickMarks(low, high, step).map(({ value, text }) => ({
      at: (value - frame.centre[axis]) * frame.scale,
      text,
    }));
  });
  context.save();
  context.strokeStyle = theme.line;
  for (const axis of [0, 1, 2]) {
    const line = (place, other) => {
      const from = [...behind];
      const to = [...behind];
      from[axis] = to[axis] = place;
      [from[other], to[other]] = sides[other];
      strokeLine(context, [...project(view, from).slice(0, 2), ...project(view, to).slice(0, 2)]);
    };
    for (const other of others[axis]) {
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
  const heart = project(
    view,
    sides.map(([low, high]) => (low + high) / 2),
  );
  const edges = [0, 1, 2].map((axis) => edgeOf(view, { axis, others: others[axis], sides, heart })).filter(Boolean);
  const written = edges.flatMap((edge) => writeTicks(context, edge, ticks[edge.axis], theme));
  for (const edge of edges) written.push(writeTitle(context, view, edge, axes[edge.axis] ?? "", written, theme));
  context.restore();
  return written;
}

// The edge of an axis that lies on the outline of the box, below or to the left; null where it is seen from its end.
function edgeOf(view, { axis, others, sides, heart }) {
  const placeAt = (corner, at) => {
    const spot = [0, 0, 0];
    spot[axis] = at;
    others.forEach((other, index) => (spot[other] = sides[other][corner[index]]));
    return project(view, spot);
  };
  const front = (corner) => others.map((other, index) => view.turn[6 + other] * (corner[index] ? 1 : -1) > 0);
  const edges = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ].filter((corner) => front(corner)[0] !== front(corner)[1]);
  const [low, high] = sides[axis];
  const middles = edges.map((corner) => placeAt(corner, (low + high) / 2));
  const [start, end] = [placeAt(edges[0], low), placeAt(edges[0], high)];
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  if (length < 46) return null;
  const upright = Math.abs(end[1] - start[1]) > Math.abs(end[0] - start[0]);
  const chosen = upright ? (middles[0][0] < middles[1][0] ? 0 : 1) : middles[0][1] > middles[1][1] ? 0 : 1;
  // Outwards: at a right angle to the edge, away from the middle of the box.
  let out = [(end[1] - start[1]) / length, -(end[0] - start[0]) / length];
  if (out[0] * (middles[chosen][0] - heart[0]) + out[1] * (middles[chosen][1] - heart[1]) < 0)
    out = out.map((part) => -part);
  const top = placeAt(edges[chosen], view.turn[3 + axis] > 0 ? high : low);
  return { axis, length, upright, out, top, middle: middles[chosen], place: (at) => placeAt(edges[chosen], at) };
}

function writeTicks(context, { length, out: [outX, outY], place }, ticks, theme) {
  context.textBaseline = "middle";
  context.textAlign = Math.abs(outX) < 0.35 ? "center" : outX < 0 ? "right" : "left";
  context.font = `${AXIS_FONT}px ${theme.font}`;
  const room = Math.max(1, Math.ceil(34 / (length / Math.max(1, ticks.length))));
  return ticks
    .filter((_, index) => index % room === 0)
    .map(({ at, text }) => {
      const [x, y] = place(at);
      haloText(context, text, x + outX * 12, y + outY * 14, theme);
      return textBox(context, text, x + outX * 12, y + outY * 14);
    });
}

// Beyond the ticks, and as much farther out as it takes to lie on none of them.
function writeTitle(context, { plot }, { upright, out: [outX, outY], top, middle: [x, y] }, title, taken, theme) {
  context.textBaseline = "middle";
  context.textAlign = "center";
  context.font = `600 ${AXIS_FONT + 2}px ${theme.font}`;
  const half = context.measureText(title).width / 2;
  const inside = (value, most, margin) => Math.max(margin, Math.min(most - margin, value));
  const [toX, toY] = upright
    ? [top[0], top[1] - 18]
    : [x + outX * (40 + Math.abs(outX) * Math.min(half, 70)), y + outY * 42];
  const [stepX, stepY] = upright ? [0, -6] : [outX * 6, outY * 6];
  const spotAt = (steps) => [
    inside(toX + steps * stepX, plot.width, half + 6),
    inside(toY + steps * stepY, plot.height, 13),
  ];
  const isFree = (spot) => {
    const [left, upper, width, height] = textBox(context, title, ...spot);
    return !taken.some(
      ([otherLeft, otherUpper, otherWidth, otherHeight]) =>
        left < otherLeft + otherWidth + 6 &&
        otherLeft < left + width + 6 &&
        upper < otherUpper + otherHeight &&
        otherUpper < upper + height,
    );
  };
  const spots = Array.from({ length: 16 }, (_, steps) => spotAt(steps));
  const spot = spots.find(isFree) ?? spots[0];
  haloText(context, title, ...spot, theme);
  return textBox(context, title, ...spot);
}

// What a text takes of the picture: [left, top, width, height].
function textBox(context, text, x, y) {
  const { width } = context.measureText(text);
  return [
    x - { left: 0, center: 0.5, right: 1 }[context.textAlign] * width,
    y - AXIS_FONT / 2 - 2,
    width,
    AXIS_FONT + 4,
  ];
}

export function haloText(context, text, x, y, theme) {
  context.strokeStyle = theme.ground;
  context.lineWidth = 5;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}
