// View state of the page around our components, for links: zooms, cameras and tools of Plotly's charts, open sections, and the
// heading that the page is scrolled to.
//
// Charts are set through Plotly's private fields and clicks on its mode bar: Streamlit's bundle exports no Plotly.relayout, and
// ranges that came with the figure from Python would replace those that a double click resets a chart to.

import { debounce } from "../_shared/debounce.ts";
import { perFrame } from "../_shared/lifecycle.ts";
import { sectionSelector, watchPage } from "../_shared/page.ts";
import { formatNumbers, onViewRequest, parseNumbers, savedValue, setValue } from "../_shared/view_state.ts";
import { currentHeading, pageHeadings, scrollToHeading } from "./contents.ts";
import { averageCells } from "./heatmaps.ts";
import { holdScroll } from "./hold_scroll.ts";

type Vector = { x: number; y: number; z: number };
type Camera = { eye: Vector; center: Vector; up?: Vector };
type Scene = { getCamera?: () => Camera; setViewport?: (viewport: object) => void; fullSceneLayout: object };
/** The used part of Plotly's axis; _rangeInitial* are undefined if the figure gives no range. */
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
const clickEvent = () => new MouseEvent("click", { bubbles: true });
const SCROLL_PAUSE = 200; // ms without scrolling

/** Return the ranges that the reader has zoomed to, by the names of their axes. */
export function zoomedRanges(axes: Axis[]): Map<string, number[]> {
  const ranges = new Map<string, number[]>();
  for (const { _name: name, range, fixedrange, autorange, _rangeInitial0: low, _rangeInitial1: high } of axes) {
    const isFirst = (low === undefined || low === range[0]) && (high === undefined || high === range[1]);
    const isOwn = autorange !== true && (low === undefined && high === undefined ? true : !isFirst);
    if (!fixedrange && isOwn && range.every(Number.isFinite)) ranges.set(name, [...range]);
  }
  return ranges;
}

/** Whether a range overlaps the present one of an axis that can be zoomed: a chart of other numbers would be empty. */
export function canShow(axis: Axis | undefined, range: number[] | null) {
  if (!axis || axis.fixedrange || range?.length !== 2 || range[0] === range[1]) return false;
  const [low, high] = [Math.min(...range), Math.max(...range)];
  return low < Math.max(...axis.range) && high > Math.min(...axis.range);
}

/**
 * Write a range for the link. A range that differs from the one in the link by rounding alone is left as it is: Plotly adjusts
 * axes of equal scale, and an opened link would otherwise change in its last digit.
 */
export function rangeText(range: number[], previous: string | null) {
  const previousRange = parseNumbers(previous ?? "") ?? [];
  const tolerance = Math.abs(range[1] - range[0]) / 100_000;
  const isSame =
    previousRange.length === 2 && previousRange.every((end, index) => Math.abs(end - range[index]) <= tolerance);
  return previous !== null && isSame ? previous : formatNumbers(range);
}

export function cameraNumbers({ eye, center, up }: Camera) {
  const own = up && (up.x || up.y || up.z !== 1) ? [up.x, up.y, up.z] : [];
  return [eye.x, eye.y, eye.z, center.x, center.y, center.z, ...own];
}

/** @returns null for numbers that are no camera */
export function parseCamera(numbers: number[] | null): Camera | null {
  if (numbers?.length !== 6 && numbers?.length !== 9) return null;
  const [eye, center, up] = [0, 3, 6].map((start) => ({
    x: numbers[start],
    y: numbers[start + 1],
    z: numbers[start + 2],
  }));
  return { eye, center, up: numbers.length === 9 ? up : { x: 0, y: 0, z: 1 } };
}

/** Return an open section's key in links: a hash of its title, which may be in any language. */
export function sectionKey(title: string) {
  let sum = 7;
  for (const letter of title.trim()) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return `open.${sum.toString(36)}`;
}

const chartAxes = (chart: Chart) =>
  Object.entries(chart._fullLayout ?? {})
    .filter(([name]) => /^[xy]axis\d*$/.test(name))
    .map(([, axis]) => axis) as Axis[];
const chartScene = (chart: Chart) => chart._fullLayout?.scene?._scene as Scene | undefined;
const chartKey = (chart: Element) =>
  chart.closest('[class*="st-key-"]')?.className.match(/(?:^| )st-key-([\w-]+)/)?.[1] ?? "chart";

