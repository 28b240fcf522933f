// Where a camera puts points, against turning them by hand.

import assert from "node:assert/strict";
import test from "node:test";

import {
  cameraNumbers,
  depthsOf,
  glideCamera,
  LEAST_ZOOM,
  MOST_ZOOM,
  newCamera,
  panCamera,
  poseFitting,
  poseOf,
  project,
  restoreCamera,
  screenSpots,
  turnCamera,
  unproject,
  viewOf,
  visibleNumbers,
  zoomCamera,
} from "../../../ui/components/point_cloud/camera.ts";
import { near } from "./near.ts";

const PLOT = { x: 84, y: 10, width: 906, height: 428 };
const BOX = { low: [-1, -0.5, -0.25], high: [1, 0.5, 0.25] };

function cameraAt(changes: object = {}) {
  return { ...newCamera(), ...poseFitting(BOX), ...changes };
}

/** First turned about the upright axis, then tipped towards the reader; the screen's y goes down. */
function byHand(camera: ReturnType<typeof cameraAt>, spot: number[], scale: number) {
  const [x, y, z] = spot.map((value, axis) => value - camera.centre[axis]);
  const yaw = camera.space * camera.yaw;
  const pitch = camera.space * camera.pitch;
  const across = x * Math.cos(yaw) + z * Math.sin(yaw);
  const away = -x * Math.sin(yaw) + z * Math.cos(yaw);
  const up = y * Math.cos(pitch) - away * Math.sin(pitch);
  const depth = y * Math.sin(pitch) + away * Math.cos(pitch);
  return [84 + 453 + across * scale, 10 + 214 - up * scale, depth];
}

test("a flat picture holds the box clear of tools and numbers at its edges", () => {
  const view = viewOf(cameraAt(), PLOT);
  near(view.scale, Math.min((906 - 124) / 2, (428 - 80) / 1));
  near(project(view, [0, 0.5, 0])[1], 10 + 40);
  near(project(view, [0, -0.5, 0])[1], 10 + 428 - 40);
  near(viewOf(cameraAt({ zoom: 3 }), PLOT).scale, 3 * view.scale);
  const wide = viewOf({ ...cameraAt(), ...poseFitting({ low: [-1, -0.1, 0], high: [1, 0.1, 0] }) }, PLOT);
  near(project(wide, [1, 0, 0])[0], 84 + 906 - 62);
});

test("points are turned, then tipped, then put on the screen", () => {
  for (const camera of [
    cameraAt(),
    cameraAt({ space: 1 }),
    cameraAt({ space: 1, yaw: 2.1, pitch: -1.2, centre: [0.3, -0.2, 0.1], zoom: 4 }),
    cameraAt({ space: 0.4, yaw: -0.9 }),
  ]) {
    const view = viewOf(camera, PLOT);
    const spots = [0.7, -0.3, 0.2, -1, 0.5, -0.25, 0, 0, 0];
    const screen = screenSpots(Float32Array.from(spots), 3, view);
    const depths = depthsOf(Float32Array.from(spots), 3, view);
    const zero = byHand(camera, [0, 0, 0], view.scale)[2];
    for (let at = 0; at < 3; at += 1) {
      const spot = spots.slice(3 * at, 3 * at + 3);
      const expected = byHand(camera, spot, view.scale);
      near(project(view, spot), expected, 1e-9);
      near([screen[2 * at], screen[2 * at + 1]], expected.slice(0, 2), 1e-3);
      near(depths[at], expected[2] - zero, 1e-6);
    }
  }
});

test("the turned picture has room for the box from every side at the first pitch", () => {
  for (const extent of [
    [2, 1, 0.5],
    [2, 2, 2],
    [0.1, 2, 0.1],
    [2, 0, 0],
  ]) {
    const box = { low: extent.map((value) => -value / 2), high: extent.map((value) => value / 2) };
    for (let yaw = 0; yaw < 6.3; yaw += 0.3) {
      const view = viewOf(
        { ...newCamera(), ...poseFitting(box), space: 1, yaw },
        { x: 0, y: 0, width: 900, height: 500 },
      );
      for (let corner = 0; corner < 8; corner += 1) {
        const spot = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? box.high : box.low)[axis]);
        const [x, y] = project(view, spot);
        assert.ok(x > 20 && x < 880 && y > 20 && y < 480, `${extent} from ${yaw}: ${x}, ${y}`);
      }
    }
  }
});

test("what is under a place of the flat picture is drawn there", () => {
  const view = viewOf(cameraAt({ zoom: 7, centre: [0.2, 0.1, 0] }), PLOT);
  const [x, y] = unproject(view, 300, 90);
  near(project(view, [x, y, 0]).slice(0, 2), [300, 90], 1e-9);
});

test("a drag takes every point along, by as many pixels, whatever the turn", () => {
  for (const space of [0, 1]) {
    const camera = cameraAt({ space, yaw: 1.1, zoom: 3 });
    const before = project(viewOf(camera, PLOT), [0.4, 0.3, -0.2]);
    panCamera(camera, viewOf(camera, PLOT), 31, -17);
    const after = project(viewOf(camera, PLOT), [0.4, 0.3, -0.2]);
    near([after[0] - before[0], after[1] - before[1]], [31, -17], 1e-9);
    assert.equal(camera.touched, true);
  }
});

