// What keys do to the picture of index.js.

const KEY_STEP = 60; // pixels that an arrow moves
const KEY_TURN = 40; // pixels of a drag that an arrow stands for, turning

export function listenToKeys(canvas, figure) {
  const arrows = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const actions = {
    "+": () => figure.zoomBy(1.5),
    "=": () => figure.zoomBy(1.5),
    "-": () => figure.zoomBy(1 / 1.5),
    "−": () => figure.zoomBy(1 / 1.5),
    0: () => figure.reset(),
    Home: () => figure.reset(),
    n: () => figure.stepNeighbour(1),
    p: () => figure.stepNeighbour(-1),
    Enter: () => figure.chooseHovered(),
    " ": () => figure.chooseHovered(),
    s: () => figure.markAllInSight(),
    Escape: () => figure.clear(),
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in arrows) {
      const [right, down] = arrows[event.key];
      if (figure.space && !event.shiftKey) figure.turn(-right * KEY_TURN, -down * KEY_TURN);
      else figure.pan(right * KEY_STEP, down * KEY_STEP);
    } else {
      const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!action || (event.key === "Escape" && document.fullscreenElement && !figure.hasMarks)) return;
      action();
    }
    event.preventDefault();
    event.stopPropagation();
  });
  canvas.addEventListener("blur", () => figure.pointAway());
}
