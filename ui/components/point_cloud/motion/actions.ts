// Event handlers of the moving words: pointer, keys, controls.

import { countText } from "../../_shared/numbers.ts";
import { fillLabel } from "../../_shared/text.ts";
import { type Figure, listenToKeys, listenToPointers } from "../input.ts";
import { DIM, FAINT, FRONT, PLAIN, pick } from "../picking.ts";
import { announce, choose as chooseWord, dragTurn, toggleFullScreen } from "../scatter.ts";
import { listenToTransport } from "../transport.ts";
import type { Focus, Motion } from "./index.ts";
import { type Drawn, isDrawn, isReady } from "./scene.ts";
import { fillLegend, type Switch, sayMissing } from "./words.ts";

const NEAR_ENOUGH = 16; // pixels from a word
const FAVOUR: Record<number, number> = { [PLAIN]: 0, [DIM]: -6, [FRONT]: 4, [FAINT]: -6 }; // pixels by which a word counts as nearer

/** The word under a place of the screen, null where there is none; one that stands out before others. */
export const wordAt = ({ screen, states }: Pick<Drawn, "screen" | "states">, x: number, y: number) =>
  pick(screen, x, y, NEAR_ENOUGH, (at) => FAVOUR[states[at]]);

/** Index of a word as it is written, or else in other letters' case; -1 where it is not there. */
export function indexOfWord(labels: string[], text: string) {
  const exact = labels.indexOf(text);
  return exact >= 0 ? exact : labels.findIndex((label) => label.toLowerCase() === text.toLowerCase());
}

export function listenToMotion(motion: Motion) {
  const { parts, transport } = motion;

  function hover(index: number | null) {
    if (motion.hovered === index) return;
    motion.hovered = index;
    motion.schedule();
  }

  function choose(index: number) {
    if (!isReady(motion)) return;
    chooseWord(motion, index);
    const { chosen, header, model } = motion;
    const { texts } = header;
    motion.neighbours = chosen !== null && header.chosen === chosen ? header.neighbours : [];
    announce(
      parts.said,
      chosen === null ? texts.nothing_chosen : fillLabel(texts.chosen, { word: model.labels[chosen] }),
    );
    motion.schedule();
  }

  /** @param focus the same as before ends it */
  function emphasise(focus: Focus | null) {
    if (!isReady(motion)) return;
    const { model, header } = motion;
    motion.focus = JSON.stringify(focus) === JSON.stringify(motion.focus) ? null : focus;
    if (motion.focus && motion.chosen !== null) choose(motion.chosen);
    parts.kind.value = motion.focus && "kind" in motion.focus ? `kind ${motion.focus.kind}` : "";
    fillLegend(motion);
    if (!motion.focus) announce(parts.said, header.texts.nothing_emphasised);
    else {
      const [kind, count] =
        "group" in motion.focus
          ? [header.legend[motion.focus.group][0], header.legend[motion.focus.group][2]]
          : [model.kinds[motion.focus.kind], model.members[motion.focus.kind].length];
      announce(parts.said, fillLabel(header.texts.emphasised, { kind, count: countText(count) }));
    }
    motion.schedule();
  }

  function find(typed: string, complete: boolean) {
    if (!isReady(motion)) return;
    sayMissing(motion, null);
    const text = typed.trim();
    if (!text) return;
    const index = indexOfWord(motion.model.labels, text);
    if (index >= 0) {
      parts.search.value = "";
      if (motion.chosen !== index) choose(index);
    } else if (complete) sayMissing(motion, fillLabel(motion.header.texts.not_found, { word: text }));
  }

  const figure: Figure = {
    get space() {
      return motion.header?.dimensions === 3;
    },
    dragAction: () => (figure.space ? "turn" : null),
    pointAt(x, y, kind) {
      if (!isDrawn(motion) || kind === "touch") return;
      const index = wordAt(motion, x, y);
      hover(index);
      parts.marks.classList.toggle("over", index !== null);
    },
    pointAway: () => hover(null),
    click(x, y, kind) {
      if (!isDrawn(motion)) return;
      const index = wordAt(motion, x, y);
      if (index !== null) choose(index);
      if (kind === "touch") hover(null);
    },
    // A finger turns the picture to the side alone: up and down it scrolls the page.
    turn(right, down, kind) {
      dragTurn(motion, right, kind === "touch" ? 0 : down);
      hover(null);
      motion.schedule();
    },
  };
  listenToPointers(parts.marks, figure);
  listenToKeys(parts.marks, figure, () => null);
  listenToTransport(parts.transport, transport, () => isDrawn(motion));
  parts.root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || document.fullscreenElement || !isDrawn(motion)) return;
    hover(null);
    if (motion.chosen !== null) choose(motion.chosen);
    else if (motion.focus) emphasise(motion.focus);
  });
  // A word picked from the list comes at once, unlike one that is typed.
  parts.search.addEventListener("input", (event) => {
    const typing = event instanceof InputEvent && event.inputType && event.inputType !== "insertReplacementText";
    find(typing ? "" : parts.search.value, false);
  });
  parts.search.addEventListener("keydown", (event) => event.key === "Enter" && find(parts.search.value, true));
  parts.kind.addEventListener("change", () => {
    const { value } = parts.kind;
    emphasise(value ? { kind: Number(value.slice("kind ".length)) } : null);
  });
  // Labels and legend: what the pointer or the focus is on lights up, a click keeps it lit.
  const focusAt = ({ target }: Event): Focus | null => {
    const element = target instanceof Element ? target.closest<HTMLElement>("[data-group], [data-id]") : null;
    const [what, number] = element?.dataset.group
      ? ["group", element.dataset.group]
      : (element?.dataset.id?.split(" ") ?? []);
    return what === "group" ? { group: Number(number) } : what === "kind" ? { kind: Number(number) } : null;
  };
  const point = (focus: Focus | null) => {
    motion.pointed = focus;
    motion.schedule();
  };
  for (const element of [parts.legend, parts.labels]) {
    for (const name of ["pointerover", "focusin"]) element.addEventListener(name, (event) => point(focusAt(event)));
    for (const name of ["pointerleave", "focusout"]) element.addEventListener(name, () => point(null));
    element.addEventListener("click", (event) => {
      const focus = focusAt(event);
      if (focus) emphasise(focus);
    });
  }
  for (const [name, button] of Object.entries(parts.switches)) {
    const of = name as Switch;
    button.addEventListener("click", () => turn(of, !motion[of]));
  }
  parts.full.addEventListener("click", () => toggleFullScreen(parts.root));

  function turn(name: Switch, on: boolean) {
    motion[name] = on;
    parts.switches[name].setAttribute("aria-pressed", String(on));
    motion.schedule();
  }

  return {
    /** Restore a link's switches, speed, and highlighted group (0) or kind (1) with its number. */
    show([trails, names = 1, fit = 0, speed = 1, sort, number]: number[]) {
      turn("trails", Boolean(trails));
      turn("names", Boolean(names));
      turn("fit", Boolean(fit));
      parts.transport.speed.value = String(speed);
      if (parts.transport.speed.value) transport.setSpeed(speed);
      else parts.transport.speed.value = "1";
      if (number === undefined || motion.focus || !isReady(motion)) return;
      if (sort === 0 && motion.header.legend[number]) emphasise({ group: number });
      if (sort === 1 && motion.model.kinds[number]) emphasise({ kind: number });
    },
  };
}
