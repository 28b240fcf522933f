// What tokens on the page have in common: going from one to the next by key, as in any list box, and which is chosen.

export function onKey(view, event, position) {
  if (position === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const positions = [...view.chips.keys()];
  const last = positions.length - 1;
  const here = positions.indexOf(position);
  const moves = {
    ArrowRight: here + 1,
    ArrowLeft: here - 1,
    ArrowDown: nextRow(view, positions, here, 1),
    ArrowUp: nextRow(view, positions, here, -1),
    Home: 0,
    End: last,
  };
  if (event.key in moves) {
    const target = positions[Math.max(0, Math.min(last, moves[event.key]))];
    rove(view, target);
    view.chips.get(target).option.focus();
  } else if (event.key === "Enter" || event.key === " ") {
    view.link.toggle(position);
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

// Index of the chip above or below: the nearest in the next row, or the end of the list where there is none.
function nextRow(view, positions, here, step) {
  const boxOf = (index) => view.chips.get(positions[index]).option.getBoundingClientRect();
  const start = boxOf(here);
  let best = null;
  let row = null;
  for (let index = here + step; index >= 0 && index < positions.length; index += step) {
    const box = boxOf(index);
    if (Math.abs(box.bottom - start.bottom) < 8) continue;
    row ??= box.bottom;
    if (Math.abs(box.bottom - row) >= 8) break;
    const distance = Math.abs(box.left + box.width / 2 - start.left - start.width / 2);
    if (best === null || distance < best.distance) best = { index, distance };
  }
  return best?.index ?? here;
}

export function rove(view, position) {
  const before = view.chips.get(view.tabStop)?.option;
  if (before) before.tabIndex = -1;
  view.tabStop = position;
  const option = view.chips.get(position)?.option;
  if (option) option.tabIndex = 0;
}

// Scrolls the list, and only the list, until the chip is in sight.
export function reveal(view, position) {
  const option = view.chips.get(position)?.option;
  if (!option) return;
  const box = option.getBoundingClientRect();
  const frame = view.list.getBoundingClientRect();
  if (box.top < frame.top) view.list.scrollTop -= frame.top - box.top + 6;
  else if (box.bottom > frame.bottom) view.list.scrollTop += box.bottom - frame.bottom + 6;
}

// The browser's half of choice.py: takes over what Python holds as chosen, and reports what the reader chooses since.
export function choiceOf(link) {
  let turn = 0;
  let followed;
  let following = false;
  let report = () => {};
  return {
    // Python's choice, unless it was made before the reader's last one reached Python.
    follow(held, page) {
      report = (chosen) => page.setStateValue("chosen", chosen);
      if (held.turn < turn || (held.turn === turn && held.chosen === followed)) return;
      turn = held.turn;
      followed = held.chosen;
      following = true;
      link.choose(followed);
      following = false;
    },
    // To be called when the page's pointer chose something.
    tell(chosen) {
      if (following) return;
      turn += 1;
      followed = chosen;
      report({ position: chosen, turn });
    },
  };
}
