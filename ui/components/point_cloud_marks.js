// What stands out of the crowd: the chosen point with lines to its neighbours, what a search found, the text's path,
// points that are always named, the point under the pointer, the names of all these; and under them the crowd's own.

const MOST_FOUND_NAMES = 240; // more than any screen has room for

// picture: {model, header, view, spots, screen(index), chosen, neighbours, found, hovered, mix, link, tint(index), theme}
// Returns the crowd's names, as drawn.
function drawMarks(context, picture) {
  const { model, header, view, chosen, neighbours, hovered, theme, link } = picture;
  const { plot } = view;
  context.save();
  context.beginPath();
  context.rect(plot.x, plot.y, plot.width, plot.height);
  context.clip();
  const path = pathSpots(header.path, model.frame, picture.mix).map((spot) => project(view, spot));
  const { wanted, dots } = namesWanted(picture, path);
  const placed = placeNames(context, wanted, dots, plot, theme);
  const crowd = drawLandmarks(context, picture, placed, dots, path);
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
  return crowd;
}

// Names in order of importance, and the spots that they should not cover.
function namesWanted({ model, header, view, chosen, neighbours, found, screen, link }, path) {
  const { plot } = view;
  const wanted = [];
  const dots = path.map(([x, y]) => [x, y]);
  const named = new Set();
  const want = (index, look, must, gap) => {
    const [x, y] = screen(index);
    if (named.has(index) || !inSight(plot, x, y)) return;
    named.add(index);
    wanted.push({ x, y, text: model.labels[index], look, must, gap });
    dots.push([x, y]);
  };
  if (chosen !== null) want(chosen, "chosen", true, 11);
  for (const name of pathNames(path, header.path, link)) if (inSight(plot, name.x, name.y)) wanted.push(name);
  for (const [index] of neighbours) want(index, "neighbour", true, 7);
  for (const index of header.named) want(index, "named", true, 7);
  for (const index of found.slice(0, MOST_FOUND_NAMES)) want(index, "found", false, 6);
  return { wanted, dots };
}

function drawHover(context, { screen, tint, theme }, index) {
  const [x, y] = screen(index);
  dot(context, x, y, 8.5, theme.accent, theme);
  dot(context, x, y, 4.5, tint(index), theme);
}

const inSight = (plot, x, y) => x >= plot.x && x <= plot.x + plot.width && y >= plot.y && y <= plot.y + plot.height;
