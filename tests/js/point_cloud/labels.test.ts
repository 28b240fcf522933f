// Where labels have room: sides of a point, what may cover what, which of the crowd come first; numbers of a legend.

import assert from "node:assert/strict";
import test from "node:test";
import { countText } from "../../../ui/components/_shared/numbers.ts";
import {
  boxAround,
  boxGrid,
  cross,
  glideLabels,
  isInside,
  type Label,
  leaderOf,
  meets,
  overlaps,
  type PlacedLabel,
  placeLabels,
  type Rectangle,
  shortText,
} from "../../../ui/components/point_cloud/labels.ts";
import { gradientTicks, gradientValue, valueText } from "../../../ui/components/point_cloud/words.ts";
import { near, scattered } from "./near.ts";

const PLOT = { x: 100, y: 50, width: 300, height: 120 };
const ROOM = { plot: PLOT, blocked: [] as Rectangle[] };
const widthOf = (text: string) => 8 * text.length;
const label = (x: number, y: number, text: string, more: Partial<Label> = {}): Label => ({
  id: text,
  x,
  y,
  text,
  look: "found",
  gap: 10,
  ...more,
});

test("boxes in a grid are found wherever they overlap", () => {
  const numbers = scattered(400);
  const boxes = Array.from({ length: 100 }, (_, at): Rectangle => {
    const [x, y, width, height] = numbers.subarray(4 * at, 4 * at + 4);
    return [400 * x, 300 * y, 40 + 30 * width, 20 + 15 * height];
  });
  const grid = boxGrid(boxes.slice(0, 50));
  for (const box of boxes.slice(50))
    assert.equal(grid.isFree(box), !boxes.slice(0, 50).some((other) => overlaps(box, other)));
});

test("a label takes the first side of its point that is free, and stands farther off only where it may", () => {
  const [alone] = placeLabels([label(200, 100, "first")], ROOM, widthOf);
  assert.deepEqual(alone.box, [210, 88, 54, 24]);
  const same = (more: Partial<Label>) =>
    placeLabels(
      Array.from({ length: 12 }, (_, at) => label(200, 100, `name ${at}`, more)),
      ROOM,
      widthOf,
    );
  assert.ok(same({}).length < same({ reach: 96 }).length);
  assert.equal(same({ must: true }).length, 12);
  for (const more of [{}, { reach: 96 }]) {
    const placedLabels = same(more);
    for (const [at, one] of placedLabels.entries()) {
      assert.ok(isInside(PLOT, one.box));
      for (const other of placedLabels.slice(at + 1)) assert.ok(!overlaps(one.box, other.box));
    }
  }
});

test("no label covers what is blocked unless it must, and none stands outside the picture", () => {
  const name = label(200, 100, "first");
  const [left] = placeLabels([name], { plot: PLOT, blocked: [boxAround(230, 100, 13)] }, widthOf);
  assert.ok(left.box[0] + left.box[2] < 200);
  const everywhere: Rectangle = [100, 50, 300, 120];
  assert.deepEqual(placeLabels([name], { plot: PLOT, blocked: [everywhere] }, widthOf), []);
  assert.equal(placeLabels([{ ...name, must: true }], { plot: PLOT, blocked: [everywhere] }, widthOf).length, 1);
  assert.deepEqual(placeLabels([label(60, 20, "outside")], ROOM, widthOf), []);
});

test("lines meet a rectangle that they run through, and cross each other only between their ends", () => {
  const box: Rectangle = [10, 10, 20, 10];
  assert.ok(meets([0, 0, 40, 30], box) && meets([15, 0, 15, 40], box) && meets([12, 12, 13, 13], box));
  assert.ok(!meets([0, 0, 8, 40], box) && !meets([0, 25, 40, 25], box) && !meets([0, 0, 9, 9], box));
  assert.ok(!meets([5, 14, 14, 5], box) && meets([5, 18, 18, 5], box)); // past a corner and over it
  assert.ok(cross([0, 0, 10, 10], [0, 10, 10, 0]));
  assert.ok(!cross([0, 0, 4, 4], [0, 10, 10, 0]) && !cross([0, 0, 10, 0], [0, 5, 10, 5]));
});

