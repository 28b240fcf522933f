// Points on a time axis: which step it is, where they are between two, how the clock goes, what the slider shows.

import assert from "node:assert/strict";
import test from "node:test";

import {
  growBox,
  momentAt,
  motionModel,
  nearestFrame,
  placesAt,
  timeOf,
} from "../../../ui/components/point_cloud/frames.ts";
import { wheelFactor } from "../../../ui/components/point_cloud/input.ts";
import { placeLabels } from "../../../ui/components/point_cloud/labels.ts";
import { toFrameSpots } from "../../../ui/components/point_cloud/model.ts";
import { indexOfWord, wordAt } from "../../../ui/components/point_cloud/motion/actions.ts";
import { groupClusters, motionLabels, regionAround } from "../../../ui/components/point_cloud/motion/names.ts";
import { magnifying, tailMoments, wordStates } from "../../../ui/components/point_cloud/motion/trails.ts";
import { DIM, FAINT, FRONT, PLAIN } from "../../../ui/components/point_cloud/picking.ts";
import { NONE, readPart, store } from "../../../ui/components/point_cloud/store.ts";
import {
  clockMode,
  easeClock,
  keyMove,
  newClock,
  replayClock,
  stepTicks,
  tickClock,
} from "../../../ui/components/point_cloud/transport.ts";
import { near, scattered } from "./near.ts";

const STEPS = [0, 1, 5, 20, 100];
const timeline = {
  times: STEPS.map((step) => timeOf(step, 100)),
  frames: STEPS.map((step) => ({ step, places: Float32Array.of(step, -step, 2 * step) })),
};

/** As payload.py packs it. */
function packed(header: object, ...blocks: ArrayBufferView[]) {
  const json = JSON.stringify(header);
  const text = new TextEncoder().encode(json.padEnd(json.length + ((4 - (json.length % 4)) % 4)));
  const parts: Uint8Array[] = [new Uint8Array(Uint32Array.of(text.length).buffer), text];
  for (const block of blocks) parts.push(new Uint8Array(block.buffer, block.byteOffset, block.byteLength));
  return new Uint8Array(Buffer.concat(parts));
}

test("time passes evenly at first, then ever more steps go by in the same time", () => {
  near([timeOf(0, 100), timeOf(100, 100)], [0, 1]);
  near(timeOf(20, 100), Math.log(1 + 20 / 12) / Math.log(1 + 100 / 12));
  assert.equal(timeOf(0, 0), 0);
});

test("a moment lies on a step, or so much of the way to the next one", () => {
  for (const [at, time] of timeline.times.entries())
    assert.deepEqual(momentAt(timeline, time), { index: at, share: 0 });
  const [, , third, fourth] = timeline.times;
  const moment = momentAt(timeline, third + 0.3 * (fourth - third));
  assert.equal(moment.index, 2);
  near(moment.share, 0.3);
  near(placesAt(timeline, third + 0.3 * (fourth - third)), [9.5, -9.5, 19], 1e-5);
  assert.deepEqual(
    [nearestFrame(timeline, third + 0.3 * (fourth - third)), nearestFrame(timeline, fourth - 1e-3)],
    [2, 3],
  );
  assert.deepEqual(
    [momentAt(timeline, -1), momentAt(timeline, 7)].map(({ index }) => index),
    [0, 4],
  );
  assert.equal(placesAt(timeline, 7), timeline.frames[4].places);
});

test("what Python packs is read again", () => {
  const names = readPart(
    packed(
      { part: "names", name: "n" },
      Uint32Array.of(3, 2),
      Uint16Array.of(5, 65_535, 0),
      new TextEncoder().encode("·a\0<b>\0"),
    ),
  );
  assert.equal(names.part, "names");
  if (names.part === "names") {
    assert.deepEqual([...names.ids], [5, 65_535, 0]);
    assert.deepEqual(names.labels, ["·a", "<b>", ""]);
  }
  const wide = readPart(
    packed({ part: "names", name: "n" }, Uint32Array.of(1, 4), Int32Array.of(70_000), Buffer.from("x")),
  );
  assert.deepEqual(wide.part === "names" && [...wide.ids], [70_000]);
  const none = readPart(packed({ part: "names", name: "n" }, Uint32Array.of(0, 2)));
  assert.deepEqual(none.part === "names" && none.labels, []);
  const places = readPart(packed({ part: "places", name: "p" }, Uint32Array.of(2), Float32Array.of(1, 2, 3, -4)));
  assert.deepEqual(places.part === "places" && [places.columns, ...places.values], [2, 1, 2, 3, -4]);
  for (const order of [Uint16Array.of(2, 0, 1), Uint32Array.of(2, 70_000, 1)]) {
    const read = readPart(packed({ part: "order", name: "o" }, Uint32Array.of(3, order.BYTES_PER_ELEMENT), order));
    assert.deepEqual(read.part === "order" && [...read.order], [...order]);
  }
  Object.assign(globalThis, { matchMedia: () => ({ matches: true }) }); // a phone, which has no mouse
  const texts = { help: "Click", help_touch: "Tap" };
  const words = readPart(packed({ part: "words", labels: ["p"], texts }, Uint8Array.of(0, NONE)));
  Reflect.deleteProperty(globalThis, "matchMedia");
  assert.equal(words.part === "words" && words.texts.help, "Tap");
  const chunk = { part: "frames", name: "f", run: "r", count: 1, steps: [3, 7], units: [0.5, 2] };
  const frames = readPart(packed(chunk, Int16Array.of(1, -2, 32_767, 4, 5, -32_767)));
  assert.deepEqual(frames.part === "frames" && frames.frames.map(({ step, places }) => [step, ...places]), [
    [3, 0.5, -1, 16_383.5],
    [7, 8, 10, -65_534],
  ]);
});

