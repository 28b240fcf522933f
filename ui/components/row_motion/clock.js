// The moment that is shown: it stands still, is replayed, follows a run that goes on, or glides to another moment.

const REPLAY_SECONDS = 4; // for the whole run at speed 1
const LEAD_IN = 0.6; // seconds that the first step is to be seen
const CATCH_UP = 1 / 2.5; // of the run per second, at most, behind a run that goes on
const GLIDE_SECONDS = 0.07;
const STRIDES = 24; // that a replay has for who asks for reduced motion

export const isStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// `time` as in timeOf; mode "rest", "replay", "follow" or "glide".
export function newClock() {
  return { time: 0, mode: "rest", goal: 0, speed: 1, pace: 0.1, lead: 0, wait: 0, arrived: 0, spacing: 0.5 };
}

export function stopClock(clock, mode = "rest") {
  clock.mode = mode;
  clock.wait = 0;
  clock.lead = 0;
}

// From the first step on.
export function startClock(clock, mode) {
  stopClock(clock, mode);
  clock.time = 0;
  clock.lead = LEAD_IN;
}

export function glideClock(clock, goal) {
  clock.goal = goal;
  if (isStill()) [clock.time, clock.mode] = [goal, "rest"];
  else clock.mode = "glide";
}

// More of the run has come: what is new is played evenly until more is expected.
export function hurryClock(clock, newest, now) {
  const since = clock.arrived ? (now - clock.arrived) / 1000 : 0.5;
  clock.arrived = now;
  clock.spacing += (Math.max(0.2, Math.min(2, since)) - clock.spacing) * 0.4;
  clock.pace = Math.min(CATCH_UP, Math.max(0.01, (newest - clock.time) / (1.15 * clock.spacing)));
}

// Moves on by so many seconds, to `newest` at most; returns whether a replay has come to its end.
export function tickClock(clock, seconds, newest) {
  if (clock.lead > 0) {
    clock.lead -= seconds;
    return false;
  }
  if (clock.mode === "replay") {
    const step = (seconds * clock.speed) / REPLAY_SECONDS;
    if (!isStill()) clock.time += step;
    else if ((clock.wait += step / 3) >= 1 / STRIDES) [clock.time, clock.wait] = [clock.time + 1 / STRIDES, 0];
    if (clock.time < newest) return false;
    clock.time = newest;
    stopClock(clock);
    return true;
  }
  if (clock.mode === "follow") clock.time = isStill() ? newest : Math.min(newest, clock.time + clock.pace * seconds);
  if (clock.mode === "glide") {
    clock.time += (clock.goal - clock.time) * (1 - Math.exp(-seconds / GLIDE_SECONDS));
    if (Math.abs(clock.goal - clock.time) < 2e-4) [clock.time, clock.mode] = [clock.goal, "rest"];
  }
  return false;
}

export const clockMoves = (clock, newest) =>
  clock.mode === "replay" || clock.mode === "glide" || (clock.mode === "follow" && clock.time < newest);
