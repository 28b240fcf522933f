// The component: what a picture of points is made of, and what each run of the page changes about it.

import { readTheme } from "../_shared/colour.ts";
import { type Page, type ParentElement, persistentComponent } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { changeDetector, sameBytes, unpackPayload } from "../_shared/payload.ts";
import { registerViewState } from "../_shared/view_state.ts";
import { cloudActions, glideToFit, listenToCloudControls } from "./actions.ts";
import { type Box, cameraNumbers, poseFitting, restoreCamera, visibleNumbers } from "./camera.ts";
import { cellImage, type Extent, type Report, type Window, windowReporter } from "./density.ts";
import { paletteBytes } from "./gl.ts";
import { GLIDE } from "./glide.ts";
import { listenToPointers } from "./input.ts";
import { blend, boxAround, type Model, pointModel, startingSpots, toFrame } from "./model.ts";
import { cloudParts, TOOLS, type Tool } from "./parts.ts";
import { bitsOf } from "./picking.ts";
import { changeDimensions, type Neighbours, newScatter, usePainter, watchStage } from "./scatter.ts";
import { drawCloud, restyle } from "./scene.ts";
import { newSearch, type Search } from "./search.ts";
import { type Cells, store } from "./store.ts";
import { labelCloud } from "./words.ts";

export type Gradient = { title: string; low: number; high: number; logarithmic: boolean };
/** A token of the text, as Python's Token. */
type Token = { position: number; label: string; place: number[] };
type Legend = { gradient: Gradient } | { kinds: [index: number, name: string, count: number][] };
/**
 * Python's header of the picture; colours, and a bit per point that Python found, and one that is marked, follow.
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
  lines: [from: number, to: number][]; // between points
  landmarks: string | null; // address of their order, "" for 0, 1, 2, …; null for none
  tokens: Token[];
  axes: string[]; // titles
  height: number;
  beside: number; // px of the window that the picture leaves free
  labels: Record<string, string>;
  extent: Extent | null; // of a picture that has not all points
}
/** State of the picture; scene.ts draws it and actions.ts changes it. */
export type Cloud = ReturnType<typeof newCloud>;

export default persistentComponent(mountCloud);

function newCloud(draw: (now: number) => void) {
  const scatter = newScatter(cloudParts(), draw);
  return Object.assign(scatter, {
    header: {} as Header, // comes with the first run, before anything is drawn
    page: {} as Page, // the same
    model: null as Model | null, // null while the points are on their way
    tints: new Uint8Array(0), // colour of each point
    palette: new Uint8Array(4 * 256),
    from: null as Float32Array<ArrayBuffer> | null, // where points glide from
    share: 1, // of the way they have gone
    tokensFrom: null as number[][] | null, // where the tokens glide from
    tokenShare: 1,
    tokenSpots: [] as number[][],
    tokenScreen: [] as number[][],
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
    tool: "move" as Tool,
    helpTimer: 0,
    region: null as number[][] | null, // corners of what is being marked
    pickable: null as Float32Array | null, // where points are, for the pointer
    picture: "",
    box: null as Box | null, // what the view is fitted to
    drawn: null as object | null, // the scene on the screen
    // Which of the crowd are named, of which points, found at which scale; the state that is drawn, the last one that
    // has rested, and the last in which names were looked for.
    crowd: { shown: [] as number[], of: "", scale: 0, now: "", rested: "", laid: "", timer: 0 },
    reportSelection: (() => {}) as (bits: string) => void,
    reportWindow: (() => {}) as (report: Report) => void,
    cells: null as Cells | null, // counts of the points that are not here
    over: null as Window | null, // where they are
    image: null as HTMLCanvasElement | null, // of them
    imageOf: "",
    isPart: false, // whether the model has some of the points
    isGiven: true, // what is seen is what the page has asked for
    asked: -1, // number of the page's last wish for a window that was followed
    lookout: windowReporter(() => {}),
  });
}

function mountCloud(parentElement: ParentElement) {
  const cloud = newCloud((now) => {
    cloud.glides.tick(now);
    drawCloud(cloud);
    if (!cloud.glides.busy) reportLooks();
  });
  const { parts, schedule } = cloud;
  // Of a picture that has some of the points the page itself has the window in its link.
  const viewStates = {
    camera: registerViewState(parts.root, "camera", (numbers) => {
      cloud.glides.stop("camera");
      if (!cloud.header.extent) restoreCamera(cloud.camera, numbers);
      cloud.pickable = null;
      schedule();
    }),
    tool: registerViewState(parts.root, "tool", ([at]) => controls.setTool(TOOLS[at] ?? TOOLS[0])),
  };
  const reportLooks = () => {
    if (!cloud.model) return;
    for (const entry of Object.values(viewStates)) entry.restore();
    viewStates.camera.setValue(cloud.header.extent ? null : cameraNumbers(cloud.camera));
    if (cloud.view) viewStates.camera.setExportedValue(visibleNumbers(cloud.camera, cloud.view, cloud.model.frame));
    viewStates.tool.setValue(cloud.tool === TOOLS[0] ? null : [TOOLS.indexOf(cloud.tool)]);
  };
  cloud.lookout = windowReporter((report) => cloud.reportWindow(report));
  parentElement.append(parts.root);
  const isNew = changeDetector();
  const stopPainting = usePainter(cloud);
  const { figure, controls } = cloudActions(cloud);
  listenToPointers(parts.marks, figure);
  listenToCloudControls(parts, figure, controls);
  const search = newSearch(cloud, controls.choose);
  parts.root.prepend(search.root);
  const take = () => {
    applyPoints(cloud);
    search.find();
    schedule();
  };
  const unsubscribe = [link.subscribe(schedule), store.subscribe(take)];
  const stopWatching = watchStage(cloud, () => labelCloud(cloud));
  return {
    receive(data: Uint8Array, page: Page) {
      cloud.page = page;
      cloud.reportSelection = (bits) => page.setTriggerValue("selection", bits);
      cloud.reportWindow = (report) => page.setStateValue("window", report);
      cloud.theme = readTheme(parts.root);
      if (isNew(data)) {
        applyHeader(cloud, data);
        search.receive();
      }
      take();
    },
    unmount() {
      for (const stop of unsubscribe) stop();
      clearTimeout(cloud.crowd.timer);
      clearTimeout(cloud.helpTimer);
      search.stop();
      cloud.lookout.stop();
      cloud.tooltip.hide();
      stopPainting();
      stopWatching();
    },
  };
}

