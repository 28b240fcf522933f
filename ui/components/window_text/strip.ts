// The whole text as a strip: where the batch's windows lie, and the frame around the stretch in sight, which is dragged.

import type { Theme } from "../_shared/colour.ts";
import { fitCanvas } from "../_shared/elements.ts";
import type { Data } from "./lanes.ts";

/** `wished`: where the stretch is to begin, until Python has sent it. */
export type Shown = { data: Data; wished: number | null };

const STRIP_HEIGHT = 44;
const SEND_AFTER = 120; // ms without a move before Python is asked for another stretch

/**
 * Where a stretch may begin that lies within the text.
 * @param first where it is asked to begin
 */
export function withinText({ n_ids: total, tokens }: Pick<Data, "n_ids" | "tokens">, first: number) {
  return Math.max(0, Math.min(total - tokens.length, Math.round(first)));
}

/**
 * Where a key moves the stretch to, not yet held within the text; undefined for a key that means nothing here.
 * @param count of the tokens in sight
 */
export function placeAfterKey(key: string, first: number, count: number, total: number) {
  const quarter = Math.max(1, Math.round(count / 4));
  const places: Record<string, number> = {
    ArrowLeft: first - quarter,
    ArrowDown: first - quarter,
    ArrowRight: first + quarter,
    ArrowUp: first + quarter,
    PageUp: first - count,
    PageDown: first + count,
    Home: 0,
    End: total,
  };
  return Object.hasOwn(places, key) ? places[key] : undefined;
}

/**
 * Where in the frame around the stretch it is held, in tokens: beside a thin frame too; elsewhere by its middle.
 * @param at the token under the pointer
 */
export function gripOf(at: number, first: number, count: number, slack: number) {
  return at >= first - slack && at <= first + count + slack ? at - first : count / 2;
}

/**
 * Left and width of the frame around the stretch, in px.
 * @param width of the strip
 */
export function frameOf(first: number, count: number, total: number, width: number) {
  const wide = Math.max(14, (count / total) * width);
  const left = Math.max(1.5, Math.min(width - wide - 1.5, (first / total) * width));
  return { left, width: Math.min(wide, width - 3) };
}

/** @param listeners onMove while the frame is dragged, send when it rests */
export function listenToStrip(
  strip: HTMLCanvasElement,
  shown: () => Shown | null,
  { onMove, send }: { onMove: (first: number) => void; send: (first: number) => void },
) {
  let timer = 0;
  let grip: number | null = null;
  const firstOf = ({ data, wished }: Shown) => wished ?? data.first;
  const move = (place: number) => {
    const now = shown();
    if (!now) return;
    const first = withinText(now.data, place);
    if (first === firstOf(now)) return;
    onMove(first);
    clearTimeout(timer);
    timer = window.setTimeout(() => send(first), SEND_AFTER);
  };
  const tokenAt = (event: PointerEvent, total: number) => {
    const box = strip.getBoundingClientRect();
    return ((event.clientX - box.left) / box.width) * total;
  };
  strip.addEventListener("pointerdown", (event) => {
    const now = shown();
    if (event.button !== 0 || !now) return;
    strip.setPointerCapture(event.pointerId);
    const { n_ids: total, tokens } = now.data;
    const at = tokenAt(event, total);
    grip = gripOf(at, firstOf(now), tokens.length, (12 / strip.clientWidth) * total);
    move(at - grip);
  });
  strip.addEventListener("pointermove", (event) => {
    const now = shown();
    if (grip !== null && now) move(tokenAt(event, now.data.n_ids) - grip);
  });
  for (const name of ["pointerup", "pointercancel"]) strip.addEventListener(name, () => void (grip = null));
  strip.addEventListener("keydown", (event) => {
    const now = shown();
    if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = placeAfterKey(event.key, firstOf(now), now.data.tokens.length, now.data.n_ids);
    if (place === undefined) return;
    move(place);
    event.preventDefault();
    event.stopPropagation();
  });
  return () => clearTimeout(timer);
}

export function drawStrip(
  strip: HTMLCanvasElement,
  { data, wished }: Shown,
  theme: Theme,
  { hovered, chosen }: { hovered: number | null; chosen: number | null },
) {
  const width = strip.clientWidth;
  if (!width) return;
  const context = fitCanvas(strip, width, STRIP_HEIGHT);
  strip.style.width = "";
  const x = (position: number) => (position / data.n_ids) * width;
  context.clearRect(0, 0, width, STRIP_HEIGHT);
  context.fillStyle = theme.panel;
  context.fillRect(0, 10, width, STRIP_HEIGHT - 20);
  context.fillStyle = theme.ink;
  for (const start of data.starts) {
    const wide = Math.max(3, x(data.max_length) - 1);
    context.fillRect(Math.min(width - wide, x(start)), 16, wide, STRIP_HEIGHT - 32);
  }
  const frame = frameOf(wished ?? data.first, data.tokens.length, data.n_ids, width);
  context.strokeStyle = theme.accent;
  context.lineWidth = 3;
  context.beginPath();
  context.roundRect(frame.left, 4, frame.width, STRIP_HEIGHT - 8, 6);
  context.stroke();
  for (const position of [chosen, hovered])
    if (position !== null && position < data.n_ids)
      drawPin(context, Math.max(7, Math.min(width - 7, x(position + 0.5))), theme);
}

function drawPin(context: CanvasRenderingContext2D, x: number, { ink, ground }: Theme) {
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
