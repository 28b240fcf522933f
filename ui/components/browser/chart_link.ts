// Connects a Plotly chart to the page's one pointer: a point under the mouse is the token under the pointer, a
// click chooses it, and the tokens hovered and chosen anywhere are marked here. Marks are drawn in the browser, since
// Streamlit mounts a chart anew, and loses its zoom, whenever anything in its specification changes.

import type { ParentElement } from "../_shared/lifecycle.ts";
import { type Link, link } from "../_shared/link.ts";
import { watchPage } from "../_shared/page.ts";

/** Python's data: the chart's key, and its tokens. */
type Data = { chart: string; tokens: number; names: string[] };
/** The used part of Plotly: the chart's element, and its 3-D scene, whose camera has no public API. */
interface Scene {
  getCamera?: () => unknown;
  setViewport?: (viewport: object) => void;
  fullSceneLayout: object;
}
type PointEvent = { points?: { customdata?: unknown }[] };
type Chart = HTMLElement & {
  on?: (name: string, listener: (event: PointEvent) => void) => void;
  _fullLayout?: { paper_bgcolor?: string; scene?: { _scene?: Scene } };
};
/** State that outlives a run: the chart's element and its camera. */
type State = { chart: Chart | null; camera: unknown };

/** States of the linked charts by mount point and chart key. */
const statesByMountPoint = new WeakMap<object, Map<string, State>>();

export default function (charts: Data[], { parentElement }: { parentElement: ParentElement }) {
  const mountPoint = "host" in parentElement ? parentElement.host : parentElement;
  const chartStates = statesByMountPoint.get(mountPoint) ?? new Map();
  statesByMountPoint.set(mountPoint, chartStates);
  const chartLinks = charts.map((data) => {
    if (!chartStates.has(data.chart)) chartStates.set(data.chart, { chart: null, camera: null });
    return linkTokens(data, chartStates.get(data.chart));
  });
  const attach = () => chartLinks.forEach((each) => void each.attach());
  const draw = () => chartLinks.forEach((each) => void each.draw());

  // Charts are mounted anew while this component stays.
  const unwatch = watchPage(attach);
  attach();
  draw();
  const unsubscribe = link.subscribe(draw);
  return () => {
    unwatch();
    unsubscribe();
  };
}

function linkTokens(data: Data, state: State) {
  const draw = () => void (state.chart?.isConnected && markTokens(state.chart, data, link));
  const attach = () => {
    const chart: Chart | null = document.querySelector(`.st-key-${CSS.escape(data.chart)} .js-plotly-plot`);
    if (!chart?.on || chart === state.chart) return;
    state.chart = chart;
    chart.on("plotly_hover", (event) => link.hover(tokenPosition(event)));
    chart.on("plotly_unhover", () => link.hover(null));
    chart.on("plotly_afterplot", draw);
    const scene = () => chart._fullLayout?.scene?._scene;
    if (scene()) {
      restoreCamera(scene, state);
      chart.on("plotly_relayout", () => void (state.camera = scene()?.getCamera?.() ?? state.camera));
      chooseOnClick(chart, link);
    } else {
      chart.on("plotly_click", (event) => {
        const position = tokenPosition(event);
        if (position !== null) link.toggle(position);
      });
    }
    draw();
  };
  return { attach, draw };
}

/** Return the position of the token that a point stands for; null for none. */
export function tokenPosition({ points }: PointEvent) {
  const position = points?.[0]?.customdata;
  return typeof position === "number" && Number.isInteger(position) ? position : null;
}

/** Return the width of a token's outline in px: thick if chosen, thinner if hovered, else none. */
export function outlineWidth(position: number, { hovered, chosen }: { hovered: number | null; chosen: number | null }) {
  if (position === chosen) return 5;
  return position === hovered ? 3 : 0;
}

/** Outline the points and bars of the hovered and the chosen token, and write the chosen one's name beside its row. */
function markTokens(chart: Chart, { tokens, names }: Data, pointer: { hovered: number | null; chosen: number | null }) {
  const { chosen } = pointer;
  for (const mark of chart.querySelectorAll("[data-own]")) mark.remove();
  for (const name of chart.querySelectorAll(".chosen-name") as NodeListOf<SVGElement>) {
    name.classList.remove("chosen-name");
    name.style.fontWeight = "";
  }
  const ink = getComputedStyle(chart).color;
  const groups = [...chart.querySelectorAll(".scatterlayer .points, .barlayer .points")];
  for (const group of groups) {
    // Only traces with one shape per token: arrows have another count.
    const shapes = [...(group.querySelectorAll("path") as NodeListOf<SVGPathElement>)];
    if (shapes.length !== tokens) continue;
    shapes.forEach((shape, position) => {
      const width = outlineWidth(position, pointer);
      shape.dataset.stroke ??= `${shape.style.strokeWidth}|${shape.style.stroke}`;
      const [oldWidth, oldStroke] = shape.dataset.stroke.split("|");
      shape.style.strokeWidth = width ? `${width}px` : oldWidth;
      shape.style.stroke = width ? ink : oldStroke;
    });
  }
  const rows = groups.filter((group) => group.closest(".scatterlayer") && group.children.length === tokens).at(-1);
  if (chosen === null || chosen >= tokens || !rows || !names.length) return;
  // A label that the chart has already is made bold: a second one would cover it or its neighbour.
  const labels = [...chart.querySelectorAll(".scatterlayer .textpoint")] as (SVGElement & {
    __data__?: { i?: number };
  })[];
  const label = labels.find((place) => place.__data__?.i === chosen)?.querySelector("text");
  if (label) {
    label.classList.add("chosen-name");
    label.style.fontWeight = "800";
    return;
  }
  const name = document.createElementNS("http://www.w3.org/2000/svg", "text");
  name.textContent = names[chosen];
  name.setAttribute("class", "chosen-name");
  name.dataset.own = "";
  name.setAttribute("transform", rows.children[chosen].getAttribute("transform") ?? "");
  name.setAttribute("y", "-16");
  name.setAttribute("text-anchor", "middle");
  Object.assign(name.style, {
    fontSize: "19px",
    fontWeight: "700",
    fill: ink,
    paintOrder: "stroke",
    strokeWidth: "5px",
  });
  name.style.stroke = chart._fullLayout?.paper_bgcolor ?? "transparent";
  rows.append(name);
}

/** Choose the hovered point on a click in 3-D: Plotly reports a click there only if nothing moved between its frames. */
function chooseOnClick(chart: Chart, link: Link) {
  let down: PointerEvent | null = null;
  chart.addEventListener("pointerdown", (event) => void (down = event), true);
  chart.addEventListener(
    "pointerup",
    (event) => {
      const moved = !down || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 4;
      if (!moved && link.hovered !== null) link.toggle(link.hovered);
    },
    true,
  );
}

/** Restore the camera that the reader had chosen before the chart was mounted anew. */
function restoreCamera(scene: () => Scene | undefined, state: State) {
  const { camera } = state;
  const current = scene();
  if (camera && current) current.setViewport?.({ ...current.fullSceneLayout, camera });
}
