// A table that sorts by any heading; undefined values sort last in both directions.

import { watchSize } from "../_shared/lifecycle.ts";
import { namedText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import { explainOnHover } from "../_shared/tooltip.ts";
import { preactComponent, useEffect, useLayoutEffect, useRef, useState, useViewState } from "../_shared/view.ts";
import { barOf, type Order, type Row, sortRows } from "./rows.ts";

/** A column has a measure. */
type Column = { title: string; help: string };
type Labels = Record<"table" | "scheme" | "sort" | "undefined", string>;
/** The payload from Python. */
type Data = { columns: Column[]; rows: Row[]; turned: boolean; plain: boolean; chooses: boolean; labels: Labels };

export default preactComponent<Data>(({ data, page }) => {
  const { columns, rows, turned, plain, chooses, labels } = data;
  const root = useRef<HTMLDivElement>(null);
  const [chosenOrder, setOrder] = useState<Order>({ column: null, down: true });
  const isColumn = (column: number) => Number.isInteger(column) && column >= -1 && column < columns.length;
  const order =
    chosenOrder.column === null || isColumn(chosenOrder.column) ? chosenOrder : { column: null, down: true };
  const viewState = useViewState(root, "order", ([column, down = 1]) => {
    if (isColumn(column)) sort(column, down !== 0);
  });
  const sorted = sortRows(rows, order);

  function sort(column: number, down: boolean) {
    setOrder({ column, down });
    viewState.current?.setValue([column, Number(down)]);
  }

  useEffect(() => {
    if (root.current)
      explainOnHover(root.current, "[data-help]", (button) => button.dataset.help, { testid: "measure-about" });
  }, []);
  useLayoutEffect(() => {
    // The edge fades as long as there is more behind it.
    const box = root.current as HTMLElement;
    const region = box.firstElementChild as HTMLElement;
    const showMore = () =>
      box.classList.toggle("more", region.scrollLeft + region.clientWidth < region.scrollWidth - 2);
    const unwatch = watchSize(region.firstElementChild as Element, showMore);
    region.addEventListener("scroll", showMore, { passive: true });
    return () => {
      unwatch();
      region.removeEventListener("scroll", showMore);
    };
  }, []);

  function heading(title: string, column: number) {
    const isSorted = order.column === column;
    const across = turned && column >= 0;
    const meaning = columns[column]?.help;
    return (
      <th
        key={`heading ${column}`}
        scope={across ? "row" : "col"}
        className={!across && rows.some(({ values }) => values[column] != null) ? "number" : ""}
        aria-sort={isSorted ? (order.down ? "descending" : "ascending") : "none"}
      >
        <button
          type="button"
          data-help={meaning && !across ? `${title}\n${meaning}` : undefined}
          aria-description={meaning ? namedText(title, meaning) : fillLabel(labels.sort, { column: title })}
          onClick={() => sort(column, isSorted ? !order.down : column >= 0)}
        >
          {title}{" "}
          <span className={isSorted ? "arrow sorted" : "arrow"} aria-hidden="true">
            {(turned ? "▶◀" : "▼▲")[Number(isSorted ? !order.down : column < 0)]}
          </span>
        </button>
        {across && <p className="help">{meaning}</p>}
      </th>
    );
  }

  const rowLooks = ({ front, colour }: Row, className = "") => ({
    className: front ? `${className} front` : className,
    style: { "--group": colour },
  });

  const rowTitle = (row: Row, scope: "row" | "col") => (
    <th key={`title ${rows.indexOf(row)}`} scope={scope} {...rowLooks(row, "title")}>
      {chooses ? (
        <button type="button" onClick={() => page.setTriggerValue("row", rows.indexOf(row))}>
          {row.title}
        </button>
      ) : (
        row.title
      )}
    </th>
  );

  function cell(row: Row, column: number) {
    const value = row.values[column];
    const text = row.texts[column] ?? "";
    const key = `${rows.indexOf(row)} ${column}`;
    if (plain)
      return (
        <td key={key} {...rowLooks(row, value === null ? "" : "number")}>
          {text}
        </td>
      );
    if (value === null)
      return (
        <td key={key} {...rowLooks(row)}>
          <span className="none">{labels.undefined}</span>
        </td>
      );
    const { start, length } = barOf(
      value,
      rows.map((each) => each.values[column]),
    );
    return (
      <td key={key} {...rowLooks(row, "number")}>
        {text}
        <div className="track" aria-hidden="true">
          <div className="fill" style={{ left: `${100 * start}%`, width: `${100 * length}%` }} />
        </div>
      </td>
    );
  }

  const headings = columns.map(({ title }, column) => heading(title, column));
  return (
    <div className="box" ref={root}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
      <section className="region" tabIndex={0} aria-label={labels.table}>
        <table
          className={`${turned ? "turned" : ""} ${plain ? "plain" : ""}`}
          style={{ "--columns": turned ? rows.length : columns.length }}
          data-testid="measures"
        >
          <thead>
            <tr>
              {heading(labels.scheme, -1)}
              {turned ? sorted.map((row) => rowTitle(row, "col")) : headings}
            </tr>
          </thead>
          <tbody>
            {turned
              ? headings.map((each, column) => (
                  <tr key={column}>
                    {each}
                    {sorted.map((row) => cell(row, column))}
                  </tr>
                ))
              : sorted.map((row) => (
                  <tr key={rows.indexOf(row)}>
                    {rowTitle(row, "row")}
                    {columns.map((_, column) => cell(row, column))}
                  </tr>
                ))}
          </tbody>
        </table>
      </section>
    </div>
  );
});
