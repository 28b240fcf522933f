// Messages one below the other, as the tokens that they become: what is special, what the format writes, what is said.

import { makeElement, spelled } from "../_shared/elements.js";
import { lasting } from "../_shared/lifecycle.js";
import { newsWatch } from "../_shared/payload.js";
import { directionOf, fillLabel } from "../_shared/text.js";

export default lasting(mountLine);

/** @typedef {"special" | "frame" | "content"} Kind what a token is for */
/** @typedef {[label: string, id: number, kind: Kind, whole: boolean]} LineToken */
/** @typedef {"figure" | "special" | "typed" | "frame" | "content" | "id"} LabelName */
/**
 * What Python sends.
 * @typedef {object} Chat
 * @property {[title: string, tokens: LineToken[]][]} lines
 * @property {Record<LabelName, string>} labels
 */

/** @type {["special" | "typed" | "frame" | "content", string][]} name in the key, and the class of its swatch */
const KEY = [
  ["special", "special whole"],
  ["typed", "special"],
  ["frame", "frame"],
  ["content", "content"],
];

/** @param {import("../_shared/lifecycle.js").Place} parentElement */
function mountLine(parentElement) {
  const key = makeElement("div", { className: "key", "aria-hidden": "true" });
  const list = makeElement("div", { role: "list", className: "messages", testid: "token-line" });
  parentElement.append(makeElement("div", { className: "line-root" }, key, list));
  const isNew = newsWatch();

  return {
    receive(/** @type {Chat} */ data) {
      if (!isNew(data)) return;
      const { lines, labels } = data;
      list.setAttribute("aria-label", labels.figure);
      const present = new Set(
        lines.flatMap(([, tokens]) => tokens.map(([, , kind, whole]) => nameOfKind(kind, whole))),
      );
      const entries = KEY.filter(([name]) => present.has(name));
      key.replaceChildren(
        ...entries.map(([name, className]) => makeElement("span", { className, text: labels[name] })),
      );
      list.replaceChildren(...lines.map(([title, tokens]) => drawMessage(title, tokens, labels)));
    },
    unmount() {},
  };
}

/**
 * A special token that is not one token here is a name that somebody typed.
 * @param {Kind} kind
 * @param {boolean} whole
 */
export function nameOfKind(kind, whole) {
  return kind === "special" && !whole ? "typed" : kind;
}

/**
 * @param {string} title
 * @param {LineToken[]} tokens
 * @param {Chat["labels"]} labels
 */
function drawMessage(title, tokens, labels) {
  const along = directionOf(tokens.map(([label]) => label));
  const chips = tokens.map(([label, id, kind, whole]) => {
    const chip = makeElement(
      "span",
      { role: "listitem", className: `chip ${kind}` },
      spelled(label, { along }),
      makeElement("small", { text: String(id) }),
    );
    chip.classList.toggle("whole", whole);
    chip.setAttribute("aria-label", fillLabel(labels.id, { label, kind: labels[nameOfKind(kind, whole)], id }));
    return chip;
  });
  return makeElement(
    "div",
    { role: "listitem", className: "message" },
    makeElement("b", { className: "who", text: title }),
    makeElement("div", { role: "list", className: "chips", dir: along }, ...chips),
  );
}
