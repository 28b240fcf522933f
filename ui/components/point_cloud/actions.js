// What pointer, keys and controls may do to the picture.

import { fillLabel } from "../_shared/text.js";
import { showTip } from "../_shared/tip.js";
import { FIRST_TURN, fitCamera, LEAST_ZOOM, MOST_ZOOM, panCamera, turnCamera, viewOf, zoomCamera } from "./camera.js";
import { cameraNow, GLIDE, glideCamera } from "./motion.js";
import { FRONT, nearestOnScreen, pick, pickGrid, screenSpots } from "./order.js";
import { bitsText, boxCorners, pointsInside } from "./region.js";
import { saveCloud } from "./save.js";
import { restyle } from "./scene.js";
import { grouped, labelCloud, pointLines } from "./words.js";

const TURN_PER_PIXEL = 0.0075; // radians

export function cloudActions(cloud) {
  const { camera, parts, link } = cloud;
  const grid = () => {
    const { model, view } = cloud;
    if (!model || !view || cloud.from) return null;
    cloud.pickable ??= pickGrid(screenSpots(model.spots, model.count, view), model.count, view);
    return cloud.pickable;
  };
  const moved = () => {
    cloud.pickable = null;
    hover(null, null);
    cloud.schedule();
  };

  // {token} of the path or {point} under a place of the screen.
  function under(x, y) {
    const token = (cloud.pathScreen ?? []).findLastIndex((spot) => Math.hypot(spot[0] - x, spot[1] - y) < 12);
    const cells = grid();
    const favour = (at) => (cloud.states[at] === FRONT || at === cloud.chosen ? 5 : 0);
    return { token: token < 0 ? null : cloud.header.path[token], point: cells && pick(cells, x, y, favour) };
  }

  function hover(point, token) {
    link.hover(token ? token.position : null);
    const lines = token
      ? [token.label, fillLabel(cloud.header.labels.token_at, { position: token.position })]
      : point === null
        ? null
        : pointLines(cloud, point);
    const spot = token
      ? cloud.pathScreen[cloud.header.path.indexOf(token)]
      : point === null
        ? null
        : cloud.screen(point);
    showTip(parts, lines, ...(spot ?? []));
    parts.marks.classList.toggle("over", Boolean(lines));
    if (lines) say(lines.join(", "), parts.marks.matches(":focus-visible"));
    if (cloud.hovered === point) return;
    cloud.hovered = point;
    cloud.schedule();
  }

  function say(text, aloud) {
    parts.said.ariaLive = aloud ? "polite" : "off"; // not at every move of the mouse
    if (parts.said.textContent !== text) parts.said.textContent = text;
  }

  function choose(index) {
    const { model, header } = cloud;
    cloud.chosen = cloud.chosen === index ? null : index;
    cloud.turn += 1;
    cloud.followed = cloud.chosen;
    const { chosen } = cloud;
    say(
      chosen === null
        ? header.labels.nothing_chosen
        : fillLabel(header.labels.chosen, { label: model.labels[chosen], id: model.ids[chosen] }),
      true,
    );
    restyle(cloud);
    cloud.reportChosen({ index: chosen, turn: cloud.turn });
  }

  function mark(bytes) {
    const { model, header } = cloud;
    cloud.marked = bytes.includes(1) ? bytes : null;
    restyle(cloud);
    cloud.reportSelection(cloud.marked ? bitsText(bytes) : "");
    if (model) say(fillLabel(header.labels.marked, { count: grouped(cloud.marked ? cloud.front : 0) }), true);
  }

  const figure = {
    get space() {
      return cloud.header?.dimensions === 3;
    },
    get hasMarks() {
      return cloud.marked !== null || cloud.chosen !== null || cloud.hovered !== null;
    },
    dragAction: (shift) => (cloud.tool !== "move" ? cloud.tool : figure.space && !shift ? "turn" : "move"),
    stopGlide: () => cloud.motions.stop("camera"),
    pointAt(x, y, kind) {
      if (!cloud.model || cloud.from || kind === "touch") return;
      const { token, point } = under(x, y);
      hover(token ? null : point, token);
    },
    pointAway: () => cloud.header && hover(null, null),
    click(x, y, kind) {
      if (!cloud.model || cloud.from) return;
      const { token, point } = under(x, y);
      if (token) link.toggle(token.position);
      else if (point !== null) choose(point);
      if (kind === "touch") hover(token ? null : point, token);
    },
    pan(right, down) {
      if (!cloud.view) return;
      panCamera(camera, cloud.view, right, down);
      moved();
    },
    turn(right, down) {
      turnCamera(camera, right * TURN_PER_PIXEL, down * TURN_PER_PIXEL);
      moved();
    },
    zoom(factor, x, y) {
      if (!cloud.view) return;
      zoomCamera(camera, cloud.view, factor, x, y);
      cloud.view = viewOf(camera, cloud.view.plot); // the next event may come before the next frame
      moved();
    },
    zoomBy(factor) {
      if (!cloud.view) return;
      const from = cameraNow(camera);
      const goal = cameraNow(camera);
      goal.zoom = Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, goal.zoom * factor));
      camera.touched = true;
      hover(null, null);
      cloud.motions.start("camera", GLIDE / 3, (share) => glideCamera(camera, goal, share, from));
    },
    reset() {
      if (!cloud.box) return;
      hover(null, null);
      glideToFit(cloud, cloud.box, { ...FIRST_TURN });
    },
    markRegion(corners) {
      cloud.region = corners;
      cloud.schedule();
    },
    endRegion(corners) {
      cloud.region = null;
      cloud.schedule();
      if (cloud.model && !cloud.from) mark(pointsInside(corners, grid().screen, cloud.model.count));
    },
    markAllInSight() {
      if (!grid()) return;
      const { x, y, width, height } = cloud.view.plot;
      mark(pointsInside(boxCorners([x, y], [x + width, y + height]), grid().screen, cloud.model.count));
    },
    clearMark: () => cloud.marked && mark(new Uint8Array(0)),
    clear() {
      hover(null, null);
      if (cloud.region) figure.markRegion(null);
      if (cloud.marked) figure.clearMark();
      else if (cloud.chosen !== null) choose(cloud.chosen);
    },
    // With a chosen point from neighbour to neighbour; without one from the middle of the picture outwards.
    stepNeighbour(by) {
      if (!grid()) return;
      const { neighbours, chosen, hovered, view, model } = cloud;
      let row = chosen === null ? [] : neighbours.map(([index]) => index);
      if (!row.length)
        row = nearestOnScreen(grid().screen, model.count, ...view.middle, 50).filter((at) => at !== chosen);
      if (!row.length) return;
      const next = row.indexOf(hovered) + by;
      hover(
        row[
          hovered === null || !row.includes(hovered) ? (by > 0 ? 0 : row.length - 1) : (next + row.length) % row.length
        ],
        null,
      );
    },
    chooseHovered() {
      if (cloud.hovered !== null) choose(cloud.hovered);
      else if (cloud.chosen !== null) choose(cloud.chosen);
    },
    setTool(tool) {
      cloud.tool = tool;
      parts.root.dataset.tool = tool;
      labelCloud(parts, cloud.header, cloud.model, tool);
    },
    setMix(mix) {
      cloud.motions.stop("mix");
      setMix(cloud, mix);
      hover(null, null);
      cloud.schedule();
    },
    save: () => cloud.header && saveCloud(cloud),
    fullScreen() {
      if (document.fullscreenElement) document.exitFullscreen();
      else parts.root.requestFullscreen();
    },
  };
  return figure;
}

export function listenToCloudControls({ tools, buttons, clear, mixRange }, figure) {
  for (const [name, button] of Object.entries(tools)) button.addEventListener("click", () => figure.setTool(name));
  buttons.zoom_in.addEventListener("click", () => figure.zoomBy(1.6));
  buttons.zoom_out.addEventListener("click", () => figure.zoomBy(1 / 1.6));
  buttons.reset.addEventListener("click", () => figure.reset());
  buttons.save.addEventListener("click", () => figure.save());
  buttons.full_screen.addEventListener("click", () => figure.fullScreen());
  clear.addEventListener("click", () => figure.clearMark());
  mixRange.addEventListener("input", () => figure.setMix(Number(mixRange.value)));
}

export function setMix(cloud, mix) {
  cloud.mix = mix;
  cloud.parts.mixRange.value = String(mix);
}

export function glideToFit(cloud, box, turned = {}) {
  const { camera } = cloud;
  const from = cameraNow(camera);
  const goal = { ...cameraNow(camera), ...turned };
  fitCamera(goal, box);
  camera.touched = false;
  cloud.motions.start("camera", GLIDE, (share) => glideCamera(camera, goal, share, from));
}
