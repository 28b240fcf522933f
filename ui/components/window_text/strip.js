// The whole text as a strip: where the batch's windows lie, and the frame around the stretch in sight, which is dragged.

import { fitCanvas } from "../_shared/elements.js";

const STRIP_HEIGHT = 44;
const SEND_AFTER = 120; // ms without a move before Python is asked for another stretch

// onMove(first) while the frame is dragged, send(first) when it rests.
export function listenToStrip(strip, state, { onMove, send }) {
  let timer = 0;
  let grip = null; // where in the frame it is held, in tokens
  const move = (first) => {
    const { data } = state;
    const held = Math.max(0, Math.min(data.n_ids - data.tokens.length, Math.round(first)));
    if (held === (state.wished ?? data.first)) return;
    state.wished = held;
    onMove();
    clearTimeout(timer);
    timer = setTimeout(() => send(held), SEND_AFTER);
  };
  const tokenAt = (event) => {
    const box = strip.getBoundingClientRect();
    return ((event.clientX - box.left) / box.width) * state.data.n_ids;
  };
  strip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    strip.setPointerCapture(event.pointerId);
    const [first, shown] = [state.wished ?? state.data.first, state.data.tokens.length];
    const at = tokenAt(event);
    const slack = (12 / strip.clientWidth) * state.data.n_ids; // a thin frame can be held beside itself
    grip = at >= first - slack && at <= first + shown + slack ? at - first : shown / 2;
    move(at - grip);
  });
  strip.addEventListener("pointermove", (event) => grip !== null && move(tokenAt(event) - grip));
  for (const name of ["pointerup", "pointercancel"]) strip.addEventListener(name, () => (grip = null));
  strip.addEventListener("keydown", (event) => {
    const { data } = state;
    const [first, shown] = [state.wished ?? data.first, data.tokens.length];
    const quarter = Math.max(1, Math.round(shown / 4));
    const moves = {
      ArrowLeft: first - quarter,
      ArrowDown: first - quarter,
      ArrowRight: first + quarter,
      ArrowUp: first + quarter,
      PageUp: first - shown,
      PageDown: first + shown,
      Home: 0,
      End: data.n_ids,
    };
    if (!(event.key in moves) || event.ctrlKey || event.metaKey || event.altKey) return;
    move(moves[event.key]);
    event.preventDefault();
    event.stopPropagation();
  });
  return () => clearTimeout(timer);
}

export function drawStrip(strip, { data, wished }, theme, { hovered, chosen }) {
  const width = strip.clientWidth;
  if (!width) return;
  const context = fitCanvas(strip, width, STRIP_HEIGHT);
  strip.style.width = "";
  const x = (position) => (position / data.n_ids) * width;
  context.clearRect(0, 0, width, STRIP_HEIGHT);
  context.fillStyle = theme.panel;
  context.fillRect(0, 10, width, STRIP_HEIGHT - 20);
  context.fillStyle = theme.ink;
  for (const start of data.starts) {
    const wide = Math.max(3, x(data.max_length) - 1);
    context.fillRect(Math.min(width - wide, x(start)), 16, wide, STRIP_HEIGHT - 32);
  }
  const wide = Math.max(14, x(data.tokens.length));
  const left = Math.max(1.5, Math.min(width - wide - 1.5, x(wished ?? data.first)));
  context.strokeStyle = theme.accent;
  context.lineWidth = 3;
  context.beginPath();
  context.roundRect(left, 4, Math.min(wide, width - 3), STRIP_HEIGHT - 8, 6);
  context.stroke();
  const pins = [chosen, hovered].filter((position) => position !== null && position < data.n_ids);
  for (const position of pins) drawPin(context, Math.max(7, Math.min(width - 7, x(position + 0.5))), theme);
}

function drawPin(context, x, { ink, ground }) {
  context.beginPath();
  context.moveTo(x - 6, 1);
  context.lineTo(x + 6, 1);
  context.lineTo(x, 12);
  context.closePath();
  context.fillStyle = ink;
  context.strokeStyle = ground;
  context.lineWidth = 2;
  context.stroke();
  context.fill();
}
