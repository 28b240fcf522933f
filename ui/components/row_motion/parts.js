// The elements around the moving words: search, kinds, switches, the bar under the picture, the legend.

import { makeElement } from "../_shared/elements.js";
import { iconButton } from "../_shared/icons.js";

const SPEEDS = [0.25, 0.5, 1, 2];
export const RANGE_STEPS = 2000; // of the slider: finer than its pixels

export function motionParts() {
  const search = makeElement("input", {
    testid: "motion-search",
    type: "search",
    list: "motion-words",
    autocomplete: "off",
    spellcheck: "false",
  });
  const words = makeElement("datalist", { id: "motion-words" });
  const kind = makeElement("select", { testid: "motion-kind" });
  const switches = Object.fromEntries(
    ["trails", "names", "fit"].map((name) => [
      name,
      makeElement("button", { testid: `motion-${name}`, type: "button", "aria-pressed": String(name !== "fit") }),
    ]),
  );
  const save = iconButton("motion-save", "save", { className: "square" });
  const full = iconButton("motion-full-screen", "full_screen", { className: "square" });
  full.hidden = !document.fullscreenEnabled;
  const bar = makeElement(
    "div",
    { className: "bar" },
    search,
    words,
    kind,
    makeElement("div", { className: "end" }, ...Object.values(switches), full, save),
  );

  const ground = makeElement("canvas", { "aria-hidden": "true" });
  const canvas = makeElement("canvas", { className: "marks", testid: "motion-canvas" });
  const tip = makeElement("div", { className: "tip", testid: "motion-tip", "aria-hidden": "true" });
  tip.hidden = true;
  const note = makeElement("p", { className: "note" });
  const stage = makeElement("div", { className: "stage", testid: "motion-stage" }, ground, canvas, tip, note);

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
  const track = makeElement("div", { className: "track" }, range, recorded, ticks);
  const speed = makeElement(
    "select",
    { testid: "motion-speed", className: "speed" },
    ...SPEEDS.map((factor) => makeElement("option", { value: String(factor) })),
  );
  speed.value = "1";
  const transport = makeElement(
    "div",
    { className: "transport" },
    makeElement("div", { className: "buttons" }, first, play, last, speed),
    track,
  );

  const legend = makeElement("div", { className: "legend", testid: "motion-legend", role: "group" });
  const help = makeElement("p", { className: "help" });
  const said = makeElement("div", { className: "said", testid: "motion-said", role: "status", "aria-live": "polite" });
  const root = makeElement(
    "div",
    { className: "motion", testid: "row-motion" },
    bar,
    stage,
    transport,
    legend,
    help,
    said,
  );
  return {
    root,
    search,
    words,
    kind,
    switches,
    save,
    full,
    ground,
    canvas,
    tip,
    note,
    stage,
    first,
    play,
    playName,
    last,
    range,
    recorded,
    ticks,
    speed,
    legend,
    help,
    said,
  };
}