test("a run is made of its words and of all its chunks, once they have come", async () => {
  const chunk: (steps: number[]) => Uint8Array = (steps) =>
    packed(
      { part: "frames", count: 2, steps, units: steps.map(() => 1) },
      Int16Array.from(steps.flatMap((step) => [step, 0, 1, -step, 2, 0])),
    );
  const words = { part: "words", labels: ["p", "q"], kinds: ["k", "l"], legend: [], texts: {} };
  const served: Record<string, Uint8Array> = {
    w: packed(words, Uint8Array.of(0, NONE, 1, NONE)),
    first: chunk([0, 1, 5]),
    second: chunk([100]),
  };
  const answer = async (url: URL) => {
    const data = served[String(url).split("/").pop() ?? ""];
    return { ok: true, arrayBuffer: async () => data.slice().buffer };
  };
  Object.assign(globalThis, { fetch: answer, document: { baseURI: "http://app/" } });
  const page = {} as any;
  const props = {
    run: "a|x",
    words: "w",
    frames: ["first", "second"],
    n_steps: 100,
    legend: [["g"]] as any,
  };
  let heard = 0;
  const stop = store.subscribe(() => (heard += 1));
  assert.equal(motionModel(props, page), null);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(heard, 3);
  stop();
  assert.equal(motionModel({ ...props, frames: [] }, page), null);
  const model = motionModel(props, page);
  assert.deepEqual(
    model?.frames.map(({ step }) => step),
    [0, 1, 5, 100],
  );
  near(
    model?.times ?? [],
    [0, 1, 5, 100].map((step) => timeOf(step, 100)),
  );
  assert.equal(model?.newest, 1);
  assert.deepEqual(model?.box, { low: [-100, 0, 0], high: [100, 2, 1] });
  assert.deepEqual(
    [model?.members, model?.groupOfKind],
    [
      [[], [0]],
      [NONE, 0],
    ],
  );
});

test("the axes give way to a wanted box, and are there when a thousandth is missing", () => {
  const wanted = { low: [0, 0, 0], high: [10, 4, 2] };
  assert.deepEqual(growBox(null, wanted, 0.1), { box: wanted, growing: false });
  const start = { low: [2, 0, 0], high: [6, 4, 2] };
  const { box, growing } = growBox(start, wanted, 0.25);
  near([...box.low, ...box.high], [1.5, 0, 0, 7, 4, 2]);
  assert.equal(growing, true);
  assert.deepEqual(growBox({ low: [0, 0, 0], high: [9.98, 4, 2] }, wanted, 0.6), { box: wanted, growing: false });
  assert.equal(growBox({ low: [0, 0, 0], high: [9.98, 4, 2] }, wanted, 0.4).growing, true);
});

test("a replay shows the first step for a moment, takes four seconds at its speed, and ends on the newest step", () => {
  for (const speed of [0.5, 1, 2]) {
    const clock = newClock();
    clock.speed = speed;
    clock.time = 0.7;
    replayClock(clock, true);
    let [seconds, first, isOver] = [0, 0, false];
    while (!isOver && seconds < 60) {
      seconds += 0.01;
      isOver = tickClock(clock, 0.01, 1, false);
      if (clock.time === 0) first = seconds;
      assert.equal(clockMode(clock), isOver ? "rest" : "replay");
    }
    near(seconds, 4.6 / speed, 0.05);
    near(first, 0.6 / speed, 0.05);
    assert.equal(clock.time, 1);
  }
  const paused = newClock();
  paused.time = 0.7;
  replayClock(paused, false);
  tickClock(paused, 0.4, 1, false);
  near(paused.time, 0.8);
});

