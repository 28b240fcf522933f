// What is drawn of the block: its sides and edges, what was cut away, the rows of tokens that are lit, the pointer, and
// the names, sizes and numbers along three edges.

import { chosenRing, clamp } from "../_shared/canvas.ts";
import type { Theme } from "../_shared/colour.ts";
import { fitText } from "../_shared/text.ts";
import type { Camera, Point } from "./camera.ts";
import { EDGE_ON, FACE_AXES, type Face, faceQuad, outlineEdge, tickIndices, visibleFaces } from "./faces.ts";
import { type Index, layerPicture, type Model, placesOf } from "./model.ts";

interface Scene {
  model: Model;
  camera: Camera;
  faces: Face[]; // that are seen
  cut: Index;
  theme: Theme;
  width: number;
  height: number;
  hovered: number | null; // position in the text
  chosen: number | null;
  cell: Index | null; // under the pointer
}
type Stroke = { colour: string; width: number; dash?: number[]; alpha?: number };

export function drawBlock(context: CanvasRenderingContext2D, scene: Scene) {
  const { model, camera, faces, cut, theme, width, height, hovered, chosen, cell } = scene;
  context.clearRect(0, 0, width, height);
  if (cut.some(Boolean)) {
    for (const face of visibleFaces(camera, model.shown, [0, 0, 0])) {
      const quad = faceQuad(camera, face, [0, 0, 0], model.shown);
      strokeQuad(context, quad, { colour: theme.ink, width: 1, dash: [5, 5], alpha: 0.5 });
    }
  }
  // The outline is thicker than the edges within it, which tells the body from a hollow.
  const quads = faces.map((face) => faceQuad(camera, face, cut, model.shown));
  for (const quad of quads) strokeQuad(context, quad, { colour: theme.ink, width: 5 });
  for (const face of faces) drawFace(context, model, face, theme);
  for (const quad of quads) strokeQuad(context, quad, { colour: theme.ink, width: 1.2 });
  for (const place of placesOf(model, chosen)) drawTokenRow(context, scene, place, chosenRing(theme).colour);
  if (hovered !== chosen)
    for (const place of placesOf(model, hovered)) drawTokenRow(context, scene, place, theme.accent);
  if (cell) drawCursor(context, scene, cell);
  drawAxes(context, scene);
}

function drawFace(context: CanvasRenderingContext2D, model: Model, face: Face, theme: Theme) {
  const [columns, rows] = face.size;
  const { origin, right, down, corner } = face;
  context.save();
  context.transform(...right, ...down, ...origin);
  // Cells smaller than a pixel are blended, else every few of them would be left out.
  context.imageSmoothingEnabled = Math.min(Math.hypot(...right), Math.hypot(...down)) < 0.7;
  const picture = layerPicture(model, face);
  context.drawImage(picture, corner[face.columns], corner[face.rows], columns, rows, 0, 0, columns, rows);
  context.restore();
  context.strokeStyle = theme.ground;
  context.lineWidth = 1;
  context.globalAlpha = 0.55;
  const across = Math.abs(right[0] * down[1] - right[1] * down[0]);
  context.beginPath();
  if (across / Math.hypot(...down) >= 5) ruleFace(context, origin, right, down, columns, rows);
  if (across / Math.hypot(...right) >= 5) ruleFace(context, origin, down, right, rows, columns);
  context.stroke();
  context.globalAlpha = 1;
}

/** @param step from line to line */
function ruleFace(
  context: CanvasRenderingContext2D,
  [x, y]: Point,
  step: Point,
  along: Point,
  count: number,
  length: number,
) {
  for (let k = 1; k < count; k += 1) {
    context.moveTo(x + step[0] * k, y + step[1] * k);
    context.lineTo(x + step[0] * k + along[0] * length, y + step[1] * k + along[1] * length);
  }
}

/**
 * The bar of numbers that is one token's vector: dashed where it runs inside the block or was cut away, in full where
 * it comes to a side that is seen.
 */
function drawTokenRow(
  context: CanvasRenderingContext2D,
  { model, camera, faces, cut, theme }: Scene,
  [b, i]: [sample: number, position: number],
  colour: string,
) {
  const gone = b < cut[0] || i < cut[1];
  const low = [b, i, gone ? 0 : cut[2]];
  const high = [b + 1, i + 1, model.shown[2]];
  camera.facing.forEach((facing, axis) => {
    if (Math.abs(facing) < EDGE_ON) return;
    const [rows, columns] = FACE_AXES[axis];
    const corner = [...low];
    corner[axis] = facing > 0 ? low[axis] : high[axis];
    const quad = faceQuad(camera, { rows, columns, corner }, low, high);
    strokeQuad(context, quad, { colour: theme.ground, width: 3, alpha: 0.6 });
    strokeQuad(context, quad, { colour, width: 1.5, dash: [4, 4] });
  });
  if (gone) return;
  for (const face of faces) {
    const touches = face.first ? low[face.axis] === cut[face.axis] : high[face.axis] === model.shown[face.axis];
    if (touches) outlineQuad(context, faceQuad(camera, face, low, high), theme, colour);
  }
}