test("among points in a crowd no label is beside another point, no line to it through a point, label or line", () => {
  const plot = { x: 0, y: 0, width: 700, height: 500 };
  let leaderCount = 0;
  for (let seed = 1; seed <= 40; seed += 1) {
    const spots = scattered(20, seed);
    const points = Array.from({ length: 10 }, (_, at) => [300 + 90 * spots[2 * at], 220 + 60 * spots[2 * at + 1]]);
    const labels = points.map(([x, y], at) =>
      label(x, y, `word ${at}`, { look: "crowd", gap: 8, must: true, reach: 96 }),
    );
    const dots = points.map(([x, y]) => boxAround(x, y, 6));
    const placedLabels = placeLabels(labels, { plot, blocked: dots }, (text) => 6 * text.length);
    const leaders = placedLabels.map((one) => leaderOf(one, one.box));
    leaderCount += leaders.filter((leader) => leader).length;
    for (const [at, { box }] of placedLabels.entries()) {
      const [left, top, width, height] = box;
      const leader = leaders[at];
      for (const dot of dots) {
        assert.ok(!overlaps(box, dot));
        if (overlaps(dot, dots[at])) continue;
        assert.ok(!overlaps([left - 7, top - 7, width + 14, height + 14], dot));
        assert.ok(!leader || !meets(leader, dot));
      }
      if (!leader) continue;
      placedLabels.forEach((one, other) => assert.ok(other === at || !meets(leader, one.box)));
      leaders.forEach((other) => assert.ok(!other || !cross(leader, other)));
    }
  }
  assert.ok(leaderCount > 40);
});

test("a cluster's label glides to its place from where it was shown beside its point, any other is there at once", () => {
  const placedLabel = (id: string, x: number, box: Rectangle, places?: Label["places"]) =>
    ({ ...label(x, 50, id), id, box, place: 0, places }) as PlacedLabel;
  const before = [placedLabel("word", 10, [20, 40, 30, 20]), placedLabel("cluster", 10, [20, 40, 30, 20], () => [])];
  const now = [placedLabel("word", 15, [80, 60, 30, 20]), placedLabel("cluster", 15, [85, 60, 30, 20], () => [])];
  const { labels, gliding } = glideLabels(now, before, 0.25);
  assert.deepEqual(
    labels.map(({ box }) => box),
    [
      [80, 60, 30, 20],
      [40, 45, 30, 20],
    ],
  );
  assert.equal(gliding, true);
  assert.deepEqual(glideLabels(now, now, 0.25), { labels: now, gliding: false });
});

test("a label stays on its side from frame to frame while that is free", () => {
  const [first, second] = placeLabels([label(200, 100, "one"), label(210, 100, "two")], ROOM, widthOf);
  const moved = placeLabels([label(203, 100, "two")], { ...ROOM, before: [first, second] }, widthOf);
  assert.equal(moved[0].place, second.place);
  assert.notEqual(placeLabels([label(203, 100, "two")], ROOM, widthOf)[0].place, second.place);
});

test("of the crowd as many have a label as are asked for, each with its own dot free and apart from others", () => {
  const spots = scattered(400);
  const crowd = Array.from({ length: 200 }, (_, at) =>
    label(250 + 140 * spots[2 * at], 110 + 50 * spots[2 * at + 1], `p${at}`, { dot: 4, gap: 8 }),
  );
  for (const air of [0, 5]) {
    const labels = crowd.map((one) => ({ ...one, air }));
    const placedLabels = placeLabels(labels, ROOM, widthOf);
    assert.equal(placedLabels[0].id, "p0");
    for (const one of placedLabels)
      for (const other of placedLabels) {
        if (one === other) continue;
        const [left, top, width, height] = one.box;
        assert.ok(!overlaps(other.box, [left - air, top - air, width + 2 * air, height + 2 * air]));
        assert.ok(!overlaps(other.box, boxAround(one.x, one.y, 4)));
      }
  }
  assert.equal(placeLabels(crowd, { ...ROOM, most: 3 }, widthOf).length, 3);
});

test("long texts are cut to 44 characters, an emoji counting as one", () => {
  assert.equal(shortText("x".repeat(44)), "x".repeat(44));
  assert.equal(shortText("😀".repeat(45)), `${"😀".repeat(43)}…`);
});

test("a logarithmic bar has round values between its ends, where their logarithm lies", () => {
  const times = gradientTicks({ low: 5, high: 592, logarithmic: true });
  assert.deepEqual(
    times.map(({ text }) => text),
    ["10", "100"],
  );
  for (const { share, text } of times) {
    near(gradientValue({ low: 5, high: 592, logarithmic: true }, share), Number(text), 1e-9);
    near(share, Math.log(Number(text) / 5) / Math.log(592 / 5));
  }
  const narrow = gradientTicks({ low: 3, high: 9, logarithmic: true });
  assert.deepEqual(
    narrow.map(({ text }) => text),
    ["5"],
  );
  assert.equal(gradientTicks({ low: 1, high: 1e12, logarithmic: true }).length, 3);
  assert.deepEqual(gradientTicks({ low: 1, high: 5, logarithmic: false }), []);
  near(gradientValue({ low: 2, high: 6, logarithmic: false }, 0.25), 3);
});

test("numbers are written in groups of three, values with three digits", () => {
  assert.deepEqual([0, 999, 1000, 50_257, 1_234_567].map(countText), ["0", "999", "1,000", "50,257", "1,234,567"]);
  assert.deepEqual([-3, 1.23456, 0.000123456, 12_345.6].map(valueText), ["−3", "1.23", "0.000123", "12300"]);
});
