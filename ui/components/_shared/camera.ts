// A rotated body in parallel projection.

/**
 * Return the matrix that rotates a point first by yaw, about the upright axis, then by pitch, towards the reader. Its
 * rows are the screen's directions: to the right, up, and towards the reader.
 * @param yaw radians
 * @param pitch radians
 * @returns 9 numbers, row by row; orthonormal
 */
export function rotationMatrix(yaw: number, pitch: number): number[] {
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return [cy, 0, sy, sy * sp, cp, -cy * sp, -sy * cp, sp, cy * cp];
}
