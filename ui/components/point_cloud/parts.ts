// The elements around the picture: tools, zoom, the slider between token and token + position, legend, help.

import { makeElement } from "../_shared/elements.ts";
import { type Icon, iconButton } from "../_shared/icons.ts";

export type Tool = "move" | "box" | "lasso";
export type CloudParts = ReturnType<typeof cloudParts>;

export const TOOLS: Tool[] = ["move", "box", "lasso"];
const BUTTONS: Icon[] = ["zoom_in", "zoom_out", "reset", "full_screen"];

const cloudButton = (name: Icon, attributes: Record<string, string> = {}) =>
  iconButton(`cloud-${name.replace("_", "-")}`, name, attributes);

export function cloudParts() {
  const tools = Object.fromEntries(TOOLS.map((tool) => [tool, cloudButton(tool, { "aria-pressed": "false" })]));
  const buttons = Object.fromEntries(BUTTONS.map((name) => [name, cloudButton(name)]));
  const toolGroup = makeElement("div", { className: "group", role: "group" }, ...Object.values(tools));
  const clear = cloudButton("clear");
  const markedText = makeElement("span");
  const marked = makeElement("div", { className: "marked", testid: "cloud-marked" }, markedText, clear);
  marked.hidden = true;
  const mixRange = makeElement("input", { testid: "cloud-mix", type: "range", min: "0", max: "1", step: "0.01" });
  const [mixBefore, mixAfter] = [makeElement("span"), makeElement("span")];
  const mix = makeElement("div", { className: "mix" }, mixBefore, mixRange, mixAfter);
  const ground = makeElement("canvas", { "aria-hidden": "true" });
  const marks = makeElement("canvas", {
    className: "marks",
    testid: "cloud-canvas",
    role: "application",
    tabindex: "0",
  });
  const tip = makeElement("div", { className: "tip", testid: "cloud-tip", "aria-hidden": "true" });
  tip.hidden = true;
  const note = makeElement("p", { className: "note", testid: "cloud-note" });
  note.hidden = true;
  const points = makeElement("div", { className: "points" });
  const stage = makeElement("div", { className: "stage", testid: "cloud-stage" }, ground, points, marks, tip, note);
  const legend = makeElement("div", { className: "legend", testid: "cloud-legend", role: "group" });
  const help = makeElement("span", { testid: "cloud-help" });
  const [keysTitle, keysText] = [makeElement("summary"), makeElement("p", { testid: "cloud-keys" })];
  const foot = makeElement("div", { className: "foot" }, help, makeElement("details", {}, keysTitle, keysText));
  const said = makeElement("div", { className: "said", testid: "cloud-said", role: "status", "aria-live": "polite" });
  const bar = makeElement(
    "div",
    { className: "bar" },
    toolGroup,
    makeElement("div", { className: "group" }, buttons.zoom_out, buttons.zoom_in, buttons.reset),
    marked,
    makeElement("div", { className: "group end" }, buttons.full_screen),
  );
  const root = makeElement("div", { className: "cloud", testid: "point-cloud" }, bar, mix, stage, legend, foot, said);
  buttons.full_screen.hidden = !document.fullscreenEnabled;
  return {
    root,
    tools,
    toolGroup,
    buttons,
    clear,
    markedText,
    marked,
    mix,
    mixRange,
    mixBefore,
    mixAfter,
    ground,
    points,
    marks,
    tip,
    note,
    stage,
    legend,
    help,
    keysTitle,
    keysText,
    said,
  };
}

/** The canvas that points are drawn on, anew: one that had WebGL can do nothing else. */
export function freshCanvas(parts: CloudParts) {
  const canvas = makeElement("canvas", { "aria-hidden": "true" });
  parts.points.replaceChildren(canvas);
  return canvas;
}
