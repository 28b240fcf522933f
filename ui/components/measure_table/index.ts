// A table that sorts by any heading. What is not defined stands last, whichever way it is sorted.

import { makeElement } from "../_shared/elements.ts";
import { lasting, type Page, type ParentElement, takingDown, watchSize } from "../_shared/lifecycle.ts";
import { lookOf } from "../_shared/look.ts";
import { namedText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import { barOf, type Order, type Row, sortRows } from "./rows.ts";

export default lasting(mountTable);

/** A column has a measure. */
type Column = { title: string; help: string };
type Labels = Record<"table" | "scheme" | "sort" | "undefined" | "hint", string>;
/** What Python sends. */
type Data = { columns: Column[]; rows: Row[]; turned: boolean; plain: boolean; chooses: boolean; labels: Labels };

function mountTable(parentElement: ParentElement) {
  const head = makeElement("thead");
  const body = makeElement("tbody");
  const table = makeElement("table", { testid: "measures" }, head, body);
  const region = makeElement("div", { className: "region", role: "region", tabindex: "0" }, table);
  const about = makeElement("p", { className: "about", testid: "measure-about" });
  const box = makeElement("div", { className: "box" }, region);
  const root = makeElement("div", {}, about, box);
  parentElement.append(root);
  let order: Order = { column: null, down: true };
  let data: Data;
  let page: Page;
  const look = lookOf(root, "order", ([column, down = 1]) => {
    if (Number.isInteger(column) && column >= -1 && column < data.columns.length) sort(column, down !== 0);
  });

  function sort(column: number, down: boolean) {
    order = { column, down };
    look.say([column, Number(down)]);
    draw();
  }

  function draw() {
    const focused = ((region.getRootNode() as ShadowRoot).activeElement as HTMLElement | null)?.dataset.column;
    const rows = sortRows(data.rows, order);
    const headings = [data.labels.scheme, ...data.columns.map(({ title }) => title)].map((title, index) =>
      heading(title, index - 1),
    );
    const lines = data.turned
      ? data.columns.map((_, column) => [headings[column + 1], ...rows.map((row) => cell(row, column))])
      : rows.map((row) => [rowTitle(row, "row"), ...data.columns.map((_, column) => cell(row, column))]);
    const across = data.turned ? [headings[0], ...rows.map((row) => rowTitle(row, "col"))] : headings;
    head.replaceChildren(makeElement("tr", {}, ...across));
    body.replaceChildren(...lines.map((cells) => makeElement("tr", {}, ...cells)));
    table.classList.toggle("turned", data.turned);
    table.classList.toggle("plain", data.plain);
    about.hidden = data.turned || data.plain;
    explain();
    showMore();
    if (focused !== undefined) (table.querySelector(`[data-column="${focused}"]`) as HTMLElement | null)?.focus();
  }

  function heading(title: string, column: number) {
    const here = order.column === column;
    const arrow = makeElement("span", {
      className: "arrow",
      "aria-hidden": "true",
      text: here ? (data.turned ? "▶◀" : "▼▲")[Number(!order.down)] : "",
    });
    const button = makeElement("button", { type: "button", "data-column": column }, `${title} `, arrow);
    const meaning = data.columns[column]?.help;
    const help = meaning && namedText(title, meaning);
    button.setAttribute("aria-description", help ?? fillLabel(data.labels.sort, { column: title }));
    for (const type of ["pointerenter", "focus"]) button.addEventListener(type, () => explain(help));
    for (const type of ["pointerleave", "blur"]) button.addEventListener(type, () => explain());
    button.addEventListener("click", () => sort(column, here ? !order.down : column >= 0));
    const across = data.turned && column >= 0;
    const cell = makeElement("th", { scope: across ? "row" : "col" }, button);
    if (across) cell.append(makeElement("p", { className: "help", text: meaning }));
    cell.setAttribute("aria-sort", here ? (order.down ? "descending" : "ascending") : "none");
    return cell;
  }

  /** What a measure means stands above the table, where no finger covers it. */
  function explain(help?: string) {
    about.textContent = help ?? data.labels.hint;
  }

  // The edge fades as long as there is more behind it.
  function showMore() {
    box.classList.toggle("more", region.scrollLeft + region.clientWidth < region.scrollWidth - 2);
  }
  region.addEventListener("scroll", showMore, { passive: true });

  function rowTitle(row: Row, scope: "row" | "col") {
    const title = makeElement("th", { scope, className: "title" }, ...(data.chooses ? [] : [row.title]));
    if (data.chooses) {
      const button = makeElement("button", { type: "button", text: row.title });
      button.addEventListener("click", () => page.setTriggerValue("row", data.rows.indexOf(row)));
      title.append(button);
    }
    return marked(title, row);
  }

  function marked(element: HTMLElement, row: Row) {
    element.classList.toggle("front", row.front);
    element.style.setProperty("--group", row.colour);
    return element;
  }

  function cell(row: Row, column: number) {
    const value = row.values[column];
    if (data.plain) return marked(makeElement("td", { text: row.texts[column] ?? "" }), row);
    if (value === null) {
      const none = makeElement("span", { className: "none", text: data.labels.undefined });
      return marked(makeElement("td", {}, none), row);
    }
    const bar = barOf(
      value,
      data.rows.map((each) => each.values[column]),
    );
    const fill = makeElement("div", { className: "fill" });
    fill.style.left = `${100 * bar.start}%`;
    fill.style.width = `${100 * bar.length}%`;
    const track = makeElement("div", { className: "track", "aria-hidden": "true" }, fill);
    return marked(makeElement("td", {}, row.texts[column] ?? "", track), row);
  }

  return {
    receive(next: Data, here: Page) {
      [data, page] = [next, here];
      region.setAttribute("aria-label", data.labels.table);
      if (order.column !== null && order.column >= data.columns.length) order = { ...order, column: null };
      draw();
      look.ready();
    },
    unmount: takingDown(root, watchSize(region, showMore)),
  };
}
