// Byte-pair encoding of one piece of a text, step by step, under the strip of all its pieces.

import { makeElement, tokenElement } from "../_shared/elements.ts";
import { type ParentElement, persistentComponent, unmountFunction, watchSize } from "../_shared/lifecycle.ts";
import { link } from "../_shared/link.ts";
import { changeDetector } from "../_shared/payload.ts";
import { playSteps, stepAt, stepBar } from "../_shared/stepper.ts";
import { labelsDirection } from "../_shared/text.ts";
import { listenToTokens, scrollIntoList, setTabStop, type View } from "../_shared/tokens.ts";
import { render } from "../_shared/view.ts";
import { describe, lastStep, type Merges, mergeOf, pieceAt, pieceLabel } from "./merges.ts";
import { setStage, showMoment } from "./stage.ts";

export default persistentComponent(mountMerges);

function mountMerges(parentElement: ParentElement) {
  const steps = stepBar("merge", 0);
  const strip = makeElement("div", { className: "strip", role: "listbox", testid: "merge-pieces" });
  const stage = makeElement("div", { className: "stage", role: "group", testid: "merge-stage" });
  const below = makeElement("p", { className: "below" });
  const log = makeElement("div", { className: "log", testid: "merge-log" });
  const root = makeElement("div", { className: "merges", testid: "merge-player" }, strip, steps.bar, stage, below, log);
  parentElement.append(root);

  let merges: Merges | null = null;
  const [isOtherPiece, isReworded] = [changeDetector(), changeDetector()];
  const view: View = { list: strip, link, chips: new Map(), lit: { hovered: undefined, chosen: undefined } };
  listenToTokens(view, "[role=option]");

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
    if (isWritten) fillStrip(next);
    if (isOther || isWritten) {
      const { time, playing } = isOther ? { time: 0, playing: false } : player;
      setStage(stage, next);
      player.restart(lastStep(next), time, playing);
      label(next.labels);
    }
    paint();
  }

  function fillStrip({ pieces, labels }: Merges) {
    const along = labelsDirection(pieces.map(([text]) => text));
    strip.dir = along;
    strip.ariaLabel = labels.pieces;
    const options = pieces.map(([text, first]) => {
      const attributes = { className: "token-chip", role: "option", tabindex: "-1", "data-position": first };
      return makeElement("div", attributes, tokenElement(text, { along }));
    });
    strip.replaceChildren(...options);
    view.chips = new Map(pieces.map(([, first], index) => [first, { option: options[index] }]));
  }

  function show(time: number) {
    if (!merges) return;
    const { labels, states } = merges;
    showMoment(stage, merges, time);
    const done = Math.floor(time + 1e-6) - 1;
    render(<Log merges={merges} done={done} jump={player.jump} />, log);
    log.scrollLeft = done < 1 ? 0 : log.scrollWidth * (strip.dir === "rtl" ? -1 : 1); // to the newest
    const step = stepAt(time);
    const written = step > 0 ? states[Math.min(step, states.length) - 1].parts.join(" | ") : pieceLabel(merges);
    const name = `${labels.figure} · ${written}`;
    if (stage.ariaLabel !== name) stage.ariaLabel = name;
    const showsIds = time > states.length + 0.5; // they fade in during the last step
    const under = step === 0 ? "" : showsIds ? labels.id_below : labels.rank_below;
    if (below.textContent !== under) below.textContent = under;
  }

  function paint() {
    if (!merges) return;
    const { pieces } = merges;
    const [hovered, wished] = [pieceAt(pieces, link.hovered), pieceAt(pieces, link.chosen)];
    const chosen = wished < 0 ? merges.chosen : wished;
    // Only what changes is touched: there may be thousands of pieces.
    for (const [name, index] of Object.entries({ hovered, chosen })) {
      strip.querySelector(`.${name}`)?.classList.remove(name);
      strip.children[index]?.classList.add(name);
    }
    strip.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    strip.children[chosen]?.setAttribute("aria-selected", "true");
    if (!strip.matches(":focus-within")) setTabStop(view, pieces[chosen]?.[1]);
    if (!view.acting && !strip.matches(":hover")) scrollIntoList(strip, strip.children[hovered < 0 ? chosen : hovered]);
  }

  const unsubscribe = link.subscribe(paint);
  const unwatch = watchSize(root, () => {
    if (!merges) return;
    setStage(stage, merges);
    show(player.time);
  });
  return { receive, unmount: unmountFunction(root, unsubscribe, unwatch, player.stop, () => link.hover(null)) };
}

/** The merges so far in one line, each a way back to its step. */
function Log({ merges, done, jump }: { merges: Merges; done: number; jump: (step: number) => void }) {
  const { labels, states } = merges;
  return (
    <>
      <b>{labels.merges}</b>
      {done < 1 && <span>{labels.no_merges}</span>}
      {states.slice(0, Math.max(0, done)).map((state, index) => {
        const { left, right, whole, rank } = mergeOf(state, states[index + 1]) ?? {};
        return (
          rank && (
            <button type="button" class={index === done - 1 ? "now" : ""} onClick={() => jump(index + 2)}>
              <bdi>{left}</bdi> + <bdi>{right}</bdi> → <bdi class="made">{whole}</bdi>
              <small>
                {labels.rank} {rank}
              </small>
            </button>
          )
        );
      })}
    </>
  );
}
