// Below this width Streamlit lays the sidebar over the page, and leaves it there when a page has been chosen from it.
const OVER_THE_PAGE = 768;

const CLOSE = '[data-testid="stSidebar"][data-collapsed="false"] [data-testid="stSidebarCollapseButton"] button';

/** @type {string | undefined} */
let page; // of the last run

/** @param {{ data: { page: string } }} run */
export default function ({ data }) {
  const before = page;
  page = data.page;
  if (before === undefined || before === page || window.innerWidth >= OVER_THE_PAGE) return;
  /** @type {HTMLElement | null} */ (document.querySelector(CLOSE))?.click();
}
