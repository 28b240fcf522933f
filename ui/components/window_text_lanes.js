// Which line under the text each window of the batch is drawn on: windows that overlap lie on lines of their own.

// {count, lanes}: lanes[row] of the batch, or -1 where more overlap than there are lines.
function windowLanes({ starts, max_length: length, max_lanes: most }) {
  const order = starts.map((start, row) => ({ start, row })).sort((a, b) => a.start - b.start || a.row - b.row);
  const ends = []; // of each line so far
  const lanes = starts.map(() => -1);
  let deepest = 0; // how many overlap somewhere, drawn or not
  const open = [];
  for (const { start, row } of order) {
    let lane = ends.findIndex((end) => end <= start);
    if (lane < 0 && ends.length < most) lane = ends.length;
    if (lane >= 0) {
      ends[lane] = start + length;
      lanes[row] = lane;
    }
    while (open.length && open[0] <= start) open.shift();
    open.push(start + length);
    deepest = Math.max(deepest, open.length);
  }
  return { count: ends.length, lanes, deepest };
}

function laneHeight(count) {
  if (count <= 4) return 20;
  return count <= 7 ? 10 : 6;
}

// What a token has under it: one bar for each window that it is in, joined to the next token's unless the window ends.
function laneBars(data, layout, position) {
  const height = laneHeight(layout.count);
  const lanes = makeElement("span", { className: "lanes" });
  let deepest = -1; // no room for lines that no window here is on
  data.starts.forEach((start, row) => {
    const place = position - start;
    if (layout.lanes[row] < 0 || place < 0 || place >= data.max_length) return;
    deepest = Math.max(deepest, layout.lanes[row]);
    const bar = makeElement("i", { className: "lane", "aria-hidden": "true" });
    if (place === 0) bar.classList.add("first");
    if (place === data.max_length - 1) bar.classList.add("last");
    bar.style.top = `${layout.lanes[row] * (height + 3)}px`;
    bar.style.height = `${height}px`;
    if (place === 0 && height >= 20) bar.append(makeElement("b", { text: String(row) }));
    lanes.append(bar);
  });
  lanes.style.height = `${(deepest + 1) * (height + 3)}px`;
  return lanes;
}

// The batch's rows that read a token, and where; {row, place} each.
function rowsWith(data, position) {
  return data.starts.flatMap((start, row) => {
    const place = position - start;
    return place >= 0 && place < data.max_length ? [{ row, place }] : [];
  });
}

// The batch's rows for which a token is the last target and no input.
function rowsEndingWith(data, position) {
  return data.starts.flatMap((start, row) => (position === start + data.max_length ? [{ row, place: data.max_length - 1 }] : []));
}
