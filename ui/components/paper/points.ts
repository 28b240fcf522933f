// Clouds of points in image files: WebGL has no vector output, so few points become circles and many one image in the axes.

export const MAX_CIRCLES = 3_000; // points at most that become circles
const MAX_LARGE_CIRCLES = 600; // points at most that become large circles
const RASTER_PIXELS = 2_400; // along the longer side of an image

export type Trace = {
  type?: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  mode?: string;
  marker?: any;
  [name: string]: any;
};
export type Box = { left: number; right: number; bottom: number; top: number };

/** Decode a list of numbers or Plotly's base64 of a typed array. */
export function decodeNumbers(values: any): ArrayLike<number> {
  if (!values?.bdata) return values ?? [];
  const bytes = Uint8Array.from(atob(values.bdata), (sign) => sign.charCodeAt(0));
  const kinds: Record<string, any> = {
    f4: Float32Array,
    f8: Float64Array,
    i4: Int32Array,
    i2: Int16Array,
    u2: Uint16Array,
    i1: Int8Array,
    u1: Uint8Array,
  };
  return new kinds[values.dtype](bytes.buffer);
}

/** Return the box around all points, with a margin. */
export function boundingBox(traces: Trace[]): Box {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (const { x, y } of traces) {
    for (let index = 0; index < x.length; index += 1) {
      box.left = Math.min(box.left, x[index]);
      box.right = Math.max(box.right, x[index]);
      box.bottom = Math.min(box.bottom, y[index]);
      box.top = Math.max(box.top, y[index]);
    }
  }
  const room = 0.01 * Math.max(box.right - box.left, box.top - box.bottom) || 1; // half a point
  return { left: box.left - room, right: box.right + room, bottom: box.bottom - room, top: box.top + room };
}

export function rasterSize({ left, right, bottom, top }: Box) {
  const [wide, tall] = [right - left, top - bottom];
  const scale = RASTER_PIXELS / Math.max(wide, tall);
  return { width: Math.max(1, Math.round(wide * scale)), height: Math.max(1, Math.round(tall * scale)), scale };
}

/** Return the box that the axes show; null if the figure has no ranges. */
export function axisWindow({
  xaxis,
  yaxis,
}: {
  xaxis?: { range?: number[] };
  yaxis?: { range?: number[] };
}): Box | null {
  if (!xaxis?.range || !yaxis?.range) return null;
  return { left: xaxis.range[0], right: xaxis.range[1], bottom: yaxis.range[0], top: yaxis.range[1] };
}

/**
 * Return a trace's points in a window.
 * @param window null for all
 */
function cropTrace(trace: Trace, window: Box | null) {
  if (!window) return trace;
  const { left, right, bottom, top } = window;
  const indices: number[] = [];
  for (let index = 0; index < trace.x.length; index += 1)
    if (trace.x[index] >= left && trace.x[index] <= right && trace.y[index] >= bottom && trace.y[index] <= top)
      indices.push(index);
  const pick = (values: any) => (Array.isArray(values) ? indices.map((index) => values[index]) : values);
  const { x, y, text, marker } = trace;
  const cropped: Trace = { ...trace, x: indices.map((index) => x[index]), y: indices.map((index) => y[index]) };
  if (text) cropped.text = pick(text);
  if (marker) cropped.marker = { ...marker, color: pick(marker.color) };
  return cropped;
}

/**
 * Convert WebGL traces to SVG traces, and separate the clouds if their points are too many for circles.
 * @param window to which points are cropped; null for all
 */
export function separateClouds(traces: Trace[], window: Box | null = null) {
  const clouds: Trace[] = [];
  const others = traces.map((trace) => {
    if (trace.type !== "scattergl") return trace;
    const svgTrace = { ...trace, type: "scatter", x: decodeNumbers(trace.x), y: decodeNumbers(trace.y) };
    const visible = cropTrace(svgTrace, window);
    if (trace.marker?.showscale) return { ...visible, x: [Number.NaN], y: [Number.NaN] }; // a trace without points has no colour scale
    if (!trace.mode?.includes("text")) clouds.push(visible);
    return visible;
  });
  const count = clouds.reduce((sum, { x }) => sum + x.length, 0);
  if (count > MAX_CIRCLES) return { traces: others.filter((trace) => !clouds.includes(trace)), clouds };
  for (const trace of clouds) trace.marker = { ...trace.marker, size: count <= MAX_LARGE_CIRCLES ? 8 : 5 };
  return { traces: others, clouds: [] };
}

/** Invisible traces that keep the axis range and legend of clouds drawn as an image. */
export function placeholderTraces(clouds: Trace[], { left, right, bottom, top }: Box): any[] {
  const points = { type: "scatter", mode: "markers" };
  const corners = { ...points, x: [left, right], y: [bottom, top], marker: { opacity: 0 }, showlegend: false };
  const legendTraces = clouds.map(({ name, marker, showlegend }) => {
    const [color] = [marker?.color].flat();
    return { ...points, x: [null], y: [null], name, showlegend, marker: { size: 9, color } };
  });
  return [corners, ...legendTraces];
}

const [LETTER, LINE] = [7.5, 17]; // px

/**
 * Return names over an image as annotations, since a trace would be under it; names that overlap others are left out.
 * @param scale px per unit of the axes
 */
export function nameAnnotations(traces: Trace[], scale: number) {
  const notes: { x: number; y: number; text: string; [name: string]: any }[] = [];
  for (const { x, y, text, textfont, mode } of traces) {
    if (mode !== "text") continue;
    const [across, up] = [decodeNumbers(x), decodeNumbers(y)];
    const look = { showarrow: false, yshift: 9, font: textfont, bgcolor: "rgba(255, 255, 255, 0.7)", borderpad: 0 };
    for (let index = 0; index < across.length; index += 1) {
      const note = { ...look, x: across[index], y: up[index], text: text[index] };
      const covers = notes.some(
        (other) =>
          Math.abs(other.x - note.x) * scale < (LETTER * (other.text.length + note.text.length)) / 2 &&
          Math.abs(other.y - note.y) * scale < LINE,
      );
      if (!covers) notes.push(note);
    }
  }
  return notes;
}
