// One picture of points: how each looks now, and the three layers that are laid over each other.

import { contextOf, deviceRatio, fitCanvas } from "../_shared/elements.ts";
import { countText } from "../_shared/numbers.ts";
import { sameBytes } from "../_shared/payload.ts";
import { fillLabel } from "../_shared/text.ts";
import { drawGround, plotArea } from "./axes.ts";
import { boundedZoom, depthsOf, glideCamera, type Plot, poseOf, project, type View, viewOf } from "./camera.ts";
import { drawCells, facing, seenWindow } from "./density.ts";
import { type Painter, type Scene, webglPainter } from "./gl.ts";
import { GLIDE } from "./glide.ts";
import type { Cloud } from "./index.ts";
import { LANDMARK_HEIGHT, type Landmark } from "./landmarks.ts";
import { drawMarks } from "./marks.ts";
import { blend, type Model, mixed } from "./model.ts";
import { NAME_HEIGHT, type Placed } from "./names.ts";
import { type CloudParts, freshCanvas } from "./parts.ts";
import { pathSpots } from "./path.ts";
import { DIM, drawOrder, drawRegion, FRONT, PLAIN } from "./picking.ts";
import { plainPainter } from "./plain.ts";
import { type Neighbours, tell } from "./scatter.ts";

/** A cloud whose points are here. */
export type Shown = Cloud & { model: Model; view: View };
/** The names as drawn: of what stands out, and the crowd's. */
export interface Named {
  placed: Placed[];
  crowd: Landmark[];
}

const MOST_NAMED = 240; // of what is marked: more than any screen has room for
const NOWHERE = { centre: [0, 0, 0], scale: 1, low: [-1, -1, -1], high: [1, 1, 1] };

/** Whether there is something to draw. */
export const isShown = (cloud: Cloud): cloud is Shown => cloud.model !== null && cloud.view !== null;

/**
 * How each point looks.
 * @param mask 1 for what is sought or marked, null where nothing is
 * @param neighbours of the chosen one
 */
export function statesOf(count: number, mask: Uint8Array | null, chosen: number | null, neighbours: Neighbours) {
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

/** Decides, after a change, which points stand out, which step back, and who is named. */
export function restyle(cloud: Cloud) {
  const { header, model, chosen, tints } = cloud;
  cloud.neighbours = chosen !== null && header.chosen === chosen ? header.neighbours : [];
  const mask = cloud.marked ?? cloud.foundMask;
  cloud.crowdOnly = mask === null && chosen === null;
  const { states, front } = statesOf(tints.length, mask, chosen, cloud.neighbours);
  cloud.front = front;
  cloud.found = cloud.marked ? firstOf(cloud.marked) : cloud.matches;
  if (!sameBytes(cloud.states, states)) [cloud.states, cloud.orderedFor] = [states, null];
  cloud.parts.marked.hidden = !cloud.marked;
  cloud.parts.markedText.textContent = fillLabel(header.labels.marked, { count: countText(front) });
  if (model && cloud.hovered !== null && cloud.hovered >= model.count) cloud.hovered = null;
  cloud.schedule();
}

function firstOf(marked: Uint8Array) {
  const first = [];
  for (let at = 0; at < marked.length && first.length < MOST_NAMED; at += 1) if (marked[at]) first.push(at);
  return first;
}

export function drawCloud(cloud: Cloud) {
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
  const drawn = { ...scene, axes: header.axes.join("\n"), theme, width, height, ratio, painter, image: cloud.image };
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

/** Goes to the window that the page asks for: at once where the picture is new, else gliding. */
function faceWindow(cloud: Cloud, plot: Plot) {
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

/** Has the page told what is seen of more points than are here. */
function lookOut({ camera, header, model, view, glides, lookout, isGiven }: Cloud) {
  if (!header.extent || !model || !view || glides.busy) return;
  const { width, height } = view.plot;
  const window = isGiven ? null : camera.touched;
  lookout.see({ picture: header.picture, seen: seenWindow(view, model.frame), size: [width, height], window });
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

export function drawCloudGround(
  context: CanvasRenderingContext2D,
  { model, header, theme, box, image, over }: Cloud,
  view: View,
) {
  const frame = model?.frame ?? NOWHERE;
  const written = drawGround(context, { view, frame, axes: header.axes, theme }, box ?? frame);
  if (image && over && view.space === 0) drawCells(context, image, over, view, frame);
  return written;
}

export function sceneOf(cloud: Shown, size: { width: number; height: number; ratio: number }): Scene {
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
 * @returns of PLAIN, DIM and FRONT
 * @param crowd.area of the picture, in square pixels
 * @param crowd.front how many stand out
 */
export function styleOf({
  count,
  area,
  zoom,
  front,
  isGradient,
  path,
}: {
  count: number /** of the picture, in square pixels */;
  area: number;
  zoom: number /** how many stand out */;
  front: number;
  isGradient: boolean;
  path: ArrayLike<unknown>;
}): { diameters: number[]; alphas: number[]; rim: number } {
  const sized = (many: number, most: number) =>
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

export function drawCloudMarks(context: CanvasRenderingContext2D, cloud: Shown) {
  const { model, header, view, from, share, palette, tints } = cloud;
  const target = pathSpots(header.path, model.frame, cloud.mix);
  const start = cloud.pathFrom?.length === target.length ? cloud.pathFrom : null;
  cloud.pathNow = start ? target.map((to, token) => mixed(start[token], to, share)) : target;
  cloud.pathScreen = cloud.pathNow.map((spot) => project(view, spot));
  cloud.screen = (index) => {
    const spot = model.spots.subarray(3 * index, 3 * index + 3);
    return project(view, from ? blend(from.subarray(3 * index, 3 * index + 3), spot, share) : spot).slice(0, 2);
  };
  const tint = (index: number) => `rgb(${palette.subarray(4 * tints[index], 4 * tints[index] + 3).join(" ")})`;
  cloud.named = drawMarks(context, { ...cloud, path: cloud.pathScreen, tint });
}

/** @returns 256 colours, RGBA */
export function paletteBytes(palette: string[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 * 256);
  palette.forEach((colour, index) => void bytes.set([...rgbOf(colour), 255], 4 * index));
  return bytes;
}

/** Any colour that a theme may write, as three numbers. */
function rgbOf(colour: string) {
  if (/^#[0-9a-f]{6}$/i.test(colour)) return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const context = contextOf(document.createElement("canvas"));
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
}

/**
 * What draws the points: the graphics processor, and the processor where there is none or it is lost.
 * @param onPainter the first one, and each that takes over
 * @returns what ends that
 */
export function keepPainter(parts: CloudParts, onPainter: (painter: Painter) => void): () => void {
  let live = true;
  let painter: Painter;
  const take = (next: Painter) => {
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
