// The picture of this moment with its legend under it, as a PNG.

const SAVED_RATIO = 2; // pixels of the image for one of the screen's, for print and projectors

function saveMotion(motion) {
  const { header, theme, parts, time } = motion;
  const [width, height] = [parts.stage.clientWidth, parts.stage.clientHeight];
  const image = document.createElement("canvas");
  const context = image.getContext("2d");
  context.font = `15px ${theme.font}`;
  const rows = legendLines(context, header.legend, width - 32);
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
  rows.forEach((row, index) => {
    for (const { x, text, colour } of row) {
      const y = height + 22 + index * 28;
      context.fillStyle = colour;
      context.beginPath();
      context.arc(x + 6, y, 6, 0, 2 * Math.PI);
      context.fill();
      context.fillStyle = theme.ink;
      context.fillText(text, x + 18, y + 1);
    }
  });
  motion.schedule();
  image.toBlob((blob) => {
    const link = makeElement("a", { href: URL.createObjectURL(blob), download: fillLabel(header.texts.file_name, { step: time.step() }) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }, "image/png");
}

// Entries in as many lines as they need.
function legendLines(context, legend, room) {
  const rows = [[]];
  let x = 16;
  for (const [name, colour, count] of legend) {
    const text = `${name} ${grouped(count)}`;
    const wide = context.measureText(text).width + 42;
    if (x + wide > room + 16 && rows.at(-1).length) {
      rows.push([]);
      x = 16;
    }
    rows.at(-1).push({ x, text, colour });
    x += wide;
  }
  return rows;
}
