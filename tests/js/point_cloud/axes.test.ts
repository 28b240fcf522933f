// Ticks: which numbers, written how, and exactly where the points of these coordinates are drawn.

import assert from "node:assert/strict";
import test from "node:test";

import { axisTitles, flatTicks, paddedBox, tickText } from "../../../ui/components/point_cloud/axes.ts";
import { type Box, newCamera, poseFitting, project, viewOf } from "../../../ui/components/point_cloud/camera.ts";
import { overlaps, placeLabels } from "../../../ui/components/point_cloud/labels.ts";
import { frameOf } from "../../../ui/components/point_cloud/model.ts";
import { near } from "./near.ts";

const numberOf = (text: string) => Number(text.replaceAll("−", "-"));

test("a tick's number has the decimals of its step, far numbers are powers of ten", () => {
  const texts = (step: number, ...values: number[]) => values.map((value) => tickText(value, step));
  assert.deepEqual(texts(0.5, -1, 0, 0.5), ["−1.0", "0", "0.5"]);
  assert.deepEqual(texts(0.1, -0.3, 1e-17), ["−0.3", "0"]);
  assert.deepEqual(texts(0.0001, 0.0003), ["0.0003"]);
  assert.deepEqual(texts(0.00001, 0.00003), ["3e−5"]);
  assert.deepEqual(texts(1e29, 2e30, 2.1e30), ["2.0e30", "2.1e30"]);
  assert.deepEqual(texts(100_000, -200_000, 0), ["−2e5", "0"]);
});

const plotOf = (width: number, height: number) => ({ x: 0, y: 0, width, height });

test("a tick lies where a point of its value is drawn", () => {
  const frame = frameOf({ low: [-3, 10, 0], high: [9, 14, 0] });
  for (const width of [1000, 400])
    for (const zoom of [1, 30]) {
      const view = viewOf({ ...newCamera(), ...poseFitting(frame), zoom, centre: [0.2, -0.1, 0] }, plotOf(width, 500));
      for (const axis of [0, 1] as const) {
        const ticks = flatTicks(view, frame, axis);
        assert.ok(ticks.length >= 2);
        for (const { at, text } of ticks) {
          const spot = [0, 0, 0];
          spot[axis] = (numberOf(text) - frame.centre[axis]) * frame.scale;
          near(at, project(view, spot)[axis], 1e-6);
        }
        const apart = Math.abs(ticks[1].at - ticks[0].at);
        const room = view.plot.width < 500 ? 56 : 92;
        assert.ok(apart > 0.99 * room && apart < 2.6 * room, `${apart}`);
        for (const { at } of ticks) assert.ok(at >= -1e-6 && at <= (axis ? 500 : width) + 1e-6);
      }
    }
});

test("the box is 6 % larger than what it holds, and no side is flat", () => {
  const ends = (box: Box) => [...paddedBox(box).low, ...paddedBox(box).high];
  near(ends({ low: [-1, -0.5, 0], high: [1, 0.5, 0] }), [-1.06, -0.53, -0.2544, 1.06, 0.53, 0.2544]);
  near(ends({ low: [3, 3, 3], high: [3, 3, 3] }), [2.97456, 2.97456, 2.97456, 3.02544, 3.02544, 3.02544]);
});

test("each axis in space has its title beyond its end, over no other, unless it is seen from its end", () => {
  const frame = { centre: [0, 0, 0], scale: 1, low: [-1, -1, -1], high: [1, 1, 1] };
  const axes = ["PC 1", "PC 2", "PC 3"];
  const titlesAt = (yaw: number, pitch: number) => {
    const view = viewOf({ ...newCamera(), ...poseFitting(frame), space: 1, yaw, pitch }, plotOf(900, 600));
    const placed = placeLabels(
      axisTitles({ view, axes }, frame),
      { plot: view.plot, blocked: [] },
      (text) => 9 * text.length,
    );
    return { view, placed };
  };
  for (let yaw = -3; yaw < 3; yaw += 0.7)
    for (const pitch of [-0.9, 0.42, 1.1]) {
      const { view, placed } = titlesAt(yaw, pitch);
      for (const [at, { text, box }] of placed.entries()) {
        const [x, y] = [box[0] + box[2] / 2, box[1] + box[3] / 2];
        const end = [0, 1, 2].map((axis) => (axis === axes.indexOf(text) ? 1.06 : -1.06));
        const [toX, toY] = project(view, end);
        assert.ok(Math.hypot(x - toX, y - toY) < 100, `${text} at ${yaw}, ${pitch}`);
        for (const other of placed.slice(at + 1)) assert.ok(!overlaps(box, other.box));
      }
    }
  assert.deepEqual(
    titlesAt(0, 0).placed.map(({ text }) => text),
    ["PC 1", "PC 2"],
  );
});

test("the flat picture has its titles in two corners, clear of the ticks' numbers and of tools above them", () => {
  const frame = { centre: [0, 0, 0], scale: 1, low: [-1, -1, -1], high: [1, 1, 1] };
  const view = viewOf({ ...newCamera(), ...poseFitting(frame) }, plotOf(900, 600));
  const titlesBelow = (top: number) =>
    placeLabels(
      axisTitles({ view, axes: ["man → king", "PC 2"] }, frame, top),
      { plot: view.plot, blocked: [] },
      (text) => 9 * text.length,
    );
  const [across, up] = titlesBelow(60);
  assert.deepEqual([across.text, up.text], ["man → king", "↑ PC 2"]);
  assert.deepEqual([across.box[0] + across.box[2], up.box[0], up.box[1]], [892, 8, 60]);
  assert.ok(across.box[1] > 560);
});
