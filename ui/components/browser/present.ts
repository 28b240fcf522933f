// Slides begin with a key. What shows them is fetched with the first one: most visits have none.

import { isForElement, isSlidesKey } from "../_shared/keys.ts";
import type { Page } from "../_shared/lifecycle.ts";
import type { Deck } from "../slides/index.ts";

let report: Page["setTriggerValue"] = () => {};
let slides: Promise<typeof import("../slides/index.ts")> | null = null;

/** @param deck null if no slides are shown */
export default function (deck: Deck | null, { setTriggerValue }: Page) {
  report = setTriggerValue;
  document.addEventListener("keydown", beginSlides, true); // once, however often it is added
  if (deck) slides ??= import("../slides/index.ts");
  slides?.then(({ showDeck }) => showDeck(deck, setTriggerValue), console.error);
}

function beginSlides(event: KeyboardEvent) {
  const [target] = event.composedPath();
  if (document.body.dataset.present !== undefined || !isSlidesKey(event) || event.repeat) return;
  if (target instanceof Element && !isForElement(target)) report("present", true);
}
