// What is said in words: names of the controls, the kinds, the legend, where the run is, the tip at a word.

import { makeElement } from "../_shared/elements.js";
import { nameButton, setIcon } from "../_shared/icons.js";
import { decimalText, fillLabel } from "../_shared/text.js";
import { clockMoves } from "./clock.js";
import { NONE, timeOf } from "./model.js";
import { RANGE_STEPS } from "./parts.js";

export const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
const TICKED = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000];

export function labelMotion({ parts, header }) {
  const { texts, dimensions } = header;
  const space = dimensions === 3;
  parts.search.placeholder = texts.search;
  for (const [part, name] of [
    ["search", "search"],
    ["kind", "kind"],
    ["range", "timeline"],
    ["speed", "speed"],
    ["legend", "legend"],
  ])
    parts[part].setAttribute("aria-label", texts[name]);
  parts.speed.title = texts.speed;
  for (const [name, button] of Object.entries(parts.switches)) button.textContent = texts[name];
  for (const name of ["first", "last", "save"]) nameButton(parts[name], texts[name]);
  const fullScreen = document.fullscreenElement && parts.root.getRootNode().fullscreenElement === parts.root;
  nameButton(parts.full, texts[fullScreen ? "leave_full_screen" : "full_screen"]);
  [...parts.speed.options].forEach(
    (option) =>
      (option.textContent = fillLabel(texts.speed_times, {
        factor: { 0.25: "¼", 0.5: "½" }[option.value] ?? option.value,
      })),
  );
  parts.help.textContent = texts[space ? "help_space" : "help"];
  parts.note.textContent = texts.waiting;
  parts.canvas.setAttribute("role", space ? "application" : "img");
  if (space) parts.canvas.tabIndex = 0;
  else parts.canvas.removeAttribute("tabindex");
  parts.root.dataset.space = String(space);
}

// The words to search among and the kinds to choose from, sorted by group.
export function fillWords({ parts, model, header: { legend, texts } }) {
  parts.words.replaceChildren(...model.labels.map((label) => makeElement("option", { value: label })));
  const groups = legend.map(([name], group) => {
    const kinds = model.kinds
      .map((title, kind) => ({ title, kind }))
      .filter(({ kind }) => model.groupOfKind[kind] === group);
    return makeElement(
      "optgroup",
      { label: name },
      ...kinds.map(({ title, kind }) => makeElement("option", { value: `kind ${kind}`, text: title })),
    );
  });
  parts.kind.replaceChildren(makeElement("option", { value: "", text: texts.all_kinds }), ...groups);
  parts.kind.hidden = !model.hasKinds;
}

export function fillLegend({ parts, model, header: { legend }, focus }) {
  const lit = focus?.group ?? (focus ? model.groupOfKind[focus.kind] : null);
  const about = JSON.stringify([legend, lit]);
  if (parts.legend.dataset.about === about) return;
  parts.legend.dataset.about = about;
  while (parts.legend.children.length > legend.length) parts.legend.lastChild.remove();
  legend.forEach(([name, colour, count], group) => {
    // The same button as before: it may have the focus.
    const button =
      parts.legend.children[group] ??
      makeElement(
        "button",
        { type: "button" },
        makeElement("i", { "aria-hidden": "true" }),
        makeElement("span"),
        makeElement("span", { className: "count" }),
      );
    if (!button.parentNode) parts.legend.append(button);
    button.dataset.group = String(group);
    button.setAttribute("aria-pressed", String(lit === group));
    button.classList.toggle("off", lit !== null && lit !== group);
    const [swatch, title, number] = button.children;
    swatch.style.background = colour;
    title.textContent = name;
    number.textContent = grouped(count);
  });
  parts.legend.hidden = legend.length === 0;
}

// The slider, its marks, and what the play button does; at every frame.
export function showTime({ parts, model, clock, header, time, dragging, view }) {
  const { texts, n_steps: steps } = header;
  const playing = clock.mode === "replay";
  setIcon(parts.play, playing ? "pause" : "play");
  const name = texts[playing ? "pause_replay" : "replay"];
  if (parts.playName.textContent !== name) parts.playName.textContent = name;
  parts.root.dataset.mode = clock.mode;
  parts.play.disabled = model.frames.length < 2;
  const value = String(Math.round(clock.time * RANGE_STEPS));
  if (!dragging && parts.range.value !== value) parts.range.value = value;
  const said = fillLabel(texts.step_of, { step: grouped(time.step()), steps: grouped(steps) });
  if (parts.range.getAttribute("aria-valuetext") !== said) parts.range.setAttribute("aria-valuetext", said);
  const about = `${steps} ${model.newest} ${view.plot.width}`;
  if (parts.ticks.dataset.about === about) return;
  parts.ticks.dataset.about = about;
  parts.recorded.style.setProperty("--newest", model.newest);
  parts.recorded.classList.toggle("all", model.newest > 1 - 1e-6);
  parts.ticks.replaceChildren(
    ...stepTicks(steps, parts.ticks.clientWidth).map((step) => {
      const tick = makeElement("span", { text: grouped(step) });
      tick.style.setProperty("--at", timeOf(step, steps));
      return tick;
    }),
  );
}

// Round steps that have room beside each other, the first and the last for certain.
function stepTicks(steps, width) {
  const ticks = [0];
  for (const step of TICKED) {
    const far = (a, b) => (timeOf(b, steps) - timeOf(a, steps)) * width;
    if (step > 0 && step < steps && far(ticks.at(-1), step) > 52 && far(step, steps) > 60) ticks.push(step);
  }
  return [...ticks, steps];
}

// How the picture is put into words, when it has come to rest.
export function describeMotion({ parts, model, header, clock, time, chosen, neighbours }) {
  if (clockMoves(clock, model.newest) && parts.canvas.hasAttribute("aria-label")) return;
  const { texts, axes, dimensions } = header;
  const values = {
    count: grouped(model.count),
    step: grouped(time.step()),
    steps: grouped(header.n_steps),
    axes: axes.slice(0, dimensions).join(", "),
  };
  const words = neighbours
    .slice(0, 5)
    .map(([index]) => model.labels[index])
    .join(", ");
  const also =
    chosen === null || !words ? "" : ` ${fillLabel(texts.figure_chosen, { word: model.labels[chosen], words })}`;
  const text = fillLabel(texts.figure, values) + also;
  if (parts.canvas.getAttribute("aria-label") !== text) parts.canvas.setAttribute("aria-label", text);
}

// Under the picture and aloud: that a word is not there; null when that is over.
export function sayMissing({ parts, header }, text) {
  parts.search.classList.toggle("missing", text !== null);
  parts.help.classList.toggle("missing", text !== null);
  parts.help.textContent = text ?? header.texts[header.dimensions === 3 ? "help_space" : "help"];
  if (text !== null) sayMotion(parts, text);
}

export function sayMotion({ said }, text) {
  if (said.textContent !== text) said.textContent = text;
}

// Lines about a word: how it is written, its kind, how near it is to the chosen one.
export function wordLines({ model, header: { texts, legend }, neighbours }, index) {
  const [kind, group] = [model.kindOf[index], model.groups[index]];
  const about =
    kind !== NONE ? model.kinds[kind] : group !== NONE ? legend[group][0] : model.hasKinds ? texts.no_kind : null;
  const near = neighbours.find(([at]) => at === index);
  return [
    model.labels[index],
    ...(about ? [about] : []),
    ...(near ? [fillLabel(texts.similarity, { value: decimalText(near[1], 3) })] : []),
  ];
}
