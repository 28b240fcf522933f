// Matrices side by side. One pointer for all: the row under it is outlined in every panel and in every other view of the
// page, and each panel reads out its own value of the same cell.

import { clamp } from "../_shared/canvas.js";
import { themeOf } from "../_shared/colour.js";
import { makeElement } from "../_shared/elements.js";
import { lasting, perFrame, takingDown, watchSize } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { decimalText, quotedText } from "../_shared/numbers.js";
import { newsWatch, unpackPayload } from "../_shared/payload.js";
import { fillLabel } from "../_shared/text.js";
import { cellAt, fillPanel, gridPanel, paintPanel } from "./panel.js";

/** @typedef {import("./panel.js").Header} Header */
/** @typedef {import("./panel.js").Panel} Panel */
/** @typedef {import("./panel.js").Cell & { panel: number }} Cursor */

export default lasting(mountGrid);

/** @param {import("../_shared/lifecycle.js").Place} parentElement */
function mountGrid(parentElement) {
  const readout = makeElement("p", { className: "readout", testid: "grid-readout" });
  const grid = makeElement("div", { className: "panels", role: "group", tabindex: "0", testid: "grid-panels" });
  const root = makeElement("div", { className: "grid-root", testid: "matrix-grid" }, readout, grid);
  parentElement.append(root);

  const isNew = newsWatch();
  /** @type {Header | null} */
  let header = null;
  /** @type {Panel[]} */
  const panels = [];
  let theme = themeOf(root);
  /** @type {Cursor | null} */
  let cursor = null; // under the pointer or the arrow keys
  const frames = perFrame(paint);

  /** @param {Uint8Array} data */
  function receive(data) {
    theme = themeOf(root);
    if (isNew(data)) {
      const { header: next, numbers } = unpackPayload(data);
      fill(next, numbers);
    }
    frames.schedule();
  }

  /**
   * @param {Header} next
   * @param {(count: number) => Float32Array} numbers
   */
  function fill(next, numbers) {
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

  /**
   * @param {Panel} panel
   * @param {number} index
   */
  function listen(panel, index) {
    const { canvas } = panel;
    const cursorAt = (/** @type {PointerEvent | MouseEvent} */ event) => {
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

  /** @param {Cursor | null} next */
  function point(next) {
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

/** @type {Record<string, [down: number, right: number]>} */
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * Where an arrow key leads; the first one only shows where the pointer is. Null for any other key.
 * @param {string} key
 * @param {import("./panel.js").Cell | null} from
 * @param {[rows: number, columns: number]} shape
 * @param {number} firstRow
 */
export function nextCell(key, from, [rows, columns], firstRow) {
  if (!(key in STEPS)) return null;
  const [down, right] = from ? STEPS[key] : [0, 0];
  const { row, column } = from ?? { row: firstRow, column: 0 };
  return { row: clamp(row + down, 0, rows - 1), column: clamp(column + right, 0, columns - 1) };
}

/**
 * @param {import("./panel.js").Matrix} matrix
 * @param {import("./panel.js").Cell} cell
 * @param {Record<string, string>} labels
 */
export function valueText({ shape: [rows, columns], values }, { row, column }, labels) {
  if (row >= rows || column >= columns) return labels.outside;
  const value = values[row * columns + column];
  return Number.isNaN(value) ? labels.masked : decimalText(value, 4);
}

/**
 * What the cell under the pointer is called in each picture that has it, its own picture first: rows and columns are not
 * of one kind in all of them.
 * @param {Pick<Header, "panels" | "tokens" | "labels">} header
 * @param {Cursor} cursor
 */
export function cellNames({ panels, tokens, labels }, { row, column, panel }) {
  const positionName = (/** @type {number} */ position) =>
    position < tokens.length ? `${position} ${quotedText(tokens[position])}` : String(position);
  const names = [panels[panel], ...panels]
    .filter(({ shape }) => shape && row < shape[0] && column < shape[1])
    .map(({ rows, columns, positions }) => {
      const columnName = positions ? positionName(column) : String(column);
      return fillLabel(labels.cell, { rows, row: positionName(row), columns, column: columnName });
    });
  return [...new Set(names)];
}
