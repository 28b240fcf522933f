// Points on a time axis: which step it is, where they are between two, how the clock goes, what the slider shows.

import assert from "node:assert/strict";
import test from "node:test";

import {
  gatherings,
  growBox,
  momentAt,
  motionModel,
  nearestFrame,
  newPace,
  placesAt,
  timeOf,
} from "../../../ui/components/point_cloud/frames.ts";
import { wheelFactor } from "../../../ui/components/point_cloud/input.ts";
import { indexOfWord, wordAt } from "../../../ui/components/point_cloud/motion/actions.ts";
import { boxAtSide, fade, groupsInTurn, hasRoom } from "../../../ui/components/point_cloud/motion/names.ts";
import { NONE, readPart, store } from "../../../ui/components/point_cloud/store.ts";
import {
  BACK,
  EVEN,
  FAINT,
  FIRST,
  framedSpots,
  inOrder,
  looksOf,
  magnifying,
  NEAR,
  tailMoments,
} from "../../../ui/components/point_cloud/trails.ts";
import {
  clockMoves,
  glideClock,
  hurryClock,
  keyMove,
  newClock,
  startClock,
  stepTicks,
  stopClock,
  tickClock,
} from "../../../ui/components/point_cloud/transport.ts";
import { near } from "./near.ts";

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
  const shown = {
    run: "a|x",
    words: "w",
    frames: ["first", "second"],
    n_steps: 100,
    legend: [["g"]] as any,
  };
  let heard = 0;
  const stop = store.subscribe(() => (heard += 1));
  assert.equal(motionModel(shown, page), null);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(heard, 3);
  stop();
  assert.equal(motionModel({ ...shown, frames: [] }, page), null);
  const model = motionModel(shown, page);
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

test("a kind is as gathered as its words' distance from their middle, beside that of all words from theirs", () => {
  const places = Float32Array.of(0, 0, 9, 2, 0, -9, 10, 0, 5, 10, 4, 5, 7, 7, 7);
  const members = [[0, 1], [2, 3], [], [4]];
  const { whole, kinds } = gatherings({ members, hasKinds: true }, places, 2);
  const middle = [29 / 5, 11 / 5];
  let sum = 0;
  for (let at = 0; at < 5; at += 1)
    for (let axis = 0; axis < 2; axis += 1) sum += (places[3 * at + axis] - middle[axis]) ** 2;
  near(whole, Math.sqrt(sum / 4));
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    [0, 1, 3],
  );
  near(
    kinds.map(({ share }) => share),
    [Math.sqrt(2) / whole, Math.sqrt(8) / whole, 1],
  );
  near(kinds[1].centre, [10, 2, 5]);
  assert.deepEqual(gatherings({ members: [], hasKinds: false }, places, 2), { whole: 0, kinds: [] });
});

test("a replay waits for a moment, takes four seconds at its speed, and ends on the newest step", () => {
  for (const speed of [0.5, 1, 2]) {
    const clock = newClock();
    clock.speed = speed;
    clock.time = 0.7;
    startClock(clock, "replay");
    assert.equal(clock.time, 0);
    let seconds = 0;
    let ended = false;
    while (!ended && seconds < 60) {
      seconds += 0.01;
      ended = tickClock(clock, 0.01, 1, false);
      assert.equal(clockMoves(clock, 1), !ended);
    }
    near(seconds, 0.6 + 4 / speed, 0.05);
    assert.deepEqual([clock.time, clock.mode], [1, "rest"]);
  }
  const still = newClock();
  startClock(still, "replay");
  const times = new Set<number>();
  for (let tick = 0; tick < 3000 && !tickClock(still, 0.01, 1, true); tick += 1) times.add(still.time);
  near(
    [...times].slice(0, 24),
    [...Array(24).keys()].map((stride) => stride / 24),
    1e-9,
  ); // not a motion
});

