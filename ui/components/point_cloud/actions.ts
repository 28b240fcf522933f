// Event handlers of the picture: pointer, keys, controls.

import { link } from "../_shared/link.ts";
import { countText, listText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import {
  type Box,
  boundedZoom,
  FIRST_TURN,
  glideCamera,
  type Pose,
  panCamera,
  poseFitting,
  poseOf,
  screenSpots,
  viewOf,
  zoomCamera,
} from "./camera.ts";
import { countAt } from "./density.ts";
import { GLIDE } from "./glide.ts";
import type { Cloud } from "./index.ts";
import { type Figure, listenToKeys } from "./input.ts";
import type { CloudParts, Tool } from "./parts.ts";
import { bitsText, boxCorners, FRONT, nearestOnScreen, pick, pointsInside } from "./picking.ts";
import { announce, choose as choosePoint, dragTurn, isFullScreen, showTip, toggleFullScreen } from "./scatter.ts";
import { isShown, restyle } from "./scene.ts";
import { explainWheel, labelCloud, pointLines } from "./words.ts";

type Controls = ReturnType<typeof cloudActions>["controls"];

const BUTTON_ZOOM = 1.6;
const KEY_ZOOM = 1.5;
const REACH = 14; // px from a point, in which it answers to the pointer

export function cloudActions(cloud: Cloud) {
  const { camera, parts } = cloud;
  // Where points are that the pointer can pick; null while they are being fetched or move.
  const pickable = () => {
    if (!isShown(cloud) || cloud.from) return null;
    const { model, view } = cloud;
    cloud.pickable ??= screenSpots(model.spots, model.count, view);
    return cloud.pickable;
  };
  const moved = () => {
    cloud.isGiven = false;
    cloud.pickable = null;
    hover(null, null);
    cloud.schedule();
  };

  /** The token of the text, or else the point, under a place of the screen. */
  function under(x: number, y: number) {
    const token = cloud.tokenScreen.findLastIndex((spot) => Math.hypot(spot[0] - x, spot[1] - y) < 12);
    const screen = pickable();
    const chosenAndNeighbours = new Set([cloud.chosen, ...cloud.neighbours.map(([index]) => index)]);
    const favour = (at: number) => (cloud.states[at] === FRONT || chosenAndNeighbours.has(at) ? 5 : 0);
    if (token >= 0) return { token, point: null };
    return { token: null, point: screen && pick(screen, x, y, REACH, favour) };
  }

  /** @param token index of a token of the text */
  function hover(point: number | null, token: number | null) {
    const { labels, tokens } = cloud.header;
    const one = token === null ? null : tokens[token];
    link.hover(one?.position);
    let lines = null;
    if (one) lines = [one.label, fillLabel(labels.token_at, { position: one.position })];
    else if (point !== null && isShown(cloud)) lines = pointLines(cloud, point);
    const spot = token !== null ? cloud.tokenScreen[token] : point !== null ? cloud.screen(point) : [];
    showTip(cloud, lines, spot);
    parts.marks.classList.toggle("over", lines !== null);
    if (lines) speak(listText(lines), parts.marks.matches(":focus-visible"));
    if (cloud.hovered === point) return;
    cloud.hovered = point;
    cloud.schedule();
  }

  /** Show how many points lie in a cell; return false for an empty one. */
  function hoverCells(x: number, y: number) {
    const { cells, over, header } = cloud;
    if (!cells || !over || !isShown(cloud)) return false;
    const count = countAt(cells, over, cloud.view, cloud.model.frame, x, y);
    if (!count) return false;
    hover(null, null);
    showTip(cloud, [fillLabel(header.labels.rows, { count: countText(count) })], [x, y]);
    return true;
  }

  /** @param aloud not at every move of the mouse */
  function speak(text: string, aloud: boolean = true) {
    parts.said.ariaLive = aloud ? "polite" : "off";
    announce(parts.said, text);
  }

  function choose(index: number) {
    const { model, header } = cloud;
    choosePoint(cloud, index, header.extent && model ? model.ids[index] : index);
    const { chosen } = cloud;
    if (chosen === null || !model) speak(header.labels.nothing_chosen);
    else speak(fillLabel(header.labels.chosen, { label: model.labels[chosen], id: model.ids[chosen] }));
    setTimeout(() => restyle(cloud)); // once the choice is sent: what Python answers takes longer than to draw
  }

  function mark(bytes: Uint8Array) {
    cloud.marked = bytes.includes(1) ? bytes : null;
    restyle(cloud);
    cloud.reportSelection(cloud.marked ? bitsText(bytes) : "");
    speak(fillLabel(cloud.header.labels.marked, { count: countText(cloud.marked ? cloud.front : 0) }));
  }

  function markInside(corners: number[][]) {
    const screen = pickable();
    if (screen && cloud.model) mark(pointsInside(corners, screen, cloud.model.count));
  }

  function markRegion(corners: number[][] | null) {
    cloud.region = corners;
    cloud.schedule();
  }

  const figure: Figure = {
    get space() {
      return cloud.header.dimensions === 3;
    },
    dragAction(shift, kind) {
      if (cloud.tool !== "move") return cloud.tool;
      if (figure.space && !shift) return "turn";
      return kind === "touch" && !isFullScreen(parts.root) ? null : "move"; // one finger scrolls the page
    },
    pointAt(x, y, kind) {
      if (!pickable() || kind === "touch") return;
      const { token, point } = under(x, y);
      if (token === null && point === null && hoverCells(x, y)) return;
      hover(point, token);
    },
    pointAway: () => hover(null, null),
    click(x, y, kind) {
      if (!pickable()) return;
      const { token, point } = under(x, y);
      if (token !== null) link.toggle(cloud.header.tokens[token].position);
      else if (point !== null) choose(point);
      if (kind === "touch" && !(token === null && point === null && hoverCells(x, y))) hover(point, token);
    },
    turn(right, down, kind) {
      dragTurn(cloud, right, kind === "touch" && !isFullScreen(parts.root) ? 0 : down);
      moved();
    },
    free: {
      get fullScreen() {
        return isFullScreen(parts.root);
      },
      explainWheel: () => explainWheel(cloud),
      stopGlide: () => cloud.glides.stop("camera"),
      pan(right, down) {
        if (!cloud.view) return;
        panCamera(camera, cloud.view, right, down);
        moved();
      },
      zoom(factor, x, y) {
        if (!cloud.view) return;
        zoomCamera(camera, cloud.view, factor, x, y);
        cloud.view = viewOf(camera, cloud.view.plot); // the next event may come before the next frame
        moved();
      },
      markRegion,
      endRegion(corners) {
        markRegion(null);
        markInside(corners);
      },
    },
  };

  const controls = {
    choose,
    zoomBy(factor: number) {
      camera.touched = true;
      cloud.isGiven = false;
      hover(null, null);
      glideTo(cloud, { ...poseOf(camera), zoom: boundedZoom(camera.zoom * factor) }, GLIDE / 3);
    },
    reset() {
      if (!cloud.box) return;
      cloud.isGiven = false;
      hover(null, null);
      glideToFit(cloud, cloud.box, FIRST_TURN);
    },
    markAllInSight() {
      if (!cloud.view) return;
      const { x, y, width, height } = cloud.view.plot;
      markInside(boxCorners([x, y], [x + width, y + height]));
    },
    clearMark: () => cloud.marked && mark(new Uint8Array(0)),
    clear() {
      hover(null, null);
      if (cloud.region) markRegion(null);
      if (cloud.marked) controls.clearMark();
      else if (cloud.chosen !== null) choose(cloud.chosen);
    },
    /** With a chosen point from neighbour to neighbour; without one from the middle of the picture outwards. */
    stepNeighbour(by: 1 | -1) {
      const screen = pickable();
      if (!screen || !isShown(cloud)) return;
      const { neighbours, chosen, hovered, view, model } = cloud;
      let row = chosen === null ? [] : neighbours.map(([index]) => index);
      if (!row.length)
        row = nearestOnScreen(screen, model.count, view.middle[0], view.middle[1], 50).filter((at) => at !== chosen);
      if (row.length) hover(nextInRow(row, hovered, by), null);
    },
    chooseHovered() {
      const index = cloud.hovered ?? cloud.chosen;
      if (index !== null) choose(index);
    },
    setTool(tool: Tool) {
      cloud.tool = tool;
      parts.root.dataset.tool = tool;
      labelCloud(cloud);
    },
    fullScreen: () => toggleFullScreen(parts.root),
    /** Whether Escape has something to do before it leaves the full screen. */
    hasMarks: () => cloud.marked !== null || cloud.chosen !== null || cloud.hovered !== null,
  };
  return { figure, controls };
}

/** Return the next entry of a list, wrapping at its ends; for a value outside of it the first or the last. */
export function nextInRow(row: number[], from: number | null, by: 1 | -1) {
  const at = from === null ? -1 : row.indexOf(from);
  if (at < 0) return row[by > 0 ? 0 : row.length - 1];
  return row[(at + by + row.length) % row.length];
}

export function listenToCloudControls(
  { marks, tools, buttons, clear }: CloudParts,
  figure: Figure,
  controls: Controls,
) {
  for (const [name, button] of Object.entries(tools))
    button.addEventListener("click", () => controls.setTool(name as Tool));
  buttons.zoom_in.addEventListener("click", () => controls.zoomBy(BUTTON_ZOOM));
  buttons.zoom_out.addEventListener("click", () => controls.zoomBy(1 / BUTTON_ZOOM));
  buttons.reset.addEventListener("click", controls.reset);
  buttons.full_screen.addEventListener("click", controls.fullScreen);
  clear.addEventListener("click", controls.clearMark);
  const [nearer, farther] = [() => controls.zoomBy(KEY_ZOOM), () => controls.zoomBy(1 / KEY_ZOOM)];
  const keys: Record<string, () => void> = {
    "+": nearer,
    "=": nearer,
    "-": farther,
    "−": farther,
    0: controls.reset,
    Home: controls.reset,
    n: () => controls.stepNeighbour(1),
    p: () => controls.stepNeighbour(-1),
    Enter: controls.chooseHovered,
    " ": controls.chooseHovered,
    s: controls.markAllInSight,
    Escape: controls.clear,
  };
  const leaves = (key: string) => key === "Escape" && document.fullscreenElement && !controls.hasMarks();
  listenToKeys(marks, figure, (key) => (leaves(key) ? null : keys[key]));
  marks.addEventListener("blur", figure.pointAway);
}

function glideTo(cloud: Cloud, goal: Pose, milliseconds: number) {
  const from = poseOf(cloud.camera);
  cloud.glides.start("camera", milliseconds, (share) => glideCamera(cloud.camera, from, goal, share));
}

export function glideToFit(cloud: Cloud, box: Box, turned: Partial<Pose> = {}) {
  cloud.camera.touched = false;
  glideTo(cloud, { ...poseOf(cloud.camera), ...turned, ...poseFitting(box) }, GLIDE);
}
