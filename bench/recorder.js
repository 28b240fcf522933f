// Put into the page before anything else: notes when a key goes down, and when anything in the window changed last.
// The first is of what the user did since it was set to null.
// The sum is the canvas of the three heatmaps; points are a thousand or more in one call of WebGL, the first and the last such
// call. The shift is what the browser counts for what moved by itself. A change is a mutation of the document or of any shadow
// root, a stroke on a 2-D canvas, a WebGL draw call, or a transition, of what stands in the window in the next frame.
window.benchRecorder = {
  key: null,
  click: null,
  input: null,
  first: null,
  change: null,
  sum: null,
  firstPoints: null,
  points: null,
  shift: 0,
};

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.benchRecorder.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });

// Where a part stands is asked once a frame: until then it may have no place yet.
const touched = new Map();
const touch = (node) => {
  const part = node instanceof ShadowRoot ? node.host : node instanceof Element ? node : node?.parentElement;
  if (!part) return;
  if (!touched.size) requestAnimationFrame(look);
  touched.set(part, performance.now());
};
const look = () => {
  for (const [part, time] of touched) {
    const { top, bottom, width, height } = part.getBoundingClientRect();
    const isInWindow = top < innerHeight && bottom > 0 && width && height;
    if (isInWindow) window.benchRecorder.change = Math.max(window.benchRecorder.change, time);
  }
  touched.clear();
};
// Which run of a page an element belongs to; it fades, half a second later, where its run still goes on.
const KEPT_BOOKS = ["data-stale", "data-test-script-state", "data-test-connection-state"];
const isBookkeeping = ({ attributeName, target }) =>
  KEPT_BOOKS.includes(attributeName) || (attributeName === "class" && target.dataset.testid === "stElementContainer");
for (const event of ["transitionstart", "transitionend"]) addEventListener(event, ({ target }) => touch(target), true);
const observer = new MutationObserver((mutations) => {
  for (const mutation of mutations) {
    if (mutation.type === "childList") {
      for (const node of mutation.addedNodes) touch(node);
      // What is gone has no place; what followed it has moved up, and what it stood below has not.
      if (mutation.removedNodes.length) touch(mutation.nextSibling ?? mutation.previousSibling ?? mutation.target);
    } else if (!isBookkeeping(mutation)) touch(mutation.target);
  }
});
const watch = (root) =>
  observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
watch(document);

const attachShadow = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (...options) {
  const root = attachShadow.apply(this, options);
  watch(root);
  return root;
};

const wrap = (prototype, names) => {
  for (const name of names) {
    const original = prototype[name];
    prototype[name] = function (...options) {
      touch(this.canvas);
      if (this.canvas?.dataset?.testid === "sum-canvas") window.benchRecorder.sum = performance.now();
      return original.apply(this, options);
    };
  }
};
wrap(CanvasRenderingContext2D.prototype, ["fillRect", "fillText", "putImageData", "drawImage", "stroke", "fill"]);
wrap(WebGLRenderingContext.prototype, ["drawArrays", "drawElements"]);
wrap(WebGL2RenderingContext.prototype, ["drawArrays", "drawElements"]);

for (const prototype of [WebGLRenderingContext.prototype, WebGL2RenderingContext.prototype]) {
  for (const [name, place] of [
    ["drawElements", 1],
    ["drawArrays", 2],
  ]) {
    const draw = prototype[name];
    prototype[name] = function (...options) {
      draw.apply(this, options);
      if (options[0] !== this.POINTS || options[place] < 1000) return;
      window.benchRecorder.points = performance.now();
      window.benchRecorder.firstPoints ??= window.benchRecorder.points;
    };
  }
}

for (const [event, name] of [
  ["keydown", "key"],
  ["click", "click"],
  ["input", "input"],
]) {
  const note = () => {
    window.benchRecorder[name] = performance.now();
    window.benchRecorder.first ??= performance.now();
  };
  addEventListener(event, note, true);
}
