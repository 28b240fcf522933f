// The browser's half of choice.py: takes over what Python holds as chosen, and reports what the reader chooses since.
function choiceOf(link) {
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
