// The elements of index.ts: the pieces of the text, the steps' bar, what happened so far.

import { makeElement, spelled } from "../_shared/elements.ts";
import { stepBar } from "../_shared/stepper.ts";
import { directionOf } from "../_shared/text.ts";
import { type Merges, mergeOf } from "./merges.ts";

type Parts = ReturnType<typeof mergeParts>;

export function mergeParts() {
  const steps = stepBar("merge", 0);
  const parts = {
    strip: makeElement("div", { className: "strip", role: "listbox", testid: "merge-pieces" }),
    stage: makeElement("div", { className: "stage", role: "group", testid: "merge-stage" }),
    below: makeElement("p", { className: "below" }),
    logTitle: makeElement("p", { className: "log-title" }),
    log: makeElement("ol", { className: "log", tabindex: "0", testid: "merge-log" }),
    none: makeElement("p", { className: "none" }),
  };
  const { strip, stage, below, logTitle, none, log } = parts;
  const root = makeElement("div", { className: "merges", testid: "merge-player" });
  root.append(strip, steps.bar, steps.step, stage, below, logTitle, none, log);
  return { ...parts, steps, root };
}

export function fillPieces({ strip }: Parts, { pieces, labels }: Merges) {
  const along = directionOf(pieces.map(([text]) => text));
  strip.dir = along;
  strip.setAttribute("aria-label", labels.pieces);
  const options = pieces.map(([text], index) => {
    const attributes = { role: "option", tabindex: "-1", "data-index": index, "aria-selected": "false" };
    return makeElement("div", attributes, spelled(text, { along }));
  });
  strip.replaceChildren(...options);
}

/** The merges, each a way back to its step. Those to come hold their places, so that nothing moves. */
export function fillLog({ log, logTitle, none }: Parts, { states, labels }: Merges, jump: (step: number) => void) {
  logTitle.textContent = labels.merges;
  log.setAttribute("aria-label", labels.merges);
  none.textContent = labels.no_merges;
  const items = states.slice(0, -1).map((state, index) => {
    const { left, right, whole, rank } = mergeOf(state, states[index + 1]) ?? {};
    const button = makeElement(
      "button",
      { type: "button" },
      makeElement("span", { className: "number", text: String(index + 1) }),
      makeElement("bdi", { text: left }),
      "+",
      makeElement("bdi", { text: right }),
      "→",
      makeElement("bdi", { className: "made", text: whole }),
      makeElement("span", { className: "of", text: `${labels.rank} ${rank}` }),
    );
    button.addEventListener("click", () => jump(index + 2));
    return makeElement("li", {}, button);
  });
  log.replaceChildren(...items);
}

/** @param done how many merges have happened */
export function showLog({ log, none }: Parts, done: number) {
  const items = [...log.children] as HTMLElement[];
  items.forEach((item, index) => {
    item.classList.toggle("to-come", index >= done);
    item.classList.toggle("now", index === done - 1);
  });
  const newest = items[Math.max(0, done - 1)];
  if (newest) log.scrollTop = Math.max(0, newest.offsetTop + newest.offsetHeight - log.clientHeight);
  none.hidden = done > 0 && items.length > 0;
  none.classList.toggle("only", items.length === 0);
  log.hidden = items.length === 0;
}
