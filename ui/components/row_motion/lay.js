// Where names stand: none over another. They fade in and out and glide to other sides, so that nothing flickers while
// words move.

import { NARROW } from "../point_cloud/axes.js";
import { isStill } from "./clock.js";
import { namesMove, wantedNames } from "./names.js";
import { magnifying, screenOf } from "./screen.js";

const FADE_SECONDS = 0.25;
const SHIFT_SECONDS = 0.12; // how fast a name goes over to another side of its word
const CENTRED = [
  [0, 0],
  [0, -1],
  [0, 1],
  [0, -1.6],
  [0, 1.6],
]; // in heights of the name
const ABOVE = [
  [0, -1.05],
  [0, 1.05],
  [0, -1.7],
  [0, 1.7],
  [0, 0],
];
const BESIDE_IT = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
];
const FARTHER_OFF = [0, 24, 50, 80, 112, 146]; // pixels that a neighbour's name may stand off, with a line to its word
const AROUND_IT = FARTHER_OFF.flatMap((off) => BESIDE_IT.map(([right, down]) => [right, down, off]));

// Size, weight, and how it is laid: "middle" on its place, "beside" it, "around" it farther off,
// "always" beside it even where there is no room.
const STYLES = {
  chosen: { size: 20, weight: 700, lay: "always" },
  near: { size: 17, weight: 600, lay: "around" },
  title: { size: 21, weight: 700, lay: "middle" },
  aside: { size: 17, weight: 600, lay: "middle" }, // a kind while a word is followed
  word: { size: 15, weight: 500, lay: "beside" },
};

// Decides what is named and where; `counter` is the box of the step's number.
export function layNames(context, motion, counter, seconds) {
  const { shown } = motion;
  const wanted = motion.names || motion.chosen !== null ? wantedNames(motion) : [];
  const taken = [counter, ...motion.ticked];
  if (motion.chosen !== null) taken.push(squareAround(...screenOf(motion, motion.chosen), 14));
  const placed = new Set();
  for (const name of wanted) if (layName(context, motion, name, taken)) placed.add(name.id);
  motion.fading = false;
  const still = isStill();
  const part = still ? 1 : 1 - Math.exp(-seconds / SHIFT_SECONDS);
  const step = still ? 1 : seconds / FADE_SECONDS;
  for (const [id, name] of shown) {
    const goal = placed.has(id) ? name.goal : 0;
    name.alpha = name.alpha < goal ? Math.min(goal, name.alpha + step) : Math.max(goal, name.alpha - step);
    name.offset = name.offset.map((from, axis) => from + (name.wanted[axis] - from) * part);
    const off = Math.hypot(name.wanted[0] - name.offset[0], name.wanted[1] - name.offset[1]);
    if (off < 0.4) name.offset = name.wanted;
    name.box = [name.x + name.offset[0], name.y + name.offset[1], name.width, name.height];
    if (name.alpha !== goal || off >= 0.4) motion.fading = true;
    else if (goal === 0) shown.delete(id);
  }
}

// Gives a name the first place that is free; false where there is none.
function layName(context, motion, name, taken) {
  const { shown, theme, view } = motion;
  const moving = namesMove(motion);
  const { plot } = view;
  const { size: wide, weight, lay } = STYLES[name.look];
  const size =
    plot.width < NARROW && name.look !== "word" ? Math.max(15, wide - 4) : Math.round(wide * magnifying(plot));
  const before = shown.get(name.id);
  const entry = before ?? { alpha: 0 };
  const font = `${weight} ${size}px ${theme.font}`;
  const pill = name.look === "chosen";
  if (entry.font !== font || entry.text !== name.text) {
    context.font = font;
    entry.width = Math.ceil(context.measureText(name.text).width) + (pill ? 18 : 4);
  }
  Object.assign(entry, name, { size, font, height: Math.round(size * (pill ? 1.55 : 1.2)) });
  const sides = { middle: name.tight ? ABOVE : CENTRED, around: AROUND_IT }[lay] ?? BESIDE_IT;
  const free = (side) => !taken.some((other) => touches(boxAtSide(entry, lay, sides[side], plot), other));
  // While words move a name stays on its side as long as it can; as they come to rest it takes the best one.
  const side =
    moving && entry.side !== undefined && free(entry.side) ? entry.side : sides.findIndex((_, at) => free(at));
  if (side < 0 && lay !== "always") return false;
  entry.side = Math.max(0, side);
  const box = boxAtSide(entry, lay, sides[entry.side], plot);
  entry.wanted = [box[0] - name.x, box[1] - name.y];
  entry.offset ??= entry.wanted;
  taken.push(box);
  shown.set(name.id, entry);
  return true;
}

// The box of a name on one side of its place, inside the picture.
function boxAtSide({ x, y, gap, width, height }, lay, [right, down, off = 0], plot) {
  const away = gap + 3 + off * (right && down ? 0.75 : 1);
  const left = lay === "middle" ? x - width / 2 : x + right * away + ((right - 1) * width) / 2;
  const top = lay === "middle" ? y - height / 2 + down * height : y + down * away + ((down - 1) * height) / 2;
  const inside = (value, start, room, taken) => Math.max(start + 3, Math.min(start + room - taken - 3, value));
  return [inside(left, plot.x, plot.width, width), inside(top, plot.y, plot.height, height), width, height];
}

const squareAround = (x, y, reach) => [x - reach, y - reach, 2 * reach, 2 * reach];
const touches = ([x, y, w, h], [x2, y2, w2, h2]) => x < x2 + w2 && x2 < x + w && y < y2 + h2 && y2 < y + h;
