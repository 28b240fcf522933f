// A block of numbers that is rotated and cut open: its three visible sides are elements that CSS rotates, so that the
// browser finds the cell under the pointer.

import { clamp, prefersReducedMotion } from "../_shared/canvas.ts";
import { debounce } from "../_shared/debounce.ts";
import { listenToDrag } from "../_shared/drag.ts";
import { deviceRatio, makeElement, makeSvgElement, tokenElement } from "../_shared/elements.ts";
import { handleKeys, isActivation } from "../_shared/keys.ts";
import { colourLegend } from "../_shared/legend.ts";
import {
  type Page,
  type ParentElement,
  perFrame,
  persistentComponent,
  unmountFunction,
  watchSize,
} from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { countText, localizeNumber } from "../_shared/numbers.ts";
import { changeDetector } from "../_shared/payload.ts";
import { syncedValue } from "../_shared/synced_value.ts";
import { fillLabel } from "../_shared/text.ts";
import { niceStep, tickValues } from "../_shared/ticks.ts";
import { createTooltip } from "../_shared/tooltip.ts";
import {
  blockCamera,
  blockPlot,
  type Camera,
  CORNER,
  cellOnFace,
  type Face,
  labelledEdge,
  visibleFace,
  wrapDegrees,
} from "./camera.ts";
import {
  blockModel,
  cellText,
  clampCut,
  facePicture,
  findToken,
  type Index,
  type Model,
  moveCell,
  rangeText,
  tokenPosition,
  type View,
} from "./model.ts";

export default persistentComponent(mountBlock);

