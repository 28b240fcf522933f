// A player of pictures with steps: its clock, and the bar with buttons, timeline and the step's name.

import { clamp, prefersReducedMotion } from "./canvas.ts";
import { makeElement } from "./elements.ts";
import { iconButton, nameButton, setIcon } from "./icons.ts";
import { fillLabel } from "./text.ts";
import { registerViewState } from "./view_state.ts";

type Labels = Record<string, string>;
/** Texts of a step; screen readers get the title unless `spoken` is given. */
export type Step = { title: string; text: string; spoken?: string };

const MOVE_SECONDS = 1.3;
const REST_SECONDS = 1.1;
const NEARLY = 1e-6; // of a step

/**
 * Create a player's clock, which plays, pauses, steps and jumps. Time runs from 0 to the last step.
 * @param last number of the last step; the time is at the first, 0
 * @param listeners.onTime after each change of time
 * @param listeners.onState when playing starts or ends
 * @param options.hurries whether a press before a step has ended ends it at once; else it goes on through it
 */
export function stepPlayer(
  last: number,
  {
    onTime,
    onState,
  }: {
    /** after each change of time */ onTime: (time: number) => void /** when playing starts or ends */;
    onState: (playing: boolean) => void;
  },
  {
    hurries = false,
    instant = false,
  }: {
    /** whether a press before a step has ended ends it at once; else it goes on through it */ hurries?: boolean;
    /** whether time goes from step to step without what is between, for pictures that move by CSS */ instant?: boolean;
  } = {},
) {
  const jumps = () => instant || prefersReducedMotion();
  let frame = 0;
  let previous = 0;
  let rest = 0;
  let goal: number | null = null; // time to stop at; null while nothing moves
  const player = {
    time: 0,
    playing: false,
    play() {
      if (player.time >= last) {
        set(0);
        rest = REST_SECONDS;
      } else rest = jumps() ? REST_SECONDS : 0;
      run(last, true);
    },
    pause: () => run(null, false),
    toggle: () => (player.playing ? player.pause() : player.play()),
    forward: () => go(1),
    back: () => go(-1),
    jump(time: number) {
      run(null, false);
      rest = 0;
      set(jumps() ? Math.round(time) : time);
    },
    /** Replace the steps and jump to a time; `playing` continues. */
    restart(newLast: number, time: number, playing: boolean) {
      last = newLast;
      player.jump(time);
      if (playing) player.play();
    },
    stop() {
      cancelAnimationFrame(frame);
      goal = null;
    },
    get last() {
      return last;
    },
    /** Whether there is a further step in a direction. */
    leads: (direction: 1 | -1) => next(direction) !== from() || (hurries && !Number.isInteger(player.time)),
  };

  function set(time: number) {
    player.time = clamp(time, 0, last);
    onTime(player.time);
  }

  function run(until: number | null, playing: boolean) {
    goal = until;
    if (player.playing !== playing) onState((player.playing = playing));
    previous = performance.now();
    cancelAnimationFrame(frame);
    frame = goal === null ? 0 : requestAnimationFrame(tick);
  }

  function tick(now: number) {
    const seconds = Math.min(0.1, (now - previous) / 1000);
    previous = now;
    if (rest > 0) rest -= seconds;
    else if (goal !== null) advance(seconds, goal);
    if (goal === null) return;
    if (player.time === goal && rest <= 0) run(null, false);
    else frame = requestAnimationFrame(tick);
  }

  function advance(seconds: number, until: number) {
    const direction = Math.sign(until - player.time);
    const nextStop = direction > 0 ? Math.floor(player.time) + 1 : Math.ceil(player.time) - 1;
    const moved = jumps() ? nextStop : player.time + (direction * seconds) / MOVE_SECONDS;
    const arrived = direction > 0 ? moved >= nextStop : moved <= nextStop;
    set(arrived ? nextStop : moved);
    if (arrived && player.playing && player.time !== goal) rest = REST_SECONDS * (jumps() ? 2 : 1);
  }

  // A second press counts from the target of the first one.
  const from = () => (goal === null || player.playing ? player.time : goal);

  function next(direction: 1 | -1) {
    const step = direction > 0 ? Math.floor(from() + NEARLY) + 1 : Math.ceil(from() - NEARLY) - 1;
    return clamp(step, 0, last);
  }

  function go(direction: 1 | -1) {
    if (hurries && !player.playing && !Number.isInteger(player.time)) {
      player.jump(direction > 0 ? Math.ceil(player.time) : Math.floor(player.time));
    }
    rest = 0;
    const to = next(direction);
    if (jumps()) player.jump(to);
    else run(to === player.time ? null : to, false);
  }

  return player;
}

/** Return the step of a time: its name is shown while the picture moves to it. */
export const stepAt = (time: number) => Math.max(0, Math.ceil(time - NEARLY));

