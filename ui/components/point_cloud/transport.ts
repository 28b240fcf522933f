// The moment that is shown: a clock that replays a run or eases to a moment; the controls for it; and which steps Python
// hears of.

import { prefersReducedMotion } from "../_shared/canvas.ts";
import { makeElement } from "../_shared/elements.ts";
import { iconButton, nameButton, setIcon } from "../_shared/icons.ts";
import { countText, language } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import { type Header, type MotionModel, momentAt, nearestFrame, timeOf } from "./frames.ts";

type Clock = ReturnType<typeof newClock>;
type Transport = ReturnType<typeof newTransport>;
type TransportParts = ReturnType<typeof transportParts>;

const REPLAY_SECONDS = 4; // for the whole run at speed 1
const LEAD_IN = 0.15; // of a replay's time, in which the first step is to be seen
const EASE_SECONDS = 0.07;
const FOLLOW_SECONDS = 0.8; // behind a run that goes on
const STRIDES = 24; // that a replay has for who asks for reduced motion
const REPORT_EVERY = { drag: 250, replay: 1000 }; // milliseconds
const SPEEDS = [0.25, 0.5, 1, 2];
const RANGE_STEPS = 2000; // of the slider: finer than its pixels
const TICKED = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000];

/** Trainings that this tab has seen from the beginning. */
const played = new Set();

/** `time` as in timeOf. */
export const newClock = () => ({
  time: 0,
  goal: 0, // that it eases to
  ease: EASE_SECONDS, // in which it goes 63 % of its way
  replayed: null as number | null, // time of a replay that runs
  speed: 1, // of a replay
});

export function easeClock(clock: Clock, goal: number, ease: number = EASE_SECONDS) {
  Object.assign(clock, { goal, ease, replayed: null });
}

/** Start a replay from the first step or from the current time. */
export const replayClock = (clock: Clock, fromFirst: boolean) =>
  void (clock.replayed = fromFirst ? -LEAD_IN : clock.time);

/**
 * Advance the clock by some seconds.
 * @param newest time at which a replay ends
 * @param still whether motion is to be reduced
 * @returns whether a replay has ended
 */
export function tickClock(clock: Clock, seconds: number, newest: number, still: boolean) {
  if (clock.replayed !== null) {
    clock.replayed += (seconds * clock.speed) / (REPLAY_SECONDS * (still ? 3 : 1));
    const time = Math.max(0, clock.replayed);
    const isOver = time >= newest;
    clock.time = isOver ? newest : still ? Math.floor(time * STRIDES) / STRIDES : time;
    if (isOver) easeClock(clock, newest);
    return isOver;
  }
  clock.time += (clock.goal - clock.time) * (still ? 1 : 1 - Math.exp(-seconds / clock.ease));
  if (Math.abs(clock.goal - clock.time) < 2e-4) clock.time = clock.goal;
  return false;
}

export const clockMode = ({ replayed, time, goal }: Clock) =>
  replayed !== null ? "replay" : time === goal ? "rest" : "ease";

