// From where the block is seen. Parallel projection: one step along an axis is the same vector on the screen everywhere,
// so that every face is an affine picture. Dimensions run to the right, positions down, the batch to the back.

export const CORNER = [30, 24]; // degrees to the side and from above: all three cuts are in sight
const EXPONENTS = Array.from({ length: 26 }, (_, step) => step / 50);
const MOST_GROWTH = 1.5; // of a side seen straight on, against the corner
const LEAST_SHARE = 0.1; // of what is seen, for the smallest of the three sides

// {at(index) -> [x, y], steps, facing}: facing is above 0 where an axis' first side is seen, below 0 where its last is.
export function blockCamera(counts, plot, yaw, pitch) {
  const lengths = edgeLengths(counts, plot);
  const scale = Math.min(fittingScale(lengths, plot, yaw, pitch), MOST_GROWTH * fittingScale(lengths, plot, ...CORNER));
  const { steps: edges, facing } = turnedEdges(lengths, yaw, pitch);
  const steps = edges.map((edge, axis) => edge.map((part) => (part * scale) / counts[axis]));
  const middle = [plot.x + plot.width / 2, plot.y + plot.height / 2];
  const at = (index) =>
    [0, 1].map((side) =>
      index.reduce((sum, k, axis) => sum + steps[axis][side] * (k - counts[axis] / 2), middle[side]),
    );
  return { at, steps, facing };
}

// The three edges on the screen, each from its first index to its last.
function turnedEdges([deep, tall, wide], yaw, pitch) {
  const [turn, tilt] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
  const [cy, sy, cp, sp] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)];
  return {
    steps: [
      [-sy * deep, -cy * sp * deep],
      [0, cp * tall],
      [cy * wide, -sy * sp * wide],
    ],
    facing: [cy * cp, sp, sy * cp],
  };
}

function fittingScale(lengths, plot, yaw, pitch) {
  const { steps } = turnedEdges(lengths, yaw, pitch);
  const extent = (side) => steps.reduce((sum, step) => sum + Math.abs(step[side]), 1e-9);
  return Math.min(plot.width / extent(0), plot.height / extent(1));
}

// A block of 8 x 4 x 256 drawn to scale is a needle: its edges grow with a power of the counts, that one by which its
// faces fill the picture best.
function edgeLengths(counts, plot) {
  let best = { area: -1 };
  for (const exponent of EXPONENTS) {
    const lengths = counts.map((count) => count ** exponent);
    const scale = fittingScale(lengths, plot, ...CORNER);
    const [a, b, c] = turnedEdges(lengths, ...CORNER).steps;
    const across = ([x, y], [u, v]) => Math.abs(x * v - y * u);
    const sides = [across(a, b), across(b, c), across(a, c)];
    const sum = sides[0] + sides[1] + sides[2];
    const area = sum * scale ** 2 * Math.min(1, Math.min(...sides) / sum / LEAST_SHARE);
    if (area > best.area) best = { area, lengths };
  }
  return best.lengths;
}

// Round labels there is less room on a phone.
export function blockPlot(width, height) {
  const [left, right, top, bottom] = width < 640 ? [58, 88, 14, 56] : [104, 214, 18, 68];
  return { x: left, y: top, width: Math.max(40, width - left - right), height: height - top - bottom };
}
