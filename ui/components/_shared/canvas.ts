// What pictures on canvases have in common: shares of a movement, outlines, the bar of colours, the picture as a file.

import { makeElement } from "./elements.js";

/** @typedef {import("./colour.js").Theme} Theme */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box in CSS pixels */

/**
 * @param {number} value
 * @param {number} low wins where it is above high
 * @param {number} high
 */
export const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** @param {number} share */
export const clamp01 = (share) => clamp(share, 0, 1);

/**
 * Slow at both ends.
 * @param {number} share 0..1
 */
export const ease = (share) => (share < 0.5 ? 4 * share ** 3 : 1 - (-2 * share + 2) ** 3 / 2);

/** Whether the reader wishes for no motion. */
export const isStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * @param {number} a
 * @param {number} b
 * @param {number} share 0 gives a, 1 gives b
 */
export const between = (a, b, share) => a + (b - a) * share;

/**
 * How far one of several has come where each starts a little after the one before: all have arrived when progress is 1.
 * @param {number} index
 * @param {number} count
 * @param {number} progress 0..1
 * @param {number} spread what part of the time lies between the first start and the last, below 1
 */
export function staggered(index, count, progress, spread) {
  return clamp01((progress - (spread * index) / Math.max(1, count - 1)) / (1 - spread));
}

/**
 * Draws within a box only.
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box
 * @param {() => void} draw
 */
export function clipped(context, box, draw) {
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  draw();
  context.restore();
}

/**
 * An outline with a rim of the page's ground, so that it shows on any colour.
 * @param {CanvasRenderingContext2D} context
 * @param {Box} box
 * @param {object} looks
 * @param {string} looks.ground
 * @param {string} looks.colour
 * @param {number} [looks.thickness]
 * @param {number} [looks.rim] of the ground, on both sides together
 */
export function ring(context, { x, y, width, height }, { ground, colour, thickness = 2.5, rim = 3 }) {
  context.strokeStyle = ground;
  context.lineWidth = thickness + rim;
  context.strokeRect(x, y, width, height);
  context.strokeStyle = colour;
  context.lineWidth = thickness;
  context.strokeRect(x, y, width, height);
}

/**
 * How the chosen token's outline looks: on a slide found from the last row, as ui/frame.css has it for what is styled.
 * @param {Theme} theme
 */
export function chosenRing({ ground, ink }) {
  if (document.body.dataset.present === undefined) return { ground, colour: ink };
  return { ground, colour: /^#[0-7]/.test(ground) ? "#ff7b72" : "#c62828", thickness: 5 };
}

/**
 * The canvas of a figure that pointer and keys go over, and what reads out what is under them.
 * @param {string} prefix of the test ids
 */
export const figureParts = (prefix) => ({
  readout: makeElement("div", { className: "readout", testid: `${prefix}-readout`, role: "status" }),
  canvas: makeElement("canvas", {
    className: "figure",
    testid: `${prefix}-canvas`,
    role: "application",
    tabindex: "0",
  }),
});

/**
 * A bar of the scale's colours with its ends and its middle under it.
 * @param {string} testid
 */
export function colourBar(testid) {
  const gradient = makeElement("div", { className: "gradient" });
  const numbers = makeElement("div", { className: "numbers" });
  return { root: makeElement("div", { className: "colours", testid }, gradient, numbers), gradient, numbers };
}

/**
 * @param {ReturnType<typeof colourBar>} bar
 * @param {string[]} stops colours from -limit to limit
 * @param {string} limit
 */
export function fillColourBar({ gradient, numbers }, stops, limit) {
  gradient.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  numbers.replaceChildren(...[`−${limit}`, "0", limit].map((text) => makeElement("span", { text })));
}

/**
 * Says what is under the pointer: read out for who moves by key, not at every move of the mouse.
 * @param {{ readout: HTMLElement, canvas: HTMLElement }} parts
 * @param {string} text
 * @param {boolean} on whether something is under it
 */
export function showReadout({ readout, canvas }, text, on) {
  readout.ariaLive = canvas.matches(":focus") ? "polite" : "off";
  if (readout.textContent !== text) readout.textContent = text;
  readout.classList.toggle("on", on);
}
