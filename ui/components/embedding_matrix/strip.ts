// What is drawn of E: the strip, a mark at each picked row's true height, and a line from there to the row pulled out.

import type { Theme } from "../_shared/colour.ts";
import { fitCanvas } from "../_shared/elements.ts";
import { fillLabel } from "../_shared/text.ts";
import { columnsLeft, type Header, type Layout, markHeight, spreadApart } from "./layout.ts";

/** What is drawn; rows are named by their index. */
interface View {
  layout: Layout;
  header: Header;
  picture: HTMLCanvasElement; // of the strip
  theme: Theme;
  visible: { index: number; y: number }[]; // rows of the list, and where each stands
  hovered: number | null;
  chosen: number | null;
}
type LineStyle = { colour: string; width: number; alpha: number };

export function drawStrip(canvas: HTMLCanvasElement, view: View) {
  const { layout, header, picture, theme } = view;
  const { strip } = layout;
  const { vocab_size: vocabSize, d_model: dModel, ids, labels } = header;
  const context = fitCanvas(canvas, layout.list.x, layout.height);
  context.clearRect(0, 0, layout.list.x, layout.height);
  context.imageSmoothingEnabled = false;
  context.drawImage(picture, strip.x, strip.y, strip.width, strip.height);
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.strokeRect(strip.x - 0.5, strip.y - 0.5, strip.width + 1, strip.height + 1);

  context.fillStyle = theme.ink;
  context.textBaseline = "middle";
  context.font = `15px ${theme.font}`;
  context.fillText("0", strip.x, strip.y - 14);
  context.fillText(String(vocabSize - 1), strip.x, strip.y + strip.height + 14);
  const columns = fillLabel(labels.columns, { d_model: dModel });
  const columnsX = columnsLeft(layout, context.measureText(columns).width);
  context.fillText(columns, columnsX, strip.y - 14, layout.list.x - columnsX - 4);
  context.save();
  context.translate(strip.x - 13, strip.y + strip.height / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.fillText(fillLabel(labels.rows, { vocab_size: vocabSize }), 0, 0);
  context.restore();

  for (const id of new Set(ids)) drawMark(context, view, id, false);
  drawLines(context, view);
  for (const index of [view.chosen, view.hovered]) if (index !== null) drawMark(context, view, ids[index], true);
}

/** A small table has rows tall enough to frame; in a large one a row is thinner than a pixel, so a line crosses it. */
function drawMark(
  context: CanvasRenderingContext2D,
  { layout: { strip }, header, theme, hovered }: View,
  id: number,
  lit: boolean,
) {
  const { vocab_size: vocabSize, ids } = header;
  const height = Math.max(strip.height / vocabSize, lit ? 5 : 3);
  const [x, y, width] = [strip.x - 4, markHeight(strip, id, vocabSize) - height / 2, strip.width + 8];
  const colour = lit && hovered !== null && ids[hovered] === id ? theme.accent : theme.ink;
  if (height < 8) {
    context.fillStyle = theme.ground;
    context.fillRect(x, y - 1, width, height + 2);
    context.fillStyle = colour;
    context.fillRect(x, y, width, height);
  } else {
    context.lineWidth = lit ? 4 : 2;
    context.strokeStyle = colour;
    context.strokeRect(x, y, width, height);
  }
}

function drawLines(context: CanvasRenderingContext2D, view: View) {
  const { strip, labelX, list, narrow } = view.layout;
  const { theme, visible, hovered, chosen } = view;
  const { ids, vocab_size: vocabSize } = view.header;
  const distinct = [...new Set(visible.map(({ index }) => ids[index]))];
  const wished = distinct.map((id) => markHeight(strip, id, vocabSize));
  const placed = spreadApart(wished, 20, strip.y + 8, strip.y + strip.height - 8);
  const lit = [hovered, chosen].filter((index) => index !== null);
  const litIds = new Set(lit.map((index) => ids[index]));

  context.font = `600 ${narrow ? 14 : 16}px ${theme.font}`;
  // What is lit comes last, over the rest.
  for (const { index, y } of [...visible].sort(
    (a, b) => Number(lit.includes(a.index)) - Number(lit.includes(b.index)),
  )) {
    const right = labelX + context.measureText(String(ids[index])).width + 6;
    curve(context, [right, placed[distinct.indexOf(ids[index])]], [list.x - 2, y], lineStyle(view, index));
  }
  distinct.forEach((id, i) => {
    const style = litIds.has(id)
      ? { colour: theme.ink, width: 2.5, alpha: 1 }
      : { colour: theme.ink, width: 1.5, alpha: 0.6 };
    curve(context, [strip.x + strip.width + 4, wished[i]], [labelX - 4, placed[i]], style);
    context.fillStyle = theme.ink;
    context.fillText(String(id), labelX, placed[i] + 1);
  });
}

function lineStyle({ hovered, chosen, theme }: View, index: number): LineStyle {
  if (index === hovered) return { colour: theme.accent, width: 4, alpha: 1 };
  if (index === chosen) return { colour: theme.ink, width: 3.5, alpha: 1 };
  return { colour: theme.ink, width: 1.5, alpha: hovered === null && chosen === null ? 0.6 : 0.35 };
}

function curve(
  context: CanvasRenderingContext2D,
  [x0, y0]: [x: number, y: number],
  [x1, y1]: [x: number, y: number],
  { colour, width, alpha }: LineStyle,
) {
  const middle = (x0 + x1) / 2;
  context.beginPath();
  context.moveTo(x0, y0);
  context.bezierCurveTo(middle, y0, middle, y1, x1, y1);
  context.globalAlpha = alpha;
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
  context.globalAlpha = 1;
}
