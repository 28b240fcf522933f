// One picture: how each point looks now, and the three layers that are laid over each other.

import { fitCanvas } from "../_shared/elements.js";
import { sameBytes } from "../_shared/payload.js";
import { fillLabel } from "../_shared/text.js";
import { drawFlatAxes, plotArea } from "./axes.js";
import { drawBoxAxes } from "./box.js";
import { project, viewOf } from "./camera.js";
import { webglPainter } from "./gl.js";
import { LANDMARK_HEIGHT } from "./landmarks.js";
import { drawMarks } from "./marks.js";
import { NAME_HEIGHT } from "./names.js";
import { DIM, depthsOf, drawOrder, FRONT, PLAIN } from "./order.js";
import { freshCanvas } from "./parts.js";
import { pathSpots } from "./path.js";
import { plainPainter } from "./plain.js";
import { drawRegion } from "./region.js";
import { grouped } from "./words.js";

// Decides, after a change, which points stand out, which step back, and who is named.
export function restyle(cloud) {
  const { header, model, chosen, tints } = cloud;
  cloud.neighbours = chosen !== null && header.chosen === chosen ? header.neighbours : [];
  const mask = cloud.marked ?? cloud.foundMask;
  const dim = mask !== null || chosen !== null;
  const states = new Uint8Array(tints.length).fill(dim ? DIM : PLAIN);
  cloud.crowdOnly = !dim;
  let front = 0;
  for (let at = 0; mask && at < states.length; at += 1) {
    if (!mask[at]) continue;
    states[at] = FRONT;
    front += 1;
  }
  for (const [index] of cloud.neighbours) states[index] = FRONT;
  cloud.front = front;
  cloud.found = cloud.marked ? firstMarked(cloud.marked) : (header.found ?? []);
  if (!sameBytes(cloud.states, states)) [cloud.states, cloud.orderedFor] = [states, null];
  cloud.parts.marked.hidden = !cloud.marked;
  cloud.parts.markedText.textContent = fillLabel(header.labels.marked, { count: grouped(front) });
  if (model && cloud.hovered !== null && cloud.hovered >= model.count) cloud.hovered = null;
  cloud.schedule();
}

function firstMarked(marked) {
  const first = [];
  for (let at = 0; at < marked.length && first.length < 240; at += 1) if (marked[at]) first.push(at);
  return first;
}

export function drawCloud(cloud) {
  const { parts, camera, model, header, theme } = cloud;
  const [width, height] = [parts.stage.clientWidth, parts.stage.clientHeight];
  if (!width || !height) return;
  const plot = plotArea(width, height, camera.space);
  const view = (cloud.view = viewOf(camera, plot));
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const scene = model && sceneOf(cloud, { width, height, ratio });
  // Under a moving pointer only the marks change.
  if (!sameScene(cloud.drawn, { ...scene, header, theme, width, height, ratio, painter: cloud.painter })) {
    cloud.drawn = { ...scene, header, theme, width, height, ratio, painter: cloud.painter };
    cloud.pickable = null;
    cloud.written = drawGround(fitCanvas(parts.ground, width, height), cloud, width, height);
    if (scene) cloud.painter.draw(scene);
  }
  const marks = fitCanvas(parts.marks, width, height);
  marks.clearRect(0, 0, width, height);
  if (model) drawCloudMarks(cloud, marks);
  if (cloud.region) drawRegion(marks, cloud.region, theme);
  // Where points and names are, for tests.
  tell(parts.root, "view", { ...view, busy: cloud.motions.busy || cloud.landmarks.due });
  const { placed, crowd } = (model && cloud.named) || { placed: [], crowd: [] };
  tell(
    parts.root,
    "landmarks",
    crowd.map(({ index, left, top, width }) => [index, left, top, width, LANDMARK_HEIGHT]),
  );
  tell(
    parts.root,
    "names",
    placed.map(({ text, look, left, top, width }) => [text, look, left, top, width, NAME_HEIGHT]),
  );
  tell(parts.root, "written", cloud.written);
}

function tell(root, name, value) {
  const told = JSON.stringify(value);
  if (root.dataset[name] !== told) root.dataset[name] = told;
}

// Whether two scenes look the same: arrays by identity, since they are never changed in place, and numbers by value.
function sameScene(before, after) {
  if (!before) return false;
  const plain = ({ view, style, theme }) => JSON.stringify([view, style, theme]);
  const rest = (scene) => Object.entries(scene).filter(([name]) => !["view", "style", "theme"].includes(name));
  return rest(after).every(([name, value]) => before[name] === value) && plain(before) === plain(after);
}

