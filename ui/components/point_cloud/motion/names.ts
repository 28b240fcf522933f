// Where groups of moving words gather: their tinted regions. Which labels the words have: groups beside their clusters;
// kinds and words of the group that is pointed at; the chosen word and its neighbours.

import type { Plot } from "../camera.ts";
import { isInside, type Label, type LabelLook, type Rectangle } from "../labels.ts";
import { NONE } from "../store.ts";
import type { Focus } from "./index.ts";
import type { Drawn } from "./scene.ts";
import { colourOf, magnifying, screenOf } from "./trails.ts";

type Spot = number[];

const ROOM_PER_NAME = 17_000; // square px of the picture for each word that is named
const SPREAD = 0.08; // of the picture's shorter side: while all words lie closer together, groups are not named
const GATHERED = 0.4; // share of a group that lies about its middle, from which it is named
const NEARBY = 0.5; // of the spread of all words: what lies about a group's middle
const REGION_ROOM = 14; // px of a group's region around its words
const BIN = 12; // px, of the grid in which dots are counted
const ANGLES = 16; // in which a group's label may stand off its cluster
const KEPT = 240; // px that another place must be nearer, or as good as nearer, before a label leaves its own
const FARTHER = [6, 26, 52, 90]; // px beyond the cluster

export const groupOfFocus = ({ model }: Pick<Drawn, "model">, focus: Focus) =>
  "group" in focus ? focus.group : model.groupOfKind[focus.kind];

/** The labels in order of importance. */
export function motionLabels(motion: Drawn, clusters: Cluster[]): Label[] {
  const { chosen, neighbours, model, view } = motion;
  const labels: Label[] = [];
  if (chosen !== null) labels.push(wordLabel(motion, chosen, "chosen", { gap: 17, must: true }));
  for (const [index] of neighbours) labels.push(wordLabel(motion, index, "near", { gap: 10, reach: 96 }));
  if (!motion.names || chosen !== null) return labels;
  const most = Math.round((view.plot.width * view.plot.height) / ROOM_PER_NAME);
  if (!model.hasKinds) {
    for (let index = 0; index < Math.min(model.count, most); index += 1) labels.push(wordLabel(motion, index, "word"));
    return labels;
  }
  if (!motion.lit) return groupLabels(motion, clusters);
  const { lit } = motion;
  const kinds = model.members
    .map((members, kind) => ({ members, kind }))
    .filter(({ kind, members }) =>
      "group" in lit ? model.groupOfKind[kind] === lit.group && members.length : kind === lit.kind,
    );
  const spots = kinds.map(({ members }) => members.map((index) => screenOf(motion, index)));
  const heart = middleOf(spots.flat());
  const dotsUnder = dotCounts(spots.flat());
  kinds.forEach(({ kind, members }, at) => {
    const middle = middleOf(spots[at]);
    const cluster = densest(spots[at], 2 * meanDistance(spots[at], middle));
    const colour = colourOf(motion, members[0]);
    labels.push(
      clusterLabel(`kind ${kind}`, model.kinds[kind], "kind", cluster, colour, { heart, dotsUnder, plot: view.plot }),
    );
  });
  // The first words of each kind in turn.
  const longest = Math.max(0, ...kinds.map(({ members }) => members.length));
  for (let turn = 0; turn < longest && labels.length < 2 * most; turn += 1)
    for (const { members } of kinds)
      if (turn < members.length) labels.push(wordLabel(motion, members[turn], "word", { colour: motion.theme.ink }));
  return labels;
}

function wordLabel(motion: Drawn, index: number, look: LabelLook, more: Partial<Label> = {}): Label {
  const [x, y] = screenOf(motion, index);
  return { id: `${look} ${index}`, text: motion.model.labels[index], look, x, y, gap: 8, ...more };
}

/** Surroundings of a cluster, which its label avoids. */
type Surroundings = { heart: Spot; dotsUnder: (box: Rectangle) => number; plot: Plot };

/** A label just outside a cluster, with a line to its middle. */
function clusterLabel(
  id: string,
  text: string,
  look: LabelLook,
  cluster: Spot[],
  colour: string,
  around: Surroundings,
): Label {
  const [x, y] = middleOf(cluster);
  const places = (width: number, height: number, last?: Rectangle) =>
    placesAround(cluster, [x, y], around, [width, height], last);
  return { id, text, look, x, y, gap: 0, colour, places, must: true };
}

const middleOf = (spots: Spot[]) =>
  [0, 1].map((axis) => spots.reduce((sum, spot) => sum + spot[axis], 0) / Math.max(1, spots.length));

const meanDistance = (spots: Spot[], [x, y]: Spot) =>
  spots.reduce((sum, spot) => sum + Math.hypot(spot[0] - x, spot[1] - y), 0) / Math.max(1, spots.length);

/** Where the words are that a group has gathered. */
export type Cluster = { group: number; spots: Spot[] };

