// What stands above the staff: the counts of each tokenizer and its token under the pointer, and the way from one place
// where the rows are cut differently to the next.

import { makeElement } from "../_shared/elements.ts";
import { iconButton, nameButton } from "../_shared/icons.ts";
import { countText, decimalText, listText } from "../_shared/numbers.ts";
import { fillLabel, hasAgainst } from "../_shared/text.ts";
import { isSmall, type Model, type Row, tokensAt, tokenText } from "./columns.ts";
import type { Place } from "./keys.ts";

type Head = ReturnType<typeof rowsHead>;

const COLUMNS = ["tokenizer", "tokens", "characters_per_token", "bytes_per_token", "here"] as const;

export function rowsHead() {
  const headings = COLUMNS.map((name) => makeElement("div", { role: "columnheader", className: name }));
  const parts = {
    headings,
    body: makeElement("div", { role: "rowgroup" }),
    before: iconButton("place-before", "back"),
    next: iconButton("place-next", "forward"),
    place: makeElement("span", { className: "place", testid: "place" }),
    up: iconButton("lines-before", "back"),
    down: iconButton("lines-next", "forward"),
    span: makeElement("span", { className: "place", testid: "lines" }),
    stored: makeElement("p", { className: "stored" }),
    lines: [] as { root: HTMLElement; here: HTMLElement }[],
  };
  const top = makeElement(
    "div",
    { role: "rowgroup" },
    makeElement("div", { role: "row", className: "headings" }, ...headings),
  );
  return {
    ...parts,
    table: makeElement("div", { role: "table", className: "counts", testid: "token-counts" }, top, parts.body),
    bar: makeElement("div", { className: "places" }, parts.before, parts.next, parts.place),
    foot: makeElement("div", { className: "places foot" }, parts.up, parts.down, parts.span),
  };
}

export function fillHead(head: Head, model: Model) {
  const { labels, rows } = model;
  head.table.setAttribute("aria-label", labels.counts);
  COLUMNS.slice(0, 4).forEach((name, index) => {
    head.headings[index].textContent = labels[name];
  });
  nameButton(head.before, labels.before);
  nameButton(head.next, labels.next);
  nameButton(head.up, labels.lines_before);
  nameButton(head.down, labels.lines_next);
  const most = Math.max(1, ...rows.map((row) => row.count));
  head.lines = rows.map((row) => {
    const fill = makeElement("span", { className: row.unknown > 0 ? "fill hatched" : "fill" });
    fill.style.width = `${(100 * row.count) / most}%`;
    const bar = makeElement("span", { className: "bar", "aria-hidden": "true" }, fill);
    const number = makeElement("span", { className: "number", text: countText(row.count) });
    const lost =
      row.unknown === row.count ? labels.all_unknown : fillLabel(labels.unknown, { count: countText(row.unknown) });
    const unknown = row.unknown > 0 ? [makeElement("span", { className: "unknown", text: lost })] : [];
    const content: (Node | string)[][] = [
      [row.title],
      [number, ...unknown, bar],
      [ratioText(row, row.characters_per_token)],
      [ratioText(row, row.bytes_per_token)],
      [],
    ];
    const cells = content.map((inside, index) =>
      makeElement("div", { className: COLUMNS[index], role: index ? "cell" : "rowheader" }, ...inside),
    );
    return { root: makeElement("div", { role: "row", testid: "token-count" }, ...cells), here: cells[4] };
  });
  head.body.replaceChildren(...head.lines.map((line) => line.root));
  const against = hasAgainst(model.characters.filter((label) => !isSmall(label)).join(""), model.along);
  head.stored.textContent = against ? labels.stored_order : "";
  head.stored.hidden = !against;
}

/** A ratio says something where there are tokens and each holds what it stands for. */
export function ratioText(row: Row, ratio: number | null) {
  if (ratio === null) return "–";
  return row.unknown > 0 ? "?" : decimalText(ratio, 2);
}

