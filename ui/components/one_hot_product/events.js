// What pointer, keys and controls do to the figure of index.js.

export function listenToPointer(canvas, figure) {
  canvas.addEventListener("pointermove", (event) => figure.pointAt(figure.hit(event)));
  canvas.addEventListener("pointerdown", (event) => event.pointerType !== "mouse" && figure.pointAt(figure.hit(event)));
  canvas.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && figure.pointAt(null));
  canvas.addEventListener("click", (event) => {
    const row = figure.tokenOf(figure.hit(event));
    if (row !== null) figure.toggle(row);
  });
}

// By key the pointer goes through the cells of the one-hot rows and on into those of the result, as one wide row.
export function listenToKeys(canvas, figure) {
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { model, cell } = figure;
    const places = model.rows.length;
    const row = figure.tokenOf(cell) ?? 0;
    const at = cell?.part === "hot" ? (cell.index ?? 0) : places + (cell?.column ?? 0);
    const moves = {
      ArrowLeft: [row, at - 1],
      ArrowRight: [row, at + 1],
      ArrowUp: [row - 1, at],
      ArrowDown: [row + 1, at],
      Home: [row, 0],
      End: [row, places + model.k - 1],
    };
    if (event.key in moves) {
      const [toRow, toAt] = cell ? moves[event.key] : [0, model.drawnAt[0]];
      const where = Math.max(0, Math.min(places + model.k - 1, toAt));
      const next = { row: Math.max(0, Math.min(model.n - 1, toRow)) };
      Object.assign(next, where < places ? { part: "hot", index: where } : { part: "result", column: where - places });
      if (next.part === "result") figure.reveal(next.column);
      figure.pointAt(next);
    } else if (event.key === "Enter" || event.key === " ") figure.toggle(row);
    else if (event.key === "Escape") figure.pointAt(null);
    else return;
    event.preventDefault();
  });
  canvas.addEventListener("blur", () => figure.pointAt(null));
}

export function listenToControls(parts, figure, player) {
  parts.play.addEventListener("click", player.toggle);
  parts.back.addEventListener("click", player.back);
  parts.forward.addEventListener("click", player.forward);
  parts.range.addEventListener("input", () => player.jump(Number(parts.range.value)));
  parts.range.addEventListener("keydown", (event) => {
    // By key one step at a time, not one hundredth.
    const { forward, back } = player;
    const step = {
      ArrowRight: forward,
      ArrowUp: forward,
      PageUp: forward,
      ArrowLeft: back,
      ArrowDown: back,
      PageDown: back,
    };
    if (!(event.key in step)) return;
    step[event.key]();
    event.preventDefault();
  });
  [...parts.ticks.children].forEach((tick, step) => tick.addEventListener("click", () => player.jump(step)));
  parts.windowRange.addEventListener("input", () => figure.slide(Number(parts.windowRange.value)));
  parts.save.addEventListener("click", () => figure.save());
}