// Returns the boxes [left, top, width, height] of what is written inside the picture.
export function drawGround(context, { model, camera, view, header, theme, box }, width, height) {
  context.clearRect(0, 0, width, height);
  const frame = model?.frame ?? { centre: [0, 0, 0], scale: 1, low: [-1, -1, -1], high: [1, 1, 1] };
  const [flat, turned] = [1 - 2 * camera.space, 2 * camera.space - 1];
  if (flat > 0) drawFlatAxes(context, view, frame, header.axes, theme, flat);
  return turned > 0 ? drawBoxAxes(context, view, frame, header.axes, theme, turned, box ?? frame) : [];
}

export function sceneOf(cloud, size) {
  const { model, tints, states, palette, view } = cloud;
  const key = view.space > 0 ? view.turn.join() : "flat";
  if (cloud.orderedFor !== `${key}|${model.fingerprint}`) {
    cloud.orderedFor = `${key}|${model.fingerprint}`;
    cloud.order = drawOrder(model.count, states, view.space > 0 ? depthsOf(model.spots, model.count, view) : null);
  }
  const style = styleOf(cloud);
  cloud.crowdRadius = style.diameters[PLAIN] / 2;
  const { from, share, order } = cloud;
  return { ...size, spots: model.spots, from, share, count: model.count, tints, states, order, view, palette, style };
}

// Alpha of what steps back, as a share of what it was: it keeps its colour, so that the legend still says something. The
// colours of kinds are stronger than most of a gradient's.
const RECEDING = { gradient: 0.42, kinds: 0.28 };

// Fewer points are larger, and nearer ones too; many are a little transparent, so that crowds are darker.
function styleOf({ model, header, view, front, theme }) {
  const area = view.plot.width * view.plot.height;
  const sized = (count, most) => Math.max(2.7, Math.min(most, 0.95 * Math.sqrt(area / Math.max(1, count))));
  const grown = Math.min(16 / sized(model.count, 11), view.zoom ** 0.35);
  const plain = sized(model.count, 11) * Math.max(0.8, grown);
  // Under the line of a text the crowd steps back a little.
  const full = Math.max(0.5, Math.min(0.92, 1.22 - 0.14 * Math.log10(model.count)));
  const alpha = full * (header.path.length ? 0.55 : 1);
  const receding = full * (header.legend.gradient ? RECEDING.gradient : RECEDING.kinds);
  const few = front < 1500; // a rim parts them from the crowd; around many it would be all that one sees
  const stand = few ? Math.max(plain * 1.2, sized(30 * front, 10)) + 1.5 : plain * 1.1;
  return {
    diameters: [plain, plain * 0.9, stand],
    alphas: [Math.min(0.92, alpha * Math.max(1, view.zoom) ** 0.1), receding, few ? 0.95 : Math.max(0.75, alpha)],
    rim: few ? 1.5 : 0,
    rimColour: rgbOf(theme.ink),
  };
}

export function drawCloudMarks(cloud, context) {
  const { model, header, view, from, share, palette, tints } = cloud;
  const spotOf = (index) => {
    const at = 3 * index;
    const to = [model.spots[at], model.spots[at + 1], model.spots[at + 2]];
    return from ? to.map((value, axis) => from[at + axis] + (value - from[at + axis]) * share) : to;
  };
  const tint = (index) => `rgb(${palette.subarray(4 * tints[index], 4 * tints[index] + 3).join(" ")})`;
  let path = pathSpots(header.path, model.frame, cloud.mix);
  if (cloud.pathFrom?.length === path.length)
    path = path.map((spot, index) =>
      spot.map((value, axis) => cloud.pathFrom[index][axis] + (value - cloud.pathFrom[index][axis]) * share),
    );
  cloud.pathNow = path;
  cloud.pathScreen = path.map((spot) => project(view, spot));
  cloud.screen = (index) => project(view, spotOf(index)).slice(0, 2);
  cloud.named = drawMarks(context, { ...cloud, tint });
}

export function paletteBytes(palette) {
  const bytes = new Uint8Array(4 * 256);
  palette.forEach((colour, index) => bytes.set([...rgbOf(colour), 255], 4 * index));
  return bytes;
}

// Any colour that a theme may write, as three numbers.
function rgbOf(colour) {
  if (/^#[0-9a-f]{6}$/i.test(colour)) return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
}

// Gives the cloud what draws its points, and another one when WebGL is lost or comes back; returns what ends that.
export function keepPainter(cloud) {
  let live = true;
  const take = (painter) => {
    cloud.painter = painter;
    cloud.parts.root.dataset.painter = painter.name;
    cloud.schedule();
  };
  const best = () => {
    const canvas = freshCanvas(cloud.parts);
    const painter = webglPainter(canvas);
    if (!painter) return take(plainPainter(freshCanvas(cloud.parts)));
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      if (live) take(plainPainter(freshCanvas(cloud.parts)));
    });
    canvas.addEventListener("webglcontextrestored", () => live && best());
    take(painter);
  };
  best();
  return () => {
    live = false;
    cloud.painter.release();
  };
}