/** Apply the page's header: colours, choice, search, tokens. */
function applyHeader(cloud: Cloud, data: Uint8Array) {
  const payload = unpackPayload<Header>(data);
  const { header } = payload;
  const before = cloud.header;
  cloud.header = header;
  const tints = payload.bytes(header.count);
  if (!sameBytes(cloud.tints, tints)) cloud.tints = tints;
  if (header.palette.join() !== before.palette?.join()) cloud.palette = paletteBytes(header.palette);
  cloud.answerMask = header.found ? bitsOf(payload.bytes(Math.ceil(header.count / 8)), header.count) : null;
  if (!header.search) Object.assign(cloud, { matches: header.found ?? [], foundMask: cloud.answerMask });
  applyMarks(cloud, header.marked ? payload.bytes(Math.ceil(header.count / 8)).slice() : new Uint8Array(0));
  cloud.choice.receive(header.chosen, header.turn, cloud.page);
  changeDimensions(cloud, header.dimensions, before.dimensions);
  const { tokens } = before;
  if (tokens && JSON.stringify(tokens) !== JSON.stringify(header.tokens)) glideTokens(cloud, tokens);
  cloud.parts.root.style.setProperty("--height", `${header.height}px`);
  cloud.parts.root.style.setProperty("--beside", `${header.beside}px`);
  labelCloud(cloud);
  restyle(cloud);
}

/** Glide the text's tokens from where they are drawn, if they are the same ones. */
function glideTokens(cloud: Cloud, before: Token[]) {
  const { tokens } = cloud.header;
  const isSame = tokens.length === before.length && tokens.every(({ label }, at) => label === before[at].label);
  cloud.tokensFrom = isSame && cloud.tokenSpots.length === tokens.length ? cloud.tokenSpots : null;
  const end = () => void (cloud.tokensFrom = null);
  if (cloud.tokensFrom) cloud.glides.start("tokens", GLIDE, (share) => (cloud.tokenShare = share), end);
}

/**
 * Apply the page's selection where that is news, from a link or a button: else the reader's own marks are
 * newer.
 */
function applyMarks(cloud: Cloud, bits: Uint8Array<ArrayBuffer>) {
  if (sameBytes(cloud.markedBefore, bits)) return;
  cloud.markedBefore = bits;
  cloud.marked = bits.length ? bitsOf(bits, cloud.header.count) : null;
}

/** Apply the points, once fetched; points that were here before glide to their new places. */
function applyPoints(cloud: Cloud) {
  const { header, model: before, camera } = cloud;
  const { extent } = header;
  let model = before;
  applyCells(cloud);
  if (before?.fingerprint !== header.data || cloud.isPart !== Boolean(extent)) {
    model = pointModel(header.data, extent && { low: [...extent.low, 0], high: [...extent.high, 0] }, cloud.page);
    if (!model || model.count !== header.count) return; // they come in a moment
    const stays = extent !== null && cloud.isPart;
    [cloud.model, cloud.isPart] = [model, extent !== null];
    const now = before && (cloud.from ? blend(cloud.from, before.spots, cloud.share) : before.spots);
    cloud.from = before && now && !stays ? startingSpots(before, now, model) : null;
    if (cloud.from) glideTokens(cloud, header.tokens);
    if (before && before.namesName !== model.namesName) [cloud.marked, cloud.hovered] = [null, null];
    cloud.share = cloud.from ? 0 : 1;
    const arrive = () => void ([cloud.from, cloud.pickable] = [null, null]);
    if (cloud.from) cloud.glides.start("points", GLIDE, (share) => (cloud.share = share), arrive);
    labelCloud(cloud);
    restyle(cloud);
  }
  if (!model) return;
  const { frame, namesName } = model;
  const picture = extent ? header.picture : `${header.picture}|${namesName}`;
  const tokens = extent ? [] : header.tokens;
  const box = boxAround(
    frame,
    tokens.map(({ place }) => toFrame(frame, place)),
  );
  const isOther = picture !== cloud.picture;
  if (!before) Object.assign(camera, poseFitting(box), { touched: false });
  else if (isOther || (!extent && !camera.touched && JSON.stringify(box) !== JSON.stringify(cloud.box)))
    glideToFit(cloud, box);
  [cloud.picture, cloud.box] = [picture, box];
  if (isOther) cloud.asked = -1;
}

/** Apply the counts of the points that are not sent, once fetched; until then the former ones are drawn. */
function applyCells(cloud: Cloud) {
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
