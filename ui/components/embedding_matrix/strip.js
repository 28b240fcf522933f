// What is drawn of E: the strip, a mark at each picked row's true height, and a line from there to the row pulled out.

import { fitCanvas } from "../_shared/elements.js";
import { fillLabel } from "../_shared/text.js";

// Where things are, in CSS pixels; the list lies right of the lines.
export function matrixLayout(width, data) {
  const narrow = width < 640;
  const rowHeight = narrow ? 66 : 44;
  const headHeight = 28; // room for the axis labels above and below the strip
  const strip = { x: 26, y: headHeight, width: narrow ? 40 : 120, height: narrow ? 420 : 440 };
  const labelX = strip.x + strip.width + (narrow ? 12 : 36);
  const listX = labelX + (narrow ? 64 : width < 1000 ? 130 : 160);
  const listHeight = Math.min(data.header.positions.length * rowHeight, strip.height);
  // A short list stands beside the marks, so that the lines stay short.
  const { ids, vocab_size: vocabSize } = data.header;
  const middle = ids.reduce((sum, id) => sum + markHeight({ strip }, id, vocabSize), 0) / Math.max(1, ids.length);
  const list = {
    x: listX,
    y: Math.round(Math.max(strip.y, Math.min(strip.y + strip.height - listHeight, middle - listHeight / 2))),
    width: width - listX,
    height: listHeight,
  };
  return { narrow, width, height: strip.height + 2 * headHeight, strip, labelX, list, rowHeight };
}

function markHeight(layout, id, vocabSize) {
  return layout.strip.y + ((id + 0.5) / vocabSize) * layout.strip.height;
}

// Moves the wished heights apart until each is `gap` from the next, as little as possible, within [top, bottom].
function spreadApart(wished, gap, top, bottom) {
  const order = wished.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  const groups = [];
  for (const { y } of order) {
    groups.push({ sum: y, count: 1 });
    // Neighbours that would touch become one group around their common middle.
    for (let last = groups.length - 1; last > 0; last -= 1) {
      const [a, b] = [groups[last - 1], groups[last]];
      if (groupTop(b, gap, top, bottom) - groupTop(a, gap, top, bottom) >= a.count * gap) break;
      groups.splice(last - 1, 2, { sum: a.sum + b.sum, count: a.count + b.count });
    }
  }
  const placed = new Array(wished.length);
  let at = 0;
  for (const group of groups) {
    const start = groupTop(group, gap, top, bottom);
    for (let i = 0; i < group.count; i += 1, at += 1) placed[order[at].index] = start + i * gap;
  }
  return placed;
}

function groupTop({ sum, count }, gap, top, bottom) {
  const span = (count - 1) * gap;
  return Math.max(top, Math.min(bottom - span, sum / count - span / 2));
}

// view: {layout, data, picture, theme, visible: [{index, y}], hovered, chosen} with rows as indices.
export function drawStrip(canvas, view) {
  const { layout, data, picture, theme, visible } = view;
  const { strip } = layout;
  const { vocab_size: vocabSize, d_model: dModel, ids, labels } = data.header;
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
  const columnsX = layout.narrow ? strip.x + 18 : strip.x + strip.width - context.measureText(columns).width;
  context.fillText(columns, columnsX, strip.y - 14, layout.list.x - columnsX - 4);
  context.save();
  context.translate(strip.x - 13, strip.y + strip.height / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.fillText(fillLabel(labels.rows, { vocab_size: vocabSize }), 0, 0);
  context.restore();

  for (const id of new Set(ids)) drawMark(context, view, id, false);
  drawLines(context, view, visible);
  for (const index of [view.chosen, view.hovered]) if (index !== null) drawMark(context, view, ids[index], true);
}

// A small table has rows tall enough to frame; in a large one a row is thinner than a pixel, so a line crosses it.
function drawMark(context, { layout, data, theme, hovered }, id, lit) {
  const { strip } = layout;
  const vocabSize = data.header.vocab_size;
  const y = markHeight(layout, id, vocabSize);
  const height = Math.max(strip.height / vocabSize, lit ? 5 : 3);
  const box = [strip.x - 4, y - height / 2, strip.width + 8, height];
  const colour = lit && hovered !== null && data.header.ids[hovered] === id ? theme.accent : theme.ink;
  if (height < 8) {
    context.fillStyle = theme.ground;
    context.fillRect(box[0], box[1] - 1, box[2], box[3] + 2);
    context.fillStyle = colour;
    context.fillRect(...box);
  } else {
    context.lineWidth = lit ? 4 : 2;
    context.strokeStyle = colour;
    context.strokeRect(...box);
  }
}

function drawLines(context, view, visible) {
  const { layout, data, theme } = view;
  const { strip, labelX, list, narrow } = layout;
  const { ids, vocab_size: vocabSize } = data.header;
  const distinct = [...new Set(visible.map(({ index }) => ids[index]))];
  const wished = distinct.map((id) => markHeight(layout, id, vocabSize));
  const placed = spreadApart(wished, 20, strip.y + 8, strip.y + strip.height - 8);
  const lit = (index) => index === view.hovered || index === view.chosen;
  const litId = (id) => [view.hovered, view.chosen].some((index) => index !== null && ids[index] === id);

  context.font = `600 ${narrow ? 14 : 16}px ${theme.font}`;
  const right = (id) => labelX + context.measureText(String(id)).width + 6;
  // What is lit comes last, over the rest.
  for (const { index, y } of [...visible].sort((a, b) => lit(a.index) - lit(b.index))) {
    const from = placed[distinct.indexOf(ids[index])];
    curve(context, right(ids[index]), from, list.x - 2, y, lineStyle(view, index));
  }
  distinct.forEach((id, i) => {
    const style = litId(id)
      ? { colour: theme.ink, width: 2.5, alpha: 1 }
      : { colour: theme.ink, width: 1.5, alpha: 0.6 };
    curve(context, strip.x + strip.width + 4, wished[i], labelX - 4, placed[i], style);
    context.fillStyle = theme.ink;
    context.fillText(String(id), labelX, placed[i] + 1);
  });
}

function lineStyle({ hovered, chosen, theme }, index) {
  if (index === hovered) return { colour: theme.accent, width: 4, alpha: 1 };
  if (index === chosen) return { colour: theme.ink, width: 3.5, alpha: 1 };
  return { colour: theme.ink, width: 1.5, alpha: hovered === null && chosen === null ? 0.6 : 0.35 };
}

function curve(context, x0, y0, x1, y1, { colour, width, alpha }) {
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

// The picked row whose mark is nearest to a point, as an index; null where none is near.
export function nearestMark(x, y, { layout, data }) {
  const { strip } = layout;
  if (x < strip.x - 8 || x > layout.labelX || y < strip.y - 8 || y > strip.y + strip.height + 8) return null;
  const reach = Math.max(12, strip.height / data.header.vocab_size / 2);
  let [nearest, distance] = [null, reach];
  data.header.ids.forEach((id, index) => {
    const away = Math.abs(markHeight(layout, id, data.header.vocab_size) - y);
    if (away < distance) [nearest, distance] = [index, away];
  });
  return nearest;
}