/** The clock, driven by the page, the run and the reader; it reports steps to Python. */
export function newTransport(motion: { header: Header | null; model: MotionModel | null; schedule: () => void }) {
  const clock = newClock();
  // What Python was told last, and what it says itself.
  const last = { turn: 0, step: -1, at: 0, run: "", training: "", follow: false };
  let timer = 0;
  let held = false; // the reader looks at a step of their own while the run goes on
  let asked = false; // a replay that the reader asked for
  let dragging = false;
  let report: (report: { value: number; turn: number; newest: boolean }) => void = () => {};

  // Called only once they are here.
  const model = () => motion.model as MotionModel;
  const header = () => motion.header as Header;
  const newestStep = () => model().frames[model().frames.length - 1].step;
  const step = () => model().frames[momentAt(model(), clock.time).index].step;

  function tell(value: number) {
    clearTimeout(timer);
    if (value === last.step) return;
    Object.assign(last, { step: value, at: performance.now(), turn: last.turn + 1 });
    // Who asks for the newest step means the one that is the newest by then.
    report({ value, turn: last.turn, newest: value === newestStep() });
  }

  /** At most once in so many milliseconds, the last one for certain. */
  function reportSoon(value: number) {
    clearTimeout(timer);
    const wait = last.at + REPORT_EVERY.drag - performance.now();
    if (wait <= 0) tell(value);
    else timer = window.setTimeout(() => tell(value), wait);
  }

  /** Start a run's clock: a training run at its newest step, a new run with a replay, any other at the page's step. */
  function begin() {
    const { run, follow, step: wished, step_turn: turn, n_steps: nSteps, replay, last: lastStep } = header();
    const [training] = run.split("|");
    const isSame = training === last.training;
    const isKnown = isSame || played.has(training);
    Object.assign(last, { run, training, turn, step: wished });
    played.add(training);
    held = isSame && held;
    if (follow && !held) clock.time = isKnown ? model().newest : 0;
    else if (!isKnown && replay && wished === lastStep && model().frames.length > 1 && !prefersReducedMotion()) {
      replayClock(clock, true);
      asked = false;
    } else if (!isSame || clock.replayed === null) {
      easeClock(clock, timeOf(wished, nSteps));
      clock.time = clock.goal;
    }
  }

  const hold = () => (held = header().follow);
  /** Move smoothly to a stored step. */
  function easeTo(at: number, telling: (step: number) => void) {
    easeClock(clock, model().times[at]);
    telling(model().frames[at].step);
    motion.schedule();
  }

  const transport = {
    clock,
    step,
    get mode() {
      return clockMode(clock);
    },
    get dragging() {
      return dragging;
    },
    onReport: (fn: (report: { value: number; turn: number; newest: boolean }) => void) => void (report = fn),
    /** Apply the page's step, or new steps of the run. */
    take() {
      const { run, follow, last: lastStep, step: wished, step_turn: turn, n_steps: nSteps } = header();
      const { newest } = model();
      const isWhole = newestStep() >= lastStep; // the page may speak before the steps are here that it speaks of
      if (follow && !last.follow) held = false; // the page asks for it anew
      last.follow = follow;
      if (last.run !== run) {
        if (isWhole) begin();
      } else if ((turn > last.turn || (turn === last.turn && wished !== last.step)) && !follow && isWhole) {
        Object.assign(last, { turn, step: wished });
        held = false;
        if (wished !== lastStep || clock.replayed === null) easeClock(clock, timeOf(wished, nSteps)); // else it arrives
      }
      if (follow && !held && clock.replayed === null) easeClock(clock, newest, FOLLOW_SECONDS);
      clock.time = Math.min(clock.time, newest); // who starts anew has fewer steps than before
      clock.goal = Math.min(clock.goal, newest);
    },
    tick(seconds: number) {
      const isOver = tickClock(clock, seconds, model().newest, prefersReducedMotion());
      if (isOver && header().follow) transport.toLast();
      else if (asked && (isOver || (clock.replayed !== null && performance.now() - last.at > REPORT_EVERY.replay)))
        tell(step());
    },
    toggle() {
      hold();
      if (clock.replayed !== null) return easeTo(nearestFrame(model(), clock.time), tell);
      asked = true;
      replayClock(clock, clock.time >= model().newest - 1e-6);
      motion.schedule();
    },
    drag(to: number) {
      dragging = true;
      hold();
      easeClock(clock, Math.min(to, model().newest));
      reportSoon(model().frames[nearestFrame(model(), clock.goal)].step);
      motion.schedule();
    },
    release(to: number) {
      dragging = false;
      easeTo(nearestFrame(model(), Math.min(to, model().newest)), tell);
    },
    /** So many steps on, of those that were kept. */
    move(by: number) {
      hold();
      const from = nearestFrame(model(), clock.replayed === null ? clock.goal : clock.time);
      easeTo(Math.max(0, Math.min(model().frames.length - 1, from + by)), reportSoon);
    },
    toFirst: () => transport.move(-model().frames.length),
    toLast() {
      held = false;
      easeClock(clock, model().newest, header().follow ? FOLLOW_SECONDS : EASE_SECONDS);
      tell(newestStep());
      motion.schedule();
    },
    setSpeed: (speed: number) => void (clock.speed = speed),
    stop: () => clearTimeout(timer),
  };
  return transport;
}

