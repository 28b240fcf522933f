// What a picture of points is, with a time axis or without: where it is seen from, which point is chosen, when it is
// drawn anew.

import { themeOf } from "../_shared/colour.js";
import { takingDown, watchSize } from "../_shared/lifecycle.js";
import { newCamera, turnCamera } from "./camera.js";
import { GLIDE, glides } from "./glide.js";

/** @typedef {[index: number, similarity: number][]} Neighbours the nearest first */
/** @typedef {import("./axes.js").Rectangle} Rectangle */
/**
 * @typedef {object} ScatterParts
 * @property {HTMLElement} root
 * @property {HTMLElement} stage
 * @property {HTMLCanvasElement} ground
 * @property {HTMLCanvasElement} marks that is on top and hears pointers and keys
 * @property {HTMLElement} tip
 * @property {HTMLElement} note
 * @property {HTMLElement} said what a screen reader hears
 */
/** @typedef {ReturnType<typeof newScatter<ScatterParts>>} Scatter */

const TURN_PER_PIXEL = 0.0075; // radians

/**
 * @template {ScatterParts} Parts
 * @param {Parts} parts
 * @param {(now: number) => void} draw
 */
export function newScatter(parts, draw) {
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
    view: /** @type {import("./camera.js").View | null} */ (null),
    turn: 0, // number of the reader's last choice
    followed: /** @type {number | null} */ (null), // what was chosen when the page last said what is
    chosen: /** @type {number | null} */ (null),
    neighbours: /** @type {Neighbours} */ ([]),
    hovered: /** @type {number | null} */ (null),
    written: /** @type {Rectangle[]} */ ([]), // ticks and titles inside the picture
    reportChosen: /** @type {(report: { value: number | null, turn: number }) => void} */ (() => {}),
  };
}

/**
 * Draws anew when the stage or the screen changes; returns what takes the picture off the page.
 * @param {Pick<Scatter, "parts" | "schedule" | "halt">} scatter
 * @param {() => void} relabel
 */
export function keepWatch({ parts, schedule, halt }, relabel) {
  const unwatch = watchSize(parts.stage, schedule);
  const onFullScreen = () => {
    relabel();
    schedule();
  };
  document.addEventListener("fullscreenchange", onFullScreen);
  const forget = () => document.removeEventListener("fullscreenchange", onFullScreen);
  return takingDown(parts.root, halt, unwatch, forget);
}

/**
 * Takes over what the page holds as chosen, unless it was chosen before the reader's last choice.
 * @param {Pick<Scatter, "turn" | "followed" | "chosen">} scatter
 * @param {{ turn: number, chosen: number | null }} header
 */
export function followChoice(scatter, { turn, chosen }) {
  if (turn < scatter.turn || (turn === scatter.turn && chosen === scatter.followed)) return;
  Object.assign(scatter, { turn, followed: chosen, chosen });
}

/**
 * The reader's choice of a point; the chosen one is let go of.
 * @param {Pick<Scatter, "turn" | "followed" | "chosen" | "reportChosen">} scatter
 * @param {number} index
 * @param {(index: number) => number} [named] what the page knows a point by
 */
export function choose(scatter, index, named = (/** @type {number} */ at) => at) {
  scatter.chosen = scatter.chosen === index ? null : index;
  scatter.turn += 1;
  scatter.followed = scatter.chosen;
  scatter.reportChosen({ value: scatter.chosen === null ? null : named(scatter.chosen), turn: scatter.turn });
}

/**
 * Goes over to the flat picture or to the turned one.
 * @param {Pick<Scatter, "camera" | "glides">} scatter
 * @param {2 | 3} dimensions
 * @param {2 | 3 | undefined} before undefined the first time
 */
export function tilt({ camera, glides: running }, dimensions, before) {
  const space = dimensions === 3 ? 1 : 0;
  if (before === undefined) camera.space = space;
  else if (before !== dimensions) {
    const start = camera.space;
    running.start("space", GLIDE, (share) => (camera.space = start + (space - start) * share));
  }
}

/**
 * @param {Pick<Scatter, "camera">} scatter
 * @param {number} right pixels of a drag
 * @param {number} down
 */
export const dragTurn = ({ camera }, right, down) => turnCamera(camera, right * TURN_PER_PIXEL, down * TURN_PER_PIXEL);

/** @param {HTMLElement} root */
export function isFullScreen(root) {
  const place = root.getRootNode();
  return place instanceof ShadowRoot && place.fullscreenElement === root;
}

/** @param {HTMLElement} root */
export function toggleFullScreen(root) {
  if (document.fullscreenElement) document.exitFullscreen();
  else root.requestFullscreen();
}

/**
 * Writes down what is drawn, for tests to read.
 * @param {HTMLElement} root
 * @param {string} name
 * @param {unknown} value
 */
export function tell(root, name, value) {
  const text = JSON.stringify(value);
  if (root.dataset[name] !== text) root.dataset[name] = text;
}

/**
 * @param {HTMLElement} said
 * @param {string} text
 */
export function say(said, text) {
  if (said.textContent !== text) said.textContent = text;
}
