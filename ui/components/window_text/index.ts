// The stretch of a text in sight, its windows under it, the whole text above it: what is shown and what each event does.

import { type Theme, themeOf } from "../_shared/colour.ts";
import { lasting, type Page, type ParentElement, takingDown, watchSize } from "../_shared/lifecycle.ts";
import { type Change, link } from "../_shared/link.ts";
import { countText } from "../_shared/numbers.ts";
import { newsWatch } from "../_shared/payload.ts";
import { directionOf, fillLabel } from "../_shared/text.ts";
import { choiceOf, light, listenToTokens, reveal, rove, type View } from "../_shared/tokens.ts";
import { type Data, windowLanes } from "./lanes.ts";
import { labelWindowText, tokenFacts, tokenName, tokenOption, windowTextParts } from "./parts.ts";
import { drawStrip, listenToStrip, type Shown, withinText } from "./strip.ts";

export default lasting(mountWindowText);

function mountWindowText(parentElement: ParentElement) {
  const parts = windowTextParts();
  const { root, strip, list, readout } = parts;
  parentElement.append(root);

  let state: Shown | null = null;
  const view: View = { list, link, chips: new Map(), tabStop: null, lit: { hovered: undefined, chosen: undefined } };
  const choice = choiceOf(link);
  let theme: Theme;
  let report: Page["setStateValue"] = () => {};
  const [isNew, isNewBatch] = [newsWatch(), newsWatch()];
  let moves = 0; // how often the reader asked for another stretch

  function receive(data: Data, page: Page) {
    report = (name, value) => page.setStateValue(name, value);
    theme = themeOf(root);
    const moved = state !== null && state.data.first !== data.first;
    const wished = state?.wished === data.first || !moved ? null : (state?.wished ?? null);
    state = { data, wished };
    const { chosen: _, chosen_label: __, turn: ___, ...looks } = data;
    if (isNew(looks)) show(data, moved);
    if (isNewBatch(data.starts)) showBatch(data);
    choice.follow(data, page);
    if (moved) reveal(view, link.chosen);
    paint();
  }

  /** @param moved whether the stretch is another one */
  function show(data: Data, moved: boolean) {
    const hadFocus = list.contains((root.getRootNode() as ShadowRoot).activeElement);
    const layout = windowLanes(data);
    root.classList.toggle("many", layout.count > 2);
    labelWindowText(parts, data, layout);
    const along = directionOf(data.tokens);
    list.dir = along;
    const options = data.tokens.map((_, index) => tokenOption(data, layout, index, along));
    view.chips = new Map(options.map((option, index) => [data.first + index, { option }]));
    list.replaceChildren(...options);
    if (moved) list.scrollTop = 0;
    const stop = view.tabStop ?? data.first;
    rove(view, view.chips.has(stop) ? stop : data.first);
    if (hadFocus) view.chips.get(view.tabStop ?? -1)?.option.focus({ preventScroll: true });
  }

  /** Of a new batch, the first window in the stretch is in sight. */
  function showBatch(data: Data) {
    const option = view.chips.get(Math.min(...data.starts.filter((start) => view.chips.has(start))))?.option;
    if (option) list.scrollTop += option.getBoundingClientRect().top - list.getBoundingClientRect().top - 4;
  }

  function paint() {
    if (!state) return;
    const { data } = state;
    light(view);
    drawStrip(strip, state, theme, link);
    const first = state.wished ?? data.first;
    const numbers = { first, last: first + data.tokens.length - 1, total: data.n_ids };
    const names = Object.fromEntries(Object.entries(numbers).map(([name, count]) => [name, countText(count)]));
    const place = fillLabel(data.labels.strip_value, names);
    if (parts.place.textContent !== place) parts.place.textContent = place;
    strip.setAttribute("aria-valuenow", String(first));
    strip.setAttribute("aria-valuetext", place);
    const { chosen, chosen_label: label, labels } = data;
    const inSight =
      [link.hovered, link.chosen].find((position) => position !== null && view.chips.has(position)) ?? null;
    const elsewhere = label !== null && chosen !== null && link.chosen === chosen;
    if (inSight !== null) readout.textContent = tokenFacts(data, inSight).join(" · ");
    else if (elsewhere) readout.textContent = `${tokenName(data, chosen, label)} · ${labels.elsewhere}`;
    else readout.textContent = labels.hint;
    readout.classList.toggle("on", inSight !== null || elsewhere);
    const stop = first + data.tokens.length;
    const hasWindow = data.starts.some((start) => start < stop && start + data.max_length > first);
    parts.back.classList.toggle("needed", !hasWindow);
    parts.back.disabled = hasWindow;
  }

  function onLink({ hovered, chosen, cause }: Change) {
    if (!state) return;
    paint();
    if (!view.acting) reveal(view, cause === "hover" ? hovered : chosen);
    // A token out of sight is brought into the first third.
    const outside = chosen !== null && !view.chips.has(chosen);
    if (cause === "choose" && choice.tell(chosen) && outside)
      move(withinText(state.data, chosen - Math.floor(state.data.tokens.length / 3)));
  }

  /** Asked for twice, the same place is news the second time: the page may have gone elsewhere in between. */
  function move(first: number) {
    moves += 1;
    report("place", { first, turn: moves });
  }

  listenToTokens(view, ".token");
  parts.back.addEventListener("click", () => {
    if (state) move(withinText(state.data, state.data.starts[0] - state.data.before));
  });

  const quiet = listenToStrip(strip, () => state, {
    onMove(first) {
      if (state) state = { ...state, wished: first };
      paint();
    },
    send: move,
  });
  const ends = [link.subscribe(onLink), watchSize(root, paint), quiet, () => link.hover(null)];
  return { receive, unmount: takingDown(root, ...ends) };
}
