// Words that move as their rows are trained: what is shown, and what each run of the page changes about it.

import { themeOf } from "../../_shared/colour.js";
import { lasting, sayDrawn } from "../../_shared/lifecycle.js";
import { lookOf } from "../../_shared/look.js";
import { turnCamera } from "../camera.js";
import { motionModel, newPace, withWords } from "../frames.js";
import { GLIDE } from "../glide.js";
import { followChoice, keepWatch, newScatter, tilt } from "../scatter.js";
import { store } from "../store.js";
import { clockMoves, newTransport } from "../transport.js";
import { listenToMotion } from "./actions.js";
import { drawMotion, isReady } from "./scene.js";
import { fillLegend, fillWords, labelMotion, motionParts } from "./words.js";

/** @typedef {{ group: number } | { kind: number }} Focus what stands out */
/** @typedef {ReturnType<typeof newMotion>} Motion what the picture is made of; scene.js draws it and actions.js changes it */

export default lasting(mountMotion);

/** @param {(now: number) => void} draw */
function newMotion(draw) {
  const scatter = newScatter(motionParts(), draw);
  const motion = {
    ...scatter,
    told: /** @type {import("../frames.js").Told | null} */ (null), // comes with the first run
    page: /** @type {import("../../_shared/lifecycle.js").Page} */ ({}), // the same
    header: /** @type {import("../frames.js").Header | null} */ (null),
    model: /** @type {import("../frames.js").MotionModel | null} */ (null), // null while words or steps are on their way
    focus: /** @type {Focus | null} */ (null),
    trails: true,
    names: true,
    fit: false, // the axes hold the moment shown rather than the whole run
    box: /** @type {import("../camera.js").Box | null} */ (null),
    frame: /** @type {import("../model.js").Frame | null} */ (null), // what the axes hold
    growing: false, // the axes are on their way to another box
    fading: false, // names are on their way
    from: /** @type {Float32Array | null} */ (null), // where the words were along other axes, while they glide
    share: 1, // of the way to the new ones
    places: /** @type {Float32Array} */ (new Float32Array(0)), // of the moment, (count, 3)
    screen: /** @type {Float32Array} */ (new Float32Array(0)), // the same on the screen, (count, 2)
    looks: /** @type {Uint8Array} */ (new Uint8Array(0)),
    nameplates: /** @type {Map<string, import("./names.js").Name>} */ (new Map()), // on the picture, by what they name
    dots: /** @type {import("../trails.js").Dots} */ ({ theme: null, ratio: 1, made: new Map() }),
    drawnGround: "", // what the ground was drawn for
  };
  return Object.assign(motion, { transport: newTransport(motion) });
}

/** @param {import("../../_shared/lifecycle.js").Place} parentElement */
function mountMotion(parentElement) {
  const pace = newPace();
  let before = 0; // when it was drawn last, while it moves
  const motion = newMotion((now) => {
    if (!pace.isDue(now)) return motion.schedule();
    const seconds = before ? Math.min(1, (now - before) / 1000) : 0;
    const { transport } = motion;
    motion.glides.tick(now);
    if (isReady(motion)) {
      transport.tick(seconds);
      drawMotion(motion, seconds);
      tellLooks();
    }
    const newest = motion.model?.newest ?? 0;
    const moves = motion.model && (clockMoves(transport.clock, newest) || motion.fading || motion.growing);
    before = moves ? now : 0;
    if (moves) motion.schedule();
    else pace.rest();
  });
  const { parts, schedule, transport } = motion;
  parentElement.append(parts.root);
  const { show } = listenToMotion(motion);
  const looks = {
    turned: lookOf(parts.root, "turned", ([yaw, pitch = 0]) => {
      Object.assign(motion.camera, { yaw: 0, pitch: 0 });
      turnCamera(motion.camera, yaw, pitch);
      schedule();
    }),
    shown: lookOf(parts.root, "shown", show),
  };
  const tellLooks = () => {
    for (const look of Object.values(looks)) look.ready();
    const { camera, trails, names, fit, focus } = motion;
    looks.turned.say(camera.touched ? [camera.yaw, camera.pitch] : null);
    const focused = !focus ? [] : "group" in focus ? [0, focus.group] : [1, focus.kind];
    const { speed } = transport.clock;
    const isUsual = trails && names && !fit && speed === 1 && !focus;
    looks.shown.say(isUsual ? null : [Number(trails), Number(names), Number(fit), speed, ...focused]);
  };
  const take = () => {
    motion.theme = themeOf(parts.root);
    takeHeader(motion);
    takeModel(motion);
    schedule();
    if (isReady(motion)) sayDrawn(parentElement); // before, the page keeps its room
  };
  const unsubscribe = store.subscribe(take);
  const stopWatching = keepWatch(motion, () => motion.header && labelMotion({ parts, header: motion.header }));
  // Names that were measured in another font are measured again: their widths decide which of them have room.
  const onFonts = () => {
    for (const name of motion.nameplates.values()) name.font = null;
    schedule();
  };
  document.fonts.addEventListener("loadingdone", onFonts);
  return {
    /**
     * @param {import("../frames.js").Told} told
     * @param {import("../../_shared/lifecycle.js").Page} page
     */
    receive(told, page) {
      motion.reportChosen = (report) => page.setStateValue("chosen", report);
      transport.onReport((report) => page.setStateValue("step", report));
      Object.assign(motion, { told, page });
      take();
      return isReady(motion);
    },
    unmount() {
      unsubscribe();
      transport.stop();
      document.fonts.removeEventListener("loadingdone", onFonts);
      stopWatching();
    },
  };
}

/**
 * Takes over what the page says: the choice, its neighbours, colours, axes.
 * @param {Motion} motion
 */
function takeHeader(motion) {
  const { header: before, parts } = motion;
  const header = motion.told && withWords(motion.told, motion.page);
  if (!header || JSON.stringify(header) === JSON.stringify(before)) return;
  motion.header = header;
  followChoice(motion, header);
  tilt(motion, header.dimensions, before?.dimensions);
  parts.stage.style.setProperty("--height", `${header.height}px`);
  parts.stage.style.setProperty("--beside", `${header.beside}px`);
  const isSame = JSON.stringify(before?.texts) === JSON.stringify(header.texts);
  if (!isSame || before?.dimensions !== header.dimensions) labelMotion({ parts, header });
}

/**
 * Takes over words and steps, if they are here; until they are, the same words stay where they were.
 * @param {Motion} motion
 */
function takeModel(motion) {
  const { header, model: before, parts } = motion;
  if (!header) return;
  const isStale = before !== null && before.name === header.words;
  motion.model = motionModel(header, motion.page) ?? (isStale ? before : null);
  parts.note.hidden = motion.model !== null;
  if (!isReady(motion)) return;
  const { model } = motion;
  const isSame = before?.name === model.name;
  if (!isSame) {
    Object.assign(motion, { hovered: null, focus: null, nameplates: new Map(), from: null, box: null });
    fillWords(motion);
  } else if (before.run !== model.run && motion.places.length) {
    motion.from = motion.places;
    const arrive = () => void (motion.from = null);
    motion.glides.start("axes", GLIDE, (share) => void (motion.share = share), arrive);
  }
  motion.neighbours = motion.chosen !== null && header.chosen === motion.chosen ? header.neighbours : [];
  fillLegend(motion);
  if (model.run === header.run) motion.transport.take();
}
