// A table that sorts by any heading. What is not defined stands last, whichever way it is sorted.

import { makeElement } from "../_shared/elements.js";
import { lasting } from "../_shared/lifecycle.js";
import { fillLabel } from "../_shared/text.js";

export default lasting(mountTable);

function mountTable(parentElement) {
  const head = makeElement("thead");
  const body = makeElement("tbody");
  const table = makeElement("table", { testid: "measures" }, head, body);
  const region = makeElement("div", { className: "region", role: "region", tabindex: "0" }, table);
  const about = makeElement("p", { className: "about", testid: "measure-about" });
  const box = makeElement("div", { className: "box" }, region);
  const root = makeElement("div", {}, about, box);
  parentElement.append(root);
  const held = { sorted: null, down: true }; // index of a column, -1 for the names
  let data = null;

  held.receive = (next) => {
    data = next;
    region.setAttribute("aria-label", data.labels.table);
    if (held.sorted !== null && held.sorted >= data.columns.length) held.sorted = null;
    draw();
  };

  function draw() {
    const focused = region.getRootNode().activeElement?.dataset?.column;
    const titles = [data.labels.scheme, ...data.columns.map((column) => column.title)];
    head.replaceChildren(makeElement("tr", {}, ...titles.map((title, index) => heading(title, index - 1))));
    body.replaceChildren(...inOrder().map(line));
    explain(null);
    showMore();
    if (focused !== undefined) head.querySelector(`[data-column="${focused}"]`)?.focus();
  }

  function heading(title, column) {
    const here = held.sorted === column;
    const arrow = makeElement("span", {
      className: "arrow",
      "aria-hidden": "true",
      text: here ? (held.down ? "▼" : "▲") : "",
    });
    const button = makeElement("button", { type: "button", "data-column": column }, `${title} `, arrow);
    const help = data.columns[column] && `${title}: ${data.columns[column].help}`;
    button.setAttribute("aria-description", help ?? fillLabel(data.labels.sort, { column: title }));
    for (const type of ["pointerenter", "focus"]) button.addEventListener(type, () => explain(help));
    for (const type of ["pointerleave", "blur"]) button.addEventListener(type, () => explain(null));
    button.addEventListener("click", () => {
      held.down = here ? !held.down : column >= 0;
      held.sorted = column;
      draw();
    });
    const cell = makeElement("th", { scope: "col" }, button);
    cell.setAttribute("aria-sort", here ? (held.down ? "descending" : "ascending") : "none");
    return cell;
  }

  // What a measure means stands above the table, where no finger covers it.
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

  function inOrder() {
    const rows = [...data.rows];
    if (held.sorted === null) return rows;
    const sign = held.down ? -1 : 1;
    if (held.sorted < 0) return rows.sort((a, b) => sign * a.title.localeCompare(b.title));
    const of = (row) => row.values[held.sorted];
    return rows.sort((a, b) => {
      if (of(a) === null || of(b) === null) return (of(a) === null) - (of(b) === null);
      return sign * (of(a) - of(b));
    });
  }

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

  function cell(row, value, column) {
    if (value === null)
      return makeElement("td", {}, makeElement("span", { className: "none", text: data.labels.undefined }));
    const others = data.rows.map((each) => each.values[column]).filter((each) => each !== null);
    const [low, high] = [Math.min(0, ...others), Math.max(0, ...others)];
    const fill = makeElement("div", { className: "fill" });
    const at = (number) => (high > low ? (number - low) / (high - low) : 0);
    fill.style.left = `${100 * at(Math.min(0, value))}%`;
    fill.style.width = `${100 * (at(Math.max(0, value)) - at(Math.min(0, value)))}%`;
    return makeElement(
      "td",
      {},
      row.texts[column],
      makeElement("div", { className: "track", "aria-hidden": "true" }, fill),
    );
  }

  held.unmount = () => {
    resized.disconnect();
    root.remove();
  };
  return held;
}
