// A picture with its legend under it, as a PNG.

import { contextOf } from "../_shared/elements.js";
import { countText } from "../_shared/numbers.js";
import { apart, barWidth, drawLegendRows, legendRows, SAVED_RATIO, savePng } from "../_shared/save.js";
import { drawCloud, drawCloudGround, drawCloudMarks, isShown, sceneOf } from "./scene.js";
import { gradientTicks, valueText } from "./words.js";

/** @typedef {import("./scatter.js").Scatter} Scatter */

/**
 * @param {Pick<Scatter, "parts" | "theme">} scatter
 * @param {string} fileName
 * @param {[text: string, colour: string, count: number][]} entries of the legend
 * @param {(context: CanvasRenderingContext2D, width: number, height: number) => void} paint
 * @param {number} extra pixels under the legend
 * @param {(context: CanvasRenderingContext2D, y: number) => void} [paintLegend] a legend other than the entries
 */
export function saveScatter({ parts, theme }, fileName, entries, paint, extra = 0, paintLegend) {
  const [width, height] = [parts.stage.clientWidth, parts.stage.clientHeight];
  const image = document.createElement("canvas");
  const context = contextOf(image);
  context.font = `15px ${theme.font}`;
  const named = entries.map(([name, colour, count]) => ({ text: `${name} ${countText(count)}`, colour }));
  const rows = legendRows(context, named, width - 32);
  const tall = height + 22 + rows.length * 28 + extra;
  [image.width, image.height] = [width * SAVED_RATIO, tall * SAVED_RATIO];
  context.scale(SAVED_RATIO, SAVED_RATIO);
  context.save();
  paint(context, width, height);
  context.restore();
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, width, tall);
  context.globalCompositeOperation = "source-over";
  context.font = `15px ${theme.font}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  paintLegend?.(context, height + 22);
  drawLegendRows(context, rows, height, theme.ink);
  savePng(image, fileName);
}

/** @param {import("./index.js").Cloud} cloud */
export function saveCloud(cloud) {
  const { legend, palette, labels } = cloud.header;
  /** @type {(context: CanvasRenderingContext2D, width: number, height: number) => void} */
  const paint = (context, width, height) => {
    cloud.landmarks.ripe = true;
    drawCloud(cloud); // for the view of this moment
    if (cloud.view) drawCloudGround(context, cloud, cloud.view);
    if (!isShown(cloud)) return;
    cloud.painter.draw(sceneOf(cloud, { width, height, ratio: SAVED_RATIO }));
    context.drawImage(cloud.painter.canvas, 0, 0, width, height);
    drawCloudMarks(context, cloud);
    cloud.drawn = null; // what is on the screen is drawn anew, in the screen's own pixels
    cloud.schedule();
  };
  if ("kinds" in legend) {
    /** @type {[string, string, number][]} */
    const entries = legend.kinds.map(([index, name, count]) => [name, palette[index], count]);
    saveScatter(cloud, labels.file_name, entries, paint);
  } else {
    const ticks = gradientTicks(legend.gradient);
    saveScatter(cloud, labels.file_name, [], paint, ticks.length ? 18 : 0, (context, y) =>
      drawGradient(context, cloud, legend.gradient, ticks, y),
    );
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("./index.js").Cloud} cloud
 * @param {import("./index.js").Gradient} gradient
 * @param {ReturnType<typeof gradientTicks>} ticks
 * @param {number} y
 */
function drawGradient(context, { parts, theme, header: { palette } }, { title, low, high }, ticks, y) {
  context.fillStyle = theme.ink;
  const text = `${title}  ${valueText(low)}`;
  context.fillText(text, 16, y + 1);
  const measure = (/** @type {string} */ words) => context.measureText(words).width;
  const x = 26 + measure(text);
  const wide = barWidth(parts.stage.clientWidth - x - measure(valueText(high)));
  const colours = context.createLinearGradient(x, 0, x + wide, 0);
  palette.forEach((colour, index) => void colours.addColorStop(index / Math.max(1, palette.length - 1), colour));
  context.fillStyle = colours;
  context.fillRect(x, y - 8, wide, 16);
  context.fillStyle = theme.ink;
  context.fillText(valueText(high), x + wide + 10, y + 1);
  context.font = `14px ${theme.font}`;
  for (const { share, text } of apart(ticks, wide, measure)) {
    context.fillRect(x + wide * share, y + 8, 1, 20);
    context.fillText(text, x + wide * share + 5, y + 22);
  }
}
