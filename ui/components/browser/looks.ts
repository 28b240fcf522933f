// What of a page is neither in its settings nor in a component of ours, and yet in view: charts that are zoomed or
// turned, the tool chosen for them, opened sections, and which heading the page is scrolled to. Each has its entry in the look.

import { perFrame } from "../_shared/lifecycle.js";
import { listen, lookAt, readNumbers, say, writeNumbers } from "../_shared/look.js";
import { headingRead, headingsOf, leadTo } from "./contents.js";
import { placeOf } from "./light.js";

/** @typedef {{ x: number, y: number, z: number }} Vector */
/** @typedef {{ eye: Vector, center: Vector, up?: Vector }} Camera */
/** @typedef {{ getCamera?: () => Camera, setViewport?: (viewport: object) => void, fullSceneLayout: object }} Scene */
/**
 * @typedef {object} Axis what is used of one of Plotly's; a range that the figure does not give is found by itself
 * @property {string} _name
 * @property {number[]} range
 * @property {boolean} [fixedrange]
 * @property {boolean | string} [autorange]
 * @property {unknown} [_rangeInitial0]
 * @property {unknown} [_rangeInitial1]
 */
/**
 * @typedef {HTMLElement & {
 *   on?: (name: string, listener: (change?: object) => void) => void,
 *   _fullLayout?: Record<string, any>,
 * }} Chart
 */

const EXPANDER = '[data-testid="stExpander"] details';
const PRESSED = () => new MouseEvent("click", { bubbles: true });
const REST = 200; // ms without scrolling

/**
 * The ranges of a chart that the reader has chosen, by the names of their axes.
 * @param {Axis[]} axes
 * @returns {Map<string, number[]>}
 */
export function zoomed(axes) {
  /** @type {Map<string, number[]>} */
  const ranges = new Map();
  for (const { _name: name, range, fixedrange, autorange, _rangeInitial0: low, _rangeInitial1: high } of axes) {
    const isFirst = (low === undefined || low === range[0]) && (high === undefined || high === range[1]);
    const isOwn = autorange !== true && (low === undefined && high === undefined ? true : !isFirst);
    if (!fixedrange && isOwn && range.every(Number.isFinite)) ranges.set(name, [...range]);
  }
  return ranges;
}

/**
 * Whether an axis can show a range: one of other numbers has nothing to show in it.
 * @param {Axis | undefined} axis
 * @param {number[] | null} range
 */
export function canShow(axis, range) {
  if (!axis || axis.fixedrange || range?.length !== 2 || range[0] === range[1]) return false;
  const [low, high] = [Math.min(...range), Math.max(...range)];
  return low < Math.max(...axis.range) && high > Math.min(...axis.range);
}

/**
 * A range as the link says it. One that the link has said already stays as it was said: Plotly fits it anew to axes of one
 * scale, and what a link is opened with would otherwise change in its last digit.
 * @param {number[]} range
 * @param {string | null} said
 */
export function rangeText(range, said) {
  const before = readNumbers(said ?? "") ?? [];
  const least = Math.abs(range[1] - range[0]) / 100_000;
  const isSame = before.length === 2 && before.every((end, index) => Math.abs(end - range[index]) <= least);
  return said !== null && isSame ? said : writeNumbers(range);
}

/** @param {Camera} camera */
export function cameraNumbers({ eye, center, up }) {
  const own = up && (up.x || up.y || up.z !== 1) ? [up.x, up.y, up.z] : [];
  return [eye.x, eye.y, eye.z, center.x, center.y, center.z, ...own];
}

/**
 * @param {number[] | null} numbers
 * @returns {Camera | null} null where they are none
 */
export function cameraOf(numbers) {
  if (numbers?.length !== 6 && numbers?.length !== 9) return null;
  const [eye, center, up] = [0, 3, 6].map((at) => ({ x: numbers[at], y: numbers[at + 1], z: numbers[at + 2] }));
  return { eye, center, up: numbers.length === 9 ? up : { x: 0, y: 0, z: 1 } };
}

/**
 * What an opened section is called in a link: a number made of its title, whatever language that is in.
 * @param {string} title
 */
export function sectionName(title) {
  let sum = 7;
  for (const letter of title.trim()) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return `open.${sum.toString(36)}`;
}

