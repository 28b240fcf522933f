// The elements of the picture and around it: tools, zoom, legend, help.

import { makeElement } from "../_shared/elements.ts";
import { type Icon, iconButton } from "../_shared/icons.ts";
import { stageParts } from "./scatter.ts";

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
  const picture = stageParts("cloud");
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
    makeElement("div", { className: "group" }, buttons.full_screen),
  );
  picture.stage.append(marked, bar);
  const body = makeElement("div", { className: "body" }, picture.stage, legend);
  const root = makeElement("div", { className: "cloud", testid: "point-cloud" }, body, foot, said);
  buttons.full_screen.hidden = !document.fullscreenEnabled;
  return {
    root,
    tools,
    toolGroup,
    bar,
    buttons,
    clear,
    markedText,
    marked,
    ...picture,
    legend,
    help,
    keysTitle,
    keysText,
    said,
  };
}
