// Where names have room: tiles, sides of a point, what may cover what.

import assert from "node:assert/strict";
import test from "node:test";
import { countText } from "../../../ui/components/_shared/numbers.ts";
import {
  ALWAYS,
  BESIDE,
  beside,
  NAME_HEIGHT,
  nearestInBox,
  OFF,
  placeNames,
  shortName,
  type Wanted,
} from "../../../ui/components/point_cloud/names.ts";
import { pathNames, pathSpots } from "../../../ui/components/point_cloud/path.ts";
import {
  coverAround,
  coverBox,
  coverLine,
  crossesBox,
  crowdedArea,
  isFree,
  isInside,
  newTiles,
  TILE,
  tileAt,
} from "../../../ui/components/point_cloud/tiles.ts";
import { gradientTicks, gradientValue, valueText } from "../../../ui/components/point_cloud/words.ts";
import { near } from "./near.ts";

const PLOT = { x: 100, y: 50, width: 300, height: 120 };
const THEME = { ground: "", panel: "", ink: "", accent: "", line: "", font: "sans-serif" };
const CONTEXT = {
  font: "",
  measureText: (text: string) => ({ width: 8 * text.length }) as TextMetrics,
};

test("a tile is free until something lies in it, and nothing outside the picture is", () => {
  const tiles = newTiles(PLOT);
  assert.deepEqual([tiles.columns, tiles.rows], [50, 20]);
  assert.deepEqual([tileAt(tiles, 100, 50), tileAt(tiles, 106, 62), tileAt(tiles, 399, 169)], [0, 101, 999]);
  assert.deepEqual([tileAt(tiles, 99, 60), tileAt(tiles, 400, 60), tileAt(tiles, 200, 170)], [-1, -1, -1]);
  coverBox(tiles, [200, 80, 20, 10]);
  for (let x = 104; x < 380; x += 3)
    for (let y = 54; y < 150; y += 3) {
      // All tiles that the box reaches into are taken.
      const covers = (from: number, to: number, low: number, high: number, zero: number) =>
        Math.floor((from - zero) / TILE) <= Math.floor((high - zero) / TILE) &&
        Math.floor((to - zero) / TILE) >= Math.floor((low - zero) / TILE);
      const taken = covers(x, x + 9, 200, 220, 100) && covers(y, y + 9, 80, 90, 50);
      assert.equal(isFree(tiles, [x, y, 9, 9]), !taken, `${x}, ${y}`);
    }
  assert.equal(isInside(PLOT, [102, 52, 296, 116]), true);
  for (const box of [
    [101, 60, 9, 9],
    [150, 51, 9, 9],
    [390, 60, 9, 9],
    [150, 160, 9, 9],
  ] as [number, number, number, number][])
    assert.equal(isFree(tiles, box), false);
});

test("a line takes the tiles that it runs through, as far as it is in the picture", () => {
  const tiles = newTiles(PLOT);
  coverLine(tiles, [
    [0, 50],
    [200, 150],
    [200, 1e7],
  ]);
  const isTaken = (share: number) => tiles.taken[tileAt(tiles, 200 * share, 50 + 100 * share)] === 1;
  for (let share = 0.52; share < 0.98; share += 0.001)
    assert.ok(
      [-0.012, 0, 0.012].some((off) => isTaken(share + off)),
      `${share}`,
    ); // looked at every 5 pixels or closer
  assert.equal(tiles.taken[tileAt(tiles, 200, 168)], 1);
  assert.equal(tiles.taken[tileAt(tiles, 212, 160)], 0);
  assert.equal(tiles.taken[tileAt(tiles, 110, 80)], 0);
  const line = [
    [0, 0],
    [10, 10],
  ];
  assert.equal(crossesBox(line, [4, 4, 2, 2]), true);
  assert.equal(crossesBox(line, [6, 1, 2, 2]), false);
  assert.equal(crossesBox(line, [11, 11, 2, 2]), false);
  assert.equal(crossesBox([[5, 5]], [4, 4, 2, 2]), false);
});

test("a name keeps others away by a circle around its point", () => {
  const tiles = newTiles(PLOT);
  coverAround(tiles, 190, 110, 30);
  const [column, row] = [(190 - 100) / TILE, (110 - 50) / TILE];
  for (let r = 0; r < tiles.rows; r += 1) {
    const half = Math.sqrt(Math.max(0, 25 - (r + 0.5 - row) ** 2));
    for (let c = 0; c < tiles.columns; c += 1) {
      const inRow = r >= Math.floor(row - 5) && r <= Math.floor(row + 5);
      const inside = inRow && c >= Math.floor(column - half) && c <= Math.floor(column + half);
      assert.equal(tiles.near[r * tiles.columns + c], Number(inside), `${r}, ${c}`);
    }
  }
});

