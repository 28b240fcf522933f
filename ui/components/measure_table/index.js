// A table that sorts by any heading. What is not defined stands last, whichever way it is sorted.

import { makeElement } from "../_shared/elements.js";
import { lasting } from "../_shared/lifecycle.js";
import { fillLabel } from "../_shared/text.js";
import { barOf, sortRows } from "./rows.js";

export default lasting(mountTable);

/** @typedef {import("./rows.js").Row} Row */
/** @typedef {{ title: string, help: string }} Column a measure */
/** @typedef {Record<"table" | "scheme" | "sort" | "undefined" | "hint", string>} Labels */
/** @typedef {{ columns: Column[], rows: Row[], labels: Labels }} Data what Python sends */

/** @param {import("../_shared/lifecycle.js").Place} parentElement */
function mountTable(parentElement) {
  const head = makeElement("thead");
  const body = makeElement("tbody");
  const table = makeElement("table", { testid: "measures" }, head, body);
  const region = makeElement("div", { className: "region", role: "region", tabindex: "0" }, table);
  const about = makeElement("p", { className: "about", testid: "measure-about" });
  const box = makeElement("div", { className: "box" }, region);
  const root = makeElement("div", {}, about, box);
  parentElement.append(root);
  /** @type {import("./rows.js").Order} */
  let order = { column: null, down: true };
  /** @type {Data} */
  let data;

  function draw() {
    const focused = /** @type {HTMLElement | null} */ (/** @type {ShadowRoot} */ (region.getRootNode()).activeElement)
      ?.dataset.column;
    const titles = [data.labels.scheme, ...data.columns.map((column) => column.title)];
    head.replaceChildren(makeElement("tr", {}, ...titles.map((title, index) => heading(title, index - 1))));
    body.replaceChildren(...sortRows(data.rows, order).map(line));
    explain();
    showMore();
    if (focused !== undefined)
      /** @type {HTMLElement | null} */ (head.querySelector(`[data-column="${focused}"]`))?.focus();
  }

  /**
   * @param {string} title
   * @param {number} column
   */
  function heading(title, column) {
    const here = order.column === column;
    const arrow = makeElement("span", {
      className: "arrow",
      "aria-hidden": "true",
      text: here ? (order.down ? "▼" : "▲") : "",
    });
    const button = makeElement("button", { type: "button", "data-column": column }, `${title} `, arrow);
    const help = data.columns[column] && `${title}: ${data.columns[column].help}`;
    button.setAttribute("aria-description", help ?? fillLabel(data.labels.sort, { column: title }));
    for (const type of ["pointerenter", "focus"]) button.addEventListener(type, () => explain(help));
    for (const type of ["pointerleave", "blur"]) button.addEventListener(type, () => explain());
    button.addEventListener("click", () => {
      order = { column, down: here ? !order.down : column >= 0 };
      draw();
    });
    const cell = makeElement("th", { scope: "col" }, button);
    cell.setAttribute("aria-sort", here ? (order.down ? "descending" : "ascending") : "none");
    return cell;
  }

  /**
   * What a measure means stands above the table, where no finger covers it.
   * @param {string} [help]
   */
  function explain(help) {
    about.textContent = help ?? data.labels.hint;
  }

  // The edge fades as long as there is more behind it.
  function showMore() {
    box.classList.toggle("more", region.scrollLeft + region.clientWidth < region.scrollWidth - 2);
  }
  region.addEventListener("scroll", showMore, { passive: true });
  const resized = new ResizeObserver(showMore);
  resized.observe(region);

  /** @param {Row} row */
  function line(row) {
    const cells = row.values.map((value, column) => cell(row, value, column));
    const element = makeElement(
      "tr",
      { className: row.front ? "front" : "" },
      makeElement("th", { scope: "row", text: row.title }),
      ...cells,
    );
    element.style.setProperty("--group", row.colour);
    return element;
  }

  /**
   * @param {Row} row
   * @param {number | null} value
   * @param {number} column
   */
  function cell(row, value, column) {
    if (value === null)
      return makeElement("td", {}, makeElement("span", { className: "none", text: data.labels.undefined }));
    const bar = barOf(
      value,
      data.rows.map((each) => each.values[column]),
    );
    const fill = makeElement("div", { className: "fill" });
    fill.style.left = `${100 * bar.start}%`;
    fill.style.width = `${100 * bar.length}%`;
    const track = makeElement("div", { className: "track", "aria-hidden": "true" }, fill);
    return makeElement("td", {}, row.texts[column] ?? "", track);
  }

  return {
    receive(/** @type {Data} */ next) {
      data = next;
      region.setAttribute("aria-label", data.labels.table);
      if (order.column !== null && order.column >= data.columns.length) order = { ...order, column: null };
      draw();
    },
    unmount() {
      resized.disconnect();
      root.remove();
    },
  };
}
