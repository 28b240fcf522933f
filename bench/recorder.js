// Put into the page before anything else: notes when a key goes down, and when anything on the page changed last.
// The sum is the canvas of the three heatmaps; points are a thousand or more in one call of WebGL, the first and the last such
// call. The shift is what the browser counts for what moved by itself. A change is a mutation of the document or of any shadow root, a stroke on a 2-D canvas, or a WebGL draw call.
window.benchRecorder = { key: null, click: null, change: null, sum: null, firstPoints: null, points: null, shift: 0 };

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.benchRecorder.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });

const changed = () => {
  window.benchRecorder.change = performance.now();
};
const observer = new MutationObserver(changed);
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
      changed();
      if (this.canvas?.dataset?.testid === "sum-canvas") window.benchRecorder.sum = performance.now();
      return original.apply(this, options);
    };
  }
};
wrap(CanvasRenderingContext2D.prototype, ["fillRect", "fillText", "putImageData", "drawImage", "stroke", "fill"]);
wrap(WebGLRenderingContext.prototype, ["drawArrays", "drawElements"]);
wrap(WebGL2RenderingContext.prototype, ["drawArrays", "drawElements"]);

const drawElements = WebGL2RenderingContext.prototype.drawElements;
WebGL2RenderingContext.prototype.drawElements = function (mode, count, ...options) {
  drawElements.call(this, mode, count, ...options);
  if (mode !== this.POINTS || count < 1000) return;
  window.benchRecorder.points = performance.now();
  window.benchRecorder.firstPoints ??= window.benchRecorder.points;
};

for (const [event, name] of [
  ["keydown", "key"],
  ["click", "click"],
]) {
  addEventListener(event, () => void (window.benchRecorder[name] = performance.now()), true);
}
