// Names of the crowd, while nothing stands out of it: the most important first, as many as have room beside each other,
// evenly over the picture. While the picture moves they ride along with their points; once it rests more are found.

import type { Theme } from "../_shared/colour.ts";
import { haloText, type Rectangle, rectangle, touches } from "./axes.ts";
import { screenSpots } from "./camera.ts";
import type { Picture } from "./marks.ts";
import { beside, NAME_FONT, NAME_HEIGHT, type Placed, SIDES, shortName } from "./names.ts";
import { dot } from "./path.ts";
import { store } from "./store.ts";
import {
  coverAround,
  coverBox,
  coverLine,
  crossesBox,
  crowdedArea,
  isFree,
  isInside,
  newTiles,
  TILE,
  type Tiles,
  tileAt,
} from "./tiles.ts";

type Free = (box: Rectangle) => boolean;
export interface Landmark {
  index: number;
  rank: number; // 0 for the most important point
  side: number; // of its point, in SIDES
  text: string;
  width: number;
  x: number;
  y: number;
  left: number;
  top: number;
}

export const LANDMARK_HEIGHT = 20;
const MOST_LANDMARKS = 40; // at the first view
const CLOSEST_ZOOM = 6; // beyond it names stand no closer
const LEAST_ROOM = 4000; // square pixels of crowd for each name
const REST = 140; // milliseconds without a change, after which names are looked for
const LANDMARK_GAP = 3.5; // between the dot on a point and its name

/** @param schedule asks for a frame */
export function newLandmarks(schedule: () => void) {
  return {
    schedule,
    shown: [] as Landmark[], // the most important first
    of: null as string | null, // which points they are names of
    laid: null as string | null, // what they were looked for in, at which scale and width
    scale: 0,
    width: 0,
    wanted: null as string | null, // what they are to be looked for in, once it rests
    ripe: false, // it rests
    timer: 0,
    widths: new Map() as Map<number, number>,
    radius: 0, // of the dots on the points that are named
    plainRanking: new Uint32Array(0), // 0, 1, 2, …
    get due() {
      return this.of !== null && this.laid !== this.wanted;
    },
    stop() {
      clearTimeout(this.timer);
    },
  };
}

/**
 * Returns the names as drawn.
 * @param pills the other names, that none may cover
 * @param spots nor these points
 * @param path nor this line
 */
export function drawLandmarks(
  context: CanvasRenderingContext2D,
  picture: Picture,
  pills: Placed[],
  spots: number[][],
  path: number[][],
) {
  const { landmarks, header, model, view, theme } = picture;
  const ranking = picture.crowdOnly ? rankingOf(picture) : null;
  if (!ranking) {
    landmarks.wanted = landmarks.laid;
    return [];
  }
  const of = `${model.namesName}|${header.landmarks}|${header.picture}`;
  if (landmarks.of !== of) Object.assign(landmarks, { of, shown: [], laid: null, wanted: null, widths: new Map() });
  const boxes = [
    ...pills.map(({ left, top, width }) => rectangle(left, top, width, NAME_HEIGHT)),
    ...spots.map(([x, y]) => boxAt(x, y, 6)),
    ...picture.written,
  ];
  landmarks.radius = Math.max(3.5, 0.8 * picture.crowdRadius);
  context.font = landmarkFont(theme);
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.direction = "ltr";
  const rest = atRest(picture, pills, path);
  // Nearer than before, or beside it, the names of before stay; from farther away others matter more.
  const afresh =
    rest && (!picture.camera.touched || view.scale < landmarks.scale * 0.999 || landmarks.width !== view.plot.width);
  landmarks.shown = afresh ? [] : stillFitting(picture, boxes, path);
  if (rest) {
    const tiles = newTiles(view.plot);
    for (const box of boxes) coverBox(tiles, box);
    coverLine(tiles, path);
    findMore(context, picture, tiles, ranking);
    Object.assign(landmarks, { laid: landmarks.wanted, scale: view.scale, width: view.plot.width });
  }
  writeLandmarks(context, landmarks.shown, picture);
  return landmarks.shown;
}

const landmarkFont = (theme: Theme) => `500 ${NAME_FONT}px ${theme.font}`;

/** Indices by importance, null where no names are wanted or their order is on its way. */
function rankingOf({ header, model, landmarks, page }: Picture) {
  if (header.landmarks === null) return null;
  if (header.landmarks) return store.get("order", header.landmarks, page)?.order ?? null;
  if (landmarks.plainRanking.length !== model.count)
    landmarks.plainRanking = new Uint32Array(model.count).map((_, at) => at);
  return landmarks.plainRanking;
}