test("with reduced motion a replay goes in 24 strides", () => {
  const clock = newClock();
  replayClock(clock, true);
  const times = new Set<number>();
  for (let tick = 0; tick < 3000 && !tickClock(clock, 0.01, 1, true); tick += 1) times.add(clock.time);
  near(
    [...times],
    [...Array(24).keys()].map((stride) => stride / 24),
    1e-9,
  );
});

test("a clock nears its goal by the same share in the same time, and arrives; at once with reduced motion", () => {
  const clock = newClock();
  easeClock(clock, 0.5);
  assert.equal(clockMode(clock), "ease");
  tickClock(clock, 0.07, 1, false);
  near(clock.time, 0.5 * (1 - 1 / Math.E));
  for (let tick = 0; tick < 100; tick += 1) tickClock(clock, 0.02, 1, false);
  assert.deepEqual([clock.time, clockMode(clock)], [0.5, "rest"]);
  easeClock(clock, 0.1);
  tickClock(clock, 0.01, 1, true);
  assert.equal(clock.time, 0.1);
  easeClock(clock, 0.9, 0.8);
  tickClock(clock, 0.8, 1, false);
  near(clock.time, 0.1 + 0.8 * (1 - 1 / Math.E));
});

test("the slider's ticks are round steps with room between them, and both ends", () => {
  assert.deepEqual(stepTicks(100, 600), [0, 5, 10, 20, 50, 100]);
  assert.deepEqual(stepTicks(100, 150), [0, 20, 100]);
  assert.deepEqual(stepTicks(3, 0), [0, 3]);
  for (const width of [200, 500, 900]) {
    const ticks = stepTicks(20_000, width);
    for (let at = 1; at < ticks.length; at += 1)
      assert.ok((timeOf(ticks[at], 20_000) - timeOf(ticks[at - 1], 20_000)) * width > 52);
  }
});

test("keys on the slider go to the neighbouring step, ten on, or to an end", () => {
  assert.deepEqual(
    ["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown", "PageUp", "PageDown"].map(keyMove),
    [1, 1, -1, -1, 10, -10],
  );
  assert.deepEqual(["Home", "End", "a"].map(keyMove), ["first", "last", null]);
});

test("the wheel zooms by its turn, in pixels or lines, and by no more than 240 pixels at once", () => {
  near(wheelFactor({ deltaY: -100, deltaMode: 0, ctrlKey: false }), Math.exp(0.22));
  near(wheelFactor({ deltaY: 3, deltaMode: 1, ctrlKey: false }), Math.exp(-90 * 0.0022));
  near(wheelFactor({ deltaY: 10, deltaMode: 0, ctrlKey: true }), Math.exp(-0.1));
  near(wheelFactor({ deltaY: 9999, deltaMode: 0, ctrlKey: false }), Math.exp(-240 * 0.0022));
});

test("a word's look follows the choice, then the group that is lit, then whether it has a kind", () => {
  const model = {
    count: 5,
    hasKinds: true,
    groups: Uint8Array.of(0, 0, 1, NONE, 1),
    kindOf: Uint8Array.of(0, 1, 2, NONE, 2),
  } as any;
  const states: (changes: object) => number[] = (changes) => [
    ...wordStates({ model, chosen: null, neighbours: [], lit: null, ...changes }),
  ];
  assert.deepEqual(states({}), [PLAIN, PLAIN, PLAIN, FAINT, PLAIN]);
  assert.deepEqual(states({ lit: { group: 1 } }), [DIM, DIM, FRONT, FAINT, FRONT]);
  assert.deepEqual(states({ lit: { kind: 0 } }), [FRONT, DIM, DIM, FAINT, DIM]);
  assert.deepEqual(states({ chosen: 1, neighbours: [[3, 0.5]] }), [DIM, FRONT, DIM, FRONT, DIM]);
  assert.deepEqual(states({ chosen: 1, lit: { group: 1 } }), [DIM, FRONT, DIM, FAINT, DIM]);
});

test("a tail goes back over a twelfth of the run, and not before its start", () => {
  near(
    tailMoments(0.5),
    [0, 1, 2, 3, 4, 5, 6].map((piece) => 0.5 - 0.015 * piece),
  );
  near(tailMoments(0.03), [0.03, 0.015, 0, 0, 0, 0, 0]);
  near(toFrameSpots({ centre: [1, 2, 3], scale: 2 }, Float32Array.of(1, 3, 5, 0, 0, 0)), [0, 2, 4, -2, -4, -6]);
  near(toFrameSpots({ centre: [1, 2], scale: 2 }, Float32Array.of(1, 3, 0, 0), 2), [0, 2, 0, -2, -4, 0]);
  assert.deepEqual(
    [magnifying({ x: 0, y: 0, width: 900, height: 400 }), magnifying({ x: 0, y: 0, width: 1200, height: 672 })],
    [1, 1.2],
  );
  assert.equal(magnifying({ x: 0, y: 0, width: 4000, height: 2000 }), 1.5);
});

