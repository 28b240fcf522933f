// The sides of the block that are seen: which layers of numbers they show, as pictures, and which cell is where.

import { paintIndices } from "../_shared/colour.js";

export const FACE_AXES = [
  [1, 2],
  [0, 2],
  [1, 0],
]; // of the side across each axis: what its rows are, and its columns
export const EDGE_ON = 1e-3; // a side seen from its edge is not drawn

export function visibleFaces(camera, counts, cut) {
  return [0, 1, 2].flatMap((axis) => {
    if (Math.abs(camera.facing[axis]) < EDGE_ON) return [];
    const first = camera.facing[axis] > 0;
    const [rows, columns] = FACE_AXES[axis];
    const corner = [...cut];
    corner[axis] = first ? cut[axis] : counts[axis];
    return [
      {
        axis,
        rows,
        columns,
        corner,
        first,
        layer: first ? cut[axis] : counts[axis] - 1,
        origin: camera.at(corner),
        right: camera.steps[columns],
        down: camera.steps[rows],
        size: [counts[columns] - cut[columns], counts[rows] - cut[rows]],
      },
    ];
  });
}

export function drawFace(context, model, face, theme) {
  const picture = layerPicture(model, face);
  const [columns, rows] = face.size;
  const { origin, right, down } = face;
  context.save();
  context.transform(right[0], right[1], down[0], down[1], origin[0], origin[1]);
  // Cells smaller than a pixel are blended, else every few of them would be left out.
  context.imageSmoothingEnabled = Math.min(Math.hypot(...right), Math.hypot(...down)) < 0.7;
  context.drawImage(picture, face.corner[face.columns], face.corner[face.rows], columns, rows, 0, 0, columns, rows);
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

function ruleFace(context, [x, y], step, along, count, length) {
  for (let k = 1; k < count; k += 1) {
    context.moveTo(x + step[0] * k, y + step[1] * k);
    context.lineTo(x + step[0] * k + along[0] * length, y + step[1] * k + along[1] * length);
  }
}

// One pixel per number of a whole layer; the cut only shows less of it.
function layerPicture(model, { axis, layer, rows, columns }) {
  const name = `${axis} ${layer}`;
  if (!model.pictures.has(name)) {
    if (model.pictures.size > 60) model.pictures.clear();
    const [high, wide] = [model.shown[rows], model.shown[columns]];
    const indices = new Uint8Array(high * wide);
    const cell = [0, 0, 0];
    cell[axis] = layer;
    for (let r = 0; r < high; r += 1) {
      cell[rows] = r;
      for (let c = 0; c < wide; c += 1) {
        cell[columns] = c;
        indices[r * wide + c] = model.scale.index(model.value(cell));
      }
    }
    model.pictures.set(name, paintIndices(indices, high, wide, model.scale));
  }
  return model.pictures.get(name);
}

// The cell [batch, position, dimension] that is seen at a place on the screen, or null.
export function cellUnder(faces, x, y) {
  for (const { axis, rows, columns, corner, layer, origin, right, down, size } of faces) {
    const across = right[0] * down[1] - right[1] * down[0];
    if (Math.abs(across) < 1e-9) continue;
    const [dx, dy] = [x - origin[0], y - origin[1]];
    const column = Math.floor((dx * down[1] - dy * down[0]) / across);
    const row = Math.floor((right[0] * dy - right[1] * dx) / across);
    if (column < 0 || row < 0 || column >= size[0] || row >= size[1]) continue;
    const cell = [0, 0, 0];
    cell[axis] = layer;
    cell[rows] = corner[rows] + row;
    cell[columns] = corner[columns] + column;
    return cell;
  }
  return null;
}

// The corners on the screen of that part of a side which lies between two corners of the block.
export function faceQuad(camera, face, low, high) {
  const corner = (row, column) => {
    const index = [...face.corner];
    index[face.rows] = row;
    index[face.columns] = column;
    return camera.at(index);
  };
  const [rows, columns] = [face.rows, face.columns];
  return [
    corner(low[rows], low[columns]),
    corner(low[rows], high[columns]),
    corner(high[rows], high[columns]),
    corner(high[rows], low[columns]),
  ];
}
