// The names, sizes and numbers along three edges of the block, always on its outline, so that no text lies on a number.

import { fitText } from "../_shared/text.js";
import { EDGE_ON } from "./faces.js";

export function drawAxes(context, { model, camera, cut, theme, width }) {
  const narrow = width < 640;
  const centre = camera.at(model.shown.map((count, axis) => (count + cut[axis]) / 2));
  context.textBaseline = "middle";
  context.fillStyle = theme.ink;
  context.strokeStyle = theme.ink;
  [0, 1, 2].forEach((axis) => {
    const edge = outlineEdge(model, camera, cut, axis);
    if (edge) drawEdge(context, { model, camera, cut, theme, width, narrow, centre }, axis, edge);
  });
}

// One of the four edges along an axis, as the index where it starts: where a side that is seen meets one that is not.
function outlineEdge(model, camera, cut, axis) {
  const [p, q] = [0, 1, 2].filter((other) => other !== axis);
  const seen = (other, last) => (last ? camera.facing[other] < -EDGE_ON : camera.facing[other] > EDGE_ON);
  const edges = [];
  for (const lastP of [false, true]) {
    for (const lastQ of [false, true]) {
      if (seen(p, lastP) === seen(q, lastQ)) continue;
      const start = [...cut];
      if (lastP) start[p] = model.shown[p];
      if (lastQ) start[q] = model.shown[q];
      const middle = [...start];
      middle[axis] = (cut[axis] + model.shown[axis]) / 2;
      const [x, y] = camera.at(middle);
      // Names of tokens stand to the right of the front, all else below.
      const inFront = axis !== 0 && seen(0, p === 0 ? lastP : lastQ) ? 1e5 : 0;
      edges.push({ start, rank: inFront + (axis === 1 ? x : y) + (axis === 0 ? -x / 1000 : 0) });
    }
  }
  return edges.sort((a, b) => b.rank - a.rank)[0]?.start;
}

function drawEdge(context, scene, axis, start) {
  const { model, camera, cut, theme, narrow, centre } = scene;
  const end = [...start];
  end[axis] = model.shown[axis];
  const [a, b] = [camera.at(start), camera.at(end)];
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (length < 8) return; // seen from its end
  const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const out = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
  if (out[0] * (middle[0] - centre[0]) + out[1] * (middle[1] - centre[1]) < 0)
    out.forEach((part, side) => (out[side] = -part));
  const beside = Math.abs(out[0]) > 0.5;
  context.textAlign = beside ? (out[0] > 0 ? "left" : "right") : "center";

  const size = narrow ? 13 : 16;
  context.font = `${size}px ${theme.font}`;
  context.lineWidth = 1;
  let widest = 0;
  for (const k of tickIndices(cut[axis], model.shown[axis], length, axis === 1 ? size + 2 : narrow ? 30 : 40)) {
    const share = (k + 0.5 - cut[axis]) / (model.shown[axis] - cut[axis]);
    const [x, y] = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + out[0] * 6, y + out[1] * 6);
    context.stroke();
    const text = axis === 1 ? positionTick(context, scene, start, k, x, beside) : String(k);
    writeOnGround(context, theme, text, x + out[0] * 11, y + out[1] * (beside ? 11 : 17));
    widest = Math.max(widest, context.measureText(text).width);
  }
  context.font = `600 ${narrow ? 15 : 19}px ${theme.font}`;
  const title = `${model.names[axis]} · ${model.shape[axis]}`;
  const half = context.measureText(title).width / 2;
  // Along a slope the name must clear the numbers on its lower side too.
  const away = beside ? 11 + widest + 12 : (narrow ? 34 : 40) + (half * Math.abs(b[1] - a[1])) / length;
  const room = scene.width - 2 * half - 2;
  const wanted = middle[0] + out[0] * away;
  if (beside && out[0] > 0 && wanted > room) {
    // No room beside the names: above them.
    context.textAlign = "right";
    writeOnGround(context, theme, title, scene.width - 2, Math.max(10, Math.min(a[1], b[1]) - 14));
    return;
  }
  const x = context.textAlign === "center" ? Math.max(half + 2, Math.min(scene.width - half - 2, wanted)) : wanted;
  const edgeLeft = context.textAlign === "right" ? Math.max(2 * half + 2, x) : x;
  writeOnGround(context, theme, title, edgeLeft, middle[1] + out[1] * away);
}

// Text that stays legible where a dashed line runs behind it.
function writeOnGround(context, { ground, ink }, text, x, y) {
  context.lineWidth = 5;
  context.lineJoin = "round";
  context.strokeStyle = ground;
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
  context.lineWidth = 1;
  context.strokeStyle = ink;
}

// The token beside its place, as far as there is room: the row of the batch that the edge belongs to has it.
function positionTick(context, { model, cut, width }, start, k, x, beside) {
  if (!beside) return String(k);
  const row = start[0] === cut[0] ? cut[0] : model.shown[0] - 1;
  return fitText(context, `${k} ${model.tokens[row][k]}`, Math.max(24, Math.min(150, width - x - 14)));
}

// From the first that is left to the last, every one or every second, fourth, eighth.
function tickIndices(first, count, length, room) {
  const each = length / (count - first);
  let step = 1;
  while (step * each < room) step *= 2;
  const ticks = [first];
  for (let k = (Math.floor(first / step) + 1) * step; k < count; k += step) {
    if ((k - first) * each >= room) ticks.push(k);
  }
  const last = count - 1;
  if (ticks.at(-1) !== last) {
    if (ticks.length > 1 && (last - ticks.at(-1)) * each < room) ticks.pop();
    if ((last - ticks.at(-1)) * each >= room) ticks.push(last);
  }
  return ticks;
}
