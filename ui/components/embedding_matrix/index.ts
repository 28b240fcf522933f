// The embedding matrix as a strip, and the rows that a text picks from it, in the order of the text.

import { clamp } from "../_shared/canvas.ts";
import { colourIndices, colourScale, downscale, paintIndices, type Scale } from "../_shared/colour.ts";
import { deviceRatio, makeElement, makeSvgElement, maxFigureHeight, tokenElement } from "../_shared/elements.ts";
import { handleKeys, isActivation, nextInList } from "../_shared/keys.ts";
import { colourLegend } from "../_shared/legend.ts";
import { type ParentElement, perFrame, persistentComponent, unmountFunction, watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { countText, decimalText, significantText } from "../_shared/numbers.ts";
import { changeDetector, unpackPayload } from "../_shared/payload.ts";
import { drawLines, nearestRow, type StripSize, stripPicture } from "../_shared/strip.ts";
import { fillLabel } from "../_shared/text.ts";
import { niceStep, tickValues } from "../_shared/ticks.ts";
import { scrollIntoList } from "../_shared/tokens.ts";
import { createTooltip } from "../_shared/tooltip.ts";
import { registerScroll } from "../_shared/view_state.ts";

/** The JSON part of the payload; the numbers follow it as bytes. */
interface Header extends StripSize {
  d_model: number;
  positions: number[]; // of each row's token in the text
  ids: number[];
  tokens: string[];
  by_chance: boolean[];
  colours: string[];
  limit: number;
  labels: Record<string, string>;
}
type Matrix = { header: Header; values: Float32Array; scale: Scale; strip: HTMLCanvasElement };

const NARROW = 640; // px
const ROW = 32; // px
const NARROW_ROW = 48; // px, with the cells below the token
const MOST_ROWS = 12.5; // in sight: half a row says that there are more
const LEAST = 200; // px that the strip is high
const NUMBER = 56; // px of a cell that has its number written in it

export default persistentComponent(mountMatrix);

function mountMatrix(parentElement: ParentElement) {
  const size = makeElement("p", { className: "size" });
  const ticks = makeElement("div", { className: "ticks", "aria-hidden": "true" });
  const strip = makeElement("div", { className: "strip", testid: "matrix-strip", role: "img" });
  const lines = makeSvgElement("svg", { class: "lines", "aria-hidden": "true" });
  const list = makeElement("div", { className: "list", testid: "matrix-rows", role: "listbox", tabindex: "0" });
  const axis = makeElement("div", { className: "axis", "aria-hidden": "true" });
  const note = makeElement("p", { className: "note", testid: "matrix-note" });
  const body = makeElement("div", { className: "body" }, ticks, strip, lines, list, axis, note);
  const legend = colourLegend();
  const head = makeElement("div", { className: "head" }, size, legend.root);
  const root = makeElement("div", { className: "matrix", testid: "embedding-matrix" }, head, body);
  parentElement.append(root);

  const tooltip = createTooltip(root, { testid: "matrix-readout" });
  const isNew = changeDetector();
  let matrix: Matrix | null = null;
  let rows: HTMLElement[] = [];
  let active = 0; // row that the keys are on
  let column: number | null = null; // that is pointed at in it
  let moved = false; // the text's rows are others: the chosen one may be out of sight
  const frames = perFrame(draw);
  const viewState = registerScroll(root, list);

  function indexOf(position: number | null) {
    const index = matrix && position !== null ? matrix.header.positions.indexOf(position) : -1;
    return index < 0 ? null : index;
  }

  function receive(data: Uint8Array) {
    if (isNew(data)) {
      const before = matrix?.header.positions[0];
      matrix = readMatrix(data);
      const { header } = matrix;
      const { labels, vocab_size: vocabSize, d_model: dModel } = header;
      moved ||= before !== header.positions[0]; // the first time too: a link may name a token further down
      active = clamp(active, 0, header.positions.length - 1);
      list.setAttribute("aria-label", labels.list);
      strip.setAttribute("aria-label", fillLabel(labels.strip, { ...header, marked: new Set(header.ids).size }));
      strip.replaceChildren(matrix.strip);
      const limit = significantText(header.limit, 3);
      legend.fill(matrix.scale.stops, [`−${limit}`, "0", limit]);
      size.textContent = `${fillLabel(labels.rows, { vocab_size: countText(vocabSize) })} · ${fillLabel(labels.columns, { d_model: countText(dModel) })}`;
    }
    arrange();
  }

  function arrange() {
    if (!matrix || root.clientWidth === 0) return;
    const { header } = matrix;
    const { vocab_size: vocabSize, d_model: dModel, ids, labels } = header;
    const narrow = root.clientWidth < NARROW;
    root.classList.toggle("narrow", narrow);
    const rowHeight = narrow ? NARROW_ROW : ROW;
    const most = Math.min(MOST_ROWS * rowHeight, Math.max(4 * rowHeight, maxFigureHeight() - 90));
    const height = Math.min(ids.length * rowHeight, most);
    root.style.setProperty("--row", `${rowHeight}px`);
    root.style.setProperty("--list", `${height}px`);
    root.style.setProperty("--strip", `${Math.max(height, Math.min(LEAST, most))}px`);
    rows = ids.map((_, index) => matrixRow(matrix as Matrix, index, narrow));
    list.replaceChildren(...rows);
    const cells = list.querySelector<HTMLElement>(".cells");
    const width = cells?.clientWidth ?? 0;
    for (const [index, row] of rows.entries()) row.querySelector(".cells")?.append(...rowCells(matrix, index, width));
    ticks.replaceChildren(...tickMarks(0, vocabSize, strip.clientHeight / 60, "top"));
    axis.style.left = `${list.offsetLeft + (cells?.offsetLeft ?? 0)}px`;
    axis.style.width = `${width}px`;
    axis.replaceChildren(makeElement("b", { text: labels.dimension }), ...tickMarks(0, dModel, width / 60, "left"));
    const chosen = indexOf(link.chosen);
    if (moved && chosen !== null) reveal(chosen);
    moved = false;
    frames.now();
    viewState.restore();
  }

  function draw() {
    if (!matrix) return;
    const { header } = matrix;
    const { ids, labels } = header;
    const [hovered, chosen] = [indexOf(link.hovered), indexOf(link.chosen)];
    const lit = [hovered, chosen].filter((index) => index !== null).map((index) => ids[index]);
    for (const [index, row] of rows.entries()) {
      row.setAttribute("aria-selected", String(index === chosen));
      row.classList.toggle("hovered", index === hovered);
      row.classList.toggle("same", lit.includes(ids[index]));
      row.classList.toggle("active", index === active);
    }
    list.setAttribute("aria-activedescendant", rows.length ? `row-${active}` : "");
    const rowHeight = rows[0]?.offsetHeight ?? 1;
    const visible = ids.flatMap((_, index) => {
      const y = (index + 0.5) * rowHeight - list.scrollTop;
      return y >= 0 && y <= list.clientHeight ? [{ index, y }] : [];
    });
    drawLines(lines, strip, { ids, vocabSize: header.vocab_size }, visible, { hovered, chosen });
    const [first, last] = [visible[0]?.index ?? 0, visible.at(-1)?.index ?? 0];
    const isLong = list.scrollHeight > list.clientHeight + 1;
    const text = isLong ? fillLabel(labels.in_sight, { first: first + 1, last: last + 1, total: ids.length }) : "";
    if (note.textContent !== text) note.textContent = text;
  }

  const reveal = (index: number) => scrollIntoList(list, rows[index]);
  const positionOf = (index: number | null) => (index === null || !matrix ? null : matrix.header.positions[index]);
  const hover = (index: number | null) => link.hover(positionOf(index));
  const toggle = (index: number) => link.toggle(positionOf(index));

  function rowUnder({ target }: Event) {
    const index = rows.findIndex((row) => target instanceof Node && row.contains(target));
    return index < 0 ? null : index;
  }

  /** Show a cell's number in the tooltip, at the pointer or beside the row. */
  function showCell(index: number, at: number | null, anchor: Element | MouseEvent, announce = false) {
    if (!matrix || at === null) return tooltip.hide();
    const { ids, labels, d_model: dModel } = matrix.header;
    const value = decimalText(matrix.values[index * dModel + at], 4);
    tooltip.show(fillLabel(labels.cell, { id: ids[index], column: at, value }), anchor, { announce });
  }

  function pointAt(event: MouseEvent) {
    const index = rowUnder(event);
    if (index === null) return;
    hover(index);
    const target = event.target as HTMLElement;
    const isCells = matrix && target.matches(".cells");
    column = isCells
      ? clamp(
          Math.floor((event.offsetX / target.clientWidth) * (matrix?.header.d_model ?? 1)),
          0,
          (matrix?.header.d_model ?? 1) - 1,
        )
      : null;
    showCell(index, column, event);
  }

  function leave() {
    hover(null);
    tooltip.hide();
  }

  list.addEventListener("pointermove", (event) => event.pointerType === "touch" || pointAt(event));
  list.addEventListener("pointerleave", (event) => event.pointerType === "touch" || leave());
  list.addEventListener("click", (event) => {
    const row = rowUnder(event);
    if (row === null) return;
    pointAt(event);
    active = row;
    frames.schedule();
    toggle(row);
  });
  list.addEventListener("scroll", frames.schedule, { passive: true });
  list.addEventListener("blur", leave);
  handleKeys(list, (key) => {
    if (!matrix || !rows.length) return false;
    const { d_model: dModel } = matrix.header;
    if (isActivation(key)) return toggle(active);
    if (key === "ArrowLeft" || key === "ArrowRight")
      column = column === null ? 0 : clamp(column + (key === "ArrowLeft" ? -1 : 1), 0, dModel - 1);
    else {
      const next = nextInList(key, active, rows.length, Math.floor(list.clientHeight / rows[0].offsetHeight));
      if (next === null) return false;
      active = next;
    }
    frames.schedule();
    reveal(active);
    hover(active);
    showCell(active, column, rows[active], true);
  });
  const markUnder = ({ offsetY }: MouseEvent) =>
    matrix && nearestRow(offsetY, matrix.header.ids, matrix.header.vocab_size, strip.clientHeight);
  strip.addEventListener("pointermove", (event) => {
    const nearest = markUnder(event);
    strip.classList.toggle("near", nearest !== null);
    hover(nearest);
  });
  strip.addEventListener("pointerleave", () => hover(null));
  strip.addEventListener("click", (event) => {
    const nearest = markUnder(event);
    if (nearest === null) return;
    toggle(nearest);
    reveal(nearest);
  });

  const unsubscribe = link.subscribe(({ chosen, cause }) => {
    const index = cause === "choose" ? indexOf(chosen) : null;
    if (index !== null && !list.matches(":hover")) {
      active = index;
      reveal(index);
    }
    frames.schedule();
  });
  return { receive, unmount: unmountFunction(root, unsubscribe, watchSize(root, arrange), frames.stop, tooltip.hide) };
}

function readMatrix(data: Uint8Array): Matrix {
  const { header, numbers, bytes } = unpackPayload<Header>(data);
  const { lines, columns } = header;
  const halves = bytes(2 * lines * columns);
  const values = numbers(header.positions.length * header.d_model);
  const scale = colourScale(header.colours, header.limit);
  return { header, values, scale, strip: stripPicture(halves, header, scale) };
}

/**
 * Round numbers of an axis of `count` cells, each at the middle of its cell.
 * @param side along which they stand
 */
function tickMarks(low: number, count: number, most: number, side: "top" | "left") {
  return tickValues(low, count - 1, niceStep(count, Math.max(1, most), 1)).map((at) => {
    const tick = makeElement("span", { text: countText(at) });
    tick.style[side] = `${(100 * (at + 0.5)) / count}%`;
    return tick;
  });
}

function matrixRow({ header }: Matrix, index: number, narrow: boolean) {
  const { ids, tokens, positions, by_chance: byChance, labels } = header;
  const id = ids[index];
  const count = ids.filter((other) => other === id).length;
  const number = makeElement("span", {
    className: "id",
    text: fillLabel(labels[count > 1 && !narrow ? "repeated" : "picked"], { id, count }),
  });
  if (byChance[index]) {
    const word = { className: "by-chance", testid: "matrix-by-chance", text: labels.by_chance };
    number.append(" ", makeElement("span", word));
  }
  return makeElement(
    "div",
    {
      className: "row",
      testid: "matrix-row",
      role: "option",
      id: `row-${index}`,
      "data-position": positions[index],
      "data-id": id,
    },
    tokenElement(tokens[index], { className: "token", title: tokens[index] }),
    number,
    makeElement("span", { className: "cells" }),
  );
}

/**
 * The numbers of a row, each on its colour, where there is room; else a band of colours, the mean of several numbers
 * where it has fewer pixels than numbers.
 */
function rowCells({ header: { d_model: dModel }, values, scale }: Matrix, index: number, width: number) {
  const row = values.subarray(index * dModel, (index + 1) * dModel);
  if (width >= dModel * NUMBER)
    return Array.from(row, (value) => {
      const cell = makeElement("span", { className: "cell", testid: "matrix-cell", text: decimalText(value, 4) });
      cell.style.cssText = `background:${scale.css(value)};color:${scale.ink(value)}`;
      return cell;
    });
  const {
    values: means,
    shape,
    extent,
  } = downscale(row, [1, dModel], [1, Math.max(1, Math.floor(width * deviceRatio()))]);
  const band = paintIndices(colourIndices(means, scale), ...shape, scale);
  band.style.width = `${(100 * shape[1]) / extent[1]}%`;
  return [band];
}
