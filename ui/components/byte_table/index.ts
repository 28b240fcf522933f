// Characters, their code points, their bytes and their tokens: one line for each code point, those in sight only. The
// page's one pointer counts characters; with one of them light up all bytes of the tokens that hold it.

import { makeElement } from "../_shared/elements.js";
import { lasting, takingDown, watchSize } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { lookOfScroll } from "../_shared/look.js";
import { newsWatch } from "../_shared/payload.js";
import { nextInList } from "../_shared/tokens.js";
import { byteLine, byteModel, linesInSight, spokenBytes } from "./rows.js";

export default lasting(mountBytes);

/** @typedef {import("./rows.js").Data} Data */
/** @typedef {ReturnType<typeof byteLine>} DrawnLine */

/** @param {import("../_shared/lifecycle.js").Place} parentElement */
function mountBytes(parentElement) {
  const headings = /** @type {const} */ (["character", "code_point", "bytes"]).map((name) => ({
    name,
    cell: makeElement("div", { role: "columnheader", className: name }),
  }));
  const top = makeElement(
    "div",
    { role: "rowgroup", className: "headings" },
    makeElement("div", { role: "row" }, ...headings.map(({ cell }) => cell)),
  );
  const body = makeElement("div", { role: "rowgroup", className: "body" });
  const table = makeElement("div", { role: "table", className: "table" }, top, body);
  const scroller = makeElement(
    "div",
    { className: "scroller", role: "group", tabindex: "0", testid: "byte-table" },
    table,
  );
  const lead = makeElement("p", { className: "lead" });
  const said = makeElement("p", { className: "said" });
  const empty = makeElement("p", { className: "empty" });
  const root = makeElement("div", { className: "bytes-root" }, lead, scroller, said, empty);
  parentElement.append(root);

  const isNew = newsWatch();
  /** @type {import("./rows.js").Model | null} */
  let model = null;
  let lineHeight = 0;
  /** @type {Map<number, DrawnLine>} the lines in sight, by index */
  let drawn = new Map();
  /** @type {[HTMLElement, string][]} */
  let lit = [];
  let acting = false;
  const look = lookOfScroll(root, scroller);

  /** @param {Data} data */
  function receive(data) {
    if (!isNew(data)) return;
    model = byteModel(data);
    const { labels } = data;
    for (const { name, cell } of headings) cell.textContent = labels[name];
    lead.textContent = labels.lead;
    empty.textContent = labels.empty;
    scroller.setAttribute("aria-label", labels.figure);
    table.setAttribute("aria-label", labels.figure);
    table.setAttribute("aria-rowcount", String(model.lines.length + 1));
    empty.hidden = model.lines.length > 0;
    lead.hidden = scroller.hidden = !empty.hidden;
    said.textContent = "";
    arrange();
    look.ready();
  }

  function arrange() {
    if (!model || root.clientWidth === 0) return;
    const narrow = root.clientWidth < 640;
    root.classList.toggle("narrow", narrow);
    lineHeight = narrow ? 124 : 88;
    body.style.height = `${model.lines.length * lineHeight}px`;
    for (const line of drawn.values()) line.root.remove();
    drawn = new Map();
    drawLines();
  }

  function drawLines() {
    if (!model) return;
    const { scrollTop, clientHeight } = scroller;
    const [first, last] = linesInSight(scrollTop, clientHeight, top.offsetHeight, lineHeight, model.lines.length);
    for (const [index, line] of drawn) {
      if (index >= first && index <= last) continue;
      line.root.remove();
      drawn.delete(index);
    }
    for (let index = first; index <= last; index += 1) {
      if (drawn.has(index)) continue;
      const line = byteLine(model, index);
      line.root.style.top = `${index * lineHeight}px`;
      line.root.style.height = `${lineHeight}px`;
      // In the order of the text, for those who hear it.
      const after = [...drawn.keys()].filter((other) => other > index).sort((a, b) => a - b)[0];
      body.insertBefore(line.root, drawn.get(after)?.root ?? null);
      drawn.set(index, line);
    }
    paint();
  }

  const within = (/** @type {number | null} */ column) =>
    column !== null && model?.linesOf.has(column) ? column : null;

  function paint() {
    if (!model) return;
    for (const [element, name] of lit) element.classList.remove(name);
    lit = [];
    for (const name of /** @type {const} */ (["hovered", "chosen"])) {
      const column = within(link[name]);
      if (column === null) continue;
      const tokens = model.tokensOf(column);
      for (const line of drawn.values()) {
        if (line.column === column) lit.push([line.root, name]);
        for (const { element, token } of line.groups) if (tokens.has(token)) lit.push([element, name]);
      }
    }
    for (const [element, name] of lit) element.classList.add(name);
  }

  /** @param {number | null} column */
  function point(column) {
    acting = true;
    link.hover(column);
    acting = false;
  }

  /** @param {number} column */
  function reveal(column) {
    const [first, last] = model?.linesOf.get(column) ?? [0, 0];
    const head = top.offsetHeight;
    const [from, to] = [first * lineHeight, (last + 1) * lineHeight + head];
    if (from < scroller.scrollTop) scroller.scrollTop = from;
    else if (to > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = Math.min(from, to - scroller.clientHeight);
    drawLines();
  }

  const columnAt = (/** @type {Event} */ event) => {
    const line = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-column]"));
    return line ? Number(line.dataset.column) : null;
  };
  scroller.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch" && columnAt(event) !== null) point(columnAt(event));
  });
  scroller.addEventListener("pointerleave", () => point(null));
  scroller.addEventListener("click", (event) => {
    const column = columnAt(event);
    if (column === null) return;
    acting = true;
    link.toggle(column);
    acting = false;
  });
  scroller.addEventListener("scroll", drawLines, { passive: true });
  scroller.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !model?.lines.length) return;
    const { firstColumn, count } = model;
    const here = within(link.hovered);
    const at = here ?? within(link.chosen) ?? firstColumn;
    const next = nextInList(event.key, at - firstColumn, count, 5);
    if (next !== null) {
      // The first key only shows where the pointer is.
      const column = here === null && event.key !== "Home" && event.key !== "End" ? at : firstColumn + next;
      reveal(column);
      point(column);
      said.textContent = spokenBytes(model, column);
    } else if (event.key === "Enter" || event.key === " ") link.toggle(at);
    else if (event.key === "Escape" && here !== null) point(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  scroller.addEventListener("blur", () => point(null));
  said.ariaLive = "polite";

  const unsubscribe = link.subscribe(({ hovered, chosen, cause }) => {
    const column = within(cause === "hover" ? hovered : chosen);
    if (!acting && column !== null && lineHeight) reveal(column);
    else paint();
  });
  let width = 0;
  const unwatch = watchSize(root, () => {
    if (root.clientWidth !== width) arrange();
    width = root.clientWidth;
  });
  return { receive, unmount: takingDown(root, unsubscribe, unwatch, () => link.hover(null)) };
}