const VIEWS: Record<string, [yaw: number, pitch: number]> = {
  corner: CORNER,
  front: [0, 0],
  side: [90, 0],
  top: [0, 90],
};
const REPORT_DELAY = 300; // ms without a move before Python gets the view
const ROTATION = 450; // ms from one view to another
const DRAG_DEGREES = 0.4; // per pixel
const KEY_DEGREES = 10;
const LEAST_RULED = 5; // px of a cell that a line separates from the next
const ARROWS: Record<string, [right: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function mountBlock(parentElement: ParentElement) {
  const parts = blockParts();
  const { root, stage, block } = parts;
  parentElement.append(root);
  const tooltip = createTooltip(root, { testid: "block-readout" });

  const isNew = changeDetector();
  let model: Model | null = null;
  let view: View = { cut: [0, 0, 0], yaw: CORNER[0], pitch: CORNER[1] };
  let faces: (Face | null)[] = [];
  let cell: Index | null = null; // pointed at
  let pressed: Index | null = null; // where a click began
  let glide = 0;
  const frames = perFrame(draw);
  const synced = syncedValue<View>("view", (value) => (view = { ...value }));
  const report = debounce(() => synced.report(roundedView()), REPORT_DELAY);
  const roundedView = () => ({ cut: view.cut, yaw: Math.round(view.yaw), pitch: Math.round(view.pitch) });

  function receive(data: Uint8Array, page: Page) {
    if (isNew(data)) {
      model = blockModel(data);
      parts.label(model);
      synced.receive(model.view, model.turn, page);
      view.cut = clampCut(view.cut, model.shown);
      setCell(null);
      for (const side of parts.sides) side.key = "";
    }
    frames.schedule();
  }

  function draw() {
    const [width, height] = [stage.clientWidth, stage.clientHeight];
    if (!model || !width) return;
    const { shown } = model;
    const { cut, yaw, pitch } = view;
    const camera = blockCamera(shown, blockPlot(width, height), yaw, pitch);
    block.style.transform = `rotateX(${-pitch}deg) rotateY(${yaw}deg)`;
    const { x, y, width: roomX, height: roomY } = blockPlot(width, height);
    block.style.left = `${x + roomX / 2}px`;
    block.style.top = `${y + roomY / 2}px`;
    faces = [0, 1, 2].map((axis) => visibleFace(axis, camera, shown, cut));
    for (const [axis, face] of faces.entries()) drawSide(model, parts.sides[axis], camera, face);
    drawAxes(parts, model, camera, cut);
    parts.show(model, view);
  }

  function drawSide(model: Model, side: Side, camera: Camera, face: Face | null) {
    side.root.hidden = !face;
    if (!face) return;
    const pixels = (axis: number) => Math.hypot(...camera.steps[axis]);
    const [tall, wide] = [pixels(face.rows), pixels(face.columns)];
    const room = (axis: number) => Math.max(1, Math.floor(pixels(axis) * model.shown[axis] * deviceRatio()));
    const most = [face.rows, face.columns].map((axis) => Math.min(room(axis), model.shown[axis])) as [number, number];
    const key = JSON.stringify([face.layer, face.size, most]);
    if (side.key !== key) side.picture.replaceChildren(facePicture(model, face, most));
    side.key = key;
    const { width, height, transform } = face;
    Object.assign(side.root.style, { width: `${width}px`, height: `${height}px`, transform });
    side.picture.style.setProperty("--row", tall < LEAST_RULED ? "0" : `${height / face.size[0]}px`);
    side.picture.style.setProperty("--column", wide < LEAST_RULED ? "0" : `${width / face.size[1]}px`);
    const marks = (["hovered", "chosen"] as const).flatMap((name) =>
      findToken(model, link[name]).map((place) => markOnFace(name, face, place, view.cut)),
    );
    if (cell?.[face.axis] === face.layer) marks.push(markOnFace("pointed", face, cell, view.cut));
    side.marks.replaceChildren(...marks.flatMap((mark) => mark ?? []));
  }

  function setCell(next: Index | null) {
    cell = next;
    link.hover(next && model && tokenPosition(model, next));
    frames.schedule();
  }

  function pointAt(next: Index | null, event: PointerEvent) {
    setCell(next);
    stage.classList.toggle("over", Boolean(next));
    tooltip.show(next && model && cellText(model, next), event);
  }

  function pointAway() {
    setCell(null);
    tooltip.hide();
  }

  function cellUnder(event: PointerEvent): Index | null {
    const axis = parts.sides.findIndex(({ root }) => root === event.target);
    const face = faces[axis];
    return face ? cellOnFace(face, event.offsetX, event.offsetY, view.cut) : null;
  }

  function cutTo(next: Index) {
    view.cut = next;
    if (cell?.some((k, axis) => k < next[axis])) pointAway();
    moved();
  }

  function moved() {
    frames.schedule();
    report();
  }

  function rotateBy(right: number, down: number) {
    cancelAnimationFrame(glide);
    view.yaw = wrapDegrees(view.yaw + right);
    view.pitch = clamp(view.pitch + down, -90, 90);
    moved();
  }

  function rotateTo([toYaw, toPitch]: [yaw: number, pitch: number]) {
    cancelAnimationFrame(glide);
    const { yaw, pitch } = view;
    const began = performance.now();
    const way = wrapDegrees(toYaw - yaw); // the shorter way round
    const step = (now: number) => {
      const share = prefersReducedMotion() ? 1 : clamp((now - began) / ROTATION, 0, 1);
      const eased = share * share * (3 - 2 * share);
      view.yaw = share < 1 ? yaw + way * eased : wrapDegrees(toYaw);
      view.pitch = pitch + (toPitch - pitch) * eased;
      if (share < 1) glide = requestAnimationFrame(step);
      moved();
    };
    glide = requestAnimationFrame(step);
  }

  const chooseCell = () => cell && model && link.toggle(tokenPosition(model, cell));

  function stepCell(by: Index) {
    if (!model) return;
    const isFrontVisible = faces[0]?.layer === view.cut[0];
    const next = moveCell(cell, view.cut, by, model.shown);
    if (next.cut.join() !== view.cut.join()) cutTo(next.cut);
    if (!isFrontVisible) {
      [view.yaw, view.pitch] = CORNER;
      moved();
    }
    setCell(next.cell);
    frames.now();
    const mark = parts.sides[0].marks.querySelector(".pointed");
    if (mark) tooltip.show(cellText(model, next.cell), mark, { announce: true });
  }

  stage.addEventListener("pointerdown", (event) => (pressed = cellUnder(event)));
  listenToDrag(stage, {
    sideways: true,
    onStart: pointAway,
    onMove: ({ dx, dy, event }) => rotateBy(dx * DRAG_DEGREES, event.pointerType === "touch" ? 0 : dy * DRAG_DEGREES),
    onHover: (point) => (point ? pointAt(cellUnder(point.event), point.event) : pointAway()),
    onClick({ event }) {
      pointAt(pressed, event);
      chooseCell();
    },
  });
  handleKeys(stage, (key, event) => {
    const arrow = ARROWS[key];
    if (arrow && event.shiftKey) stepCell([0, arrow[1], arrow[0]]);
    else if (arrow) rotateBy(arrow[0] * KEY_DEGREES, arrow[1] * KEY_DEGREES);
    else if (key === "PageUp") stepCell([-1, 0, 0]);
    else if (key === "PageDown") stepCell([1, 0, 0]);
    else if (key === "Home") rotateTo(CORNER);
    else if (isActivation(key)) chooseCell();
    else if (key === "Escape") pointAway();
    else return false;
  });
  stage.addEventListener("blur", pointAway);
  Object.values(VIEWS).forEach((to, index) => parts.views[index].addEventListener("click", () => rotateTo(to)));
  parts.cuts.forEach(({ input }, axis) =>
    input.addEventListener("input", () => cutTo(view.cut.with(axis, Number(input.value)) as Index)),
  );
  parts.whole.addEventListener("click", () => cutTo([0, 0, 0]));
  parts.toToken.addEventListener("click", () => {
    const [place] = model ? findToken(model, link.chosen) : [];
    if (place) cutTo([...place, view.cut[2]]);
  });

  const ends = [link.subscribe(frames.schedule), watchSize(stage, frames.schedule), frames.stop, report.cancel];
  return { receive, unmount: unmountFunction(root, ...ends, () => cancelAnimationFrame(glide)) };
}

/** One of the three sides that can be seen. */
type Side = ReturnType<typeof blockSide>;

function blockSide() {
  const picture = makeElement("div", { className: "picture" });
  const marks = makeElement("div");
  return { root: makeElement("div", { className: "side" }, picture, marks), picture, marks, key: "" };
}

/**
 * The outline of a cell on a face, or of a whole row of numbers; null where it is not on the face.
 * @param index of the cell; without a dimension that of a row of numbers
 */
function markOnFace(className: string, { axis, rows, columns, layer, size }: Face, index: number[], cut: Index) {
  const isOn = index[axis] === layer || (axis === 2 && index.length === 2);
  if (!isOn || index.some((k, other) => k < cut[other])) return null;
  const along = (other: number, count: number) => {
    const isWhole = index[other] === undefined;
    return [isWhole ? 0 : ((index[other] - cut[other]) / count) * 100, isWhole ? 100 : 100 / count];
  };
  const [top, height] = along(rows, size[0]);
  const [left, width] = along(columns, size[1]);
  const style = `top: ${top}%; height: ${height}%; left: ${left}%; width: ${width}%`;
  return makeElement("div", { className: `mark ${className}`, style });
}

/** Names, sizes and numbers along three edges, with a tick for each number. */
function drawAxes({ axes, ticks, titles, stage }: BlockParts, model: Model, camera: Camera, cut: Index) {
  const isNarrow = stage.clientWidth < 640;
  const labels: HTMLElement[] = [];
  let path = "";
  for (const axis of [0, 1, 2]) {
    const title = titles[axis];
    const start = labelledEdge(camera, model.shown, cut, axis);
    const [a, b] = start ? [camera.at(start), camera.at(start.with(axis, model.shown[axis]))] : [];
    const length = a && b ? Math.hypot(b[0] - a[0], b[1] - a[1]) : 0;
    title.hidden = length < 8; // seen from its end
    if (!start || !a || !b || title.hidden) continue;
    const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    const centre = camera.at(model.shown.map((count, other) => (count + cut[other]) / 2));
    let out = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
    if (out[0] * (middle[0] - centre[0]) + out[1] * (middle[1] - centre[1]) < 0) out = out.map((part) => -part);
    const isBeside = Math.abs(out[0]) > 0.5;
    const side = !isBeside ? "below" : out[0] > 0 ? "right" : "left";
    const count = model.shown[axis] - cut[axis];
    const step = niceStep(count, Math.max(1, length / (isBeside ? 20 : isNarrow ? 30 : 44)), 1);
    for (const k of tickValues(cut[axis], model.shown[axis] - 1, step)) {
      const share = (k + 0.5 - cut[axis]) / count;
      const [x, y] = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
      path += `M${x} ${y}l${out[0] * 6} ${out[1] * 6}`;
      const label = makeElement("span", { className: `tick ${side}`, text: String(k) });
      if (axis === 1 && isBeside) {
        const sample = start[0] === cut[0] ? cut[0] : model.shown[0] - 1;
        label.append(" ", tokenElement(model.tokens[sample][k]));
      }
      placeAt(label, x + out[0] * 11, y + out[1] * 11);
      labels.push(label);
    }
    // The name stands past the numbers, also where the edge slopes; but above the names of tokens.
    const width = title.offsetWidth;
    const isAbove = isBeside && (axis === 1 || isNarrow);
    const upper = a[1] < b[1] ? a : b;
    const away = isBeside ? 52 : 34 + (width / 2) * (Math.abs(b[1] - a[1]) / length);
    const x = isAbove ? upper[0] + out[0] * 11 : middle[0] + out[0] * away;
    const y = isAbove ? upper[1] - 30 : middle[1] + out[1] * away - (isBeside ? 12 : 0);
    const left = { below: x - width / 2, right: x, left: x - width }[side];
    placeAt(title, clamp(left, 2, stage.clientWidth - width - 2), Math.max(2, y));
  }
  ticks.setAttribute("d", path);
  axes.replaceChildren(...labels);
}

const placeAt = (label: HTMLElement, x: number, y: number) =>
  Object.assign(label.style, { left: `${x}px`, top: `${y}px` });

type BlockParts = ReturnType<typeof blockParts>;

function blockParts() {
  const button = (name: string) =>
    makeElement("button", { className: "button", type: "button", testid: `block-${name}` });
  const views = Object.keys(VIEWS).map(button);
  const viewGroup = makeElement("div", { className: "group", role: "group" }, ...views);
  const [toToken, whole] = [button("to-token"), button("whole")];
  const sides = [0, 1, 2].map(blockSide);
  const block = makeElement("div", { className: "block" }, ...sides.map((side) => side.root));
  const ticks = makeSvgElement("path", {});
  const axes = makeElement("div");
  const titles = [0, 1, 2].map(() => makeElement("b", { className: "title" }));
  const stage = makeElement(
    "div",
    { className: "stage", testid: "block-stage", role: "application", tabindex: "0" },
    block,
    makeSvgElement("svg", { "aria-hidden": "true" }, ticks),
    makeElement("div", { className: "axes", "aria-hidden": "true" }, axes, ...titles),
  );
  const cuts = [0, 1, 2].map((axis) => {
    const [name, range] = [makeElement("b"), makeElement("span", { className: "range" })];
    const input = makeElement("input", { testid: `block-cut-${axis}`, type: "range", min: "0", step: "1" });
    return { name, range, input, root: makeElement("label", { className: "cut" }, name, input, range) };
  });
  const legend = colourLegend("block-colours");
  const notes = makeElement("p", { className: "notes" });
  const root = makeElement(
    "div",
    { className: "tensor", testid: "tensor-block" },
    makeElement("div", { className: "bar" }, viewGroup, toToken, whole),
    stage,
    makeElement("div", { className: "cuts" }, ...cuts.map((cut) => cut.root)),
    makeElement("div", { className: "legend" }, legend.root, notes),
  );

  function label(model: Model) {
    const { labels, shape, shown, indexNames, colours } = model;
    const [batch, positions, dimensions] = shape;
    stage.setAttribute("aria-label", fillLabel(labels.figure, { batch, positions, dimensions }));
    viewGroup.setAttribute("aria-label", labels.views);
    Object.keys(VIEWS).forEach((name, index) => (views[index].textContent = labels[name]));
    toToken.textContent = labels.to_token;
    whole.textContent = labels.whole;
    titles.forEach((title, axis) => (title.textContent = `${model.names[axis]} · ${shape[axis]}`));
    cuts.forEach(({ name, input }, axis) => {
      name.textContent = indexNames[axis];
      input.setAttribute("aria-label", fillLabel(labels.cut, { axis: indexNames[axis] }));
      input.max = String(shown[axis] - 1);
      input.disabled = shown[axis] === 1;
    });
    const limit = limitText(model.limit);
    legend.fill(colours, [`−${limit}`, "0", limit]);
    const [drawn, all] = [shown, shape].map((counts) => countText(counts.reduce((a, b) => a * b)));
    const shownText = drawn === all ? "" : fillLabel(labels.shown, { drawn, whole: all });
    notes.textContent = [fillLabel(labels.scale, { limit }), shownText, labels.hint].filter(Boolean).join(" ");
  }

  function show(model: Model, { cut, yaw, pitch }: View) {
    cuts.forEach(({ range, input }, axis) => {
      input.value = String(cut[axis]);
      range.textContent = rangeText(model, axis, cut[axis]);
      input.setAttribute("aria-valuetext", range.textContent);
    });
    whole.disabled = cut.every((count) => count === 0);
    toToken.disabled = findToken(model, link.chosen).length === 0;
    Object.values(VIEWS).forEach(([side, up], index) =>
      views[index].setAttribute("aria-pressed", String(Math.abs(yaw - side) < 0.5 && Math.abs(pitch - up) < 0.5)),
    );
  }

  return { root, stage, block, sides, ticks, axes, titles, views, toToken, whole, cuts, label, show };
}

export function limitText(limit: number) {
  return localizeNumber(limit >= 0.01 && limit < 1000 ? String(Number(limit.toFixed(4))) : limit.toPrecision(3));
}
