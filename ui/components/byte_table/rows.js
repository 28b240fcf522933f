// The lines of index.js: which bytes each holds, how they are written, what is said of them.

import { makeElement } from "../_shared/elements.js";
import { fillLabel } from "../_shared/text.js";

// lines: [{column, kind, point, start}], `start` the index of its first byte; linesOf: column -> [first, last] line.
export function byteModel({ kinds, order, tokens, token_of_byte: tokenOf, first_column: firstColumn, labels }) {
  const lines = [];
  const linesOf = new Map();
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
  const bytesOf = (line) => kinds[line.kind][1][line.point][2];
  const model = { kinds, tokens, tokenOf, firstColumn, labels, lines, linesOf, bytesOf, count: order.length };
  model.tokensOf = (column) => {
    const [first, last] = linesOf.get(column);
    const [from, to] = [lines[first].start, lines[last].start + bytesOf(lines[last]).length];
    return new Set(tokenOf.slice(from, to).filter((token) => token >= 0));
  };
  return model;
}

// {root, column, groups: [{element, token}]}
export function byteLine(model, index) {
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

// A code point's bytes, those of one token together.
function byteGroups(model, start, bytes) {
  const { tokenOf, tokens, labels } = model;
  const groups = [];
  bytes.forEach((byte, at) => {
    const token = tokenOf[start + at];
    const opens = tokenOf[start + at - 1] !== token || start + at === 0;
    if (at === 0 || groups.at(-1).token !== token || token < 0) {
      const caption = makeElement("span", { className: "caption" });
      const held = makeElement("span", { className: "held" });
      const element = makeElement("span", { className: "group" }, held, caption);
      if (token < 0) caption.textContent = labels.no_token;
      else caption.append(...captionOf(model, token, opens));
      element.classList.toggle("none", token < 0);
      element.classList.toggle("odd", token % 2 === 1);
      element.classList.toggle("from-before", token >= 0 && !opens);
      groups.push({ element, held, token });
    }
    const group = groups.at(-1);
    group.held.append(byteCell(byte));
    group.element.classList.toggle("goes-on", token >= 0 && tokenOf[start + at + 1] === token);
    if (token >= 0) group.element.title = fillLabel(labels.token, { label: tokens[token][0], id: tokens[token][1] });
  });
  return groups;
}

// The token's name and id where it begins, its name alone where it goes on.
function captionOf({ tokens }, token, opens) {
  const [label, id] = tokens[token];
  return [
    opens ? "" : "… ",
    makeElement("bdi", { className: opens ? "begins" : "", text: label }),
    opens ? ` ${id}` : "",
  ];
}

function byteCell(byte) {
  const bits = byte.toString(2).padStart(8, "0");
  const marked = leadBits(byte);
  return makeElement(
    "span",
    { className: "byte" },
    makeElement("b", { text: hexOf(byte) }),
    makeElement("span", { className: "bits" }, makeElement("u", { text: bits.slice(0, marked) }), bits.slice(marked)),
  );
}

// How many of a byte's bits say where it stands: 0 alone, 10 inside, 110, 1110 and 11110 first of two, three and four.
function leadBits(byte) {
  if (byte < 0x80) return 1;
  if (byte < 0xc0) return 2;
  if (byte < 0xe0) return 3;
  return byte < 0xf0 ? 4 : 5;
}

const hexOf = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");

// A character's line read out: itself, its code points, its bytes, its tokens.
export function spokenBytes(model, column) {
  const [first, last] = model.linesOf.get(column);
  const lines = model.lines.slice(first, last + 1);
  const [label, points] = model.kinds[lines[0].kind];
  const bytes = lines.flatMap((line) => model.bytesOf(line).map(hexOf));
  const tokens = [...model.tokensOf(column)].map((token) => {
    const [text, id] = model.tokens[token];
    return fillLabel(model.labels.token, { label: text, id });
  });
  return [label, ...points.map(([number, name]) => `${number} ${name}`), bytes.join(" "), ...tokens].join(", ");
}
