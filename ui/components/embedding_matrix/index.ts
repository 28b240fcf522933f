// The embedding matrix as a strip, and the rows that a text picks, pulled out in the order of the text.

import { colourIndices, colourScale, paintIndices, type Scale, themeOf } from "../_shared/colour.ts";
import { makeElement, roomBelow, spelled } from "../_shared/elements.ts";
import { lasting, type ParentElement, perFrame, takingDown, watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { lookOfScroll } from "../_shared/look.ts";
import { decimalText } from "../_shared/numbers.ts";
import { newsWatch, unpackPayload } from "../_shared/payload.ts";
import { fillLabel } from "../_shared/text.ts";
import { nextInList } from "../_shared/tokens.ts";
import {
  type CellLayout,
  cellLayout,
  type Header,
  type Layout,
  matrixLayout,
  nearestMark,
  rowsInSight,
  STRIPE,
} from "./layout.ts";
import { drawStrip } from "./strip.ts";

type Matrix = { header: Header; values: Float32Array; scale: Scale; picture: HTMLCanvasElement };
type Arranged = { layout: Layout; cells: CellLayout; note: string };

export default lasting(mountMatrix);

function mountMatrix(parentElement: ParentElement) {
  const canvas = makeElement("canvas", { testid: "matrix-strip", role: "img" });
  const dimensions = makeElement("div", {
    className: "dimensions",
    testid: "matrix-dimensions",
    "aria-hidden": "true",
  });
  const spacer = makeElement("div", { className: "spacer", role: "presentation" });
  const list = makeElement("div", { className: "list", testid: "matrix-rows", role: "listbox", tabindex: "0" }, spacer);
  const note = makeElement("p", { className: "note", testid: "matrix-note" });
  const body = makeElement("div", { className: "body" }, canvas, dimensions, list, note);
  const root = makeElement("div", { className: "matrix", testid: "embedding-matrix" }, body);
  parentElement.append(root);

  const isNew = newsWatch();
  /** Index of a row -> its element; only those in sight exist. */
  const shown = new Map<number, HTMLElement>();
  let matrix: Matrix | null = null;
  let arranged: Arranged | null = null;
  let theme = themeOf(root);
  let active = 0; // row that the keys are on
  let moved = false; // the text's rows are others: the chosen one may be out of sight
  const frames = perFrame(paint);
  const look = lookOfScroll(root, list);

  const indexOf = (position: number | null) => {
    const index = position === null || !matrix ? -1 : matrix.header.positions.indexOf(position);
    return index < 0 ? null : index;
  };

  function receive(data: Uint8Array) {
    theme = themeOf(root);
    if (isNew(data)) {
      const before = matrix?.header.positions[0];
      matrix = matrixOf(data);
      const { header } = matrix;
      moved ||= before !== header.positions[0]; // the first time too: a link may name a token further down
      active = Math.min(active, Math.max(0, header.positions.length - 1));
      list.setAttribute("aria-label", header.labels.list);
      const marked = new Set(header.ids).size;
      canvas.setAttribute("aria-label", fillLabel(header.labels.strip, { ...header, marked }));
    }
    arrange();
  }

  function arrange() {
    if (!matrix || root.clientWidth === 0) return;
    const { header } = matrix;
    const layout = matrixLayout(root.clientWidth, header, roomBelow());
    const { list: box, rowHeight, narrow } = layout;
    root.classList.toggle("narrow", narrow);
    body.style.height = `${layout.height + (narrow ? 44 : 0)}px`;
    Object.assign(list.style, pixels({ left: box.x, top: box.y, width: box.width, height: box.height }));
    spacer.style.height = `${header.positions.length * rowHeight}px`;
    const cells = cellLayout(header, narrow, list.clientWidth);
    arranged = { layout, cells, note: dimensionsText(header, cells) };
    for (const element of shown.values()) element.remove();
    shown.clear();
    note.style.top = `${narrow ? layout.height : box.y + box.height + 4}px`;
    Object.assign(dimensions.style, pixels({ left: box.x, top: box.y - 26 }));
    dimensions.replaceChildren(...dimensionNumbers(header, arranged));
    const chosen = indexOf(link.chosen);
    if (moved && chosen !== null) reveal(chosen);
    moved = false;
    frames.now();
    look.ready();
  }

  function paint() {
    if (!matrix || !arranged) return;
    const { header, picture } = matrix;
    const { layout } = arranged;
    const { rowHeight, list: box } = layout;
    const [hovered, chosen] = [indexOf(link.hovered), indexOf(link.chosen)];
    const { first, last } = rowsInSight(list.scrollTop, layout, header.positions.length);
    for (const [index, element] of shown) {
      if (index >= first && index <= last) continue;
      element.remove();
      shown.delete(index);
    }
    const visible = [];
    for (let index = first; index <= last; index += 1) {
      const middle = (index + 0.5) * rowHeight - list.scrollTop;
      if (middle >= 0 && middle <= box.height) visible.push({ index, y: box.y + middle });
      const row = shown.get(index) ?? matrixRow(matrix, arranged, index);
      if (!shown.has(index)) spacer.append(row);
      shown.set(index, row);
      const same = [hovered, chosen].some((other) => other !== null && header.ids[other] === header.ids[index]);
      row.setAttribute("aria-selected", String(index === chosen));
      row.classList.toggle("hovered", index === hovered);
      row.classList.toggle("same", same);
      row.classList.toggle("active", index === active);
    }
    showNote(header, arranged, { first, last });
    list.setAttribute("aria-activedescendant", shown.has(active) ? `row-${active}` : "");
    drawStrip(canvas, { layout, header, picture, theme, visible, hovered, chosen });
  }

  /** A list that is longer than its box says which rows are in sight: not every system draws a scrollbar. */
  function showNote(
    { labels, positions }: Header,
    { layout, cells, note: dimensionsNote }: Arranged,
    { first, last }: { first: number; last: number },
  ) {
    const { narrow, list: box, rowHeight } = layout;
    const all = positions.length * rowHeight <= box.height;
    const sight = fillLabel(labels.in_sight, { first: first + 1, last: last + 1, total: positions.length });
    const text = all ? dimensionsNote : `${dimensionsNote} · ${sight}`;
    note.style.left = `${narrow ? 0 : box.x + (all ? cells.x : 8)}px`; // the longer one needs the width of the list
    if (note.textContent !== text) note.textContent = text;
  }

  function reveal(index: number) {
    if (!arranged) return;
    const { rowHeight, list: box } = arranged.layout;
    const top = index * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + rowHeight > list.scrollTop + box.height) list.scrollTop = top + rowHeight - box.height;
  }

  const positionOf = (index: number | null) => (index === null || !matrix ? null : matrix.header.positions[index]);
  const hover = (index: number | null) => link.hover(positionOf(index));
  const toggle = (index: number) => link.toggle(positionOf(index));
  const rowUnder = ({ target }: Event) => {
    const row = target instanceof Element ? target.closest(".row") : null;
    return row instanceof HTMLElement ? indexOf(Number(row.dataset.position)) : null;
  };
  const markUnder = ({ offsetX, offsetY }: MouseEvent) =>
    matrix && arranged && nearestMark(offsetX, offsetY, arranged.layout, matrix.header);

  list.addEventListener("pointermove", (event) => {
    const row = rowUnder(event);
    if (row !== null) hover(row);
  });
  list.addEventListener("pointerleave", () => hover(null));
  list.addEventListener("click", (event) => {
    const row = rowUnder(event);
    if (row === null) return;
    active = row;
    frames.schedule();
    toggle(row);
  });
  list.addEventListener("scroll", frames.schedule, { passive: true });
  list.addEventListener("blur", () => hover(null));
  list.addEventListener("keydown", (event) => {
    if (!matrix || !arranged) return;
    const { list: box, rowHeight } = arranged.layout;
    const next = nextInList(event.key, active, matrix.header.positions.length, Math.floor(box.height / rowHeight));
    if (event.key === "Enter" || event.key === " ") toggle(active);
    else if (next !== null) {
      active = next;
      frames.schedule();
      reveal(active);
      hover(active);
    } else return;
    event.preventDefault();
  });
  canvas.addEventListener("pointermove", (event) => {
    const nearest = markUnder(event);
    canvas.style.cursor = nearest === null ? "" : "pointer";
    hover(nearest);
  });
  canvas.addEventListener("pointerleave", () => hover(null));
  canvas.addEventListener("click", (event) => {
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
  return { receive, unmount: takingDown(root, unsubscribe, watchSize(root, arrange), frames.stop) };
}

const pixels = (lengths: Record<string, number>) =>
  Object.fromEntries(Object.entries(lengths).map(([name, value]) => [name, `${value}px`]));

function matrixOf(data: Uint8Array): Matrix {
  const { header, numbers, bytes } = unpackPayload<Header>(data);
  const { lines, columns } = header;
  const strip = fromHalves(new Uint16Array(bytes(2 * lines * columns).buffer));
  const values = numbers(header.positions.length * header.k);
  const scale = colourScale(header.colours, header.limit);
  const picture = paintIndices(colourIndices(strip, scale), lines, columns, scale);
  return { header, values, scale, picture };
}

/** Numbers of which the upper halves are given. */
const fromHalves = (halves: Uint16Array) => new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer);

/** What is written under the list: how many of the dimensions are numbers, and how many colours alone. */
export function dimensionsText(
  { d_model: dModel, labels }: Pick<Header, "d_model" | "labels">,
  cells: Pick<CellLayout, "numbered" | "coloured">,
) {
  const coloured = cells.numbered + cells.coloured;
  let template = cells.numbered === dModel ? "all_dimensions" : "first_dimensions";
  if (cells.numbered < dModel && cells.coloured) template += coloured === dModel ? "_and_all" : "_and_colours";
  return fillLabel(labels[template], { d_model: dModel, shown: cells.numbered, coloured });
}

/** The heads of the columns. */
function dimensionNumbers({ labels }: Header, { layout: { narrow }, cells }: Arranged) {
  const numbers = Array.from({ length: cells.numbered }, (_, column) => {
    const number = makeElement("span", { text: String(column) });
    const left = cells.x + column * cells.width;
    Object.assign(number.style, pixels({ left, width: cells.width - (narrow ? 5 : 8) }));
    return number;
  });
  if (narrow) return numbers;
  const title = makeElement("span", { text: labels.dimension });
  title.style.right = `calc(100% + ${8 - cells.x}px)`;
  return [title, ...numbers];
}

function matrixRow({ header, values, scale }: Matrix, { layout, cells }: Arranged, index: number) {
  const id = header.ids[index];
  const row = makeElement("div", {
    className: "row",
    testid: "matrix-row",
    role: "option",
    id: `row-${index}`,
    "aria-setsize": header.positions.length,
    "aria-posinset": index + 1,
    "data-position": header.positions[index],
    "data-id": id,
  });
  Object.assign(row.style, pixels({ height: layout.rowHeight - 4, top: index * layout.rowHeight + 2 }));
  row.style.gridTemplateColumns = `${cells.token}px ${cells.id}px 1fr`;
  const count = header.ids.filter((other) => other === id).length;
  const text = fillLabel(header.labels[count > 1 && !layout.narrow ? "repeated" : "picked"], { id, count });
  // The row's number, and beside or under it the word that tells it from rows that are not random.
  const number = makeElement("span", { className: "id", text });
  if (header.by_chance[index]) {
    const word = { className: "by-chance", testid: "matrix-by-chance", text: header.labels.by_chance };
    number.append(" ", makeElement("span", word));
  }
  const token = spelled(header.tokens[index], { className: "token", title: header.tokens[index] });
  row.append(token, number, rowCells(values.subarray(index * header.k), scale, cells, header.d_model));
  return row;
}

/**
 * The numbers of a row, each on its colour, then colours alone.
 * @param values from the row's first on
 */
function rowCells(values: Float32Array, scale: Scale, { numbered, coloured, width }: CellLayout, dModel: number) {
  const box = makeElement("span", { className: "cells" });
  for (const value of values.subarray(0, numbered)) {
    const cell = makeElement("span", { className: "cell", testid: "matrix-cell", text: decimalText(value, 4) });
    cell.style.cssText = `width:${width}px;background:${scale.css(value)};color:${scale.ink(value)}`;
    box.append(cell);
  }
  if (coloured > 0) {
    const indices = colourIndices(values.subarray(numbered, numbered + coloured), scale);
    const picture = paintIndices(indices, 1, coloured, scale);
    picture.style.width = `${coloured * STRIPE}px`;
    picture.setAttribute("aria-hidden", "true");
    box.append(picture);
  }
  if (numbered + coloured < dModel)
    box.append(makeElement("span", { className: "more", text: "…", "aria-hidden": "true" }));
  return box;
}
