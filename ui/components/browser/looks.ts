// What of a page is neither in its settings nor in a component of ours, and yet in view: charts that are zoomed or
// turned, the tool chosen for them, opened sections, and which heading the page is scrolled to. Each has its entry in the look.

import { perFrame } from "../_shared/lifecycle.ts";
import { lookAt, onLookChange, readNumbers, say, writeNumbers } from "../_shared/look.ts";
import { headingRead, headingsOf, leadTo } from "./contents.ts";
import { placeOf } from "./light.ts";
import { stay } from "./stay.ts";

type Vector = { x: number; y: number; z: number };
type Camera = { eye: Vector; center: Vector; up?: Vector };
type Scene = { getCamera?: () => Camera; setViewport?: (viewport: object) => void; fullSceneLayout: object };
/** What is used of an axis of Plotly's; a range that the figure does not give is found by itself. */
interface Axis {
  _name: string;
  range: number[];
  fixedrange?: boolean;
  autorange?: boolean | string;
  _rangeInitial0?: unknown;
  _rangeInitial1?: unknown;
}
type Chart = HTMLElement & {
  on?: (name: string, listener: (change?: object) => void) => void;
  // biome-ignore lint/suspicious/noExplicitAny: Plotly's own, of which it says no type
  _fullLayout?: Record<string, any>;
};

const EXPANDER = '[data-testid="stExpander"] details';
const PRESSED = () => new MouseEvent("click", { bubbles: true });
const REST = 200; // ms without scrolling

/** The ranges of a chart that the reader has chosen, by the names of their axes. */
export function zoomed(axes: Axis[]): Map<string, number[]> {
  const ranges = new Map<string, number[]>();
  for (const { _name: name, range, fixedrange, autorange, _rangeInitial0: low, _rangeInitial1: high } of axes) {
    const isFirst = (low === undefined || low === range[0]) && (high === undefined || high === range[1]);
    const isOwn = autorange !== true && (low === undefined && high === undefined ? true : !isFirst);
    if (!fixedrange && isOwn && range.every(Number.isFinite)) ranges.set(name, [...range]);
  }
  return ranges;
}

/** Whether an axis can show a range: one of other numbers has nothing to show in it. */
export function canShow(axis: Axis | undefined, range: number[] | null) {
  if (!axis || axis.fixedrange || range?.length !== 2 || range[0] === range[1]) return false;
  const [low, high] = [Math.min(...range), Math.max(...range)];
  return low < Math.max(...axis.range) && high > Math.min(...axis.range);
}

/**
 * A range as the link says it. One that the link has said already stays as it was said: Plotly fits it anew to axes of
 * one scale, and what a link is opened with would otherwise change in its last digit.
 */
export function rangeText(range: number[], said: string | null) {
  const before = readNumbers(said ?? "") ?? [];
  const least = Math.abs(range[1] - range[0]) / 100_000;
  const isSame = before.length === 2 && before.every((end, index) => Math.abs(end - range[index]) <= least);
  return said !== null && isSame ? said : writeNumbers(range);
}

export function cameraNumbers({ eye, center, up }: Camera) {
  const own = up && (up.x || up.y || up.z !== 1) ? [up.x, up.y, up.z] : [];
  return [eye.x, eye.y, eye.z, center.x, center.y, center.z, ...own];
}

/** @returns null where they are none */
export function cameraOf(numbers: number[] | null): Camera | null {
  if (numbers?.length !== 6 && numbers?.length !== 9) return null;
  const [eye, center, up] = [0, 3, 6].map((at) => ({ x: numbers[at], y: numbers[at + 1], z: numbers[at + 2] }));
  return { eye, center, up: numbers.length === 9 ? up : { x: 0, y: 0, z: 1 } };
}

/** What an opened section is called in a link: a number made of its title, whatever language that is in. */
export function sectionName(title: string) {
  let sum = 7;
  for (const letter of title.trim()) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return `open.${sum.toString(36)}`;
}

