// Keeps the browser's address in step with the page, in place: no entry in the history for every key, so that "back"
// still leads to the page before. When the server has forgotten the visit (it was restarted), it is told where it was.

/** @typedef {{ session: string, query: string, run: number }} Visit its name on the server, its query without "?", and how many it had */

/**
 * The query that a tab must hand back, because the server knows its visit no more; null where it need not.
 * @param {Visit | undefined} known what the tab had before
 * @param {Visit} now what the server says now
 */
export function lostQuery(known, now) {
  return known && known.session !== now.session && known.query !== now.query ? known.query : null;
}

/** @type {Visit | undefined} what a part of the page said before the page itself */
let early;

/** @type {{ embeddingExplorerAddress?: Visit }} the tab, which outlives every page and any reload of this module */
const tab = /** @type {any} */ (window);

/**
 * @param {Visit & { part?: boolean }} visit a part of the page only changes the address of the visit that the page has begun
 * @param {import("../_shared/lifecycle.js").Page} page
 */
export default function ({ session, query, run, part = false }, { setTriggerValue }) {
  const known = tab.embeddingExplorerAddress;
  if (part && known?.session !== session) {
    early = { session, query, run };
    return;
  }
  if (early?.session === session && early.run > run) ({ query, run } = early);
  if (known?.session === session && run < known.run) return;
  const lost = lostQuery(known, { session, query, run });
  tab.embeddingExplorerAddress = { session, query: lost ?? query, run };
  if (lost !== null) {
    setTriggerValue("lost", lost);
    return;
  }
  const url = new URL(window.location.href);
  if (url.search.replace(/^\?/, "") === query) return;
  url.search = query;
  window.history.replaceState(window.history.state, "", url);
}
