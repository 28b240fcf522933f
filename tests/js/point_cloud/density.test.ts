// Contours of a crowd. More points than are drawn: their counts as colours, where they lie in the view, and when the page is told what is seen.

import assert from "node:assert/strict";
import test from "node:test";

import { type Camera, newCamera, project, viewOf } from "../../../ui/components/point_cloud/camera.ts";
import {
  cellPixels,
  countAt,
  densityContours,
  poseFacing,
  REST,
  tintOf,
  visibleWindow,
  windowReporter,
} from "../../../ui/components/point_cloud/density.ts";
import { frameOf, toFrame } from "../../../ui/components/point_cloud/model.ts";
import { type Cells, readPart } from "../../../ui/components/point_cloud/store.ts";
import { near, scattered } from "./near.ts";

const PLOT = { x: 84, y: 10, width: 900, height: 400 };
const FRAME = frameOf({ low: [-6, 10, 0], high: [2, 14, 0] });

const seenFrom = (pose: Partial<Camera>) => viewOf({ ...newCamera(), box: FRAME, ...pose }, PLOT);

const cellsOf = (columns: number, rows: number, counts: number[]) => ({
  part: "density" as const,
  name: "some",
  columns,
  rows,
  counts: Uint32Array.from(counts),
});

test("equal steps of the palette are equal factors of the count, from one point to the most", () => {
  assert.equal(tintOf(1, 10_000, 256), 0);
  assert.equal(tintOf(10_000, 10_000, 256), 255);
  assert.equal(tintOf(100, 10_000, 255), 127);
  assert.equal(tintOf(10, 10_000, 5), 1);
  assert.equal(tintOf(1, 1, 256), 0);
});

test("a cell has the colour of its count, and one without points none", () => {
  const palette = Uint8Array.from({ length: 4 * 256 }, (_, at) => (at % 4 === 3 ? 255 : Math.floor(at / 4)));
  const counts = [0, 1, 10, 100, 255, 256, 70_000, 0];
  const pixels = cellPixels(cellsOf(4, 2, counts), 70_000, palette, 256);
  counts.forEach((count, at) => {
    const tint = count && Math.round((255 * Math.log(count)) / Math.log(70_000));
    assert.deepEqual([...pixels.slice(4 * at, 4 * at + 4)], count ? [tint, tint, tint, 255] : [0, 0, 0, 0]);
  });
});

test("counts are read as Python packs them: a byte each, and four where that is too few", () => {
  const header = new TextEncoder().encode(JSON.stringify({ part: "density", name: "it" }).padEnd(36));
  const body = Uint8Array.of(7, 255, 0, 254, 255, 1);
  const data = new Uint8Array(4 + 36 + 12 + 8 + 6);
  data.set(Uint8Array.from([...new Uint8Array(Uint32Array.of(36).buffer), ...header]));
  data.set(new Uint8Array(Uint32Array.of(3, 2, 2, 255, 1_000_000).buffer), 40);
  data.set(body, 60);
  const cells = readPart(data) as Cells;
  assert.deepEqual([cells.columns, cells.rows, [...cells.counts]], [3, 2, [7, 255, 0, 254, 1_000_000, 1]]);
});

test("what is seen is what lies at the corners of the picture", () => {
  for (const view of [seenFrom({}), seenFrom({ zoom: 7, centre: [0.4, -0.2, 0] })]) {
    const [left, bottom, right, top] = visibleWindow(view, FRAME);
    near(project(view, toFrame(FRAME, [left, bottom, 0])).slice(0, 2), [84, 410]);
    near(project(view, toFrame(FRAME, [right, top, 0])).slice(0, 2), [984, 10]);
  }
  const whole = visibleWindow(seenFrom({}), FRAME);
  near((whole[2] - whole[0]) / (whole[3] - whole[1]), 900 / 400);
  // 40 pixels are free around all points on the tighter side
  near([whole[3] - 14, 10 - whole[1]], Array(2).fill((40 * (whole[3] - whole[1])) / 400));
});

test("a window that is faced is what is seen, as far as its shape is the picture's", () => {
  const view = seenFrom({ zoom: 3, centre: [0.1, 0.3, 0] });
  const window = [-3, 11, -0.75, 12] as const;
  near(visibleWindow(seenFrom(poseFacing([...window], FRAME, view)), FRAME), window);
  const [left, bottom, right, top] = visibleWindow(seenFrom(poseFacing([-3, 11, -2, 13], FRAME, view)), FRAME);
  near([bottom, top], [11, 13]);
  near([(left + right) / 2, right - left], [-2.5, 4.5]);
});

