// Byte-pair encoding of one piece, step by step: time 0 is the whole piece, 1 its first parts, then one step per merge,
// and last the ids.

import { lasting } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { stepPlayer } from "../_shared/stepper.js";
import { fillLog, showLog } from "./log.js";
import {
  fillPieces,
  labelMerges,
  listenToMerges,
  mergeParts,
  revealPiece,
  showMergeStep,
  showPlayingMerges,
} from "./parts.js";
import { setStage, showMoment } from "./stage.js";

export default lasting(mountMerges);

function mountMerges(parentElement) {
  const parts = mergeParts();
  const { root, strip } = parts;
  parentElement.append(root);

  const held = { looks: null };
  let data = null;
  let player = null;
  let focused = null; // index of the piece that the keys are on
  let acting = false;

  held.receive = (next) => {
    const looks = JSON.stringify([next.states, next.ids, next.pieces[next.chosen]]);
    const wording = JSON.stringify([next.labels, next.pieces]);
    const again = looks === held.looks;
    data = next;
    if (wording !== held.wording) fillPieces(parts, data);
    if (!again || wording !== held.wording) {
      const { time, playing } = again ? player : { time: 0, playing: false };
      player?.stop();
      player = stepPlayer(data.states.length + 1, {
        onTime: show,
        onState: (on) => showPlayingMerges(parts, data, on),
      });
      labelMerges(parts, data, player);
      setStage(parts, data);
      fillLog(parts, data, (step) => player.jump(step));
      player.jump(time);
      showPlayingMerges(parts, data, false);
      if (playing) player.play();
    }
    [held.looks, held.wording] = [looks, wording];
    paint();
  };

  function show(time) {
    showMoment(parts, data, time);
    showMergeStep(parts, data, player);
    showLog(parts, Math.floor(time + 1e-6) - 1);
  }

  const indexAt = (column) =>
    column === null ? -1 : data.pieces.findIndex(([, first, last]) => first <= column && column <= last);
  const optionAt = (event) => {
    const option = event.target.closest?.("[role=option]");
    return option ? Number(option.dataset.index) : null;
  };

  function paint() {
    if (!data) return;
    const [hovered, wished] = [indexAt(link.hovered), indexAt(link.chosen)];
    const chosen = wished < 0 ? data.chosen : wished;
    for (const [name, index] of [
      ["hovered", hovered],
      ["chosen", chosen],
    ]) {
      strip.querySelector(`.${name}`)?.classList.remove(name);
      strip.children[index]?.classList.add(name);
    }
    strip.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    strip.children[chosen]?.setAttribute("aria-selected", "true");
    strip.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    strip.children[focused ?? chosen]?.setAttribute("tabindex", "0");
    if (!acting && !strip.matches(":hover")) revealPiece(strip, strip.children[hovered < 0 ? chosen : hovered]);
  }

  const point = (index) => {
    acting = true;
    link.hover(index === null ? null : data.pieces[index][1]);
    acting = false;
  };
  const choose = (index) => {
    acting = true;
    link.choose(data.pieces[index][1]);
    acting = false;
    paint();
  };
  strip.addEventListener(
    "pointerover",
    (event) => event.pointerType !== "touch" && optionAt(event) !== null && point(optionAt(event)),
  );
  strip.addEventListener("pointerleave", () => point(null));
  strip.addEventListener("click", (event) => optionAt(event) !== null && choose(optionAt(event)));
  strip.addEventListener("focusin", (event) => {
    if (!event.target.matches(":focus-visible")) return;
    focused = optionAt(event);
    point(focused);
  });
  strip.addEventListener("focusout", () => {
    focused = null;
    point(null);
  });
  strip.addEventListener("keydown", (event) => {
    const here = optionAt(event);
    if (here === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = data.pieces.length - 1;
    const moves = {
      ArrowRight: here + 1,
      ArrowDown: here + 1,
      ArrowLeft: here - 1,
      ArrowUp: here - 1,
      Home: 0,
      End: last,
    };
    if (event.key in moves) strip.children[Math.max(0, Math.min(last, moves[event.key]))].focus();
    else if (event.key === "Enter" || event.key === " ") choose(here);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  listenToMerges(parts, () => player);

  const unsubscribe = link.subscribe(paint);
  const resized = new ResizeObserver(() => data && player && setStage(parts, data) && show(player.time));
  resized.observe(root);
  held.unmount = () => {
    unsubscribe();
    resized.disconnect();
    player?.stop();
    link.hover(null);
    root.remove();
  };
  return held;
}
