// Messages one below the other, as the tokens that they become: what is special, what the format writes, what is said.

import { makeElement, spelled } from "../_shared/elements.ts";
import { lasting, type ParentElement } from "../_shared/lifecycle.ts";
import { newsWatch } from "../_shared/payload.ts";
import { directionOf, fillLabel } from "../_shared/text.ts";

export default lasting(mountLine);

/** What a token is for. */
type Kind = "special" | "frame" | "content";
type LineToken = [label: string, id: number, kind: Kind, whole: boolean];
type LabelName = "figure" | "special" | "typed" | "frame" | "content" | "id";
/** What Python sends. */
interface Chat {
  lines: [title: string, tokens: LineToken[]][];
  labels: Record<LabelName, string>;
}

/** Name in the key, and the class of its swatch. */
const KEY: ["special" | "typed" | "frame" | "content", string][] = [
  ["special", "special whole"],
  ["typed", "special"],
  ["frame", "frame"],
  ["content", "content"],
];

function mountLine(parentElement: ParentElement) {
  const key = makeElement("div", { className: "key", "aria-hidden": "true" });
  const list = makeElement("div", { role: "list", className: "messages", testid: "token-line" });
  parentElement.append(makeElement("div", { className: "line-root" }, key, list));
  const isNew = newsWatch();

  return {
    receive(data: Chat) {
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

/** A special token that is not one token here is a name that somebody typed. */
export function nameOfKind(kind: Kind, whole: boolean) {
  return kind === "special" && !whole ? "typed" : kind;
}

function drawMessage(title: string, tokens: LineToken[], labels: Chat["labels"]) {
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