/** Initial cameras, "" for flat charts, and tools of the charts. */
const initialViews = new WeakMap<Chart, { camera: string; tool: unknown }>();
const dragMode = (chart: Chart) => chart._fullLayout?.scene?.dragmode ?? chart._fullLayout?.dragmode;

function registerChart(chart: Chart) {
  if (initialViews.has(chart) || !chart.on || !chart._fullLayout) return;
  const scene = chartScene(chart);
  if (chart._fullLayout.scene && !scene?.getCamera) return;
  const camera = scene?.getCamera ? formatNumbers(cameraNumbers(scene.getCamera())) : "";
  initialViews.set(chart, { camera, tool: dragMode(chart) });
  restoreView(chart);
  averageCells(chart);
  chart.on("plotly_afterplot", () => {
    saveView(chart);
    averageCells(chart);
  });
  chart.on("plotly_relayout", (change) => {
    saveView(chart);
    if (Object.keys(change ?? {}).some((name) => name.endsWith("dragmode"))) saveTool(chart); // a click on the mode bar, not a new figure
  });
}

/** Apply the link's view state to a chart. */
function restoreView(chart: Chart) {
  const key = chartKey(chart);
  const restored = chartAxes(chart).flatMap((axis) => {
    const range = parseNumbers(savedValue(`${key}.${axis._name}`) ?? "");
    return range && canShow(axis, range) ? [{ axis, range }] : [];
  });
  if (restored.length) setRanges(chart, restored);
  const scene = chartScene(chart);
  const camera = parseCamera(parseNumbers(savedValue(`${key}.scene`) ?? ""));
  if (scene && camera) scene.setViewport?.({ ...scene.fullSceneLayout, camera });
  const tool = savedValue(`${key}.tool`);
  for (const button of chart.querySelectorAll('.modebar-btn[data-attr$="dragmode"]'))
    if (button.getAttribute("data-val") === tool && tool !== dragMode(chart)) button.dispatchEvent(clickEvent());
}

/** Set a chart's ranges by the reset button of its mode bar, for which they are declared its initial ranges. */
function setRanges(chart: Chart, ranges: { axis: Axis; range: number[] }[]) {
  const button = chart.querySelector('.modebar-btn[data-attr="zoom"][data-val="reset"]');
  if (!button) return;
  const initialRanges = ranges.map(({ axis, range }) => {
    const initial = [axis._rangeInitial0, axis._rangeInitial1];
    [axis._rangeInitial0, axis._rangeInitial1] = range;
    return initial;
  });
  button.dispatchEvent(clickEvent());
  // Plotly may have replaced the axes' objects.
  const axes = new Map(chartAxes(chart).map((axis) => [axis._name, axis]));
  ranges.forEach(({ axis: { _name: name } }, index) => {
    const axis = axes.get(name);
    if (axis) [axis._rangeInitial0, axis._rangeInitial1] = initialRanges[index];
  });
}

function saveView(chart: Chart) {
  const initial = initialViews.get(chart);
  if (!chart.isConnected || initial === undefined) return;
  const key = chartKey(chart);
  const ranges = zoomedRanges(chartAxes(chart));
  for (const { _name: name } of chartAxes(chart)) {
    const range = ranges.get(name);
    setValue(`${key}.${name}`, range ? rangeText(range, savedValue(`${key}.${name}`)) : null);
  }
  const camera = chartScene(chart)?.getCamera?.();
  if (camera) {
    const current = formatNumbers(cameraNumbers(camera));
    setValue(`${key}.scene`, current === initial.camera ? null : current);
  }
}

function saveTool(chart: Chart) {
  const tool = dragMode(chart);
  setValue(`${chartKey(chart)}.tool`, tool === initialViews.get(chart)?.tool ? null : String(tool));
}

/** Whether each section was open initially. */
const initiallyOpen = new WeakMap<HTMLDetailsElement, boolean>();

function expanderKey(section: HTMLDetailsElement) {
  const all = document.querySelectorAll(EXPANDER) as NodeListOf<HTMLDetailsElement>;
  const title = (other: HTMLDetailsElement) => other.querySelector("summary")?.textContent ?? "";
  const namesakes = [...all].filter((other) => title(other) === title(section));
  const index = namesakes.indexOf(section);
  return sectionKey(title(section)) + (index > 0 ? `.${index}` : "");
}

