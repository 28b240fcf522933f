// From which side, how near and how far to the side the points are seen. Parallel projection: equal distances along the
// screen look equal. `space` is 0 for the flat picture and 1 for the turned one; between them the picture tilts up.

import { rotationMatrix } from "../_shared/camera.ts";
import { fromFrame, interpolate } from "./model.ts";

/** Where points are drawn, in CSS pixels. */
export type Plot = { x: number; y: number; width: number; height: number };
/** Least and greatest along each of the three axes. */
export type Box = { low: number[]; high: number[] };
/** Position of a camera, between two of which it glides. */
export interface Pose {
  zoom: number;
  centre: number[];
  yaw: number; // radians
  pitch: number; // radians
  box: Box; // that is in sight at zoom 1
}
/** A camera; `touched`: the reader has moved it. */
export type Camera = Pose & { space: number; touched: boolean };
/** Everything that turns a point into a place on the screen, for one size of the picture. */
export interface View {
  turn: number[]; // rows: to the right, up, towards the reader
  scale: number; // pixels per unit
  middle: number[]; // of the picture on the screen
  centre: number[]; // the point that lies there
  radius: number; // of a ball around the box
  space: number;
  zoom: number;
  plot: Plot;
}

export const LEAST_ZOOM = 0.5;
export const MOST_ZOOM = 5000;
const NARROW = 560; // px: a picture that has its tools above the points rather than beside them
export const FIRST_TURN = { yaw: -0.6, pitch: 0.42 };

export function newCamera(): Camera {
  return {
    space: 0,
    zoom: 1,
    centre: [0, 0, 0],
    ...FIRST_TURN,
    box: { low: [-1, -1, -1], high: [1, 1, 1] },
    touched: false,
  };
}

export const boundedZoom = (zoom: number) => Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, zoom));

/** Px of a picture that are left for its points at first, beside tools, titles and numbers at its edges. */
const roomFor = ({ width, height }: Plot) =>
  (width < NARROW ? [width - 56, height - 124] : [width - 124, height - 80]).map((room) => Math.max(40, room));

/** The pose from which the whole box is in sight. */
export const poseFitting = (box: Box) => ({
  box,
  centre: box.low.map((low, axis) => (low + box.high[axis]) / 2),
  zoom: 1,
});

export function viewOf(camera: Camera, plot: Plot): View {
  const [yaw, pitch] = [camera.yaw * camera.space, camera.pitch * camera.space];
  const turn = rotationMatrix(yaw, pitch);
  const extent = camera.box.high.map((high, axis) => high - camera.box.low[axis]);
  const [across, down] = roomFor(plot);
  const flat = Math.min(across / (extent[0] || 2), down / (extent[1] || 2));
  const radius = Math.hypot(...extent) / 2 || 1;
  const scale = Math.max(1e-6, flat + (turnedScale(extent, plot) - flat) * camera.space) * camera.zoom;
  const middle = [plot.x + plot.width / 2, plot.y + plot.height / 2];
  return { turn, scale, middle, centre: [...camera.centre], radius, space: camera.space, zoom: camera.zoom, plot };
}

/** Pixels per unit such that the box fits from every side at the first pitch, with room for titles of axes. */
function turnedScale(extent: number[], plot: Plot) {
  const across = Math.max(Math.hypot(extent[0], extent[2]), 0.3) * 1.1;
  const tall = Math.max(extent[1] * Math.cos(FIRST_TURN.pitch) + across * Math.sin(FIRST_TURN.pitch), 0.3) * 1.05;
  const [wide, high] = roomFor(plot);
  return Math.min(wide / across, high / tall);
}

/** @returns x, y in CSS pixels; the depth, which grows towards the reader, in the points' units */
export function project({ turn, scale, middle, centre }: View, spot: ArrayLike<number>): [number, number, number] {
  const [x, y, z] = [spot[0] - centre[0], spot[1] - centre[1], spot[2] - centre[2]];
  return [
    middle[0] + (turn[0] * x + turn[1] * y + turn[2] * z) * scale,
    middle[1] - (turn[3] * x + turn[4] * y + turn[5] * z) * scale,
    turn[6] * x + turn[7] * y + turn[8] * z,
  ];
}

/**
 * Where all points are on the screen.
 * @param spots (count, 3)
 * @returns (count, 2)
 */
export function screenSpots(spots: Float32Array, count: number, { turn, scale, middle, centre }: View): Float32Array {
  const screen = new Float32Array(2 * count);
  for (let at = 0; at < count; at += 1) {
    const [x, y, z] = [spots[3 * at] - centre[0], spots[3 * at + 1] - centre[1], spots[3 * at + 2] - centre[2]];
    screen[2 * at] = middle[0] + (turn[0] * x + turn[1] * y + turn[2] * z) * scale;
    screen[2 * at + 1] = middle[1] - (turn[3] * x + turn[4] * y + turn[5] * z) * scale;
  }
  return screen;
}