test("a cell answers where it is drawn, and nothing does beside the cells", () => {
  const [cells, view] = [cellsOf(3, 2, [1, 2, 3, 4, 5, 6]), seenFrom({ zoom: 1.5 })];
  const over = [-5, 10.5, -2, 12.5] as [number, number, number, number];
  const at = (x: number, y: number) => {
    const [right, down] = project(view, toFrame(FRAME, [x, y, 0]));
    return countAt(cells, over, view, FRAME, right, down);
  };
  assert.deepEqual([at(-4.5, 12), at(-3.5, 12), at(-2.5, 12)], [1, 2, 3]); // the upper row
  assert.deepEqual([at(-4.99, 10.51), at(-3.01, 11.49), at(-2.01, 10.51)], [4, 5, 6]);
  assert.deepEqual([at(-5.01, 11), at(-1.99, 11), at(-3, 10.49), at(-3, 12.51)], [0, 0, 0, 0]);
});

test("the page is told once what is seen when nothing has moved for a while", (context) => {
  let now = 0;
  let next: { at: number; call: () => void } | null = null;
  const set = (call: () => void, wait: number) => (next = { at: now + wait, call });
  context.mock.method(globalThis, "setTimeout", set as any);
  context.mock.method(globalThis, "clearTimeout", () => void (next = null));
  const told: number[] = [];
  const lookout = windowReporter(({ seen }) => void told.push(seen[0]));
  const see = (left: number) => lookout.see({ picture: "p", seen: [left, 0, 9, 1], size: [9, 1], window: true });
  const pass = (time: number) => {
    now += time;
    if (!next || next.at > now) return;
    const { call } = next;
    next = null;
    call();
  };
  see(1);
  assert.ok(lookout.due);
  pass(REST - 1);
  see(2); // it goes on moving
  see(2);
  pass(REST - 1);
  assert.deepEqual(told, []);
  pass(1);
  assert.deepEqual(told, [2]);
  assert.ok(!lookout.due);
  see(2);
  pass(REST);
  see(3);
  see(2); // and back before it rested
  pass(REST);
  assert.deepEqual(told, [2]);
  see(4);
  lookout.stop();
  pass(REST);
  assert.deepEqual(told, [2]);
});

test("contours of a crowd that thins out evenly are closed rings, each where half as many lie as at the one within", () => {
  const count = 40_000;
  const chance = scattered(12 * count);
  const middle = [0.2, -0.1];
  // The sum of six even numbers of variance 1/3 is nearly normal.
  const spots = Float32Array.from({ length: 3 * count }, (_, at) => {
    const [row, axis] = [Math.floor(at / 3), at % 3];
    if (axis === 2) return 0.5;
    const from = 12 * row + 6 * axis;
    return middle[axis] + (0.2 * chance.subarray(from, from + 6).reduce((a, b) => a + b, 0)) / Math.sqrt(2);
  });
  const contours = densityContours({ spots, count });
  const ends = Array.from({ length: contours.length / 3 }, (_, at) => [...contours.subarray(3 * at, 3 * at + 3)]);
  const met = new Map<string, number>();
  for (const end of ends) met.set(end.join(), (met.get(end.join()) ?? 0) + 1);
  assert.ok([...met.values()].every((times) => times % 2 === 0)); // each piece ends where another begins
  const radii = [1, 2, 3, 4, 5].map((halvings) => 0.2 * Math.sqrt(2 * halvings * Math.log(2)));
  const nearest = ends.map(([x, y]) => {
    const away = Math.hypot(x - middle[0], y - middle[1]);
    return radii.reduce((best, radius) => (Math.abs(away - radius) < Math.abs(away - best) ? radius : best));
  });
  assert.deepEqual(new Set(nearest), new Set(radii));
  const off = ends.map(([x, y], at) => Math.abs(Math.hypot(x - middle[0], y - middle[1]) - nearest[at]));
  assert.ok(off.sort((a, b) => a - b)[Math.floor(0.9 * off.length)] < 0.03);
  assert.ok(contours.every(Number.isFinite) && ends.every(([, , z]) => z === 0));
});
