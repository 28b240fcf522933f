// Tens of thousands of points: what is shown, from where, and what each run of the page changes about it.

import { themeOf } from "../_shared/colour.ts";
import { lasting, type Page, type ParentElement } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { lookOf } from "../_shared/look.ts";
import { newsWatch, sameBytes, unpackPayload } from "../_shared/payload.ts";
import { cloudActions, glideToFit, listenToCloudControls, setMix } from "./actions.ts";
import { type Box, cameraNumbers, fitting, seenNumbers, standAt } from "./camera.ts";
import { cellImage, type Extent, newLookout, type Report, type Window } from "./density.ts";
import type { Painter } from "./gl.ts";
import { GLIDE } from "./glide.ts";
import { listenToPointers } from "./input.ts";
import { newLandmarks } from "./landmarks.ts";
import { blend, boxAround, framed, type Model, pointModel, startingSpots } from "./model.ts";
import { cloudParts, TOOLS, type Tool } from "./parts.ts";
import type { Token } from "./path.ts";
import { bitsOf, type Grid } from "./picking.ts";
import { followChoice, keepWatch, type Neighbours, newScatter, tilt } from "./scatter.ts";
import { drawCloud, keepPainter, type Named, paletteBytes, restyle } from "./scene.ts";
import { newSearch, type Search } from "./search.ts";
import { type Cells, store } from "./store.ts";
import { labelCloud } from "./words.ts";

export type Gradient = { title: string; low: number; high: number; logarithmic: boolean };
type Legend = { gradient: Gradient } | { kinds: [index: number, name: string, count: number][] };
/**
 * What Python says of the picture; colours, and a bit per point that Python found, and one that is marked, follow.
 */
export interface Header {
  data: string; // addresses of names and places
  picture: string; // what the coordinates are
  count: number;
  palette: string[];
  legend: Legend;
  dimensions: 2 | 3;
  chosen: number | null;
  turn: number; // number of the choice
  neighbours: Neighbours; // of the chosen point
  search: Search | null; // null for a picture without one
  found: number[] | null; // the best first; null where Python has not searched
  marked: number; // how many the page has marked
  named: number[]; // whose names always stand
  landmarks: string | null; // address of their order, "" for 0, 1, 2, …; null for none
  path: Token[];
  moved: boolean; // whether the path is drawn with the tokens' positions added
  axes: string[]; // titles
  height: number;
  beside: number; // px of the window that the picture leaves free
  labels: Record<string, string>;
  extent: Extent | null; // of a picture that has not all points
}
/** What the picture is made of; scene.ts draws it and actions.ts changes it. */
export type Cloud = ReturnType<typeof newCloud>;

export default lasting(mountCloud);

function newCloud(draw: (now: number) => void) {
  const scatter = newScatter(cloudParts(), draw);
  return {
    ...scatter,
    header: {} as Header, // comes with the first run, before anything is drawn
    page: {} as Page, // the same
    model: null as Model | null, // null while the points are on their way
    tints: new Uint8Array(0), // colour of each point
    palette: new Uint8Array(4 * 256),
    from: null as Float32Array<ArrayBuffer> | null, // where points glide from
    share: 1, // of the way they have gone
    pathFrom: null as number[][] | null,
    pathNow: [] as number[][],
    pathScreen: [] as number[][],
    screen: (() => [0, 0]) as (index: number) => number[], // where a point is
    matches: [] as number[], // what a search found, the best first
    foundMask: null as Uint8Array | null, // the same
    answerMask: null as Uint8Array | null, // what Python found
    found: [] as number[], // points of a search or a mark that have names if there is room, the best first
    markedBefore: new Uint8Array(0), // a bit per point, as the page had them last
    marked: null as Uint8Array | null, // one byte per point, while the reader has marked some
    front: 0, // how many points a search or a mark brings out
    crowdOnly: true, // nothing is chosen, sought or marked
    states: new Uint8Array(0),
    order: new Uint32Array(0),
    orderedFor: null as string | null,
    crowdRadius: 0,
    mix: 0, // between token and token + position
    tool: "move" as Tool,
    region: null as number[][] | null, // corners of what is being marked
    pickable: null as Grid | null,
    picture: "",
    box: null as Box | null, // what the view is fitted to
    drawn: null as object | null, // the scene on the screen
    named: { placed: [], crowd: [] } as Named,
    painter: {} as Painter, // comes before anything is drawn
    landmarks: newLandmarks(scatter.schedule),
    reportSelection: (() => {}) as (bits: string) => void,
    reportWindow: (() => {}) as (report: Report) => void,
    cells: null as Cells | null, // counts of the points that are not here
    over: null as Window | null, // where they are
    image: null as HTMLCanvasElement | null, // of them
    imageOf: "",
    isPart: false, // whether the model has some of the points
    isGiven: true, // what is seen is what the page has asked for
    asked: -1, // number of the page's last wish for a window that was followed
    lookout: newLookout(() => {}),
  };
}

