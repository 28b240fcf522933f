// The picture of this moment with its legend under it, as a PNG.

import { drawLegendRows, legendRows, SAVED_RATIO, savePng } from "../_shared/save.js";
import { fillLabel } from "../_shared/text.js";
import { drawMotionGround, drawMotionMarks } from "./scene.js";
import { grouped } from "./words.js";

export function saveMotion(motion) {
  const { header, theme, parts, time } = motion;
  const [width, height] = [parts.stage.clientWidth, parts.stage.clientHeight];
  const image = document.createElement("canvas");
  const context = image.getContext("2d");
  context.font = `15px ${theme.font}`;
  const rows = legendRows(
    context,
    header.legend.map(([name, colour, count]) => ({ text: `${name} ${grouped(count)}`, colour })),
    width - 32,
  );
  const tall = height + 16 + rows.length * 28;
  [image.width, image.height] = [width * SAVED_RATIO, tall * SAVED_RATIO];
  context.scale(SAVED_RATIO, SAVED_RATIO);
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, width, tall);
  const ground = document.createElement("canvas");
  [ground.width, ground.height] = [width * SAVED_RATIO, height * SAVED_RATIO];
  const lines = ground.getContext("2d");
  lines.scale(SAVED_RATIO, SAVED_RATIO);
  drawMotionGround(lines, motion, width, height);
  context.drawImage(ground, 0, 0, width, height);
  drawMotionMarks(context, motion, 0);
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.font = `15px ${theme.font}`;
  drawLegendRows(context, rows, height, theme.ink);
  motion.schedule();
  savePng(image, fillLabel(header.texts.file_name, { step: time.step() }));
}
