// The merges so far, each a way back to its step. Those to come hold their places, so that nothing moves.

import { makeElement } from "../_shared/elements.js";
import { mergeOf } from "./parts.js";

export function fillLog({ log }, { states, labels }, jump) {
  const items = states.slice(0, -1).map((state, index) => {
    const { left, right, whole, rank } = mergeOf(state, states[index + 1]);
    const button = makeElement(
      "button",
      { type: "button" },
      makeElement("span", { className: "number", text: String(index + 1) }),
      makeElement("bdi", { text: left }),
      "+",
      makeElement("bdi", { text: right }),
      "→",
      makeElement("bdi", { className: "made", text: whole }),
      makeElement("span", { className: "of", text: `${labels.rank} ${rank}` }),
    );
    button.addEventListener("click", () => jump(index + 2));
    return makeElement("li", {}, button);
  });
  log.replaceChildren(...items);
}

// `done` merges have happened.
export function showLog({ log, none }, done) {
  [...log.children].forEach((item, index) => {
    item.classList.toggle("to-come", index >= done);
    item.classList.toggle("now", index === done - 1);
  });
  const newest = log.children[Math.max(0, done - 1)];
  if (newest) log.scrollTop = Math.max(0, newest.offsetTop + newest.offsetHeight - log.clientHeight);
  none.hidden = done > 0 && log.children.length > 0;
  none.classList.toggle("only", log.children.length === 0);
  log.hidden = log.children.length === 0;
}
