// One picture of points: how each looks now, and the three layers that are laid over each other.

import { contextOf, deviceRatio, fitCanvas } from "../_shared/elements.js";
import { countText } from "../_shared/numbers.js";
import { sameBytes } from "../_shared/payload.js";
import { fillLabel } from "../_shared/text.js";
import { drawGround, plotArea } from "./axes.js";
import { boundedZoom, depthsOf, glideCamera, poseOf, project, viewOf } from "./camera.js";
import { drawCells, facing, seenWindow } from "./density.js";
import { webglPainter } from "./gl.js";
import { GLIDE } from "./glide.js";
import { LANDMARK_HEIGHT } from "./landmarks.js";
import { drawMarks } from "./marks.js";
import { blend, mixed } from "./model.js";
import { NAME_HEIGHT } from "./names.js";
import { freshCanvas } from "./parts.js";
import { pathSpots } from "./path.js";
import { DIM, drawOrder, drawRegion, FRONT, PLAIN } from "./picking.js";
import { plainPainter } from "./plain.js";
import { tell } from "./scatter.js";

/** @typedef {import("./index.js").Cloud} Cloud */
/** @typedef {import("./gl.js").Painter} Painter */
/** @typedef {import("./gl.js").Scene} Scene */
/** @typedef {Cloud & { model: import("./model.js").Model, view: import("./camera.js").View }} Shown its points are here */
/**
 * @typedef {object} Named the names as drawn: of what stands out, and the crowd's
 * @property {import("./names.js").Placed[]} placed
 * @property {import("./landmarks.js").Landmark[]} crowd
 */

const MOST_NAMED = 240; // of what is marked: more than any screen has room for
const NOWHERE = { centre: [0, 0, 0], scale: 1, low: [-1, -1, -1], high: [1, 1, 1] };

/**
 * Whether there is something to draw.
 * @param {Cloud} cloud
 * @returns {cloud is Shown}
 */
export const isShown = (cloud) => cloud.model !== null && cloud.view !== null;

/**
 * How each point looks.
 * @param {number} count
 * @param {Uint8Array | null} mask 1 for what is sought or marked, null where nothing is
 * @param {number | null} chosen
 * @param {import("./scatter.js").Neighbours} neighbours of the chosen one
 */
export function statesOf(count, mask, chosen, neighbours) {
  const states = new Uint8Array(count).fill(mask !== null || chosen !== null ? DIM : PLAIN);
  let front = 0;
  for (let at = 0; mask && at < count; at += 1) {
    if (!mask[at]) continue;
    states[at] = FRONT;
    front += 1;
  }
  for (const [index] of neighbours) states[index] = FRONT;
  return { states, front };
}

/**
 * Decides, after a change, which points stand out, which step back, and who is named.
 * @param {Cloud} cloud
 */
export function restyle(cloud) {
  const { header, model, chosen, tints } = cloud;
  cloud.neighbours = chosen !== null && header.chosen === chosen ? header.neighbours : [];
  const mask = cloud.marked ?? cloud.foundMask;
  cloud.crowdOnly = mask === null && chosen === null;
  const { states, front } = statesOf(tints.length, mask, chosen, cloud.neighbours);
  cloud.front = front;
  cloud.found = cloud.marked ? firstOf(cloud.marked) : (header.found ?? []);
  if (!sameBytes(cloud.states, states)) [cloud.states, cloud.orderedFor] = [states, null];
  cloud.parts.marked.hidden = !cloud.marked;
  cloud.parts.markedText.textContent = fillLabel(header.labels.marked, { count: countText(front) });
  if (model && cloud.hovered !== null && cloud.hovered >= model.count) cloud.hovered = null;
  cloud.schedule();
}

/** @param {Uint8Array} marked */
function firstOf(marked) {
  const first = [];
  for (let at = 0; at < marked.length && first.length < MOST_NAMED; at += 1) if (marked[at]) first.push(at);
  return first;
}

