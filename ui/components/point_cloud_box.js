// The turned picture's ground: the three far faces of a box around the points, with gridlines, ticks and titles.

// The box in the units of the points, a little larger than what it holds and never flat.
function boxToDraw({ low, high }) {
  const most = Math.max(0.2, ...high.map((value, axis) => value - low[axis]));
  return low.map((value, axis) => {
    const half = Math.max((high[axis] - value) / 2, most * 0.12) * 1.06;
    const middle = (value + high[axis]) / 2;
    return [middle - half, middle + half];
  });
}

// Returns the boxes [left, top, width, height] of ticks and titles.
function drawBoxAxes(context, view, frame, axes, theme, alpha, box) {
  const sides = boxToDraw(box);
  const others = [[1, 2], [0, 2], [0, 1]];
  // Of each pair of faces one looks at the reader; the other one is behind the points.
  const behind = sides.map((side, axis) => side[view.turn[6 + axis] > 0 ? 0 : 1]);
  const longest = Math.max(...sides.map(([low, high]) => high - low)) / frame.scale;
  const step = niceStep(longest, 9, 1);
  const ticks = sides.map((side, axis) => {
    const [low, high] = side.map((at) => at / frame.scale + frame.centre[axis]);
    return tickMarks(low, high, step).map(({ value, text }) => ({ at: (value - frame.centre[axis]) * frame.scale, text }));
  });
  context.save();
  context.strokeStyle = theme.line;
  for (const axis of [0, 1, 2]) {
    const line = (place, other) => {
      const from = [...behind];
      const to = [...behind];
      from[axis] = to[axis] = place;
      [from[other], to[other]] = sides[other];
      strokeLine(context, [...project(view, from).slice(0, 2), ...project(view, to).slice(0, 2)]);
    };
    for (const other of others[axis]) {
      for (const { at, text } of ticks[axis]) {
        context.globalAlpha = alpha * (text === "0" ? 1 : 0.34);
        context.lineWidth = text === "0" ? 1.6 : 1;
        line(at, other);
      }
      context.globalAlpha = alpha * 0.7;
      context.lineWidth = 1;
      for (const end of sides[axis]) line(end, other);
    }
  }
  context.globalAlpha = alpha;
  context.fillStyle = theme.ink;
  const heart = project(view, sides.map(([low, high]) => (low + high) / 2));
  const written = [0, 1, 2].flatMap((axis) => labelEdge(context, view, { axis, others: others[axis], sides, ticks: ticks[axis], title: axes[axis] ?? "", heart, theme }));
  context.restore();
  return written;
}

// Writes ticks and title along the edge of an axis that lies on the outline of the box: below, or to the left.
function labelEdge(context, view, { axis, others, sides, ticks, title, heart, theme }) {
  const place = (corner, at) => {
    const spot = [0, 0, 0];
    spot[axis] = at;
    others.forEach((other, index) => (spot[other] = sides[other][corner[index]]));
    return project(view, spot);
  };
  const front = (corner) => others.map((other, index) => view.turn[6 + other] * (corner[index] ? 1 : -1) > 0);
  const edges = [[0, 0], [0, 1], [1, 0], [1, 1]].filter((corner) => front(corner)[0] !== front(corner)[1]);
  const [low, high] = sides[axis];
  const middles = edges.map((corner) => place(corner, (low + high) / 2));
  const [start, end] = [place(edges[0], low), place(edges[0], high)];
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  if (length < 46) return []; // seen from its end
  const upright = Math.abs(end[1] - start[1]) > Math.abs(end[0] - start[0]);
  const chosen = upright ? (middles[0][0] < middles[1][0] ? 0 : 1) : middles[0][1] > middles[1][1] ? 0 : 1;
  // Outwards: at a right angle to the edge, away from the middle of the box.
  let [outX, outY] = [(end[1] - start[1]) / length, -(end[0] - start[0]) / length];
  if (outX * (middles[chosen][0] - heart[0]) + outY * (middles[chosen][1] - heart[1]) < 0) [outX, outY] = [-outX, -outY];
  context.textBaseline = "middle";
  context.textAlign = Math.abs(outX) < 0.35 ? "center" : outX < 0 ? "right" : "left";
  context.font = `${AXIS_FONT}px ${theme.font}`;
  const room = Math.max(1, Math.ceil(34 / (length / Math.max(1, ticks.length))));
  const written = ticks.filter((_, index) => index % room === 0).map(({ at, text }) => {
    const [x, y] = place(edges[chosen], at);
    haloText(context, text, x + outX * 12, y + outY * 14, theme);
    return textBox(context, text, x + outX * 12, y + outY * 14);
  });
  context.font = `600 ${AXIS_FONT + 2}px ${theme.font}`;
  context.textAlign = "center";
  const [x, y] = middles[chosen];
  const half = context.measureText(title).width / 2;
  const inside = (value, most, margin) => Math.max(margin, Math.min(most - margin, value));
  const { plot } = view;
  const top = place(edges[chosen], view.turn[3 + axis] > 0 ? high : low);
  const [titleX, titleY] = upright ? [top[0], top[1] - 18] : [x + outX * (40 + Math.abs(outX) * Math.min(half, 70)), y + outY * 42];
  const spot = [inside(titleX, plot.width, half + 6), inside(titleY, plot.height, 13)];
  haloText(context, title, ...spot, theme);
  return [...written, textBox(context, title, ...spot)];
}

// What a text takes of the picture: [left, top, width, height].
function textBox(context, text, x, y) {
  const { width } = context.measureText(text);
  return [x - { left: 0, center: 0.5, right: 1 }[context.textAlign] * width, y - AXIS_FONT / 2 - 2, width, AXIS_FONT + 4];
}

function haloText(context, text, x, y, theme) {
  context.strokeStyle = theme.ground;
  context.lineWidth = 5;
  context.lineJoin = "round";
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}
