// The turned block: where its corners are, which sides are seen, which cell lies under a point, and what its edges say.

import assert from "node:assert/strict";
import test from "node:test";

import { turnMatrix } from "../../../ui/components/_shared/camera.ts";
import { blockCamera, blockPlot, CORNER, wrapped } from "../../../ui/components/tensor_block/camera.ts";
import {
  cellUnder,
  faceQuad,
  outlineEdge,
  tickIndices,
  visibleFaces,
} from "../../../ui/components/tensor_block/faces.ts";
import { stepped, withinCounts } from "../../../ui/components/tensor_block/index.ts";
import {
  type Index,
  layerValues,
  placesOf,
  rangeText,
  readCell,
  tokenPosition,
  valueAt,
} from "../../../ui/components/tensor_block/model.ts";
import { limitText } from "../../../ui/components/tensor_block/parts.ts";

const plot = { x: 104, y: 18, width: 700, height: 400 };
const counts: Index = [4, 6, 10];
const uncut: Index = [0, 0, 0];
const close = (actual: number[], expected: number[], at = 1e-9) =>
  expected.forEach((value, i) => assert.ok(Math.abs(actual[i] - value) < at, `${actual} is not ${expected}`));

test("a turn by yaw and then by pitch is the product of the two, written out", () => {
  const [yaw, pitch] = [0.7, -0.4];
  const product: (a: number[], b: number[]) => number[] = (a, b) =>
    [0, 1, 2].flatMap((row) =>
      [0, 1, 2].map((column) => [0, 1, 2].reduce((sum, k) => sum + a[3 * row + k] * b[3 * k + column], 0)),
    );
  const aroundUpright = [Math.cos(yaw), 0, Math.sin(yaw), 0, 1, 0, -Math.sin(yaw), 0, Math.cos(yaw)];
  const aroundAcross = [1, 0, 0, 0, Math.cos(pitch), -Math.sin(pitch), 0, Math.sin(pitch), Math.cos(pitch)];
  close(turnMatrix(yaw, pitch), product(aroundAcross, aroundUpright));
});

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
  const [turn, tilt] = CORNER.map((degrees) => (degrees * Math.PI) / 180);
  close(facing, [Math.cos(turn) * Math.cos(tilt), Math.sin(tilt), Math.sin(turn) * Math.cos(tilt)]);
});

test("from the right side and from above each axis is seen from its end", () => {
  close(blockCamera(counts, plot, 90, 0).facing, [0, 0, 1]);
  close(blockCamera(counts, plot, 0, 90).facing, [0, 1, 0]);
  close(blockCamera(counts, plot, -90, 0).facing, [0, 0, -1]);
});

test("the block fits its place from every side, fills it from the corner, and stands in its middle", () => {
  const shapes: Index[] = [counts, [8, 4, 256], [1, 64, 256], [16, 1, 1]];
  for (const shape of shapes)
    for (const yaw of [-170, -90, 0, 30, 45, 100])
      for (const pitch of [-90, -20, 0, 24, 90]) {
        const { at } = blockCamera(shape, plot, yaw, pitch);
        close(at(shape.map((count) => count / 2)), [104 + 350, 18 + 200]);
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
          at(shape.map((count, axis) => (bits >> axis) % 2 && count)),
        );
        for (const [x, y] of corners) {
          assert.ok(
            x >= 104 - 1e-6 && x <= 804 + 1e-6 && y >= 18 - 1e-6 && y <= 418 + 1e-6,
            `${shape} ${yaw} ${pitch}`,
          );
        }
        if (yaw !== CORNER[0] || pitch !== CORNER[1]) continue;
        const wide = Math.max(...corners.map(([x]) => x)) - Math.min(...corners.map(([x]) => x));
        const tall = Math.max(...corners.map(([, y]) => y)) - Math.min(...corners.map(([, y]) => y));
        assert.ok(Math.abs(wide - 700) < 1e-6 || Math.abs(tall - 400) < 1e-6, `${shape}: ${wide} x ${tall}`);
      }
});

test("a narrow picture leaves less room for labels", () => {
  assert.deepEqual(blockPlot(1000, 500), { x: 104, y: 18, width: 682, height: 414 });
  assert.deepEqual(blockPlot(400, 500), { x: 58, y: 14, width: 254, height: 430 });
  assert.equal(blockPlot(100, 500).width, 40);
});

