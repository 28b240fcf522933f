// Tells Python when the reader switches the theme, so that charts and heatmaps are drawn anew in its colours; and has what
// stands beside Streamlit's app, as menus of ours, follow it.

import type { Page } from "../_shared/lifecycle.ts";

export default function (_: unknown, { setTriggerValue }: Page) {
  const app = document.querySelector('[data-testid="stApp"]') ?? document.body;
  const ground = () => getComputedStyle(app).backgroundColor;
  const follow = () => {
    document.documentElement.style.colorScheme = getComputedStyle(app).colorScheme;
  };
  follow();
  let last = ground();
  const look = () => {
    if (ground() === last) return;
    last = ground();
    follow();
    setTriggerValue("switched", last);
  };
  // Streamlit gives the app another class; the style behind it may come a moment later.
  const observer = new MutationObserver(() => requestAnimationFrame(look));
  observer.observe(app, { attributes: true, attributeFilter: ["class"] });
  return () => observer.disconnect();
}
