// One panel of index.tsx: its texts, its picture with the marks beside and on it, and its colour scale.

import { clamp } from "../_shared/canvas.ts";
import { colourIndices, colourScale, downscale, paintIndices } from "../_shared/colour.ts";
import { deviceRatio } from "../_shared/elements.ts";
import { watchSize } from "../_shared/lifecycle.ts";
import { decimalText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import type { ClientBox } from "../_shared/tooltip.ts";
import { useLayoutEffect, useRef, useState } from "../_shared/view.ts";

/** One matrix and its texts, as Panel.description sends it. */
export interface Spec {
  title: string;
  place: string;
  group: number;
  note: string;
  alt: string;
  shape: Shape | null; // null where there is nothing to draw
  limit: number;
  sign: number; // of all values; 0 where they have both
  beyond: [below: boolean, above: boolean];
  under: string;
  down: string; // title of the axis that runs down
  across: string;
  rows: string; // what a row is
  columns: string;
  positions: boolean; // whether columns are positions too
  named: boolean;
}
export interface Header {
  panels: Spec[];
  chosen: number | null;
  linked: boolean; // whether rows are those of the other views of the page
  front: number | null; // which panel stands out
  tokens: string[];
  colours: string[]; // from -limit to limit
  groups: string[];
  labels: Record<string, string>;
}
type Shape = [rows: number, columns: number];
export type Matrix = { shape: Shape; values: Float32Array };
export type Cell = { row: number; column: number };

type PanelProps = {
  spec: Spec;
  matrix: Matrix | null;
  header: Header;
  front: boolean;
  hovered: number | null; // row
  cursor: Cell | null;
  onPointerMove: (event: PointerEvent) => void;
  onPointerLeave: () => void;
  onClick: (event: MouseEvent) => void;
};

export function GridPanel({ spec, matrix, header, front, hovered, cursor, ...listeners }: PanelProps) {
  const { labels, tokens } = header;
  const middle = (header.colours.length - 1) / 2;
  const stops = header.colours.slice(spec.sign > 0 ? middle : 0, spec.sign < 0 ? middle + 1 : undefined);
  return (
    <section
      className={front ? "panel front" : "panel"}
      data-testid="grid-panel"
      style={{ "--group": header.groups[spec.group], "--rows": matrix?.shape[0] }}
    >
      <header>
        <h3>{spec.title}</h3>
        {spec.place && <p className="place">{spec.place}</p>}
      </header>
      {matrix && (
        <div className="picture">
          <div className="plot">
            <p className="axis down">{spec.down}</p>
            {spec.named && <TokenNames className="names rows" tokens={tokens} />}
            <div className="stage">
              <div className="frame" role="img" aria-label={spec.alt} {...listeners}>
                <Picture matrix={matrix} stops={header.colours} limit={spec.limit} />
                {cursor && <CellMark shape={matrix.shape} {...cursor} />}
              </div>
              {hovered !== header.chosen && <RowMark className="hovered" row={hovered} rows={matrix.shape[0]} />}
              <RowMark className="own" row={header.chosen} rows={matrix.shape[0]} />
            </div>
            {spec.named && tokens.length === matrix.shape[1] && (
              <TokenNames className="names columns" tokens={tokens} />
            )}
            <p className="axis across">{spec.across}</p>
          </div>
          <p className="value">{cursor ? valueText(matrix, cursor, labels) : ""}</p>
          <div className="legend-bar" style={{ background: `linear-gradient(to right, ${stops.join(", ")})` }} />
          <div className="legend-ends">
            {scaleNumbers(spec, labels).map((text) => (
              <span key={text}>{text}</span>
            ))}
          </div>
          <p className="under">{spec.under}</p>
        </div>
      )}
      {spec.note && <p className="note">{spec.note}</p>}
    </section>
  );
}

const TokenNames = ({ className, tokens }: { className: string; tokens: string[] }) => (
  <div className={className} aria-hidden="true" style={{ "--names": tokens.length }}>
    {tokens.map((token, index) => (
      <span key={index}>
        <bdi dir="ltr">{token}</bdi>
      </span>
    ))}
  </div>
);

/** The cells as a canvas with one pixel each; where the screen has fewer, each is the mean of several cells. */
function Picture({ matrix, stops, limit }: { matrix: Matrix; stops: string[]; limit: number }) {
  const place = useRef<HTMLDivElement>(null);
  const [pixels, setPixels] = useState(0);
  useLayoutEffect(() => {
    const box = place.current as HTMLElement;
    const measure = () => setPixels(Math.round(box.clientWidth * deviceRatio()));
    measure(); // at once: the observer's first report comes frames later
    return watchSize(box, measure);
  }, []);
  useLayoutEffect(() => {
    if (!pixels) return;
    const scale = colourScale(stops, limit);
    const { values, shape, extent } = downscale(matrix.values, matrix.shape, [pixels, pixels]);
    const canvas = paintIndices(colourIndices(values, scale), ...shape, scale);
    // A last group that is not full reaches beyond the picture, which cuts it.
    canvas.style.height = `${(100 * shape[0]) / extent[0]}%`;
    canvas.style.width = `${(100 * shape[1]) / extent[1]}%`;
    place.current?.replaceChildren(canvas);
  }, [matrix, pixels, stops, limit]);
  return <div className="cells" ref={place} />;
}

/** A bar at both sides of the picture, as tall as the row: on the row itself it would cover it. */
const RowMark = ({ className, row, rows }: { className: string; row: number | null; rows: number }) =>
  row === null || row >= rows ? null : (
    <div
      className={`row-mark ${className}`}
      style={{ top: `${(100 * (row + 0.5)) / rows}%`, height: `${100 / rows}%` }}
    />
  );

function CellMark({ shape: [rows, columns], row, column }: Cell & { shape: Shape }) {
  if (row >= rows || column >= columns) return null;
  const [top, left] = [(100 * (row + 0.5)) / rows, (100 * (column + 0.5)) / columns];
  const size = { height: `${100 / rows}%`, width: `${100 / columns}%` };
  return <div className="cell-mark" style={{ top: `${top}%`, left: `${left}%`, ...size }} />;
}

export function valueText(
  { shape: [rows, columns], values }: Matrix,
  { row, column }: Cell,
  labels: Record<string, string>,
) {
  if (row >= rows || column >= columns) return labels.outside;
  const value = values[row * columns + column];
  return Number.isNaN(value) ? labels.masked : decimalText(value, 4);
}

/** The numbers under the colour scale: its ends, marked where values lie beyond, and zero between or at one of them. */
export function scaleNumbers(
  { limit, sign, beyond: [below, above] }: Pick<Spec, "limit" | "sign" | "beyond">,
  labels: Record<string, string>,
) {
  const decimals = Number.isInteger(limit) ? 0 : clamp(2 - Math.floor(Math.log10(limit)), 1, 4);
  const text = decimalText(limit, decimals);
  const low = below ? fillLabel(labels.at_most, { limit: `−${text}` }) : `−${text}`;
  const high = above ? fillLabel(labels.at_least, { limit: text }) : text;
  return [...(sign > 0 ? [] : [low]), "0", ...(sign < 0 ? [] : [high])];
}

/** The cell under the pointer; at the picture's rim the nearest. */
export function cellAt(
  [rows, columns]: Shape,
  { clientX, clientY }: { clientX: number; clientY: number },
  picture: Pick<Element, "getBoundingClientRect">,
): Cell {
  const { left, top, width, height } = picture.getBoundingClientRect();
  return {
    row: clamp(Math.floor(((clientY - top) / height) * rows), 0, rows - 1),
    column: clamp(Math.floor(((clientX - left) / width) * columns), 0, columns - 1),
  };
}

/** Where a cell stands in the window. */
export function cellBox(
  { left, top, width, height }: Pick<DOMRect, "left" | "top" | "width" | "height">,
  [rows, columns]: Shape,
  { row, column }: Cell,
): ClientBox {
  const [cellWidth, cellHeight] = [width / columns, height / rows];
  return {
    left: left + column * cellWidth,
    right: left + (column + 1) * cellWidth,
    top: top + row * cellHeight,
    bottom: top + (row + 1) * cellHeight,
  };
}
