// What pointer, keys and controls may do to the picture.

import { fillLabel } from "../_shared/text.js";
import { turnCamera } from "../point_cloud/camera.js";
import { saveMotion } from "./save.js";
import { BACK, FAINT, NEAR } from "./screen.js";
import { fillLegend, grouped, sayMissing, sayMotion } from "./words.js";

const NEAR_ENOUGH = 16; // pixels from a word
const ON_IT = 8; // pixels from a word, within which it goes before a name that lies over it
const TURN_PER_PIXEL = 0.0075; // radians

export function motionActions(motion) {
  const { parts, camera, time } = motion;

  // The word under a place of the screen; one that stands out before others.
  function wordAt(x, y, reach) {
    const { model, screen, looks } = motion;
    let [best, least] = [null, reach];
    for (let at = 0; at < model.count; at += 1) {
      const away =
        Math.hypot(screen[3 * at] - x, screen[3 * at + 1] - y) +
        (looks[at] === FAINT || looks[at] === BACK ? 6 : 0) -
        (looks[at] >= NEAR ? 4 : 0);
      if (away < least) [best, least] = [at, away];
    }
    return best;
  }

  // The kind whose name is under a place of the screen.
  function titleAt(x, y) {
    const inside = ({ kind, alpha, box: [left, top, width, height] }) =>
      kind !== undefined && alpha > 0.3 && x > left && x < left + width && y > top && y < top + height;
    return [...motion.shown.values()].find(inside)?.kind ?? null;
  }

  // {index} of a word or {kind} whose name it is.
  function under(x, y) {
    const kind = titleAt(x, y);
    const index = wordAt(x, y, kind === null ? NEAR_ENOUGH : ON_IT);
    return { index, kind: index === null ? kind : null };
  }

  function hover(index) {
    if (motion.hovered === index) return;
    motion.hovered = index;
    motion.schedule();
  }

  function choose(index) {
    const { model, header } = motion;
    motion.chosen = motion.chosen === index ? null : index;
    motion.neighbours = motion.chosen !== null && header.chosen === motion.chosen ? header.neighbours : [];
    motion.turn += 1;
    motion.followed = motion.chosen;
    const { texts } = header;
    sayMotion(
      parts,
      motion.chosen === null ? texts.nothing_chosen : fillLabel(texts.chosen, { word: model.labels[motion.chosen] }),
    );
    motion.reportChosen({ value: motion.chosen, turn: motion.turn });
    motion.schedule();
  }

  function emphasise(focus) {
    const { model, header } = motion;
    const same = JSON.stringify(focus) === JSON.stringify(motion.focus);
    motion.focus = same ? null : focus;
    if (motion.focus && motion.chosen !== null) choose(motion.chosen);
    parts.kind.value = motion.focus?.kind === undefined ? "" : `kind ${motion.focus.kind}`;
    fillLegend(motion);
    const [kind, count] = !motion.focus
      ? []
      : motion.focus.kind === undefined
        ? [header.legend[focus.group][0], header.legend[focus.group][2]]
        : [model.kinds[focus.kind], model.members[focus.kind].length];
    sayMotion(
      parts,
      motion.focus
        ? fillLabel(header.texts.emphasised, { kind, count: grouped(count) })
        : header.texts.nothing_emphasised,
    );
    motion.schedule();
  }

  const ready = () => motion.model && motion.screen;
  return {
    get ready() {
      return Boolean(ready());
    },
    get space() {
      return motion.header?.dimensions === 3;
    },
    pointAt(x, y) {
      if (!ready()) return;
      const { index, kind } = under(x, y);
      hover(index);
      parts.canvas.classList.toggle("over", index !== null || kind !== null);
    },
    pointAway: () => hover(null),
    click(x, y, touch) {
      if (!ready()) return;
      const { index, kind } = under(x, y);
      if (index !== null) choose(index);
      else if (kind !== null) emphasise({ kind });
      if (touch) hover(null);
    },
    turn(right, down) {
      turnCamera(camera, right * TURN_PER_PIXEL, down * TURN_PER_PIXEL);
      hover(null);
      motion.schedule();
    },
    emphasise,
    find(text, complete) {
      if (!ready()) return;
      sayMissing(motion, null);
      if (!text.trim()) return;
      const wished = text.trim().toLowerCase();
      const { labels } = motion.model;
      const index = [labels.indexOf(text.trim()), labels.findIndex((label) => label.toLowerCase() === wished)].find(
        (at) => at >= 0,
      );
      if (index === undefined) {
        if (complete) sayMissing(motion, fillLabel(motion.header.texts.not_found, { word: text.trim() }));
        return;
      }
      parts.search.value = "";
      sayMissing(motion, null);
      if (motion.chosen !== index) choose(index);
    },
    clear() {
      if (!ready()) return;
      hover(null);
      if (motion.chosen !== null) choose(motion.chosen);
      else if (motion.focus) emphasise(motion.focus);
    },
    toggle(name) {
      motion[name] = !motion[name];
      parts.switches[name].setAttribute("aria-pressed", String(motion[name]));
      motion.schedule();
    },
    drag(dragging, value) {
      if (!ready()) return;
      motion.dragging = dragging;
      if (dragging) time.drag(value);
      else time.letGo(value);
    },
    time: (name, ...given) => ready() && time[name](...given),
    save: () => ready() && saveMotion(motion),
    fullScreen() {
      if (document.fullscreenElement) document.exitFullscreen();
      else parts.root.requestFullscreen();
    },
  };
}
