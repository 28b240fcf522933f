// One picture of the moving words: which of them stand out, where they are on the screen, the layers in order.

import { prefersReducedMotion } from "../../_shared/canvas.ts";
import { deviceRatio, sizeCanvas } from "../../_shared/elements.ts";
import { countText } from "../../_shared/numbers.ts";
import { fillLabel } from "../../_shared/text.ts";
import { axisTitles, drawAxes, tickEdges } from "../axes.ts";
import { type View, viewOf } from "../camera.ts";
import { growBox, type Header, type MotionModel, placesAt } from "../frames.ts";
import { drawLeaders, glideLabels, placeLabels, type Rectangle, showLabels } from "../labels.ts";
import { blend, boxOf, type Frame, frameOf } from "../model.ts";
import { exposeForTests, showTip } from "../scatter.ts";
import { showTransport } from "../transport.ts";
import type { Motion } from "./index.ts";
import { type Cluster, drawRegions, groupClusters, motionLabels } from "./names.ts";
import { drawRings, drawTails, drawWays, magnifying, onScreen, screenOf, wordScene, wordStates } from "./trails.ts";
import { describeMotion, wordLines } from "./words.ts";

export type Ready = Motion & { header: Header; model: MotionModel };
export type Drawn = Ready & { view: View; frame: Frame };

const LABEL_SECONDS = 0.2; // how fast a cluster's name glides to another side of it
const GROW_SECONDS = 0.35; // how fast the axes give way to words that go farther than any before

/** Whether words and steps are here. */
export const isReady = (motion: Motion): motion is Ready => motion.header !== null && motion.model !== null;

/** Whether they have been drawn. */
export const isDrawn = (motion: Motion): motion is Drawn =>
  isReady(motion) && motion.view !== null && motion.frame !== null;

/** @param seconds since it was drawn last */
export function drawMotion(motion: Ready, seconds: number) {
  const { parts, header, model, theme, camera, transport, chosen, hovered, from, share } = motion;
  fitBox(motion, seconds);
  const [width, height] = [parts.stage.clientWidth, parts.stage.clientHeight];
  if (!width || !height) return;
  motion.view = viewOf(camera, { x: 0, y: 0, width, height });
  if (!isDrawn(motion)) return;
  const { view } = motion;
  motion.lit = motion.focus ?? motion.pointed;
  const to = placesAt(model, transport.clock.time);
  motion.places = from ? blend(from, to, share) : to; // on the way from where the words were along other axes
  motion.screen = onScreen(motion, motion.places);
  motion.states = wordStates(motion);

  const ground = sizeCanvas(parts.ground, width, height);
  ground.clearRect(0, 0, width, height);
  drawAxes(ground, { view, frame: motion.frame, axes: header.axes, theme }, motion.frame);
  const clusters = chosen === null && model.hasKinds ? groupClusters(motion) : [];
  drawRegions(ground, motion, clusters);
  placeMotionLabels(motion, clusters, seconds);
  const hasTrails = motion.trails && !from;
  if (hasTrails) drawTails(ground, motion);
  drawLeaders(ground, motion.labels, theme.ink);
  motion.painter.draw(wordScene(motion, { width, height, ratio: Math.min(deviceRatio(), 2) }));
  const marks = sizeCanvas(parts.marks, width, height);
  marks.clearRect(0, 0, width, height);
  if (hasTrails) drawWays(marks, motion);
  drawRings(marks, motion);

  showTransport(parts.transport, transport, motion, view.plot.width);
  describeMotion(motion);
  const named = hovered !== null && hovered !== chosen ? hovered : null; // the chosen word has its name beside it
  if (named === null) showTip(motion, null);
  else showTip(motion, wordLines(motion, named), screenOf(motion, named));
  exposeState(motion);
}

/** @param seconds since it was drawn last */
function placeMotionLabels(motion: Drawn, clusters: Cluster[], seconds: number) {
  const { parts, view, header, transport, theme, chosen } = motion;
  const { plot } = view;
  const scale = magnifying(plot);
  const [before, after] = fillLabel(header.texts.step_of, { steps: countText(header.n_steps) }).split("{step}");
  const [number, ...texts] = [countText(transport.step()), before, after ?? ""];
  const { counter } = parts;
  if (counter.dataset.step !== `${before}${number}`) {
    counter.dataset.step = `${before}${number}`;
    counter.replaceChildren(texts[0], Object.assign(document.createElement("b"), { textContent: number }), texts[1]);
  }
  const { offsetLeft: left, offsetHeight: high } = counter;
  const obstacles: Rectangle[] = [[left, 0, plot.width - left, high + 10], ...tickEdges(view)];
  if (chosen !== null) {
    const [x, y] = screenOf(motion, chosen);
    obstacles.push([x - 14, y - 14, 28, 28]);
  }
  const isMoving = transport.mode !== "rest" || motion.growing || motion.from !== null;
  // While words move a label keeps its place as long as it can; at rest equal steps have equal labels.
  const room = { plot, blocked: obstacles, before: isMoving ? motion.placed : [] };
  motion.placed = placeLabels(
    [...axisTitles({ view, axes: header.axes }, motion.frame), ...motionLabels(motion, clusters)],
    room,
    motion.textWidth(theme.font, scale),
    scale,
  );
  const share = prefersReducedMotion() ? 1 : 1 - Math.exp(-seconds / LABEL_SECONDS);
  Object.assign(motion, glideLabels(motion.placed, motion.labels, share));
  showLabels(parts.labels, motion.labels, plot, scale);
}

function exposeState(motion: Drawn) {
  const { parts, transport, chosen, focus, labels, view, frame } = motion;
  const { mode } = transport;
  parts.root.dataset.mode = mode;
  parts.root.dataset.step = String(transport.step());
  parts.root.dataset.busy = String(motion.growing || motion.gliding || mode !== "rest");
  exposeForTests(parts.root, "view", {
    mode,
    chosen,
    focus,
    spot: chosen === null ? null : screenOf(motion, chosen),
    written: labels.map(({ text, look, box }) => [text, look, ...box.map(Math.round)]),
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
  const share = prefersReducedMotion() ? 1 : 1 - Math.exp(-seconds / GROW_SECONDS);
  Object.assign(motion, growBox(motion.box, wanted, share));
  motion.frame = frameOf(motion.box ?? wanted);
  camera.box = motion.frame;
}