function mountCloud(parentElement: ParentElement) {
  const cloud = newCloud((now) => {
    cloud.glides.tick(now);
    drawCloud(cloud);
    if (!cloud.glides.busy) tellLooks();
  });
  const { parts, schedule } = cloud;
  // Of a picture that has some of the points the page itself has the window in its link.
  const looks = {
    camera: lookOf(parts.root, "camera", (numbers) => {
      cloud.glides.stop("camera");
      if (!cloud.header.extent) standAt(cloud.camera, numbers);
      cloud.pickable = null;
      schedule();
    }),
    mix: lookOf(parts.root, "mix", ([mix]) => controls.setMix(Math.max(0, Math.min(1, mix)))),
    tool: lookOf(parts.root, "tool", ([at]) => controls.setTool(TOOLS[at] ?? TOOLS[0])),
  };
  const tellLooks = () => {
    if (!cloud.model) return;
    for (const look of Object.values(looks)) look.ready();
    looks.camera.say(cloud.header.extent ? null : cameraNumbers(cloud.camera));
    if (cloud.view) looks.camera.see(seenNumbers(cloud.camera, cloud.view, cloud.model.frame));
    looks.mix.say(cloud.mix === (cloud.header.moved ? 1 : 0) ? null : [cloud.mix]);
    looks.tool.say(cloud.tool === TOOLS[0] ? null : [TOOLS.indexOf(cloud.tool)]);
  };
  cloud.lookout = newLookout((report) => cloud.reportWindow(report));
  parentElement.append(parts.root);
  const isNew = newsWatch();
  const stopPainting = keepPainter(parts, (painter) => {
    cloud.painter = painter;
    schedule();
  });
  const { figure, controls } = cloudActions(cloud);
  listenToPointers(parts.marks, figure);
  listenToCloudControls(parts, figure, controls);
  const search = newSearch(cloud, controls.choose);
  parts.root.insertBefore(search.root, parts.stage);
  const take = () => {
    takePoints(cloud);
    search.find();
    schedule();
  };
  const unsubscribe = [link.subscribe(schedule), store.subscribe(take)];
  const stopWatching = keepWatch(cloud, () => labelCloud(cloud));
  return {
    receive(data: Uint8Array, page: Page) {
      cloud.page = page;
      cloud.reportChosen = (report) => page.setStateValue("chosen", report);
      cloud.reportSelection = (bits) => page.setTriggerValue("selection", bits);
      cloud.reportWindow = (report) => page.setStateValue("window", report);
      cloud.theme = themeOf(parts.root);
      if (isNew(data)) {
        takeHeader(cloud, data);
        search.receive();
      }
      take();
    },
    unmount() {
      for (const stop of unsubscribe) stop();
      cloud.landmarks.stop();
      search.stop();
      cloud.lookout.stop();
      stopPainting();
      stopWatching();
    },
  };
}