const axesOf = (chart: Chart) =>
  Object.entries(chart._fullLayout ?? {})
    .filter(([name]) => /^[xy]axis\d*$/.test(name))
    .map(([, axis]) => axis) as Axis[];
const sceneOf = (chart: Chart) => chart._fullLayout?.scene?._scene as Scene | undefined;
const keyOf = (chart: Element) =>
  chart.closest('[class*="st-key-"]')?.className.match(/(?:^| )st-key-([\w-]+)/)?.[1] ?? "chart";

/** Charts: from where each was seen at first, "" for a flat one, and what a drag did. */
const charts = new WeakMap<Chart, { camera: string; tool: unknown }>();
const toolOf = (chart: Chart) => chart._fullLayout?.scene?.dragmode ?? chart._fullLayout?.dragmode;

function meet(chart: Chart) {
  if (charts.has(chart) || !chart.on || !chart._fullLayout) return;
  const scene = sceneOf(chart);
  if (chart._fullLayout.scene && !scene?.getCamera) return;
  const camera = scene?.getCamera ? writeNumbers(cameraNumbers(scene.getCamera())) : "";
  charts.set(chart, { camera, tool: toolOf(chart) });
  takeUp(chart);
  chart.on("plotly_afterplot", () => tell(chart));
  chart.on("plotly_relayout", (change) => {
    tell(chart);
    if (Object.keys(change ?? {}).some((name) => name.endsWith("dragmode"))) tellTool(chart); // a button, and no new figure
  });
}

/** Puts into effect what the link says of a chart. */
function takeUp(chart: Chart) {
  const key = keyOf(chart);
  const wanted = axesOf(chart).flatMap((axis) => {
    const range = readNumbers(lookAt(`${key}.${axis._name}`) ?? "");
    return range && canShow(axis, range) ? [{ axis, range }] : [];
  });
  if (wanted.length) showRanges(chart, wanted);
  const scene = sceneOf(chart);
  const camera = cameraOf(readNumbers(lookAt(`${key}.scene`) ?? ""));
  if (scene && camera) scene.setViewport?.({ ...scene.fullSceneLayout, camera });
  const tool = lookAt(`${key}.tool`);
  for (const button of chart.querySelectorAll('.modebar-btn[data-attr$="dragmode"]'))
    if (button.getAttribute("data-val") === tool && tool !== toolOf(chart)) button.dispatchEvent(PRESSED());
}

/** Plotly gives nobody else a way to its axes than its own button, which shows what it takes for their first ranges. */
function showRanges(chart: Chart, wanted: { axis: Axis; range: number[] }[]) {
  const button = chart.querySelector('.modebar-btn[data-attr="zoom"][data-val="reset"]');
  if (!button) return;
  const first = wanted.map(({ axis, range }) => {
    const before = [axis._rangeInitial0, axis._rangeInitial1];
    [axis._rangeInitial0, axis._rangeInitial1] = range;
    return before;
  });
  button.dispatchEvent(PRESSED());
  // The axes may be other objects now, of the same names.
  const axes = new Map(axesOf(chart).map((axis) => [axis._name, axis]));
  wanted.forEach(({ axis: { _name: name } }, index) => {
    const axis = axes.get(name);
    if (axis) [axis._rangeInitial0, axis._rangeInitial1] = first[index];
  });
}

function tell(chart: Chart) {
  const first = charts.get(chart);
  if (!chart.isConnected || first === undefined) return;
  const key = keyOf(chart);
  const ranges = zoomed(axesOf(chart));
  for (const { _name: name } of axesOf(chart)) {
    const range = ranges.get(name);
    say(`${key}.${name}`, range ? rangeText(range, lookAt(`${key}.${name}`)) : null);
  }
  const camera = sceneOf(chart)?.getCamera?.();
  if (camera) {
    const turned = writeNumbers(cameraNumbers(camera));
    say(`${key}.scene`, turned === first.camera ? null : turned);
  }
}

function tellTool(chart: Chart) {
  const tool = toolOf(chart);
  say(`${keyOf(chart)}.tool`, tool === charts.get(chart)?.tool ? null : String(tool));
}

