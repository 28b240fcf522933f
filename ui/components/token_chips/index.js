// The tokens of a text as chips, kept from edit to edit where they did not change, and tied to the page's one pointer.

import { link } from "../_shared/link.js";
import { onKey, reveal, rove } from "../_shared/tokens.js";
import { drawUnit, paint } from "./drawing.js";

const views = new WeakMap(); // parentElement -> what a view remembers between calls

export default function ({ data, parentElement, setStateValue }) {
  let view = views.get(parentElement);
  if (!view) views.set(parentElement, (view = createView(parentElement, link)));
  view.labels = data.labels;
  view.report = (chosen) => setStateValue("chosen", chosen);
  view.list.setAttribute("aria-label", data.labels.tokens);

  const wording = JSON.stringify(data.labels);
  if (wording !== view.wording) setChips(view, []); // another language: every chip says something else
  view.wording = wording;
  setChips(view, data.chips.map(readChip));
  follow(view, data);
  paint(view);
  view.unsubscribe ??= link.subscribe((change) => onLink(view, change));

  // A call that another has overtaken is cleaned up after that other one ran: only the newest may let go.
  const call = ++view.calls;
  return () => {
    if (call !== view.calls) return;
    view.unsubscribe?.();
    view.unsubscribe = null;
    link.hover(null);
  };
}

/** Take over Python's choice, unless it was made before the reader's last one reached Python. */
function follow(view, { chosen, turn }) {
  if (turn < view.turn || (turn === view.turn && chosen === view.followed)) return;
  view.turn = turn;
  view.followed = chosen;
  view.following = true;
  view.link.choose(chosen);
  view.following = false;
}

function onLink(view, { chosen, cause }) {
  paint(view);
  if (!view.acting) reveal(view, cause === "hover" ? view.link.hovered : chosen);
  if (cause === "choose" && !view.following) {
    view.turn += 1;
    view.followed = chosen;
    view.report({ position: chosen, turn: view.turn });
  }
}

function readChip([position, id, label, bytes, gap, part, parts, group, character, known]) {
  return { position, id, label, bytes, gap, part, parts, group, character, known };
}

/** Show these chips, keeping every element whose token stands before or after the edited place. */
function setChips(view, chips) {
  const hadFocus = view.list.getRootNode().activeElement?.closest?.(".chip")?.dataset.position;
  const units = unitsOf(chips);
  const { head, tail } = commonEnds(view.units, units);
  const old = view.units;
  const moved = units.length - old.length;
  for (const unit of old.slice(head, old.length - tail)) unit.element.remove();
  const fresh = document.createDocumentFragment();
  units.forEach((unit, index) => {
    if (index < head) unit.element = old[index].element;
    else if (index >= units.length - tail) unit.element = old[index - moved].element;
    else fresh.append((unit.element = drawUnit(view, unit)));
  });
  view.list.insertBefore(fresh, tail ? units[units.length - tail].element : null);
  // The gap stands behind what comes before, so that every row starts at the edge.
  units.forEach((unit, index) => unit.element.classList.toggle("gap", Boolean(units[index + 1]?.chips[0].gap)));
  view.units = units;

  view.chips.clear();
  const options = view.list.getElementsByClassName("chip");
  chips.forEach((chip, index) => {
    const option = options[index];
    option.dataset.position = chip.position;
    option.classList.toggle("odd", index % 2 === 1);
    view.chips.set(chip.position, { ...chip, option });
  });
  rove(view, view.chips.has(view.tabStop) ? view.tabStop : chips[0]?.position);
  if (hadFocus !== undefined) (view.chips.get(Number(hadFocus)) ?? view.chips.get(view.tabStop))?.option.focus();
}

/** Put the chips of one split character into one unit; every other chip is a unit of its own. */
function unitsOf(chips) {
  const units = [];
  for (const chip of chips) {
    const last = units.at(-1);
    if (last && chip.group !== null && chip.group === last.group) last.chips.push(chip);
    else units.push({ group: chip.group, chips: [chip] });
  }
  // Where a unit stands is no part of what it looks like.
  for (const unit of units) unit.looks = JSON.stringify(unit.chips.map((chip) => ({ ...chip, position: 0, group: 0 })));
  return units;
}

function commonEnds(before, after) {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head].looks === after[head].looks) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail).looks === after.at(-1 - tail).looks) tail++;
  return { head, tail };
}

function createView(parentElement, link) {
  const list = parentElement.querySelector(".list");
  const detail = parentElement.querySelector(".detail");
  const view = { list, detail, link, units: [], chips: new Map(), calls: 0, turn: 0, focused: null };
  const positionOf = (event) => {
    const option = event.target.closest?.(".chip");
    return option ? Number(option.dataset.position) : null;
  };
  // What the reader does here is in sight already: act() keeps the list from scrolling to it.
  const act = (change) => {
    view.acting = true;
    change();
    view.acting = false;
  };
  list.addEventListener("pointerover", (event) => {
    const position = positionOf(event); // null between two chips: the last one stays
    if (position !== null && event.pointerType !== "touch") act(() => link.hover(position));
  });
  list.addEventListener("pointerleave", () => act(() => link.hover(view.focused)));
  list.addEventListener("click", (event) => {
    const position = positionOf(event);
    if (position === null) return;
    rove(view, position);
    act(() => link.toggle(position));
  });
  list.addEventListener("focusin", (event) => {
    if (!event.target.matches(":focus-visible")) return;
    view.focused = positionOf(event);
    link.hover(view.focused);
  });
  list.addEventListener("focusout", () => {
    view.focused = null;
    link.hover(null);
  });
  list.addEventListener("keydown", (event) => onKey(view, event, positionOf(event)));
  return view;
}
