// The moment that is shown: it stands still, is replayed, follows a run that goes on, or glides to another moment; the
// controls for it; and which steps Python hears of.

import { isStill } from "../_shared/canvas.ts";
import { makeElement } from "../_shared/elements.ts";
import { iconButton, nameButton, setIcon } from "../_shared/icons.ts";
import { countText, language } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import { type Header, type MotionModel, momentAt, nearestFrame, timeOf } from "./frames.ts";

type Mode = "rest" | "replay" | "follow" | "glide";
type Clock = ReturnType<typeof newClock>;
type Transport = ReturnType<typeof newTransport>;
type TransportParts = ReturnType<typeof transportParts>;

const REPLAY_SECONDS = 4; // for the whole run at speed 1
const LEAD_IN = 0.6; // seconds that the first step is to be seen
const CATCH_UP = 1 / 2.5; // of the run per second, at most, behind a run that goes on
const GLIDE_SECONDS = 0.07;
const STRIDES = 24; // that a replay has for who asks for reduced motion
const REPORT_EVERY = { drag: 250, replay: 1000 }; // milliseconds
const SPEEDS = [0.25, 0.5, 1, 2];
const RANGE_STEPS = 2000; // of the slider: finer than its pixels
const TICKED = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000];

/** Trainings that this tab has seen from the beginning. */
const played = new Set();

/** `time` as in timeOf. */
export function newClock() {
  return {
    time: 0,
    mode: "rest" as Mode,
    goal: 0, // of a glide
    speed: 1, // of a replay
    pace: 0.1, // of following, in time per second
    lead: 0, // seconds until it starts
    wait: 0, // time gathered for the next stride
    arrived: 0, // milliseconds, when more of the run came last
    spacing: 0.5, // seconds from one arrival to the next, smoothed
  };
}

export const stopClock = (clock: Clock, mode: Mode = "rest") => void Object.assign(clock, { mode, wait: 0, lead: 0 });

/** From the first step on. */
export function startClock(clock: Clock, mode: Mode) {
  stopClock(clock, mode);
  clock.time = 0;
  clock.lead = LEAD_IN;
}

/** @param still whether motion is to be reduced */
export function glideClock(clock: Clock, goal: number, still: boolean) {
  clock.goal = goal;
  if (still) [clock.time, clock.mode] = [goal, "rest"];
  else clock.mode = "glide";
}

/**
 * More of the run has come: what is new is played evenly until more is expected.
 * @param now milliseconds
 */
export function hurryClock(clock: Clock, newest: number, now: number) {
  const since = clock.arrived ? (now - clock.arrived) / 1000 : 0.5;
  clock.arrived = now;
  clock.spacing += (Math.max(0.2, Math.min(2, since)) - clock.spacing) * 0.4;
  clock.pace = Math.min(CATCH_UP, Math.max(0.01, (newest - clock.time) / (1.15 * clock.spacing)));
}

/**
 * Moves on by so many seconds, to `newest` at most; returns whether a replay has come to its end.
 * @param still whether motion is to be reduced
 */
export function tickClock(clock: Clock, seconds: number, newest: number, still: boolean) {
  if (clock.lead > 0) {
    clock.lead -= seconds;
    return false;
  }
  if (clock.mode === "replay") {
    const step = (seconds * clock.speed) / REPLAY_SECONDS;
    if (!still) clock.time += step;
    else if ((clock.wait += step / 3) >= 1 / STRIDES) [clock.time, clock.wait] = [clock.time + 1 / STRIDES, 0];
    if (clock.time < newest) return false;
    clock.time = newest;
    stopClock(clock);
    return true;
  }
  if (clock.mode === "follow") clock.time = still ? newest : Math.min(newest, clock.time + clock.pace * seconds);
  if (clock.mode === "glide") {
    clock.time += (clock.goal - clock.time) * (1 - Math.exp(-seconds / GLIDE_SECONDS));
    if (Math.abs(clock.goal - clock.time) < 2e-4) [clock.time, clock.mode] = [clock.goal, "rest"];
  }
  return false;
}

/** Whether its time changes from frame to frame. */
export const clockMoves = ({ mode, time }: Pick<Clock, "mode" | "time">, newest: number) =>
  mode === "replay" || mode === "glide" || (mode === "follow" && time < newest);

