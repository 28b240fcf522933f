// Words that move as their rows are trained: what is shown, and what each run of the page changes about it.

import { readTheme } from "../../_shared/colour.ts";
import { markDrawn, type Page, type ParentElement, persistentComponent } from "../../_shared/lifecycle.ts";
import { registerViewState } from "../../_shared/view_state.ts";
import { type Box, turnCamera } from "../camera.ts";
import { type Header, type MotionData, type MotionModel, motionModel, withWords } from "../frames.ts";
import { GLIDE } from "../glide.ts";
import type { PlacedLabel } from "../labels.ts";
import type { Frame } from "../model.ts";
import { changeDimensions, newScatter, usePainter, watchStage } from "../scatter.ts";
import { store } from "../store.ts";
import { newTransport } from "../transport.ts";
import { listenToMotion } from "./actions.ts";
import { drawMotion, isReady } from "./scene.ts";
import { fillLegend, fillWords, labelMotion, motionParts } from "./words.ts";

/** A group or kind that is highlighted. */
export type Focus = { group: number } | { kind: number };
/** State of the picture; scene.ts draws it and actions.ts changes it. */
export type Motion = ReturnType<typeof newMotion>;

export default persistentComponent(mountMotion);

function newMotion(draw: (now: number) => void) {
  const scatter = newScatter(motionParts(), draw);
  const motion = Object.assign(scatter, {
    told: null as MotionData | null, // comes with the first run
    page: {} as Page, // the same
    header: null as Header | null,
    model: null as MotionModel | null, // null while words or steps are on their way
    focus: null as Focus | null, // what the reader has clicked
    pointed: null as Focus | null, // what the pointer is on
    lit: null as Focus | null, // either
    trails: true,
    names: true,
    fit: false, // the axes hold the moment shown rather than the whole run
    box: null as Box | null,
    frame: null as Frame | null, // what the axes hold
    placed: [] as PlacedLabel[], // where labels belong; those of clusters may be on their way
    gliding: false, // some are
    growing: false, // the axes are on their way to another box
    from: null as Float32Array | null, // where the words were along other axes, while they glide
    share: 1, // of the way to the new ones
    places: new Float32Array(0) as Float32Array, // of the moment, (count, 3)
    screen: new Float32Array(0) as Float32Array, // the same on the screen, (count, 2)
    states: new Uint8Array(0) as Uint8Array<ArrayBuffer>,
  });
  return Object.assign(motion, { transport: newTransport(motion) });
}

function mountMotion(parentElement: ParentElement) {
  let before = 0; // when it was drawn last, while it moves
  const motion = newMotion((now) => {
    const seconds = before ? Math.min(1, (now - before) / 1000) : 0;
    const { transport } = motion;
    motion.glides.tick(now);
    if (isReady(motion)) {
      transport.tick(seconds);
      drawMotion(motion, seconds);
      reportLooks();
    }
    const moves = motion.model && (transport.mode !== "rest" || motion.growing || motion.gliding);
    before = moves ? now : 0;
    if (moves) motion.schedule();
  });
  const { parts, schedule, transport } = motion;
  parentElement.append(parts.root);
  const { show } = listenToMotion(motion);
  const viewStates = {
    turned: registerViewState(parts.root, "turned", ([yaw, pitch = 0]) => {
      Object.assign(motion.camera, { yaw: 0, pitch: 0 });
      turnCamera(motion.camera, yaw, pitch);
      schedule();
    }),
    shown: registerViewState(parts.root, "shown", show),
  };
  const reportLooks = () => {
    for (const entry of Object.values(viewStates)) entry.restore();
    const { camera, trails, names, fit, focus } = motion;
    viewStates.turned.setValue(camera.touched ? [camera.yaw, camera.pitch] : null);
    const focused = !focus ? [] : "group" in focus ? [0, focus.group] : [1, focus.kind];
    const { speed } = transport.clock;
    const isUsual = trails && names && !fit && speed === 1 && !focus;
    viewStates.shown.setValue(isUsual ? null : [Number(trails), Number(names), Number(fit), speed, ...focused]);
  };
  const take = () => {
    motion.theme = readTheme(parts.root);
    applyHeader(motion);
    applyModel(motion);
    schedule();
    if (isReady(motion)) markDrawn(parentElement); // before, the page keeps its room
  };
  const unsubscribe = store.subscribe(take);
  const stopPainting = usePainter(motion);
  const stopWatching = watchStage(motion, () => motion.header && labelMotion({ parts, header: motion.header }));
  // Labels that were measured in another font are measured again: their widths decide which of them have room.
  const onFonts = () => {
    motion.textWidth = newScatter(parts, () => {}).textWidth;
    schedule();
  };
  document.fonts.addEventListener("loadingdone", onFonts);
  return {
    receive(told: MotionData, page: Page) {
      transport.onReport((report) => page.setStateValue("step", report));
      Object.assign(motion, { told, page });
      take();
      return isReady(motion);
    },
    unmount() {
      unsubscribe();
      transport.stop();
      document.fonts.removeEventListener("loadingdone", onFonts);
      motion.tooltip.hide();
      stopPainting();
      stopWatching();
    },
  };
}

/** Apply the page's header: the choice, its neighbours, colours, axes. */
function applyHeader(motion: Motion) {
  const { header: before, parts } = motion;
  const header = motion.told && withWords(motion.told, motion.page);
  if (!header || JSON.stringify(header) === JSON.stringify(before)) return;
  motion.header = header;
  motion.choice.receive(header.chosen, header.turn, motion.page);
  changeDimensions(motion, header.dimensions, before?.dimensions);
  parts.root.style.setProperty("--height", `${header.height}px`);
  parts.root.style.setProperty("--beside", `${header.beside}px`);
  const isSame = JSON.stringify(before?.texts) === JSON.stringify(header.texts);
  if (!isSame || before?.dimensions !== header.dimensions) labelMotion({ parts, header });
}

/** Apply words and steps, once fetched; until then the same words stay where they were. */
function applyModel(motion: Motion) {
  const { header, model: before, parts } = motion;
  if (!header) return;
  const isStale = before !== null && before.name === header.words;
  motion.model = motionModel(header, motion.page) ?? (isStale ? before : null);
  parts.note.hidden = motion.model !== null;
  if (!isReady(motion)) return;
  const { model } = motion;
  const isSame = before?.name === model.name;
  if (!isSame) {
    Object.assign(motion, { hovered: null, focus: null, pointed: null, labels: [], placed: [], from: null, box: null });
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
