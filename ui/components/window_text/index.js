// The stretch of a text in sight, its windows under it, the whole text above it: what is shown and what each event does.

import { themeOf } from "../_shared/colour.js";
import { lasting } from "../_shared/lifecycle.js";
import { link } from "../_shared/link.js";
import { fillLabel } from "../_shared/text.js";
import { onKey, reveal, rove } from "../_shared/tokens.js";
import { windowLanes } from "./lanes.js";
import { labelWindowText, tokenFacts, tokenName, tokenOption, windowTextParts } from "./parts.js";
import { drawStrip, listenToStrip } from "./strip.js";

export default lasting(mountWindowText);

function mountWindowText(parentElement) {
  const parts = windowTextParts();
  const { root, strip, list, readout } = parts;
  parentElement.append(root);

  const held = {};
  const state = { data: null, wished: null }; // wished: where the stretch is to begin, until Python has sent it
  const view = { list, link, chips: new Map(), tabStop: null }; // as _shared/tokens.js wants it
  let [layout, theme, report, drawn, shownBatch] = [null, null, null, "", null];
  let [turn, followed, following, acting] = [0, null, false, false];
  let moves = 0; // how often the reader asked for another stretch
  let focused = null;
  const lit = { hovered: null, chosen: null };

  held.receive = (data, page) => {
    report = (name, value) => page.setStateValue(name, value);
    theme = themeOf(root);
    const moved = state.data && state.data.first !== data.first;
    if (state.wished === data.first || !moved) state.wished = null;
    state.data = data;
    const { chosen, chosen_label: _, turn: told, ...shown } = data;
    const written = JSON.stringify(shown);
    const batch = data.starts.join();
    if (written !== drawn) show(moved);
    if (batch !== shownBatch) showBatch();
    [drawn, shownBatch] = [written, batch];
    follow(chosen, told);
    if (moved) reveal(view, link.chosen);
    paint();
    root.getRootNode().host?.setAttribute("data-drawn", ""); // the page reserved its height until now
  };

  // Takes over Python's choice, unless it was made before the reader's last one reached Python.
  function follow(chosen, told) {
    if (told < turn || (told === turn && chosen === followed)) return;
    [turn, followed, following] = [told, chosen, true];
    link.choose(chosen);
    following = false;
  }

  function show(moved) {
    const { data } = state;
    const hadFocus = list.contains(root.getRootNode().activeElement);
    layout = windowLanes(data);
    root.classList.toggle("many", layout.count > 2);
    labelWindowText(parts, data, layout);
    const options = data.tokens.map((_, index) => tokenOption(data, layout, index));
    view.chips = new Map(options.map((option, index) => [data.first + index, { option }]));
    list.replaceChildren(...options);
    if (moved) list.scrollTop = 0;
    rove(view, view.chips.has(view.tabStop) ? view.tabStop : data.first);
    if (hadFocus) view.chips.get(view.tabStop)?.option.focus({ preventScroll: true });
  }

  // Of a new batch, the first window in the stretch is in sight.
  function showBatch() {
    const starts = state.data.starts.filter((start) => view.chips.has(start));
    if (!starts.length) return;
    const option = view.chips.get(Math.min(...starts)).option;
    list.scrollTop += option.getBoundingClientRect().top - list.getBoundingClientRect().top - 4;
  }

  function paint() {
    const { data } = state;
    if (!data) return;
    for (const name of ["hovered", "chosen"]) {
      const option = view.chips.get(link[name])?.option ?? null;
      if (lit[name] !== option) lit[name]?.classList.remove(name);
      if (name === "chosen" && lit[name] !== option) lit[name]?.setAttribute("aria-selected", "false");
      lit[name] = option;
      option?.classList.add(name);
      if (name === "chosen") option?.setAttribute("aria-selected", "true");
    }
    drawStrip(strip, state, theme, link);
    const first = state.wished ?? data.first;
    const written = (count) => count.toLocaleString("en");
    const names = { first: written(first), last: written(first + data.tokens.length - 1), total: written(data.n_ids) };
    const place = fillLabel(data.labels.strip_value, names);
    if (parts.place.textContent !== place) parts.place.textContent = place;
    strip.setAttribute("aria-valuenow", String(first));
    strip.setAttribute("aria-valuetext", place);
    const told = [link.hovered, link.chosen].find((position) => view.chips.has(position));
    const away = told === undefined && data.chosen_label !== null && link.chosen === data.chosen;
    if (told !== undefined) readout.textContent = tokenFacts(data, told).join(" · ");
    else if (away)
      readout.textContent = `${tokenName(data, data.chosen, data.chosen_label)} · ${data.labels.elsewhere}`;
    else readout.textContent = data.labels.hint;
    readout.classList.toggle("on", told !== undefined || away);
    const stop = first + data.tokens.length;
    const inSight = data.starts.some((start) => start < stop && start + data.max_length > first);
    parts.back.classList.toggle("needed", !inSight);
    parts.back.disabled = inSight;
  }

  function onLink({ chosen, cause }) {
    if (!state.data) return;
    paint();
    if (!acting) reveal(view, cause === "hover" ? link.hovered : chosen);
    if (cause !== "choose" || following) return;
    turn += 1;
    followed = chosen;
    report("chosen", { position: chosen, turn });
    if (chosen !== null && !view.chips.has(chosen)) move(bringing(chosen));
  }

  // Asked for twice, the same place is news the second time: the page may have gone elsewhere in between.
  function move(first) {
    moves += 1;
    report("place", { first, turn: moves });
  }

  // Where a stretch begins that has a token in its first third.
  function bringing(position) {
    const { n_ids: total, tokens } = state.data;
    return Math.max(0, Math.min(total - tokens.length, position - Math.floor(tokens.length / 3)));
  }

  // What the reader does here is in sight already: the list need not scroll to it.
  const act = (change) => {
    acting = true;
    change();
    acting = false;
  };
  const positionOf = (event) => {
    const option = event.target.closest?.(".token");
    return option ? Number(option.dataset.position) : null;
  };
  list.addEventListener("pointerover", (event) => {
    const position = positionOf(event);
    if (position !== null && event.pointerType !== "touch") act(() => link.hover(position));
  });
  list.addEventListener("pointerleave", () => act(() => link.hover(focused)));
  list.addEventListener("click", (event) => {
    const position = positionOf(event);
    if (position === null) return;
    rove(view, position);
    act(() => link.toggle(position));
  });
  list.addEventListener("focusin", (event) => {
    if (!event.target.matches(":focus-visible")) return;
    focused = positionOf(event);
    link.hover(focused);
  });
  list.addEventListener("focusout", () => {
    focused = null;
    link.hover(null);
  });
  parts.back.addEventListener("click", () => {
    const { starts, before, n_ids: total, tokens } = state.data;
    move(Math.max(0, Math.min(total - tokens.length, starts[0] - before)));
  });
  list.addEventListener("keydown", (event) => onKey(view, event, positionOf(event)));

  const quiet = listenToStrip(strip, state, { onMove: paint, send: move });
  const resized = new ResizeObserver(paint);
  resized.observe(root);
  const unsubscribe = link.subscribe(onLink);
  held.unmount = () => {
    unsubscribe();
    resized.disconnect();
    quiet();
    link.hover(null);
    root.remove();
  };
  return held;
}
