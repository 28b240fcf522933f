// The elements of index.ts: the strip of the whole text, the readout, the tokens in sight, the legend.

import { makeElement, spelled } from "../_shared/elements.ts";
import { countText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import { type Data, type Lanes, laneBars, samplesEndingWith, samplesWith } from "./lanes.ts";

const MOST_SAID = 4; // samples

export function windowTextParts() {
  const title = makeElement("span", { className: "strip-title", "aria-hidden": "true" });
  const back = makeElement("button", { className: "back", type: "button", testid: "window-back" });
  const head = makeElement("div", { className: "strip-head" }, title, back);
  const strip = makeElement("canvas", { testid: "window-strip", role: "slider", tabindex: "0", "aria-valuemin": "0" });
  const place = makeElement("p", { className: "place", testid: "window-place" });
  const readout = makeElement("p", {
    className: "readout",
    testid: "window-readout",
    role: "status",
    "aria-live": "off",
  });
  const notice = makeElement("p", { className: "place", testid: "window-notice" });
  const list = makeElement("div", { className: "tokens", testid: "window-tokens", role: "listbox" });
  const legend = makeElement("ul", { className: "legend", testid: "window-legend" });
  const whole = makeElement("div", {}, head, strip, place);
  const root = makeElement(
    "div",
    { className: "windows", testid: "window-text" },
    whole,
    readout,
    list,
    notice,
    legend,
  );
  return { root, whole, title, back, strip, place, readout, list, legend, notice };
}

export function labelWindowText(
  parts: ReturnType<typeof windowTextParts>,
  { labels, tokens, n_ids, coverage, dropped, starts }: Data,
  layout: Lanes,
) {
  const all = tokens.length === n_ids; // in sight
  parts.whole.hidden = all;
  parts.title.textContent = labels.strip_title;
  parts.back.textContent = labels.back;
  parts.strip.setAttribute("aria-label", labels.strip);
  parts.strip.setAttribute("aria-valuemax", String(Math.max(0, n_ids - tokens.length)));
  parts.strip.title = labels.strip_hint;
  parts.list.setAttribute("aria-label", labels.text);
  const entry = (className: string, text: string, ...inside: Node[]) =>
    makeElement(
      "li",
      {},
      makeElement("span", { className, "aria-hidden": "true" }, ...inside),
      makeElement("span", { text }),
    );
  const batch = entry("swatch lane-swatch", labels.legend_batch, makeElement("b", { text: "0" }));
  const counts = ([0, 1, 2, 3] as const).map((count) => entry(`swatch over${count}`, labels[`legend_${count}`]));
  if (dropped.some((count, index) => count && !coverage[index]))
    counts.push(entry("swatch dropped", labels.legend_dropped));
  parts.legend.replaceChildren(
    batch,
    ...counts,
    ...(all ? [] : [entry("tick-swatch", labels.legend_ticks), entry("pin-swatch", labels.legend_pin)]),
  );
  const drawn = layout.lanes.filter((lane) => lane >= 0).length;
  const hidden = drawn < starts.length;
  parts.notice.textContent = hidden
    ? fillLabel(labels.lanes, { count: starts.length, shown: drawn, deepest: layout.deepest })
    : "";
  parts.notice.hidden = !hidden;
}

/**
 * One option per token, as wide as its text, with its windows' bars under it.
 * @param index in the stretch
 * @param along which direction the tokens stand
 */
export function tokenOption(data: Data, layout: Lanes, index: number, along: "rtl" | "ltr") {
  const position = data.first + index;
  const [count, left] = [data.coverage[index], data.dropped[index]];
  const look = count === 0 && left ? "dropped" : `over${Math.min(3, count)}`;
  const text = spelled(data.tokens[index], { className: `text ${look}`, along });
  const lanes = laneBars(data, layout, position);
  const option = makeElement(
    "div",
    { className: "token", testid: "window-token", role: "option", "aria-selected": "false", tabindex: "-1" },
    text,
    lanes,
  );
  option.setAttribute("aria-label", `${data.tokens[index]} · ${tokenFacts(data, position).slice(1).join(" · ")}`);
  option.dataset.position = String(position);
  return option;
}

/**
 * What is said of a token: its name, in how many windows it is, and where it stands in the batch.
 * @param place in the text
 */
export function tokenFacts(data: Data, place: number) {
  const { labels, first, tokens, coverage, dropped } = data;
  const [count, left] = [coverage[place - first], dropped[place - first]];
  const facts = [tokenName(data, place, tokens[place - first])];
  if (count || !left) facts.push(fillLabel(labels.windows, { count }));
  if (left) facts.push(fillLabel(labels.in_dropped, { count: left }));
  const inputs = samplesWith(data, place).map((at) => fillLabel(labels.input, at));
  const targets = samplesEndingWith(data, place).map((at) => fillLabel(labels.target, at));
  facts.push(...inputs.slice(0, MOST_SAID));
  if (inputs.length > MOST_SAID) facts.push("…");
  else facts.push(...targets.slice(0, 1));
  if (!inputs.length && !targets.length) facts.push(labels.not_in_batch);
  return facts;
}

export function tokenName({ labels }: Pick<Data, "labels">, place: number, label: string) {
  return fillLabel(labels.token, { position: countText(place), label });
}