/** Opened sections: whether each was open at first. */
const sections = new WeakMap<HTMLDetailsElement, boolean>();

function nameOf(section: HTMLDetailsElement) {
  const all = document.querySelectorAll(EXPANDER) as NodeListOf<HTMLDetailsElement>;
  const title = (other: HTMLDetailsElement) => other.querySelector("summary")?.textContent ?? "";
  const same = [...all].filter((other) => title(other) === title(section));
  const place = same.indexOf(section);
  return sectionName(title(section)) + (place > 0 ? `.${place}` : "");
}

function unfold(section: HTMLDetailsElement) {
  const wanted = lookAt(nameOf(section));
  if (!sections.has(section)) sections.set(section, section.open);
  if (wanted !== null && (wanted === "1") !== section.open) section.querySelector("summary")?.click();
}

// Streamlit opens them slowly; what a click leads to is known before.
function folded({ target, isTrusted }: Event) {
  const section = (
    target instanceof Element ? (target.closest("summary")?.closest(EXPANDER) ?? null) : null
  ) as HTMLDetailsElement | null;
  if (!isTrusted || !section) return;
  const isOpen = !section.open;
  say(nameOf(section), isOpen === sections.get(section) ? null : String(Number(isOpen)));
}

let placed = ""; // the page whose heading was scrolled to
let timer = 0;

function place() {
  if (placed === window.location.pathname) return;
  const [at] = readNumbers(lookAt("at") ?? "") ?? [null];
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isReloaded = visit?.type === "reload" && !placed; // near.ts leads to where it was read
  const headings = headingsOf();
  // A lesson's panel leads to what is lit.
  if (at !== null && !isWalked() && !isReloaded) {
    if (!headings[at]) return; // it comes
    leadTo(headings[at], false);
  }
  placed = window.location.pathname;
}

let goal = ""; // the section that the server wants in view, until it is there
let before = 0; // px to which the page was scrolled when the reader last chose something outside of a lesson

const main = () => document.querySelector('[data-testid="stMain"]');
const isWalked = () => new URLSearchParams(window.location.search).has("lesson");

function noteBefore() {
  if (!isWalked()) before = main()?.scrollTop ?? 0;
}

function arrive() {
  if (goal === "top" || goal === "before") {
    const top = goal === "top" ? 0 : before;
    goal = "";
    say("to", null);
    stay(() => main()?.scrollTo({ top, behavior: "instant" }));
    return;
  }
  const part = goal ? document.querySelector(placeOf(`near-${goal}`)) : null;
  if (!part) return;
  goal = "";
  say("to", null);
  const isAbove = (heading: HTMLElement) => heading.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING;
  const heading = headingsOf().filter(isAbove).at(-1);
  if (heading) leadTo(heading, false);
}

function scrolled() {
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    const at = headingRead(headingsOf());
    if (at !== null && placed === window.location.pathname) say("at", at > 0 ? String(at) : null);
  }, REST);
}

const look = perFrame(() => {
  lookAt("at"); // of a page that has just come it is read now
  for (const chart of document.querySelectorAll(".js-plotly-plot") as NodeListOf<Chart>) meet(chart);
  for (const section of document.querySelectorAll(EXPANDER) as NodeListOf<HTMLDetailsElement>)
    if (!sections.has(section)) unfold(section);
  place();
  arrive();
});

let isWatching = false;

export default function () {
  look.schedule();
  if (isWatching) return;
  isWatching = true;
  new MutationObserver(look.schedule).observe(document.body, { childList: true, subtree: true });
  document.addEventListener("click", folded, true);
  document.addEventListener("click", noteBefore, true);
  document.addEventListener("scroll", scrolled, { capture: true, passive: true });
  onLookChange(document.documentElement, (key, value) => {
    if (key === "to") goal = value;
    arrive();
    for (const chart of document.querySelectorAll(".js-plotly-plot") as NodeListOf<Chart>)
      if (charts.has(chart)) takeUp(chart);
    for (const section of document.querySelectorAll(EXPANDER) as NodeListOf<HTMLDetailsElement>) unfold(section);
  });
}
