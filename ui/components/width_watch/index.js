// Tells Python whether the page has little room beside it, and again whenever that changes.

/** @param {{ data: { below: number, narrow: boolean } } & import("../_shared/lifecycle.js").Page} run */
export default function ({ data, setStateValue }) {
  const page = document.querySelector('[data-testid="stMainBlockContainer"]') ?? document.body;
  let reported = data.narrow;
  const look = () => {
    const narrow = page.clientWidth < data.below;
    if (narrow === reported) return;
    reported = narrow;
    setStateValue("narrow", narrow);
  };
  // Observing measures at once; a page that is being taken down has no width and says nothing.
  const observer = new ResizeObserver(() => page.clientWidth && look());
  observer.observe(page);
  return () => observer.disconnect();
}
