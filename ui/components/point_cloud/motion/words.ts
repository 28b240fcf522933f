// The elements around the moving words, and what is said in words: search, kinds, switches, the legend, the tip at a
// word, what a screen reader hears.

import { makeElement } from "../../_shared/elements.ts";
import { iconButton, nameButton } from "../../_shared/icons.ts";
import { countText, decimalText, listText, sentencesText } from "../../_shared/numbers.ts";
import { fillLabel } from "../../_shared/text.ts";
import type { Header } from "../frames.ts";
import { announce, isFullScreen, stageParts } from "../scatter.ts";
import { NONE } from "../store.ts";
import { labelTransport, transportParts } from "../transport.ts";
import { groupOfFocus } from "./names.ts";
import type { Ready } from "./scene.ts";

type MotionParts = ReturnType<typeof motionParts>;
export type Switch = "trails" | "names" | "fit";

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
  const switchButton: (name: Switch) => HTMLButtonElement = (name) =>
    makeElement("button", { testid: `motion-${name}`, type: "button", "aria-pressed": String(name !== "fit") });
  const switches = { trails: switchButton("trails"), names: switchButton("names"), fit: switchButton("fit") };
  const full = iconButton("motion-full-screen", "full_screen", { className: "square" });
  full.hidden = !document.fullscreenEnabled;
  const picture = stageParts("motion");
  const counter = makeElement("div", { className: "counter" });
  picture.stage.append(counter);
  const transport = transportParts();
  const legend = makeElement("div", { className: "legend", testid: "motion-legend", role: "group" });
  const help = makeElement("p", { className: "help" });
  const said = makeElement("div", { className: "said", testid: "motion-said", role: "status", "aria-live": "polite" });
  const find = makeElement("div", { className: "find" }, search, words, kind);
  const pressed = makeElement("div", { className: "switches" }, ...Object.values(switches), full);
  const beside = makeElement("div", { className: "beside" }, find, legend, pressed, help);
  const body = makeElement("div", { className: "body" }, picture.stage, beside, transport.bar);
  const root = makeElement("div", { className: "motion", testid: "row-motion" }, body, said);
  return {
    root,
    search,
    words,
    kind,
    switches,
    full,
    ...picture,
    counter,
    transport,
    legend,
    help,
    said,
  };
}

function helpText({ texts, dimensions }: Header) {
  return sentencesText([dimensions === 3 ? texts.help_space : "", texts.help]);
}

export function labelMotion({ parts, header }: { parts: MotionParts; header: Header }) {
  const { texts, dimensions } = header;
  const space = dimensions === 3;
  parts.search.placeholder = texts.search;
  parts.search.setAttribute("aria-label", texts.search);
  parts.kind.setAttribute("aria-label", texts.kind);
  parts.legend.setAttribute("aria-label", texts.legend);
  for (const name of ["trails", "names", "fit"] as Switch[]) parts.switches[name].textContent = texts[name];
  nameButton(parts.full, texts[isFullScreen(parts.root) ? "leave_full_screen" : "full_screen"]);
  labelTransport(parts.transport, texts);
  parts.help.textContent = helpText(header);
  parts.note.textContent = texts.waiting;
  parts.marks.setAttribute("role", space ? "application" : "img");
  if (space) parts.marks.tabIndex = 0;
  else parts.marks.removeAttribute("tabindex");
  parts.root.dataset.space = String(space);
}

/** The words to search among and the kinds to choose from, sorted by group. */
export function fillWords({ parts, model, header: { legend, texts } }: Ready) {
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

export function fillLegend({ parts, model, header: { legend }, focus }: Ready) {
  const lit = focus && groupOfFocus({ model }, focus);
  const about = JSON.stringify([legend, lit]);
  if (parts.legend.dataset.about === about) return;
  parts.legend.dataset.about = about;
  while (parts.legend.children.length > legend.length) parts.legend.lastChild?.remove();
  legend.forEach(([name, colour, count], group) => {
    // The same button as before: it may have the focus.
    const button = parts.legend.querySelector(`[data-group="${group}"]`) ?? legendButton(group);
    if (!button.parentNode) parts.legend.append(button);
    button.setAttribute("aria-pressed", String(lit === group));
    button.classList.toggle("off", lit !== null && lit !== group);
    const [swatch, title, number] = button.children;
    if (swatch instanceof HTMLElement) swatch.style.background = colour;
    title.textContent = name;
    number.textContent = countText(count);
  });
  parts.legend.hidden = legend.length === 0;
}

const legendButton = (group: number) =>
  makeElement(
    "button",
    { type: "button", "data-group": group },
    makeElement("i", { "aria-hidden": "true" }),
    makeElement("span"),
    makeElement("span", { className: "count" }),
  );

/** Describe the picture for screen readers, once it rests. */
export function describeMotion({ parts, model, header, transport, chosen, neighbours }: Ready) {
  if (transport.mode !== "rest" && parts.marks.hasAttribute("aria-label")) return;
  const { texts, axes, dimensions } = header;
  const values = {
    count: countText(model.count),
    step: countText(transport.step()),
    steps: countText(header.n_steps),
    axes: listText(axes.slice(0, dimensions)),
  };
  const words = listText(neighbours.slice(0, 5).map(([index]) => model.labels[index]));
  const also = chosen === null || !words ? "" : fillLabel(texts.figure_chosen, { word: model.labels[chosen], words });
  const text = sentencesText([fillLabel(texts.figure, values), also]);
  if (parts.marks.getAttribute("aria-label") !== text) parts.marks.setAttribute("aria-label", text);
}

/** Under the picture and aloud: that a word is not there; null when that is over. */
export function sayMissing({ parts, header }: Ready, text: string | null) {
  parts.search.classList.toggle("missing", text !== null);
  parts.help.classList.toggle("missing", text !== null);
  parts.help.textContent = text ?? helpText(header);
  if (text !== null) announce(parts.said, text);
}

/** Lines about a word: how it is written, its kind, how near it is to the chosen one. */
export function wordLines({ model, header: { texts, legend }, neighbours }: Ready, index: number) {
  const [kind, group] = [model.kindOf[index], model.groups[index]];
  const lines = [model.labels[index]];
  if (kind !== NONE) lines.push(model.kinds[kind]);
  else if (group !== NONE) lines.push(legend[group][0]);
  else if (model.hasKinds) lines.push(texts.no_kind);
  const similarity = neighbours.find(([at]) => at === index)?.[1];
  if (similarity !== undefined) lines.push(fillLabel(texts.similarity, { value: decimalText(similarity, 3) }));
  return lines;
}
