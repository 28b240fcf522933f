// In which order points are drawn, and which of them is under the pointer.

export const PLAIN = 0;
export const DIM = 1;
export const FRONT = 2;

// Least first: dim points below plain ones below those that stand out; within each by depth where there is one, else
// in an order that mixes kinds and ids, the same every time.
export function drawOrder(count, states, depths) {
  const buckets = new Uint32Array(3 * 0x4000 + 1);
  const keys = new Uint16Array(count);
  const layers = [1, 0, 2]; // of PLAIN, DIM, FRONT
  let [least, greatest] = [Infinity, -Infinity];
  if (depths) {
    for (let at = 0; at < count; at += 1) {
      if (depths[at] < least) least = depths[at];
      if (depths[at] > greatest) greatest = depths[at];
    }
  }
  const perUnit = greatest > least ? 0x3fff / (greatest - least) : 0;
  for (let at = 0; at < count; at += 1) {
    const within = depths ? (depths[at] - least) * perUnit : Math.imul(at, 2654435761) >>> 18;
    keys[at] = layers[states[at]] * 0x4000 + within;
    buckets[keys[at] + 1] += 1;
  }
  for (let key = 1; key < buckets.length; key += 1) buckets[key] += buckets[key - 1];
  const order = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) order[buckets[keys[at]]++] = at;
  return order;
}

// How near each point is to the reader.
export function depthsOf(spots, count, { turn }) {
  const depths = new Float32Array(count);
  const [a, b, c] = [turn[6], turn[7], turn[8]];
  for (let at = 0; at < count; at += 1) depths[at] = a * spots[3 * at] + b * spots[3 * at + 1] + c * spots[3 * at + 2];
  return depths;
}

// Where all points are on the screen: (count, 2).
export function screenSpots(spots, count, { turn, scale, middle, centre }) {
  const screen = new Float32Array(2 * count);
  for (let at = 0; at < count; at += 1) {
    const [x, y, z] = [spots[3 * at] - centre[0], spots[3 * at + 1] - centre[1], spots[3 * at + 2] - centre[2]];
    screen[2 * at] = middle[0] + (turn[0] * x + turn[1] * y + turn[2] * z) * scale;
    screen[2 * at + 1] = middle[1] - (turn[3] * x + turn[4] * y + turn[5] * z) * scale;
  }
  return screen;
}

const CELL = 14; // CSS pixels: as far as a point answers to the pointer

// Sorts the points in sight into cells of the screen, so that a move of the pointer looks at nine of them.
export function pickGrid(screen, count, { plot }) {
  const columns = Math.ceil(plot.width / CELL) + 1;
  const rows = Math.ceil(plot.height / CELL) + 1;
  const starts = new Uint32Array(columns * rows + 1);
  const cells = new Int32Array(count);
  for (let at = 0; at < count; at += 1) {
    const column = Math.floor((screen[2 * at] - plot.x) / CELL);
    const row = Math.floor((screen[2 * at + 1] - plot.y) / CELL);
    const inside = column >= 0 && column < columns && row >= 0 && row < rows;
    cells[at] = inside ? row * columns + column : -1;
    if (inside) starts[cells[at] + 1] += 1;
  }
  for (let cell = 1; cell < starts.length; cell += 1) starts[cell] += starts[cell - 1];
  const next = starts.slice();
  const members = new Uint32Array(starts[starts.length - 1]);
  for (let at = 0; at < count; at += 1) if (cells[at] >= 0) members[next[cells[at]]++] = at;
  return { screen, columns, rows, starts, members, plot };
}

// The nearest point within reach of (x, y), null where there is none; favour(index) in pixels lets some answer sooner.
export function pick({ screen, columns, rows, starts, members, plot }, x, y, favour = () => 0) {
  const [column, row] = [Math.floor((x - plot.x) / CELL), Math.floor((y - plot.y) / CELL)];
  let [best, least] = [null, Infinity];
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r += 1) {
    for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c += 1) {
      for (let slot = starts[r * columns + c]; slot < starts[r * columns + c + 1]; slot += 1) {
        const at = members[slot];
        const distance = Math.hypot(screen[2 * at] - x, screen[2 * at + 1] - y);
        const cost = distance - favour(at);
        if (distance <= CELL && cost < least) [best, least] = [at, cost];
      }
    }
  }
  return best;
}

// Point indices by their distance from (x, y) on the screen, the nearest first.
export function nearestOnScreen(screen, count, x, y, howMany) {
  const distances = new Float32Array(count);
  for (let at = 0; at < count; at += 1) distances[at] = Math.hypot(screen[2 * at] - x, screen[2 * at + 1] - y);
  return Array.from(distances.keys())
    .sort((a, b) => distances[a] - distances[b] || a - b)
    .slice(0, howMany);
}
