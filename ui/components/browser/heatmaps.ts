// Plotly paints a heatmap in CSS pixels, and of several cells on one pixel only the last. Here such a picture is painted
// again in the screen's own pixels, each the mean of its cells; what is under the pointer stays the cell itself.

import { colourIndices, colourScale, downscale, paintIndices } from "../_shared/colour.ts";
import { canvasContext, deviceRatio } from "../_shared/elements.ts";

/** The used parts of Plotly's own objects. */
type Axis = { range: [number, number]; _length: number };
type Heatmap = {
  z: Float32Array[];
  x: number[]; // edges of the columns
  y: number[]; // and of the rows
  trace: { xaxis: string; yaxis: string; coloraxis: string; ygap?: number };
};
// biome-ignore lint/suspicious/noExplicitAny: Plotly's own, of which it says no type
type Chart = Element & { _fullLayout?: Record<string, any> };
type Bound = { __data__?: [Heatmap] };

/** The cells between two pixels of an axis, and the pixels that these cells begin and end at. */
function cellsBetween(edges: number[], { range, _length: length }: Axis, isDown: boolean, from: number, to: number) {
  const [start, end] = isDown ? [range[1], range[0]] : range;
  const places = edges.map((edge) => ((edge - start) / (end - start)) * length);
  const first = Math.max(
    0,
    places.findIndex((place) => place >= from - 0.5),
  );
  const last = places.findLastIndex((place) => place <= to + 0.5);
  return { first, last, from: places[first], to: places[last] };
}

/** Return a picture with clear gaps between its rows. */
function separateRows(picture: HTMLCanvasElement, height: number, gap: number) {
  const { width, height: rows } = picture;
  const spacedRows = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvasContext(spacedRows);
  context.imageSmoothingEnabled = false;
  const each = height / rows;
  for (let row = 0; row < rows; row += 1)
    context.drawImage(picture, 0, row, width, 1, 0, Math.round(row * each + gap / 2), width, Math.round(each - gap));
  return spacedRows;
}

/** Average the cells of a chart's heatmaps where the screen has fewer pixels than they have cells. */
export function averageCells(chart: Chart) {
  for (const image of chart.querySelectorAll<SVGImageElement>(".heatmaplayer image")) {
    const heatmap = (image.parentNode as Bound | null)?.__data__?.[0];
    const axisOf = (name: string): Axis | undefined => chart._fullLayout?.[`${name[0]}axis${name.slice(1)}`];
    const [xAxis, yAxis] = heatmap ? [axisOf(heatmap.trace.xaxis), axisOf(heatmap.trace.yaxis)] : [];
    const colours = heatmap && chart._fullLayout?.[heatmap.trace.coloraxis];
    if (!heatmap || !xAxis || !yAxis || !colours || yAxis.range[0] < yAxis.range[1]) continue;
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(image.getAttribute(name)));
    const across = cellsBetween(heatmap.x, xAxis, false, x, x + width);
    const down = cellsBetween(heatmap.y, yAxis, true, y, y + height);
    const [rows, columns] = [down.last - down.first, across.last - across.first];
    if (rows < 1 || columns < 1 || (columns <= width && rows <= height)) continue;
    const half = (colours.cmax - colours.cmin) / 2;
    const values = new Float32Array(rows * columns);
    for (let row = 0; row < rows; row += 1)
      values.set(heatmap.z[down.first + row].slice(across.first, across.last), row * columns);
    const scale = colourScale(
      colours.colorscale.map(([, colour]: [number, string]) => colour),
      half,
    );
    const pixels = [height, width].map((size) => Math.floor(size * deviceRatio())) as [number, number];
    const means = downscale(
      values.map((value) => value - colours.cmin - half),
      [rows, columns],
      pixels,
    );
    const raster = paintIndices(colourIndices(means.values, scale), ...means.shape, scale);
    const gap = Math.round((heatmap.trace.ygap ?? 0) * deviceRatio());
    const picture = gap && means.shape[0] === rows ? separateRows(raster, pixels[0], gap) : raster;
    // A last group that is not full reaches beyond the picture, which cuts it.
    const size = [
      ((down.to - down.from) * means.shape[0]) / means.extent[0],
      ((across.to - across.from) * means.shape[1]) / means.extent[1],
    ];
    const attributes = { x: across.from, y: down.from, height: size[0], width: size[1], href: picture.toDataURL() };
    for (const [name, value] of Object.entries(attributes)) image.setAttribute(name, String(value));
    image.style.imageRendering = "pixelated";
  }
}
