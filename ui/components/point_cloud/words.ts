// Texts of the picture: names of controls, legend, tooltip, sentences for screen readers.

import { makeElement } from "../_shared/elements.ts";
import { type Icon, nameButton, setIcon } from "../_shared/icons.ts";
import { countText, decimalText, listText, namedText, sentencesText, significantText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import type { Cloud, Gradient, Header } from "./index.ts";
import { type CloudParts, TOOLS } from "./parts.ts";
import { isFullScreen } from "./scatter.ts";
import type { Shown } from "./scene.ts";

export function labelCloud({ parts, header, model, tool }: Cloud) {
  const { labels, dimensions, axes } = header;
  const space = dimensions === 3;
  const names: Record<string, Icon> = { move: space ? "turn" : "move", box: "box", lasso: "lasso" };
  for (const name of TOOLS) {
    setIcon(parts.tools[name], names[name]);
    nameButton(parts.tools[name], labels[names[name]]);
    parts.tools[name].setAttribute("aria-pressed", String(name === tool));
  }
  parts.toolGroup.setAttribute("aria-label", labels.tools);
  for (const [name, button] of Object.entries(parts.buttons))
    if (name !== "full_screen") nameButton(button, labels[name]);
  nameButton(parts.buttons.full_screen, labels[isFullScreen(parts.root) ? "leave_full_screen" : "full_screen"]);
  nameButton(parts.clear, labels.clear);
  const keys = sentencesText([labels[space ? "keys_space" : "keys"], labels.keys_always]);
  const figure = fillLabel(labels.figure, {
    count: countText(header.extent?.count ?? model?.count ?? 0),
    dimensions,
    axes: listText(axes.slice(0, dimensions)),
  });
  parts.marks.setAttribute("aria-label", sentencesText([figure, namedText(labels.keys_title, keys)]));
  const drag = labels[tool !== "move" ? "help_region" : space ? "help_space" : "help"];
  parts.help.textContent = sentencesText([drag, tool === "move" ? labels.help_always : ""]);
  parts.keysTitle.textContent = labels.keys_title;
  parts.keysText.textContent = keys;
  parts.note.textContent = model ? labels.empty : labels.waiting;
  parts.note.hidden = Boolean(model?.count || (model && header.extent));
  labelLegend(parts, header);
}

const HELP = 3000; // ms

/** Show for a moment how the picture is zoomed, in place of the help at its lower edge, where it covers no label. */
export function explainWheel(cloud: Cloud) {
  const { help } = cloud.parts;
  help.replaceChildren(makeElement("strong", { text: cloud.header.labels.wheel }));
  clearTimeout(cloud.helpTimer);
  cloud.helpTimer = window.setTimeout(() => labelCloud(cloud), HELP);
}

function labelLegend({ legend }: CloudParts, { legend: given, palette, labels }: Header) {
  legend.setAttribute("aria-label", labels.legend);
  if ("gradient" in given) {
    const { gradient } = given;
    const bar = makeElement("span", { className: "gradient" });
    bar.style.background = palette.length > 1 ? `linear-gradient(to right, ${palette.join(", ")})` : palette[0];
    const ends = [gradient.low, gradient.high].map((value) => makeElement("span", { text: valueText(value) }));
    const ticks = gradientTicks(gradient).map(({ share, text }) => {
      const tick = makeElement("span", { text });
      tick.style.left = `${100 * share}%`;
      return tick;
    });
    const scale = makeElement(
      "span",
      { className: "scale" },
      bar,
      ...(ticks.length ? [makeElement("span", { className: "ticks" }, ...ticks)] : []),
    );
    const title = makeElement("b", { text: gradient.title });
    legend.replaceChildren(makeElement("span", { className: "ends" }, title, ends[0], scale, ends[1]));
    return;
  }
  legend.replaceChildren(
    ...given.kinds.map(([index, name, count]) => {
      const swatch = makeElement("i", { "aria-hidden": "true" });
      swatch.style.background = palette[index];
      return makeElement(
        "span",
        { className: "kind" },
        swatch,
        makeElement("span", { text: name }),
        makeElement("span", { className: "count", text: countText(count) }),
      );
    }),
  );
}

/** Whole numbers as they are, others with three digits. */
export function valueText(value: number) {
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return countText(value);
  return significantText(value, 3);
}

/** The value of a colour that lies so much of the way along the palette. */
export function gradientValue({ low, high, logarithmic }: Omit<Gradient, "title">, share: number) {
  return logarithmic ? low * (high / low) ** share : low + (high - low) * share;
}

const MOST_TICKS = 3; // as many long numbers as have room under the bar

/** Values between the ends of a logarithmic bar as {share, text}; of an even one the ends say enough. */
export function gradientTicks({ low, high, logarithmic }: Omit<Gradient, "title">) {
  if (!logarithmic || high <= low) return [];
  const powers = Array.from(
    { length: Math.ceil(Math.log10(high / low)) + 2 },
    (_, index) => Math.floor(Math.log10(low)) + index,
  );
  const among = (steps: number[]) =>
    powers
      .flatMap((power) => steps.map((step) => Number(`${step}e${power}`)))
      .map((value) => ({ share: Math.log(value / low) / Math.log(high / low), text: valueText(value) }))
      .filter(({ share }) => share > 0.1 && share < 0.9);
  const round = among([1]);
  const ticks = round.length ? round : among([2, 5]);
  const every = Math.ceil(ticks.length / MOST_TICKS);
  return ticks.filter((_, index) => index % every === 0);
}

/**
 * Meaning of a point's colour.
 * @param tint index into the palette
 */
function colourText({ legend, palette, labels }: Header, tint: number) {
  if ("kinds" in legend) return legend.kinds.find(([index]) => index === tint)?.[1] ?? "";
  const value = gradientValue(legend.gradient, tint / Math.max(1, palette.length - 1));
  return namedText(legend.gradient.title, fillLabel(labels.about, { value: valueText(value) }));
}

/** Lines about a point: its label, its id and kind, how near it is to the chosen one. */
export function pointLines({ model, header, tints, neighbours }: Shown, index: number) {
  const { labels } = header;
  const about = [fillLabel(labels.id, { id: model.ids[index] }), colourText(header, tints[index])];
  const lines = [model.labels[index], about.filter(Boolean).join(" · ")];
  const similarity = neighbours.find(([at]) => at === index)?.[1];
  if (similarity !== undefined) lines.push(fillLabel(labels.similarity, { value: decimalText(similarity, 3) }));
  return lines;
}
