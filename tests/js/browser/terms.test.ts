// Where a page first uses a term of the field.

import assert from "node:assert/strict";
import test from "node:test";
import { firstUses } from "../../../ui/components/browser/terms.ts";

const used = (texts: string[], terms: Record<string, string>) =>
  firstUses(texts, terms).map(({ node, start, end, english }) => [texts[node].slice(start, end), english, node]);

test("a term is found at its first use alone, also as a plural and after an elision", () => {
  const terms = {
    jeton: "token",
    "matrice de plongement": "embedding matrix",
    plongement: "embedding",
    encodeur: "encoder",
  };
  assert.deepEqual(used(["Les Jetons et l’encodeur", "Un jeton ; matrices de plongement, plongements"], terms), [
    ["Jetons", "token", 0],
    ["encodeur", "encoder", 0],
    ["matrices de plongement", "embedding matrix", 1],
    ["plongements", "embedding", 1],
  ]);
});

test("a term is no part of another word", () => {
  assert.deepEqual(used(["rejetons, jetonner, jeton_1"], { jeton: "token" }), []);
});

test("Chinese has terms without spaces around them, the longest first", () => {
  assert.deepEqual(used(["词元嵌入矩阵的嵌入"], { 嵌入: "embedding", 嵌入矩阵: "embedding matrix", 词元: "token" }), [
    ["词元", "token", 0],
    ["嵌入矩阵", "embedding matrix", 0],
    ["嵌入", "embedding", 0],
  ]);
});

test("Chinese characters that are the end of one word and the beginning of another are no term", () => {
  assert.deepEqual(used(["同类比例", "类比的例子"], { 类比: "analogy" }), [["类比", "analogy", 1]]);
});

test("without terms nothing is looked for", () => {
  assert.deepEqual(used(["jeton"], {}), []);
});
