// A component that outlives the runs of its page: mounted once for its element, handed the data of each run, and taken
// down when no later run has taken over.

// mount(parentElement) returns {receive(data, page), unmount()}, where `page` takes the reader's reports; the result is
// what a script exports.
export function lasting(mount) {
  const kept = new WeakMap(); // parentElement -> what mount returned, and how many runs it has seen
  return ({ data, parentElement, ...page }) => {
    if (!kept.has(parentElement)) kept.set(parentElement, { held: mount(parentElement), runs: 0 });
    const entry = kept.get(parentElement);
    const run = ++entry.runs;
    entry.held.receive(data, page);
    return () => {
      if (entry.runs !== run) return;
      entry.held.unmount();
      kept.delete(parentElement);
    };
  };
}
