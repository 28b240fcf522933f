// A block of numbers that is turned and cut open: what is shown, where the pointer is, and what each event does.

import { themeOf } from "../_shared/colour.js";
import { fitCanvas } from "../_shared/elements.js";
import { lasting } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { sameBytes } from "../_shared/payload.js";
import { drawAxes } from "./axes.js";
import { blockCamera, blockPlot, CORNER } from "./camera.js";
import { listenToBlock } from "./events.js";
import { cellUnder, EDGE_ON, visibleFaces } from "./faces.js";
import { drawBlock } from "./marks.js";
import { blockModel, placesOf, readCell } from "./model.js";
import { blockParts, labelBlock, showCuts, showView } from "./parts.js";
import { saveBlock } from "./save.js";

export default lasting(mountBlock);

const REST = 300; // ms without a move before Python is told where the block is
const GLIDE = 450; // ms from one view to another

function mountBlock(parentElement) {
  const parts = blockParts();
  const { root, canvas, readout } = parts;
  parentElement.append(root);

  const held = { payload: null };
  let [model, theme, tell] = [null, null, null];
  let [cut, yaw, pitch] = [[0, 0, 0], ...CORNER];
  let [turn, followed] = [0, null]; // how often the reader moved the block, and what Python last asked for
  let [camera, faces] = [null, []];
  let cell = null; // under the pointer
  let [frame, glide, rest] = [0, 0, 0];

  held.receive = (data, page) => {
    tell = (view) => page.setStateValue("view", view);
    theme = themeOf(root);
    if (!sameBytes(held.payload, data)) {
      held.payload = data.slice();
      model = blockModel(data);
      labelBlock(parts, model);
      follow();
      if (cell?.some((k, axis) => k >= model.shown[axis])) cell = null;
    }
    schedule();
    root.getRootNode().host?.setAttribute("data-drawn", ""); // the page reserved its height until now
  };

  // Takes over Python's view, unless it was asked for before the reader's last move reached Python.
  function follow() {
    const asked = JSON.stringify([model.cut, model.yaw, model.pitch]);
    const news = model.turn > turn || (model.turn === turn && asked !== followed);
    if (news && !rest) [cut, yaw, pitch, turn, followed] = [model.cut, model.yaw, model.pitch, model.turn, asked];
    cut = cut.map((count, axis) => Math.min(count, model.shown[axis] - 1));
  }

  function moved() {
    schedule();
    clearTimeout(rest);
    rest = setTimeout(() => {
      rest = 0;
      turn += 1;
      const view = { cut, yaw: Math.round(yaw), pitch: Math.round(pitch) };
      followed = JSON.stringify([view.cut, view.yaw, view.pitch]);
      tell({ ...view, turn });
    }, REST);
  }

  const schedule = () => (frame ||= requestAnimationFrame(draw));

  function draw() {
    frame = 0;
    const width = root.clientWidth;
    if (!model || !width) return;
    const height = canvas.clientHeight;
    const plot = blockPlot(width, height);
    camera = blockCamera(model.shown, plot, yaw, pitch);
    faces = visibleFaces(camera, model.shown, cut);
    const context = fitCanvas(canvas, width, height);
    canvas.style.width = canvas.style.height = "";
    const scene = { model, camera, faces, cut, theme, width, height, hovered: link.hovered, chosen: link.chosen, cell };
    drawBlock(context, scene);
    drawAxes(context, scene);
    showCuts(parts, model, cut);
    showView(parts, yaw, pitch);
    parts.toToken.disabled = placesOf(model, link.chosen).length === 0;
    showReadout();
    root.dataset.view = JSON.stringify({ cut, yaw: Math.round(yaw), pitch: Math.round(pitch), cell }); // for tests
  }

  function showReadout() {
    const text = cell ? readCell(model, cell) : model.labels.hint;
    readout.ariaLive = canvas.matches(":focus") ? "polite" : "off"; // not at every move of the mouse
    if (readout.textContent !== text) readout.textContent = text;
    readout.classList.toggle("on", cell !== null);
  }

  function setCell(next) {
    cell = next;
    canvas.classList.toggle("over", Boolean(next));
    link.hover(next && model.tokenPosition(next));
    schedule();
  }

  function turnTo(toYaw, toPitch) {
    cancelAnimationFrame(glide);
    const [fromYaw, fromPitch, began] = [yaw, pitch, performance.now()];
    const way = ((((toYaw - fromYaw + 180) % 360) + 360) % 360) - 180; // the shorter way round
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = (now) => {
      const share = still ? 1 : Math.min(1, Math.max(0, now - began) / GLIDE);
      const eased = share * share * (3 - 2 * share);
      [yaw, pitch] = [fromYaw + way * eased, fromPitch + (toPitch - fromPitch) * eased];
      if (share < 1) glide = requestAnimationFrame(step);
      else yaw = wrapped(toYaw);
      moved();
    };
    glide = requestAnimationFrame(step);
  }

  const wrapped = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

  const figure = {
    get cut() {
      return cut;
    },
    turnTo,
    turn: (right, down) => {
      cancelAnimationFrame(glide);
      yaw = wrapped(yaw + right);
      pitch = Math.max(-90, Math.min(90, pitch + down));
      moved();
    },
    cutTo: (next) => {
      cut = next;
      if (cell?.some((k, axis) => k < cut[axis])) setCell(null);
      moved();
    },
    cutToChosen: () => {
      const [place] = placesOf(model, link.chosen);
      if (place) figure.cutTo([...place, cut[2]]);
    },
    pointAt: (x, y) => setCell(cellUnder(faces, x, y)),
    pointAway: () => setCell(null),
    click: (x, y) => {
      setCell(cellUnder(faces, x, y));
      figure.choose();
    },
    choose: () => cell && link.toggle(model.tokenPosition(cell)),
    // Moves the pointer by keys over the front, which is cut back or forward where it goes there.
    step: (by) => {
      const from = cell ?? [...cut];
      const to = cell ? from.map((k, axis) => Math.max(0, Math.min(model.shown[axis] - 1, k + by[axis]))) : from;
      const next = [to[0], Math.min(cut[1], to[1]), Math.min(cut[2], to[2])];
      if (next.join() !== cut.join()) figure.cutTo(next);
      if (camera.facing[0] < EDGE_ON) turnTo(...CORNER);
      setCell(to);
    },
    save: () => saveBlock(canvas, model, cut, theme),
  };
  listenToBlock(parts, figure);

  const resized = new ResizeObserver(schedule);
  resized.observe(root);
  const unsubscribe = link.subscribe(schedule);
  held.unmount = () => {
    unsubscribe();
    resized.disconnect();
    clearTimeout(rest);
    cancelAnimationFrame(frame);
    cancelAnimationFrame(glide);
    root.remove();
  };
  return held;
}
