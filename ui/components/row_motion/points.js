// The words as dots: a small picture of each kind of dot, laid where the words are.

import { NARROW } from "../point_cloud/axes.js";
import { colourOf, FAINT, magnifying, NEAR, screenOf } from "./screen.js";

const LOOKS = [
  { radius: 3, alpha: 0.3, rim: 0 },
  { radius: 5, alpha: 0.2, rim: 0 },
  { radius: 5.5, alpha: 0.92, rim: 1 },
  { radius: 7.5, alpha: 1, rim: 1.5 },
  { radius: 10, alpha: 1, rim: 2 },
];
const ROOM = 1500; // words that have room at full size; more are drawn smaller

export function drawPoints(context, motion, which) {
  const { model, looks, screen, view, theme } = motion;
  const quiet = motion.chosen !== null || motion.focus !== null ? 0.45 : 1; // for words without a kind
  const crowd = Math.max(0.55, Math.min(1, Math.sqrt(ROOM / model.count)));
  const size = view.plot.width < NARROW ? 0.8 : 1 + 0.6 * (magnifying(view.plot) - 1);
  const picture = dotPictures(motion, theme, context.getTransform().a);
  for (const look of which) {
    const { radius, alpha } = LOOKS[look];
    const wide = radius * size * (look < NEAR ? crowd : 1);
    for (const at of inOrder(looks, look, view.space > 0 ? screen : null)) {
      const depth = view.space > 0 ? Math.max(0, Math.min(1, screen[3 * at + 2])) : 1;
      const near = 1 + view.space * (0.5 * depth - 0.3);
      const [dot, side] = picture(colourOf(motion, at), look, Math.round(4 * wide * near) / 4);
      context.globalAlpha = alpha * (look === FAINT ? quiet : 1) * (1 - view.space * 0.5 * (1 - depth));
      context.drawImage(dot, screen[3 * at] - side / 2, screen[3 * at + 1] - side / 2, side, side);
    }
  }
  context.globalAlpha = 1;
}

// The words that look so; those on top last: the more important ones, in space the nearer ones.
function inOrder(looks, look, screen) {
  const words = [];
  for (let at = looks.length - 1; at >= 0; at -= 1) if (looks[at] === look) words.push(at);
  return screen ? words.sort((a, b) => screen[3 * a + 2] - screen[3 * b + 2]) : words;
}

// What gives the picture of a dot and how wide it is; each is made once.
function dotPictures(motion, theme, ratio) {
  const dots = (motion.dots ??= new Map());
  if (dots.theme !== theme || dots.ratio !== ratio || dots.size > 800) {
    dots.clear();
    Object.assign(dots, { theme, ratio });
  }
  return (colour, look, radius) => {
    const key = `${colour} ${look} ${radius}`;
    if (!dots.has(key)) {
      const made = dotPicture(colour, radius, LOOKS[look], theme, ratio);
      dots.set(key, [made, made.width / ratio]);
    }
    return dots.get(key);
  };
}

function dotPicture(colour, radius, { rim }, theme, ratio) {
  const side = Math.ceil(2 * (radius + rim + 1) * ratio);
  const picture = document.createElement("canvas");
  [picture.width, picture.height] = [side, side];
  const context = picture.getContext("2d");
  const circle = (size, fill) => {
    context.beginPath();
    context.arc(side / 2, side / 2, size * ratio, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
  };
  if (rim) circle(radius + rim, theme.ground);
  circle(radius, colour);
  return picture;
}

// Around the chosen word and the one under the pointer.
export function drawRing(context, motion) {
  const { chosen, hovered, theme } = motion;
  for (const [index, colour] of [
    [chosen, theme.ink],
    [hovered, theme.accent],
  ]) {
    if (index === null) continue;
    const [x, y] = screenOf(motion, index);
    for (const [line, wide] of [
      [theme.ground, 6],
      [colour, 3],
    ]) {
      context.beginPath();
      context.arc(x, y, index === chosen ? 13 : 11, 0, 2 * Math.PI);
      context.strokeStyle = line;
      context.lineWidth = wide;
      context.stroke();
    }
  }
}