/**
 * How near each point is to the reader, counted from the coordinates' zero.
 * @param spots (count, 3)
 */
export function depthsOf(spots: Float32Array, count: number, { turn }: Pick<View, "turn">) {
  const depths = new Float32Array(count);
  const [a, b, c] = [turn[6], turn[7], turn[8]];
  for (let at = 0; at < count; at += 1) depths[at] = a * spots[3 * at] + b * spots[3 * at + 1] + c * spots[3 * at + 2];
  return depths;
}

/** The point under a place of the flat picture, in the units of the points. */
export function unproject({ scale, middle, centre }: View, x: number, y: number) {
  return [centre[0] + (x - middle[0]) / scale, centre[1] - (y - middle[1]) / scale];
}

/** Pan by some pixels along the screen. */
export function panCamera(camera: Camera, view: View, right: number, down: number) {
  const { turn, scale } = view;
  for (let axis = 0; axis < 3; axis += 1) camera.centre[axis] -= (turn[axis] * right - turn[3 + axis] * down) / scale;
  camera.touched = true;
}

/** Zoom about (x, y), which stays in place. */
export function zoomCamera(
  camera: Camera,
  view: View,
  factor: number,
  x: number = view.middle[0],
  y: number = view.middle[1],
) {
  const zoom = boundedZoom(camera.zoom * factor);
  const share = 1 - camera.zoom / zoom;
  panCamera(camera, view, -(x - view.middle[0]) * share, -(y - view.middle[1]) * share);
  camera.zoom = zoom;
}

/**
 * @param right radians
 * @param up radians
 */
export function turnCamera(camera: Camera, right: number, up: number) {
  camera.yaw = (camera.yaw + right) % (2 * Math.PI);
  camera.pitch = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, camera.pitch + up));
  camera.touched = true;
}

export const poseOf = ({ zoom, centre, yaw, pitch, box }: Pose): Pose => ({
  zoom,
  centre: [...centre],
  yaw,
  pitch,
  box,
});

const boxExtent = ({ low, high }: Box) => Math.max(...high.map((value, axis) => value - low[axis])) || 1;

/**
 * The camera as a link has it, if the reader has moved it: in the points' units, so that the same is seen in
 * a picture of another size and around another box.
 * @returns null where the reader has not moved it
 */
export const cameraNumbers = ({ zoom, centre, yaw, pitch, box, touched }: Camera): number[] | null =>
  touched ? [zoom / boxExtent(box), ...centre, yaw, pitch] : null;

/**
 * The part of the picture that is in view, in the coordinates' own units.
 * @returns the middle, yaw and pitch in radians, width and height
 */
export function visibleNumbers(
  { yaw, pitch }: Camera,
  { centre, scale, space, plot }: View,
  frame: { centre: number[]; scale: number },
): number[] {
  const [width, height] = [plot.width, plot.height].map((size) => size / scale / frame.scale);
  return [...fromFrame(frame, centre), yaw * space, pitch * space, width, height];
}

/**
 * Restore the camera of a link; invalid numbers are ignored.
 * @param numbers as cameraNumbers gives them
 */
export function restoreCamera(camera: Camera, numbers: number[]) {
  const [zoom, x, y, z, yaw, pitch] = numbers;
  if (numbers.length !== 6 || zoom <= 0) return;
  const { low, high } = camera.box;
  const far = 9 * boxExtent(camera.box);
  const centre = [x, y, z].map((value, axis) => Math.max(low[axis] - far, Math.min(high[axis] + far, value)));
  Object.assign(camera, { zoom: boundedZoom(zoom * boxExtent(camera.box)), centre, yaw: 0, pitch: 0 });
  turnCamera(camera, yaw, pitch);
}

/**
 * Interpolate a camera between two poses; zoom by factors, so that it looks even.
 * @param share of the way, 0 to 1
 */
export function glideCamera(camera: Camera, from: Pose, goal: Pose, share: number) {
  if (share === 1) return void Object.assign(camera, poseOf(goal));
  camera.zoom = from.zoom * (goal.zoom / from.zoom) ** share;
  camera.centre = interpolate(from.centre, goal.centre, share);
  [camera.yaw, camera.pitch] = interpolate([from.yaw, from.pitch], [goal.yaw, goal.pitch], share);
  camera.box = {
    low: interpolate(from.box.low, goal.box.low, share),
    high: interpolate(from.box.high, goal.box.high, share),
  };
}
