// Computations for slides, without a document: keys, moves, the magnification of figures, and the timer.

/** Moves within and between slides. */
export type Move = "next" | "back" | "skip" | "return" | "first" | "last";
export type Action = "notes" | "blank" | "full" | "keys" | "join" | "end";

/** Actions by key, including those that clickers send. */
const KEYS: Record<string, Move | Action> = {
  ArrowRight: "next",
  PageDown: "next",
  " ": "next",
  Enter: "next",
  ArrowLeft: "back",
  PageUp: "back",
  Backspace: "back",
  ArrowDown: "skip",
  ArrowUp: "return",
  Home: "first",
  End: "last",
  s: "notes",
  b: "blank",
  ".": "blank",
  f: "full",
  q: "join",
  "?": "keys",
  Escape: "end",
};

/** Return the action of a key while slides are shown; null for none. */
export function keyAction({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: {
  key: string;
  ctrlKey?: boolean;
  metaKey?: boolean;
  altKey?: boolean;
}) {
  if (ctrlKey || metaKey || altKey) return null;
  return KEYS[key.length === 1 ? key.toLowerCase() : key] ?? null;
}

export interface Place {
  slide: number; // from 0
  asked: number; // 0: no question, 1: the question is shown, 2: with its answer
}
/** Steps that a slide has left. */
interface SlideLimits {
  slides: number; // number of slides
  questions: number; // the greatest `asked` of this slide
  ahead: boolean; // whether its figure has a further step, or it can be scrolled down
  behind: boolean; // the same in the other direction
}

/**
 * Return the target of a move: first through a figure's steps, then to the question and its answer, then to the next slide.
 * @returns "ahead" or "behind" for a step of the figure; null for no target
 */
export function moveTarget(
  { slide, asked }: Place,
  { slides, questions, ahead, behind }: SlideLimits,
  move: Move,
): Place | "ahead" | "behind" | null {
  const last = slides - 1;
  const to = (next: number) => (next < 0 || next > last ? null : { slide: next, asked: 0 });
  switch (move) {
    case "next":
      if (ahead && !asked) return "ahead";
      return asked < questions ? { slide, asked: asked + 1 } : to(slide + 1);
    case "back":
      if (asked) return { slide, asked: asked - 1 };
      return behind ? "behind" : to(slide - 1);
    case "skip":
      return to(slide + 1);
    case "return":
      return asked ? { slide, asked: 0 } : to(slide - 1);
    case "first":
      return to(0);
    default:
      return to(last);
  }
}

const WIDTH = 1280;
const HEIGHT = 720; // CSS px of the slide that font sizes are written for
const MIN_SCALE = 0.6; // a phone held upright shows less of a slide, which can be scrolled
const MIN_CHART = 1.25; // magnification: a chart's smallest letters are 15 px on the page, 18.75 on the slide
const MAGNIFICATIONS = [2, 1.75, 1.6, 1.5, 1.4, 1.32, MIN_CHART, 1.2, 1.1, 1]; // below MIN_CHART: small letters rather than a part that is cut off
const SMALL = 130; // CSS px: a heading, a control, a line of words

/**
 * Return the size of letters on a slide, as a share of that at 1280 × 720.
 * @param width of the window in CSS px
 */
export const slideScale = (width: number, height: number) =>
  Math.max(MIN_SCALE, Math.min(width / WIDTH, height / HEIGHT));

/**
 * Return the least magnification of a figure.
 * @param scale of the slide
 */
export const minMagnification = (scale: number) => MIN_CHART * Math.max(scale, 0.8);

/** An element that a slide's end does not split; its height in CSS px of the page. */
export type Unit = { height: number; isFigure: boolean };

/**
 * Split a slide that is too long into parts that fit. A heading or a control stays with the element after it, and is no part of
 * its own.
 * @param units from top to bottom
 * @param room in CSS px of the page
 * @param figuresOnly whether text without a figure is no part either
 * @returns at least one part
 */
export function splitSlide<T extends Unit>(units: T[], room: number, figuresOnly: boolean = false): T[][] {
  const groups: T[][] = [];
  let group: T[] = [];
  const heightOf = (units: T[]) => units.reduce((sum, { height }) => sum + height, 0);
  for (const unit of units) {
    if (group.length && heightOf(group) + unit.height > room) {
      const ends = group.findLastIndex(({ height, isFigure }) => isFigure || height > SMALL) + 1 || group.length;
      const moved = group.slice(ends);
      groups.push(group.slice(0, ends));
      group = heightOf(moved) + unit.height > room ? [] : moved;
    }
    group.push(unit);
  }
  const all = [...groups, group];
  const worth = all.filter(
    (group) => group.some(({ isFigure }) => isFigure) || (!figuresOnly && heightOf(group) > SMALL),
  );
  return worth.length ? worth : all;
}

/**
 * Return the greatest magnification at which a figure fits.
 * @param fits whether it fits at a magnification
 * @param scale of the slide
 */
export function fittingMagnification(fits: (times: number) => boolean, scale: number) {
  const sizes = MAGNIFICATIONS.map((times) => Math.round(1000 * times * Math.max(scale, 0.8)) / 1000);
  return sizes.find(fits) ?? sizes[sizes.length - 1];
}

/** Start of a timer, null while it is stopped, and the ms that had elapsed before. */
export type Timer = { since: number | null; elapsed: number };

export const STOPPED: Timer = { since: null, elapsed: 0 };

export const elapsedTime = ({ since, elapsed: counted }: Timer, now: number) =>
  counted + (since === null ? 0 : Math.max(0, now - since));

/** Start a timer that is stopped, or stop one that runs. */
export const toggleTimer = (timer: Timer, now: number): Timer => ({
  since: timer.since === null ? now : null,
  elapsed: elapsedTime(timer, now),
});

/** Write a time as h:mm:ss, or m:ss below an hour. */
export function clockFace(ms: number) {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, index) => (index ? String(part).padStart(2, "0") : String(part))).join(":");
}
