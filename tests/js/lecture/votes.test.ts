import assert from "node:assert/strict";
import { test } from "node:test";
import { orderWords, totalVotes, voteRows } from "../../../ui/components/lecture/votes.ts";

test("every choice has a row in its place, and the longest bar is full", () => {
  const question = { key: "k", choices: ["one", "two", "three"], right: "2" };
  assert.deepEqual(voteRows(question, { 0: 2, 2: 4 }), [
    { label: "one", count: 2, share: 0.5, isRight: false },
    { label: "two", count: 0, share: 0, isRight: false },
    { label: "three", count: 4, share: 1, isRight: true },
  ]);
  assert.equal(totalVotes({ 0: 2, 2: 4 }), 6);
});

test("of many numbers the most frequent stand in their order, and the right one too", () => {
  const votes = Object.fromEntries(Array.from({ length: 20 }, (_, place) => [String(place), 20 - place]));
  const rows = voteRows({ key: "k", choices: [], right: "19" }, votes);
  assert.deepEqual(
    rows.map(({ label }) => label),
    ["0", "1", "2", "3", "4", "5", "6", "7", "19"],
  );
  assert.equal(rows.at(-1)?.isRight, true);
  assert.deepEqual(voteRows({ key: "k", choices: [], right: null }, {}), []);
});

test("numbers are ordered as numbers", () => {
  const rows = voteRows({ key: "k", choices: [], right: null }, { 10: 1, 9: 1, "-1": 1 });
  assert.deepEqual(
    rows.map(({ label }) => label),
    ["-1", "9", "10"],
  );
});

test("no word moves while it may be pointed at: one that comes is last, one that is gone leaves its place", () => {
  assert.deepEqual(orderWords([], ["b", "c"], true), ["b", "c"]);
  assert.deepEqual(orderWords(["b", "c"], ["a", "c", "b"], true), ["b", "c", "a"]);
  assert.deepEqual(orderWords(["b", "c", "a"], ["a", "c"], true), ["b", "c", "a"]);
  assert.deepEqual(orderWords(["b", "c", "a"], ["a", "c"], false), ["c", "a"]);
  assert.deepEqual(orderWords(["b"], [], true), []);
});
