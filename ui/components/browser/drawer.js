// Closes the drawer that holds the pages' names on a phone when a page was chosen from it, so that the page is seen.

// Below this width Streamlit lays the sidebar over the page, and leaves it there when a page has been chosen from it.
const OVER_THE_PAGE = 768;

const CLOSE = '[data-testid="stSidebar"][data-collapsed="false"] [data-testid="stSidebarCollapseButton"] button';

/** @type {string | undefined} */
let before; // the page of the last run

/** @param {string} page */
export default function (page) {
  const same = before === undefined || before === page;
  before = page;
  if (!same) closeDrawer();
}

/** Closes the drawer where it lies over the page. */
export function closeDrawer() {
  if (window.innerWidth >= OVER_THE_PAGE) return;
  /** @type {HTMLElement | null} */ (document.querySelector(CLOSE))?.click();
}
