// Points marked by dragging a box or a free line around them.

// corners: [[x, y], …] of a polygon on the screen; screen: (count, 2). Returns one byte per point, 1 inside.
export function pointsInside(corners, screen, count) {
  const inside = new Uint8Array(count);
  const edges = (axis, choose) => choose(...corners.map((corner) => corner[axis]));
  const [left, right, top, bottom] = [edges(0, Math.min), edges(0, Math.max), edges(1, Math.min), edges(1, Math.max)];
  for (let at = 0; at < count; at += 1) {
    const [x, y] = [screen[2 * at], screen[2 * at + 1]];
    if (x < left || x > right || y < top || y > bottom) continue;
    let odd = false;
    for (let i = 0, j = corners.length - 1; i < corners.length; j = i, i += 1) {
      const [[x1, y1], [x2, y2]] = [corners[i], corners[j]];
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) odd = !odd;
    }
    if (odd) inside[at] = 1;
  }
  return inside;
}

export const boxCorners = ([x1, y1], [x2, y2]) => [
  [x1, y1],
  [x2, y1],
  [x2, y2],
  [x1, y2],
];

// One bit per point, the first in the lowest bit, as base64.
export function bitsText(bytes) {
  const packed = new Uint8Array(Math.ceil(bytes.length / 8));
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at]) packed[at >> 3] |= 1 << (at & 7);
  let text = "";
  for (let at = 0; at < packed.length; at += 0x2000) text += String.fromCharCode(...packed.subarray(at, at + 0x2000));
  return btoa(text);
}

export function bitsOf(packed, count) {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) bytes[at] = (packed[at >> 3] >> (at & 7)) & 1;
  return bytes;
}

export function drawRegion(context, corners, theme) {
  context.beginPath();
  corners.forEach(([x, y], index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
  context.globalAlpha = 0.12;
  context.fillStyle = theme.accent;
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = 2;
  context.setLineDash([6, 5]);
  context.strokeStyle = theme.accent;
  context.stroke();
  context.setLineDash([]);
}
