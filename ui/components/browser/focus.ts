// Gives fields the focus that the page would lose: the field of a stop's question when a key opens it, for it stands at the
// document's end, 28 tabs away; and the field in which somebody was typing when a dialog that opened by itself closes.

import { watchPage } from "../_shared/page.ts";

const OPENER = ".st-key-walk-question button";
const FIELD = '[data-testid="stPopoverBody"] input';
const DIALOG = '[role="dialog"]';
const PATIENCE = 2_000; // ms

function enterField({ target, detail }: MouseEvent) {
  const opener = target instanceof Element ? target.closest(OPENER) : null;
  if (detail || opener?.getAttribute("aria-expanded") !== "false") return; // a pointer needs no focus
  const until = performance.now() + PATIENCE;
  const focusInput = () => {
    const input = document.querySelector<HTMLInputElement>(FIELD);
    if (input) input.focus();
    else if (performance.now() < until) requestAnimationFrame(focusInput);
  };
  requestAnimationFrame(focusInput);
}

let field: HTMLElement | null = null; // the field that has or had the focus before a dialog
let interrupted: HTMLElement | null = null; // the field that a dialog has taken the focus from

function noteField(event: Event) {
  const [target] = event.composedPath();
  if (target instanceof Element && target.closest(DIALOG)) return;
  field = target instanceof HTMLElement && target.matches("input, textarea") ? target : null;
}

/** Streamlit's dialog on a lost connection takes the focus, and leaves it to the page, where keys are shortcuts. */
function returnFocus() {
  const dialog = document.querySelector(DIALOG);
  if (dialog) {
    if (field && !dialog.contains(field)) interrupted = field;
    field = null;
  } else if (interrupted) {
    if (document.activeElement === document.body) interrupted.focus({ preventScroll: true });
    interrupted = null;
  }
}

let isWatching = false;

export default function () {
  if (isWatching) return;
  isWatching = true;
  document.addEventListener("click", enterField, true);
  for (const type of ["pointerdown", "focusin"]) document.addEventListener(type, noteField, true);
  watchPage(returnFocus);
}
