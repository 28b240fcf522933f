// Below this width Streamlit lays the sidebar over the page, and leaves it there when a page has been chosen from it.
const OVER_THE_PAGE = 768;

let shown; // the page of the last run

export default function ({ data }) {
  const before = shown;
  shown = data.page;
  if (before === undefined || before === shown || window.innerWidth >= OVER_THE_PAGE) return;
  document
    .querySelector('[data-testid="stSidebar"][data-collapsed="false"] [data-testid="stSidebarCollapseButton"] button')
    ?.click();
}
