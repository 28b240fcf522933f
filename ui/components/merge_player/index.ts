// Byte-pair encoding of one piece of a text, step by step, under the strip of all its pieces.

import { lasting, type ParentElement, takingDown, watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { newsWatch } from "../_shared/payload.ts";
import { playSteps, stepAt } from "../_shared/stepper.ts";
import { keyAlong, nextInList, revealIn } from "../_shared/tokens.ts";
import { describe, lastStep, type Merges, pieceAt, pieceLabel } from "./merges.ts";
import { fillLog, fillPieces, mergeParts, showLog } from "./parts.ts";
import { setStage, showMoment } from "./stage.ts";

export default lasting(mountMerges);

function mountMerges(parentElement: ParentElement) {
  const parts = mergeParts();
  const { root, strip, stage, below, steps } = parts;
  parentElement.append(root);

  let merges: Merges | null = null;
  const [isOtherPiece, isReworded] = [newsWatch(), newsWatch()];
  let focused: number | null = null; // index of the piece that the keys are on
  let acting = false;

  const { player, label } = playSteps(steps, root, {
    last: 0,
    hurries: true,
    describe: (step) => (merges ? describe(merges, step) : { title: "", text: "" }),
    onTime: show,
    onState(playing) {
      steps.step.ariaLive = playing ? "off" : "polite"; // read out for who goes step by step, not while it plays
    },
  });
  steps.step.ariaLive = "polite";

  function receive(next: Merges) {
    merges = next;
    const isOther = isOtherPiece([next.states, next.ids, next.pieces[next.chosen]]);
    const isWritten = isReworded([next.labels, next.pieces]);
    if (isWritten) fillPieces(parts, next);
    if (isOther || isWritten) {
      const { time, playing } = isOther ? { time: 0, playing: false } : player;
      setStage(stage, next);
      fillLog(parts, next, player.jump);
      player.restart(lastStep(next), time, playing);
      label(next.labels);
    }
    paint();
  }

  function show(time: number) {
    if (!merges) return;
    const { labels, states } = merges;
    showMoment(stage, merges, time);
    showLog(parts, Math.floor(time + 1e-6) - 1);
    const step = stepAt(time);
    const written = step > 0 ? states[Math.min(step, states.length) - 1].parts.join(" | ") : pieceLabel(merges);
    const name = `${labels.figure} · ${written}`;
    if (stage.ariaLabel !== name) stage.ariaLabel = name;
    const under = step === 0 ? "" : step > states.length ? labels.id_below : labels.rank_below;
    if (below.textContent !== under) below.textContent = under;
  }

  function paint() {
    if (!merges) return;
    const [hovered, wished] = [pieceAt(merges.pieces, link.hovered), pieceAt(merges.pieces, link.chosen)];
    const chosen = wished < 0 ? merges.chosen : wished;
    // Only what changes is touched: there may be thousands of pieces.
    for (const [name, index] of [
      ["hovered", hovered],
      ["chosen", chosen],
    ] as const) {
      strip.querySelector(`.${name}`)?.classList.remove(name);
      strip.children[index]?.classList.add(name);
    }
    strip.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    strip.children[chosen]?.setAttribute("aria-selected", "true");
    strip.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    strip.children[focused ?? chosen]?.setAttribute("tabindex", "0");
    if (!acting && !strip.matches(":hover")) revealIn(strip, strip.children[hovered < 0 ? chosen : hovered]);
  }

  const pieceUnder = ({ target }: Event) => {
    const option = target instanceof Element ? target.closest("[role=option]") : null;
    return option instanceof HTMLElement ? Number(option.dataset.index) : null;
  };
  const tell: (act: (column: number | null) => void, index: number | null) => void = (act, index) => {
    acting = true;
    act(index === null || !merges ? null : merges.pieces[index][1]);
    acting = false;
  };
  const point = (index: number | null) => tell(link.hover, index);
  const choose = (index: number) => {
    tell(link.choose, index);
    paint();
  };

  strip.addEventListener("pointerover", (event) => {
    const piece = pieceUnder(event);
    if (event.pointerType !== "touch" && piece !== null) point(piece);
  });
  strip.addEventListener("pointerleave", () => point(null));
  strip.addEventListener("click", (event) => {
    const piece = pieceUnder(event);
    if (piece !== null) choose(piece);
  });
  strip.addEventListener("focusin", (event) => {
    if (!(event.target instanceof Element && event.target.matches(":focus-visible"))) return;
    focused = pieceUnder(event);
    point(focused);
  });
  strip.addEventListener("focusout", () => {
    focused = null;
    point(null);
  });
  strip.addEventListener("keydown", (event) => {
    const here = pieceUnder(event);
    if (here === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = nextInList(keyAlong(event.key, strip.dir), here, strip.children.length);
    const option = next === null ? null : strip.children[next];
    if (option instanceof HTMLElement) option.focus();
    else if (event.key === "Enter" || event.key === " ") choose(here);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  const unsubscribe = link.subscribe(paint);
  const unwatch = watchSize(root, () => {
    if (!merges) return;
    setStage(stage, merges);
    show(player.time);
  });
  return { receive, unmount: takingDown(root, unsubscribe, unwatch, player.stop, () => link.hover(null)) };
}
