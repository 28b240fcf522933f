// The page's one pointer: which token is hovered and which is chosen, shared by every component of a browser tab.
//
//   link.hovered, link.chosen      position of a token in the text, or null
//   link.hover(position | null)
//   link.choose(position | null)   sets it, no more
//   link.toggle(position)          what a click or Enter does: chooses it, or un-chooses it if it is the chosen one
//   link.subscribe(fn)             fn({hovered, chosen, cause}) after each change, cause "hover" or "choose";
//                                  returns the function that ends the subscription

export const link = (() => {
  const subscribers = new Set();
  const link = {
    hovered: null,
    chosen: null,
    hover: (position) => set("hovered", position, "hover"),
    choose: (position) => set("chosen", position, "choose"),
    toggle: (position) => link.choose(link.chosen === position ? null : position),
    subscribe: (fn) => {
      subscribers.add(fn);
      return () => subscribers.delete(fn);
    },
  };

  function set(name, position, cause) {
    const next = Number.isInteger(position) ? position : null;
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
