// A rotated body in parallel projection.

import assert from "node:assert/strict";
import test from "node:test";

import { rotationMatrix } from "../../../ui/components/_shared/camera.ts";

test("a rotation by yaw and then by pitch is the product of the two, written out", () => {
  const [yaw, pitch] = [0.7, -0.4];
  const product = (a: number[], b: number[]) =>
    [0, 1, 2].flatMap((row) =>
      [0, 1, 2].map((column) => [0, 1, 2].reduce((sum, k) => sum + a[3 * row + k] * b[3 * k + column], 0)),
    );
  const aroundUpright = [Math.cos(yaw), 0, Math.sin(yaw), 0, 1, 0, -Math.sin(yaw), 0, Math.cos(yaw)];
  const aroundAcross = [1, 0, 0, 0, Math.cos(pitch), -Math.sin(pitch), 0, Math.sin(pitch), Math.cos(pitch)];
  product(aroundAcross, aroundUpright).forEach((value, at) =>
    assert.ok(Math.abs(value - rotationMatrix(yaw, pitch)[at]) < 1e-9),
  );
});