/** Takes over what the page says: colours, choice, search, path. */
function takeHeader(cloud: Cloud, data: Uint8Array) {
  const payload = unpackPayload<Header>(data);
  const { header } = payload;
  const before = cloud.header;
  const isFirst = before.data === undefined;
  cloud.header = header;
  const tints = payload.bytes(header.count);
  if (!sameBytes(cloud.tints, tints)) cloud.tints = tints;
  if (header.palette.join() !== before.palette?.join()) cloud.palette = paletteBytes(header.palette);
  cloud.answerMask = header.found ? bitsOf(payload.bytes(Math.ceil(header.count / 8)), header.count) : null;
  followMarks(cloud, header.marked ? payload.bytes(Math.ceil(header.count / 8)).slice() : new Uint8Array(0));
  followChoice(cloud, header);
  tilt(cloud, header.dimensions, before.dimensions);
  const mix = header.moved ? 1 : 0;
  if (isFirst) setMix(cloud, mix);
  else if (before.moved !== header.moved) {
    const start = cloud.mix;
    cloud.glides.start("mix", GLIDE, (share) => setMix(cloud, start + (mix - start) * share));
  }
  cloud.parts.mix.hidden = !header.path.some(({ after }) => after);
  cloud.parts.stage.style.setProperty("--height", `${header.height}px`);
  cloud.parts.stage.style.setProperty("--beside", `${header.beside}px`);
  labelCloud(cloud);
  restyle(cloud);
}

/**
 * Takes over what the page has marked where that is news, from a link or a button: else the reader's own marks are
 * newer.
 */
function followMarks(cloud: Cloud, bits: Uint8Array<ArrayBuffer>) {
  if (sameBytes(cloud.markedBefore, bits)) return;
  cloud.markedBefore = bits;
  cloud.marked = bits.length ? bitsOf(bits, cloud.header.count) : null;
}

/** Takes over the points, if they are here; points that were here before glide to their new places. */
function takePoints(cloud: Cloud) {
  const { header, model: before, camera } = cloud;
  const { extent } = header;
  let model = before;
  takeCells(cloud);
  if (before?.fingerprint !== header.data || cloud.isPart !== Boolean(extent)) {
    model = pointModel(header.data, extent && { low: [...extent.low, 0], high: [...extent.high, 0] }, cloud.page);
    if (!model || model.count !== header.count) return; // they come in a moment
    const stays = extent !== null && cloud.isPart;
    [cloud.model, cloud.isPart] = [model, extent !== null];
    const now = before && (cloud.from ? blend(cloud.from, before.spots, cloud.share) : before.spots);
    cloud.from = before && now && !stays ? startingSpots(before, now, model) : null;
    cloud.pathFrom = cloud.from ? cloud.pathNow : null;
    if (before && before.namesName !== model.namesName) [cloud.marked, cloud.hovered] = [null, null];
    cloud.share = cloud.from ? 0 : 1;
    const arrive = () => void ([cloud.from, cloud.pathFrom, cloud.pickable] = [null, null, null]);
    if (cloud.from) cloud.glides.start("points", GLIDE, (share) => (cloud.share = share), arrive);
    labelCloud(cloud);
    restyle(cloud);
  }
  if (!model) return;
  const { frame, namesName } = model;
  const picture = extent ? header.picture : `${header.picture}|${namesName}`;
  const tokens = extent ? [] : header.path.flatMap(({ before: from, after }) => (after ? [from, after] : [from]));
  const box = boxAround(
    frame,
    tokens.map((place) => framed(frame, place)),
  );
  const isOther = picture !== cloud.picture;
  if (!before) Object.assign(camera, fitting(box), { touched: false });
  else if (isOther || (!extent && !camera.touched && JSON.stringify(box) !== JSON.stringify(cloud.box)))
    glideToFit(cloud, box);
  [cloud.picture, cloud.box] = [picture, box];
  if (isOther) cloud.asked = -1;
}

/** Takes over the counts of the points that are not here, if they are here; until then the ones before are drawn. */
function takeCells(cloud: Cloud) {
  const { extent, palette: colours } = cloud.header;
  if (!extent?.cells) {
    [cloud.cells, cloud.over, cloud.image, cloud.imageOf] = [null, null, null, ""];
    return;
  }
  const imageOf = `${extent.cells}|${colours.join()}`;
  const cells = imageOf === cloud.imageOf ? null : store.get("density", extent.cells, cloud.page);
  if (cells)
    [cloud.cells, cloud.image, cloud.imageOf] = [
      cells,
      cellImage(cells, extent.most, cloud.palette, colours.length),
      imageOf,
    ];
  if (cloud.imageOf === imageOf) cloud.over = extent.over;
}