test("a run that goes on is followed evenly, never past its newest step", () => {
  const clock = newClock();
  stopClock(clock, "follow");
  clock.time = 0.2;
  hurryClock(clock, 0.3, 1000);
  near(clock.pace, 0.1 / (1.15 * 0.5));
  hurryClock(clock, 0.3, 2000);
  near(clock.spacing, 0.5 + 0.4 * (1 - 0.5));
  hurryClock(clock, 1, 2001); // at least 0.2 s apart, at most 0.4 of the run in a second
  near(clock.spacing, 0.7 + 0.4 * (0.2 - 0.7));
  near(clock.pace, 0.4);
  tickClock(clock, 0.1, 1, false);
  near(clock.time, 0.24);
  assert.equal(clockMoves(clock, 1), true);
  tickClock(clock, 0.1, 0.25, false);
  assert.deepEqual([clock.time, clockMoves(clock, 0.25)], [0.25, false]);
  tickClock(clock, 0.01, 0.9, true);
  assert.equal(clock.time, 0.9);
});

test("a glide nears its goal by the same share in the same time, and arrives", () => {
  const clock = newClock();
  glideClock(clock, 0.5, false);
  assert.equal(clock.mode, "glide");
  tickClock(clock, 0.07, 1, false);
  near(clock.time, 0.5 * (1 - 1 / Math.E));
  for (let tick = 0; tick < 100; tick += 1) tickClock(clock, 0.02, 1, false);
  assert.deepEqual([clock.time, clock.mode], [0.5, "rest"]);
  glideClock(clock, 0.1, true);
  assert.deepEqual([clock.time, clock.mode], [0.1, "rest"]);
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

test("where drawing is slow, fewer frames are drawn; where the screen is slow, all", () => {
  const drawnShare: (drawn: number, idle: number) => number = (drawn, idle) => {
    const pace = newPace();
    let [now, due, frames] = [0, 0, 0];
    for (let frame = 0; frame < 400; frame += 1) {
      const drew = pace.isDue(now);
      if (frame >= 200) [due, frames] = [due + Number(drew), frames + 1];
      now += drew ? drawn : idle;
    }
    return due / frames;
  };
  assert.equal(drawnShare(16, 16), 1);
  assert.equal(drawnShare(24, 16), 1);
  near(drawnShare(60, 16), 1 / 7, 0.03); // the next one is due 150 ms after the last: 60 and six of 16
  assert.equal(drawnShare(90, 90), 1);
});

test("a word's look follows the choice, then the focus, then whether it has a kind", () => {
  const model = {
    count: 5,
    hasKinds: true,
    groups: Uint8Array.of(0, 0, 1, NONE, 1),
    kindOf: Uint8Array.of(0, 1, 2, NONE, 2),
  } as any;
  const looks: (changes: object) => number[] = (changes) => [
    ...looksOf({ model, chosen: null, neighbours: [], focus: null, ...changes }),
  ];
  assert.deepEqual(looks({}), [EVEN, EVEN, EVEN, FAINT, EVEN]);
  assert.deepEqual(looks({ focus: { group: 1 } }), [BACK, BACK, NEAR, FAINT, NEAR]);
  assert.deepEqual(looks({ focus: { kind: 0 } }), [NEAR, BACK, BACK, FAINT, BACK]);
  assert.deepEqual(looks({ chosen: 1, neighbours: [[3, 0.5]] }), [BACK, FIRST, BACK, NEAR, BACK]);
  assert.deepEqual(looks({ chosen: 1, focus: { group: 1 } }), [BACK, FIRST, BACK, FAINT, BACK]);
  assert.deepEqual(inOrder(Uint8Array.of(2, 1, 2, 2), 2, null), [3, 2, 0]);
  assert.deepEqual(inOrder(Uint8Array.of(2, 1, 2, 2), 2, Float32Array.of(0.5, 0, -1, 2)), [2, 0, 3]);
});

test("a tail goes back over a twelfth of the run, and not before its start", () => {
  near(
    tailMoments(0.5),
    [0, 1, 2, 3, 4, 5, 6].map((piece) => 0.5 - 0.015 * piece),
  );
  near(tailMoments(0.03), [0.03, 0.015, 0, 0, 0, 0, 0]);
  near(
    framedSpots({ centre: [1, 2, 3], scale: 2, low: [], high: [] }, Float32Array.of(1, 3, 5, 0, 0, 0)),
    [0, 2, 4, -2, -4, -6],
  );
  assert.deepEqual(
    [magnifying({ x: 0, y: 0, width: 900, height: 400 }), magnifying({ x: 0, y: 0, width: 1200, height: 600 })],
    [1, 1.2],
  );
  assert.equal(magnifying({ x: 0, y: 0, width: 4000, height: 2000 }), 1.5);
});

test("the pointer means the nearest word, one that stands out sooner and one that recedes later", () => {
  const motion = { screen: Float32Array.of(0, 0, 10, 0, 20, 0), looks: Uint8Array.of(EVEN, EVEN, EVEN) };
  assert.deepEqual([wordAt(motion, 4, 0, 16), wordAt(motion, 6, 0, 16), wordAt(motion, 5, 40, 16)], [0, 1, null]);
  assert.equal(wordAt({ ...motion, looks: Uint8Array.of(EVEN, BACK, EVEN) }, 7, 0, 16), 0);
  assert.equal(wordAt({ ...motion, looks: Uint8Array.of(EVEN, EVEN, NEAR) }, 14, 0, 16), 2);
  assert.equal(wordAt({ ...motion, looks: Uint8Array.of(FAINT, BACK, EVEN) }, 0, 12, 16), null);
});

test("a word is found as it is written, else in any case", () => {
  const labels = ["King", "king", "queen"];
  assert.deepEqual(
    ["king", "King", "KING", "Queen", "rook"].map((text) => indexOfWord(labels, text)),
    [1, 0, 0, 2, -1],
  );
});

test("the best of each group come before the second best of any", () => {
  assert.deepEqual(
    groupsInTurn(["a1", "a2", "b1", "a3", "c1", "b2"], (item) => item.charCodeAt(0)),
    ["a1", "b1", "c1", "a2", "b2", "a3"],
  );
});

test("a name fades in a quarter of a second and shifts to its side, to the pixel", () => {
  const box = [0, 0, 0, 0] as [number, number, number, number];
  const name = { alpha: 0, offset: [10, 0], wanted: [0, 5], box, x: 100, y: 50, width: 40, height: 18 };
  assert.equal(fade(name, 1, 0.12, false), true);
  near(name.alpha, 0.48);
  near(name.offset, [10 / Math.E, 5 - 5 / Math.E]);
  near(name.box, [100 + 10 / Math.E, 55 - 5 / Math.E, 40, 18]);
  for (let tick = 0; tick < 20; tick += 1) {
    fade(name, 1, 0.05, false);
    assert.ok(name.alpha <= 1);
  }
  assert.deepEqual([name.alpha, name.offset, fade(name, 1, 0.05, false)], [1, [0, 5], false]);
  assert.equal(fade(name, 0, 0.05, false), true);
  near(name.alpha, 0.8);
  assert.equal(fade(name, 0, 0, true), false);
  assert.equal(name.alpha, 0);
});

test("a name's box lies on its side, as far off as it is asked, inside the picture", () => {
  const plot = { x: 0, y: 0, width: 300, height: 200 };
  const name = { x: 150, y: 100, gap: 9, width: 40, height: 20 };
  assert.deepEqual(boxAtSide(name, "around", [1, 0, 0], plot), [162, 90, 40, 20]);
  assert.deepEqual(boxAtSide(name, "around", [-1, 0, 24], plot), [74, 90, 40, 20]);
  assert.deepEqual(boxAtSide(name, "around", [1, 1, 24], plot), [180, 130, 40, 20]);
  assert.deepEqual(boxAtSide(name, "middle", [0, -1.6, 0], plot), [130, 58, 40, 20]);
  assert.deepEqual(boxAtSide({ ...name, x: 290, y: 3 }, "beside", [1, 0, 0], plot), [257, 3, 40, 20]);
});

test("a name has air beside it, and may stand right above another", () => {
  const box = [100, 50, 40, 20] as [number, number, number, number];
  const free = (left: number, top: number) => hasRoom(box, [[left, top, 30, 20]]);
  assert.deepEqual([free(110, 60), free(141, 50), free(147, 50), free(148, 50)], [false, false, false, true]);
  assert.deepEqual([free(63, 50), free(62, 50), free(100, 70), free(100, 30)], [false, true, true, true]);
});
