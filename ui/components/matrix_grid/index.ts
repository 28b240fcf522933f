// Matrices side by side. One pointer for all: the row under it is outlined in every panel and in every other view of the
// page, and each panel reads out its own value of the same cell.

import { clamp } from "../_shared/canvas.ts";
import { themeOf } from "../_shared/colour.ts";
import { makeElement } from "../_shared/elements.ts";
import { lasting, type ParentElement, perFrame, takingDown, watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { decimalText, quotedText } from "../_shared/numbers.ts";
import { newsWatch, unpackPayload } from "../_shared/payload.ts";
import { fillLabel } from "../_shared/text.ts";
import { type Cell, cellAt, fillPanel, gridPanel, type Header, type Matrix, type Panel, paintPanel } from "./panel.ts";

type Cursor = Cell & { panel: number };

export default lasting(mountGrid);

function mountGrid(parentElement: ParentElement) {
  const readout = makeElement("p", { className: "readout", testid: "grid-readout" });
  const grid = makeElement("div", { className: "panels", role: "group", tabindex: "0", testid: "grid-panels" });
  const root = makeElement("div", { className: "grid-root", testid: "matrix-grid" }, readout, grid);
  parentElement.append(root);

  const isNew = newsWatch();
  let header: Header | null = null;
  const panels: Panel[] = [];
  let theme = themeOf(root);
  let cursor: Cursor | null = null; // under the pointer or the arrow keys
  const frames = perFrame(paint);

  function receive(data: Uint8Array) {
    theme = themeOf(root);
    if (isNew(data)) {
      const { header: next, numbers } = unpackPayload<Header>(data);
      fill(next, numbers);
    }
    frames.schedule();
  }

  function fill(next: Header, numbers: (count: number) => Float32Array) {
    header = next;
    grid.setAttribute("aria-label", next.labels.hint);
    grid.style.setProperty("--count", String(next.panels.length));
    // Keeps as many panels as there are, so that a redrawn page does not jump.
    while (panels.length > next.panels.length) panels.pop()?.root.remove();
    while (panels.length < next.panels.length) {
      const panel = gridPanel();
      listen(panel, panels.length);
      grid.append(panel.root);
      panels.push(panel);
    }
    next.panels.forEach((spec, index) => {
      const { shape } = spec;
      fillPanel(panels[index], spec, shape && { shape, values: numbers(shape[0] * shape[1]) }, next);
      panels[index].root.classList.toggle("front", index === next.front);
    });
  }

  function paint() {
    if (!header) return;
    const row = link.hovered ?? cursor?.row ?? null;
    for (const panel of panels) {
      paintPanel(panel, { hovered: row, chosen: header.chosen, cursor, theme });
      if (panel.matrix) panel.value.textContent = cursor ? valueText(panel.matrix, cursor, header.labels) : "";
    }
    const names = cursor && panels[cursor.panel]?.matrix ? cellNames(header, cursor) : [header.labels.hint];
    readout.textContent = names.join(" · ");
  }

  function listen(panel: Panel, index: number) {
    const { canvas } = panel;
    const cursorAt = (event: PointerEvent | MouseEvent) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const place = { x: event.clientX - left, y: event.clientY - top, width, height };
      return panel.matrix ? { ...cellAt(panel.matrix.shape, place), panel: index } : null;
    };
    canvas.addEventListener("pointermove", (event) => point(cursorAt(event)));
    canvas.addEventListener("pointerleave", () => point(null));
    canvas.addEventListener("click", (event) => {
      point(cursorAt(event));
      link.choose(cursor?.row);
    });
  }

  function point(next: Cursor | null) {
    cursor = next;
    link.hover(next?.row ?? null);
    frames.schedule();
  }

  grid.addEventListener("keydown", (event) => {
    const index = cursor?.panel ?? panels.findIndex((panel) => panel.matrix);
    const shape = panels[index]?.matrix?.shape;
    if (!shape || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nextCell(event.key, cursor, shape, header?.chosen ?? 0);
    if (next) point({ ...next, panel: index });
    else if (event.key === "Enter" && cursor) link.choose(cursor.row);
    else if (event.key === "Escape") point(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  grid.addEventListener("focusout", () => cursor && point(null));

  const ends = [link.subscribe(frames.schedule), watchSize(root, frames.schedule), frames.stop];
  return { receive, unmount: takingDown(root, ...ends) };
}

const STEPS: Record<string, [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Where an arrow key leads; the first one only shows where the pointer is. Null for any other key. */
export function nextCell(
  key: string,
  from: Cell | null,
  [rows, columns]: [rows: number, columns: number],
  firstRow: number,
) {
  if (!(key in STEPS)) return null;
  const [down, right] = from ? STEPS[key] : [0, 0];
  const { row, column } = from ?? { row: firstRow, column: 0 };
  return { row: clamp(row + down, 0, rows - 1), column: clamp(column + right, 0, columns - 1) };
}

export function valueText(
  { shape: [rows, columns], values }: Matrix,
  { row, column }: Cell,
  labels: Record<string, string>,
) {
  if (row >= rows || column >= columns) return labels.outside;
  const value = values[row * columns + column];
  return Number.isNaN(value) ? labels.masked : decimalText(value, 4);
}

/**
 * What the cell under the pointer is called in each picture that has it, its own picture first: rows and columns are
 * not of one kind in all of them.
 */
export function cellNames(
  { panels, tokens, labels }: Pick<Header, "panels" | "tokens" | "labels">,
  { row, column, panel }: Cursor,
) {
  const positionName = (position: number) =>
    position < tokens.length ? `${position} ${quotedText(tokens[position])}` : String(position);
  const names = [panels[panel], ...panels]
    .filter(({ shape }) => shape && row < shape[0] && column < shape[1])
    .map(({ rows, columns, positions }) => {
      const columnName = positions ? positionName(column) : String(column);
      return fillLabel(labels.cell, { rows, row: positionName(row), columns, column: columnName });
    });
  return [...new Set(names)];
}
