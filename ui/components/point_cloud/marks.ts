// Marks and labels of points that stand out of the crowd: the chosen point with spokes to its neighbours, matches of a
// search, the text's tokens, points that are always named; and the labels of the crowd.

import { link } from "../_shared/link.ts";
import { axisTitles, tickEdges } from "./axes.ts";
import { screenSpots, type View } from "./camera.ts";
import { boxAround, drawLeaders, type Label, type PlacedLabel, placeLabels, type Rectangle } from "./labels.ts";
import type { Shown } from "./scene.ts";
import { store } from "./store.ts";

type Picture = Shown & { tint: (index: number) => string }; // the colour of a point

const MOST_FOUND = 60; // names of what a search found
const MOST_CROWD = 16; // names of the crowd, at the first view
const CLOSEST_ZOOM = 6; // beyond it names stand no closer
const FEW = 60; // points that may all have names, which may be sentences
const REST = 140; // ms without a change, after which more of the crowd is named

/** Draw the dots, the spokes and the lines between points; return the labels. */
export function drawMarks(context: CanvasRenderingContext2D, picture: Picture): PlacedLabel[] {
  const { header, chosen, neighbours, hovered, theme, tokenScreen, screen, tint } = picture;
  const dot = (x: number, y: number, radius: number, colour: string) => {
    for (const [reach, fill] of [
      [radius + 2, theme.ground],
      [radius, colour],
    ] as const) {
      context.beginPath();
      context.arc(x, y, reach, 0, 2 * Math.PI);
      context.fillStyle = fill;
      context.fill();
    }
  };
  const dotAt = (index: number, radius: number, colour: string = tint(index)) => {
    const [x, y] = screen(index);
    dot(x, y, radius, colour);
  };
  const placed = cloudLabels(picture);
  /** @param bow how far the line bends to a side, as a share of its length */
  const join = (from: number, to: number, bow: number) => {
    const [[x1, y1], [x2, y2]] = [screen(from), screen(to)];
    context.beginPath();
    context.moveTo(x1, y1);
    context.quadraticCurveTo((x1 + x2) / 2 + (y2 - y1) * bow, (y1 + y2) / 2 - (x2 - x1) * bow, x2, y2);
    context.stroke();
  };
  Object.assign(context, { strokeStyle: theme.accent, globalAlpha: 0.7, lineWidth: 1.5 });
  if (chosen !== null) for (const [index] of neighbours) join(chosen, index, 0.12);
  for (const [from, to] of header.lines) join(from, to, 0);
  context.globalAlpha = 1;
  if (chosen !== null) for (const [index] of neighbours) dotAt(index, 4.5);
  context.globalAlpha = 0.5;
  drawLeaders(context, placed, theme.ink);
  context.globalAlpha = 1;
  for (const { id, look, dot: radius } of placed) if (look === "crowd" && radius) dotAt(Number(id), radius);
  for (const index of header.named) dotAt(index, 5.5);
  tokenScreen.forEach(([x, y], at) => {
    const { position } = header.tokens[at];
    const isLit = position === link.hovered || position === link.chosen;
    dot(x, y, isLit ? 8 : 5.5, position === link.chosen ? theme.ink : theme.accent);
  });
  if (chosen !== null) {
    dotAt(chosen, 9.5, theme.ink);
    dotAt(chosen, 5);
  }
  if (hovered !== null && hovered !== chosen) {
    dotAt(hovered, 8.5, theme.accent);
    dotAt(hovered, 4.5);
  }
  return placed;
}

/** Place the labels of what stands out, then of as much of the crowd as there is room for; they stay while the picture moves. */
function cloudLabels(picture: Picture): PlacedLabel[] {
  const { chosen, neighbours, header, tokenScreen, screen, view, crowd, textWidth, theme, box, model, parts } = picture;
  const tools = elementBox(parts.bar);
  const top = tools[2] > tools[3] ? tools[1] + tools[3] + 6 : 8;
  const titles = axisTitles({ view, axes: header.axes }, box ?? model.frame, top);
  const outstanding = [...titles, ...outstandingLabels(picture)];
  const dots = [...new Set([...neighbours.map(([index]) => index), ...header.named])].map(screen);
  const blocked = [...dots, ...tokenScreen].map(([x, y]) => boxAround(x, y, 6));
  blocked.push(...tickEdges(view), tools);
  if (chosen !== null) blocked.push(boxAround(screen(chosen)[0], screen(chosen)[1], 12));
  if (model.count <= FEW) {
    const radius = crowdDot(picture);
    for (let index = 0; index < model.count; index += 1)
      blocked.push(boxAround(screen(index)[0], screen(index)[1], radius));
  }
  const widthOf = textWidth(theme.font, 1);
  const room = { plot: view.plot, blocked, before: picture.labels };
  const ranking = rankingOf(picture);
  if (!ranking) {
    Object.assign(crowd, { shown: [], of: "", laid: crowd.now });
    return placeLabels(outstanding, room, widthOf);
  }
  const of = `${picture.model.namesName}|${header.landmarks}|${header.picture}`;
  const isNew = crowd.of !== of;
  if (isNew) Object.assign(crowd, { of, shown: [] });
  const mayChange = isNew ? picture.from === null : rests(picture, JSON.stringify([view, picture.share, outstanding]));
  // From farther away, other names matter more.
  if (mayChange && (!picture.camera.touched || view.scale < crowd.scale * 0.999)) {
    crowd.shown = [];
    room.before = [];
  }
  const count = Math.round(MOST_CROWD * Math.sqrt(Math.max(1, Math.min(CLOSEST_ZOOM, view.zoom))));
  const air = Math.min(28, 0.25 * Math.sqrt((view.plot.width * view.plot.height) / Math.min(count, ranking.length)));
  const candidates = function* () {
    yield* outstanding;
    for (const index of crowd.shown) yield crowdLabel(picture, index, screen(index), 0);
    if (mayChange) yield* furtherLabels(picture, ranking, ranking.length > count ? air : 2);
  };
  const placed = placeLabels(candidates(), { ...room, most: outstanding.length + count }, widthOf);
  crowd.shown = placed.filter(({ look }) => look === "crowd").map(({ id }) => Number(id));
  if (mayChange) Object.assign(crowd, { laid: crowd.now, scale: view.scale });
  return placed;
}

