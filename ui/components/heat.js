// Numbers as colours: the payload that heat.py packs, the colour scale, and text on it.

// {header, numbers(count), bytes(count)}: each call reads the next block behind the header.
function unpackPayload(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const headerLength = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + headerLength)));
  let offset = 4 + headerLength;
  const take = (length) => data.slice(offset, (offset += length)); // a copy, hence aligned for Float32Array
  return { header, numbers: (count) => new Float32Array(take(4 * count).buffer), bytes: (count) => take(count) };
}

function sameBytes(a, b) {
  if (!a || !b || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

const SCALE_STEPS = 127; // index 0 is -limit, 127 zero, 254 +limit, as in heat.py

function colourScale(stops, limit) {
  const rgb = stops.map((stop) => [1, 3, 5].map((at) => parseInt(stop.slice(at, at + 2), 16)));
  const table = Array.from({ length: 2 * SCALE_STEPS + 1 }, (_, index) => {
    const place = (index / (2 * SCALE_STEPS)) * (rgb.length - 1);
    const left = Math.min(Math.floor(place), rgb.length - 2);
    return rgb[left].map((channel, c) => Math.round(channel + (place - left) * (rgb[left + 1][c] - channel)));
  });
  const packed = new Uint32Array(table.map(([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0));
  const scale = {
    limit,
    stops,
    packed, // as ImageData stores a pixel on a little-endian machine
    index: (value) => SCALE_STEPS + Math.max(-SCALE_STEPS, Math.min(SCALE_STEPS, Math.round((value / limit) * SCALE_STEPS))),
    css: (value) => `rgb(${table[scale.index(value)].join(" ")})`,
    ink: (value) => inkOn(table[scale.index(value)]),
  };
  return scale;
}

// Black or white, whichever contrasts more: at least 4.58:1 on any colour.
function inkOn(rgb) {
  const [r, g, b] = rgb.map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return (luminance + 0.05) ** 2 > 0.0525 ? "#000000" : "#ffffff";
}

// A matrix of indices as a picture, one pixel per cell; scaled up later without smoothing.
function paintIndices(indices, lines, columns, scale) {
  const canvas = document.createElement("canvas");
  canvas.width = columns;
  canvas.height = lines;
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, lines);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = scale.packed[indices[i]];
  context.putImageData(image, 0, 0);
  return canvas;
}

function fillLabel(template, values = {}) {
  return template.replace(/\{(\w+)\}/g, (hole, name) => (name in values ? String(values[name]) : hole));
}

// A true minus sign, and no sign on what rounds to zero.
function decimalText(value, decimals) {
  const digits = Math.abs(value).toFixed(decimals);
  return value < 0 && /[1-9]/.test(digits) ? `−${digits}` : digits;
}

// Shortens a text to a width on a canvas, with an ellipsis.
function fitText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const characters = [...text];
  while (characters.length > 1 && context.measureText(`${characters.join("")}…`).width > width) characters.pop();
  return `${characters.join("")}…`;
}

function makeElement(tag, { className, testid, text, ...attributes } = {}, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (testid) node.dataset.testid = testid;
  if (text !== undefined) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// A canvas as large as its box on the screen, drawn in CSS pixels on as many device pixels as there are.
function fitCanvas(canvas, width, height) {
  const ratio = Math.min(window.devicePixelRatio || 1, 3);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

// The theme's own colours and letters, for what is drawn rather than styled.
function themeOf(element) {
  const style = getComputedStyle(element);
  const read = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  return {
    ground: read("--st-background-color", "#ffffff"),
    panel: read("--st-secondary-background-color", "#eeeeee"),
    ink: read("--st-text-color", "#111111"),
    accent: read("--st-primary-color", "#0b5cad"),
    line: read("--st-border-color", "#c3cad3"),
    font: read("--st-font", "sans-serif"),
  };
}