/** @param {Cloud} cloud */
export function drawCloud(cloud) {
  const { parts, camera, header, theme, painter } = cloud;
  const [width, height] = [parts.stage.clientWidth, parts.stage.clientHeight];
  if (!width || !height) return;
  const plot = plotArea(width, height, camera.space);
  faceWindow(cloud, plot);
  const view = viewOf(camera, plot);
  cloud.view = view;
  lookOut(cloud);
  const ratio = Math.min(deviceRatio(), 2);
  const scene = isShown(cloud) ? sceneOf(cloud, { width, height, ratio }) : null;
  // Under a moving pointer only the marks change.
  const drawn = { ...scene, header, theme, width, height, ratio, painter, image: cloud.image };
  if (!cloud.drawn || !sameScene(cloud.drawn, drawn)) {
    cloud.drawn = drawn;
    cloud.pickable = null;
    const ground = fitCanvas(parts.ground, width, height);
    ground.clearRect(0, 0, width, height);
    cloud.written = drawCloudGround(ground, cloud, view);
    if (scene) painter.draw(scene);
  }
  const marks = fitCanvas(parts.marks, width, height);
  marks.clearRect(0, 0, width, height);
  if (isShown(cloud)) drawCloudMarks(marks, cloud);
  if (cloud.region) drawRegion(marks, cloud.region, theme);
  const due = cloud.lookout.due || !cloud.imageOf.startsWith(header.extent?.cells ?? "");
  tell(parts.root, "view", { ...view, busy: cloud.glides.busy || cloud.landmarks.due || due });
  const { placed, crowd } = cloud.named;
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

/**
 * Goes to the window that the page asks for: at once where the picture is new, else gliding.
 * @param {Cloud} cloud
 * @param {import("./camera.js").Plot} plot
 */
function faceWindow(cloud, plot) {
  const { camera, header, model } = cloud;
  const { extent } = header;
  if (!extent || !model || cloud.asked === extent.turn) return;
  const first = cloud.asked < 0;
  cloud.asked = extent.turn;
  cloud.isGiven = extent.window !== null;
  if (!extent.window) return;
  const pose = facing(extent.window, model.frame, viewOf(camera, plot));
  const goal = { ...poseOf(camera), ...pose, zoom: boundedZoom(pose.zoom) };
  camera.touched = true;
  const from = poseOf(camera);
  cloud.glides.stop("camera");
  if (first) glideCamera(camera, from, goal, 1);
  else cloud.glides.start("camera", GLIDE, (share) => glideCamera(camera, from, goal, share));
}

/**
 * Has the page told what is seen of more points than are here.
 * @param {Cloud} cloud
 */
function lookOut({ camera, header, model, view, glides, lookout, isGiven }) {
  if (!header.extent || !model || !view || glides.busy) return;
  const { width, height } = view.plot;
  const window = isGiven ? null : camera.touched;
  lookout.see({ picture: header.picture, seen: seenWindow(view, model.frame), size: [width, height], window });
}

/**
 * Whether two scenes look the same: arrays by identity, since they are never changed in place, and numbers by value.
 * @param {Record<string, any>} before
 * @param {Record<string, any>} after
 */
function sameScene(before, after) {
  const byValue = ["view", "style", "theme"];
  return Object.entries(after).every(([name, value]) =>
    byValue.includes(name) ? JSON.stringify(before[name]) === JSON.stringify(value) : before[name] === value,
  );
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Cloud} cloud
 * @param {import("./camera.js").View} view
 */
export function drawCloudGround(context, { model, header, theme, box, image, over }, view) {
  const frame = model?.frame ?? NOWHERE;
  const written = drawGround(context, { view, frame, axes: header.axes, theme }, box ?? frame);
  if (image && over && view.space === 0) drawCells(context, image, over, view, frame);
  return written;
}

/**
 * @param {Shown} cloud
 * @param {{ width: number, height: number, ratio: number }} size
 * @returns {Scene}
 */
export function sceneOf(cloud, size) {
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
    ...styleOf({ count: model.count, area, zoom, front: cloud.front, isGradient, path: cloud.header.path }),
    rimColour: rgbOf(cloud.theme.ink),
  };
  cloud.crowdRadius = style.diameters[PLAIN] / 2;
  const { spots, count } = model;
  return { ...size, spots, from, share, count, tints, states, order: cloud.order, view, palette, style };
}

// Alpha of what steps back, as a share of what it was: it keeps its colour, so that the legend still says something. The
// colours of kinds are stronger than most of a gradient's.
const RECEDING = { gradient: 0.42, kinds: 0.28 };

