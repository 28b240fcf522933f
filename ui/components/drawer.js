// Below this width Streamlit lays the sidebar over the page, and leaves it there when a page has been chosen from it.
const OVER_THE_PAGE = 768;

export default function ({ data }) {
  const before = window.embeddingExplorerPage;
  window.embeddingExplorerPage = data.page;
  if (before === undefined || before === data.page || window.innerWidth >= OVER_THE_PAGE) return;
  document.querySelector('[data-testid="stSidebar"][data-collapsed="false"] [data-testid="stSidebarCollapseButton"] button')?.click();
}
