import assert from "node:assert/strict";
import { test } from "node:test";
import {
  axisWindow,
  boundingBox,
  decodeNumbers,
  MAX_CIRCLES,
  nameAnnotations,
  placeholderTraces,
  rasterSize,
  separateClouds,
} from "../../../ui/components/paper/points.ts";

const cloud = (count: number) => ({
  type: "scattergl",
  mode: "markers",
  name: "words",
  x: Float32Array.from({ length: count }, (_, index) => index),
  y: Float32Array.from({ length: count }, () => 2),
  marker: { color: ["#111111"], size: 5 },
});
const names = { type: "scattergl", mode: "text", x: [1], y: [2], text: ["cat"], textfont: { size: 13 } };
const bars = { type: "bar", x: [1], y: [2] };

test("Plotly's typed arrays are read as numbers", () => {
  const bdata = btoa(String.fromCharCode(...new Uint8Array(Float32Array.from([1.5, -2]).buffer)));
  assert.deepEqual([...Array.from(decodeNumbers({ dtype: "f4", bdata }))], [1.5, -2]);
  assert.deepEqual(decodeNumbers([3]), [3]);
});

test("points outside of what the axes show are left out, with their names and colours", () => {
  const window = axisWindow({ xaxis: { range: [0.5, 2] }, yaxis: { range: [0, 2] } });
  const coloured = { ...cloud(4), text: ["a", "b", "c", "d"], marker: { color: ["#0", "#1", "#2", "#3"] } };
  const { traces } = separateClouds([coloured, { ...names, x: [3] }], window);
  assert.deepEqual(
    [traces[0].x, traces[0].y, traces[0].text],
    [
      [1, 2],
      [2, 2],
      ["b", "c"],
    ],
  );
  assert.deepEqual(traces[0].marker.color, ["#1", "#2"]);
  assert.deepEqual(traces[1].text, []);
  assert.ok(!("marker" in traces[1]));
  assert.equal(axisWindow({ xaxis: { range: [0, 1] }, yaxis: {} }), null);
  assert.equal(separateClouds([cloud(4)], null).traces[0].x.length, 4);
  const many = cloud(MAX_CIRCLES + 10);
  assert.equal(separateClouds([many], { left: 0, right: 50, bottom: 0, top: 3 }).clouds.length, 0);
});

test("few points are circles, larger where there is room; the rest stays", () => {
  const { traces, clouds } = separateClouds([cloud(3), names, bars]);
  assert.deepEqual(
    traces.map(({ type }) => type),
    ["scatter", "scatter", "bar"],
  );
  assert.equal(traces[0].marker.size, 8);
  assert.deepEqual(clouds, []);
});

test("many points are apart, for an image, and their names are not", () => {
  const { traces, clouds } = separateClouds([cloud(MAX_CIRCLES), cloud(1), names]);
  assert.deepEqual(
    traces.map(({ mode }) => mode),
    ["text"],
  );
  assert.deepEqual(
    clouds.map(({ x }) => x.length),
    [MAX_CIRCLES, 1],
  );
});

test("a scale of colours keeps its trace, though it has no points", () => {
  const scale = { type: "scattergl", mode: "markers", x: [], y: [], marker: { showscale: true } };
  const { traces } = separateClouds([cloud(MAX_CIRCLES + 1), scale]);
  assert.equal(traces.length, 1);
  assert.equal(traces[0].x.length, 1);
});

test("an image is as wide and as tall as its points, with room for half a point", () => {
  const box = boundingBox([{ x: [0, 10], y: [0, 5] }]);
  assert.deepEqual(box, { left: -0.1, right: 10.1, bottom: -0.1, top: 5.1 });
  const { width, height } = rasterSize(box);
  assert.equal(width, 2400);
  assert.equal(height, Math.round((2400 * 5.2) / 10.2));
  assert.deepEqual(boundingBox([{ x: [1], y: [1] }]), { left: 0, right: 2, bottom: 0, top: 2 });
});

test("the corners keep room for an image, and each cloud has a place in the legend", () => {
  const [corners, words] = placeholderTraces([cloud(1)], { left: 0, right: 1, bottom: 2, top: 3 });
  assert.deepEqual(
    [corners.x, corners.y],
    [
      [0, 1],
      [2, 3],
    ],
  );
  assert.deepEqual([words.name, words.marker.color], ["words", "#111111"]);
});

test("names over an image are notes at their points, as far as none covers another", () => {
  const [note, ...others] = nameAnnotations([bars, names], 100);
  assert.deepEqual([note.x, note.y, note.text, others.length], [1, 2, "cat", 0]);
  const close = { ...names, x: [1, 1.1, 9], y: [2, 2, 2], text: ["cat", "dog", "bird"] };
  assert.deepEqual(
    nameAnnotations([close], 100).map(({ text }) => text),
    ["cat", "bird"],
  );
});
