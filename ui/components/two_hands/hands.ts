// The arithmetic of rotary positions: hands of a clock that are rotated by an angle proportional to the position.

export type Pair = readonly [x: number, y: number];

/** Start of a hand that points to the right and has length 1. */
export const UNIT: Pair = [1, 0];

/** Rotate a pair of numbers counter-clockwise. */
export function rotate([x, y]: Pair, angle: number): Pair {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos - y * sin, x * sin + y * cos];
}

export const dotProduct = (a: Pair, b: Pair) => a[0] * b[0] + a[1] * b[1];

/** Direction of a hand in radians, between -π and π. */
export const handAngle = ([x, y]: Pair) => Math.atan2(y, x);

/**
 * The arc that leads from one direction over an angle, as points of an SVG polyline: a spiral that widens a little with
 * each full turn, so that turns do not cover each other.
 * @param start in radians
 * @param angle in radians; negative for clockwise
 */
export function arcPoints(start: number, angle: number, { radius = 0.3, widening = 0.05 } = {}): string {
  const count = Math.max(2, Math.ceil(Math.abs(angle) / 0.1));
  const points = [];
  for (let i = 0; i <= count; i += 1) {
    const turned = (angle * i) / count;
    const r = Math.min(0.9, radius + (widening * Math.abs(turned)) / (2 * Math.PI));
    const [x, y] = rotate([r, 0], start + turned);
    points.push(`${x.toFixed(4)},${(-y).toFixed(4)}`);
  }
  return points.join(" ");
}

const OFF = 0.12; // from the end of a hand to its name
const APART = 0.34; // between two names at the same distance from the middle, at least
const LEAST = 0.3; // from the middle to a name

/** Where the names of two hands stand: past the ends of the hands, or beside each other where the hands are close. */
export function labelPlaces(query: Pair, key: Pair): [query: Pair, key: Pair] {
  const [a, b] = [handAngle(query), handAngle(key)];
  const between = Math.atan2(Math.sin(a - b), Math.cos(a - b));
  const side = between < 0 ? -1 : 1;
  const place = (hand: Pair, angle: number, away: number) => {
    const radius = Math.max(LEAST, Math.hypot(...hand) + OFF);
    return rotate([radius, 0], angle + (away * Math.max(0, APART / radius - Math.abs(between))) / 2);
  };
  return [place(query, a, side), place(key, b, -side)];
}