/** What the page, the run and the reader make of the clock. */
export function newTransport(motion: { header: Header | null; model: MotionModel | null; schedule: () => void }) {
  const clock = newClock();
  // What Python was told last, and what it says itself.
  const last = { turn: 0, step: -1, at: 0, run: "", training: "", follow: false, newest: 0 };
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
  function tellSoon(value: number) {
    clearTimeout(timer);
    const wait = last.at + REPORT_EVERY.drag - performance.now();
    if (wait <= 0) tell(value);
    else timer = window.setTimeout(() => tell(value), wait);
  }

  // A run is here for the first time.
  function begin() {
    const { run, follow, step: wished, step_turn: turn, n_steps: nSteps, replay, last: lastStep } = header();
    const { newest, frames } = model();
    const [training] = run.split("|");
    const same = training === last.training;
    const known = same || played.has(training);
    Object.assign(last, { run, training, turn, step: wished });
    played.add(training);
    held = same && held;
    if (follow && !held) {
      if (known) clock.time = newest;
      if (known) stopClock(clock, "follow");
      else startClock(clock, "follow");
      hurryClock(clock, newest, performance.now());
    } else if (!known && replay && wished === lastStep && frames.length > 1 && !isStill()) {
      startClock(clock, "replay");
      asked = false;
    } else if (!same || clock.mode !== "replay") {
      clock.time = timeOf(wished, nSteps);
      stopClock(clock);
    }
  }

  function goTo({ step: wished, step_turn: turn, n_steps: nSteps, last: lastStep }: Header) {
    Object.assign(last, { turn, step: wished });
    held = false;
    if (wished === lastStep && (clock.mode === "follow" || clock.mode === "replay")) return; // it gets there by itself
    glideClock(clock, timeOf(wished, nSteps), isStill());
  }

  const hold = () => (held = header().follow);
  /** Glides to one of the steps that were kept. */
  function glideTo(at: number, telling: (step: number) => void) {
    glideClock(clock, model().times[at], isStill());
    telling(model().frames[at].step);
    motion.schedule();
  }

  const transport = {
    clock,
    step,
    get dragging() {
      return dragging;
    },
    onReport: (fn: (report: { value: number; turn: number; newest: boolean }) => void) => void (report = fn),
    /** Takes over what the page or the store says. */
    take() {
      const { run, follow, last: lastStep, step: wished, step_turn: turn } = header();
      const { newest } = model();
      const all = newestStep() >= lastStep; // the page may speak before the steps are here that it speaks of
      if (follow && !last.follow) held = false; // the page asks for it anew
      last.follow = follow;
      if (last.run !== run) {
        if (all) begin();
      } else {
        const news = turn > last.turn || (turn === last.turn && wished !== last.step);
        if (news && !follow && all) goTo(header());
        if (clock.mode === "follow" && newest !== last.newest) hurryClock(clock, newest, performance.now());
        if (clock.mode === "rest" && follow && !held) clock.mode = "follow";
      }
      last.newest = newest;
      clock.time = Math.min(clock.time, newest); // who starts anew has fewer steps than before
    },
    tick(seconds: number) {
      const { follow, last: lastStep } = header();
      const { newest } = model();
      const ended = tickClock(clock, seconds, newest, isStill());
      if (ended && follow) transport.toLast();
      else if (ended && asked) tell(step());
      else if (clock.mode === "replay" && asked && performance.now() - last.at > REPORT_EVERY.replay) tell(step());
      if (clock.mode === "follow" && !follow && newestStep() >= lastStep && clock.time >= newest) stopClock(clock);
    },
    toggle() {
      hold();
      if (clock.mode === "replay") return glideTo(nearestFrame(model(), clock.time), tell);
      asked = true;
      if (clock.time >= model().newest - 1e-6) startClock(clock, "replay");
      else stopClock(clock, "replay");
      motion.schedule();
    },
    drag(to: number) {
      dragging = true;
      hold();
      const wished = Math.min(to, model().newest);
      glideClock(clock, wished, isStill());
      tellSoon(model().frames[nearestFrame(model(), wished)].step);
      motion.schedule();
    },
    letGo(to: number) {
      dragging = false;
      glideTo(nearestFrame(model(), Math.min(to, model().newest)), tell);
    },
    /** So many steps on, of those that were kept. */
    move(by: number) {
      hold();
      const from = nearestFrame(model(), clock.mode === "glide" ? clock.goal : clock.time);
      glideTo(Math.max(0, Math.min(model().frames.length - 1, from + by)), tellSoon);
    },
    toFirst: () => transport.move(-model().frames.length),
    toLast() {
      held = false;
      if (header().follow) stopClock(clock, "follow");
      else glideClock(clock, model().newest, isStill());
      if (header().follow) hurryClock(clock, model().newest, performance.now());
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
    whenReady(() => transport.letGo(value())),
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

/** What a key does on the slider: so many steps on, or to an end; null for any other key. */
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
  { clock, step, dragging }: Transport,
  { header, model }: { header: Header; model: MotionModel },
  width: number,
) {
  const { texts, n_steps: steps } = header;
  const playing = clock.mode === "replay";
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
