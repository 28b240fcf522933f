// Reports to Python when the reader switches the theme, so that charts and heatmaps are drawn in its colours, and applies its
// colour scheme to elements outside of Streamlit's app, such as our menus.

import type { Page } from "../_shared/lifecycle.ts";

export default function (_: unknown, { setTriggerValue }: Page) {
  const app = document.querySelector('[data-testid="stApp"]') ?? document.body;
  const background = () => getComputedStyle(app).backgroundColor;
  const applyColorScheme = () => {
    document.documentElement.style.colorScheme = getComputedStyle(app).colorScheme;
  };
  applyColorScheme();
  let last = background();
  const reportChange = () => {
    if (background() === last) return;
    last = background();
    applyColorScheme();
    setTriggerValue("switched", last);
  };
  // Streamlit changes the app's class; the style of that class may follow a moment later.
  const observer = new MutationObserver(() => requestAnimationFrame(reportChange));
  observer.observe(app, { attributes: true, attributeFilter: ["class"] });
  return () => observer.disconnect();
}