/** "gpt2: ‘·cat’ 3797 · …": what each row has over a column. */
export function chosenText(model: Model, column: number) {
  const { labels } = model;
  const tokens = model.rows.map((row) => {
    const [start, stop] = tokensAt(row, column);
    if (stop - start === 1)
      return fillLabel(labels.one_of_chosen, {
        tokenizer: row.title,
        label: tokenText(model, row, start),
        id: row.ids[start],
      });
    const words = stop > start ? fillLabel(labels.parts_here, { parts: stop - start }) : labels.nothing_here;
    return fillLabel(labels.none_of_chosen, { tokenizer: row.title, words });
  });
  return fillLabel(labels.chosen, { character: model.characters[column], tokens: tokens.join(" · ") });
}

/** "gpt2, token 3 of 9: ‘·cat’, id 3797". */
export function readoutOf(model: Model, { row: index, token }: Place) {
  const row = model.rows[index];
  return fillLabel(model.labels.readout, {
    tokenizer: row.title,
    number: countText(token + 1),
    count: countText(row.count),
    label: tokenText(model, row, token),
    id: row.ids[token],
  });
}

/**
 * Which lines are in sight, and the way to the others; nothing where all are.
 * @param count of all
 */
export function showLines(head: Head, labels: Model["labels"], first: number, last: number, count: number) {
  head.foot.hidden = count <= last - first + 1;
  const text = fillLabel(first === last ? labels.line : labels.lines, {
    first: countText(first + 1),
    last: countText(last + 1),
    count: countText(count),
  });
  if (head.span.textContent !== text) head.span.textContent = text;
  head.up.disabled = first <= 0;
  head.down.disabled = last >= count - 1;
}

/**
 * @param column under the pointer or chosen, or where the rows differ first
 * @param cursor where one token of a row is meant
 */
export function showHere(head: Head, model: Model, column: number | null, cursor: Place | null) {
  const title = fillLabel(model.labels.here, { character: column === null ? "" : model.characters[column] });
  if (head.headings[4].textContent !== title) head.headings[4].textContent = title;
  model.rows.forEach((row, index) => {
    const { here, root } = head.lines[index];
    root.classList.toggle("now", cursor?.row === index);
    if (column === null) {
      here.replaceChildren();
      return;
    }
    const [start, stop] = tokensAt(row, column);
    const one = cursor?.row === index ? cursor.token : stop - start === 1 ? start : null;
    here.replaceChildren(...(one === null ? severalTokens(model, start, stop) : oneToken(model, row, one)));
  });
}

function oneToken(model: Model, row: Row, token: number) {
  const content: (Node | string)[] = [
    makeElement("b", {}, makeElement("bdi", { text: tokenText(model, row, token) })),
    ` ${row.ids[token]}`,
  ];
  const share = row.shares.get(row.first[token]) ?? row.shares.get(row.last[token]);
  if (share)
    content.push(` · ${fillLabel(model.labels.part_of, { part: token - share.start + 1, parts: share.count })}`);
  return content;
}

function severalTokens(model: Model, start: number, stop: number) {
  const text = stop > start ? fillLabel(model.labels.parts_here, { parts: stop - start }) : model.labels.nothing_here;
  return [makeElement("i", { text })];
}

export function showPlace(head: Head, model: Model, column: number | null) {
  const { differing, labels, place } = model;
  const here = column === null ? -1 : place[column];
  const values = { number: here + 1, count: differing.length };
  const empty = model.rows.filter((row) => row.count === 0).map((row) => row.title);
  const agreeing = empty.length > 0 ? fillLabel(labels.some_empty, { names: listText(empty) }) : labels.all_agree;
  const elsewhere = [agreeing, labels.one_place][differing.length] ?? labels.no_place;
  const text = fillLabel(here < 0 ? elsewhere : labels.place, values);
  if (head.place.textContent !== text) head.place.textContent = text;
  head.before.hidden = head.next.hidden = differing.length === 0;
  head.before.disabled = placeBeside(model, column, -1) === null;
  head.next.disabled = placeBeside(model, column, 1) === null;
}

/** First column of the next place where the rows differ, in either direction; null where there is none. */
export function placeBeside(
  { differing, place }: Pick<Model, "differing" | "place">,
  column: number | null,
  step: 1 | -1,
) {
  const from = column ?? -1;
  const here = from < 0 ? -1 : place[from];
  const starts = differing.map(([start]) => start);
  if (step > 0) return starts.find((start) => start > from) ?? null;
  return starts.filter((start, index) => start < from && index !== here).at(-1) ?? null;
}
