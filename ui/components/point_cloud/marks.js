// What stands out of the crowd: the chosen point with lines to its neighbours, what a search found, the text's path,
// points that are always named, the point under the pointer, the names of all these; and under them the crowd's own.

import { NARROW, strokeLine } from "./axes.js";
import { project } from "./camera.js";
import { drawLandmarks } from "./landmarks.js";
import { ALWAYS, BESIDE, drawLeaders, drawNames, OFF, placeNames } from "./names.js";
import { dot, drawPathDots, drawPathLine, pathNames, pathSpots } from "./path.js";

const MOST_FOUND_NAMES = 240; // more than any screen has room for
const FEW_NEIGHBOURS = 3; // that have a name on a narrow screen, even where there is room only away from them

// picture: {model, header, view, spots, screen(index), chosen, neighbours, found, hovered, mix, link, tint(index), theme}
// Returns the names as drawn: of what stands out, and the crowd's.
export function drawMarks(context, picture) {
  const { model, header, view, chosen, neighbours, hovered, theme, link } = picture;
  const { plot } = view;
  context.save();
  context.beginPath();
  context.rect(plot.x, plot.y, plot.width, plot.height);
  context.clip();
  const path = pathSpots(header.path, model.frame, picture.mix).map((spot) => project(view, spot));
  const { wanted, dots } = namesWanted(picture, path);
  const ring = chosen === null ? null : picture.screen(chosen);
  const placed = placeNames(context, wanted, { dots, ring, written: picture.written }, plot, theme);
  const crowd = drawLandmarks(context, picture, placed, dots, path);
  drawLeaders(context, placed, theme);
  if (chosen !== null) {
    const centre = picture.screen(chosen);
    for (const [index] of neighbours) {
      const to = picture.screen(index);
      context.strokeStyle = theme.ground;
      context.lineWidth = 4;
      strokeLine(context, [...centre, ...to]);
      context.strokeStyle = theme.ink;
      context.lineWidth = 1.4;
      strokeLine(context, [...centre, ...to]);
    }
    for (const [index] of neighbours) dot(context, ...picture.screen(index), 5.5, picture.tint(index), theme);
  }
  for (const index of header.named) dot(context, ...picture.screen(index), 5.5, picture.tint(index), theme);
  if (path.length > 1) drawPathLine(context, path, theme);
  drawPathDots(context, path, header.path, link, theme);
  if (chosen !== null) {
    const [x, y] = picture.screen(chosen);
    dot(context, x, y, 9.5, theme.ink, theme);
    dot(context, x, y, 5, picture.tint(chosen), theme);
  }
  if (hovered !== null && hovered !== chosen) drawHover(context, picture, hovered);
  drawNames(context, placed, theme);
  context.restore();
  return { placed, crowd };
}

// Names in order of importance, and the spots that they should not cover.
function namesWanted({ model, header, view, chosen, neighbours, found, marked, screen, link }, path) {
  const { plot } = view;
  const narrow = plot.width < NARROW;
  const wanted = [];
  const dots = path.map(([x, y]) => [x, y]);
  const named = new Set();
  const tokens = pathNames(path, header.path, link).filter(({ x, y }) => inSight(plot, x, y));
  const tokenAt = (x, y, label) =>
    tokens.find((token) => token.label === label && Math.hypot(token.x - x, token.y - y) < 1.5);
  const want = (index, look, place, gap) => {
    const [x, y] = screen(index);
    if (named.has(index) || !inSight(plot, x, y)) return;
    named.add(index);
    dots.push([x, y]);
    const token = tokenAt(x, y, model.labels[index]); // the same point: one name says both
    if (!token) wanted.push({ x, y, text: model.labels[index], look, place, gap });
    else if (place === ALWAYS)
      Object.assign(token, { place, gap, look: look === "chosen" && token.look === "path" ? look : token.look });
  };
  if (chosen !== null) want(chosen, "chosen", ALWAYS, 11);
  for (const index of header.named) want(index, "named", ALWAYS, 7);
  for (const token of tokens) token.place ??= token.look === "path" ? (narrow ? BESIDE : OFF) : ALWAYS;
  wanted.push(...tokens.sort((a, b) => b.place - a.place));
  neighbours.forEach(([index], rank) => want(index, "neighbour", narrow && rank >= FEW_NEIGHBOURS ? BESIDE : OFF, 7));
  // Beside a chosen point's neighbours, what a search found is told by its colour alone.
  if (chosen === null || marked) for (const index of found.slice(0, MOST_FOUND_NAMES)) want(index, "found", BESIDE, 6);
  return { wanted, dots };
}

function drawHover(context, { screen, tint, theme }, index) {
  const [x, y] = screen(index);
  dot(context, x, y, 8.5, theme.accent, theme);
  dot(context, x, y, 4.5, tint(index), theme);
}

const inSight = (plot, x, y) => x >= plot.x && x <= plot.x + plot.width && y >= plot.y && y <= plot.y + plot.height;
