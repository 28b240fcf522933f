// A picture as a file: its pixels, and the lines of a legend under it.

export const SAVED_RATIO = 2; // pixels of the image for one of the screen's, for print and projectors

export function savePng(canvas, fileName) {
  canvas.toBlob((blob) => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: fileName });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }, "image/png");
}

// Entries {text, colour} in as many lines as they need, each with its x. The font must be set.
export function legendRows(context, entries, room) {
  const rows = [[]];
  let x = 16;
  for (const entry of entries) {
    const wide = context.measureText(entry.text).width + 42;
    if (x + wide > room + 16 && rows.at(-1).length) {
      rows.push([]);
      x = 16;
    }
    rows.at(-1).push({ ...entry, x });
    x += wide;
  }
  return rows;
}

export function drawLegendRows(context, rows, top, ink) {
  rows.forEach((row, index) => {
    for (const { x, text, colour } of row) {
      const y = top + 22 + index * 28;
      context.fillStyle = colour;
      context.beginPath();
      context.arc(x + 6, y, 6, 0, 2 * Math.PI);
      context.fill();
      context.fillStyle = ink;
      context.fillText(text, x + 18, y + 1);
    }
  });
}
