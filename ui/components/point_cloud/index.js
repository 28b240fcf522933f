// Tens of thousands of points: what is shown, from where, and what each run of the page changes about it.

import { themeOf } from "../_shared/colour.js";
import { lasting } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { sameBytes, unpackPayload } from "../_shared/payload.js";
import { cloudActions, glideToFit, listenToCloudControls, setMix } from "./actions.js";
import { fitCamera, newCamera } from "./camera.js";
import { listenToKeys } from "./keys.js";
import { newLandmarks } from "./landmarks.js";
import { blend, boxAround, framed, pointModel, startingSpots } from "./model.js";
import { GLIDE, motions } from "./motion.js";
import { cloudParts } from "./parts.js";
import { listenToPointers } from "./pointer.js";
import { bitsOf } from "./region.js";
import { drawCloud, keepPainter, paletteBytes, restyle } from "./scene.js";
import { store } from "./store.js";
import { labelCloud } from "./words.js";

export default lasting(mountCloud);

// What the picture is made of; scene.js draws it and actions.js changes it.
function newCloud(parts) {
  return {
    parts,
    camera: newCamera(),
    header: null,
    model: null, // the points; null while they are on their way
    tints: new Uint8Array(0), // colour of each point
    palette: new Uint8Array(4 * 256),
    from: null, // where points glide from
    share: 1, // of the way they have gone
    pathFrom: null,
    turn: 0, // number of the reader's last choice
    followed: null,
    chosen: null,
    neighbours: [],
    found: [], // named points of a search or a mark, the best first
    foundMask: null,
    marked: null, // one byte per point, while the reader has marked some
    crowdOnly: true, // nothing is chosen, sought or marked
    hovered: null,
    states: null,
    order: null,
    mix: 0, // between token and token + position
    tool: "move",
    region: null, // corners of what is being marked
    view: null,
    box: null, // what the view is fitted to
    written: [], // boxes of ticks and titles inside the picture
    theme: null,
    painter: null,
  };
}

function mountCloud(parentElement) {
  const parts = cloudParts();
  parentElement.append(parts.root);
  const cloud = newCloud(parts);
  Object.assign(cloud, { link, store });
  let frame = 0;
  let payload = null;
  cloud.schedule = () => (frame ||= requestAnimationFrame(draw));
  cloud.landmarks = newLandmarks(cloud.schedule);
  cloud.motions = motions(cloud.schedule);
  const stopPainting = keepPainter(cloud);
  const figure = cloudActions(cloud);

  function draw(now) {
    frame = 0;
    cloud.motions.tick(now);
    if (cloud.header) drawCloud(cloud);
  }

  const receive = (data, page) => {
    cloud.reportChosen = (report) => page.setStateValue("chosen", report);
    cloud.reportSelection = (bits) => page.setTriggerValue("selection", bits);
    cloud.theme = themeOf(parts.root);
    if (!sameBytes(payload, data)) {
      payload = data.slice();
      takeHeader(cloud, data);
    }
    takePoints(cloud, store);
    cloud.schedule();
  };

  listenToPointers(parts.marks, figure);
  listenToKeys(parts.marks, figure);
  listenToCloudControls(parts, figure);
  const unsubscribe = [
    link.subscribe(cloud.schedule),
    store.subscribe(() => {
      if (cloud.header) takePoints(cloud, store);
      cloud.schedule();
    }),
  ];
  const resized = new ResizeObserver(cloud.schedule);
  resized.observe(parts.stage);
  const onFullScreen = () => {
    labelCloud(parts, cloud.header, cloud.model, cloud.tool);
    cloud.schedule();
  };
  document.addEventListener("fullscreenchange", onFullScreen);

  const unmount = () => {
    cancelAnimationFrame(frame);
    frame = 1; // nothing is drawn any more
    unsubscribe.forEach((stop) => stop());
    resized.disconnect();
    cloud.landmarks.stop();
    document.removeEventListener("fullscreenchange", onFullScreen);
    stopPainting();
    parts.root.remove();
  };
  return { receive, unmount };
}

// Takes over what the page says: colours, choice, search, path.
function takeHeader(cloud, data) {
  const { header, bytes } = unpackPayload(data);
  const before = cloud.header;
  cloud.header = header;
  cloud.tints = bytes(header.count);
  cloud.palette = paletteBytes(header.palette);
  cloud.foundMask = header.found ? bitsOf(bytes(Math.ceil(header.count / 8)), header.count) : null;
  const sought = JSON.stringify(header.found);
  if (before && cloud.sought !== sought && header.found) cloud.marked = null; // a new search ends the mark
  cloud.sought = sought;
  if (!(header.turn < cloud.turn || (header.turn === cloud.turn && header.chosen === cloud.followed))) {
    [cloud.turn, cloud.followed, cloud.chosen] = [header.turn, header.chosen, header.chosen];
  }
  const space = header.dimensions === 3 ? 1 : 0;
  if (!before) cloud.camera.space = space;
  else if (before.dimensions !== header.dimensions) {
    const start = cloud.camera.space;
    cloud.motions.start("space", GLIDE, (share) => (cloud.camera.space = start + (space - start) * share));
  }
  const mix = header.moved ? 1 : 0;
  if (!before) cloud.mix = mix;
  else if (before.moved !== header.moved) {
    const start = cloud.mix;
    cloud.motions.start("mix", GLIDE, (share) => setMix(cloud, start + (mix - start) * share));
  }
  cloud.parts.mix.hidden = !header.path.some(({ after }) => after);
  cloud.parts.stage.style.setProperty("--height", `${header.height}px`);
  setMix(cloud, cloud.mix);
  labelCloud(cloud.parts, header, cloud.model, cloud.tool);
  restyle(cloud);
}

// Takes over the points, if they are here; points that were here before glide to their new places.
function takePoints(cloud, store) {
  const { header, model: before, camera, motions: moving } = cloud;
  if (before?.fingerprint !== header.data) {
    const model = pointModel(store, header.data);
    if (!model || model.count !== header.count) return; // they come in a moment
    cloud.model = model;
    const now = before && (cloud.from ? blend(cloud.from, before.spots, cloud.share) : before.spots);
    cloud.from = before && startingSpots(before, now, model);
    cloud.pathFrom = cloud.from ? cloud.pathNow : null;
    if (before?.namesName !== model.namesName) [cloud.marked, cloud.hovered] = [null, null];
    cloud.share = cloud.from ? 0 : 1;
    const arrive = () => ([cloud.from, cloud.pathFrom, cloud.pickable] = [null, null, null]);
    if (cloud.from) moving.start("points", GLIDE, (share) => (cloud.share = share), arrive);
    labelCloud(cloud.parts, header, model, cloud.tool);
    restyle(cloud);
  }
  const picture = `${header.picture}|${cloud.model.namesName}`;
  const box = boxAround(
    cloud.model.frame,
    header.path
      .flatMap(({ before: from, after }) => [from, ...(after ? [after] : [])])
      .map((place) => framed(cloud.model.frame, place)),
  );
  if (!before) fitCamera(camera, box);
  else if (picture !== cloud.picture || (!camera.touched && JSON.stringify(box) !== JSON.stringify(cloud.box)))
    glideToFit(cloud, box);
  [cloud.picture, cloud.box] = [picture, box];
}
