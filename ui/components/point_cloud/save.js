// The picture with its legend under it, as a PNG.

import { drawLegendRows, legendRows, SAVED_RATIO, savePng } from "../_shared/save.js";
import { drawCloud, drawCloudMarks, drawGround, sceneOf } from "./scene.js";
import { gradientTicks, grouped, valueText } from "./words.js";

export function saveCloud(cloud) {
  const { header, theme, model, parts, painter } = cloud;
  const { legend, palette, labels } = header;
  const [width, height] = [parts.stage.clientWidth, parts.stage.clientHeight];
  const image = document.createElement("canvas");
  const probe = image.getContext("2d");
  probe.font = `15px ${theme.font}`;
  const rows = legend.gradient
    ? [[]]
    : legendRows(
        probe,
        legend.kinds.map(([index, name, count]) => ({ text: `${name} ${grouped(count)}`, colour: palette[index] })),
        width - 32,
      );
  const ticks = legend.gradient ? gradientTicks(legend.gradient) : [];
  const tall = height + 22 + rows.length * 28 + (ticks.length ? 18 : 0);
  [image.width, image.height] = [width * SAVED_RATIO, tall * SAVED_RATIO];
  const context = image.getContext("2d");
  context.scale(SAVED_RATIO, SAVED_RATIO);
  cloud.landmarks.ripe = true;
  drawCloud(cloud); // for the view of this moment
  drawGround(context, cloud, width, height);
  if (model) {
    painter.draw(sceneOf(cloud, { width, height, ratio: SAVED_RATIO }));
    context.drawImage(painter.canvas, 0, 0, width, height);
    drawCloudMarks(cloud, context);
    cloud.drawn = null; // what is on the screen is drawn anew, in the screen's own pixels
    cloud.schedule();
  }
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, width, tall);
  context.globalCompositeOperation = "source-over";
  context.font = `15px ${theme.font}`;
  context.textBaseline = "middle";
  if (legend.gradient) drawGradient(context, legend.gradient, ticks, palette, theme, height + 22);
  drawLegendRows(context, rows, height, theme.ink);
  savePng(image, labels.file_name);
}

function drawGradient(context, { title, low, high }, ticks, palette, theme, y) {
  context.fillStyle = theme.ink;
  const text = `${title}  ${valueText(low)}`;
  context.fillText(text, 16, y + 1);
  const x = 26 + context.measureText(text).width;
  const colours = context.createLinearGradient(x, 0, x + 200, 0);
  palette.forEach((colour, index) => colours.addColorStop(index / Math.max(1, palette.length - 1), colour));
  context.fillStyle = colours;
  context.fillRect(x, y - 8, 200, 16);
  context.fillStyle = theme.ink;
  context.fillText(valueText(high), x + 210, y + 1);
  context.font = `14px ${theme.font}`;
  for (const { share, text } of ticks) {
    context.fillRect(x + 200 * share, y + 8, 1, 20);
    context.fillText(text, x + 200 * share + 5, y + 22);
  }
}
