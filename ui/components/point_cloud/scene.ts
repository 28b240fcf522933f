// One picture of points: how each looks now, and the layers that are laid over each other.

import { deviceRatio, sizeCanvas } from "../_shared/elements.ts";
import { countText } from "../_shared/numbers.ts";
import { sameBytes } from "../_shared/payload.ts";
import { fillLabel } from "../_shared/text.ts";
import { drawAxes } from "./axes.ts";
import { boundedZoom, depthsOf, glideCamera, type Plot, poseOf, project, type View, viewOf } from "./camera.ts";
import { densityContours, drawCells, drawContours, poseFacing, visibleWindow } from "./density.ts";
import { rgbOf, type Scene } from "./gl.ts";
import { GLIDE } from "./glide.ts";
import type { Cloud } from "./index.ts";
import { showLabels } from "./labels.ts";
import { drawMarks } from "./marks.ts";
import { blend, interpolate, type Model, toFrame } from "./model.ts";
import { DIM, drawOrder, drawRegion, FRONT, PLAIN } from "./picking.ts";
import { exposeForTests } from "./scatter.ts";

/** A cloud whose points are here. */
export type Shown = Cloud & { model: Model; view: View };

const MOST_MARKED = 60; // names of marked points
const CROWD = 5000; // points, of which so many lie over each other that contours tell how many
const NOWHERE = { centre: [0, 0, 0], scale: 1, low: [-1, -1, -1], high: [1, 1, 1] };

/** Whether there is something to draw. */
export const isShown = (cloud: Cloud): cloud is Shown => cloud.model !== null && cloud.view !== null;

/**
 * How each point looks. The chosen one and its neighbours are marks over them, so that no choice redraws the points
 * once they have stepped back.
 * @param mask 1 for what is sought or marked, null where nothing is
 */
export function statesOf(count: number, mask: Uint8Array | null, chosen: number | null) {
  const states = new Uint8Array(count).fill(mask !== null || chosen !== null ? DIM : PLAIN);
  let front = 0;
  for (let at = 0; mask && at < count; at += 1) {
    if (!mask[at]) continue;
    states[at] = FRONT;
    front += 1;
  }
  return { states, front };
}

const bitIndices = (bits: Uint8Array) => [...bits.keys()].filter((at) => bits[at]);

/** Update, after a change, which points are highlighted, dimmed and labelled. */
export function restyle(cloud: Cloud) {
  const { header, model, chosen, tints } = cloud;
  cloud.neighbours = chosen !== null && header.chosen === chosen ? header.neighbours : [];
  const mask = cloud.marked ?? cloud.foundMask;
  cloud.crowdOnly = mask === null && chosen === null;
  const { states, front } = statesOf(tints.length, mask, chosen);
  cloud.front = front;
  cloud.found = cloud.marked ? bitIndices(cloud.marked).slice(0, MOST_MARKED) : cloud.matches;
  if (!sameBytes(cloud.states, states)) [cloud.states, cloud.orderedFor] = [states, null];
  cloud.parts.marked.hidden = !cloud.marked;
  cloud.parts.markedText.textContent = fillLabel(header.labels.marked, { count: countText(front) });
  if (model && cloud.hovered !== null && cloud.hovered >= model.count) cloud.hovered = null;
  cloud.schedule();
}

export function drawCloud(cloud: Cloud) {
  const { parts, camera, header, theme, painter } = cloud;
  const [width, height] = [parts.stage.clientWidth, parts.stage.clientHeight];
  if (!width || !height || !header.data) return; // the header may come after the first frame
  const plot = { x: 0, y: 0, width, height: height - legendHeight(parts) };
  showWindow(cloud, plot);
  const view = viewOf(camera, plot);
  cloud.view = view;
  reportWindowInView(cloud);
  const ratio = Math.min(deviceRatio(), 2);
  const scene = isShown(cloud) ? sceneOf(cloud, { width, height, ratio }) : null;
  // Under a moving pointer only the marks change.
  const drawn = { ...scene, axes: header.axes.join("\n"), theme, width, height, ratio, painter, image: cloud.image };
  if (!cloud.drawn || !sameScene(cloud.drawn, drawn)) {
    cloud.drawn = drawn;
    cloud.pickable = null;
    const ground = sizeCanvas(parts.ground, width, height);
    ground.clearRect(0, 0, width, height);
    drawCloudGround(ground, cloud, view);
    if (scene) painter.draw(scene);
  }
  const marks = sizeCanvas(parts.marks, width, height);
  marks.clearRect(0, 0, width, height);
  if (isShown(cloud)) drawCloudMarks(marks, cloud);
  if (cloud.region) drawRegion(marks, cloud.region, theme);
  const isDue = cloud.lookout.due || !cloud.imageOf.startsWith(header.extent?.cells ?? "");
  const busy = cloud.glides.busy || cloud.crowd.laid !== cloud.crowd.now || isDue;
  exposeForTests(parts.root, "view", { ...view, busy });
}

/** Height that the legend takes of the picture's lower edge; 0 where it stands below the picture. */
function legendHeight({ stage, legend }: Cloud["parts"]) {
  const { offsetTop, offsetHeight } = legend;
  return offsetHeight && offsetTop < stage.offsetHeight ? stage.offsetHeight - offsetTop : 0;
}

