// The page's one pointer: which token is hovered and which is chosen, shared by every component of a browser tab.

/** Position of a token in the text. */
type Position = number | null | undefined;
export type Change = { hovered: number | null; chosen: number | null; cause: "hover" | "choose" };
export type Subscriber = (change: Change) => void;
export interface Link {
  hovered: number | null;
  chosen: number | null;
  hover: (position: Position) => void;
  choose: (position: Position) => void; // sets it, no more
  toggle: (position: Position) => void; // what a click or Enter does: chooses it, or un-chooses the chosen one
  subscribe: (fn: Subscriber) => () => void; // calls fn after each change; returns what ends the subscription
}

export const link = (() => {
  const subscribers = new Set<Subscriber>();
  const link: Link = {
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

  function set(name: "hovered" | "chosen", position: Position, cause: "hover" | "choose") {
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
