// A circle with the query's hand, the key's hand and the arc from one to the other.

import { arcPoints, handAngle, labelPlaces, type Pair } from "./hands.ts";

interface Hands {
  queryHand: Pair;
  keyHand: Pair;
  between: number; // radians from the key's hand to the query's
}

const round = (value: number) => Number(value.toFixed(4));

/**
 * @param label for screen readers, and
 * @param names of the hands: both are left out in a small clock
 */
export function Clock({
  queryHand,
  keyHand,
  between,
  label,
  names,
}: Hands & { label?: string; names?: [query: string, key: string] }) {
  const scale = 1 / Math.max(Math.hypot(...queryHand), Math.hypot(...keyHand), 1e-9);
  const hands = [
    { name: "query", hand: queryHand },
    { name: "key", hand: keyHand },
  ].map(({ name, hand: [x, y] }) => ({ name, x: round(x * scale), y: round(-y * scale) }));
  const toScale = ([x, y]: Pair): Pair => [x * scale, y * scale];
  const places = labelPlaces(toScale(queryHand), toScale(keyHand)).map(([x, y]) => ({
    x: round(x),
    y: round(-y),
    "text-anchor": Math.abs(x) < 0.3 * Math.hypot(x, y) ? "middle" : x > 0 ? "start" : "end",
  }));
  return (
    <svg
      class="clock"
      viewBox="-1.3 -1.3 2.6 2.6"
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={!label}
    >
      <circle class="rim" r="1" />
      {names && <path class="axes" d="M-1 0H1M0 -1V1" />}
      <polyline class="arc" points={arcPoints(handAngle(keyHand), between)} />
      {hands.map(({ name, x, y }, index) => (
        <g class={name} key={name}>
          <line x2={x} y2={y} />
          <circle cx={x} cy={y} r={names ? 0.055 : 0.13} />
          {names && <text {...places[index]}>{names[index]}</text>}
        </g>
      ))}
    </svg>
  );
}
