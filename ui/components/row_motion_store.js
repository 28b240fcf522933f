// The words and the steps that a page holds: row_motion_data.js puts them in, row_motion.js takes them.
//
// Both modules carry this block; the first that runs makes the object and the other finds it.
window.embeddingExplorerMotion ??= (() => {
  const parts = new Map(); // who holds it -> part
  const subscribers = new Set();
  const changed = () => [...subscribers].forEach((fn) => fn());
  return {
    played: new Set(), // trainings that this tab has seen from the beginning
    put: (holder, part) => {
      parts.set(holder, part);
      changed();
    },
    drop: (holder) => parts.delete(holder),
    words: (name) => [...parts.values()].find((part) => part.name === name) ?? null,
    // Of a run with so many words, the steps in order.
    frames: (run, count) =>
      [...parts.values()]
        .filter((part) => part.run === run && part.count === count)
        .flatMap((part) => part.frames)
        .sort((a, b) => a.step - b.step)
        .filter((frame, at, all) => at === 0 || frame.step > all[at - 1].step),
    subscribe: (fn) => {
      subscribers.add(fn);
      return () => subscribers.delete(fn);
    },
  };
})();
