// Merge after merge: what each step says, how far its joints are closed, and which piece lies where.

import assert from "node:assert/strict";
import test from "node:test";

import {
  closedAt,
  describe,
  lastStep,
  type Merges,
  mergeOf,
  momentAt,
  pieceAt,
  stepSentence,
} from "../../../ui/components/merge_player/merges.ts";

const names = ["piece", "start", "merged", "following", "finished", "finished_one", "ids", "id_of_one"];
const labels = {
  ...Object.fromEntries(names.map((name) => [name, `[${name} {piece} {count} {left} {right} {whole} {rank} {ids}]`])),
  step: "Step {number} of {count}",
};
const merges: Merges = {
  pieces: [
    ["·the", 0, 3],
    ["·low", 4, 7],
  ],
  chosen: 1,
  states: [
    { parts: ["·", "l", "o", "w"], ranks: [null, 12000, 300], pair: 1 },
    { parts: ["·", "lo", "w"], ranks: [null, 7], pair: 1 },
    { parts: ["·", "low"], ranks: [null], pair: null },
  ],
  ids: ["220", "7", "9"],
  labels,
};
const said = (what: Merges, step: number) =>
  stepSentence(what, step)
    .replace(/\{\w+\}/g, "")
    .replace(/ +/g, " ")
    .replaceAll(" ]", "]");

test("there is a step for the piece, one for each state, and one for the ids", () => {
  assert.equal(lastStep(merges), 4);
});

test("a merge is the two parts that it joins, its rank, and what comes of it", () => {
  assert.deepEqual(mergeOf(merges.states[0], merges.states[1]), { left: "l", right: "o", rank: "12,000", whole: "lo" });
  assert.equal(mergeOf(merges.states[2]), null);
});

test("each step says what happened and what comes next", () => {
  assert.equal(said(merges, 0), "[piece ·low]");
  assert.equal(said(merges, 1), "[start 4] [following l o 12,000]");
  assert.equal(said(merges, 2), "[merged l o lo 12,000] [following lo w 7]");
  assert.equal(said(merges, 3), "[merged lo w low 7] [finished]");
  assert.equal(said(merges, 4), "[ids 220, 7, 9]");
});

test("pieces that never merge, or come down to one part, are spoken of as such", () => {
  const still = { ...merges, states: [{ parts: ["a", "b"], ranks: [null], pair: null }], ids: ["1", "2"] };
  assert.equal(said(still, 1), "[start 2] [finished]");
  const one = { ...merges, states: [{ parts: ["a"], ranks: [], pair: null }], ids: ["1"] };
  assert.equal(said(one, 1), "[start 1] [finished_one]");
  assert.equal(said(one, 2), "[id_of_one 1]");
  const whole = {
    ...merges,
    states: [
      { parts: ["a", "b"], ranks: [3], pair: 0 },
      { parts: ["ab"], ranks: [], pair: null },
    ],
    ids: ["1"],
  };
  assert.equal(said(whole, 2), "[merged a b ab 3] [finished_one]");
});

test("a step is counted from one, and read out with its sentence", () => {
  const { title, text, spoken } = describe(merges, 2);
  assert.equal(title, "Step 3 of 5");
  assert.equal(spoken, `${title}: ${text}`);
});

test("at first the piece is whole, then its joints open, and then each merge closes its own", () => {
  assert.equal(momentAt(0, 3).whole, true);
  const splitting = momentAt(0.5, 3);
  assert.deepEqual([splitting.whole, splitting.step, splitting.index], [false, 0, 0]);
  assert.deepEqual([closedAt(splitting, 3, false), closedAt(splitting, 3, true)], [0.5, 0.5]);
  assert.equal(closedAt(momentAt(0.25, 3), 3, false), 1 - (3 / 16 - 2 / 64));
  const merging = momentAt(2.25, 3);
  assert.equal(merging.index, 1);
  assert.equal(closedAt(merging, 3, true), 3 / 16 - 2 / 64);
  assert.equal(closedAt(merging, 3, false), 0);
  assert.equal(momentAt(4, 3).index, 2);
  assert.equal(closedAt(momentAt(4, 3), 3, true), 0);
});

test("ranks come as the joints open, and give way to the ids at the end", () => {
  const shown = (time: number) => [momentAt(time, 3).ranks, momentAt(time, 3).ids];
  assert.deepEqual(shown(0.5), [0.5, 0]);
  assert.deepEqual(shown(1), [1, 0]);
  assert.deepEqual(shown(2.9), [1, 0]);
  assert.deepEqual(shown(3), [1, 0]);
  assert.deepEqual(shown(3.5), [0.5, 0.5]);
  assert.deepEqual(shown(4), [0, 1]);
});

test("a column of the text lies in its piece, first and last included", () => {
  assert.deepEqual(
    [0, 3, 4, 7].map((column) => pieceAt(merges.pieces, column)),
    [0, 0, 1, 1],
  );
  assert.equal(pieceAt(merges.pieces, 8), -1);
  assert.equal(pieceAt(merges.pieces, null), -1);
});
