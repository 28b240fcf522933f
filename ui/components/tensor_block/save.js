// The block as a picture to take along: what is on the screen, where it is cut, and its colours.

import { fitCanvas } from "../_shared/elements.js";
import { savePng } from "../_shared/save.js";
import { rangeText } from "./model.js";
import { blockLimit } from "./parts.js";

export function saveBlock(canvas, model, cut, theme) {
  const picture = document.createElement("canvas");
  const [margin, foot] = [24, 84];
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const context = fitCanvas(picture, width + 2 * margin, height + 2 * margin + foot);
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, width + 2 * margin, height + 2 * margin + foot);
  context.drawImage(canvas, margin, margin, width, height);
  const top = margin + height + 16;
  const bar = Math.min(300, width);
  const gradient = context.createLinearGradient(margin, 0, margin + bar, 0);
  model.colours.forEach((stop, index, { length }) => gradient.addColorStop(index / (length - 1), stop));
  context.fillStyle = gradient;
  context.fillRect(margin, top, bar, 16);
  context.fillStyle = theme.ink;
  context.font = `15px ${theme.font}`;
  const limit = blockLimit(model);
  [
    ["left", `−${limit}`, 0],
    ["center", "0", bar / 2],
    ["right", limit, bar],
  ].forEach(([align, text, x]) => {
    context.textAlign = align;
    context.fillText(text, margin + x, top + 34);
  });
  context.textAlign = "left";
  const axes = model.indexNames.map((name, axis) => `${name} ${rangeText(model, axis, cut[axis])}`).join(" · ");
  context.fillText(axes, margin, top + 62, width);
  savePng(picture, model.labels.file_name);
}
