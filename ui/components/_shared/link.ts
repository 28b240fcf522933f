// The page's one pointer: which token is hovered and which is chosen, shared by every component of a browser tab.

/** @typedef {number | null | undefined} Position of a token in the text */
/** @typedef {(change: { hovered: number | null, chosen: number | null, cause: "hover" | "choose" }) => void} Subscriber */
/**
 * @typedef {object} Link
 * @property {number | null} hovered
 * @property {number | null} chosen
 * @property {(position: Position) => void} hover
 * @property {(position: Position) => void} choose sets it, no more
 * @property {(position: Position) => void} toggle what a click or Enter does: chooses it, or un-chooses the chosen one
 * @property {(fn: Subscriber) => () => void} subscribe calls fn after each change; returns what ends the subscription
 */

export const link = (() => {
  /** @type {Set<Subscriber>} */
  const subscribers = new Set();
  /** @type {Link} */
  const link = {
    hovered: null,
    chosen: null,
    hover: (position) => set("hovered", position, "hover"),
    choose: (position) => set("chosen", position, "choose"),
    toggle: (position) => link.choose(link.chosen === position ? null : position),
    subscribe: (fn) => {
      subscribers.add(fn);
      return () => void subscribers.delete(fn);
    },
  };

  /**
   * @param {"hovered" | "chosen"} name
   * @param {Position} position
   * @param {"hover" | "choose"} cause
   */
  function set(name, position, cause) {
    const next = typeof position === "number" && Number.isInteger(position) ? position : null;
    if (link[name] === next) return;
    link[name] = next;
    for (const fn of [...subscribers]) {
      // One view's failure must not leave the others behind.
      try {
        fn({ hovered: link.hovered, chosen: link.chosen, cause });
      } catch (error) {
        console.error(error);
      }
    }
  }

  return link;
})();
