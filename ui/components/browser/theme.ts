// Tells Python when the reader switches the theme, so that charts and heatmaps are drawn anew in its colours.

import type { Page } from "../_shared/lifecycle.ts";

export default function (_: unknown, { setTriggerValue }: Page) {
  const app = document.querySelector('[data-testid="stApp"]') ?? document.body;
  const ground = () => getComputedStyle(app).backgroundColor;
  let last = ground();
  const look = () => {
    if (ground() === last) return;
    last = ground();
    setTriggerValue("switched", last);
  };
  // Streamlit gives the app another class; the style behind it may come a moment later.
  const observer = new MutationObserver(() => requestAnimationFrame(look));
  observer.observe(app, { attributes: true, attributeFilter: ["class"] });
  return () => observer.disconnect();
}
