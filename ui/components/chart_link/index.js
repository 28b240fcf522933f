// Ties a Plotly chart of the page to the page's one pointer: a point under the mouse is the token under the pointer, a
// click chooses it, and the tokens hovered and chosen anywhere are marked here. Marks are drawn in the browser, since
// Streamlit mounts a chart anew, and loses its zoom, whenever anything in its specification changes.

import { link } from "../_shared/link.js";

export default function ({ data, parentElement }) {
  const held = parentElement.host ?? parentElement;
  const state = (held.chartLink ??= { chart: null, camera: null });
  const chartOf = () => document.querySelector(`.st-key-${CSS.escape(data.chart)} .js-plotly-plot`);
  const draw = () => state.chart?.isConnected && markTokens(state.chart, data, link);

  const attach = () => {
    const chart = chartOf();
    if (!chart?.on || chart === state.chart) return;
    state.chart = chart;
    chart.on("plotly_hover", (event) => link.hover(event.points?.[0]?.customdata ?? null));
    chart.on("plotly_unhover", () => link.hover(null));
    chart.on("plotly_afterplot", draw);
    const scene = () => chart._fullLayout?.scene?._scene;
    if (scene()) {
      turnAsBefore(scene, state);
      chart.on("plotly_relayout", () => (state.camera = scene()?.getCamera?.() ?? state.camera));
      chooseByPointer(chart, link);
    } else {
      chart.on("plotly_click", (event) => {
        const position = event.points?.[0]?.customdata;
        if (Number.isInteger(position)) link.toggle(position);
      });
    }
    draw();
  };

  // A part of the page that outlives its charts.
  const observer = new MutationObserver(attach);
  observer.observe(document.querySelector('[data-testid="stMain"]') ?? document.body, {
    childList: true,
    subtree: true,
  });
  attach();
  draw();
  const unsubscribe = link.subscribe(draw);
  return () => {
    observer.disconnect();
    unsubscribe();
  };
}

// Outlines the hovered and the chosen token's points and bars, and writes the chosen one's name beside its row.
function markTokens(chart, { tokens, names }, { hovered, chosen }) {
  for (const mark of chart.querySelectorAll(".chosen-name")) mark.remove();
  const ink = getComputedStyle(chart).color;
  const groups = [...chart.querySelectorAll(".scatterlayer .points, .barlayer .points")];
  for (const group of groups) {
    // Traces of one shape per token; arrows have another count.
    const shapes = [...group.querySelectorAll("path")];
    if (shapes.length !== tokens) continue;
    shapes.forEach((shape, position) => {
      const width = position === chosen ? 5 : position === hovered ? 3 : 0;
      shape.dataset.stroke ??= `${shape.style.strokeWidth}|${shape.style.stroke}`;
      const [oldWidth, oldStroke] = shape.dataset.stroke.split("|");
      shape.style.strokeWidth = width ? `${width}px` : oldWidth;
      shape.style.stroke = width ? ink : oldStroke;
    });
  }
  const rows = groups.filter((group) => group.closest(".scatterlayer") && group.children.length === tokens).at(-1);
  if (chosen === null || chosen >= tokens || !rows || !names.length) return;
  const name = document.createElementNS("http://www.w3.org/2000/svg", "text");
  name.textContent = names[chosen];
  name.setAttribute("class", "chosen-name");
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

// In 3-D Plotly reports a click only where nothing moved between its frames; the point last hovered tells as well.
function chooseByPointer(chart, link) {
  let down = null;
  chart.addEventListener("pointerdown", (event) => (down = event), true);
  chart.addEventListener(
    "pointerup",
    (event) => {
      const moved = !down || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 4;
      if (!moved && link.hovered !== null) link.toggle(link.hovered);
    },
    true,
  );
}

// Puts the camera where the reader had turned it before the chart was mounted anew.
function turnAsBefore(scene, state) {
  const { camera } = state;
  if (camera) scene().setViewport?.({ ...scene().fullSceneLayout, camera });
}
