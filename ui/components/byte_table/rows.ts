// The lines of index.ts: which bytes each holds, how they are written, what is said of them.

import { makeElement } from "../_shared/elements.ts";
import { fillLabel } from "../_shared/text.ts";

type LabelName = "character" | "code_point" | "bytes" | "lead" | "empty" | "figure" | "token" | "no_token";
type CodePoint = [number: string, name: string, bytes: number[]];
/** What Python sends. */
export interface Data {
  kinds: [label: string, points: CodePoint[]][]; // the characters that differ
  order: number[]; // index of each character's kind, in the order of the text
  tokens: [label: string, id: number][];
  token_of_byte: number[]; // index of each byte's token, -1 where it is in none
  first_column: number;
  labels: Record<LabelName, string>;
}
/** A line has a code point; `start`: its first byte. */
type Line = { column: number; kind: number; point: number; start: number };
export type Model = ReturnType<typeof byteModel>;
/** Bytes of one token. */
type Group = { element: HTMLElement; held: HTMLElement; token: number };

export function byteModel({ kinds, order, tokens, token_of_byte: tokenOf, first_column: firstColumn, labels }: Data) {
  const lines: Line[] = [];
  /** The lines of each column. */
  const linesOf = new Map<number, [first: number, last: number]>();
  let start = 0;
  order.forEach((kind, index) => {
    const column = firstColumn + index;
    const first = lines.length;
    kinds[kind][1].forEach(([, , bytes], point) => {
      lines.push({ column, kind, point, start });
      start += bytes.length;
    });
    linesOf.set(column, [first, lines.length - 1]);
  });
  const bytesOf = (line: Line) => kinds[line.kind][1][line.point][2];
  function linesAt(column: number) {
    const [first, last] = linesOf.get(column) ?? [0, -1];
    return lines.slice(first, last + 1);
  }
  function tokensOf(column: number) {
    const held = linesAt(column).flatMap((line) => tokenOf.slice(line.start, line.start + bytesOf(line).length));
    return new Set(held.filter((token) => token >= 0));
  }
  return {
    ...{ kinds, tokens, tokenOf, firstColumn, labels, lines, linesOf, count: order.length },
    ...{ bytesOf, linesAt, tokensOf },
  };
}

/** @param index of the line */
export function byteLine(model: Model, index: number) {
  const { column, kind, point, start } = model.lines[index];
  const [label, points] = model.kinds[kind];
  const [number, name] = points[point];
  const opens = point === 0;
  const character = makeElement("div", { role: "cell", className: "character" });
  if (opens)
    character.append(
      makeElement("bdi", { className: [...label].length > 3 && label.startsWith("⟨") ? "small" : "", text: label }),
    );
  const codePoint = makeElement("div", { role: "cell", className: "code_point" });
  codePoint.append(makeElement("b", { text: number }), " ", makeElement("span", { text: name, title: name }));
  const cells = makeElement("div", { role: "cell", className: "bytes" });
  const groups = byteGroups(model, start, model.bytesOf(model.lines[index]));
  cells.append(...groups.map(({ element }) => element));
  const root = makeElement("div", {
    role: "row",
    className: opens ? "line opens" : "line",
    "data-column": column,
    "aria-rowindex": index + 2,
  });
  root.append(character, codePoint, cells);
  return { root, column, groups };
}

/**
 * A code point's bytes, those of one token together.
 * @param start index of the first byte
 */
function byteGroups(model: Model, start: number, bytes: number[]) {
  const { tokenOf, tokens, labels } = model;
  const groups: Group[] = [];
  bytes.forEach((byte, at) => {
    const token = tokenOf[start + at];
    const opens = tokenOf[start + at - 1] !== token || start + at === 0;
    let group = groups.at(-1);
    if (!group || group.token !== token || token < 0) {
      const caption = makeElement("span", { className: "caption" });
      const held = makeElement("span", { className: "held" });
      const element = makeElement("span", { className: "group" }, held, caption);
      if (token < 0) caption.textContent = labels.no_token;
      else caption.append(...captionOf(model, token, opens));
      element.classList.toggle("none", token < 0);
      element.classList.toggle("odd", token % 2 === 1);
      element.classList.toggle("from-before", token >= 0 && !opens);
      group = { element, held, token };
      groups.push(group);
    }
    group.held.append(byteCell(byte));
    group.element.classList.toggle("goes-on", token >= 0 && tokenOf[start + at + 1] === token);
    if (token >= 0) group.element.title = fillLabel(labels.token, { label: tokens[token][0], id: tokens[token][1] });
  });
  return groups;
}

/** The token's name and id where it begins, its name alone where it goes on. */
function captionOf({ tokens }: Model, token: number, opens: boolean) {
  const [label, id] = tokens[token];
  return [
    opens ? "" : "… ",
    makeElement("bdi", { className: opens ? "begins" : "", text: label }),
    opens ? ` ${id}` : "",
  ];
}

function byteCell(byte: number) {
  const bits = byte.toString(2).padStart(8, "0");
  const marked = leadBits(byte);
  return makeElement(
    "span",
    { className: "byte" },
    makeElement("b", { text: hexOf(byte) }),
    makeElement("span", { className: "bits" }, makeElement("u", { text: bits.slice(0, marked) }), bits.slice(marked)),
  );
}

/**
 * How many of a byte's bits say where it stands: 0 alone, 10 inside, 110, 1110 and 11110 first of two, three and four.
 */
export function leadBits(byte: number) {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 2;
  if (byte < 0xe0) return 3;
  return byte < 0xf0 ? 4 : 5;
}

const hexOf = (byte: number) => byte.toString(16).toUpperCase().padStart(2, "0");

/** A character's line read out: itself, its code points, its bytes, its tokens. */
export function spokenBytes(model: Model, column: number) {
  const lines = model.linesAt(column);
  const [label, points] = model.kinds[lines[0].kind];
  const bytes = lines.flatMap((line) => model.bytesOf(line).map(hexOf));
  const tokens = [...model.tokensOf(column)].map((token) => {
    const [text, id] = model.tokens[token];
    return fillLabel(model.labels.token, { label: text, id });
  });
  return [label, ...points.map(([number, name]) => `${number} ${name}`), bytes.join(" "), ...tokens].join(", ");
}

/**
 * The first and the last line to draw: those in sight, and three more on either side.
 * @param height of what is in sight, in px
 * @param head height of the headings, which scroll too
 * @param count of all lines
 */
export function linesInSight(scrollTop: number, height: number, head: number, lineHeight: number, count: number) {
  const first = Math.floor(Math.max(0, scrollTop - head) / lineHeight) - 3;
  const last = Math.ceil((scrollTop + height) / lineHeight) + 3;
  return [Math.max(0, first), Math.min(count - 1, last)];
}
