// The clock of pictures that are played: where it stops, when it rests, what a second press does.

import assert from "node:assert/strict";
import test from "node:test";

import { namedStep, stepAt, stepPlayer } from "../../../ui/components/_shared/stepper.ts";

const MOVE = 1.3; // seconds from step to step
const REST = 1.1;

/**
 * A clock whose frames come when the test says so, with all that it tells.
 * @param options still: the reader wishes for no motion
 */
function clock(last: number, { still = false, hurries = false, instant = false } = {}) {
  let now = 0;
  let next: ((now: number) => void) | null = null;
  const stubs = {
    window: { matchMedia: () => ({ matches: still }) },
    performance: { now: () => now },
    requestAnimationFrame(callback: (now: number) => void) {
      next = callback;
      return 1;
    },
    cancelAnimationFrame: () => (next = null),
  };
  for (const [name, value] of Object.entries(stubs))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  const told: (number | boolean)[] = [];
  const player = stepPlayer(
    last,
    { onTime: (time) => told.push(time), onState: (playing) => told.push(playing) },
    { hurries, instant },
  );
  return {
    player,
    told,
    /** @param seconds in frames of a twentieth */
    wait(seconds: number) {
      for (let frames = Math.round(seconds * 20); frames > 0; frames -= 1) {
        now += 50;
        const frame = next;
        next = null;
        frame?.(now);
      }
    },
    moves: () => next !== null,
  };
}

test("a clock begins at its first step, and plays from there again once it is at its end", () => {
  const { player, told, wait } = clock(3);
  assert.equal(player.time, 0);
  player.jump(3);
  player.play();
  assert.deepEqual(told, [3, 0, true]);
  assert.equal(player.playing, true);
  wait(REST - 0.1);
  assert.equal(player.time, 0);
});

test("playing moves at one step in 1.3 seconds, rests at each, and ends at the last", () => {
  const { player, told, wait, moves } = clock(2);
  player.jump(0);
  player.play();
  wait(0.65);
  assert.ok(Math.abs(player.time - 0.65 / MOVE) < 1e-9, `${player.time}`);
  wait(0.7);
  assert.equal(player.time, 1);
  wait(REST - 0.15);
  assert.equal(player.time, 1);
  wait(0.4);
  assert.ok(player.time > 1 && player.time < 1.4, `${player.time}`);
  wait(MOVE);
  assert.equal(player.time, 2);
  assert.equal(player.playing, false);
  assert.equal(told[told.length - 1], false);
  assert.equal(moves(), false);
});

test("a pause stays where it is, and playing goes on from there", () => {
  const { player, wait } = clock(2);
  player.jump(0);
  player.toggle();
  wait(0.5);
  player.toggle();
  const { time } = player;
  wait(1);
  assert.equal(player.time, time);
  player.toggle();
  wait(0.1);
  assert.ok(player.time > time);
});

test("a step on or back goes to the next whole step, and not beyond the ends", () => {
  const { player, wait } = clock(3);
  player.jump(1.4);
  player.forward();
  wait(2);
  assert.equal(player.time, 2);
  player.jump(1.4);
  player.back();
  wait(2);
  assert.equal(player.time, 1);
  player.jump(3);
  player.forward();
  wait(1);
  assert.equal(player.time, 3);
  player.jump(0);
  player.back();
  wait(1);
  assert.equal(player.time, 0);
  assert.equal(player.playing, false);
});

test("a second press counts from where the first one leads, through the steps between", () => {
  const { player, told, wait } = clock(4);
  player.jump(1);
  player.forward();
  wait(0.3);
  player.forward();
  wait(4);
  assert.equal(player.time, 3);
  assert.ok(told.includes(2));
  player.back();
  player.back();
  wait(4);
  assert.equal(player.time, 1);
});

test("a press leads nowhere once the one before it leads to the end, but for who hurries", () => {
  for (const hurries of [false, true]) {
    const { player, wait } = clock(2, { hurries });
    assert.deepEqual([player.leads(-1), player.leads(1)], [false, true]);
    player.jump(1);
    player.forward();
    wait(0.3);
    assert.deepEqual([player.leads(-1), player.leads(1)], [true, hurries]);
    wait(2);
    assert.deepEqual([player.leads(-1), player.leads(1)], [true, false]);
    player.play();
    wait(2);
    assert.deepEqual([player.leads(-1), player.leads(1)], [true, true]);
  }
});

test("who hurries ends a step by the next press", () => {
  const { player, told, wait } = clock(4, { hurries: true });
  player.jump(1);
  player.forward();
  wait(0.3);
  player.forward();
  assert.equal(player.time, 2);
  wait(2);
  assert.equal(player.time, 3);
  player.back();
  wait(0.3);
  player.forward();
  assert.equal(told[told.length - 1], 3);
  wait(2);
  assert.equal(player.time, 4);
});

test("a jump ends playing and stays within the steps", () => {
  const { player, told, moves } = clock(3);
  player.play();
  player.jump(1.25);
  assert.equal(player.time, 1.25);
  assert.equal(player.playing, false);
  assert.equal(moves(), false);
  player.jump(9);
  assert.equal(player.time, 3);
  player.jump(-1);
  assert.deepEqual(told, [true, false, 1.25, 3, 0]);
});

for (const [where, options] of [
  ["motion is not wished for", { still: true }],
  ["a picture moves by itself", { instant: true }],
] as const)
  test(`where ${where}, time goes from step to step and rests twice as long`, () => {
    const { player, wait } = clock(3, options);
    player.jump(1.6);
    assert.equal(player.time, 2);
    player.back();
    assert.equal(player.time, 1);
    player.play();
    wait(REST + 0.1);
    assert.equal(player.time, 2);
    wait(2 * REST - 0.1);
    assert.equal(player.time, 2);
    wait(0.3);
    assert.equal(player.time, 3);
  });

test("other steps begin at a time of theirs, playing or not", () => {
  const { player, wait } = clock(3);
  player.restart(8, 5, true);
  assert.deepEqual([player.time, player.last, player.playing], [5, 8, true]);
  wait(0.65);
  assert.ok(player.time > 5.4 && player.time < 5.6);
  player.restart(2, 5, false);
  assert.deepEqual([player.time, player.playing], [2, false]);
});

test("a clock that is stopped asks for no more frames", () => {
  const { player, told, wait } = clock(3);
  player.play();
  player.stop();
  const count = told.length;
  wait(3);
  assert.equal(told.length, count);
});

test("on the way to a step its name is shown already", () => {
  const expected = new Map([
    [0, 0],
    [0.01, 1],
    [1, 1],
    [1 + 1e-9, 1],
    [1.99, 2],
  ]);
  for (const [time, step] of expected) assert.equal(stepAt(time), step, `${time}`);
});

test("a step is named and counted from one", () => {
  const labels = { step: "Step {number} of {count}: {name}", step_1: "Rows", step_1_text: "Each id picks its row." };
  assert.deepEqual(namedStep(labels, 1, 5), { title: "Step 2 of 5: Rows", text: "Each id picks its row." });
});
