// The clock of the steps: plays, pauses, goes one step on or back, and jumps. Time runs from 0 to the last step.

const MOVE_SECONDS = 1.3;
const REST_SECONDS = 1.1;

/**
 * @param {number} last number of the last step, where the time is at first
 * @param {object} told
 * @param {(time: number) => void} told.onTime after each change of time
 * @param {(playing: boolean) => void} told.onState when playing starts or ends
 */
export function stepPlayer(last, { onTime, onState }) {
  let frame = 0;
  let previous = 0;
  let rest = 0;
  /** @type {number | null} */
  let goal = null; // where to stop; null while nothing moves
  const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const player = {
    time: last,
    playing: false,
    play() {
      if (player.time >= last) {
        set(0);
        rest = REST_SECONDS;
      } else rest = still() ? REST_SECONDS : 0;
      run(last, true);
    },
    pause: () => run(null, false),
    toggle: () => (player.playing ? player.pause() : player.play()),
    forward: () => go(Math.floor(from() + 1e-6) + 1),
    back: () => go(Math.ceil(from() - 1e-6) - 1),
    /** @param {number} time */
    jump(time) {
      run(null, false);
      rest = 0;
      set(still() ? Math.round(time) : time);
    },
    stop() {
      cancelAnimationFrame(frame);
      goal = null;
    },
  };
  // A second press counts from where the first one leads.
  const from = () => (goal === null || player.playing ? player.time : goal);

  /** @param {number} time */
  function set(time) {
    player.time = Math.max(0, Math.min(last, time));
    onTime(player.time);
  }

  /**
   * @param {number | null} until
   * @param {boolean} playing
   */
  function run(until, playing) {
    goal = until;
    if (player.playing !== playing) onState((player.playing = playing));
    previous = performance.now();
    cancelAnimationFrame(frame);
    frame = goal === null ? 0 : requestAnimationFrame(tick);
  }

  /** @param {number} now */
  function tick(now) {
    const seconds = Math.min(0.1, (now - previous) / 1000);
    previous = now;
    if (rest > 0) rest -= seconds;
    else if (goal !== null) advance(seconds, goal);
    if (goal === null) return;
    if (player.time === goal && rest <= 0) run(null, false);
    else frame = requestAnimationFrame(tick);
  }

  /**
   * @param {number} seconds
   * @param {number} until
   */
  function advance(seconds, until) {
    const direction = Math.sign(until - player.time);
    const nextStop = direction > 0 ? Math.floor(player.time) + 1 : Math.ceil(player.time) - 1;
    const moved = still() ? nextStop : player.time + (direction * seconds) / MOVE_SECONDS;
    const arrived = direction > 0 ? moved >= nextStop : moved <= nextStop;
    set(arrived ? nextStop : moved);
    if (arrived && player.playing && player.time !== goal) rest = REST_SECONDS * (still() ? 2 : 1);
  }

  /** @param {number} step */
  function go(step) {
    rest = 0;
    const to = Math.max(0, Math.min(last, step));
    if (still()) player.jump(to);
    else run(to === player.time ? null : to, false);
  }

  return player;
}
