// The elements of index.js: the pieces of the text, the buttons, the line that says what happens.

import { makeElement } from "../_shared/elements.js";
import { iconButton, nameButton, setIcon } from "../_shared/icons.js";
import { fillLabel } from "../_shared/text.js";

export function mergeParts() {
  const parts = {
    strip: makeElement("div", { className: "strip", role: "listbox", testid: "merge-pieces" }),
    play: iconButton("merge-play", "play", { class: "play" }),
    back: iconButton("merge-back", "back"),
    forward: iconButton("merge-forward", "forward"),
    range: makeElement("input", { type: "range", min: "0", step: "0.01", testid: "merge-timeline" }),
    stepName: makeElement("b"),
    stepText: makeElement("span"),
    stage: makeElement("div", { className: "stage", role: "group", testid: "merge-stage" }),
    below: makeElement("p", { className: "below" }),
    logTitle: makeElement("p", { className: "log-title" }),
    log: makeElement("ol", { className: "log", tabindex: "0", testid: "merge-log" }),
    none: makeElement("p", { className: "none" }),
  };
  parts.step = makeElement("p", { className: "step", testid: "merge-step" }, parts.stepName, " ", parts.stepText);
  const buttons = makeElement("div", { className: "buttons" }, parts.play, parts.back, parts.forward);
  parts.root = makeElement(
    "div",
    { className: "merges", testid: "merge-player" },
    parts.strip,
    makeElement("div", { className: "bar" }, buttons, parts.range),
    parts.step,
    parts.stage,
    parts.below,
    parts.logTitle,
    parts.none,
    parts.log,
  );
  return parts;
}

export function fillPieces(parts, { pieces, labels }) {
  parts.strip.setAttribute("aria-label", labels.pieces);
  const options = pieces.map(([label], index) => {
    const option = makeElement("div", {
      role: "option",
      tabindex: "-1",
      "data-index": index,
      "aria-selected": "false",
    });
    option.append(makeElement("bdi", { text: label }));
    return option;
  });
  parts.strip.replaceChildren(...options);
}

// Scrolls the strip, and only the strip, until a piece is in sight.
export function revealPiece(strip, option) {
  if (!option) return;
  const [box, frame] = [option.getBoundingClientRect(), strip.getBoundingClientRect()];
  if (box.top < frame.top) strip.scrollTop -= frame.top - box.top + 6;
  else if (box.bottom > frame.bottom) strip.scrollTop += box.bottom - frame.bottom + 6;
}

export function labelMerges(parts, { labels, states }) {
  nameButton(parts.back, labels.back);
  nameButton(parts.forward, labels.forward);
  parts.range.setAttribute("aria-label", labels.timeline);
  parts.range.max = String(states.length + 1);
  parts.logTitle.textContent = labels.merges;
  parts.log.setAttribute("aria-label", labels.merges);
  parts.none.textContent = labels.no_merges;
}

export function showPlayingMerges(parts, { labels }, playing) {
  setIcon(parts.play, playing ? "pause" : "play");
  nameButton(parts.play, playing ? labels.pause : labels.play);
  parts.root.dataset.playing = String(playing);
  // Read out for who goes step by step, not while it plays.
  parts.step.ariaLive = playing ? "off" : "polite";
}

export function showMergeStep(parts, data, player) {
  const last = data.states.length + 1;
  const step = Math.ceil(player.time - 1e-6); // on the way to a step its name is shown already
  const name = fillLabel(data.labels.step, { number: step + 1, count: last + 1 });
  const text = stepSentence(data, step);
  if (parts.stepName.textContent !== name) parts.stepName.textContent = name;
  if (parts.stepText.textContent !== text) {
    parts.stepText.textContent = text;
    parts.range.setAttribute("aria-valuetext", `${name}. ${text}`);
    parts.stage.setAttribute(
      "aria-label",
      `${data.labels.figure}: ${step > 0 ? data.states[Math.min(step, last - 1) - 1].parts.join(" | ") : pieceLabel(data)}`,
    );
  }
  const below = step === 0 ? "" : step > data.states.length ? data.labels.id_below : data.labels.rank_below;
  if (parts.below.textContent !== below) parts.below.textContent = below;
  if (parts.range.value !== String(player.time)) parts.range.value = String(player.time);
  parts.back.disabled = player.time <= 0;
  parts.forward.disabled = player.time >= last;
  parts.root.dataset.step = String(Math.round(player.time * 1000) / 1000);
}

export const pieceLabel = ({ pieces, chosen }) => pieces[chosen][0];

// What a merge joins, with its rank; null where nothing merges.
export function mergeOf({ parts, ranks, pair }, next) {
  if (pair === null) return null;
  return {
    left: parts[pair],
    right: parts[pair + 1],
    rank: ranks[pair].toLocaleString("en"),
    whole: next?.parts[pair],
  };
}

function stepSentence(data, step) {
  const { labels, states, ids } = data;
  if (step === 0) return fillLabel(labels.piece, { piece: pieceLabel(data) });
  if (step > states.length) return fillLabel(ids.length === 1 ? labels.id_of_one : labels.ids, { ids: ids.join(", ") });
  const state = states[step - 1];
  const next = mergeOf(state);
  const start = next ? labels.start : state.parts.length === 1 ? labels.start_one : labels.start_still;
  if (step === 1) return fillLabel(start, { count: state.parts.length, ...next });
  const merged = fillLabel(labels.merged, mergeOf(states[step - 2], state));
  const finished = state.parts.length === 1 ? labels.finished_one : labels.finished;
  return `${merged} ${next ? fillLabel(labels.following, next) : finished}`;
}

export function listenToMerges(parts, player) {
  // Who presses again before a step has ended wants to be there: it ends at once.
  const onward = (direction) => {
    const { playing, time, jump, forward, back } = player();
    const round = direction > 0 ? Math.ceil : Math.floor;
    if (!playing && !Number.isInteger(time)) jump(round(time));
    if (direction > 0) forward();
    else back();
  };
  parts.play.addEventListener("click", () => player().toggle());
  parts.back.addEventListener("click", () => onward(-1));
  parts.forward.addEventListener("click", () => onward(1));
  parts.range.addEventListener("input", () => player().jump(Number(parts.range.value)));
  parts.range.addEventListener("keydown", (event) => {
    // By key one step at a time, not one hundredth.
    const forward = ["ArrowRight", "ArrowUp", "PageUp"].includes(event.key);
    if (!forward && !["ArrowLeft", "ArrowDown", "PageDown"].includes(event.key)) return;
    onward(forward ? 1 : -1);
    event.preventDefault();
  });
}
