// A long list of rows of one height, of which only those in sight are elements.
//
//     const list = virtualList(scroller, body, (index) => makeElement("li", { text: lines[index] }));
//     list.resize(lines.length, 36);   // new rows, or rows of another height
//     list.scrollTo(120);

/** First and last index of the rows in sight, with one more at either end. */
export function rowsInSight(
  { scrollTop, clientHeight }: { scrollTop: number; clientHeight: number },
  rowHeight: number,
  count: number,
): [first: number, last: number] {
  const first = Math.floor(scrollTop / rowHeight) - 1;
  const last = Math.floor((scrollTop + clientHeight) / rowHeight) + 1;
  return [Math.max(0, first), Math.min(count - 1, last)];
}

/**
 * @param scroller with the CSS `overflow-y: auto` and a height
 * @param body in it, which gets the height of all rows and the CSS `position: relative`
 * @param makeRow makes the element of a row; its `position` is set to absolute
 * @param onChange after other rows have come into sight, with their elements by index
 */
export function virtualList<Row extends HTMLElement>(
  scroller: HTMLElement,
  body: HTMLElement,
  makeRow: (index: number) => Row,
  onChange: (rows: ReadonlyMap<number, Row>) => void = () => {},
) {
  const rows = new Map<number, Row>();
  let [count, rowHeight] = [0, 1];

  function update() {
    const [first, last] = rowsInSight(scroller, rowHeight, count);
    let changed = false;
    for (const [index, row] of rows) {
      if (index >= first && index <= last) continue;
      row.remove();
      rows.delete(index);
      changed = true;
    }
    let after: Row | undefined; // rows are elements in their order, for screen readers
    for (let index = last; index >= first; index -= 1) {
      let row = rows.get(index);
      if (!row) {
        row = makeRow(index);
        Object.assign(row.style, { position: "absolute", top: `${index * rowHeight}px`, height: `${rowHeight}px` });
        body.insertBefore(row, after ?? null);
        rows.set(index, row);
        changed = true;
      }
      after = row;
    }
    if (changed) onChange(rows);
  }
  scroller.addEventListener("scroll", update, { passive: true });

  return {
    rows: rows as ReadonlyMap<number, Row>,
    /** Renders the rows in sight, which have changed their size or come into sight. */
    update,
    /** Renders all rows anew. */
    resize(newCount: number, newHeight: number) {
      [count, rowHeight] = [newCount, newHeight];
      for (const row of rows.values()) row.remove();
      rows.clear();
      body.style.height = `${count * rowHeight}px`;
      update();
    },
    /** Scroll the least distance that brings a row into view. */
    scrollTo(index: number, rowCount = 1) {
      const [top, bottom] = [index * rowHeight, (index + rowCount) * rowHeight];
      const { scrollTop, clientHeight } = scroller;
      scroller.scrollTop = top < scrollTop ? top : Math.max(scrollTop, Math.min(top, bottom - clientHeight));
      update();
    },
    stop: () => scroller.removeEventListener("scroll", update),
  };
}