/** Show the window that the page requests: at once in a new picture, else by an animation. */
function showWindow(cloud: Cloud, plot: Plot) {
  const { camera, header, model } = cloud;
  const { extent } = header;
  if (!extent || !model || cloud.asked === extent.turn) return;
  const first = cloud.asked < 0;
  cloud.asked = extent.turn;
  cloud.isGiven = extent.window !== null;
  if (!extent.window) return;
  const pose = poseFacing(extent.window, model.frame, viewOf(camera, plot));
  const goal = { ...poseOf(camera), ...pose, zoom: boundedZoom(pose.zoom) };
  camera.touched = true;
  const from = poseOf(camera);
  cloud.glides.stop("camera");
  if (first) glideCamera(camera, from, goal, 1);
  else cloud.glides.start("camera", GLIDE, (share) => glideCamera(camera, from, goal, share));
}

/** Report the window in view to the page, which counts the points in it. */
function reportWindowInView({ camera, header, model, view, glides, lookout, isGiven }: Cloud) {
  if (!header.extent || !model || !view || glides.busy) return;
  const { width, height } = view.plot;
  const window = isGiven ? null : camera.touched;
  lookout.see({ picture: header.picture, seen: visibleWindow(view, model.frame), size: [width, height], window });
}

/**
 * Whether two scenes look the same: arrays by identity, since they are never changed in place, and numbers by value.
 */
function sameScene<Scene extends object>(before: Scene, after: Scene) {
  const byValue = ["view", "style", "theme"];
  return (Object.keys(after) as (keyof Scene & string)[]).every((name) =>
    byValue.includes(name)
      ? JSON.stringify(before[name]) === JSON.stringify(after[name])
      : before[name] === after[name],
  );
}

function drawCloudGround(
  context: CanvasRenderingContext2D,
  { model, header, theme, box, image, over }: Cloud,
  view: View,
) {
  const frame = model?.frame ?? NOWHERE;
  drawAxes(context, { view, frame, axes: header.axes, theme }, box ?? frame);
  if (image && over && view.space === 0) drawCells(context, image, over, view, frame);
}

function sceneOf(cloud: Shown, size: { width: number; height: number; ratio: number }): Scene {
  const { model, tints, states, palette, view, from, share } = cloud;
  const orderedFor = `${view.space > 0 ? view.turn.join() : "flat"}|${model.fingerprint}`;
  if (cloud.orderedFor !== orderedFor) {
    cloud.orderedFor = orderedFor;
    cloud.order = drawOrder(model.count, states, view.space > 0 ? depthsOf(model.spots, model.count, view) : null);
  }
  const area = view.plot.width * view.plot.height;
  const isGradient = "gradient" in cloud.header.legend;
  const zoom = cloud.header.extent ? 1 : view.zoom; // where only some points are here, they are those in sight
  const style = {
    ...styleOf({ count: model.count, area, zoom, front: cloud.front, isGradient }),
    rimColour: rgbOf(cloud.theme.ink),
  };
  cloud.crowdRadius = style.diameters[PLAIN] / 2;
  const { spots, count } = model;
  return { ...size, spots, from, share, count, tints, states, order: cloud.order, view, palette, style };
}

// Alpha of what steps back, as a share of what it was: it keeps its colour, so that the legend still says something. The
// colours of kinds are stronger than most of a gradient's.
const RECEDING = { gradient: 0.42, kinds: 0.28 };

/** Points and how they are seen; `area` of the picture in square pixels, `front` how many stand out. */
type Crowd = { count: number; area: number; zoom: number; front: number; isGradient: boolean };

/**
 * Fewer points are larger, and nearer ones too; many are a little transparent, so that crowds are darker.
 * @returns of PLAIN, DIM and FRONT
 */
export function styleOf({ count, area, zoom, front, isGradient }: Crowd) {
  const sized = (many: number, most: number) =>
    Math.max(2.7, Math.min(most, 0.95 * Math.sqrt(area / Math.max(1, many))));
  const grown = Math.min(16 / sized(count, 11), zoom ** 0.35);
  const plain = sized(count, 11) * Math.max(0.8, grown);
  const alpha = Math.max(0.5, Math.min(0.92, 1.22 - 0.14 * Math.log10(count)));
  const receding = alpha * (isGradient ? RECEDING.gradient : RECEDING.kinds);
  const few = front < 1500; // a rim parts them from the crowd; around many it would be all that one sees
  const stand = few ? Math.max(plain * 1.2, sized(30 * front, 10)) + 1.5 : plain * 1.1;
  return {
    diameters: [plain, plain * 0.9, stand],
    alphas: [Math.min(0.92, alpha * Math.max(1, zoom) ** 0.1), receding, few ? 0.95 : Math.max(0.75, alpha)],
    rim: few ? 1.5 : 0,
  };
}

function drawCloudMarks(context: CanvasRenderingContext2D, cloud: Shown) {
  const { model, header, view, from, share, palette, tints, parts } = cloud;
  cloud.tokenSpots = header.tokens.map(({ place }, at) => {
    const spot = toFrame(model.frame, place);
    const start = cloud.tokensFrom?.[at];
    return start ? interpolate(start, spot, cloud.tokenShare) : spot;
  });
  cloud.tokenScreen = cloud.tokenSpots.map((spot) => project(view, spot));
  cloud.screen = (index) => {
    const spot = model.spots.subarray(3 * index, 3 * index + 3);
    return project(view, from ? blend(from.subarray(3 * index, 3 * index + 3), spot, share) : spot).slice(0, 2);
  };
  const tint = (index: number) => `rgb(${palette.subarray(4 * tints[index], 4 * tints[index] + 3).join(" ")})`;
  if (model.count >= CROWD && !header.extent && !from && view.space === 0) {
    model.contours ??= densityContours(model);
    drawContours(context, model.contours, view, cloud.theme.ink);
  }
  cloud.labels = drawMarks(context, { ...cloud, tint });
  showLabels(parts.labels, cloud.labels, view.plot);
}
