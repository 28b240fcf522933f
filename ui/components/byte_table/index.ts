// Characters, their code points, their bytes and their tokens: one line for each code point, those in sight only. The
// page's one pointer counts characters; with one of them light up all bytes of the tokens that hold it.

import { makeElement } from "../_shared/elements.ts";
import { lasting, type ParentElement, takingDown, watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { lookOfScroll } from "../_shared/look.ts";
import { newsWatch } from "../_shared/payload.ts";
import { nextInList } from "../_shared/tokens.ts";
import { byteLine, byteModel, type Data, linesInSight, type Model, spokenBytes } from "./rows.ts";

export default lasting(mountBytes);

type DrawnLine = ReturnType<typeof byteLine>;

function mountBytes(parentElement: ParentElement) {
  const headings = (["character", "code_point", "bytes"] as const).map((name) => ({
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
  let model: Model | null = null;
  let lineHeight = 0;
  /** The lines in sight, by index. */
  let drawn = new Map<number, DrawnLine>();
  let lit: [HTMLElement, string][] = [];
  let acting = false;
  const look = lookOfScroll(root, scroller);

  function receive(data: Data) {
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

  const within = (column: number | null) => (column !== null && model?.linesOf.has(column) ? column : null);

  function paint() {
    if (!model) return;
    for (const [element, name] of lit) element.classList.remove(name);
    lit = [];
    for (const name of ["hovered", "chosen"] as const) {
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

  function point(column: number | null) {
    acting = true;
    link.hover(column);
    acting = false;
  }

  function reveal(column: number) {
    const [first, last] = model?.linesOf.get(column) ?? [0, 0];
    const head = top.offsetHeight;
    const [from, to] = [first * lineHeight, (last + 1) * lineHeight + head];
    if (from < scroller.scrollTop) scroller.scrollTop = from;
    else if (to > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = Math.min(from, to - scroller.clientHeight);
    drawLines();
  }

  const columnAt = (event: Event) => {
    const line = (event.target as Element).closest("[data-column]") as HTMLElement | null;
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