test("zooming leaves what is under the pointer where it is, and ends at both bounds", () => {
  for (const space of [0, 1]) {
    const camera = cameraAt({ space });
    const spot = [0.4, 0.3, -0.2];
    const [x, y] = project(viewOf(camera, PLOT), spot);
    const { scale } = viewOf(camera, PLOT);
    zoomCamera(camera, viewOf(camera, PLOT), 2.5, x, y);
    near(project(viewOf(camera, PLOT), spot).slice(0, 2), [x, y], 1e-9);
    near(viewOf(camera, PLOT).scale, 2.5 * scale, 1e-9);
    zoomCamera(camera, viewOf(camera, PLOT), 1e9, x, y);
    assert.equal(camera.zoom, MOST_ZOOM);
    near(project(viewOf(camera, PLOT), spot).slice(0, 2), [x, y], 1e-6);
    zoomCamera(camera, viewOf(camera, PLOT), 1e-9);
    assert.equal(camera.zoom, LEAST_ZOOM);
  }
});

test("turning goes around and around, but never over the top", () => {
  const camera = cameraAt({ yaw: 0, pitch: 0 });
  turnCamera(camera, 7, 0.2);
  near([camera.yaw, camera.pitch], [7 - 2 * Math.PI, 0.2], 1e-12);
  turnCamera(camera, 0, 9);
  near(camera.pitch, Math.PI / 2);
  turnCamera(camera, 0, -9);
  near(camera.pitch, -Math.PI / 2);
});

test("a gliding camera zooms by even factors and arrives exactly", () => {
  const camera = cameraAt({ touched: true });
  const from = poseOf(cameraAt({ zoom: 2, yaw: 0, pitch: 0.1 }));
  const box = { low: [-3, -3, -3], high: [5, 3, 3] };
  const goal = { zoom: 18, centre: [1, 2, 3], yaw: 1, pitch: 0.3, box };
  glideCamera(camera, from, goal, 0.5);
  near(camera.zoom, 6);
  near(camera.centre, [0.5, 1, 1.5]);
  near([camera.yaw, camera.pitch], [0.5, 0.2]);
  near(camera.box.low, [-2, -1.75, -1.625]);
  near(camera.box.high, [3, 1.75, 1.625]);
  glideCamera(camera, from, goal, 1);
  assert.deepEqual(poseOf(camera), goal);
});

test("a camera that was moved stands where a link says, around another box and in another picture", () => {
  const moved = cameraAt({ space: 1 });
  zoomCamera(moved, viewOf(moved, PLOT), 3, 300, 200);
  turnCamera(moved, 2, -0.4);
  const numbers = cameraNumbers(moved);
  assert.ok(numbers);
  const again = { ...cameraAt({ space: 1 }), ...poseFitting({ low: [-2, -1, -0.5], high: [2, 1, 0.5] }) };
  restoreCamera(again, numbers);
  near([...again.centre, again.yaw, again.pitch], [...moved.centre, moved.yaw, moved.pitch]);
  near([again.zoom / 4], [moved.zoom / 2]); // as many pixels to a unit
  assert.equal(cameraNumbers(cameraAt()), null);
});

test("no number makes a camera that stands nowhere", () => {
  for (const numbers of [[1], [0, 0, 0, 0, 0, 0], [-1, 0, 0, 0, 0, 0], [1e29, 1e29, -1e29, 0, 1e29, 1e29]]) {
    const camera = cameraAt();
    restoreCamera(camera, numbers);
    assert.ok([camera.zoom, ...camera.centre, camera.yaw, camera.pitch].every(Number.isFinite));
    assert.ok(camera.zoom >= LEAST_ZOOM && camera.zoom <= MOST_ZOOM && Math.abs(camera.centre[0]) < 100);
  }
});

test("what is in view is said in the coordinates' own units, whatever the picture's size", () => {
  const camera = { ...newCamera(), zoom: 4, centre: [0.5, -0.25, 0], space: 1, yaw: 0.3, pitch: 0.2 };
  const view = viewOf(camera, { x: 10, y: 20, width: 600, height: 400 });
  const frame = { centre: [100, 200, 300], scale: 0.1 };
  const [x, y, z, yaw, pitch, width, height] = visibleNumbers(camera, view, frame);
  assert.deepEqual([x, y, z, yaw, pitch], [105, 197.5, 300, 0.3, 0.2]);
  // A point as far to the right as half of what is seen lies on the picture's edge.
  const [right] = project(
    view,
    [0, 1, 2].map((axis) => camera.centre[axis] + (view.turn[axis] * width * frame.scale) / 2),
  );
  const [, top] = project(
    view,
    [0, 1, 2].map((axis) => camera.centre[axis] + (view.turn[3 + axis] * height * frame.scale) / 2),
  );
  assert.ok(Math.abs(right - 610) < 1e-9);
  assert.ok(Math.abs(top - 20) < 1e-9);
  const flat = { ...camera, space: 0 };
  assert.deepEqual(visibleNumbers(flat, viewOf(flat, view.plot), frame).slice(3, 5), [0, 0]);
});