test("the crowd's area counts squares of 24 pixels with a point in them", () => {
  const screen = Float32Array.of(101, 51, 102, 52, 130, 51, 90, 60, 420, 60);
  assert.equal(crowdedArea(screen, 5, { plot: PLOT }), 2 * 24 ** 2);
});

test("a box stands off its point on the side that is asked for", () => {
  assert.deepEqual(beside(50, 60, [1, 0], 5, 30, 10), [55, 55]);
  assert.deepEqual(beside(50, 60, [-1, 0], 5, 30, 10), [15, 55]);
  assert.deepEqual(beside(50, 60, [0, -1], 5, 30, 10), [35, 45]);
  assert.deepEqual(beside(50, 60, [0, 1], 5, 30, 10), [35, 65]);
  assert.deepEqual(beside(50, 60, [1, -1], 5, 30, 10), [55, 45]);
  assert.deepEqual(nearestInBox([10, 20, 30, 40], 0, 100), [10, 60]);
  assert.deepEqual(nearestInBox([10, 20, 30, 40], 22, 33), [22, 33]);
});

const wanted = (x: number, y: number, text: string, place: number): Wanted => ({
  x,
  y,
  text,
  place,
  look: "found",
  gap: 6,
});
const NOTHING = { dots: [], ring: null, written: [] };

test("names take the first side with room, farther off if they may, over others only if they must", () => {
  const alone = placeNames(CONTEXT, [wanted(200, 100, "first", BESIDE)], NOTHING, PLOT, THEME);
  assert.deepEqual([alone[0].left, alone[0].top, alone[0].width], [210, 88, 54]);
  const same = (place: number) =>
    placeNames(
      CONTEXT,
      Array.from({ length: 12 }, (_, at) => wanted(200, 100, `name ${at}`, place)),
      NOTHING,
      PLOT,
      THEME,
    );
  assert.ok(same(BESIDE).length < same(OFF).length);
  assert.equal(same(ALWAYS).length, 12);
  for (const place of [BESIDE, OFF]) {
    const placed = same(place);
    for (const [at, one] of placed.entries()) {
      assert.ok(isInside(PLOT, [one.left, one.top, one.width, NAME_HEIGHT]));
      for (const other of placed.slice(at + 1)) {
        const apart = Math.max(
          Math.max(one.left, other.left) - Math.min(one.left + one.width, other.left + other.width),
          Math.max(one.top, other.top) - Math.min(one.top, other.top) - NAME_HEIGHT,
        );
        assert.ok(apart >= 2 - 1e-9, `${apart}`);
      }
    }
  }
});

test("no name covers the chosen point, nor what is written unless it must", () => {
  const name = wanted(200, 100, "first", BESIDE);
  const [chosen] = placeNames(CONTEXT, [name], { ...NOTHING, ring: [230, 100] }, PLOT, THEME);
  assert.ok(chosen.left + chosen.width < 200);
  const everywhere = [100, 50, 300, 120] as [number, number, number, number];
  assert.deepEqual(placeNames(CONTEXT, [name], { ...NOTHING, written: [everywhere] }, PLOT, THEME), []);
  const must = { ...name, place: ALWAYS };
  assert.equal(placeNames(CONTEXT, [must], { ...NOTHING, written: [everywhere] }, PLOT, THEME).length, 1);
  const [beside] = placeNames(CONTEXT, [name], { ...NOTHING, dots: [[220, 100]] }, PLOT, THEME);
  assert.ok(beside.left + beside.width < 200);
  assert.deepEqual(placeNames(CONTEXT, [wanted(90, 40, "outside", BESIDE)], NOTHING, PLOT, THEME), []);
});

test("long names are cut to 30 characters, an emoji counting as one", () => {
  assert.equal(shortName("x".repeat(30)), "x".repeat(30));
  assert.equal(shortName("😀".repeat(31)), `${"😀".repeat(29)}…`);
});

test("tokens in one place share a name, and the lit ones come first", () => {
  const path = ["the", "fox", "the", "the", "the", "the"].map((label, position) => ({
    position,
    label,
    before: [position, 0, 0],
    after: position ? [0, position, 2] : null,
  }));
  const spots = path.map(({ label }) => (label === "the" ? [10.2, 20] : [50, 60]));
  const names = pathNames(spots, path, { hovered: 1, chosen: 4 });
  assert.deepEqual(
    names.map(({ text, look }) => [text, look]),
    [
      ["0, 2, 3, … the", "path-chosen"],
      ["1 fox", "path-hover"],
    ],
  );
  const frame = { centre: [1, 0, 0], scale: 2, low: [], high: [] };
  near(pathSpots(path, frame, 0.25)[2], [(2 - 0.25 * 2 - 1) * 2, 0.25 * 2 * 2, 0.25 * 2 * 2]);
  near(pathSpots(path, frame, 0.25)[0], [-2, 0, 0]);
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
