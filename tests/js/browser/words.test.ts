// Streamlit's own words in the page's language.

import assert from "node:assert/strict";
import test from "node:test";
import { translator } from "../../../ui/components/browser/words.ts";

const WORDS = {
  Open: "Ouvrir",
  "Help for {name}": "Aide : {name}",
  "{size}MB per file": "{size} Mo par fichier",
  "{size}.{tenth}MB": "{size},{tenth} Mo",
  "{type} files are not allowed.": "Type {type} refusé.",
  "Between {least} and {most}.": "Au plus {most}, au moins {least}.",
};

const translated = translator(WORDS);
const chinese = translator({ "Help for {name}": "{name} 的说明" });

test("a word of Streamlit's is known as a whole alone, and anything or nothing may stand in its holes", () => {
  assert.equal(translated("Open"), "Ouvrir");
  assert.equal(translated("Open it"), null);
  assert.equal(translated("Help for d_model"), "Aide : d_model");
  assert.equal(translated("Help for $& {name}"), "Aide : $& {name}");
  assert.equal(translated("200MB per file"), "200 Mo par fichier");
  assert.equal(translated("Between 1 and $2."), "Au plus $2, au moins 1.");
  assert.equal(translated("Help for "), "Aide : ");
  assert.equal(translated("application/pdf files are not allowed."), "Type application/pdf refusé.");
  assert.equal(chinese("Help for d_model"), "d_model 的说明");
  assert.equal(chinese("Help for 权重"), "权重的说明");
  assert.equal(translated("toString"), null);
});

test("only digits may stand for a size", () => {
  assert.equal(translated("12.5MB"), "12,5 Mo");
  assert.equal(translated("my.table.2.5MB"), null);
});
