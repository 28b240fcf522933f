// What a picture of points is, with a time axis or without: where it is seen from, which point is chosen, when it is
// drawn anew.

import { themeOf } from "../_shared/colour.ts";
import { takingDown, watchSize } from "../_shared/lifecycle.ts";
import type { Rectangle } from "./axes.ts";
import { newCamera, turnCamera, type View } from "./camera.ts";
import { GLIDE, glides } from "./glide.ts";

/** The nearest first. */
export type Neighbours = [index: number, similarity: number][];
interface ScatterParts {
  root: HTMLElement;
  stage: HTMLElement;
  ground: HTMLCanvasElement;
  marks: HTMLCanvasElement; // that is on top and hears pointers and keys
  tip: HTMLElement;
  note: HTMLElement;
  said: HTMLElement; // what a screen reader hears
}
type Scatter = ReturnType<typeof newScatter<ScatterParts>>;

const TURN_PER_PIXEL = 0.0075; // radians

export function newScatter<Parts extends ScatterParts>(parts: Parts, draw: (now: number) => void) {
  let frame = 0;
  const schedule = () => {
    frame ||= requestAnimationFrame((now) => {
      frame = 0;
      draw(now);
    });
  };
  return {
    parts,
    schedule,
    /** Nothing is drawn any more. */
    halt() {
      cancelAnimationFrame(frame);
      frame = 1;
    },
    camera: newCamera(),
    glides: glides(schedule),
    theme: themeOf(parts.root),
    view: null as View | null,
    turn: 0, // number of the reader's last choice
    followed: null as number | null, // what was chosen when the page last said what is
    chosen: null as number | null,
    neighbours: [] as Neighbours,
    hovered: null as number | null,
    written: [] as Rectangle[], // ticks and titles inside the picture
    reportChosen: (() => {}) as (report: { value: number | null; turn: number }) => void,
  };
}

/** Draws anew when the stage or the screen changes; returns what takes the picture off the page. */
export function keepWatch(
  { parts, schedule, halt }: Pick<Scatter, "parts" | "schedule" | "halt">,
  relabel: () => void,
) {
  const unwatch = watchSize(parts.stage, schedule);
  const onFullScreen = () => {
    relabel();
    schedule();
  };
  document.addEventListener("fullscreenchange", onFullScreen);
  const forget = () => document.removeEventListener("fullscreenchange", onFullScreen);
  return takingDown(parts.root, halt, unwatch, forget);
}

/** Takes over what the page holds as chosen, unless it was chosen before the reader's last choice. */
export function followChoice(
  scatter: Pick<Scatter, "turn" | "followed" | "chosen">,
  { turn, chosen }: { turn: number; chosen: number | null },
) {
  if (turn < scatter.turn || (turn === scatter.turn && chosen === scatter.followed)) return;
  Object.assign(scatter, { turn, followed: chosen, chosen });
}

/**
 * The reader's choice of a point; the chosen one is let go of.
 * @param named what the page knows a point by
 */
export function choose(
  scatter: Pick<Scatter, "turn" | "followed" | "chosen" | "reportChosen">,
  index: number,
  named: (index: number) => number = (at: number) => at,
) {
  scatter.chosen = scatter.chosen === index ? null : index;
  scatter.turn += 1;
  scatter.followed = scatter.chosen;
  scatter.reportChosen({ value: scatter.chosen === null ? null : named(scatter.chosen), turn: scatter.turn });
}

/**
 * Goes over to the flat picture or to the turned one.
 * @param before undefined the first time
 */
export function tilt(
  { camera, glides: running }: Pick<Scatter, "camera" | "glides">,
  dimensions: 2 | 3,
  before: 2 | 3 | undefined,
) {
  const space = dimensions === 3 ? 1 : 0;
  if (before === undefined) camera.space = space;
  else if (before !== dimensions) {
    const start = camera.space;
    running.start("space", GLIDE, (share) => (camera.space = start + (space - start) * share));
  }
}

/** @param right pixels of a drag */
export const dragTurn = ({ camera }: Pick<Scatter, "camera">, right: number, down: number) =>
  turnCamera(camera, right * TURN_PER_PIXEL, down * TURN_PER_PIXEL);

export function isFullScreen(root: HTMLElement) {
  const place = root.getRootNode();
  return place instanceof ShadowRoot && place.fullscreenElement === root;
}

export function toggleFullScreen(root: HTMLElement) {
  if (document.fullscreenElement) document.exitFullscreen();
  else root.requestFullscreen();
}

/** Writes down what is drawn, for tests to read. */
export function tell(root: HTMLElement, name: string, value: unknown) {
  const text = JSON.stringify(value);
  if (root.dataset[name] !== text) root.dataset[name] = text;
}

export function say(said: HTMLElement, text: string) {
  if (said.textContent !== text) said.textContent = text;
}
