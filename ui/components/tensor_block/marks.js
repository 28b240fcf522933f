// What is drawn on and around the block: its edges, what was cut away, the rows of tokens that are lit, the pointer.

import { drawFace, EDGE_ON, FACE_AXES, faceQuad, visibleFaces } from "./faces.js";
import { placesOf } from "./model.js";

export function drawBlock(context, { model, camera, faces, cut, theme, width, height, hovered, chosen, cell }) {
  context.clearRect(0, 0, width, height);
  const whole = visibleFaces(camera, model.shown, [0, 0, 0]);
  if (cut.some(Boolean)) {
    for (const face of whole)
      strokeQuad(context, faceQuad(camera, face, [0, 0, 0], model.shown), {
        colour: theme.ink,
        width: 1,
        dash: [5, 5],
        alpha: 0.5,
      });
  }
  // The outline is thicker than the edges within it, which tells the body from a hollow.
  const quads = faces.map((face) => faceQuad(camera, face, cut, model.shown));
  for (const quad of quads) strokeQuad(context, quad, { colour: theme.ink, width: 5 });
  for (const face of faces) drawFace(context, model, face, theme);
  for (const quad of quads) strokeQuad(context, quad, { colour: theme.ink, width: 1.2 });
  const scene = { model, camera, faces, cut, theme };
  for (const place of placesOf(model, chosen)) drawTokenRow(context, scene, place, theme.ink);
  if (hovered !== chosen)
    for (const place of placesOf(model, hovered)) drawTokenRow(context, scene, place, theme.accent);
  if (cell) drawCursor(context, scene, cell);
}

// The bar of numbers that is one token's vector: dashed where it runs inside the block or was cut away, in full where it
// comes to a side that is seen.
function drawTokenRow(context, { model, camera, faces, cut, theme }, [b, i], colour) {
  const counts = model.shown;
  const gone = b < cut[0] || i < cut[1];
  const low = [b, i, gone ? 0 : cut[2]];
  const high = [b + 1, i + 1, counts[2]];
  const front = camera.facing
    .map((facing, axis) => ({ axis, facing }))
    .filter(({ facing }) => Math.abs(facing) >= EDGE_ON);
  for (const { axis, facing } of front) {
    const [rows, columns] = FACE_AXES[axis];
    const corner = [...low];
    corner[axis] = facing > 0 ? low[axis] : high[axis];
    const quad = faceQuad(camera, { rows, columns, corner }, low, high);
    strokeQuad(context, quad, { colour: theme.ground, width: 3, alpha: 0.6 });
    strokeQuad(context, quad, { colour, width: 1.5, dash: [4, 4] });
  }
  if (gone) return;
  for (const face of faces) {
    const touches = face.first ? low[face.axis] === cut[face.axis] : high[face.axis] === counts[face.axis];
    if (touches) outlineQuad(context, faceQuad(camera, face, low, high), theme, colour);
  }
}

// At least a few pixels wide, whatever the cell is.
function drawCursor(context, { camera, faces, theme }, cell) {
  const face = faces.find(({ axis, layer }) => cell[axis] === layer);
  if (!face) return;
  const [low, high] = [[...cell], cell.map((k) => k + 1)];
  for (const [axis, step] of [
    [face.rows, face.down],
    [face.columns, face.right],
  ]) {
    const more = Math.max(0, 7 / Math.max(0.01, Math.hypot(...step)) - 1) / 2;
    low[axis] -= more;
    high[axis] += more;
  }
  outlineQuad(context, faceQuad(camera, face, low, high), theme, theme.accent);
}

function outlineQuad(context, quad, theme, colour) {
  strokeQuad(context, quad, { colour: theme.ground, width: 5.5 });
  strokeQuad(context, quad, { colour, width: 2.5 });
}

function strokeQuad(context, quad, { colour, width, dash = [], alpha = 1 }) {
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