test("degrees are brought within a turn", () => {
  for (const [degrees, within] of [
    [0, 0],
    [190, -170],
    [-190, 170],
    [180, -180],
    [-180, -180],
    [725, 5],
  ])
    assert.equal(wrapped(degrees), within, `${degrees}`);
});

test("the sides seen show the first layers that are left, and the last ones from behind", () => {
  const layers = (yaw: number, pitch: number, cut: Index) =>
    Object.fromEntries(
      visibleFaces(blockCamera(counts, plot, yaw, pitch), counts, cut).map(({ axis, layer, size }) => [
        axis,
        [layer, ...size],
      ]),
    );
  assert.deepEqual(layers(30, 24, uncut), { 0: [0, 10, 6], 1: [0, 10, 4], 2: [0, 4, 6] });
  assert.deepEqual(layers(30, 24, [1, 2, 3]), { 0: [1, 7, 4], 1: [2, 7, 3], 2: [3, 3, 4] });
  assert.deepEqual(layers(-150, -24, [1, 2, 3]), { 0: [3, 7, 4], 1: [5, 7, 3], 2: [9, 3, 4] });
  assert.deepEqual(layers(0, 0, uncut), { 0: [0, 10, 6] });
});

test("the middle of a cell on a side that is seen is found under its point", () => {
  for (const [yaw, pitch] of [CORNER, [-40, 30], [150, -35], [-120, -10]])
    for (const cut of [uncut, [1, 2, 3]] as Index[]) {
      const camera = blockCamera(counts, plot, yaw, pitch);
      const faces = visibleFaces(camera, counts, cut);
      let found = 0;
      for (let b = cut[0]; b < counts[0]; b += 1)
        for (let i = cut[1]; i < counts[1]; i += 1)
          for (let d = cut[2]; d < counts[2]; d += 1)
            for (const { axis, layer, first } of faces) {
              const cell = [b, i, d];
              if (cell[axis] !== layer) continue;
              const middle = cell.map((k) => k + 0.5);
              middle[axis] = first ? layer : layer + 1;
              assert.deepEqual(cellUnder(faces, ...camera.at(middle)), cell);
              found += 1;
            }
      const [n, m, k] = counts.map((count, axis) => count - cut[axis]);
      assert.equal(found, n * m + m * k + n * k);
      assert.equal(cellUnder(faces, 0, 0), null);
    }
});

test("a part of a side is the four corners around it, in turn", () => {
  const camera = blockCamera(counts, plot, ...CORNER);
  const [front] = visibleFaces(camera, counts, uncut);
  const quad = faceQuad(camera, front, [0, 1, 2], [4, 3, 5]);
  const corners: Index[] = [
    [0, 1, 2],
    [0, 1, 5],
    [0, 3, 5],
    [0, 3, 2],
  ];
  corners.forEach((corner, at) => close(quad[at], camera.at(corner)));
});

test("names stand along edges where a side that is seen meets one that is not", () => {
  const camera = blockCamera(counts, plot, ...CORNER);
  assert.deepEqual(outlineEdge(camera, counts, uncut, 0), [0, 6, 0]); // the batch, down at the left
  assert.deepEqual(outlineEdge(camera, counts, uncut, 1), [0, 0, 10]); // positions, right of the front
  assert.deepEqual(outlineEdge(camera, counts, uncut, 2), [0, 6, 0]); // dimensions, below the front
  assert.deepEqual(outlineEdge(camera, counts, [1, 2, 3], 2), [1, 6, 3]);
  assert.equal(outlineEdge(blockCamera(counts, plot, 0, 0), counts, uncut, 0), undefined);
});

test("numbers along an edge have the room they need, and the first and the last are there if they can be", () => {
  assert.deepEqual(tickIndices(0, 5, 500, 40), [0, 1, 2, 3, 4]);
  assert.deepEqual(tickIndices(0, 10, 200, 40), [0, 2, 4, 6, 9]);
  assert.deepEqual(tickIndices(3, 10, 140, 40), [3, 6, 9]);
  assert.deepEqual(tickIndices(5, 64, 590, 40), [5, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 63]);
  assert.deepEqual(tickIndices(0, 12, 162, 40), [0, 4, 8, 11]);
  assert.deepEqual(tickIndices(0, 256, 30, 40), [0]);
  assert.deepEqual(tickIndices(7, 8, 100, 40), [7]);
  for (let first = 0; first < 20; first += 1)
    for (const room of [14, 30, 40]) {
      const ticks = tickIndices(first, 64, 300, room);
      const each = 300 / (64 - first);
      ticks.slice(1).forEach((k, at) => assert.ok((k - ticks[at]) * each >= room, `${ticks} from ${first}`));
      assert.equal(ticks[0], first);
      assert.equal(ticks[ticks.length - 1], 63);
    }
});