/**
 * Fewer points are larger, and nearer ones too; many are a little transparent, so that crowds are darker.
 * @param {object} crowd
 * @param {number} crowd.count
 * @param {number} crowd.area of the picture, in square pixels
 * @param {number} crowd.zoom
 * @param {number} crowd.front how many stand out
 * @param {boolean} crowd.isGradient
 * @param {ArrayLike<unknown>} crowd.path
 * @returns {{ diameters: number[], alphas: number[], rim: number }} of PLAIN, DIM and FRONT
 */
export function styleOf({ count, area, zoom, front, isGradient, path }) {
  const sized = (/** @type {number} */ many, /** @type {number} */ most) =>
    Math.max(2.7, Math.min(most, 0.95 * Math.sqrt(area / Math.max(1, many))));
  const grown = Math.min(16 / sized(count, 11), zoom ** 0.35);
  const plain = sized(count, 11) * Math.max(0.8, grown);
  // Under the line of a text the crowd steps back a little.
  const full = Math.max(0.5, Math.min(0.92, 1.22 - 0.14 * Math.log10(count)));
  const alpha = full * (path.length ? 0.55 : 1);
  const receding = full * (isGradient ? RECEDING.gradient : RECEDING.kinds);
  const few = front < 1500; // a rim parts them from the crowd; around many it would be all that one sees
  const stand = few ? Math.max(plain * 1.2, sized(30 * front, 10)) + 1.5 : plain * 1.1;
  return {
    diameters: [plain, plain * 0.9, stand],
    alphas: [Math.min(0.92, alpha * Math.max(1, zoom) ** 0.1), receding, few ? 0.95 : Math.max(0.75, alpha)],
    rim: few ? 1.5 : 0,
  };
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Shown} cloud
 */
export function drawCloudMarks(context, cloud) {
  const { model, header, view, from, share, palette, tints } = cloud;
  const target = pathSpots(header.path, model.frame, cloud.mix);
  const start = cloud.pathFrom?.length === target.length ? cloud.pathFrom : null;
  cloud.pathNow = start ? target.map((to, token) => mixed(start[token], to, share)) : target;
  cloud.pathScreen = cloud.pathNow.map((spot) => project(view, spot));
  cloud.screen = (index) => {
    const spot = model.spots.subarray(3 * index, 3 * index + 3);
    return project(view, from ? blend(from.subarray(3 * index, 3 * index + 3), spot, share) : spot).slice(0, 2);
  };
  /** @param {number} index */
  const tint = (index) => `rgb(${palette.subarray(4 * tints[index], 4 * tints[index] + 3).join(" ")})`;
  cloud.named = drawMarks(context, { ...cloud, path: cloud.pathScreen, tint });
}

/**
 * @param {string[]} palette
 * @returns {Uint8Array<ArrayBuffer>} 256 colours, RGBA
 */
export function paletteBytes(palette) {
  const bytes = new Uint8Array(4 * 256);
  palette.forEach((colour, index) => void bytes.set([...rgbOf(colour), 255], 4 * index));
  return bytes;
}

/**
 * Any colour that a theme may write, as three numbers.
 * @param {string} colour
 */
function rgbOf(colour) {
  if (/^#[0-9a-f]{6}$/i.test(colour)) return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const context = contextOf(document.createElement("canvas"));
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
}

/**
 * What draws the points: the graphics processor, and the processor where there is none or it is lost.
 * @param {import("./parts.js").CloudParts} parts
 * @param {(painter: Painter) => void} onPainter the first one, and each that takes over
 * @returns {() => void} what ends that
 */
export function keepPainter(parts, onPainter) {
  let live = true;
  /** @type {Painter} */
  let painter;
  const take = (/** @type {Painter} */ next) => {
    painter = next;
    parts.root.dataset.painter = next.name;
    onPainter(next);
  };
  const best = () => {
    const canvas = freshCanvas(parts);
    const found = webglPainter(canvas);
    if (!found) return take(plainPainter(freshCanvas(parts)));
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      if (live) take(plainPainter(freshCanvas(parts)));
    });
    canvas.addEventListener("webglcontextrestored", () => live && best());
    take(found);
  };
  best();
  return () => {
    live = false;
    painter.release();
  };
}
