// What a page holds of a training: words, steps, what is told of them. data.js puts it in as it came,
// index.js takes it out.

export const store = (() => {
  const parts = new Map(); // who holds it -> what it was sent, bytes or a plain object
  const subscribers = new Set();
  const isSame = (a, b) => {
    if (!(a instanceof Uint8Array && b instanceof Uint8Array)) return JSON.stringify(a) === JSON.stringify(b);
    return a.length === b.length && a.every((value, at) => value === b[at]);
  };
  return {
    played: new Set(), // trainings that this tab has seen from the beginning
    put: (holder, data) => {
      if (parts.has(holder) && isSame(parts.get(holder), data)) return;
      parts.set(holder, data instanceof Uint8Array ? data.slice() : data);
      for (const fn of [...subscribers]) fn();
    },
    drop: (holder) => parts.delete(holder),
    all: () => [...parts.values()],
    subscribe: (fn) => {
      subscribers.add(fn);
      return () => subscribers.delete(fn);
    },
  };
})();
