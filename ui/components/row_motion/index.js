// Words that move as their rows are trained: what is shown, and what each run of the page changes about it.

import { themeOf } from "../_shared/colour.js";
import { lasting } from "../_shared/lifecycle.js";
import { newCamera } from "../point_cloud/camera.js";
import { GLIDE, motions } from "../point_cloud/motion.js";
import { motionActions } from "./actions.js";
import { clockMoves, newClock } from "./clock.js";
import { listenToMotion } from "./events.js";
import { heldHeader } from "./held.js";
import { motionModel } from "./model.js";
import { isDue, newPace, restPace } from "./pace.js";
import { motionParts } from "./parts.js";
import { drawMotion } from "./scene.js";
import { store } from "./store.js";
import { motionTime } from "./time.js";
import { fillLegend, fillWords, labelMotion } from "./words.js";

export default lasting(mountMotion);

function newMotion(parts, store) {
  return {
    parts,
    store,
    clock: newClock(),
    camera: newCamera(),
    key: null,
    header: null,
    model: null, // words and steps; null while they are on their way
    chosen: null,
    turn: 0, // number of the reader's last choice
    followed: null,
    neighbours: [],
    focus: null, // {group} or {kind} that stands out
    hovered: null,
    held: false, // the reader looks at a step of their own while the run goes on
    trails: true,
    names: true,
    fit: false, // the axes hold the moment shown rather than the whole run
    frame: null, // what the axes hold: centre, scale
    box: null,
    from: null, // where the words were along other axes, while they glide
    share: 1, // of the way to the new ones
    shown: new Map(), // names on the picture: what they fade from and where they stand
    theme: null,
  };
}

function mountMotion(parentElement) {
  const parts = motionParts();
  parentElement.append(parts.root);
  const motion = newMotion(parts, store);
  let [frame, before] = [0, 0];
  const pace = newPace();
  motion.schedule = () => (frame ||= requestAnimationFrame(draw));
  motion.motions = motions(motion.schedule);
  motion.time = motionTime(motion);
  const figure = motionActions(motion);

  function draw(now) {
    frame = 0;
    if (!isDue(pace, now)) return motion.schedule();
    const seconds = before ? Math.min(1, (now - before) / 1000) : 0;
    motion.motions.tick(now);
    motion.time.tick(seconds);
    if (motion.header) drawMotion(motion, seconds);
    const moves = motion.model && (clockMoves(motion.clock, motion.model.newest) || motion.fading || motion.growing);
    before = moves ? now : 0;
    if (moves) motion.schedule();
    else restPace(pace);
  }

  // The page speaks through the store; what it sends here never changes, because the style sheet travels with it.
  const receive = ({ key }, page) => {
    motion.reportChosen = (report) => page.setStateValue("chosen", report);
    motion.reportStep = (report) => page.setStateValue("step", report);
    motion.key = key;
    take();
  };
  const take = () => {
    motion.theme = themeOf(parts.root);
    const header = heldHeader(motion.store, motion.key);
    if (header && JSON.stringify(header) !== JSON.stringify(motion.header)) takeMotionHeader(motion, header);
    if (motion.header) takeMotion(motion);
    motion.schedule();
  };

  listenToMotion(parts, figure);
  const unsubscribe = motion.store.subscribe(take);
  const resized = new ResizeObserver(motion.schedule);
  resized.observe(parts.stage);
  const onFullScreen = () => {
    labelMotion(motion);
    motion.schedule();
  };
  document.addEventListener("fullscreenchange", onFullScreen);
  // Names that were measured in another font are measured again: their widths decide which of them have room.
  const onFonts = () => {
    for (const name of motion.shown.values()) name.font = null;
    motion.schedule();
  };
  document.fonts.addEventListener("loadingdone", onFonts);

  const unmount = () => {
    cancelAnimationFrame(frame);
    frame = 1; // nothing is drawn any more
    unsubscribe();
    resized.disconnect();
    motion.time.stop();
    document.removeEventListener("fullscreenchange", onFullScreen);
    document.fonts.removeEventListener("loadingdone", onFonts);
    parts.root.remove();
  };
  return { receive, unmount };
}

// Takes over what the page says: the choice, its neighbours, colours, axes.
function takeMotionHeader(motion, header) {
  const { header: before, camera } = motion;
  motion.header = header;
  const news =
    header.chosen_turn > motion.turn || (header.chosen_turn === motion.turn && header.chosen !== motion.followed);
  if (news || !before)
    [motion.turn, motion.followed, motion.chosen] = [header.chosen_turn, header.chosen, header.chosen];
  const space = header.dimensions === 3 ? 1 : 0;
  if (!before) camera.space = space;
  else if (before.dimensions !== header.dimensions) {
    const start = camera.space;
    motion.motions.start("space", GLIDE, (share) => (camera.space = start + (space - start) * share));
  }
  motion.parts.stage.style.setProperty("--height", `${header.height}px`);
  motion.parts.stage.style.setProperty("--beside", `${header.beside}px`);
  if (!before || JSON.stringify(before.texts) !== JSON.stringify(header.texts)) labelMotion(motion);
  else if (before.dimensions !== header.dimensions) labelMotion(motion);
}

// Takes over words and steps, if they are here; until they are, the same words stay where they were.
function takeMotion(motion) {
  const { header, store, model: before } = motion;
  const model = motionModel(store, header) ?? (before?.name === header.words ? before : null);
  motion.model = model;
  motion.parts.note.hidden = Boolean(model);
  if (!model) return;
  const same = before?.name === model.name;
  if (!same) [motion.hovered, motion.focus, motion.shown, motion.from] = [null, null, new Map(), null];
  if (same && before.run !== model.run) {
    motion.from = motion.places;
    const arrive = () => (motion.from = null);
    if (motion.from) motion.motions.start("axes", GLIDE, (share) => (motion.share = share), arrive);
  } else if (!same) motion.box = null;
  motion.neighbours = motion.chosen !== null && header.chosen === motion.chosen ? header.neighbours : [];
  if (!same) fillWords(motion);
  fillLegend(motion);
  if (model.run === header.run) motion.time.take();
}
