// The parts in large letters, a joint with its rank between each two; a merge closes its joint.

import { makeElement } from "../_shared/elements.ts";
import { countText } from "../_shared/numbers.ts";
import { labelsDirection } from "../_shared/text.ts";
import { closedAt, type Merges, momentAt, pieceLabel } from "./merges.ts";

const MANY_PARTS = 20; // more are drawn smaller, and scroll where that is not enough

/** As tall as the most parts make it, so that nothing below moves while they merge. */
export function setStage(stage: HTMLElement, merges: Merges) {
  stage.classList.toggle("many", merges.states[0].parts.length > MANY_PARTS);
  stage.dir = labelsDirection([pieceLabel(merges)]);
  stage.style.minHeight = "";
  drawParts(stage, merges, 0);
  stage.style.minHeight = `${stage.offsetHeight}px`;
  stage.tabIndex = stage.scrollHeight > stage.clientHeight ? 0 : -1;
  stage.dataset.shown = "";
}

export function showMoment(stage: HTMLElement, merges: Merges, time: number) {
  const last = merges.states.length;
  const moment = momentAt(time, last);
  const { whole, index } = moment;
  const shown = whole ? "whole" : `${moment.step < 1 ? "splitting" : "parts"} ${index}`;
  if (stage.dataset.shown !== shown) {
    if (whole) stage.replaceChildren(makeElement("div", { className: "unit" }, partBox(pieceLabel(merges))));
    else drawParts(stage, merges, index);
    stage.dataset.shown = shown;
    const here = stage.querySelector(".next") ?? stage.querySelector(".fresh");
    stage.scrollTop = here instanceof HTMLElement ? here.offsetTop - stage.clientHeight / 2 : 0;
  }
  if (whole) return;
  const boxes: NodeListOf<HTMLElement> = stage.querySelectorAll(".part");
  const joints: NodeListOf<HTMLElement> = stage.querySelectorAll(".joint");
  joints.forEach((joint, at) => {
    const closed = String(closedAt(moment, last, at === merges.states[index].pair));
    joint.style.setProperty("--closed", closed);
    boxes[at].style.setProperty("--right", closed);
    boxes[at + 1].style.setProperty("--left", closed);
  });
  stage.style.setProperty("--ranks", String(moment.ranks));
  stage.style.setProperty("--ids", String(moment.ids));
}

/** @param index of the state */
function drawParts(stage: HTMLElement, { states, ids, labels }: Merges, index: number) {
  const { parts, ranks, pair } = states[index];
  const fresh = index > 0 ? states[index - 1].pair : null;
  // A part and the joint after it stay together where the line is full.
  const units = parts.map((label, at) => {
    const box = partBox(label);
    box.classList.toggle("fresh", at === fresh);
    box.classList.toggle("next", pair !== null && (at === pair || at === pair + 1));
    if (index === states.length - 1) box.append(makeElement("span", { className: "id", text: ids[at] }));
    const unit = makeElement("div", { className: "unit" }, box);
    if (at === parts.length - 1) return unit;
    const rank = ranks[at];
    const text = rank === null ? labels.no_rank : countText(rank);
    const className = rank === null ? "joint never" : at === pair ? "joint next" : "joint";
    unit.append(makeElement("div", { className }, makeElement("span", { className: "rank", text })));
    return unit;
  });
  // Nor is the pair that merges torn.
  if (pair !== null) units.splice(pair, 2, makeElement("div", { className: "pair" }, units[pair], units[pair + 1]));
  stage.replaceChildren(...units);
}

function partBox(label: string) {
  const bytes = /^⟨.*⟩$/.test(label);
  const text = makeElement("bdi", { text: bytes ? label.slice(1, -1) : label });
  return makeElement("div", { className: bytes ? "part bytes" : "part" }, text);
}
