// The embedding matrix as a strip, and the rows that a text picks, pulled out in the order of the text.

import { colourScale, paintIndices, themeOf } from "../_shared/colour.js";
import { makeElement } from "../_shared/elements.js";
import { lasting } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { sameBytes, unpackPayload } from "../_shared/payload.js";
import { fillLabel } from "../_shared/text.js";
import { cellLayout, numberOf, rowCells } from "./cells.js";
import { listenToRows, listenToStrip } from "./events.js";
import { drawStrip, matrixLayout } from "./strip.js";

export default lasting(mountMatrix);

function mountMatrix(parentElement) {
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

  const held = { payload: null, active: 0, moved: false };
  const shown = new Map(); // index of a row -> its element; only those in sight exist
  let view = null; // what drawStrip needs
  let cells = null; // how the cells of a row are laid out
  let frame = 0;

  const indexOf = (position) => {
    const index = view.data.header.positions.indexOf(position);
    return index < 0 ? null : index;
  };
  const schedule = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      paint();
    });
  };

  held.receive = (data) => {
    const theme = themeOf(root);
    if (!sameBytes(held.payload, data)) {
      held.payload = data.slice();
      const before = view?.data.header.positions[0];
      const { header, numbers, bytes } = unpackPayload(data);
      const values = numbers(header.positions.length * header.k);
      const scale = colourScale(header.colours, header.limit);
      const picture = paintIndices(bytes(header.lines * header.columns), header.lines, header.columns, scale);
      view = { data: { header, values }, scale, picture };
      held.moved ||= before !== header.positions[0]; // the first time too: a link may name a token further down
      held.active = Math.min(held.active, Math.max(0, header.positions.length - 1));
      list.setAttribute("aria-label", header.labels.list);
      const marked = new Set(header.ids).size;
      canvas.setAttribute("aria-label", fillLabel(header.labels.strip, { ...header, marked }));
    }
    view.theme = theme;
    arrange();
  };

  function revealChosen() {
    const chosen = indexOf(link.chosen);
    if (held.moved && chosen !== null) reveal(chosen);
    held.moved = false;
  }

  function arrange() {
    if (!view || root.clientWidth === 0) return;
    const { header } = view.data;
    view.layout = matrixLayout(root.clientWidth, view.data);
    const { layout } = view;
    root.classList.toggle("narrow", layout.narrow);
    body.style.height = `${layout.height + (layout.narrow ? 44 : 0)}px`;
    const box = { left: layout.list.x, top: layout.list.y, width: layout.list.width, height: layout.list.height };
    for (const [name, value] of Object.entries(box)) list.style[name] = `${value}px`;
    spacer.style.height = `${header.positions.length * layout.rowHeight}px`;
    cells = cellLayout(header, layout, list.clientWidth);
    for (const element of shown.values()) element.remove();
    shown.clear();
    arrangeDimensions();
    revealChosen();
    paint();
  }

  function arrangeDimensions() {
    const { header } = view.data;
    const { layout } = view;
    const values = { d_model: header.d_model, shown: cells.numbered, coloured: cells.numbered + cells.coloured };
    const all = cells.numbered === header.d_model;
    let template = all ? "all_dimensions" : "first_dimensions";
    if (!all && cells.coloured) template += values.coloured === header.d_model ? "_and_all" : "_and_colours";
    held.note = fillLabel(header.labels[template], values);
    note.style.top = `${layout.narrow ? layout.height : layout.list.y + layout.list.height + 4}px`;
    dimensions.replaceChildren();
    dimensions.style.left = `${layout.list.x}px`;
    dimensions.style.top = `${layout.list.y - 26}px`;
    const title = makeElement("span", { text: header.labels.dimension });
    title.style.right = `calc(100% + ${8 - cells.x}px)`;
    if (!layout.narrow) dimensions.append(title);
    for (let column = 0; column < cells.numbered; column += 1) {
      const number = makeElement("span", { text: String(column) });
      number.style.left = `${cells.x + column * cells.width}px`;
      number.style.width = `${cells.width - (layout.narrow ? 5 : 8)}px`;
      dimensions.append(number);
    }
  }

  function paint() {
    if (!view?.layout) return;
    const { header } = view.data;
    const { rowHeight, list: box } = view.layout;
    view.hovered = indexOf(link.hovered);
    view.chosen = indexOf(link.chosen);
    const first = Math.floor(list.scrollTop / rowHeight);
    const last = Math.min(header.positions.length - 1, Math.ceil((list.scrollTop + box.height) / rowHeight) - 1);
    for (const [index, element] of shown) {
      if (index >= first && index <= last) continue;
      element.remove();
      shown.delete(index);
    }
    view.visible = [];
    for (let index = first; index <= last; index += 1) {
      const middle = (index + 0.5) * rowHeight - list.scrollTop;
      if (middle >= 0 && middle <= box.height) view.visible.push({ index, y: box.y + middle });
      if (!shown.has(index)) shown.set(index, addRow(index));
      styleRow(shown.get(index), index);
    }
    showNote(first, last);
    list.setAttribute("aria-activedescendant", shown.has(held.active) ? `row-${held.active}` : "");
    drawStrip(canvas, view);
  }

  // A list that is longer than its box says which rows are in sight: not every system draws a scrollbar.
  function showNote(first, last) {
    const { labels, positions } = view.data.header;
    const all = positions.length * view.layout.rowHeight <= view.layout.list.height;
    const sight = fillLabel(labels.in_sight, { first: first + 1, last: last + 1, total: positions.length });
    const text = all ? held.note : `${held.note} · ${sight}`;
    const { narrow, list: box } = view.layout;
    note.style.left = `${narrow ? 0 : box.x + (all ? cells.x : 8)}px`; // the longer one needs the width of the list
    if (note.textContent !== text) note.textContent = text;
  }

  function addRow(index) {
    const { header, values } = view.data;
    const { rowHeight } = view.layout;
    const row = makeElement("div", {
      className: "row",
      testid: "matrix-row",
      role: "option",
      id: `row-${index}`,
      "aria-setsize": header.positions.length,
      "aria-posinset": index + 1,
      "data-position": header.positions[index],
      "data-id": header.ids[index],
    });
    row.style.height = `${rowHeight - 4}px`;
    row.style.top = `${index * rowHeight + 2}px`;
    row.style.gridTemplateColumns = `${cells.token}px ${cells.id}px 1fr`;
    const count = header.ids.filter((id) => id === header.ids[index]).length;
    const idText = fillLabel(header.labels[count > 1 && !view.layout.narrow ? "repeated" : "picked"], {
      id: header.ids[index],
      count,
    });
    row.append(
      makeElement("bdi", { className: "token", text: header.tokens[index], title: header.tokens[index] }),
      numberOf(idText, header.by_chance[index] ? header.labels.by_chance : null),
      rowCells(values.subarray(index * header.k, (index + 1) * header.k), view.scale, cells, header.d_model),
    );
    spacer.append(row);
    return row;
  }

  function styleRow(row, index) {
    const { ids } = view.data.header;
    const sameAs = (other) => other !== null && ids[other] === ids[index];
    row.setAttribute("aria-selected", String(index === view.chosen));
    row.classList.toggle("hovered", index === view.hovered);
    row.classList.toggle("same", sameAs(view.hovered) || sameAs(view.chosen));
    row.classList.toggle("active", index === held.active);
  }

  function reveal(index) {
    const { rowHeight, list: box } = view.layout;
    const top = index * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + rowHeight > list.scrollTop + box.height) list.scrollTop = top + rowHeight - box.height;
  }

  // What the listeners may do; the view changes, so it is read through it.
  const figure = {
    get view() {
      return view;
    },
    get active() {
      return held.active;
    },
    hover: (index) => link.hover(index === null ? null : view.data.header.positions[index]),
    toggle: (index) => link.toggle(view.data.header.positions[index]),
    activate(index) {
      held.active = index;
      schedule();
    },
    reveal,
    schedule,
  };
  listenToRows(list, figure);
  listenToStrip(canvas, figure);

  const unsubscribe = link.subscribe(({ chosen, cause }) => {
    const index = cause === "choose" ? indexOf(chosen) : null;
    if (index !== null && !list.matches(":hover")) {
      held.active = index;
      reveal(index);
    }
    schedule();
  });
  const resized = new ResizeObserver(arrange);
  resized.observe(root);
  held.unmount = () => {
    unsubscribe();
    resized.disconnect();
    cancelAnimationFrame(frame);
    root.remove();
  };
  return held;
}
