// The shift by one: an arrow from a target to the input that is the same token, and the targets laid on the inputs.

import { prefersReducedMotion } from "../_shared/canvas.ts";
import { displayScale, makeElement, makeSvgElement } from "../_shared/elements.ts";
import type { Part } from "./grid.ts";

const GLIDE_MS = 900;

/** A rectangle in px, from the stage's corner. */
type Box = { left: number; top: number; width: number; height: number };

export const shiftArrows = () =>
  makeSvgElement("svg", { class: "arrows", "aria-hidden": "true", "data-testid": "pairs-arrows" });

/**
 * An arrow for each pair of cells [target, input]; two strokes, the lower one so that it shows on every ground.
 * @param stacked whether each row of targets is under its inputs
 */
export function drawArrows(
  svg: SVGSVGElement,
  stage: HTMLElement,
  pairs: [target: Element, input: Element][],
  stacked: boolean,
) {
  svg.replaceChildren();
  if (!pairs.length) return;
  svg.setAttribute("width", String(stage.scrollWidth));
  svg.setAttribute("height", String(stage.scrollHeight));
  for (const [target, input] of pairs) {
    const [a, b] = [boxIn(stage, target), boxIn(stage, input)];
    for (const layer of ["under", "over"])
      svg.append(makeSvgElement("path", { class: layer, d: stacked ? arrowUp(a, b) : arrowOver(a, b) }));
  }
}

const GAP = 14; // px between two rows of cells, where arrows run without striking a number; style.css has it too

/**
 * Up into the gap above the cells, along it, and down into the other one.
 * @param a the target
 * @param b the input
 */
export function arrowOver(a: Box, b: Box) {
  const [x, to] = [a.left + a.width / 2, b.left + b.width / 2];
  const [top, lane] = [b.top + 1, b.top - GAP / 2 - 1];
  return `M${x} ${a.top + 1}V${lane + 5}Q${x} ${lane} ${x - 5} ${lane}H${to + 5}Q${to} ${lane} ${to} ${lane + 5}V${top}M${to - 5} ${top - 6}L${to} ${top}L${to + 5} ${top - 6}`;
}

/**
 * Across the gap to the line above.
 * @param a the target
 * @param b the input
 */
export function arrowUp(a: Box, b: Box) {
  const [x, to, low, high] = [a.left + a.width / 2, b.left + b.width / 2, a.top + 1, b.top + b.height];
  const lane = (low + high) / 2;
  return `M${x} ${low}V${lane}H${to}V${high}M${to - 5} ${high + 6}L${to} ${high}L${to + 5} ${high + 6}`;
}

export function boxIn(stage: HTMLElement, element: Element): Box {
  const [box, frame] = [element.getBoundingClientRect(), stage.getBoundingClientRect()];
  const scale = displayScale(stage);
  return {
    left: (box.left - frame.left) / scale + stage.scrollLeft,
    top: (box.top - frame.top) / scale + stage.scrollTop,
    width: box.width / scale,
    height: box.height / scale,
  };
}

/**
 * A copy of the targets that glides over the inputs, one place to the right, and back. It is seen and pointed at, but
 * what is read out and stepped through stays the tables.
 */
export function shiftedCopy(stage: HTMLElement, inputs: Part, targets: Part) {
  const copy = makeElement(
    "table",
    { className: "copy", "aria-hidden": "true", testid: "pairs-copy" },
    targets.body.cloneNode(true),
  );
  for (const cell of copy.querySelectorAll(".cell")) {
    for (const name of ["tabindex", "role", "aria-selected", "data-testid"]) cell.removeAttribute(name);
  }
  for (const row of copy.querySelectorAll("tr")) row.lastElementChild?.classList.add("new");
  stage.append(copy);
  const boxOf = (part: Part, first: string) => boxIn(stage, part.body.querySelector(first) as Element);
  const [from, to] = [boxOf(targets, "th"), boxOf(inputs, "th")];
  const cell = boxOf(inputs, ".cell").width;
  Object.assign(copy.style, { left: `${from.left}px`, top: `${from.top}px` });
  const home = "translate(0, 0)";
  const away = `translate(${to.left - from.left + cell}px, ${to.top - from.top}px)`;
  const glide = (start: string, end: string) => {
    const timing = { duration: prefersReducedMotion() ? 0 : GLIDE_MS, easing: "ease-in-out", fill: "both" as const };
    return copy.animate([{ transform: start }, { transform: end }], timing);
  };
  return {
    lay: () => void glide(home, away),
    rest: () => void (copy.style.transform = away),
    back: () => {
      copy.style.transform = "";
      glide(away, home).finished.then(
        () => copy.remove(),
        () => copy.remove(),
      );
    },
    remove: () => copy.remove(),
  };
}
