// Names the button of the sidebar; and closes what lies over the page when something was chosen from it, so that the page
// is seen: the sidebar, which holds the pages' names on a phone, and the examples.

// Below this width Streamlit lays the sidebar over the page, and leaves it there when a page has been chosen from it.
export const OVER_THE_PAGE = 768;

const CLOSE = '[data-testid="stSidebar"][data-collapsed="false"] [data-testid="stSidebarCollapseButton"] button';
const OPENED = '[data-testid="stPopoverButton"][aria-expanded="true"]';

let before: string | undefined; // the page of the last run

type Data = { page: string; title: string; group: number; settings: string };

/**
 * @param data the page in view, its name for the bar above it, the place of its group in the navigation, from 0, and the
 *   label of the sidebar's button
 */
export default function ({ page, title, group, settings }: Data) {
  document.body.dataset.group = String(group);
  document.body.style.setProperty("--page", JSON.stringify(title));
  document.body.style.setProperty("--settings", JSON.stringify(settings));
  if (before === undefined) document.addEventListener("click", closeExamples, true); // a pressed pill stops it
  const same = before === undefined || before === page;
  before = page;
  if (!same) closeDrawer();
}

function closeExamples({ target }: MouseEvent) {
  if (!(target instanceof Element) || !target.closest('[data-testid="stPopoverBody"] [role="radio"]')) return;
  // After Streamlit's own code, which tells the page what was chosen.
  setTimeout(() => {
    const button = document.querySelector(OPENED) as HTMLElement | null;
    button?.click();
    button?.focus();
  });
}

/** Closes the drawer where it lies over the page. */
export function closeDrawer() {
  if (window.innerWidth >= OVER_THE_PAGE) return;
  (document.querySelector(CLOSE) as HTMLElement | null)?.click();
}