/** At least a few pixels wide, whatever the cell is. */
function drawCursor(context: CanvasRenderingContext2D, { camera, faces, theme }: Scene, cell: Index) {
  const face = faces.find(({ axis, layer }) => cell[axis] === layer);
  if (!face) return;
  const [low, high] = [[...cell], cell.map((k) => k + 1)];
  const grow = (axis: number, step: Point) => {
    const more = Math.max(0, 7 / Math.max(0.01, Math.hypot(...step)) - 1) / 2;
    low[axis] -= more;
    high[axis] += more;
  };
  grow(face.rows, face.down);
  grow(face.columns, face.right);
  outlineQuad(context, faceQuad(camera, face, low, high), theme, theme.accent);
}

function outlineQuad(context: CanvasRenderingContext2D, quad: Point[], theme: Theme, colour: string) {
  strokeQuad(context, quad, { colour: theme.ground, width: 5.5 });
  strokeQuad(context, quad, { colour, width: 2.5 });
}

function strokeQuad(context: CanvasRenderingContext2D, quad: Point[], { colour, width, dash = [], alpha = 1 }: Stroke) {
  context.beginPath();
  quad.forEach(([x, y], corner) => (corner ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.lineJoin = "round";
  context.setLineDash(dash);
  context.globalAlpha = alpha;
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function drawAxes(context: CanvasRenderingContext2D, scene: Scene) {
  const { model, camera, cut, theme } = scene;
  context.textBaseline = "middle";
  context.fillStyle = theme.ink;
  context.strokeStyle = theme.ink;
  [0, 1, 2].forEach((axis) => {
    const start = outlineEdge(camera, model.shown, cut, axis);
    if (start) drawEdge(context, scene, axis, start);
  });
}

function drawEdge(context: CanvasRenderingContext2D, scene: Scene, axis: number, start: Index) {
  const { model, camera, cut, theme, width } = scene;
  const narrow = width < 640;
  const end = [...start];
  end[axis] = model.shown[axis];
  const [a, b] = [camera.at(start), camera.at(end)];
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (length < 8) return; // seen from its end
  const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const centre = camera.at(model.shown.map((count, other) => (count + cut[other]) / 2));
  let out = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
  if (out[0] * (middle[0] - centre[0]) + out[1] * (middle[1] - centre[1]) < 0) out = out.map((part) => -part);
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
    const text = axis === 1 && beside ? positionTick(context, scene, start, k, x) : String(k);
    writeOnGround(context, theme, text, x + out[0] * 11, y + out[1] * (beside ? 11 : 17));
    widest = Math.max(widest, context.measureText(text).width);
  }
  context.font = `600 ${narrow ? 15 : 19}px ${theme.font}`;
  const title = `${model.names[axis]} · ${model.shape[axis]}`;
  const half = context.measureText(title).width / 2;
  // Along a slope the name must clear the numbers on its lower side too.
  const away = beside ? 11 + widest + 12 : (narrow ? 34 : 40) + (half * Math.abs(b[1] - a[1])) / length;
  const wanted = middle[0] + out[0] * away;
  if (beside && out[0] > 0 && wanted > width - 2 * half - 2) {
    // No room beside the names: above them.
    context.textAlign = "right";
    writeOnGround(context, theme, title, width - 2, Math.max(10, Math.min(a[1], b[1]) - 14));
    return;
  }
  const x = context.textAlign === "center" ? Math.max(half + 2, Math.min(width - half - 2, wanted)) : wanted;
  const edgeLeft = context.textAlign === "right" ? Math.max(2 * half + 2, x) : x;
  writeOnGround(context, theme, title, edgeLeft, middle[1] + out[1] * away);
}

/** Text that stays legible where a dashed line runs behind it. */
function writeOnGround(context: CanvasRenderingContext2D, { ground, ink }: Theme, text: string, x: number, y: number) {
  context.lineWidth = 5;
  context.lineJoin = "round";
  context.strokeStyle = ground;
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
  context.lineWidth = 1;
  context.strokeStyle = ink;
}

/**
 * The token beside its place, as far as there is room: the row of the batch that the edge belongs to has it.
 * @param start of the edge
 */
function positionTick(
  context: CanvasRenderingContext2D,
  { model, cut, width }: Scene,
  start: Index,
  k: number,
  x: number,
) {
  const sample = start[0] === cut[0] ? cut[0] : model.shown[0] - 1;
  return fitText(context, `${k} ${model.tokens[sample][k]}`, clamp(width - x - 14, 24, 150));
}
