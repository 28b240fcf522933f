// The rotated block: where its corners are, which sides are seen and how CSS places them, which edges are labelled.

import assert from "node:assert/strict";
import test from "node:test";

import {
  blockCamera,
  blockPlot,
  CORNER,
  cellOnFace,
  type Face,
  labelledEdge,
  visibleFace,
  wrapDegrees,
} from "../../../ui/components/tensor_block/camera.ts";
import type { Index } from "../../../ui/components/tensor_block/model.ts";

const plot = { x: 104, y: 18, width: 700, height: 400 };
const counts: Index = [4, 6, 10];
const uncut: Index = [0, 0, 0];
const close = (actual: number[], expected: number[], at = 1e-6) =>
  expected.forEach((value, i) => assert.ok(Math.abs(actual[i] - value) < at, `${actual} is not ${expected}`));
const facesOf = (yaw: number, pitch: number, cut: Index) =>
  [0, 1, 2].flatMap((axis) => visibleFace(axis, blockCamera(counts, plot, yaw, pitch), counts, cut) ?? []);

test("straight on, dimensions run to the right, positions down, and samples are behind each other", () => {
  const { at, facing } = blockCamera(counts, plot, 0, 0);
  const [first, right, down, behind] = [at([0, 0, 0]), at([0, 0, 10]), at([0, 6, 0]), at([4, 0, 0])];
  assert.ok(right[0] > first[0] && Math.abs(right[1] - first[1]) < 1e-9);
  assert.ok(down[1] > first[1] && Math.abs(down[0] - first[0]) < 1e-9);
  close(behind, first);
  close(facing, [1, 0, 0]);
});

test("from the corner the batch goes back, to the left and up", () => {
  const { at, facing } = blockCamera(counts, plot, ...CORNER);
  const [first, behind, right] = [at([0, 0, 0]), at([4, 0, 0]), at([0, 0, 10])];
  assert.ok(behind[0] < first[0] && behind[1] < first[1]);
  assert.ok(right[0] > first[0] && right[1] < first[1]);
  assert.ok(facing.every((towards) => towards > 0));
});

test("the block fits its room from every side, fills it from the corner, and stands in its middle", () => {
  const shapes: Index[] = [counts, [8, 4, 256], [1, 64, 256], [16, 1, 1]];
  for (const shape of shapes)
    for (const yaw of [-170, -90, 0, 30, 45, 100])
      for (const pitch of [-90, -20, 0, 24, 90]) {
        const { at } = blockCamera(shape, plot, yaw, pitch);
        close(at(shape.map((count) => count / 2)), [104 + 350, 18 + 200]);
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
          at(shape.map((count, axis) => (bits >> axis) % 2 && count)),
        );
        const [across, down] = [0, 1].map((side) => corners.map((corner) => corner[side]));
        const [wide, tall] = [across, down].map((places) => Math.max(...places) - Math.min(...places));
        assert.ok(wide <= 700 + 1e-6 && tall <= 400 + 1e-6, `${shape} ${yaw} ${pitch}: ${wide} x ${tall}`);
        if (yaw !== CORNER[0] || pitch !== CORNER[1]) continue;
        assert.ok(Math.abs(wide - 700) < 1e-6 || Math.abs(tall - 400) < 1e-6, `${shape}: ${wide} x ${tall}`);
      }
});

test("a narrow picture leaves less room for labels", () => {
  assert.ok(blockPlot(400, 500).width > 250);
  assert.equal(blockPlot(100, 500).width, 40);
});

test("degrees are brought within a whole rotation", () => {
  for (const [degrees, within] of [
    [0, 0],
    [190, -170],
    [-190, 170],
    [180, -180],
    [-180, -180],
    [725, 5],
  ])
    assert.equal(wrapDegrees(degrees), within, `${degrees}`);
});

