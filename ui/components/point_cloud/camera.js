// From which side, how near and how far to the side the points are seen. Parallel projection: equal distances along the
// screen look equal. `space` is 0 for the flat picture and 1 for the turned one; between them the picture tilts up.

import { decimalText } from "../_shared/text.js";

export const LEAST_ZOOM = 0.5;
export const MOST_ZOOM = 5000;
export const FIRST_TURN = { yaw: -0.6, pitch: 0.42 };

export function newCamera() {
  return {
    space: 0,
    zoom: 1,
    centre: [0, 0, 0],
    ...FIRST_TURN,
    box: { low: [-1, -1, -1], high: [1, 1, 1] },
    touched: false,
  };
}

// Sets the camera so that the whole box is in sight.
export function fitCamera(camera, box) {
  camera.box = box;
  camera.centre = box.low.map((low, axis) => (low + box.high[axis]) / 2);
  camera.zoom = 1;
  camera.touched = false;
}

// Everything that turns a point into a place on the screen, for one size of the picture.
export function viewOf(camera, plot) {
  const [yaw, pitch] = [camera.yaw * camera.space, camera.pitch * camera.space];
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  // Rows: to the right, up, towards the reader.
  const turn = [cy, 0, sy, sy * sp, cp, -cy * sp, -sy * cp, sp, cy * cp];
  const extent = camera.box.high.map((high, axis) => high - camera.box.low[axis]);
  const flat = Math.min((plot.width - 36) / (extent[0] || 2), (plot.height - 36) / (extent[1] || 2));
  const radius = Math.hypot(...extent) / 2 || 1;
  const turned = turnedScale(extent, plot);
  const scale = Math.max(1e-6, flat + (turned - flat) * camera.space) * camera.zoom;
  const middle = [plot.x + plot.width / 2, plot.y + plot.height / 2];
  return { turn, scale, middle, centre: [...camera.centre], radius, space: camera.space, zoom: camera.zoom, plot };
}

// Pixels per unit such that the box fits from every side at the first pitch, with room for titles.
function turnedScale(extent, plot) {
  const across = Math.max(Math.hypot(extent[0], extent[2]), 0.3) * 1.1;
  const tall = Math.max(extent[1] * Math.cos(FIRST_TURN.pitch) + across * Math.sin(FIRST_TURN.pitch), 0.3) * 1.05;
  const margin = plot.width < 560 ? 40 : 130;
  return Math.min((plot.width - margin) / across, (plot.height - 90) / tall);
}

// [x, y, depth] in CSS pixels; depth grows towards the reader, in the units of the points.
export function project({ turn, scale, middle, centre }, spot) {
  const [x, y, z] = [spot[0] - centre[0], spot[1] - centre[1], spot[2] - centre[2]];
  return [
    middle[0] + (turn[0] * x + turn[1] * y + turn[2] * z) * scale,
    middle[1] - (turn[3] * x + turn[4] * y + turn[5] * z) * scale,
    turn[6] * x + turn[7] * y + turn[8] * z,
  ];
}

// Moves what is seen by so many pixels, along the screen.
export function panCamera(camera, view, right, down) {
  const { turn, scale } = view;
  for (let axis = 0; axis < 3; axis += 1) camera.centre[axis] -= (turn[axis] * right - turn[3 + axis] * down) / scale;
  camera.touched = true;
}

// Zooms so that what lies under (x, y) stays there.
export function zoomCamera(camera, view, factor, x = view.middle[0], y = view.middle[1]) {
  const zoom = Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, camera.zoom * factor));
  const share = 1 - camera.zoom / zoom;
  const [right, down] = [(x - view.middle[0]) * share, (y - view.middle[1]) * share];
  panCamera(camera, view, -right, -down);
  camera.zoom = zoom;
}

export function turnCamera(camera, right, up) {
  camera.yaw = (camera.yaw + right) % (2 * Math.PI);
  camera.pitch = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, camera.pitch + up));
  camera.touched = true;
}

// What lies under a place of the flat picture, in the units of the points.
export function unproject({ scale, middle, centre }, x, y) {
  return [centre[0] + (x - middle[0]) / scale, centre[1] - (y - middle[1]) / scale];
}

// Steps of 1, 2 or 5 times a power of ten, so that one is about `room` of `span` pixels.
export function niceStep(length, span, room) {
  const wished = (length * room) / span;
  const power = 10 ** Math.floor(Math.log10(wished));
  return [1, 2, 5, 10].find((step) => step * power >= wished * 0.999) * power;
}

// The multiples of a step from low to high as {value, text}.
export function tickMarks(low, high, step) {
  const ticks = [];
  const first = Math.ceil(low / step - 1e-9);
  for (let index = 0; index < 60 && (first + index) * step <= high + step * 1e-9; index += 1) {
    const value = (first + index) * step;
    ticks.push({ value, text: tickText(value, step) });
  }
  return ticks;
}

function tickText(value, step) {
  if (Math.abs(value) < step / 2) return "0";
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  if (Math.abs(value) < 1e5 && decimals <= 4) return decimalText(value, decimals);
  const digits = Math.max(
    0,
    Math.min(12, Math.floor(Math.log10(Math.abs(value)) + 1e-9) - Math.floor(Math.log10(step) + 1e-9)),
  );
  return value.toExponential(digits).replace("e+", "e").replaceAll("-", "−");
}
