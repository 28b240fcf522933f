// Keeps the browser's address in step with the page, in place: no entry in the history for every key, so that "back"
// still leads to the page before. When the server has forgotten the visit (it was restarted), it is told where it was.
export default function ({ data, setTriggerValue }) {
  const known = window.embeddingExplorerAddress;
  if (known && known.session !== data.session && known.query !== data.query) {
    window.embeddingExplorerAddress = { ...known, session: data.session };
    setTriggerValue("lost", known.query);
    return;
  }
  window.embeddingExplorerAddress = { session: data.session, query: data.query };
  const url = new URL(window.location.href);
  if (url.search.replace(/^\?/, "") === data.query) return;
  url.search = data.query;
  window.history.replaceState(window.history.state, "", url);
}
