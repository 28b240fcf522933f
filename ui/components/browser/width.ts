// Tells Python whether the page has little room beside it, and again whenever that changes.

import { watchSize } from "../_shared/lifecycle.js";

/**
 * @param {{ below: number, narrow: boolean }} data
 * @param {import("../_shared/lifecycle.js").Page} page
 */
export default function ({ below, narrow: believed }, { setStateValue }) {
  const page = document.querySelector('[data-testid="stMainBlockContainer"]') ?? document.body;
  let reported = believed;
  const look = () => {
    const narrow = page.clientWidth < below;
    if (narrow === reported) return;
    reported = narrow;
    setStateValue("narrow", narrow);
  };
  // Observing measures at once; a page that is being taken down has no width and says nothing.
  return watchSize(page, () => page.clientWidth && look());
}
