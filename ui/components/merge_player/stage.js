// The parts in large letters, a joint with its rank between each two; a merge closes its joint.

import { makeElement } from "../_shared/elements.js";
import { pieceLabel } from "./parts.js";

const MANY_PARTS = 20; // more are drawn smaller, and scroll where that is not enough

// As tall as the most parts make it, so that nothing below moves while they merge.
export function setStage({ stage }, data) {
  stage.classList.toggle("many", data.states[0].parts.length > MANY_PARTS);
  stage.dataset.shown = "";
  stage.style.minHeight = "";
  drawParts(stage, data, 0);
  stage.style.minHeight = `${stage.offsetHeight}px`;
  stage.tabIndex = stage.scrollHeight > stage.clientHeight ? 0 : -1;
  stage.dataset.shown = "";
  return true;
}

export function showMoment({ stage }, data, time) {
  const last = data.states.length;
  const step = Math.floor(time + 1e-6);
  const moved = Math.max(0, time - step);
  const whole = time < 1e-6;
  const index = Math.max(0, Math.min(step, last) - 1);
  const shown = whole ? "whole" : `${step < 1 ? "splitting" : "parts"} ${index}`;
  if (stage.dataset.shown !== shown) {
    if (whole) drawWhole(stage, pieceLabel(data));
    else drawParts(stage, data, index);
    stage.dataset.shown = shown;
    const here = stage.querySelector(".next") ?? stage.querySelector(".fresh");
    stage.scrollTop = here ? here.offsetTop - stage.clientHeight / 2 : 0;
  }
  if (whole) return;
  const eased = moved * moved * (3 - 2 * moved);
  // Before the first step all joints open; then one of them closes at each.
  const { pair } = data.states[index];
  const boxes = stage.querySelectorAll(".part");
  stage.querySelectorAll(".joint").forEach((joint, at) => {
    const closed = step < 1 ? 1 - eased : step <= last && at === pair ? eased : 0;
    joint.style.setProperty("--closed", closed);
    boxes[at].style.setProperty("--right", closed);
    boxes[at + 1].style.setProperty("--left", closed);
  });
  stage.style.setProperty("--ranks", step < 1 ? eased : step === last ? 1 - eased : step > last ? 0 : 1);
  stage.style.setProperty("--ids", step < last ? 0 : step === last ? eased : 1);
}

function drawWhole(stage, label) {
  stage.replaceChildren(makeElement("div", { className: "unit" }, partBox(label)));
}

function drawParts(stage, { states, ids, labels }, index) {
  const state = states[index];
  const fresh = index > 0 ? states[index - 1].pair : null;
  // A part and the joint after it stay together where the line is full.
  const units = state.parts.map((label, at) => {
    const box = partBox(label);
    box.classList.toggle("fresh", at === fresh);
    box.classList.toggle("next", state.pair !== null && (at === state.pair || at === state.pair + 1));
    if (index === states.length - 1) box.append(makeElement("span", { className: "id", text: ids[at] }));
    const unit = makeElement("div", { className: "unit" }, box);
    if (at === state.parts.length - 1) return unit;
    const rank = state.ranks[at];
    const joint = makeElement("div", {
      className: rank === null ? "joint never" : at === state.pair ? "joint next" : "joint",
    });
    joint.append(
      makeElement("span", { className: "rank", text: rank === null ? labels.no_rank : rank.toLocaleString("en") }),
    );
    unit.append(joint);
    return unit;
  });
  // Nor is the pair that merges torn.
  if (state.pair !== null)
    units.splice(state.pair, 2, makeElement("div", { className: "pair" }, units[state.pair], units[state.pair + 1]));
  stage.replaceChildren(...units);
}

function partBox(label) {
  const bytes = /^⟨.*⟩$/.test(label);
  return makeElement(
    "div",
    { className: bytes ? "part bytes" : "part" },
    makeElement("bdi", { text: bytes ? label.slice(1, -1) : label }),
  );
}
