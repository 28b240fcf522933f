// Ticks: which numbers, written how, and exactly where the points of these coordinates are drawn.

import assert from "node:assert/strict";
import test from "node:test";

import {
  boxTicks,
  edgeOf,
  flatTicks,
  niceStep,
  plotArea,
  sidesOf,
  tickMarks,
  touches,
} from "../../../ui/components/point_cloud/axes.ts";
import { fitting, newCamera, project, viewOf } from "../../../ui/components/point_cloud/camera.ts";
import { frameOf } from "../../../ui/components/point_cloud/model.ts";
import { near } from "./near.ts";

const numberOf = (text: string) => Number(text.replaceAll("−", "-"));

test("a step is the least of 1, 2, 5 times a power of ten that has the room", () => {
  for (const [length, span, room, step] of [
    [10, 100, 10, 1],
    [10, 100, 11, 2],
    [10, 100, 21, 5],
    [10, 100, 51, 10],
    [1, 1000, 92, 0.1],
    [3e6, 500, 92, 1e6],
    [1, 9.995, 1, 0.1], // a thousandth less than asked for will do
  ])
    near(niceStep(length, span, room), step, step * 1e-12);
});

test("ticks are all the multiples of the step, ends included", () => {
  const texts: (low: number, high: number, step: number) => string[] = (low, high, step) =>
    tickMarks(low, high, step).map(({ text }) => text);
  assert.deepEqual(texts(-1, 1, 0.5), ["−1.0", "−0.5", "0", "0.5", "1.0"]);
  assert.deepEqual(texts(-0.31, 0.29, 0.1), ["−0.3", "−0.2", "−0.1", "0", "0.1", "0.2"]);
  assert.deepEqual(texts(7.2, 18, 5), ["10", "15"]);
  assert.deepEqual(texts(0.00021, 0.00049, 0.0001), ["0.0003", "0.0004"]);
  assert.deepEqual(texts(0.000021, 0.000041, 0.00001), ["3e−5", "4e−5"]);
  assert.deepEqual(texts(1.99e30, 2.31e30, 1e29), ["2.0e30", "2.1e30", "2.2e30", "2.3e30"]);
  assert.deepEqual(texts(-250_000, 10_000, 100_000), ["−2e5", "−1e5", "0"]);
  for (const { value, text } of tickMarks(-3.3, 3.3, 0.2)) near(value, numberOf(text), 1e-12);
  assert.equal(tickMarks(0, 1e9, 1).length, 60);
});

test("the flat picture leaves room for ticks and titles, the turned one does not", () => {
  assert.deepEqual(plotArea(1000, 500, 0), { x: 84, y: 10, width: 906, height: 428 });
  assert.deepEqual(plotArea(400, 300, 0), { x: 62, y: 10, width: 328, height: 228 });
  assert.deepEqual(plotArea(1000, 500, 1), { x: 0, y: 0, width: 1000, height: 500 });
  assert.deepEqual(plotArea(1000, 500, 0.5), { x: 42, y: 5, width: 953, height: 464 });
  assert.deepEqual(plotArea(50, 50, 0), { x: 62, y: 10, width: 40, height: 40 });
});

test("a tick lies where a point of its value is drawn", () => {
  const frame = frameOf({ low: [-3, 10, 0], high: [9, 14, 0] });
  for (const width of [1000, 400])
    for (const zoom of [1, 30]) {
      const view = viewOf({ ...newCamera(), ...fitting(frame), zoom, centre: [0.2, -0.1, 0] }, plotArea(width, 500, 0));
      for (const axis of [0, 1] as const) {
        const ticks = flatTicks(view, frame, axis);
        assert.ok(ticks.length >= 2);
        for (const { at, text } of ticks) {
          const spot = [0, 0, 0];
          spot[axis] = (numberOf(text) - frame.centre[axis]) * frame.scale;
          near(at, project(view, spot)[axis], 1e-6);
        }
        const apart = Math.abs(ticks[1].at - ticks[0].at);
        const room = view.plot.width < 500 ? 64 : 92;
        assert.ok(apart > 0.99 * room && apart < 2.6 * room, `${apart}`);
        const [first, last] = axis ? [view.plot.y, view.plot.y + view.plot.height] : [view.plot.x, 990];
        for (const { at } of ticks) assert.ok(at >= first - 1e-6 && at <= last + 1e-6);
      }
    }
});

