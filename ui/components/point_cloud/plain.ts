// The same points without a graphics processor: each is laid into an image pixel by pixel, by the rules of the shaders
// in gl.ts. It serves where the browser has no WebGL 2, or has lost it.

import { contextOf } from "../_shared/elements.ts";
import { depthsOf, screenSpots } from "./camera.ts";
import type { Painter, Scene } from "./gl.ts";
import { blend } from "./model.ts";
import { FRONT } from "./picking.ts";

export function plainPainter(canvas: HTMLCanvasElement): Painter {
  const context = contextOf(canvas);
  let image: ImageData | null = null;

  function draw(scene: Scene) {
    const { count, order, view, width, height } = scene;
    const ratio = Math.min(scene.ratio, 1.5); // every further pixel costs time
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (!image || canvas.width !== w || canvas.height !== h) {
      [canvas.width, canvas.height] = [w, h];
      image = context.createImageData(w, h);
    }
    image.data.fill(0);
    const { plot } = view;
    const clip = [plot.x, plot.y, plot.x + plot.width, plot.y + plot.height].map((edge) => Math.round(edge * ratio));
    const spots = scene.from && scene.share < 1 ? blend(scene.from, scene.spots, scene.share) : scene.spots;
    const screen = screenSpots(spots, count, view);
    const depths = view.space > 0 ? depthsOf(spots, count, view) : null;
    const depthMiddle = depths
      ? view.turn[6] * view.centre[0] + view.turn[7] * view.centre[1] + view.turn[8] * view.centre[2]
      : 0;
    for (let place = 0; place < count; place += 1) {
      const at = order[place];
      const [x, y] = [screen[2 * at] * ratio, screen[2 * at + 1] * ratio];
      if (x < clip[0] - 20 || x > clip[2] + 20 || y < clip[1] - 20 || y > clip[3] + 20) continue;
      const near = depths ? Math.max(0, Math.min(1, 0.5 + (0.5 * (depths[at] - depthMiddle)) / view.radius)) : 1;
      layDot(image, clip, x, y, dotOf(scene, at, near, ratio));
    }
    context.putImageData(image, 0, 0);
  }

  return { name: "plain", canvas, draw, release: () => {} };
}

/**
 * Radius, alpha and colours of one point.
 * @param near 0 for the farthest points, 1 for the nearest
 */
function dotOf({ tints, states, palette, style, view }: Scene, at: number, near: number, ratio: number) {
  const [state, tint] = [states[at], 4 * tints[at]];
  const inDepth = 1 + (0.72 + 0.48 * near - 1) * view.space;
  const faded = state === FRONT ? 1 : 1 + (0.4 + 0.6 * near - 1) * view.space;
  return {
    radius: (style.diameters[state] * inDepth * ratio) / 2,
    alpha: style.alphas[state] * faded,
    rim: state === FRONT ? style.rim * ratio : 0,
    rimColour: style.rimColour,
    r: palette[tint],
    g: palette[tint + 1],
    b: palette[tint + 2],
  };
}

/** @param clip left, top, right, bottom in the image's pixels */
function layDot(
  { data, width }: ImageData,
  clip: number[],
  x: number,
  y: number,
  { radius, alpha, rim, rimColour, r, g, b }: ReturnType<typeof dotOf>,
) {
  const reach = radius + 0.5;
  const [left, right] = [Math.max(clip[0], Math.floor(x - reach)), Math.min(clip[2] - 1, Math.ceil(x + reach))];
  const [top, bottom] = [Math.max(clip[1], Math.floor(y - reach)), Math.min(clip[3] - 1, Math.ceil(y + reach))];
  for (let row = top; row <= bottom; row += 1) {
    const dy = row + 0.5 - y;
    for (let column = left; column <= right; column += 1) {
      const dx = column + 0.5 - x;
      const far = Math.sqrt(dx * dx + dy * dy);
      if (far >= reach) continue;
      const over = alpha * Math.min(1, reach - far);
      const inside = rim ? Math.max(0, Math.min(1, reach - rim - far)) : 1;
      const pixel = 4 * (row * width + column);
      // Not multiplied by alpha: what is under it counts by what of it still shows.
      const under = (data[pixel + 3] / 255) * (1 - over);
      const sum = over + under;
      data[pixel] = ((rimColour[0] + (r - rimColour[0]) * inside) * over + data[pixel] * under) / sum;
      data[pixel + 1] = ((rimColour[1] + (g - rimColour[1]) * inside) * over + data[pixel + 1] * under) / sum;
      data[pixel + 2] = ((rimColour[2] + (b - rimColour[2]) * inside) * over + data[pixel + 2] * under) / sum;
      data[pixel + 3] = 255 * sum;
    }
  }
}
