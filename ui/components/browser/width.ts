// Tells Python whether the page has little room beside it, and again whenever that changes.

import { type Page, watchSize } from "../_shared/lifecycle.ts";

export default function ({ below, narrow: believed }: { below: number; narrow: boolean }, { setStateValue }: Page) {
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
