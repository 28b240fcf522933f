// What stands out of the crowd: the chosen point with lines to its neighbours, what a search found, the text's path,
// points that are always named, the point under the pointer, the names of all these; and under them the crowd's own.

import { link } from "../_shared/link.ts";
import { NARROW, strokeLine } from "./axes.ts";
import type { Plot } from "./camera.ts";
import { drawLandmarks } from "./landmarks.ts";
import { ALWAYS, BESIDE, drawLeaders, drawNames, type Look, OFF, placeNames, type Wanted } from "./names.ts";
import { dot, drawPathDots, drawPathLine, pathNames } from "./path.ts";
import type { Named, Shown } from "./scene.ts";

const MOST_FOUND_NAMES = 240; // more than any screen has room for
const FEW_NEIGHBOURS = 3; // that have a name on a narrow screen, even where there is room only away from them

interface Seen {
  path: number[][]; // on the screen
  screen: (index: number) => number[]; // where a point is
  tint: (index: number) => string; // its colour
}
export type Picture = Shown & Seen;

/** @returns the names as drawn */
export function drawMarks(context: CanvasRenderingContext2D, picture: Picture): Named {
  const { header, view, chosen, neighbours, hovered, theme, path } = picture;
  const { plot } = view;
  context.save();
  context.beginPath();
  context.rect(plot.x, plot.y, plot.width, plot.height);
  context.clip();
  const { wanted, dots } = namesWanted(picture);
  const ring = chosen === null ? null : picture.screen(chosen);
  const placed = placeNames(context, wanted, { dots, ring, written: picture.written }, plot, theme);
  const crowd = drawLandmarks(context, picture, placed, dots, path);
  drawLeaders(context, placed, theme);
  if (chosen !== null) {
    const [x, y] = picture.screen(chosen);
    for (const [index] of neighbours) {
      const [toX, toY] = picture.screen(index);
      context.strokeStyle = theme.ground;
      context.lineWidth = 4;
      strokeLine(context, x, y, toX, toY);
      context.strokeStyle = theme.ink;
      context.lineWidth = 1.4;
      strokeLine(context, x, y, toX, toY);
    }
    for (const [index] of neighbours) drawDot(context, picture, index, 5.5);
  }
  for (const index of header.named) drawDot(context, picture, index, 5.5);
  if (path.length > 1) drawPathLine(context, path, theme);
  drawPathDots(context, path, header.path, link, theme);
  if (chosen !== null) {
    drawDot(context, picture, chosen, 9.5, theme.ink);
    drawDot(context, picture, chosen, 5);
  }
  if (hovered !== null && hovered !== chosen) {
    drawDot(context, picture, hovered, 8.5, theme.accent);
    drawDot(context, picture, hovered, 4.5);
  }
  drawNames(context, placed, theme);
  context.restore();
  return { placed, crowd };
}

/** Names in order of importance, and the spots that they should not cover. */
function namesWanted({ model, header, view, chosen, neighbours, found, marked, screen, path }: Picture) {
  const { plot } = view;
  const narrow = plot.width < NARROW;
  const wanted: (Wanted & { label?: string })[] = [];
  const dots = path.map(([x, y]) => [x, y]);
  const named = new Set();
  const tokens = pathNames(path, header.path, link).filter(({ x, y }) => inSight(plot, x, y));
  const want: (index: number, look: Look, place: number, gap: number) => void = (index, look, place, gap) => {
    const [x, y] = screen(index);
    if (named.has(index) || !inSight(plot, x, y)) return;
    named.add(index);
    dots.push([x, y]);
    const text = model.labels[index];
    const token = tokens.find((one) => one.label === text && Math.hypot(one.x - x, one.y - y) < 1.5);
    if (!token) wanted.push({ x, y, text, look, place, gap });
    // The same point: one name says both.
    else if (place === ALWAYS)
      Object.assign(token, { place, gap, look: look === "chosen" && token.look === "path" ? look : token.look });
  };
  if (chosen !== null) want(chosen, "chosen", ALWAYS, 11);
  for (const index of header.named) want(index, "named", ALWAYS, 7);
  const unlit = narrow ? BESIDE : OFF;
  const placed = tokens.map((token) => ({ ...token, place: token.place ?? (token.look === "path" ? unlit : ALWAYS) }));
  wanted.push(...placed.sort((a, b) => b.place - a.place));
  neighbours.forEach(([index], rank) => want(index, "neighbour", narrow && rank >= FEW_NEIGHBOURS ? BESIDE : OFF, 7));
  // Beside a chosen point's neighbours, what a search found is told by its colour alone.
  if (chosen === null || marked) for (const index of found.slice(0, MOST_FOUND_NAMES)) want(index, "found", BESIDE, 6);
  return { wanted, dots };
}

/** @param colour its own unless it is given */
function drawDot(
  context: CanvasRenderingContext2D,
  { screen, tint, theme }: Picture,
  index: number,
  radius: number,
  colour: string = tint(index),
) {
  const [x, y] = screen(index);
  dot(context, x, y, radius, colour, theme);
}

const inSight = (plot: Plot, x: number, y: number) =>
  x >= plot.x && x <= plot.x + plot.width && y >= plot.y && y <= plot.y + plot.height;
