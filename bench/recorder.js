// Put into the page before anything else: notes when a key goes down, and when anything on the page changed last.
// The sum is the canvas of the three heatmaps; points are a thousand or more in one call of WebGL, the first and the last such
// call. A change is a mutation of the document or of any shadow root, a stroke on a 2-D canvas, or a WebGL draw call.
window.benchRecorder = { key: null, change: null, sum: null, firstPoints: null, points: null };

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

addEventListener(
  "keydown",
  () => {
    window.benchRecorder.key = performance.now();
  },
  true,
);
