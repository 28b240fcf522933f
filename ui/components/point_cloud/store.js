// The points that a page holds, under their fingerprints: data.js puts them in, index.js takes them.

export const store = (() => {
  const parts = new Map(); // name -> {value, holders}
  const subscribers = new Set();
  return {
    get: (name) => parts.get(name)?.value ?? null,
    put: (name, value) => {
      const part = parts.get(name) ?? { value, holders: 0 };
      part.holders += 1;
      parts.set(name, part);
      for (const fn of [...subscribers]) fn();
    },
    drop: (name) => {
      const part = parts.get(name);
      if (part && (part.holders -= 1) === 0) parts.delete(name);
    },
    subscribe: (fn) => {
      subscribers.add(fn);
      return () => subscribers.delete(fn);
    },
  };
})();
