// The tokens of a text as chips, kept from edit to edit where they did not change, and tied to the page's one pointer.

import { lasting } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { newsWatch } from "../_shared/payload.js";
import { directionOf } from "../_shared/text.js";
import { choiceOf, listenToTokens, reveal, rove } from "../_shared/tokens.js";
import { drawUnit, paint } from "./drawing.js";
import { commonEnds, readChip, unitsOf } from "./units.js";

/** @typedef {import("../_shared/lifecycle.js").Place} Place */
/** @typedef {import("./units.js").Chip} Chip */
/**
 * @typedef {"tokens" | "hint" | "empty" | "text" | "id" | "position" | "bytes" | "more_bytes" | "part" | "part_of" | "group"} LabelName
 */
/**
 * What Python sends.
 * @typedef {object} Data
 * @property {import("./units.js").SentChip[]} chips
 * @property {number | null} chosen
 * @property {number} turn
 * @property {string} note
 * @property {Record<LabelName, string>} labels
 */
/**
 * What is remembered between runs.
 * @typedef {object} View
 * @property {HTMLElement} list
 * @property {HTMLElement} detail
 * @property {import("../_shared/link.js").Link} link
 * @property {ReturnType<typeof choiceOf>} choice
 * @property {Record<LabelName, string>} labels
 * @property {string} note that stands before the hint
 * @property {"rtl" | "ltr"} along which the chips stand
 * @property {(import("./units.js").Unit & { element: HTMLElement })[]} units
 * @property {Map<number, Chip & { option: HTMLElement }>} chips by position
 * @property {boolean} [acting]
 * @property {number | undefined} [tabStop]
 * @property {import("../_shared/tokens.js").View["lit"]} lit
 */

export default lasting(mountChips);

/** @param {Place} parentElement */
function mountChips(parentElement) {
  const view = createView(parentElement);
  const isReworded = newsWatch();
  const unsubscribe = link.subscribe((change) => onLink(view, change));
  return {
    /**
     * @param {Data} data
     * @param {import("../_shared/lifecycle.js").Page} page
     */
    receive(data, page) {
      view.labels = data.labels;
      view.note = data.note;
      view.list.setAttribute("aria-label", data.labels.tokens);

      const chips = data.chips.map(readChip);
      view.along = directionOf(chips.map(({ group, character, label }) => (group === null ? label : character)));
      view.list.dir = view.along;
      if (isReworded([data.labels, view.along])) setChips(view, []); // every chip says something else
      setChips(view, chips);
      view.choice.follow(data, page);
      paint(view);
    },
    unmount() {
      unsubscribe();
      link.hover(null);
    },
  };
}

/**
 * @param {View} view
 * @param {Parameters<import("../_shared/link.js").Subscriber>[0]} change
 */
function onLink(view, { chosen, cause }) {
  paint(view);
  if (!view.acting) reveal(view, cause === "hover" ? view.link.hovered : chosen);
  if (cause === "choose") view.choice.tell(chosen);
}

/**
 * Show these chips, keeping every element whose token stands before or after the edited place.
 * @param {View} view
 * @param {Chip[]} chips
 */
function setChips(view, chips) {
  const active = /** @type {ShadowRoot | Document} */ (view.list.getRootNode()).activeElement;
  const hadFocus = /** @type {HTMLElement | null | undefined} */ (active?.closest(".chip"))?.dataset.position;
  const old = view.units;
  const units = unitsOf(chips);
  const { head, tail } = commonEnds(old, units);
  const moved = units.length - old.length;
  for (const unit of old.slice(head, old.length - tail)) unit.element.remove();
  const fresh = document.createDocumentFragment();
  view.units = units.map((unit, index) => {
    if (index < head) return { ...unit, element: old[index].element };
    if (index >= units.length - tail) return { ...unit, element: old[index - moved].element };
    const element = drawUnit(view, unit);
    fresh.append(element);
    return { ...unit, element };
  });
  view.list.insertBefore(fresh, tail ? view.units[units.length - tail].element : null);
  // The gap stands behind what comes before, so that every row starts at the edge.
  view.units.forEach(({ element }, index) => {
    element.classList.toggle("gap", Boolean(units[index + 1]?.chips[0].gap));
  });

  view.chips.clear();
  const options = /** @type {HTMLCollectionOf<HTMLElement>} */ (view.list.getElementsByClassName("chip"));
  chips.forEach((chip, index) => {
    const option = options[index];
    option.dataset.position = String(chip.position);
    option.classList.toggle("odd", index % 2 === 1);
    view.chips.set(chip.position, { ...chip, option });
  });
  const stays = view.tabStop !== undefined && view.chips.has(view.tabStop);
  rove(view, stays ? view.tabStop : chips[0]?.position);
  if (hadFocus !== undefined) (view.chips.get(Number(hadFocus)) ?? view.chips.get(view.tabStop ?? -1))?.option.focus();
}

/**
 * @param {Place} parentElement
 * @returns {View}
 */
function createView(parentElement) {
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (parentElement.querySelector(name));
  const list = part(".list");
  /** @type {View} */
  const view = {
    ...{ list, detail: part(".detail"), link, choice: choiceOf(link), note: "" },
    along: "ltr",
    labels: /** @type {Data["labels"]} */ ({}), // come with the first run
    ...{ units: [], chips: new Map(), lit: { hovered: undefined, chosen: undefined } },
  };
  listenToTokens(view, ".chip");
  return view;
}
