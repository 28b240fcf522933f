// Draws a figure as an image file: off the screen, in light colours and print fonts.

import { namedText } from "../_shared/numbers.ts";
import { drawGrid, type Grid } from "./grid.ts";
import {
  axisWindow,
  type Box,
  boundingBox,
  nameAnnotations,
  placeholderTraces,
  rasterSize,
  separateClouds,
  type Trace,
} from "./points.ts";
import { addPngTexts, drawSheet, FONT, INK } from "./sheet.ts";

const WIDTH = 960; // px of the picture; a PNG has twice as many
const RATIO = 2;

/** The used part of Plotly. */
interface Plotly {
  toImage: (figure: object, options: object) => Promise<string>;
}
/** A figure as the server sends it. */
interface Saved {
  name: string;
  title: string;
  about: Record<string, string>; // source, settings and link
  words: Record<string, string>; // their labels
  config: object; // of Plotly: its number format
  figure?: { data: any[]; layout: any };
  grid?: Grid; // instead of a figure
}

let loading: Promise<Plotly> | undefined;

/** Load this server's Plotly: Streamlit's bundle does not export its own. */
function loadPlotly() {
  loading ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), {
      src: new URL("saved/plotly.js", document.baseURI).href,
      onload: () => resolve((window as any).Plotly),
      onerror: () => {
        loading = undefined;
        script.remove();
        reject(new Error("Plotly"));
      },
    });
    document.head.append(script);
  });
  return loading;
}

let ruler: CanvasRenderingContext2D | null = null;

function measure(text: string, size: number, isBold?: boolean) {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return 0.6 * size * text.length;
  ruler.font = `${isBold ? "bold " : ""}${size}px ${FONT}`;
  return ruler.measureText(text).width;
}

export default async function (saved: Saved, kind: "png" | "svg"): Promise<Blob> {
  const { figure, grid, title, about, words, config } = saved;
  const entries = Object.keys(words)
    .filter((name) => about[name])
    .map((name) => ({ word: words[name], text: about[name] }));
  const picture = figure
    ? await plotFigure(figure, config)
    : drawGrid(grid ?? { columns: [], rows: [] }, WIDTH, measure);
  const page = drawSheet(
    { title, entries, link: about.link, language: document.documentElement.lang },
    picture,
    measure,
  );
  if (kind === "svg") return new Blob([page.svg], { type: "image/svg+xml" });
  const bytes = await rasterize(page);
  const source = entries.map(({ word, text }) => namedText(word, text)).join("\n");
  const texts: [string, string][] = [
    ["Title", title],
    ["Description", source],
    ...(about.link ? ([["Source", about.link]] as [string, string][]) : []),
  ];
  return new Blob([addPngTexts(bytes, texts) as BlobPart], { type: "image/png" });
}

async function plotFigure(figure: { data: any[]; layout: any }, config: object) {
  const printed = paperFigure(figure);
  const { height } = printed.layout;
  const picture = await (await loadPlotly()).toImage({ ...printed, config }, { format: "svg", width: WIDTH, height });
  return { width: WIDTH, height, inner: decodeURIComponent(picture.slice(picture.indexOf(",") + 1)) };
}

/** Return the figure for print: on white, in a common font, without its own title and the room for the mode bar. */
function paperFigure({ data, layout: { title, ...layout } }: { data: any[]; layout: any }) {
  const window = axisWindow(layout);
  const { traces, clouds } = separateClouds(data, window);
  const { margin = {}, legend } = layout;
  const isAbove = layout.showlegend && legend?.yref === "container" && legend.y > 0.5;
  const free = isAbove ? Math.round((1 - legend.y) * layout.height) : title?.text ? 36 : 0; // px above the legend or the figure
  const height = layout.height - free;
  const paper = {
    ...layout,
    paper_bgcolor: "#ffffff",
    height,
    width: WIDTH,
    autosize: false,
    font: { ...layout.font, family: FONT },
    // Labels at the ends of lines were measured in a narrower font.
    margin: { ...margin, t: Math.max(12, margin.t - free), r: margin.r > 40 ? Math.ceil(1.3 * margin.r) : margin.r },
    legend: { ...legend, ...(isAbove ? { y: 1 } : {}), itemsizing: "constant" },
  };
  // From farther away than on the screen: there a part that is cut off can be turned into view.
  if (layout.scene) paper.scene = { camera: { eye: { x: 1.5, y: 1.5, z: 1.4 } }, ...layout.scene };
  if (clouds.length) {
    const box = window ?? boundingBox(clouds);
    paper.images = [...(layout.images ?? []), cloudImage(clouds, box)];
    const scale = Math.min((0.9 * WIDTH) / (box.right - box.left), (0.8 * height) / (box.top - box.bottom));
    paper.annotations = [...(layout.annotations ?? []), ...nameAnnotations(traces, scale)];
    traces.unshift(...placeholderTraces(clouds, box));
  }
  return withPaperFont({ data: traces.filter(({ mode }) => !clouds.length || mode !== "text"), layout: paper });
}

/** Replace every font in a figure by that of the sheet. */
function withPaperFont<T>(value: T): T {
  if (Array.isArray(value))
    return value.length && typeof value[0] !== "object" ? value : (value.map(withPaperFont) as any);
  if (!value || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, name === "family" ? FONT : withPaperFont(entry)]);
  return Object.fromEntries(entries);
}

function cloudImage(clouds: Trace[], box: Box) {
  const { width, height, scale } = rasterSize(box);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  for (const { x, y, marker } of context ? clouds : []) {
    if (!context) break;
    const colours = [marker?.color].flat();
    const radius = Math.max(3, ((marker?.size ?? 4) * width) / WIDTH / 2);
    context.globalAlpha = marker?.opacity ?? 1;
    for (let index = 0; index < x.length; index += 1) {
      context.fillStyle = colours[index % colours.length] ?? INK;
      context.beginPath();
      context.arc((x[index] - box.left) * scale, (box.top - y[index]) * scale, radius, 0, 2 * Math.PI);
      context.fill();
    }
  }
  const place = {
    xref: "x",
    yref: "y",
    x: box.left,
    y: box.top,
    sizex: box.right - box.left,
    sizey: box.top - box.bottom,
  };
  return {
    ...place,
    source: canvas.toDataURL("image/png"),
    sizing: "stretch",
    xanchor: "left",
    yanchor: "top",
    layer: "above",
  };
}

async function rasterize({ svg, width, height }: { svg: string; width: number; height: number }): Promise<Uint8Array> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = Object.assign(new Image(), { src: url });
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: width * RATIO, height: height * RATIO });
    const context = canvas.getContext("2d");
    if (!context) throw new Error("canvas");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob: Blob | null = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("canvas");
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(url);
  }
}
