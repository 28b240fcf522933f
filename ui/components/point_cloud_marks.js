// What stands out of the crowd: the chosen point with lines to its neighbours, what a search found, the text's path,
// the point under the pointer, the names of all these.

// picture: {model, header, view, spots, screen(index), chosen, neighbours, found, hovered, mix, link, tint(index), theme}
function drawMarks(context, picture) {
  const { model, header, view, chosen, neighbours, hovered, theme, link } = picture;
  const { plot } = view;
  context.save();
  context.beginPath();
  context.rect(plot.x, plot.y, plot.width, plot.height);
  context.clip();
  const path = pathSpots(header.path, model.frame, picture.mix).map((spot) => project(view, spot));
  const dots = [];
  const wanted = [];
  const want = (index, look, must, gap, text = model.labels[index]) => {
    const [x, y] = picture.screen(index);
    if (!inSight(plot, x, y)) return;
    wanted.push({ x, y, text, look, must, gap });
    dots.push([x, y]);
  };
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
  if (path.length > 1) drawPathLine(context, path, theme);
  drawPathDots(context, path, header.path, link, theme);
  if (chosen !== null) {
    const [x, y] = picture.screen(chosen);
    dot(context, x, y, 9.5, theme.ink, theme);
    dot(context, x, y, 5, picture.tint(chosen), theme);
    want(chosen, "chosen", true, 11);
  }
  for (const name of pathNames(path, header.path, link)) if (inSight(plot, name.x, name.y)) wanted.push(name);
  for (const [x, y] of path) dots.push([x, y]);
  if (chosen !== null) for (const [index] of neighbours) want(index, "neighbour", true, 7);
  if (hovered !== null && hovered !== chosen) drawHover(context, picture, hovered);
  let named = 0;
  for (const index of picture.found) {
    if (named > 240) break; // more names than any screen has room for
    if (index === chosen) continue;
    want(index, "found", false, 6);
    named += 1;
  }
  const placed = placeNames(context, wanted, dots, plot, theme);
  drawNames(context, placed, theme);
  context.restore();
  return placed;
}

function drawHover(context, { screen, tint, theme }, index) {
  const [x, y] = screen(index);
  dot(context, x, y, 8.5, theme.accent, theme);
  dot(context, x, y, 4.5, tint(index), theme);
}

const inSight = (plot, x, y) => x >= plot.x && x <= plot.x + plot.width && y >= plot.y && y <= plot.y + plot.height;