/** @param {Chart} chart */
const axesOf = (chart) =>
  /** @type {Axis[]} */ (
    Object.entries(chart._fullLayout ?? {})
      .filter(([name]) => /^[xy]axis\d*$/.test(name))
      .map(([, axis]) => axis)
  );
/** @param {Chart} chart */
const sceneOf = (chart) => /** @type {Scene | undefined} */ (chart._fullLayout?.scene?._scene);
/** @param {Element} chart */
const keyOf = (chart) => chart.closest('[class*="st-key-"]')?.className.match(/(?:^| )st-key-([\w-]+)/)?.[1] ?? "chart";

/** @type {WeakMap<Chart, { camera: string, tool: unknown }>} from where each was seen at first, "" for a flat one, and what a drag did */
const charts = new WeakMap();
/** @param {Chart} chart */
const toolOf = (chart) => chart._fullLayout?.scene?.dragmode ?? chart._fullLayout?.dragmode;

/** @param {Chart} chart */
function meet(chart) {
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

/**
 * Puts into effect what the link says of a chart.
 * @param {Chart} chart
 */
function takeUp(chart) {
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

/**
 * Plotly gives nobody else a way to its axes than its own button, which shows what it takes for their first ranges.
 * @param {Chart} chart
 * @param {{ axis: Axis, range: number[] }[]} wanted
 */
function showRanges(chart, wanted) {
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

/** @param {Chart} chart */
function tell(chart) {
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

/** @param {Chart} chart */
function tellTool(chart) {
  const tool = toolOf(chart);
  say(`${keyOf(chart)}.tool`, tool === charts.get(chart)?.tool ? null : String(tool));
}

/** @type {WeakMap<HTMLDetailsElement, boolean>} whether each was open at first */
const sections = new WeakMap();

/** @param {HTMLDetailsElement} section */
function nameOf(section) {
  const all = /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(EXPANDER));
  const title = (/** @type {HTMLDetailsElement} */ other) => other.querySelector("summary")?.textContent ?? "";
  const same = [...all].filter((other) => title(other) === title(section));
  const place = same.indexOf(section);
  return sectionName(title(section)) + (place > 0 ? `.${place}` : "");
}

/** @param {HTMLDetailsElement} section */
function unfold(section) {
  const wanted = lookAt(nameOf(section));
  if (!sections.has(section)) sections.set(section, section.open);
  if (wanted !== null && (wanted === "1") !== section.open) section.querySelector("summary")?.click();
}

// Streamlit opens them slowly; what a click leads to is known before.
/** @param {Event} event */
function folded({ target, isTrusted }) {
  const section = /** @type {HTMLDetailsElement | null} */ (
    target instanceof Element ? (target.closest("summary")?.closest(EXPANDER) ?? null) : null
  );
  if (!isTrusted || !section) return;
  const isOpen = !section.open;
  say(nameOf(section), isOpen === sections.get(section) ? null : String(Number(isOpen)));
}

let placed = ""; // the page whose heading was scrolled to
let timer = 0;

function place() {
  if (placed === window.location.pathname) return;
  const [at] = readNumbers(lookAt("at") ?? "") ?? [null];
  const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const isWalked = new URLSearchParams(window.location.search).has("lesson"); // whose panel leads to what is lit
  const isReloaded = visit?.type === "reload" && !placed; // near.js leads to where it was read
  const headings = headingsOf();
  if (at !== null && !isWalked && !isReloaded) {
    if (!headings[at]) return; // it comes
    leadTo(headings[at], false);
  }
  placed = window.location.pathname;
}

let goal = ""; // the section that the server wants in view, until it is there

function arrive() {
  const part = goal ? document.querySelector(placeOf(`near-${goal}`)) : null;
  if (!part) return;
  goal = "";
  say("to", null);
  const isAbove = (/** @type {HTMLElement} */ heading) =>
    heading.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING;
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
  for (const chart of /** @type {NodeListOf<Chart>} */ (document.querySelectorAll(".js-plotly-plot"))) meet(chart);
  for (const section of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(EXPANDER)))
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
  document.addEventListener("scroll", scrolled, { capture: true, passive: true });
  listen(document.documentElement, (key, value) => {
    if (key === "to") goal = value;
    arrive();
    for (const chart of /** @type {NodeListOf<Chart>} */ (document.querySelectorAll(".js-plotly-plot")))
      if (charts.has(chart)) takeUp(chart);
    for (const section of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(EXPANDER)))
      unfold(section);
  });
}
