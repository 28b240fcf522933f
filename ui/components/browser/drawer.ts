// Labels the sidebar's button, and closes the sidebar (which lists the pages on a phone) and the menu of examples once
// something was chosen from them.

// Width in px below which Streamlit draws the sidebar over the page; it stays open when a page is chosen from it.
export const OVERLAY_BELOW = 768;

const CLOSE_BUTTON = '[data-testid="stSidebar"][data-collapsed="false"] [data-testid="stSidebarCollapseButton"] button';
const OPEN_POPOVER = '[data-testid="stPopoverButton"][aria-expanded="true"]';

let previousPage: string | undefined; // the page of the last run

type Data = { page: string; title: string; group: number; settings: string };

/**
 * @param data the page in view, its name for the bar above it, the index of its group in the navigation, and the label of
 *   the sidebar's button
 */
export default function ({ page, title, group, settings }: Data) {
  document.body.dataset.group = String(group);
  document.body.style.setProperty("--page", JSON.stringify(title));
  document.body.style.setProperty("--settings", JSON.stringify(settings));
  if (previousPage === undefined) document.addEventListener("click", closeExamples, true); // pills stop the event's propagation
  const isSamePage = previousPage === undefined || previousPage === page;
  previousPage = page;
  if (!isSamePage) closeDrawer();
}

function closeExamples({ target }: MouseEvent) {
  if (!(target instanceof Element) || !target.closest('[data-testid="stPopoverBody"] [role="radio"]')) return;
  // After Streamlit's own handler, which reports the choice.
  setTimeout(() => {
    const button = document.querySelector(OPEN_POPOVER) as HTMLElement | null;
    button?.click();
    button?.focus();
  });
}

/** Close the sidebar where it lies over the page. */
export function closeDrawer() {
  if (window.innerWidth >= OVERLAY_BELOW) return;
  (document.querySelector(CLOSE_BUTTON) as HTMLElement | null)?.click();
}
