// Parts of pictures of points with and without a time axis: their layers, the camera, the chosen point, redrawing.

import { readTheme } from "../_shared/colour.ts";
import { canvasContext, displayScale, makeElement } from "../_shared/elements.ts";
import { unmountFunction, watchSize } from "../_shared/lifecycle.ts";
import { syncedValue } from "../_shared/synced_value.ts";
import { createTooltip } from "../_shared/tooltip.ts";
import { newCamera, turnCamera, type View } from "./camera.ts";
import { type Painter, webglPainter } from "./gl.ts";
import { GLIDE, glides } from "./glide.ts";
import { type PlacedLabel, textMeter } from "./labels.ts";
import { plainPainter } from "./plain.ts";

/** The nearest first. */
export type Neighbours = [index: number, similarity: number][];
interface ScatterParts {
  root: HTMLElement;
  said: HTMLElement; // what a screen reader hears
  stage: HTMLElement;
  ground: HTMLCanvasElement;
  points: HTMLElement;
  marks: HTMLCanvasElement;
}
type Scatter = ReturnType<typeof newScatter<ScatterParts>>;

const TURN_PER_PIXEL = 0.0075; // radians

/** The layers of a picture, from the ground up; the canvas `marks` hears pointers and keys. */
export function stageParts(name: string) {
  const ground = makeElement("canvas", { "aria-hidden": "true" });
  const points = makeElement("div", { className: "points" });
  const marks = makeElement("canvas", { className: "marks", testid: `${name}-canvas`, tabindex: "0" });
  const labels = makeElement("div", { className: "labels", testid: `${name}-labels`, "aria-hidden": "true" });
  const note = makeElement("p", { className: "note", testid: `${name}-note` });
  note.hidden = true;
  marks.setAttribute("role", "application");
  const stage = makeElement(
    "div",
    { className: "stage", testid: `${name}-stage` },
    ground,
    points,
    marks,
    labels,
    note,
  );
  return { stage, ground, points, marks, labels, note };
}

export function newScatter<Parts extends ScatterParts>(parts: Parts, draw: (now: number) => void) {
  let frame = 0;
  const schedule = () => {
    frame ||= requestAnimationFrame((now) => {
      frame = 0;
      draw(now);
    });
  };
  const scatter = {
    parts,
    schedule,
    /** Nothing is drawn any more. */
    halt() {
      cancelAnimationFrame(frame);
      frame = 1;
    },
    camera: newCamera(),
    glides: glides(schedule),
    theme: readTheme(parts.root),
    view: null as View | null,
    chosen: null as number | null,
    neighbours: [] as Neighbours,
    hovered: null as number | null,
    painter: {} as Painter, // comes before anything is drawn
    labels: [] as PlacedLabel[],
    textWidth: textMeter(canvasContext(document.createElement("canvas"))),
    choice: syncedValue<number | null>("chosen", (chosen) => void (scatter.chosen = chosen)),
    tooltip: createTooltip(parts.root, { testid: `${parts.stage.dataset.testid?.split("-")[0]}-tip` }),
  };
  return scatter;
}

/** Redraw when the stage or the screen changes; return a function that removes the picture. */
export function watchStage(
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
  return unmountFunction(parts.root, halt, unwatch, forget);
}

/** Choose a point, or none if it is the chosen one; Python knows it by `reported`. */
export function choose(scatter: Pick<Scatter, "chosen" | "choice">, index: number, reported = index) {
  scatter.chosen = scatter.chosen === index ? null : index;
  scatter.choice.report(scatter.chosen === null ? null : reported);
}

/** Show a tooltip of some lines beside a point of the stage; null hides it. */
export function showTip(
  { parts, tooltip }: Pick<Scatter, "parts" | "tooltip">,
  lines: string[] | null,
  at: number[] = [],
) {
  const { left, top } = parts.stage.getBoundingClientRect();
  const scale = displayScale(parts.stage);
  tooltip.show(lines, { clientX: left + at[0] * scale, clientY: top + at[1] * scale });
}

/**
 * Tilt the camera into space, or back to the flat picture.
 * @param before undefined the first time
 */
export function changeDimensions(
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

/** Write a state into the page, for tests to read. */
export function exposeForTests(root: HTMLElement, name: string, value: unknown) {
  const text = JSON.stringify(value);
  if (root.dataset[name] !== text) root.dataset[name] = text;
}

/** Announce a text to screen readers. */
export function announce(said: HTMLElement, text: string) {
  if (said.textContent !== text) said.textContent = text;
}

/** Replace the canvas of the points; one that has had a WebGL context cannot get a 2-D one. */
function replaceCanvas(points: HTMLElement) {
  const canvas = makeElement("canvas", { "aria-hidden": "true" });
  points.replaceChildren(canvas);
  return canvas;
}

/**
 * Draw points by WebGL, or on a 2-D canvas where there is none or its context is lost.
 * @returns a function that stops it
 */
export function usePainter(scatter: { parts: ScatterParts; painter: Painter; schedule: () => void }): () => void {
  const { root, points } = scatter.parts;
  let live = true;
  const use = (painter: Painter) => {
    scatter.painter = painter;
    root.dataset.painter = painter.name;
    scatter.schedule();
  };
  const useBest = () => {
    const canvas = replaceCanvas(points);
    const webgl = webglPainter(canvas);
    if (!webgl) return use(plainPainter(replaceCanvas(points)));
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      if (live) use(plainPainter(replaceCanvas(points)));
    });
    canvas.addEventListener("webglcontextrestored", () => live && useBest());
    use(webgl);
  };
  useBest();
  return () => {
    live = false;
    scatter.painter.release();
  };
}
