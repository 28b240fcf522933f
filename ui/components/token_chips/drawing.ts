// The elements of index.ts and what they look like.

import { makeElement, tokenElement } from "../_shared/elements.ts";
import { namedText, sentencesText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import { markTokens } from "../_shared/tokens.ts";
import type { View } from "./index.ts";
import { type Chip, firstBytes, type Unit } from "./units.ts";

export function drawUnit(view: View, { group, chips }: Unit) {
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

function drawChip(view: View, chip: Chip) {
  const looks = {
    className: chip.known ? "token-chip" : "token-chip unknown",
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
    tokenElement(chip.label, { along: view.along }),
    makeElement("small", { text: idOf(chip) }),
  );
}

/** A word that the table does not have has none. */
function idOf(chip: Chip) {
  return chip.known ? String(chip.id) : "—";
}

function partOf(view: View, chip: Chip) {
  return chip.group === null ? "" : fillLabel(view.labels.part_of, { ...chip });
}

export function paint(view: View) {
  const at = (position: number | null) => (position === null ? undefined : view.chips.get(position));
  markTokens(view);
  drawDetail(view, at(view.link.hovered) ?? at(view.link.chosen));
}

function drawDetail(view: View, chip: Chip | undefined) {
  const { labels } = view;
  if (!chip) {
    view.detail.replaceChildren(
      makeElement("p", { text: view.chips.size ? view.note && sentencesText([view.note, labels.hint]) : labels.empty }),
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
    makeElement("div", {}, makeElement("dt", { text: name }), makeElement("dd", {}, tokenElement(value))),
  );
  view.detail.replaceChildren(makeElement("dl", {}, ...pairs));
}
