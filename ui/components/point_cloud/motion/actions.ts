// What pointer, keys and controls may do to the moving words.

import { countText } from "../../_shared/numbers.ts";
import { fillLabel } from "../../_shared/text.ts";
import { type Figure, listenToKeys, listenToPointers } from "../input.ts";
import { choose as chooseWord, dragTurn, say, toggleFullScreen } from "../scatter.ts";
import { BACK, FAINT, NEAR } from "../trails.ts";
import { listenToTransport } from "../transport.ts";
import type { Focus, Motion } from "./index.ts";
import { type Drawn, isDrawn, isReady } from "./scene.ts";
import { fillLegend, type Switch, sayMissing } from "./words.ts";

const NEAR_ENOUGH = 16; // pixels from a word
const ON_IT = 8; // pixels from a word, within which it goes before a name that lies over it

/**
 * The word under a place of the screen, null where there is none; one that stands out before others.
 * @param reach pixels
 */
export function wordAt({ screen, looks }: Pick<Drawn, "screen" | "looks">, x: number, y: number, reach: number) {
  let best: number | null = null;
  let least = reach;
  for (let at = 0; at < looks.length; at += 1) {
    const favour = looks[at] === FAINT || looks[at] === BACK ? -6 : looks[at] >= NEAR ? 4 : 0;
    const away = Math.hypot(screen[2 * at] - x, screen[2 * at + 1] - y) - favour;
    if (away < least) [best, least] = [at, away];
  }
  return best;
}

/** Index of a word as it is written, or else in other letters' case; -1 where it is not there. */
export function indexOfWord(labels: string[], text: string) {
  const exact = labels.indexOf(text);
  return exact >= 0 ? exact : labels.findIndex((label) => label.toLowerCase() === text.toLowerCase());
}

export function listenToMotion(motion: Motion) {
  const { parts, transport } = motion;

  /** A word, or else the kind whose name it is, under a place of the screen. */
  function under(x: number, y: number): { index: number | null; kind: number | null } {
    const title = [...motion.nameplates.values()].find(({ kind, alpha, box: [left, top, width, height] }) => {
      const isInside = x > left && x < left + width && y > top && y < top + height;
      return kind !== undefined && alpha > 0.3 && isInside;
    });
    const index = wordAt(motion, x, y, title ? ON_IT : NEAR_ENOUGH);
    return { index, kind: index === null ? (title?.kind ?? null) : null };
  }

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
    say(parts.said, chosen === null ? texts.nothing_chosen : fillLabel(texts.chosen, { word: model.labels[chosen] }));
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
    if (!motion.focus) say(parts.said, header.texts.nothing_emphasised);
    else {
      const [kind, count] =
        "group" in motion.focus
          ? [header.legend[motion.focus.group][0], header.legend[motion.focus.group][2]]
          : [model.kinds[motion.focus.kind], model.members[motion.focus.kind].length];
      say(parts.said, fillLabel(header.texts.emphasised, { kind, count: countText(count) }));
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
      const at = under(x, y);
      hover(at.index);
      parts.marks.classList.toggle("over", at.index !== null || at.kind !== null);
    },
    pointAway: () => hover(null),
    click(x, y, kind) {
      if (!isDrawn(motion)) return;
      const at = under(x, y);
      if (at.index !== null) choose(at.index);
      else if (at.kind !== null) emphasise({ kind: at.kind });
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
  parts.legend.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button) emphasise({ group: Number(button.dataset.group) });
  });
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
    /** What a link says of the switches, the speed, and what stands out: a group (0) or a kind (1) and its number. */
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
