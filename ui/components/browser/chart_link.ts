// Ties a Plotly chart of the page to the page's one pointer: a point under the mouse is the token under the pointer, a
// click chooses it, and the tokens hovered and chosen anywhere are marked here. Marks are drawn in the browser, since
// Streamlit mounts a chart anew, and loses its zoom, whenever anything in its specification changes.

import type { ParentElement } from "../_shared/lifecycle.ts";
import { type Link, link } from "../_shared/link.ts";
import { watchPage } from "./page_watch.ts";

/** What Python sends: the chart's key, and its tokens. */
type Data = { chart: string; tokens: number; names: string[] };
/** What is used of Plotly: its chart's element, and within it the 3-D scene, which has no public way to its camera. */
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
/** What outlives a run: the chart, and how it was turned. */
type State = { chart: Chart | null; camera: unknown };

/** States of the charts that are tied from each place, by their keys. */
const states = new WeakMap<object, Map<string, State>>();

export default function (charts: Data[], { parentElement }: { parentElement: ParentElement }) {
  const place = "host" in parentElement ? parentElement.host : parentElement;
  const known = states.get(place) ?? new Map();
  states.set(place, known);
  const ties = charts.map((data) => {
    if (!known.has(data.chart)) known.set(data.chart, { chart: null, camera: null });
    return tie(data, known.get(data.chart));
  });
  const attach = () => ties.forEach((each) => void each.attach());
  const draw = () => ties.forEach((each) => void each.draw());

  // A part of the page that outlives its charts.
  const unwatch = watchPage(attach);
  attach();
  draw();
  const unsubscribe = link.subscribe(draw);
  return () => {
    unwatch();
    unsubscribe();
  };
}

function tie(data: Data, state: State) {
  const draw = () => void (state.chart?.isConnected && markTokens(state.chart, data, link));
  const attach = () => {
    const chart: Chart | null = document.querySelector(`.st-key-${CSS.escape(data.chart)} .js-plotly-plot`);
    if (!chart?.on || chart === state.chart) return;
    state.chart = chart;
    chart.on("plotly_hover", (event) => link.hover(tokenOf(event)));
    chart.on("plotly_unhover", () => link.hover(null));
    chart.on("plotly_afterplot", draw);
    const scene = () => chart._fullLayout?.scene?._scene;
    if (scene()) {
      turnAsBefore(scene, state);
      chart.on("plotly_relayout", () => void (state.camera = scene()?.getCamera?.() ?? state.camera));
      chooseByPointer(chart, link);
    } else {
      chart.on("plotly_click", (event) => {
        const position = tokenOf(event);
        if (position !== null) link.toggle(position);
      });
    }
    draw();
  };
  return { attach, draw };
}

/** The position of the token that a point stands for. */
export function tokenOf({ points }: PointEvent) {
  const position = points?.[0]?.customdata;
  return typeof position === "number" && Number.isInteger(position) ? position : null;
}

/** How thick a token's outline is, in px: the chosen one's stands out, the hovered one's less, others have none. */
export function outlineWidth(position: number, { hovered, chosen }: { hovered: number | null; chosen: number | null }) {
  if (position === chosen) return 5;
  return position === hovered ? 3 : 0;
}

/** Outlines the hovered and the chosen token's points and bars, and writes the chosen one's name beside its row. */
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
    // Traces of one shape per token; arrows have another count.
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
  // A name that the chart has already would otherwise stand there twice, and over its neighbour's.
  const places = [...chart.querySelectorAll(".scatterlayer .textpoint")] as (SVGElement & {
    __data__?: { i?: number };
  })[];
  const written = places.find((place) => place.__data__?.i === chosen)?.querySelector("text");
  if (written) {
    written.classList.add("chosen-name");
    written.style.fontWeight = "800";
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

/** In 3-D Plotly reports a click only where nothing moved between its frames; the point last hovered tells as well. */
function chooseByPointer(chart: Chart, link: Link) {
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

/** Puts the camera where the reader had turned it before the chart was mounted anew. */
function turnAsBefore(scene: () => Scene | undefined, state: State) {
  const { camera } = state;
  const turned = scene();
  if (camera && turned) turned.setViewport?.({ ...turned.fullSceneLayout, camera });
}
