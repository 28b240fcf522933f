// The elements of index.js and what they look like.

import { makeElement, spelled } from "../_shared/elements.js";
import { namedText, sentencesText } from "../_shared/numbers.js";
import { fillLabel } from "../_shared/text.js";
import { light } from "../_shared/tokens.js";
import { firstBytes } from "./units.js";

/** @typedef {import("./units.js").Chip} Chip */
/** @typedef {import("./index.js").View} View */

/**
 * @param {View} view
 * @param {import("./units.js").Unit} unit
 */
export function drawUnit(view, { group, chips }) {
  const options = chips.map((chip) => drawChip(view, chip));
  if (group === null) return options[0];
  const { character, parts } = chips[0];
  const title = fillLabel(view.labels.group, { character, parts });
  return makeElement(
    "div",
    { className: "group", role: "group", "aria-label": title, title },
    makeElement("div", { className: "whole", "aria-hidden": "true" }, makeElement("bdi", { text: character })),
    makeElement("div", { className: "members", role: "presentation" }, ...options),
  );
}

/**
 * @param {View} view
 * @param {Chip} chip
 */
function drawChip(view, chip) {
  const looks = {
    className: chip.known ? "chip" : "chip unknown",
    testid: "token-chip",
    role: "option",
    "aria-label": `${chip.label} ${idOf(chip)}`,
    "aria-selected": "false",
    tabindex: -1,
    title: [namedText(view.labels.bytes, chip.bytes), partOf(view, chip)].filter(Boolean).join("\n"),
  };
  return makeElement(
    "div",
    looks,
    spelled(chip.label, { along: view.along }),
    makeElement("small", { text: idOf(chip) }),
  );
}

/**
 * A word that the table does not have has none.
 * @param {Chip} chip
 */
function idOf(chip) {
  return chip.known ? String(chip.id) : "—";
}

/**
 * @param {View} view
 * @param {Chip} chip
 */
function partOf(view, chip) {
  return chip.group === null ? "" : fillLabel(view.labels.part_of, { ...chip });
}

/** @param {View} view */
export function paint(view) {
  const at = (/** @type {number | null} */ position) => (position === null ? undefined : view.chips.get(position));
  light(view);
  drawDetail(view, at(view.link.hovered) ?? at(view.link.chosen));
}

/**
 * @param {View} view
 * @param {Chip | undefined} chip
 */
function drawDetail(view, chip) {
  const { labels } = view;
  if (!chip) {
    view.detail.replaceChildren(
      makeElement("p", { text: view.chips.size ? sentencesText([view.note, labels.hint]) : labels.empty }),
    );
    return;
  }
  const facts = [
    [labels.text, chip.label],
    [labels.id, idOf(chip)],
    [labels.position, String(chip.position)],
    [labels.bytes, firstBytes(chip.bytes, (count) => fillLabel(labels.more_bytes, { count }))],
  ];
  if (chip.group !== null) facts.push([labels.part, partOf(view, chip)]);
  const pairs = facts.map(([name, value]) =>
    makeElement("div", {}, makeElement("dt", { text: name }), makeElement("dd", {}, spelled(value))),
  );
  view.detail.replaceChildren(makeElement("dl", {}, ...pairs));
}