function restoreExpander(section: HTMLDetailsElement) {
  const saved = savedValue(expanderKey(section));
  if (!initiallyOpen.has(section)) initiallyOpen.set(section, section.open);
  if (saved !== null && (saved === "1") !== section.open) section.querySelector("summary")?.click();
}

// On the click itself: Streamlit's animation changes `open` late.
function onExpanderClick({ target, isTrusted }: Event) {
  const section = (
    target instanceof Element ? (target.closest("summary")?.closest(EXPANDER) ?? null) : null
  ) as HTMLDetailsElement | null;
  if (!isTrusted || !section) return;
  const isOpen = !section.open;
  setValue(expanderKey(section), isOpen === initiallyOpen.get(section) ? null : String(Number(isOpen)));
}

let scrolledPath = ""; // the page whose scroll position has been restored

function restoreScroll() {
  if (scrolledPath === window.location.pathname) return;
  const [headingIndex] = parseNumbers(savedValue("at") ?? "") ?? [null];
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isReloaded = visit?.type === "reload" && !scrolledPath; // near.ts restores the scroll position
  const headings = pageHeadings();
  if (headingIndex !== null && !isLesson() && !isReloaded) {
    // light.ts scrolls to the section of a lesson's stop

    if (!headings[headingIndex]) return; // not drawn yet
    scrollToHeading(headings[headingIndex], false);
  }
  scrolledPath = window.location.pathname;
}

// The section that the server has asked to scroll to, until it is there; "top", or "before" a lesson was begun.
let targetSection = "";
let scrollBefore = 0; // px to which the page was scrolled at the last click outside of a lesson

const mainElement = () => document.querySelector('[data-testid="stMain"]');
const isLesson = () => new URLSearchParams(window.location.search).has("lesson");

function saveScrollBefore() {
  if (!isLesson()) scrollBefore = mainElement()?.scrollTop ?? 0;
}

function scrollToTarget() {
  if (targetSection === "top" || targetSection === "before") {
    const top = targetSection === "top" ? 0 : scrollBefore;
    targetSection = "";
    setValue("to", null);
    holdScroll(() => mainElement()?.scrollTo({ top, behavior: "instant" }));
    return;
  }
  const part = targetSection
    ? document.querySelector(`${sectionSelector(`near-${targetSection}`)}, [data-section="${targetSection}"]`)
    : null;
  if (!part) return;
  targetSection = "";
  setValue("to", null);
  const isAbove = (heading: HTMLElement) => heading.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING;
  const heading = pageHeadings().filter(isAbove).at(-1);
  if (heading) scrollToHeading(heading, false);
}

const saveScroll = debounce(() => {
  const headingIndex = currentHeading(pageHeadings());
  if (headingIndex !== null && scrolledPath === window.location.pathname)
    setValue("at", headingIndex > 0 ? String(headingIndex) : null);
}, SCROLL_PAUSE);

const page = perFrame(() => {
  savedValue("at"); // reads the view state of a page that was just opened
  for (const chart of document.querySelectorAll(".js-plotly-plot") as NodeListOf<Chart>) registerChart(chart);
  for (const section of document.querySelectorAll(EXPANDER) as NodeListOf<HTMLDetailsElement>)
    if (!initiallyOpen.has(section)) restoreExpander(section);
  restoreScroll();
  scrollToTarget();
});

let isWatching = false;

export default function () {
  page.schedule();
  if (isWatching) return;
  isWatching = true;
  targetSection = savedValue("to") ?? ""; // of the link, as an embedded section's
  watchPage(page.schedule);
  document.addEventListener("click", onExpanderClick, true);
  document.addEventListener("click", saveScrollBefore, true);
  document.addEventListener("scroll", saveScroll, { capture: true, passive: true });
  onViewRequest(document.documentElement, (key, value) => {
    if (key === "to") targetSection = value;
    scrollToTarget();
    for (const chart of document.querySelectorAll(".js-plotly-plot") as NodeListOf<Chart>)
      if (initialViews.has(chart)) restoreView(chart);
    for (const section of document.querySelectorAll(EXPANDER) as NodeListOf<HTMLDetailsElement>)
      restoreExpander(section);
  });
}
