// Messages one below the other, as the tokens that they become: what is special, what the format writes, what is said.

import { makeElement } from "../_shared/elements.js";
import { lasting } from "../_shared/lifecycle.js";
import { fillLabel } from "../_shared/text.js";

export default lasting(mountLine);

function mountLine(parentElement) {
  const key = makeElement("div", { className: "key", "aria-hidden": "true" });
  const list = makeElement("div", { role: "list", className: "messages", testid: "token-line" });
  parentElement.append(makeElement("div", { className: "line-root" }, key, list));
  const held = { looks: null };

  held.receive = (data) => {
    const looks = JSON.stringify(data);
    if (looks === held.looks) return;
    held.looks = looks;
    const { lines, labels } = data;
    list.setAttribute("aria-label", labels.figure);
    const shown = new Set(lines.flatMap(([, tokens]) => tokens.map(([, , kind, whole]) => nameOfKind(kind, whole))));
    const entries = [
      ["special", "special whole"],
      ["typed", "special"],
      ["frame", "frame"],
      ["content", "content"],
    ];
    key.replaceChildren(
      ...entries
        .filter(([name]) => shown.has(name))
        .map(([name, className]) => makeElement("span", { className, text: labels[name] })),
    );
    list.replaceChildren(...lines.map(([title, tokens]) => drawMessage(title, tokens, labels)));
  };
  held.unmount = () => {};
  return held;
}

function nameOfKind(kind, whole) {
  return kind === "special" && !whole ? "typed" : kind;
}

function drawMessage(title, tokens, labels) {
  const chips = tokens.map(([label, id, kind, whole]) => {
    const chip = makeElement(
      "span",
      { role: "listitem", className: `chip ${kind}` },
      makeElement("bdi", { text: label }),
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
    makeElement("div", { role: "list", className: "chips" }, ...chips),
  );
}