const elementBox = ({ offsetLeft, offsetTop, offsetWidth, offsetHeight }: HTMLElement): Rectangle => [
  offsetLeft,
  offsetTop,
  offsetWidth,
  offsetHeight,
];

/** Whether the picture has rested for a while, or nothing has changed since more names were looked for. */
function rests({ crowd, schedule }: Picture, now: string) {
  if (now !== crowd.now) {
    clearTimeout(crowd.timer);
    crowd.now = now;
    crowd.timer = window.setTimeout(() => {
      crowd.rested = now;
      schedule();
    }, REST);
  }
  return crowd.rested === now && crowd.laid !== now;
}

/** Points by importance, the order 0, 1, 2, … without entries; null where the crowd has no names, or their order is on its way. */
function rankingOf({ header, model, page, crowdOnly }: Picture): ArrayLike<number> | null {
  if (header.landmarks === null || !(crowdOnly || model.count <= FEW)) return null;
  if (header.landmarks) return store.get("order", header.landmarks, page)?.order ?? null;
  return { length: model.count };
}

const crowdDot = ({ crowdRadius }: Picture) => Math.max(3.5, 0.8 * crowdRadius);

function crowdLabel(picture: Picture, index: number, [x, y]: number[], air: number): Label {
  const dot = crowdDot(picture);
  const place = { id: `${index}`, text: picture.model.labels[index], x, y, gap: dot + 3.5 };
  // Where points are few, no name covers any of them; where they are many, none covers one that has a name.
  return { ...place, look: "crowd", ...(picture.model.count <= FEW ? { reach: 66, air: 2 } : { dot, air }) };
}

/** Whether a place is in the picture; that of a point that has not come yet is not. */
const isInSight = ({ plot }: View, x: number, y: number) =>
  x >= plot.x && x <= plot.x + plot.width && y >= plot.y && y <= plot.y + plot.height;

/** Labels of further points of the crowd, one for each small square of the screen. */
function* furtherLabels(picture: Picture, ranking: ArrayLike<number>, air: number): Generator<Label> {
  const { model, view, crowd, chosen } = picture;
  const screen = screenSpots(model.spots, model.count, view);
  const tried = new Set<number>();
  const taken = new Set([...crowd.shown, chosen]);
  for (let rank = 0; rank < ranking.length; rank += 1) {
    const index = ranking[rank] ?? rank;
    const [x, y] = [screen[2 * index], screen[2 * index + 1]];
    if (!isInSight(view, x, y)) continue;
    const square = Math.floor((x - view.plot.x) / 8) + 4096 * Math.floor((y - view.plot.y) / 8);
    if (tried.has(square) || taken.has(index) || !model.labels[index].trim()) continue;
    tried.add(square);
    yield crowdLabel(picture, index, [x, y], air);
  }
}

/** Labels of what is chosen, named, a token, or found, the most important first. */
function outstandingLabels(picture: Picture): Label[] {
  const { model, header, view, chosen, found, marked, screen, tokenScreen } = picture;
  const labels: Label[] = [];
  const taken = new Set<string>();
  const add = (label: Label) => {
    const { x, y, text } = label;
    const spot = `${Math.round(x)},${Math.round(y)},${text}`; // a token and its row, or a token met twice
    if (taken.has(spot) || !isInSight(view, x, y)) return;
    taken.add(spot);
    labels.push(label);
  };
  const addPoint = (index: number, look: "chosen" | "named" | "found", gap: number, more: Partial<Label> = {}) => {
    const [x, y] = screen(index);
    add({ id: `${look} ${index}`, x, y, text: model.labels[index], look, gap, ...more });
  };
  if (chosen !== null) addPoint(chosen, "chosen", 15, { must: true });
  const tokens = header.tokens.map(({ position, label }, at): Label => {
    const [x, y] = tokenScreen[at];
    const look = position === link.hovered || position === link.chosen ? "lit" : "token";
    return { id: `token ${position}`, x, y, text: label, look, gap: 11, must: look === "lit", reach: 66 };
  });
  for (const token of tokens) if (token.look === "lit") add(token);
  for (const index of header.named) addPoint(index, "named", 11, { must: true, reach: 66 });
  for (const token of tokens) add(token);
  // Beside a chosen point's neighbours, what a search found is told by its colour alone.
  if (chosen === null || marked) for (const index of found.slice(0, MOST_FOUND)) addPoint(index, "found", 10);
  return labels;
}
