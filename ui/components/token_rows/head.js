// What stands above the staff: the counts of each tokenizer and its token under the pointer, and the way from one place
// where the rows are cut differently to the next.

import { makeElement } from "../_shared/elements.js";
import { iconButton, nameButton } from "../_shared/icons.js";
import { decimalText, fillLabel } from "../_shared/text.js";
import { tokensAt, tokenText } from "./columns.js";

export function rowsHead() {
  const head = {
    columns: ["tokenizer", "tokens", "characters_per_token", "bytes_per_token", "here"],
    headings: [],
    body: makeElement("div", { role: "rowgroup" }),
    before: iconButton("place-before", "back"),
    next: iconButton("place-next", "forward"),
    place: makeElement("span", { className: "place", testid: "place" }),
    up: iconButton("lines-before", "back"),
    down: iconButton("lines-next", "forward"),
    span: makeElement("span", { className: "place", testid: "lines" }),
    stored: makeElement("p", { className: "stored" }),
    lines: [],
  };
  head.headings = head.columns.map((name) => makeElement("div", { role: "columnheader", className: name }));
  const top = makeElement(
    "div",
    { role: "rowgroup" },
    makeElement("div", { role: "row", className: "headings" }, ...head.headings),
  );
  head.table = makeElement("div", { role: "table", className: "counts", testid: "token-counts" }, top, head.body);
  head.bar = makeElement("div", { className: "places" }, head.before, head.next, head.place);
  head.foot = makeElement("div", { className: "places foot" }, head.up, head.down, head.span);
  return head;
}

export function fillHead(head, model) {
  const { labels, rows } = model;
  head.table.setAttribute("aria-label", labels.counts);
  head.headings.forEach((heading, index) => (heading.textContent = labels[head.columns[index]]));
  nameButton(head.before, labels.before);
  nameButton(head.next, labels.next);
  nameButton(head.up, labels.lines_before);
  nameButton(head.down, labels.lines_next);
  const most = Math.max(1, ...rows.map((row) => row.count));
  head.lines = rows.map((row) => {
    const bar = makeElement(
      "span",
      { className: "bar", "aria-hidden": "true" },
      makeElement("span", { className: "fill" }),
    );
    bar.firstChild.style.width = `${(100 * row.count) / most}%`;
    bar.firstChild.classList.toggle("hatched", row.unknown > 0);
    const number = makeElement("span", { className: "number", text: row.count.toLocaleString("en") });
    const lost =
      row.unknown === row.count
        ? labels.all_unknown
        : fillLabel(labels.unknown, { count: row.unknown.toLocaleString("en") });
    const unknown = row.unknown > 0 ? [makeElement("span", { className: "unknown", text: lost })] : [];
    const cells = [
      [{ role: "rowheader", text: row.title }],
      [{ role: "cell" }, number, ...unknown, bar],
      [{ role: "cell", text: ratioText(row, row.characters_per_token) }],
      [{ role: "cell", text: ratioText(row, row.bytes_per_token) }],
      [{ role: "cell" }],
    ].map(([attributes, ...inside], index) =>
      makeElement("div", { className: head.columns[index], ...attributes }, ...inside),
    );
    return { root: makeElement("div", { role: "row", testid: "token-count" }, ...cells), here: cells[4] };
  });
  head.body.replaceChildren(...head.lines.map((line) => line.root));
  const turned = model.characters.some((label) => /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(label));
  head.stored.textContent = turned ? labels.stored_order : "";
  head.stored.hidden = !turned;
}

// A ratio says something where there are tokens and each holds what it stands for.
function ratioText(row, ratio) {
  if (ratio === null) return "–";
  return row.unknown > 0 ? "?" : decimalText(ratio, 2);
}

// "gpt2: ‘·cat’ 3797 · …": what each row has over a column.
export function chosenText(model, column) {
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

// Which lines are in sight, and the way to the others; nothing where all are.
export function showLines(head, labels, first, last, count) {
  head.foot.hidden = count <= last - first + 1;
  const text = fillLabel(first === last ? labels.line : labels.lines, { first: first + 1, last: last + 1, count });
  if (head.span.textContent !== text) head.span.textContent = text;
  head.up.disabled = first <= 0;
  head.down.disabled = last >= count - 1;
}

// `column` is under the pointer or chosen, or null; `cursor` {row, token} where one token of a row is meant.
export function showHere(head, model, column, cursor) {
  model.rows.forEach((row, index) => {
    const { here, root } = head.lines[index];
    root.classList.toggle("now", cursor?.row === index);
    if (column === null) return here.replaceChildren();
    const [start, stop] = tokensAt(row, column);
    const one = cursor?.row === index ? cursor.token : stop - start === 1 ? start : null;
    here.replaceChildren(...(one === null ? severalTokens(model, start, stop) : oneToken(model, row, one)));
  });
}

function oneToken(model, row, token) {
  const found = [
    makeElement("b", {}, makeElement("bdi", { text: tokenText(model, row, token) })),
    ` ${row.ids[token]}`,
  ];
  const share = row.shares.get(row.first[token]) ?? row.shares.get(row.last[token]);
  if (share) found.push(` · ${fillLabel(model.labels.part_of, { part: token - share.start + 1, parts: share.count })}`);
  return found;
}

function severalTokens(model, start, stop) {
  const text = stop > start ? fillLabel(model.labels.parts_here, { parts: stop - start }) : model.labels.nothing_here;
  return [makeElement("i", { text })];
}

export function showPlace(head, model, column) {
  const { differing, labels, place } = model;
  const here = column === null ? -1 : place[column];
  const values = { number: here + 1, count: differing.length };
  const empty = model.rows.filter((row) => row.count === 0).map((row) => row.title);
  const agreeing = empty.length > 0 ? fillLabel(labels.some_empty, { names: empty.join(", ") }) : labels.all_agree;
  const elsewhere = [agreeing, labels.one_place][differing.length] ?? labels.no_place;
  const text = fillLabel(here < 0 ? elsewhere : labels.place, values);
  if (head.place.textContent !== text) head.place.textContent = text;
  head.before.hidden = head.next.hidden = differing.length === 0;
  head.before.disabled = placeBeside(model, column, -1) === null;
  head.next.disabled = placeBeside(model, column, 1) === null;
}

// First column of the next place where the rows differ, in either direction; null where there is none.
export function placeBeside({ differing, place }, column, step) {
  const from = column ?? -1;
  const here = from < 0 ? -1 : place[from];
  const starts = differing.map(([start]) => start);
  const found =
    step > 0 ? starts.find((start) => start > from) : starts.findLast((start, index) => start < from && index !== here);
  return found ?? null;
}