/** Return the texts of a step whose name and sentence are labels. */
export function namedStep(labels: Labels, step: number, count: number): Step {
  const name = labels[`step_${step}`];
  return { title: fillLabel(labels.step, { number: step + 1, count, name }), text: labels[`step_${step}_text`] };
}

type StepBar = ReturnType<typeof stepBar>;

/**
 * @param prefix of the test ids
 * @param ticks how many steps have their names under the timeline
 */
export function stepBar(prefix: string, ticks: number) {
  const parts = {
    back: iconButton(`${prefix}-back`, "back"),
    play: iconButton(`${prefix}-play`, "play", { class: "play" }),
    forward: iconButton(`${prefix}-forward`, "forward"),
    range: makeElement("input", { testid: `${prefix}-range`, type: "range", min: "0", step: "0.01" }),
    ticks: Array.from({ length: ticks }, (_, step) => makeElement("li", { testid: `${prefix}-${step}` })),
    name: makeElement("b", { testid: `${prefix}-name` }),
    text: makeElement("span", { testid: `${prefix}-text` }),
  };
  const buttons = makeElement("div", { className: "buttons" }, parts.back, parts.play, parts.forward);
  const timeline = makeElement("div", { className: "timeline" }, parts.range);
  if (ticks) timeline.append(makeElement("ol", { className: "ticks", "aria-hidden": "true" }, ...parts.ticks));
  const step = makeElement("p", { className: "step", testid: `${prefix}-step` }, parts.name, " ", parts.text);
  return { ...parts, step, bar: makeElement("div", { className: "bar" }, buttons, timeline, step) };
}

const FORWARD_KEYS = ["ArrowRight", "ArrowUp", "PageUp"];
const BACK_KEYS = ["ArrowLeft", "ArrowDown", "PageDown"];

/**
 * Connect the bar's buttons, timeline and keys to the clock, and show its time. The root has the time and whether it plays as
 * data attributes, for tests and styles.
 * @param options.hurries see stepPlayer, as options.instant
 */
export function playSteps(
  parts: StepBar,
  root: HTMLElement,
  {
    last,
    start = 0,
    hurries,
    instant,
    describe,
    onTime,
    onState,
  }: {
    last: number;
    start?: number;
    hurries?: boolean;
    instant?: boolean;
    describe: (step: number, last: number) => Step;
    onTime: (time: number) => void;
    onState?: (playing: boolean) => void;
  },
) {
  let labels: Labels | null = null;
  const viewState = registerViewState(root, "step", ([time]) => player.jump(time));
  const player = stepPlayer(
    last,
    {
      onTime(time) {
        showTime();
        viewState.setValue(time === start ? null : [time]);
        onTime(time);
      },
      onState(playing) {
        showState();
        onState?.(playing);
      },
    },
    { hurries, instant },
  );

  function showState() {
    setIcon(parts.play, player.playing ? "pause" : "play");
    if (labels) nameButton(parts.play, player.playing ? labels.pause : labels.play);
    root.dataset.playing = String(player.playing);
  }

  function showTime() {
    const step = stepAt(player.time);
    const { title, text, spoken = title } = describe(step, player.last);
    if (parts.name.textContent !== title || parts.text.textContent !== text) {
      parts.name.textContent = title;
      parts.text.textContent = text;
      parts.range.setAttribute("aria-valuetext", spoken);
    }
    parts.ticks.forEach((tick, index) => tick.classList.toggle("now", index === step));
    parts.range.max = String(player.last);
    if (parts.range.value !== String(player.time)) parts.range.value = String(player.time);
    parts.back.disabled = !player.leads(-1);
    parts.forward.disabled = !player.leads(1);
    root.dataset.step = String(Math.round(player.time * 1000) / 1000);
  }

  player.jump(start);
  parts.play.addEventListener("click", player.toggle);
  parts.back.addEventListener("click", player.back);
  parts.forward.addEventListener("click", player.forward);
  parts.range.addEventListener("input", () => player.jump(Number(parts.range.value)));
  parts.range.addEventListener("keydown", (event) => {
    // By key one step at a time, not one hundredth.
    if (FORWARD_KEYS.includes(event.key)) player.forward();
    else if (BACK_KEYS.includes(event.key)) player.back();
    else return;
    event.preventDefault();
  });
  parts.ticks.forEach((tick, step) => tick.addEventListener("click", () => player.jump(step)));

  return {
    player,
    /** @param next in the language of the page */
    label(next: Labels) {
      labels = next;
      nameButton(parts.back, next.back);
      nameButton(parts.forward, next.forward);
      parts.range.setAttribute("aria-label", next.timeline);
      parts.ticks.forEach((tick, step) => (tick.textContent = next[`step_${step}`]));
      showState();
      showTime();
      viewState.restore();
    },
  };
}