test("the pointer means the nearest word, one that stands out sooner and one that recedes later", () => {
  const motion = { screen: Float32Array.of(0, 0, 10, 0, 20, 0), states: Uint8Array.of(PLAIN, PLAIN, PLAIN) };
  assert.deepEqual([wordAt(motion, 4, 0), wordAt(motion, 6, 0), wordAt(motion, 5, 40)], [0, 1, null]);
  assert.equal(wordAt({ ...motion, states: Uint8Array.of(PLAIN, DIM, PLAIN) }, 7, 0), 0);
  assert.equal(wordAt({ ...motion, states: Uint8Array.of(PLAIN, PLAIN, FRONT) }, 14, 0), 2);
  assert.equal(wordAt({ ...motion, states: Uint8Array.of(FAINT, DIM, PLAIN) }, 0, 12), null);
});

test("a word is found as it is written, else in any case", () => {
  const labels = ["King", "king", "queen"];
  assert.deepEqual(
    ["king", "King", "KING", "Queen", "rook"].map((text) => indexOfWord(labels, text)),
    [1, 0, 0, 2, -1],
  );
});

test("groups that have come together are named beside their clusters; kinds and words only of one that is lit", () => {
  const plot = { x: 0, y: 0, width: 700, height: 500 };
  const centres = [
    [200, 150],
    [500, 160],
    [350, 380],
  ];
  const offsets = scattered(120);
  const screen = Float32Array.from({ length: 120 }, (_, at) => centres[Math.floor(at / 40)][at % 2] + 45 * offsets[at]);
  const groups = Uint8Array.from({ length: 60 }, (_, at) => Math.floor(at / 20));
  const model = {
    count: 60,
    hasKinds: true,
    groups,
    labels: [...groups.keys()].map((at) => `word ${at}`),
    kinds: ["kings", "trades", "tools"],
    members: [0, 1, 2].map((kind) => [...groups.keys()].filter((at) => groups[at] === kind)),
    groupOfKind: [0, 1, 2],
  };
  const header = { legend: ["people", "work", "things"].map((name) => [name, "#111111", 20]) };
  const motion = { model, header, screen, view: { plot }, names: true, chosen: null, neighbours: [], lit: null } as any;
  motion.theme = { ink: "#000000" };
  const labelsWith = (changes: object) => {
    const state = { ...motion, ...changes };
    return placeLabels(motionLabels(state, groupClusters(state)), { plot, blocked: [] }, (text) => 10 * text.length);
  };
  const groupLabels = labelsWith({});
  assert.deepEqual(
    groupLabels.map(({ text }) => text),
    ["people", "work", "things"],
  );
  groupLabels.forEach(({ box: [left, top, width, height] }, group) => {
    for (let at = 0; at < 60; at += 1) {
      const [x, y] = [screen[2 * at], screen[2 * at + 1]];
      assert.ok(x < left || x > left + width || y < top || y > top + height, `word ${at} under group ${group}`);
    }
    const [x, y] = centres[group];
    assert.ok(Math.hypot(left + width / 2 - x, top + height / 2 - y) < 140);
  });
  const lit = labelsWith({ lit: { group: 1 } });
  assert.equal(lit[0].text, "trades");
  assert.ok(lit.length > 4);
  assert.ok(lit.slice(1).every(({ text }) => groups[Number(text.slice(5))] === 1));
  const together = screen.map((value, at) => [350, 250][at % 2] + (value - centres[Math.floor(at / 40)][at % 2]) / 10);
  assert.deepEqual(labelsWith({ screen: together }), []);
  assert.deepEqual(labelsWith({ names: false }), []);
});

test("a region is convex and holds each of its spots with the room asked for, and no more", () => {
  const offsets = scattered(80);
  const spots = Array.from({ length: 40 }, (_, at) => [300 + 90 * offsets[2 * at], 200 + 50 * offsets[2 * at + 1]]);
  for (const some of [spots, spots.slice(0, 1), [spots[0], spots[0]]]) {
    const corners = regionAround(some, 14);
    const sides = corners.map(([x, y], at) => {
      const [toX, toY] = corners[(at + 1) % corners.length];
      return (spot: number[]) => ((toX - x) * (spot[1] - y) - (toY - y) * (spot[0] - x)) / Math.hypot(toX - x, toY - y);
    });
    for (const spot of some) for (const side of sides) assert.ok(side(spot) > 13.4, `${side(spot)}`);
    for (const corner of corners) {
      for (const side of sides) assert.ok(side(corner) > -1e-9);
      near(Math.min(...some.map(([x, y]) => Math.hypot(corner[0] - x, corner[1] - y))), 14);
    }
  }
});