/** The groups that have come together, each where most of it lies. */
export function groupClusters(motion: Drawn): Cluster[] {
  const { model, header, view } = motion;
  const groups = header.legend.map(() => [] as Spot[]);
  for (let at = 0; at < model.count; at += 1)
    if (model.groups[at] !== NONE) groups[model.groups[at]].push(screenOf(motion, at));
  const all = groups.flat();
  const spread = meanDistance(all, middleOf(all));
  if (spread < SPREAD * Math.min(view.plot.width, view.plot.height)) return [];
  return groups.flatMap((spots, group) => {
    const cluster = spots.length ? densest(spots, NEARBY * spread) : [];
    return cluster.length && cluster.length >= GATHERED * spots.length ? [{ group, spots: cluster }] : [];
  });
}

/** One label for each group that has come together, outside its cluster. */
function groupLabels(motion: Drawn, clusters: Cluster[]): Label[] {
  const { model, header, view } = motion;
  const all = Array.from({ length: model.count }, (_, at) => screenOf(motion, at));
  const around = { heart: middleOf(all), dotsUnder: dotCounts(all), plot: view.plot };
  return clusters.map(({ group, spots }) => {
    const [text, colour] = header.legend[group];
    return clusterLabel(`group ${group}`, text, "group", spots, colour, around);
  });
}

/** The corners of the convex hull of a cluster with some room around each of its spots, in order. */
export function regionAround(spots: Spot[], room: number): Spot[] {
  const turns = Array.from({ length: 12 }, (_, turn) => (turn * Math.PI) / 6);
  const rims = spots.flatMap(([x, y]) => turns.map((turn) => [x + room * Math.cos(turn), y + room * Math.sin(turn)]));
  const halfHull = (row: Spot[]) => {
    const corners: Spot[] = [];
    for (const [x, y] of row) {
      while (corners.length > 1) {
        const [[x1, y1], [x2, y2]] = corners.slice(-2);
        if ((x2 - x1) * (y - y1) > (y2 - y1) * (x - x1)) break;
        corners.pop();
      }
      corners.push([x, y]);
    }
    return corners.slice(1);
  };
  rims.sort(([x1, y1], [x2, y2]) => x1 - x2 || y1 - y2);
  return [...halfHull(rims), ...halfHull(rims.reverse())];
}

/** Tint where each group has come together; where one is lit, only its own. */
export function drawRegions(
  context: CanvasRenderingContext2D,
  { header, lit, model, view }: Drawn,
  clusters: Cluster[],
) {
  context.globalAlpha = 0.13;
  for (const { group, spots } of clusters) {
    if (lit && groupOfFocus({ model }, lit) !== group) continue;
    context.beginPath();
    for (const [x, y] of regionAround(spots, REGION_ROOM * magnifying(view.plot))) context.lineTo(x, y);
    context.fillStyle = header.legend[group][1];
    context.fill();
  }
  context.globalAlpha = 1;
}

/** The members within a radius of the one that has most of them around it. */
function densest(spots: Spot[], radius: number) {
  const around = spots.map(([x, y]) => spots.filter((other) => Math.hypot(other[0] - x, other[1] - y) < radius));
  return around.reduce((best, some) => (some.length > best.length ? some : best));
}

/** Return a function that counts the dots under a rectangle. */
function dotCounts(spots: Spot[]) {
  const bins = new Map<number, number>();
  for (const [x, y] of spots) {
    const bin = Math.floor(x / BIN) * 8192 + Math.floor(y / BIN);
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
  }
  return ([left, top, width, height]: Rectangle) => {
    let sum = 0;
    for (let column = Math.floor(left / BIN); column <= (left + width) / BIN; column += 1)
      for (let row = Math.floor(top / BIN); row <= (top + height) / BIN; row += 1)
        sum += bins.get(column * 8192 + row) ?? 0;
    return sum;
  };
}

/** Places for a label just outside a cluster: over few dots, close by, on the side that faces away from the others. */
function placesAround(
  cluster: Spot[],
  [x, y]: Spot,
  { heart, dotsUnder, plot }: Surroundings,
  [width, height]: Spot,
  last?: Rectangle,
) {
  const outward = Math.atan2(y - heart[1], x - heart[0]);
  const places: { box: Rectangle; cost: number }[] = [];
  const add = (box: Rectangle, away: number, angle: number, bonus: number = 0) => {
    const cost = 60 * dotsUnder(box) + away + 24 * (1 - Math.cos(angle - outward)) - bonus;
    places.push({ box, cost: isInside(plot, box) ? cost : Infinity });
  };
  if (last) {
    const [right, down] = [last[0] + width / 2 - x, last[1] + height / 2 - y];
    add(last, Math.hypot(right, down), Math.atan2(down, right), KEPT);
  }
  for (let turn = 0; turn < ANGLES; turn += 1) {
    const angle = (2 * Math.PI * turn) / ANGLES;
    const [right, down] = [Math.cos(angle), Math.sin(angle)];
    const reaches = cluster.map((spot) => (spot[0] - x) * right + (spot[1] - y) * down).sort((a, b) => a - b);
    const reach = reaches[Math.floor(0.85 * (reaches.length - 1))];
    const half = Math.min(width / 2 / Math.max(1e-6, Math.abs(right)), height / 2 / Math.max(1e-6, Math.abs(down)));
    for (const farther of FARTHER) {
      const away = reach + farther + half;
      const box: Rectangle = [x + right * away - width / 2, y + down * away - height / 2, width, height];
      add(box, away, angle);
    }
  }
  return places.sort((a, b) => a.cost - b.cost).map(({ box }) => box);
}
