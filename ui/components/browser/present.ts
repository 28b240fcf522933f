// Slides begin with a key. What shows them is fetched with the first one: most visits have none.

import type { Page } from "../_shared/lifecycle.ts";
import type { Deck } from "../slides/index.ts";

const FIELDS = "input:not([type='button'], [type='range']), textarea, select, [contenteditable='true']";
const OPEN_DIALOG = "[data-baseweb='popover'], [role='dialog']:not(.slides *), [role='menu']";

let report: Page["setTriggerValue"] = () => {};
let slides: Promise<typeof import("../slides/index.ts")> | null = null;
let isListening = false;

/** Whether a key is for the element that it is pressed in, or for a dialog, and not for the page. */
export const isForElement = (target: Element) => target.matches(FIELDS) || document.querySelector(OPEN_DIALOG) !== null;

/** Whether a key begins and ends the slides. */
export const isSlidesKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  !ctrlKey && !metaKey && !altKey && key.toLowerCase() === "p";

/** @param deck null if no slides are shown */
export default function (deck: Deck | null, { setTriggerValue }: Page) {
  report = setTriggerValue;
  if (!isListening) document.addEventListener("keydown", beginSlides, true);
  isListening = true;
  if (deck) slides ??= import("../slides/index.ts");
  slides?.then(({ showDeck }) => showDeck(deck, setTriggerValue), console.error);
}

function beginSlides(event: KeyboardEvent) {
  const [target] = event.composedPath();
  if (document.body.dataset.present !== undefined || !isSlidesKey(event) || event.repeat) return;
  if (target instanceof Element && !isForElement(target)) report("present", true);
}
