// One picture of the moving words: which of them stand out, where they are on the screen, the layers in order.

import { clipped, isStill } from "../../_shared/canvas.ts";
import { deviceRatio, fitCanvas } from "../../_shared/elements.ts";
import { showTip } from "../../_shared/tip.ts";
import { drawGround, plotArea } from "../axes.ts";
import { type View, viewOf } from "../camera.ts";
import { growBox, type Header, type MotionModel, placesAt } from "../frames.ts";
import { blend, boxOf, type Frame, frameOf } from "../model.ts";
import { tell } from "../scatter.ts";
import {
  BACK,
  drawDots,
  drawRings,
  drawTails,
  drawWays,
  EVEN,
  FAINT,
  FIRST,
  looksOf,
  NEAR,
  onScreen,
  screenOf,
} from "../trails.ts";
import { showTransport } from "../transport.ts";
import type { Motion } from "./index.ts";
import { drawCounter, drawLeads, drawMotionNames, layNames } from "./names.ts";
import { describeMotion, wordLines } from "./words.ts";

export type Ready = Motion & { header: Header; model: MotionModel };
export type Drawn = Ready & { view: View; frame: Frame };

const GROW_SECONDS = 0.35; // how fast the axes give way to words that go farther than any before

/** Whether words and steps are here. */
export const isReady = (motion: Motion): motion is Ready => motion.header !== null && motion.model !== null;

/** Whether they have been drawn. */
export const isDrawn = (motion: Motion): motion is Drawn =>
  isReady(motion) && motion.view !== null && motion.frame !== null;

/** @param seconds since it was drawn last */
export function drawMotion(motion: Ready, seconds: number) {
  const { parts, header, theme, camera, transport, chosen, hovered } = motion;
  const [width, height] = [parts.stage.clientWidth, parts.stage.clientHeight];
  if (!width || !height) return;
  fitBox(motion, seconds);
  motion.view = viewOf(camera, plotArea(width, height, camera.space));
  if (!isDrawn(motion)) return;
  const ground = JSON.stringify([motion.view, motion.frame, header.axes, theme, deviceRatio()]);
  if (motion.drawnGround !== ground) {
    motion.drawnGround = ground;
    const lines = fitCanvas(parts.ground, width, height);
    lines.clearRect(0, 0, width, height);
    motion.written = drawMotionGround(lines, motion);
  }
  const context = fitCanvas(parts.marks, width, height);
  context.clearRect(0, 0, width, height);
  drawMotionMarks(context, motion, seconds);
  showTransport(parts.transport, transport, motion, motion.view.plot.width);
  describeMotion(motion);
  const named = hovered !== null && hovered !== chosen ? hovered : null; // the chosen word has its name beside it
  const [x, y] = named === null ? [] : screenOf(motion, named);
  showTip(parts, named === null ? null : wordLines(motion, named), x, y);
  tellDrawn(motion);
}

function tellDrawn(motion: Drawn) {
  const { parts, transport, chosen, focus, nameplates, view, frame } = motion;
  const { mode } = transport.clock;
  const names = [...nameplates.values()].filter(({ alpha }) => alpha > 0.5);
  parts.root.dataset.mode = mode;
  parts.root.dataset.step = String(transport.step());
  parts.root.dataset.busy = String(motion.fading || motion.growing || mode !== "rest");
  tell(parts.root, "view", {
    mode,
    chosen,
    focus,
    spot: chosen === null ? null : screenOf(motion, chosen),
    written: names.map(({ text, look, box }) => [text, look, ...box.map(Math.round)]),
    middle: view.middle,
    centre: frame.centre,
    perUnit: view.scale * frame.scale,
  });
}

/**
 * The axes hold every place of every step that is there, and give way smoothly while steps still come; or they hold the
 * places of the moment, if the reader wants them to.
 */
function fitBox(motion: Ready, seconds: number) {
  const { model, transport, camera } = motion;
  const wanted = motion.fit ? boxOf(placesAt(model, transport.clock.time), 3) : model.box;
  const share = isStill() ? 1 : 1 - Math.exp(-seconds / GROW_SECONDS);
  Object.assign(motion, growBox(motion.box, wanted, share));
  motion.frame = frameOf(motion.box ?? wanted);
  camera.box = motion.frame;
}

/** Returns the boxes of ticks and titles that stand in the picture itself. */
export const drawMotionGround = (context: CanvasRenderingContext2D, { view, frame, header, theme }: Drawn) =>
  drawGround(context, { view, frame, axes: header.axes, theme }, frame);

/** @param seconds since it was drawn last */
export function drawMotionMarks(context: CanvasRenderingContext2D, motion: Drawn, seconds: number) {
  const { model, transport, from, share } = motion;
  const to = placesAt(model, transport.clock.time);
  motion.places = from ? blend(from, to, share) : to; // on the way from where the words were along other axes
  motion.screen = onScreen(motion, motion.places);
  motion.looks = looksOf(motion);
  const trails = motion.trails && !from;
  clipped(context, motion.view.plot, () => {
    if (trails) drawTails(context, motion);
    drawDots(context, motion, [FAINT, BACK, EVEN]);
    if (trails) drawWays(context, motion);
    layNames(context, motion, drawCounter(context, motion), seconds);
    drawLeads(context, motion);
    drawDots(context, motion, [NEAR, FIRST]);
    drawRings(context, motion);
    drawMotionNames(context, motion);
  });
}
