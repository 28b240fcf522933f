// A turned body in parallel projection.

/**
 * What turns a point into the screen's directions, one row each: to the right, along the body's own upright, towards
 * the reader. The body is first turned to the side by yaw, then tilted towards the reader by pitch.
 * @param yaw radians
 * @param pitch radians
 * @returns 9 numbers, row by row; orthonormal
 */
export function rotationMatrix(yaw: number, pitch: number): number[] {
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return [cy, 0, sy, sy * sp, cp, -cy * sp, -sy * cp, sp, cy * cp];
}
