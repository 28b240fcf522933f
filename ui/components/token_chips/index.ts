// The tokens of a text as chips, kept from edit to edit where they did not change, and tied to the page's one pointer.

import { type Page, type ParentElement, persistentComponent } from "../_shared/lifecycle.ts";
import { link, type Subscriber } from "../_shared/link.ts";
import { changeDetector } from "../_shared/payload.ts";
import { labelsDirection } from "../_shared/text.ts";
import { chosenToken, listenToTokens, scrollToToken, setTabStop, type View as TokenView } from "../_shared/tokens.ts";
import { drawUnit, paint } from "./drawing.ts";
import { type Chip, commonEnds, readChip, type SentChip, type Unit, unitsOf } from "./units.ts";

/** The payload from Python. */
interface Data {
  chips: SentChip[];
  chosen: number | null;
  turn: number;
  note: string;
  labels: Record<string, string>; // LABELS in Python
}
/** What is remembered between runs. */
export interface View extends TokenView {
  detail: HTMLElement;
  choice: ReturnType<typeof chosenToken>;
  labels: Data["labels"];
  note: string; // shown while no token is hovered
  along: "rtl" | "ltr"; // which way the chips run
  units: (Unit & { element: HTMLElement })[];
  chips: Map<number, Chip & { option: HTMLElement }>; // by position
}

export default persistentComponent(mountChips);

function mountChips(parentElement: ParentElement) {
  const find = (name: string) => parentElement.querySelector(name) as HTMLElement;
  const view: View = {
    ...{ list: find(".list"), detail: find(".detail"), link, choice: chosenToken(link), note: "", along: "ltr" },
    ...{ labels: {}, units: [], chips: new Map(), lit: { hovered: undefined, chosen: undefined } },
  };
  listenToTokens(view, ".token-chip");
  const isReworded = changeDetector();
  const unsubscribe = link.subscribe((change) => onLink(view, change));
  return {
    receive(data: Data, page: Page) {
      view.labels = data.labels;
      view.note = data.note;
      view.list.setAttribute("aria-label", data.labels.tokens);

      const chips = data.chips.map(readChip);
      view.along = labelsDirection(chips.map(({ group, character, label }) => (group === null ? label : character)));
      view.list.dir = view.along;
      if (isReworded([data.labels, view.along])) setChips(view, []); // every chip says something else
      setChips(view, chips);
      view.choice.receive(data, page);
      paint(view);
    },
    unmount() {
      unsubscribe();
      link.hover(null);
    },
  };
}

function onLink(view: View, { chosen, cause }: Parameters<Subscriber>[0]) {
  paint(view);
  if (!view.acting) scrollToToken(view, cause === "hover" ? view.link.hovered : chosen);
  if (cause === "choose") view.choice.report(chosen);
}

/** Show these chips, reusing the elements of all tokens before and after the edit. */
function setChips(view: View, chips: Chip[]) {
  const active = (view.list.getRootNode() as ShadowRoot | Document).activeElement;
  const hadFocus = (active?.closest(".token-chip") as HTMLElement | null | undefined)?.dataset.position;
  const old = view.units;
  const units = unitsOf(chips);
  const { head, tail } = commonEnds(old, units);
  const moved = units.length - old.length;
  for (const unit of old.slice(head, old.length - tail)) unit.element.remove();
  const fresh = document.createDocumentFragment();
  view.units = units.map((unit, index) => {
    if (index < head) return { ...unit, element: old[index].element };
    if (index >= units.length - tail) return { ...unit, element: old[index - moved].element };
    const element = drawUnit(view, unit);
    fresh.append(element);
    return { ...unit, element };
  });
  view.list.insertBefore(fresh, tail ? view.units[units.length - tail].element : null);
  // The gap stands behind what comes before, so that every row starts at the edge.
  view.units.forEach(({ element }, index) => {
    element.classList.toggle("gap", Boolean(units[index + 1]?.chips[0].gap));
  });

  view.chips.clear();
  const options = view.list.getElementsByClassName("token-chip") as HTMLCollectionOf<HTMLElement>;
  chips.forEach((chip, index) => {
    const option = options[index];
    option.dataset.position = String(chip.position);
    view.chips.set(chip.position, { ...chip, option });
  });
  const before = view.tabStop ?? -1;
  setTabStop(view, view.chips.has(before) ? before : chips[0]?.position);
  if (hadFocus !== undefined) (view.chips.get(Number(hadFocus)) ?? view.chips.get(view.tabStop ?? -1))?.option.focus();
}
