// A picture as a file: its pixels, and the lines of a legend under it.

export const SAVED_RATIO = 2; // pixels of the image for one of the screen's, for print and projectors

/**
 * @param {Blob} blob
 * @param {string} fileName
 */
export function saveBlob(blob, fileName) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: fileName });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {string} fileName
 */
export function savePng(canvas, fileName) {
  canvas.toBlob((blob) => blob && saveBlob(blob, fileName), "image/png"); // none of a canvas too large to be written
}

/** @typedef {{ text: string, colour: string }} Entry */
/** @typedef {(Entry & { x: number })[]} Row */

/**
 * Entries in as many lines as they need, each with its x. The font must be set.
 * @param {CanvasRenderingContext2D} context
 * @param {Entry[]} entries
 * @param {number} room pixels that a line may fill
 */
export function legendRows(context, entries, room) {
  /** @type {Row} */
  let row = [];
  const rows = [row];
  let x = 16;
  for (const entry of entries) {
    const wide = context.measureText(entry.text).width + 42;
    if (x + wide > room + 16 && row.length) {
      row = [];
      rows.push(row);
      x = 16;
    }
    row.push({ ...entry, x });
    x += wide;
  }
  return rows;
}

/**
 * How wide a bar of colours is that has a number after it: narrower where a phone's picture would cut that off.
 * @param {number} room pixels for both, with what is left free around the number
 */
export const barWidth = (room) => Math.max(40, Math.min(200, room - 26));

/**
 * The ticks of a bar whose texts, each to the right of its tick, have room beside each other.
 * @template {{ share: number, text: string }} Tick
 * @param {Tick[]} ticks from left to right
 * @param {number} wide pixels of the bar
 * @param {(text: string) => number} measure
 */
export function apart(ticks, wide, measure) {
  let free = 0;
  return ticks.filter(({ share, text }) => {
    if (wide * share < free) return false;
    free = wide * share + measure(text) + 12;
    return true;
  });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Row[]} rows
 * @param {number} top
 * @param {string} ink
 */
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
