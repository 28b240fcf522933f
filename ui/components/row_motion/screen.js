// Where the words are on the screen, and how much each of them stands out.

import { NONE } from "./model.js";

export const FAINT = 0; // no kind, where others have one
export const BACK = 1; // steps back behind what stands out
export const EVEN = 2;
export const NEAR = 3; // a neighbour of the chosen word, or of the kind that stands out
export const FIRST = 4; // the chosen word

// A picture that fills a hall's screen has larger names and dots.
export const magnifying = ({ width, height }) => Math.max(1, Math.min(1.5, width / 1000, height / 480));

// (x, y, depth) of each word in CSS pixels; depth from 0, far, to 1, near.
export function screenPlaces({ view, frame }, places) {
  const { turn, scale, middle, radius } = view;
  const screen = new Float32Array(places.length);
  const by = scale * frame.scale;
  for (let at = 0; at < places.length; at += 3) {
    const [x, y, z] = [
      places[at] - frame.centre[0],
      places[at + 1] - frame.centre[1],
      places[at + 2] - frame.centre[2],
    ];
    screen[at] = middle[0] + (turn[0] * x + turn[1] * y + turn[2] * z) * by;
    screen[at + 1] = middle[1] - (turn[3] * x + turn[4] * y + turn[5] * z) * by;
    screen[at + 2] = 0.5 + ((turn[6] * x + turn[7] * y + turn[8] * z) * frame.scale) / (2 * radius);
  }
  return screen;
}

export const screenOf = ({ screen }, index) => [screen[3 * index], screen[3 * index + 1]];

export function colourOf({ model, header, theme }, index) {
  const group = model.groups[index];
  return group !== NONE ? header.legend[group][1] : model.hasKinds ? theme.ink : theme.accent;
}
