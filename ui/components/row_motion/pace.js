// How often the picture is drawn: with every frame of the screen, or less often where drawing takes the browser so long
// that the page beside it would starve. Time goes on all the same, in longer strides.

const SMOOTH = 1000 / 40; // milliseconds from a drawn frame to the next one, up to which all is well
const LONGEST = 200; // milliseconds between two pictures at most

// `cost`: milliseconds from a drawn frame to the next frame, smoothed; `idle`: the same after one that was passed over.
export function newPace() {
  return { cost: 1000 / 60, idle: 1000 / 60, drawn: -Infinity, last: -Infinity, drew: false };
}

// Tells whether a frame is to be drawn, and learns from when it came.
export function isDue(pace, now) {
  const since = now - pace.last;
  if (since > 0 && since < 1000) {
    const of = pace.drew ? "cost" : "idle";
    pace[of] += (since - pace[of]) * 0.3;
  }
  pace.last = now;
  // A screen that is slow by itself is no reason to draw less.
  const slow = pace.cost > Math.max(SMOOTH, 1.3 * pace.idle);
  pace.drew = !slow || now - pace.drawn >= Math.min(LONGEST, 2.5 * pace.cost);
  if (pace.drew) pace.drawn = now;
  return pace.drew;
}

// The next frame comes after a rest, and tells nothing.
export function restPace(pace) {
  pace.last = -Infinity;
}
