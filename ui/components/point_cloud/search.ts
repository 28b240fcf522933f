// Search among the names of the points: a field, how many match, and the first of them to choose from.

import { makeElement } from "../_shared/elements.ts";
import { countText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import { findNames, type NameIndex, nameIndex } from "./find.ts";
import type { Cloud } from "./index.ts";
import { restyle } from "./scene.ts";
import { store } from "./store.ts";

/** What the page knows of the search. */
export interface Search {
  text: string;
  expression: boolean; // whether the text is a regular expression
  turn: number; // number of the user's last search that Python has heard of
  texts: string | null; // address of the texts that differ from the labels, "" for none; null where Python searches
  answer: Answer | null; // Python's, to this text
}
interface Answer {
  count: string;
  first: [row: number, label: string][]; // the best
}

const OFFERED = 8; // matches to choose from
const REST = 600; // ms without a key after which Python hears of a text that the browser itself has found
const ASKED = 200; // of one that Python has to find
const LONGEST = 200; // characters

/** @param choose a point by its index */
export function newSearch(cloud: Cloud, choose: (index: number) => void) {
  const field = makeElement("input", {
    testid: "cloud-search",
    type: "search",
    autocomplete: "off",
    spellcheck: "false",
    dir: "auto",
    maxlength: LONGEST,
  });
  const expression = makeElement("button", { testid: "cloud-expression", type: "button" });
  const count = makeElement("span", { className: "found", testid: "cloud-found", role: "status" });
  const list = makeElement("div", { className: "matches", testid: "cloud-matches", role: "group" });
  const root = makeElement("div", { className: "search", role: "search" }, field, expression, count, list);
  const wanted = { text: "", expression: false, turn: 0 };
  let followed = ""; // what the page last said
  let shown = ""; // what the matches are of
  let timer = 0;
  let index: NameIndex | null = null;
  let indexOf = "";

  /** The names of all rows, if the browser has them; null while they are on their way, or where Python searches. */
  function knownNames() {
    const { header, model, page } = cloud;
    const address = header.search?.texts ?? null;
    if (address === null || wanted.expression || !model || !header.data.startsWith(model.namesName)) return null;
    const others = address ? store.get("texts", address, page) : { rows: [], texts: [] };
    if (others && indexOf !== model.namesName + address)
      [index, indexOf] = [nameIndex(model.labels, others), model.namesName + address];
    return others && index;
  }

  /** Show the matches, by the names in the browser or by Python's answer; until then the previous ones stay. */
  function find() {
    const { search, found, data } = cloud.header;
    const { text } = wanted;
    if (!search) return;
    const names = text ? knownNames() : null;
    const answer = search.text === text && search.expression === wanted.expression ? search.answer : null;
    const now = JSON.stringify([data, text, names ? indexOf : answer, names ? null : found]);
    if (now === shown || (text && !names && !answer)) return;
    shown = now;
    if (names && cloud.model) {
      const { ids, labels, count: n } = cloud.model;
      const matches = findNames(names, text);
      const mask = new Uint8Array(n);
      for (const at of matches) mask[at] = 1;
      Object.assign(cloud, { matches, foundMask: mask });
      offer({ count: countText(matches.length), first: matches.slice(0, OFFERED).map((at) => [ids[at], labels[at]]) });
    } else {
      Object.assign(cloud, { matches: text ? (found ?? []) : [], foundMask: text ? cloud.answerMask : null });
      offer(text ? answer : null);
    }
    restyle(cloud);
  }

  function offer(answer: Answer | null) {
    count.textContent = answer?.count ? fillLabel(cloud.header.labels.found, { count: answer.count }) : "";
    const buttons = (answer?.first ?? []).map(([row, label]) => {
      const button = makeElement("button", { type: "button" }, makeElement("bdi", { dir: "ltr", text: label }));
      button.addEventListener("click", () => chooseRow(row));
      return button;
    });
    list.replaceChildren(...buttons);
  }

  function chooseRow(row: number) {
    const at = cloud.model ? Array.prototype.indexOf.call(cloud.model.ids, row) : -1;
    if (at < 0) cloud.page.setTriggerValue("match", row);
    else if (at !== cloud.chosen) choose(at);
  }

  /** Search at once, and report the query to Python when the keys rest. */
  function seek() {
    wanted.turn += 1;
    Object.assign(wanted, { text: field.value, expression: expression.ariaPressed === "true" });
    cloud.marked = null; // a new search ends the mark
    find();
    clearTimeout(timer);
    timer = window.setTimeout(report, knownNames() ? REST : ASKED);
  }

  function report() {
    clearTimeout(timer);
    timer = 0;
    cloud.page.setStateValue("search", { ...wanted });
  }

  field.addEventListener("input", seek);
  field.addEventListener("change", () => timer && report());
  expression.addEventListener("click", () => {
    expression.ariaPressed = String(expression.ariaPressed !== "true");
    seek();
  });
  // Streamlit's own keys (R reruns, C clears caches) do not see that the target is a field in a shadow root.
  for (const type of ["keydown", "keypress", "keyup"]) field.addEventListener(type, (event) => event.stopPropagation());

  return {
    root,
    find,
    /** Takes over what the page says, unless the user has searched since. */
    receive() {
      const { search, labels } = cloud.header;
      root.hidden = !search;
      field.placeholder = field.ariaLabel = labels.search;
      expression.textContent = labels.expression;
      expression.title = labels.expression_help;
      list.ariaLabel = labels.matches;
      const { answer: _, texts: __, ...said } = search ?? { text: "", expression: false, turn: wanted.turn };
      const now = JSON.stringify(said);
      if (said.turn >= wanted.turn && now !== followed) {
        followed = now;
        Object.assign(wanted, said);
        if (field.value !== wanted.text) field.value = wanted.text;
        expression.ariaPressed = String(wanted.expression);
      }
      find();
    },
    stop: () => clearTimeout(timer),
  };
}