test("the sides seen show the first layers that are left, and the last ones from behind", () => {
  const layers = (yaw: number, pitch: number, cut: Index) =>
    Object.fromEntries(facesOf(yaw, pitch, cut).map(({ axis, layer, size }) => [axis, [layer, ...size]]));
  assert.deepEqual(layers(30, 24, uncut), { 0: [0, 6, 10], 1: [0, 4, 10], 2: [0, 6, 4] });
  assert.deepEqual(layers(30, 24, [1, 2, 3]), { 0: [1, 4, 7], 1: [2, 3, 7], 2: [3, 4, 3] });
  assert.deepEqual(layers(-150, -24, [1, 2, 3]), { 0: [3, 4, 7], 1: [5, 3, 7], 2: [9, 4, 3] });
  assert.deepEqual(layers(0, 0, uncut), { 0: [0, 6, 10] });
});

/** Where CSS shows a place of a face: its transform and then the block's, worked out by matrices. */
function onScreen({ transform, width, height }: Face, across: number, down: number, yaw: number, pitch: number) {
  const [x, y, z] = [...transform.matchAll(/(-?[\d.e-]+)px/g)].map(([, number]) => Number(number));
  const rotate = ([a, b]: number[], degrees: number) => {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    return [a * cos - b * sin, a * sin + b * cos];
  };
  let point = [across * width, down * height, 0];
  const rotateX = (degrees: number) => (point = [point[0], ...rotate([point[1], point[2]], degrees)]);
  const rotateY = (degrees: number) => {
    const [depth, right] = rotate([point[2], point[0]], degrees);
    point = [right, point[1], depth];
  };
  const [, name, degrees] = /(rotateX|rotateY)\((-?\d+)deg/.exec(transform) ?? [];
  if (name === "rotateX") rotateX(Number(degrees));
  if (name === "rotateY") rotateY(Number(degrees));
  point = [point[0] + x, point[1] + y, point[2] + z];
  rotateY(yaw);
  rotateX(-pitch);
  return [plot.x + plot.width / 2 + point[0], plot.y + plot.height / 2 + point[1]];
}

test("the middle of each cell is where CSS shows that cell of the side, cut or not, from every side", () => {
  for (const [yaw, pitch] of [CORNER, [-40, 30], [150, -35], [-120, -10]])
    for (const cut of [uncut, [1, 2, 3]] as Index[]) {
      const { at } = blockCamera(counts, plot, yaw, pitch);
      const faces = facesOf(yaw, pitch, cut);
      assert.equal(faces.length, 3);
      for (const face of faces)
        for (let row = 0; row < face.size[0]; row += 1)
          for (let column = 0; column < face.size[1]; column += 1) {
            const [across, down] = [(column + 0.5) / face.size[1], (row + 0.5) / face.size[0]];
            const cell = cellOnFace(face, across * face.width, down * face.height, cut);
            assert.deepEqual(
              [cell[face.axis], cell[face.rows], cell[face.columns]],
              [face.layer, cut[face.rows] + row, cut[face.columns] + column],
            );
            const middle = cell.map((k) => k + 0.5);
            middle[face.axis] =
              face.layer === cut[face.axis] && face.layer < counts[face.axis] - 1 ? face.layer : face.layer + 1;
            close(onScreen(face, across, down, yaw, pitch), at(middle));
          }
    }
});

test("at its very rim a side still has its outer cells", () => {
  const [front] = facesOf(0, 0, uncut);
  assert.deepEqual(cellOnFace(front, front.width, front.height, uncut), [0, 5, 9]);
  assert.deepEqual(cellOnFace(front, -0.4, -0.4, uncut), [0, 0, 0]);
});

test("labels stand along edges where a side that is seen meets one that is not", () => {
  const camera = blockCamera(counts, plot, ...CORNER);
  assert.deepEqual(labelledEdge(camera, counts, uncut, 0), [0, 6, 0]); // the batch, down at the left
  assert.deepEqual(labelledEdge(camera, counts, uncut, 1), [0, 0, 10]); // positions, right of the front
  assert.deepEqual(labelledEdge(camera, counts, uncut, 2), [0, 6, 0]); // dimensions, below the front
  assert.deepEqual(labelledEdge(camera, counts, [1, 2, 3], 2), [1, 6, 3]);
  assert.equal(labelledEdge(blockCamera(counts, plot, 0, 0), counts, uncut, 0), undefined);
});
