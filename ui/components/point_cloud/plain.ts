// Points drawn without a graphics processor: a circle for each. For browsers that have no WebGL 2, or have lost it.

import { canvasContext } from "../_shared/elements.ts";
import { depthsOf, screenSpots } from "./camera.ts";
import type { Painter, Scene } from "./gl.ts";
import { blend } from "./model.ts";
import { FRONT } from "./picking.ts";

export function plainPainter(canvas: HTMLCanvasElement): Painter {
  const context = canvasContext(canvas);

  function draw(scene: Scene) {
    const { spots, from, share, count, states, view, palette, style, ratio } = scene;
    [canvas.width, canvas.height] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const places = from && share < 1 ? blend(from, spots, share) : spots;
    const screen = screenSpots(places, count, view);
    const depths = depthsOf(places, count, view);
    const [middle] = depthsOf(Float32Array.from(view.centre), 1, view);
    const circle = (at: number, radius: number, colour: ArrayLike<number>, offset: number) => {
      context.beginPath();
      context.arc(screen[2 * at], screen[2 * at + 1], Math.max(0, radius), 0, 2 * Math.PI);
      context.fillStyle = `rgb(${colour[offset]} ${colour[offset + 1]} ${colour[offset + 2]})`;
      context.fill();
    };
    for (const at of scene.order) {
      const state = states[at];
      const near = Math.max(0, Math.min(1, 0.5 + (0.5 * (depths[at] - middle)) / view.radius)); // as in gl.ts
      const radius = (style.diameters[state] / 2) * (1 + (0.48 * near - 0.28) * view.space);
      context.globalAlpha = style.alphas[state] * (state === FRONT ? 1 : 1 + (0.6 * near - 0.6) * view.space);
      if (state === FRONT && style.rim) circle(at, radius, style.rimColour, 0);
      circle(at, radius - (state === FRONT ? style.rim : 0), palette, 4 * scene.tints[at]);
    }
  }

  return { name: "plain", canvas, draw, release: () => {} };
}