test("the box is 6 % larger than what it holds, and no side is flat", () => {
  near(sidesOf({ low: [-1, -0.5, 0], high: [1, 0.5, 0] }).flat(), [-1.06, 1.06, -0.53, 0.53, -0.2544, 0.2544]);
  near(sidesOf({ low: [3, 3, 3], high: [3, 3, 3] }).flat(), [2.97456, 3.02544, 2.97456, 3.02544, 2.97456, 3.02544]);
});

test("ticks of the box lie at their values, about nine along the longest side", () => {
  const frame = frameOf({ low: [-3, 10, 0], high: [9, 14, 1] });
  const sides = sidesOf(frame);
  const ticks = boxTicks(sides, frame);
  ticks.forEach((some, axis) => {
    for (const { at, text } of some) {
      near(at, (numberOf(text) - frame.centre[axis]) * frame.scale, 1e-9);
      assert.ok(at >= sides[axis][0] - 1e-9 && at <= sides[axis][1] + 1e-9);
    }
  });
  assert.deepEqual(
    ticks.map((some) => some.map(({ text }) => text)),
    [
      ["−2", "0", "2", "4", "6", "8"],
      ["10", "12", "14"],
      ["0", "2"],
    ],
  );
});

test("an axis is written along an edge of the outline, outwards, below or to the left", () => {
  const frame = { centre: [0, 0, 0], scale: 1, low: [-1, -1, -1], high: [1, 1, 1] };
  const sides = sidesOf(frame);
  for (let yaw = -3; yaw < 3; yaw += 0.7)
    for (const pitch of [-0.9, 0.42, 1.1]) {
      const view = viewOf({ ...newCamera(), ...fitting(frame), space: 1, yaw, pitch }, plotArea(900, 600, 1));
      const heart = project(view, [0, 0, 0]);
      for (const axis of [0, 1, 2]) {
        const edge = edgeOf(view, sides, axis);
        if (!edge) continue;
        near(Math.hypot(...edge.out), 1);
        const along = [edge.place(1)[0] - edge.place(-1)[0], edge.place(1)[1] - edge.place(-1)[1]];
        near(along[0] * edge.out[0] + along[1] * edge.out[1], 0, 1e-6);
        const from = [edge.middle[0] - heart[0], edge.middle[1] - heart[1]];
        assert.ok(from[0] * edge.out[0] + from[1] * edge.out[1] > 0);
        assert.ok(edge.upright ? from[0] < 0 : from[1] > 0);
        // On the outline: no corner of the box is farther out.
        const reach = (spot: number[]) => spot[0] * edge.out[0] + spot[1] * edge.out[1];
        for (let corner = 0; corner < 8; corner += 1) {
          const spot = [0, 1, 2].map((at) => sides[at][(corner >> at) & 1]);
          assert.ok(reach(project(view, spot)) <= reach(edge.middle) + 1e-6);
        }
        near(edge.top[1], Math.min(edge.place(sides[axis][0])[1], edge.place(sides[axis][1])[1]), 1e-6);
      }
    }
  const fromTheFront = viewOf({ ...newCamera(), ...fitting(frame), space: 1, yaw: 0, pitch: 0 }, plotArea(900, 600, 1));
  assert.equal(edgeOf(fromTheFront, sides, 2), null);
});

test("rectangles touch where they share an area", () => {
  assert.equal(touches([0, 0, 10, 10], [9, 9, 5, 5]), true);
  for (const other of [
    [10, 0, 5, 5],
    [0, 10, 5, 5],
    [-5, 0, 5, 5],
    [0, -5, 5, 5],
  ] as [number, number, number, number][])
    assert.equal(touches([0, 0, 10, 10], other), false);
});
