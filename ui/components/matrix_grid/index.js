// Matrices side by side. One pointer for all: the row under it is outlined in every panel and in every other view of the
// page, and each panel reads out its own value of the same cell.

import { themeOf } from "../_shared/colour.js";
import { makeElement } from "../_shared/elements.js";
import { lasting } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { sameBytes, unpackPayload } from "../_shared/payload.js";
import { decimalText, fillLabel } from "../_shared/text.js";
import { fillPanel, gridPanel, paintPanel } from "./panel.js";

export default lasting(mountGrid);

function mountGrid(parentElement) {
  const readout = makeElement("p", { className: "readout", testid: "grid-readout" });
  const grid = makeElement("div", { className: "panels", role: "group", tabindex: "0", testid: "grid-panels" });
  const root = makeElement("div", { className: "grid-root", testid: "matrix-grid" }, readout, grid);
  parentElement.append(root);

  const held = { payload: null };
  let header = null;
  const panels = []; // {spec, values, picture, canvas, value, ...}
  let theme = null;
  let cursor = null; // {row, column, panel} under the pointer or the arrow keys
  let frame = 0;

  held.receive = (data) => {
    theme = themeOf(root);
    if (!sameBytes(held.payload, data)) {
      held.payload = data.slice();
      const { header: next, numbers } = unpackPayload(data);
      header = next;
      grid.setAttribute("aria-label", header.labels.hint);
      grid.style.setProperty("--count", header.panels.length);
      fit(header.panels.length);
      header.panels.forEach((spec, index) => {
        const values = spec.shape && numbers(spec.shape[0] * spec.shape[1]);
        fillPanel(panels[index], spec, values, header);
      });
    }
    schedule();
  };

  // Keeps as many panels as there are, so that a redrawn page does not jump.
  function fit(count) {
    while (panels.length > count) panels.pop().root.remove();
    while (panels.length < count) {
      const panel = gridPanel();
      listen(panel, panels.length);
      grid.append(panel.root);
      panels.push(panel);
    }
  }

  function schedule() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      paint();
    });
  }

  function paint() {
    if (!header) return;
    const row = link.hovered ?? cursor?.row ?? null;
    for (const panel of panels)
      if (panel.values) paintPanel(panel, { hovered: row, chosen: header.chosen, cursor, theme });
    readout.textContent = cursor && panels[cursor.panel]?.values ? cellNames().join(" · ") : header.labels.hint;
    for (const panel of panels) if (panel.values) panel.value.textContent = cursor ? valueAt(panel) : "";
  }

  // What the cell under the pointer is called in each picture: rows and columns are not of one kind in all of them.
  function cellNames() {
    const { row, column, panel } = cursor;
    const there = ({ values, spec }) => values && row < spec.shape[0] && column < spec.shape[1];
    const name = ({ spec }) =>
      fillLabel(header.labels.cell, {
        rows: spec.rows,
        row: positionName(row),
        columns: spec.columns,
        column: columnName(spec, column),
      });
    return [...new Set([panels[panel], ...panels].filter(there).map(name))];
  }

  const positionName = (position) =>
    position < header.tokens.length ? `${position} “${header.tokens[position]}”` : String(position);
  const columnName = (spec, column) => (spec.positions ? positionName(column) : String(column));

  function valueAt(panel) {
    const [rows, columns] = panel.spec.shape;
    if (cursor.row >= rows || cursor.column >= columns) return header.labels.outside;
    const value = panel.values[cursor.row * columns + cursor.column];
    return Number.isNaN(value) ? header.labels.masked : decimalText(value, 4);
  }

  function listen(panel, index) {
    const cellOf = (event) => {
      const box = panel.canvas.getBoundingClientRect();
      const [rows, columns] = panel.spec.shape;
      const at = (part, whole, count) => Math.max(0, Math.min(count - 1, Math.floor((part / whole) * count)));
      return {
        row: at(event.clientY - box.top, box.height, rows),
        column: at(event.clientX - box.left, box.width, columns),
        panel: index,
      };
    };
    panel.canvas.addEventListener("pointermove", (event) => point(cellOf(event)));
    panel.canvas.addEventListener("pointerleave", () => point(null));
    panel.canvas.addEventListener("click", (event) => {
      point(cellOf(event));
      link.choose(cursor.row);
    });
  }

  function point(next) {
    cursor = next;
    link.hover(next?.row ?? null);
    schedule();
  }

  grid.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const index = cursor?.panel ?? panels.findIndex((panel) => panel.values);
    if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) {
      const [rows, columns] = panels[index].spec.shape;
      const [down, right] = cursor ? steps[event.key] : [0, 0];
      const start = cursor ?? { row: header.chosen ?? 0, column: 0 };
      const clamp = (value, count) => Math.max(0, Math.min(count - 1, value));
      point({ row: clamp(start.row + down, rows), column: clamp(start.column + right, columns), panel: index });
    } else if (event.key === "Enter" && cursor) link.choose(cursor.row);
    else if (event.key === "Escape") point(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  grid.addEventListener("focusout", () => cursor && point(null));

  const resized = new ResizeObserver(schedule);
  resized.observe(root);
  const unsubscribe = link.subscribe(schedule);
  held.unmount = () => {
    cancelAnimationFrame(frame);
    resized.disconnect();
    unsubscribe();
    root.remove();
  };
  return held;
}
