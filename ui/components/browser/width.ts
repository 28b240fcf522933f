// Reports to Python whether the page is narrow, and again whenever that changes.

import { type Page, watchSize } from "../_shared/lifecycle.ts";

export default function ({ below, narrow: expected }: { below: number; narrow: boolean }, { setStateValue }: Page) {
  const page = document.querySelector('[data-testid="stMainBlockContainer"]') ?? document.body;
  let latest = expected;
  const measure = () => {
    const narrow = page.clientWidth < below;
    if (narrow === latest) return;
    latest = narrow;
    setStateValue("narrow", narrow);
  };
  // The observer calls at once; a page that is being unmounted has no width.
  return watchSize(page, () => page.clientWidth && measure());
}