/** The bar under the picture. */
export function transportParts() {
  const first = iconButton("motion-first", "back", { className: "square" });
  const playName = makeElement("span");
  const play = iconButton("motion-play", "play", { className: "play" });
  play.append(playName);
  const last = iconButton("motion-last", "forward", { className: "square" });
  const range = makeElement("input", {
    testid: "motion-range",
    type: "range",
    min: "0",
    max: String(RANGE_STEPS),
    step: "1",
  });
  const recorded = makeElement("div", { className: "recorded" });
  const ticks = makeElement("div", { className: "ticks", "aria-hidden": "true" });
  const options = SPEEDS.map((factor) => makeElement("option", { value: String(factor) }));
  const speed = makeElement("select", { testid: "motion-speed", className: "speed" }, ...options);
  speed.value = "1";
  const buttons = makeElement("div", { className: "buttons" }, first, play, last, speed);
  const track = makeElement("div", { className: "track" }, range, recorded, ticks);
  const bar = makeElement("div", { className: "transport" }, buttons, track);
  return { bar, first, play, playName, last, range, recorded, ticks, speed };
}

export function listenToTransport(
  { range, play, first, last, speed }: TransportParts,
  transport: Transport,
  isReady: () => boolean,
) {
  const whenReady: (fn: () => void) => () => void = (fn) => () => void (isReady() && fn());
  const value = () => Number(range.value) / RANGE_STEPS;
  play.addEventListener("click", whenReady(transport.toggle));
  first.addEventListener("click", whenReady(transport.toFirst));
  last.addEventListener("click", whenReady(transport.toLast));
  speed.addEventListener("change", () => transport.setSpeed(Number(speed.value)));
  range.addEventListener(
    "input",
    whenReady(() => transport.drag(value())),
  );
  range.addEventListener(
    "change",
    whenReady(() => transport.release(value())),
  );
  range.addEventListener("keydown", (event) => {
    const move = keyMove(event.key);
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!isReady()) return;
    if (move === "first") transport.toFirst();
    else if (move === "last") transport.toLast();
    else transport.move(move);
  });
}

/** Steps that a key moves the slider by, or the end that it moves to; null for any other key. */
export function keyMove(key: string): number | "first" | "last" | null {
  if (key === "Home") return "first";
  if (key === "End") return "last";
  return { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[key] ?? null;
}

export function labelTransport({ first, last, range, speed }: TransportParts, texts: Record<string, string>) {
  nameButton(first, texts.first);
  nameButton(last, texts.last);
  range.setAttribute("aria-label", texts.timeline);
  speed.setAttribute("aria-label", texts.speed);
  speed.title = texts.speed;
  const fractions: Record<string, string> = { 0.25: "¼", 0.5: "½" };
  for (const option of speed.options)
    option.textContent = fillLabel(texts.speed_times, { factor: fractions[option.value] ?? option.value });
}

/**
 * The slider, its marks, and what the play button does; at every frame.
 * @param width of the picture
 */
export function showTransport(
  parts: TransportParts,
  { clock, step, dragging, mode }: Transport,
  { header, model }: { header: Header; model: MotionModel },
  width: number,
) {
  const { texts, n_steps: steps } = header;
  const playing = mode === "replay";
  setIcon(parts.play, playing ? "pause" : "play");
  const name = texts[playing ? "pause_replay" : "replay"];
  if (parts.playName.textContent !== name) parts.playName.textContent = name;
  parts.play.disabled = model.frames.length < 2;
  const value = String(Math.round(clock.time * RANGE_STEPS));
  if (!dragging && parts.range.value !== value) parts.range.value = value;
  const said = fillLabel(texts.step_of, { step: countText(step()), steps: countText(steps) });
  if (parts.range.getAttribute("aria-valuetext") !== said) parts.range.setAttribute("aria-valuetext", said);
  const about = `${steps} ${model.newest} ${width} ${language()}`;
  if (parts.ticks.dataset.about === about) return;
  parts.ticks.dataset.about = about;
  parts.recorded.style.setProperty("--newest", String(model.newest));
  parts.recorded.classList.toggle("all", model.newest > 1 - 1e-6);
  const ticks = stepTicks(steps, parts.ticks.clientWidth).map((ticked) => {
    const tick = makeElement("span", { text: countText(ticked) });
    tick.style.setProperty("--at", String(timeOf(ticked, steps)));
    return tick;
  });
  parts.ticks.replaceChildren(...ticks);
}

/**
 * Round steps that have room beside each other, the first and the last for certain.
 * @param width pixels
 */
export function stepTicks(steps: number, width: number) {
  const ticks = [0];
  const placeOf = (step: number) => timeOf(step, steps) * width;
  for (const step of TICKED) {
    const before = placeOf(ticks[ticks.length - 1]);
    if (step < steps && placeOf(step) - before > 52 && placeOf(steps) - placeOf(step) > 60) ticks.push(step);
  }
  return [...ticks, steps];
}
