// The two tables of index.ts: their cells, how wide these are, and going from one to the next by key.

import { makeElement, tokenElement } from "../_shared/elements.ts";
import { nextInGrid } from "../_shared/keys.ts";
import { fillLabel } from "../_shared/text.ts";

const HEAD = 40; // px, the column of the samples' numbers
const LEAST_CELL = 76; // two lines of seven letters
const NARROWEST_CELL = 60; // two lines of five, where none then has to be scrolled to
const MOST_CELL = 132;
const LEAST_TABLE = 170; // its name and its size over it

type TableName = "inputs" | "targets";
export type Cell = { table: TableName; row: number; place: number };
type LabelName =
  | "inputs"
  | "targets"
  | "shape"
  | "sample"
  | "position"
  | "lay"
  | "back"
  | "first"
  | "both"
  | "last"
  | "shown";
/** The payload from Python; window_pairs() there documents each entry. */
export interface Data {
  inputs: number[][];
  targets: number[][];
  starts: number[];
  texts: Record<string, string>;
  shape: [rows: number, columns: number]; // of all, of which only the first are drawn
  labels: Record<LabelName, string>;
}
export type Part = ReturnType<typeof pairTable>;

export function pairTable(name: TableName) {
  const title = makeElement("h2");
  const size = makeElement("span", { className: "size" });
  const places = makeElement("thead");
  const body = makeElement("tbody");
  const table = makeElement("table", { testid: `pairs-${name}`, role: "grid" }, places, body);
  const root = makeElement("section", { className: name }, makeElement("header", {}, title, size), table);
  return { name, root, title, size, places, body, table };
}

export function fillTable(part: Part, data: Data) {
  const { labels, starts, shape, texts } = data;
  const ids = data[part.name];
  const ahead = part.name === "targets" ? 1 : 0;
  part.title.textContent = labels[part.name];
  part.size.textContent = fillLabel(labels.shape, { rows: shape[0], columns: shape[1] });
  part.table.setAttribute("aria-label", `${labels[part.name]} ${part.size.textContent}`);
  const corner = makeElement("td", { "aria-hidden": "true" });
  const roles = { sample: "rowheader", position: "columnheader" };
  const numbered = (kind: "sample" | "position", index: number) =>
    makeElement("th", { role: roles[kind], "aria-label": `${labels[kind]} ${index}`, text: String(index) });
  part.places.replaceChildren(
    makeElement("tr", { role: "row" }, corner, ...ids[0].map((_, place) => numbered("position", place))),
  );
  part.body.replaceChildren(
    ...ids.map((line, row) =>
      makeElement(
        "tr",
        { role: "row", style: `order: ${2 * row + ahead}` },
        numbered("sample", row),
        ...line.map((id, place) => {
          const cell = makeElement("td", {
            className: "cell",
            testid: "pairs-cell",
            role: "gridcell",
            tabindex: "-1",
            "aria-selected": "false",
          });
          const chip = makeElement("span", { className: "token-chip" });
          chip.append(tokenElement(texts[id]), makeElement("small", { text: String(id) }));
          cell.append(chip);
          const position = starts[row] + place + ahead;
          Object.assign(cell.dataset, { position, row, place, table: part.name });
          return cell;
        }),
      ),
    ),
  );
}

/**
 * The width of a cell, and whether the tables are stacked. They stand beside each other where the cells are wide
 * enough, with room for one more column between them; else each row of targets under its row of inputs, and where that
 * is too narrow too, all scroll as one.
 * @param columns of one table
 * @param width of the room for both, in px
 */
export function pairLayout(columns: number, width: number) {
  const beside = (width - 2 * HEAD) / (2 * columns + 1);
  const wide = Math.min(MOST_CELL, beside);
  const stacked = beside < LEAST_CELL || 2 * Math.max(LEAST_TABLE, HEAD + columns * wide) + wide > width + 2;
  const under = (width - HEAD) / (columns + 1);
  const scrolls = stacked && under < NARROWEST_CELL;
  return { stacked, cell: Math.floor(scrolls ? LEAST_CELL : Math.min(MOST_CELL, stacked ? under : beside)) };
}

export function layOutPairs(root: HTMLElement, columns: number, width: number) {
  const { stacked, cell } = pairLayout(columns, width);
  root.style.setProperty("--cell", `${cell}px`);
  root.style.setProperty("--head", `${HEAD}px`);
  root.classList.toggle("stacked", stacked);
}

/**
 * Where a key leads from a cell; null for a key that leads nowhere.
 * @param shape of one table
 */
export function nextCell(
  { table, row, place }: Cell,
  key: string,
  [rows, columns]: [rows: number, columns: number],
): Cell | null {
  const across = place + (table === "targets" ? columns : 0);
  const to = nextInGrid(key, { row, column: across }, { rows, columns: 2 * columns });
  return to && { table: to.column < columns ? "inputs" : "targets", row: to.row, place: to.column % columns };
}

/**
 * The cells that are one token in both tables, for each row that has it in both: the target, and the input it becomes.
 * @param position in the text
 */
export function sameToken(position: number, starts: number[], columns: number): [target: Cell, input: Cell][] {
  return starts.flatMap((start, row) => {
    const place = position - start;
    if (place < 1 || place >= columns) return [];
    return [
      [
        { table: "targets", row, place: place - 1 },
        { table: "inputs", row, place },
      ],
    ];
  });
}