const shown: Index = [2, 3, 4];
const model = {
  values: Float32Array.from({ length: 24 }, (_, at) => at),
  shape: [2, 3, 9] as Index,
  shown,
  starts: [10, 12],
  tokens: [
    ["a", "b", "c"],
    ["c", "d", "e"],
  ],
  labels: {
    readout: "{sample} {position} {dimension} {label} {value}",
    whole_axis: "all {count}",
    cut_axis: "{first}–{last} of {count}",
  },
};

test("numbers are read sample by sample, position by position", () => {
  let at = 0;
  for (let b = 0; b < 2; b += 1)
    for (let i = 0; i < 3; i += 1) for (let d = 0; d < 4; d += 1, at += 1) assert.equal(valueAt(model, [b, i, d]), at);
  assert.equal(readCell(model, [1, 2, 3]), "1 2 3 e 23.0000");
  assert.equal(tokenPosition(model, [1, 2, 0]), 14);
});

test("the picture of a layer has its rows and columns the way the side has", () => {
  assert.deepEqual(
    [...layerValues(model, { axis: 0, layer: 1, rows: 1, columns: 2 })],
    [12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23],
  );
  assert.deepEqual([...layerValues(model, { axis: 1, layer: 2, rows: 0, columns: 2 })], [8, 9, 10, 11, 20, 21, 22, 23]);
  assert.deepEqual([...layerValues(model, { axis: 2, layer: 3, rows: 1, columns: 0 })], [3, 15, 7, 19, 11, 23]);
});

test("a token that two windows share has two places", () => {
  assert.deepEqual(placesOf(model, 12), [
    [0, 2],
    [1, 0],
  ]);
  assert.deepEqual(placesOf(model, 14), [[1, 2]]);
  assert.deepEqual(placesOf(model, 15), []);
  assert.deepEqual(placesOf(model, 9), []);
  assert.deepEqual(placesOf(model, null), []);
});

test("what is left of an axis is said, and that all of it is", () => {
  assert.equal(rangeText(model, 0, 0), "all 2");
  assert.equal(rangeText(model, 0, 1), "1–1 of 2");
  assert.equal(rangeText(model, 2, 0), "0–3 of 9");
});

test("keys move the pointer over the front, which is cut where it goes there", () => {
  const cut: Index = [0, 1, 2];
  assert.deepEqual(stepped(null, cut, [0, 0, 1], shown), { cell: [0, 1, 2], cut: [0, 1, 2] });
  assert.deepEqual(stepped([0, 1, 2], cut, [0, 0, 1], shown), { cell: [0, 1, 3], cut: [0, 1, 2] });
  assert.deepEqual(stepped([0, 1, 2], cut, [0, -1, 0], shown), { cell: [0, 0, 2], cut: [0, 0, 2] });
  assert.deepEqual(stepped([0, 1, 2], cut, [1, 0, 0], shown), { cell: [1, 1, 2], cut: [1, 1, 2] });
  assert.deepEqual(stepped([1, 2, 3], cut, [1, 1, 1], shown), { cell: [1, 2, 3], cut: [1, 1, 2] });
  assert.deepEqual(stepped([0, 0, 0], uncut, [-1, -1, -1], shown), { cell: [0, 0, 0], cut: [0, 0, 0] });
});

test("a cut leaves at least one along each axis", () => {
  assert.deepEqual(withinCounts([5, 1, 4], shown), [1, 1, 3]);
});

test("the end of the scale is written as short as it can be", () => {
  const expected = { 2: "2", 0.125: "0.125", 0.00012345: "0.000123", 1234.5: "1.23e+3", 3.14159: "3.1416" };
  for (const [limit, text] of Object.entries(expected)) assert.equal(limitText(Number(limit)), text);
});
