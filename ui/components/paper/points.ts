// Clouds of points on paper: WebGL leaves no vectors, so few points become circles, and many one image within the axes.

export const CIRCLES = 3_000; // points at most that are drawn as circles
const FEW = 600; // points that have room to be larger
const PIXELS = 2_400; // across an image of points

export type Trace = {
  type?: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  mode?: string;
  marker?: any;
  [name: string]: any;
};
export type Box = { left: number; right: number; bottom: number; top: number };

/** The numbers of a list or of one of Plotly's typed arrays. */
export function numbersOf(values: any): ArrayLike<number> {
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

/** @returns around all points */
export function boxOf(traces: Trace[]): Box {
  const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
  for (const { x, y } of traces) {
    for (let index = 0; index < x.length; index += 1) {
      box.left = Math.min(box.left, x[index]);
      box.right = Math.max(box.right, x[index]);
      box.bottom = Math.min(box.bottom, y[index]);
      box.top = Math.max(box.top, y[index]);
    }
  }
  const room = 0.01 * Math.max(box.right - box.left, box.top - box.bottom) || 1; // for half a point
  return { left: box.left - room, right: box.right + room, bottom: box.bottom - room, top: box.top + room };
}

export function sizeOf({ left, right, bottom, top }: Box) {
  const [wide, tall] = [right - left, top - bottom];
  const scale = PIXELS / Math.max(wide, tall);
  return { width: Math.max(1, Math.round(wide * scale)), height: Math.max(1, Math.round(tall * scale)), scale };
}

/** What the axes show, where the figure says it. */
export function windowOf({ xaxis, yaxis }: { xaxis?: { range?: number[] }; yaxis?: { range?: number[] } }): Box | null {
  if (!xaxis?.range || !yaxis?.range) return null;
  return { left: xaxis.range[0], right: xaxis.range[1], bottom: yaxis.range[0], top: yaxis.range[1] };
}

/**
 * The points of a trace that lie in a window.
 * @param window null for all
 */
function inside(trace: Trace, window: Box | null) {
  if (!window) return trace;
  const { left, right, bottom, top } = window;
  const kept: number[] = [];
  for (let at = 0; at < trace.x.length; at += 1)
    if (trace.x[at] >= left && trace.x[at] <= right && trace.y[at] >= bottom && trace.y[at] <= top) kept.push(at);
  const of = (values: any) => (Array.isArray(values) ? kept.map((at) => values[at]) : values);
  const { x, y, text, marker } = trace;
  const cut: Trace = { ...trace, x: kept.map((at) => x[at]), y: kept.map((at) => y[at]) };
  if (text) cut.text = of(text);
  if (marker) cut.marker = { ...marker, color: of(marker.color) };
  return cut;
}

/**
 * Traces without WebGL; clouds are apart where they are too many points for circles.
 * @param window to which points are cut; null for all
 */
export function parted(traces: Trace[], window: Box | null = null) {
  const clouds: Trace[] = [];
  const others = traces.map((trace) => {
    if (trace.type !== "scattergl") return trace;
    const whole = { ...trace, type: "scatter", x: numbersOf(trace.x), y: numbersOf(trace.y) };
    const flat = inside(whole, window);
    if (trace.marker?.showscale) return { ...flat, x: [Number.NaN], y: [Number.NaN] }; // without any it would have no scale
    if (!trace.mode?.includes("text")) clouds.push(flat);
    return flat;
  });
  const count = clouds.reduce((sum, { x }) => sum + x.length, 0);
  if (count > CIRCLES) return { traces: others.filter((trace) => !clouds.includes(trace)), clouds };
  for (const trace of clouds) trace.marker = { ...trace.marker, size: count <= FEW ? 8 : 5 };
  return { traces: others, clouds: [] };
}

/** What keeps room and a legend for points that are drawn as an image. */
export function standIns(clouds: Trace[], { left, right, bottom, top }: Box): any[] {
  const unseen = { type: "scatter", mode: "markers" };
  const corners = { ...unseen, x: [left, right], y: [bottom, top], marker: { opacity: 0 }, showlegend: false };
  const named = clouds.map(({ name, marker, showlegend }) => {
    const [color] = [marker?.color].flat();
    return { ...unseen, x: [null], y: [null], name, showlegend, marker: { size: 9, color } };
  });
  return [corners, ...named];
}

const [LETTER, LINE] = [7.5, 17]; // px

/**
 * Names that stand over an image, as notes: a trace would lie under it. One that would cover another is left out.
 * @param scale px for one of the axes' unit
 */
export function namesOver(traces: Trace[], scale: number) {
  const notes: { x: number; y: number; text: string; [name: string]: any }[] = [];
  for (const { x, y, text, textfont, mode } of traces) {
    if (mode !== "text") continue;
    const [across, up] = [numbersOf(x), numbersOf(y)];
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
