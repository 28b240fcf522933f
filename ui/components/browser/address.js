// Keeps the browser's address in step with the page, in place: no entry in the history for every key, so that "back"
// still leads to the page before. When the server has forgotten the visit (it was restarted), it is told where it was.

/** @typedef {{ session: string, query: string }} Visit a visit's name on the server, and its query without "?" */

/**
 * The query that a tab must hand back, because the server knows its visit no more; null where it need not.
 * @param {Visit | undefined} known what the tab had before
 * @param {Visit} told what the server says now
 */
export function lostQuery(known, told) {
  return known && known.session !== told.session && known.query !== told.query ? known.query : null;
}

/** @type {{ embeddingExplorerAddress?: Visit }} the tab, which outlives every page and any reload of this module */
const tab = /** @type {any} */ (window);

/**
 * @param {Visit} visit
 * @param {import("../_shared/lifecycle.js").Page} page
 */
export default function ({ session, query }, { setTriggerValue }) {
  const lost = lostQuery(tab.embeddingExplorerAddress, { session, query });
  tab.embeddingExplorerAddress = { session, query: lost ?? query };
  if (lost !== null) {
    setTriggerValue("lost", lost);
    return;
  }
  const url = new URL(window.location.href);
  if (url.search.replace(/^\?/, "") === query) return;
  url.search = query;
  window.history.replaceState(window.history.state, "", url);
}
