// One picture of the moving words: which of them stand out, where they are on the screen, the layers in order.

import { fitCanvas } from "../_shared/elements.js";
import { showTip } from "../_shared/tip.js";
import { drawFlatAxes, plotArea } from "../point_cloud/axes.js";
import { drawBoxAxes } from "../point_cloud/box.js";
import { viewOf } from "../point_cloud/camera.js";
import { isStill } from "./clock.js";
import { boxOfPlaces } from "./held.js";
import { layNames } from "./lay.js";
import { drawCounter, drawLeads, drawMotionNames } from "./letters.js";
import { NONE, placesAt } from "./model.js";
import { drawPoints, drawRing } from "./points.js";
import { BACK, EVEN, FAINT, FIRST, NEAR, screenOf, screenPlaces } from "./screen.js";
import { drawPaths, drawTails } from "./trails.js";
import { describeMotion, showTime, wordLines } from "./words.js";

const GROW_SECONDS = 0.35; // how fast the axes give way to words that go farther than any before

function looksOf({ model, chosen, neighbours, focus }) {
  const quiet = chosen !== null || focus !== null;
  const looks = new Uint8Array(model.count);
  for (let at = 0; at < model.count; at += 1) {
    const faint = model.hasKinds && model.groups[at] === NONE;
    const lit =
      focus &&
      chosen === null &&
      (focus.kind === undefined ? model.groups[at] === focus.group : model.kindOf[at] === focus.kind);
    looks[at] = lit ? NEAR : faint ? FAINT : quiet ? BACK : EVEN;
  }
  for (const [index] of neighbours) looks[index] = NEAR;
  if (chosen !== null) looks[chosen] = FIRST;
  return looks;
}

export function drawMotion(motion, seconds) {
  const { parts, model, theme, camera } = motion;
  const [width, height] = [parts.stage.clientWidth, parts.stage.clientHeight];
  if (!width || !height || !model) return;
  growBox(motion, seconds);
  const plot = plotArea(width, height, camera.space);
  const view = (motion.view = viewOf(camera, plot));
  const ground = JSON.stringify([view, motion.frame, motion.header.axes, theme, window.devicePixelRatio]);
  if (motion.drawnGround !== ground) {
    motion.drawnGround = ground;
    motion.ticked = drawMotionGround(fitCanvas(parts.ground, width, height), motion, width, height);
  }
  const context = fitCanvas(parts.canvas, width, height);
  context.clearRect(0, 0, width, height);
  drawMotionMarks(context, motion, seconds);
  showTime(motion);
  describeMotion(motion);
  const told = motion.hovered !== null && motion.hovered !== motion.chosen; // the chosen word has its name beside it
  showTip(parts, told ? wordLines(motion, motion.hovered) : null, ...(told ? screenOf(motion, motion.hovered) : []));
  tellMotion(motion);
}

// What tests look at.
function tellMotion(motion) {
  const { parts, clock, time, chosen, focus, shown, view, frame } = motion;
  const written = [...shown.values()]
    .filter(({ alpha }) => alpha > 0.5)
    .map(({ text, look, box }) => [text, look, ...box.map(Math.round)]);
  const spot = chosen === null ? null : screenOf(motion, chosen);
  parts.root.dataset.step = String(time.step());
  parts.root.dataset.busy = String(Boolean(motion.fading || motion.growing || clock.mode !== "rest"));
  parts.root.dataset.view = JSON.stringify({
    mode: clock.mode,
    chosen,
    focus,
    spot,
    written,
    middle: view.middle,
    centre: frame.centre,
    perUnit: view.scale * frame.scale,
  });
}

// The axes hold every place of every step that is there, and give way smoothly while steps still come; or they hold the
// places of the moment, if the reader wants them to.
function growBox(motion, seconds) {
  const wanted = motion.fit ? boxOfPlaces(placesAt(motion.model, motion.clock.time)) : motion.model.box;
  const before = motion.box;
  const share = before && !isStill() ? 1 - Math.exp(-seconds / GROW_SECONDS) : 1;
  const towards = (end) =>
    wanted[end].map((value, axis) => (before ? before[end][axis] + (value - before[end][axis]) * share : value));
  motion.box = { low: towards("low"), high: towards("high") };
  const span = Math.max(...wanted.high.map((high, axis) => high - wanted.low[axis])) || 1;
  const off = Math.max(
    ...["low", "high"].flatMap((end) => wanted[end].map((value, axis) => Math.abs(value - motion.box[end][axis]))),
  );
  motion.growing = off > span * 1e-3;
  if (!motion.growing) motion.box = wanted;
  const { low, high } = motion.box;
  const centre = low.map((value, axis) => (value + high[axis]) / 2);
  const half = Math.max(...high.map((value, axis) => value - centre[axis])) || 1;
  const reach = high.map((value, axis) => (value - centre[axis]) / half);
  motion.frame = { centre, scale: 1 / half, low: reach.map((value) => -value), high: reach };
  motion.camera.box = { low: motion.frame.low, high: reach };
}

// Returns the boxes of ticks and titles that stand in the picture itself.
export function drawMotionGround(context, { camera, view, frame, header, theme }, width, height) {
  context.clearRect(0, 0, width, height);
  const [flat, turned] = [1 - 2 * camera.space, 2 * camera.space - 1];
  if (flat > 0) drawFlatAxes(context, view, frame, header.axes, theme, flat);
  return turned > 0 ? drawBoxAxes(context, view, frame, header.axes, theme, turned, frame) : [];
}

export function drawMotionMarks(context, motion, seconds) {
  const { model, clock, view } = motion;
  const { plot } = view;
  motion.places = glidePlaces(motion, placesAt(model, clock.time));
  motion.screen = screenPlaces(motion, motion.places);
  motion.looks = looksOf(motion);
  context.save();
  context.beginPath();
  context.rect(plot.x, plot.y, plot.width, plot.height);
  context.clip();
  const trails = motion.trails && !motion.from;
  if (trails) drawTails(context, motion);
  drawPoints(context, motion, [FAINT, BACK, EVEN]);
  if (trails) drawPaths(context, motion);
  layNames(context, motion, drawCounter(context, motion), seconds);
  drawLeads(context, motion);
  drawPoints(context, motion, [NEAR, FIRST]);
  drawRing(context, motion);
  drawMotionNames(context, motion);
  context.restore();
}

// On the way from where the words were along other axes.
function glidePlaces({ from, share }, to) {
  return from ? to.map((value, at) => from[at] + (value - from[at]) * share) : to;
}
