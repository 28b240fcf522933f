// What the page, the run and the reader make of the clock, and which steps Python is told of.

import { glideClock, hurryClock, isStill, startClock, stopClock, tickClock } from "./clock.js";
import { momentAt, nearestFrame, timeOf } from "./model.js";

const TOLD_EVERY = { drag: 250, replay: 1000 }; // milliseconds

export function motionTime(motion) {
  const { clock, store } = motion;
  const told = { turn: 0, step: null, at: 0, timer: 0, run: null, training: null, follow: false };
  let asked = false; // a replay that the reader asked for

  const step = () => motion.model.frames[momentAt(motion.model, clock.time).index].step;

  function tell(value) {
    clearTimeout(told.timer);
    if (value === told.step) return;
    Object.assign(told, { step: value, at: performance.now(), turn: told.turn + 1 });
    // Who asks for the newest step means the one that is the newest by then.
    motion.reportStep({ value, turn: told.turn, newest: value === motion.model.frames.at(-1).step });
  }

  // At most once in so many milliseconds, the last one for certain.
  function tellSoon(value, every) {
    clearTimeout(told.timer);
    const wait = told.at + every - performance.now();
    if (wait <= 0) tell(value);
    else told.timer = setTimeout(() => tell(value), wait);
  }

  // Takes over what the page or the store says.
  function take() {
    const { header, model } = motion;
    if (!model) return;
    const all = model.frames.at(-1).step >= header.last; // what is told may come before the steps that it is about
    if (header.follow && !told.follow) motion.held = false; // the page asks for it anew
    told.follow = header.follow;
    if (told.run !== header.run) {
      if (all) begin();
    } else {
      const news = header.step_turn > told.turn || (header.step_turn === told.turn && header.step !== told.step);
      if (news && !header.follow && all) goTo(header);
      if (clock.mode === "follow" && model.newest !== motion.newestSeen)
        hurryClock(clock, model.newest, performance.now());
      if (clock.mode === "rest" && header.follow && !motion.held) clock.mode = "follow";
    }
    motion.newestSeen = model.newest;
    clock.time = Math.min(clock.time, model.newest); // who starts anew has fewer steps than before
  }

  // A run is here for the first time.
  function begin() {
    const { header, model } = motion;
    const [training] = header.run.split("|");
    const same = training === told.training;
    const known = same || store.played.has(training);
    Object.assign(told, { run: header.run, training, turn: header.step_turn, step: header.step });
    store.played.add(training);
    const to = timeOf(header.step, header.n_steps);
    motion.held = same && motion.held;
    if (header.follow && !motion.held) {
      if (known) clock.time = model.newest;
      if (known) stopClock(clock, "follow");
      else startClock(clock, "follow");
      hurryClock(clock, model.newest, performance.now());
    } else if (!known && header.replay && header.step === header.last && model.frames.length > 1 && !isStill()) {
      startClock(clock, "replay");
      asked = false;
    } else if (!same || clock.mode !== "replay") {
      clock.time = to;
      stopClock(clock);
    }
  }

  function goTo({ step: wished, step_turn: turn, n_steps: nSteps, last }) {
    Object.assign(told, { turn, step: wished });
    motion.held = false;
    if (wished === last && (clock.mode === "follow" || clock.mode === "replay")) return; // it gets there by itself
    glideClock(clock, timeOf(wished, nSteps));
  }

  const hold = () => (motion.held = motion.header.follow);
  const time = {
    take,
    step,
    tick(seconds) {
      const { model, header } = motion;
      if (!model) return;
      const ended = tickClock(clock, seconds, model.newest);
      if (ended && header.follow) time.toLast();
      else if (ended && asked) tell(step());
      else if (clock.mode === "replay" && asked && performance.now() - told.at > TOLD_EVERY.replay) tell(step());
      const over = !header.follow && model.frames.at(-1).step >= header.last;
      if (clock.mode === "follow" && over && clock.time >= model.newest) stopClock(clock);
    },
    toggle() {
      if (clock.mode === "replay") return time.rest();
      hold();
      asked = true;
      if (clock.time >= motion.model.newest - 1e-6) startClock(clock, "replay");
      else stopClock(clock, "replay");
      motion.schedule();
    },
    // Stops at the nearest step.
    rest() {
      hold();
      const at = nearestFrame(motion.model, clock.time);
      glideClock(clock, motion.model.times[at]);
      tell(motion.model.frames[at].step);
      motion.schedule();
    },
    drag(to) {
      hold();
      const wished = Math.min(to, motion.model.newest);
      glideClock(clock, wished);
      tellSoon(motion.model.frames[nearestFrame(motion.model, wished)].step, TOLD_EVERY.drag);
      motion.schedule();
    },
    letGo(to) {
      const at = nearestFrame(motion.model, Math.min(to, motion.model.newest));
      glideClock(clock, motion.model.times[at]);
      tell(motion.model.frames[at].step);
      motion.schedule();
    },
    // So many steps on, of those that were kept.
    move(by) {
      hold();
      const from = clock.mode === "glide" ? clock.goal : clock.time;
      const at = Math.max(0, Math.min(motion.model.frames.length - 1, nearestFrame(motion.model, from) + by));
      glideClock(clock, motion.model.times[at]);
      tellSoon(motion.model.frames[at].step, TOLD_EVERY.drag);
      motion.schedule();
    },
    toFirst: () => time.move(-motion.model.frames.length),
    toLast() {
      const { header, model } = motion;
      motion.held = false;
      if (header.follow) stopClock(clock, "follow");
      else glideClock(clock, model.newest);
      if (header.follow) hurryClock(clock, model.newest, performance.now());
      tell(model.frames.at(-1).step);
      motion.schedule();
    },
    setSpeed: (speed) => (clock.speed = speed),
    stop: () => clearTimeout(told.timer),
  };
  return time;
}
