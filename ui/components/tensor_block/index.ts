// A block of numbers that is turned and cut open: what is shown, where the pointer is, and what each event does.

import { clamp, isStill, showReadout } from "../_shared/canvas.ts";
import { themeOf } from "../_shared/colour.ts";
import { fitCanvas } from "../_shared/elements.ts";
import { lasting, type Page, type ParentElement, perFrame, takingDown, watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { newsWatch } from "../_shared/payload.ts";
import { blockCamera, blockPlot, type Camera, CORNER, wrapped } from "./camera.ts";
import { drawBlock } from "./draw.ts";
import { listenToBlock } from "./events.ts";
import { cellUnder, EDGE_ON, type Face, visibleFaces } from "./faces.ts";
import { blockModel, type Index, type Model, placesOf, readCell, tokenPosition } from "./model.ts";
import { blockParts, labelBlock, showCuts, showView } from "./parts.ts";

/** From where the block is seen, and where it is cut. */
type View = { cut: Index; yaw: number; pitch: number };

export default lasting(mountBlock);

const REST = 300; // ms without a move before Python is told where the block is
const GLIDE = 450; // ms from one view to another

function mountBlock(parentElement: ParentElement) {
  const parts = blockParts();
  const { root, canvas } = parts;
  parentElement.append(root);

  const isNew = newsWatch();
  let model: Model | null = null;
  let theme = themeOf(root);
  let report: (report: View & { turn: number }) => void = () => {};
  let view: View = { cut: [0, 0, 0], yaw: CORNER[0], pitch: CORNER[1] };
  let turn = 0; // how often the reader moved the block
  let followed = ""; // the view that Python last had
  let camera: Camera | null = null;
  let faces: Face[] = [];
  let cell: Index | null = null; // under the pointer
  let glide = 0;
  let rest = 0;
  const frames = perFrame(draw);

  function receive(data: Uint8Array, page: Page) {
    report = (state) => page.setStateValue("view", state);
    theme = themeOf(root);
    if (isNew(data)) {
      model = blockModel(data);
      const { shown } = model;
      labelBlock(parts, model);
      follow(model);
      if (cell?.some((k, axis) => k >= shown[axis])) cell = null;
    }
    frames.schedule();
  }

  /** Takes over Python's view, unless it was asked for before the reader's last move reached Python. */
  function follow({ cut, yaw, pitch, turn: sent, shown }: Model) {
    const wished = JSON.stringify([cut, yaw, pitch]);
    const news = sent > turn || (sent === turn && wished !== followed);
    if (news && !rest) [view, turn, followed] = [{ cut, yaw, pitch }, sent, wished];
    view.cut = withinCounts(view.cut, shown);
  }

  function moved() {
    frames.schedule();
    clearTimeout(rest);
    rest = window.setTimeout(() => {
      rest = 0;
      turn += 1;
      const rounded = roundedView();
      followed = JSON.stringify([rounded.cut, rounded.yaw, rounded.pitch]);
      report({ ...rounded, turn });
    }, REST);
  }

  const roundedView = () => ({ cut: view.cut, yaw: Math.round(view.yaw), pitch: Math.round(view.pitch) });

  function draw() {
    const [width, height] = [root.clientWidth, canvas.clientHeight];
    if (!model || !width) return;
    const { cut, yaw, pitch } = view;
    camera = blockCamera(model.shown, blockPlot(width, height), yaw, pitch);
    faces = visibleFaces(camera, model.shown, cut);
    const context = fitCanvas(canvas, width, height);
    canvas.style.width = canvas.style.height = "";
    const { hovered, chosen } = link;
    drawBlock(context, { model, camera, faces, cut, theme, width, height, hovered, chosen, cell });
    showCuts(parts, model, cut);
    showView(parts, yaw, pitch);
    parts.toToken.disabled = placesOf(model, chosen).length === 0;
    showReadout(parts, cell ? readCell(model, cell) : model.labels.hint, cell !== null);
    root.dataset.view = JSON.stringify({ ...roundedView(), cell }); // for tests
  }

  function setCell(next: Index | null) {
    cell = next;
    canvas.classList.toggle("over", Boolean(next));
    link.hover(next && model && tokenPosition(model, next));
    frames.schedule();
  }

  function cutTo(next: Index) {
    view.cut = next;
    if (cell?.some((k, axis) => k < next[axis])) setCell(null);
    moved();
  }

  function turnTo(toYaw: number, toPitch: number) {
    cancelAnimationFrame(glide);
    const { yaw, pitch } = view;
    const began = performance.now();
    const way = wrapped(toYaw - yaw); // the shorter way round
    const step = (now: number) => {
      const share = isStill() ? 1 : clamp((now - began) / GLIDE, 0, 1);
      const eased = share * share * (3 - 2 * share);
      view.yaw = share < 1 ? yaw + way * eased : wrapped(toYaw);
      view.pitch = pitch + (toPitch - pitch) * eased;
      if (share < 1) glide = requestAnimationFrame(step);
      moved();
    };
    glide = requestAnimationFrame(step);
  }

  const choose = () => cell && model && link.toggle(tokenPosition(model, cell));

  listenToBlock(parts, {
    turnTo,
    cutTo,
    choose,
    cut: () => view.cut,
    turn(right, down) {
      cancelAnimationFrame(glide);
      view.yaw = wrapped(view.yaw + right);
      view.pitch = clamp(view.pitch + down, -90, 90);
      moved();
    },
    cutToChosen() {
      const [place] = model ? placesOf(model, link.chosen) : [];
      if (place) cutTo([...place, view.cut[2]]);
    },
    pointAt: (x, y) => setCell(cellUnder(faces, x, y)),
    pointAway: () => setCell(null),
    click(x, y) {
      setCell(cellUnder(faces, x, y));
      choose();
    },
    step(by) {
      if (!model || !camera) return;
      const next = stepped(cell, view.cut, by, model.shown);
      if (next.cut.join() !== view.cut.join()) cutTo(next.cut);
      if (camera.facing[0] < EDGE_ON) turnTo(...CORNER);
      setCell(next.cell);
    },
  });

  const rests = () => {
    clearTimeout(rest);
    cancelAnimationFrame(glide);
  };
  const ends = [link.subscribe(frames.schedule), watchSize(root, frames.schedule), frames.stop, rests];
  return { receive, unmount: takingDown(root, ...ends) };
}

/** A cut that leaves at least one along each axis. */
export const withinCounts = ([b, i, d]: Index, shown: Index): Index => [
  Math.min(b, shown[0] - 1),
  Math.min(i, shown[1] - 1),
  Math.min(d, shown[2] - 1),
];

/**
 * Moves the pointer by keys over the front, which is cut back or forward where it goes there; the first key only shows
 * where the pointer is.
 */
export function stepped(cell: Index | null, cut: Index, by: Index, shown: Index): { cell: Index; cut: Index } {
  const along = (axis: number) => (cell ? clamp(cell[axis] + by[axis], 0, shown[axis] - 1) : cut[axis]);
  const to: Index = [along(0), along(1), along(2)];
  return { cell: to, cut: [to[0], Math.min(cut[1], to[1]), Math.min(cut[2], to[2])] };
}
