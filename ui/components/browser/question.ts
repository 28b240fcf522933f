// Gives the field of a stop's question the focus when a key opens it: it stands at the document's end, 28 tabs away.

const OPENER = ".st-key-walk-question button";
const FIELD = '[data-testid="stPopoverBody"] input';
const PATIENCE = 2_000; // ms

function enterField({ target, detail }: MouseEvent) {
  const opener = target instanceof Element ? target.closest(OPENER) : null;
  if (detail || opener?.getAttribute("aria-expanded") !== "false") return; // a pointer needs no focus
  const until = performance.now() + PATIENCE;
  const look = () => {
    const field = document.querySelector<HTMLInputElement>(FIELD);
    if (field) field.focus();
    else if (performance.now() < until) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

let isWatching = false;

export default function () {
  if (isWatching) return;
  isWatching = true;
  document.addEventListener("click", enterField, true);
}