/** Whether names are to be looked for now: at once for new points, else when nothing has changed for a while. */
function atRest({ landmarks, view, from, share }: Picture, pills: Placed[], path: number[][]) {
  const now = JSON.stringify([view, from ? share : 1, pills.map(({ left, top, width }) => [left, top, width]), path]);
  if (now === landmarks.laid) landmarks.wanted = now;
  else if (now !== landmarks.wanted) {
    Object.assign(landmarks, { wanted: now, ripe: landmarks.laid === null && !from });
    landmarks.stop();
    landmarks.timer = window.setTimeout(() => {
      landmarks.ripe = true;
      landmarks.schedule();
    }, REST);
  }
  return landmarks.due && landmarks.ripe;
}

/**
 * The names shown so far, where their points are now, as far as there is room. To the pixel, not by tiles: what has
 * room beside something else still has it when both move. Adds what they take to the boxes.
 */
function stillFitting({ landmarks, view, screen }: Picture, boxes: Rectangle[], path: number[][]) {
  const free: Free = (box) => {
    const [left, top, width, height] = box;
    const inner = rectangle(left + 0.01, top + 0.01, width - 0.02, height - 0.02);
    return isInside(view.plot, box) && !boxes.some((other) => touches(inner, other)) && !crossesBox(path, box);
  };
  return landmarks.shown.filter((name) => {
    const [x, y] = screen(name.index);
    if (!takePlace(name, x, y, landmarks.radius, free)) return false;
    boxes.push(...boxesOf(name, landmarks.radius));
    return true;
  });
}

/** Gives further points a name, until there are enough or there is no room. */
function findMore(
  context: CanvasRenderingContext2D,
  { landmarks, model, view }: Picture,
  tiles: Tiles,
  ranking: ArrayLike<number>,
) {
  const screen = screenSpots(model.spots, model.count, view);
  const closer = Math.sqrt(Math.max(1, Math.min(CLOSEST_ZOOM, view.zoom)));
  const most = Math.round(MOST_LANDMARKS * closer);
  const room = Math.max(LEAST_ROOM / closer, crowdedArea(screen, model.count, tiles) / most);
  const apart = 0.66 * Math.sqrt(room) * Math.min(1, Math.sqrt(model.count / 1000)); // of few points each may have a name
  for (const { x, y } of landmarks.shown) coverAround(tiles, x, y, apart);
  const found = [...landmarks.shown];
  for (let rank = 0; rank < ranking.length && found.length < most; rank += 1) {
    const index = ranking[rank];
    const [x, y] = [screen[2 * index], screen[2 * index + 1]];
    const tile = tileAt(tiles, x, y);
    if (tile < 0 || tiles.near[tile]) continue;
    const text = shortName(model.labels[index]);
    const width = landmarks.widths.get(index) ?? Math.ceil(context.measureText(text).width) + 2;
    landmarks.widths.set(index, width);
    const name = { index, rank, text, width, side: 0, x, y, left: 0, top: 0 };
    if (text.trim() && takePlace(name, x, y, landmarks.radius, (box) => isFree(tiles, box))) {
      found.push(name);
      for (const box of boxesOf(name, landmarks.radius)) coverBox(tiles, box);
      coverAround(tiles, x, y, apart);
    } else coverAround(tiles, x, y, 1.5 * TILE); // nor has what lies beside it
  }
  landmarks.shown = found.sort((a, b) => a.rank - b.rank);
}

/**
 * Puts a name beside its point, on the side where it was if it can; false where there is no room.
 * @param radius of the dot
 */
function takePlace(name: Landmark, x: number, y: number, radius: number, free: Free) {
  if (!free(boxAt(x, y, radius))) return false;
  for (let turn = 0; turn < 4; turn += 1) {
    const side = (name.side + turn) % 4; // never at a corner
    const [left, top] = beside(x, y, SIDES[side], radius + LANDMARK_GAP, name.width, LANDMARK_HEIGHT);
    if (!free([left, top, name.width, LANDMARK_HEIGHT])) continue;
    Object.assign(name, { x, y, left, top, side });
    return true;
  }
  return false;
}

const boxAt = (x: number, y: number, radius: number) => rectangle(x - radius, y - radius, 2 * radius, 2 * radius);

/**
 * What a name and the dot on its point take.
 * @param radius of the dot
 */
const boxesOf = ({ x, y, left, top, width }: Landmark, radius: number) => [
  rectangle(left, top, width, LANDMARK_HEIGHT),
  boxAt(x, y, radius),
];

function writeLandmarks(context: CanvasRenderingContext2D, shown: Landmark[], { tint, theme, landmarks }: Picture) {
  for (const { index, x, y } of shown) dot(context, x, y, landmarks.radius, tint(index), theme);
  context.fillStyle = theme.ink;
  // The halo is narrower than that of an axis: the crowd should show between two names.
  for (const { left, top, text } of shown) haloText(context, text, left + 1, top + LANDMARK_HEIGHT / 2 + 1, theme);
}
