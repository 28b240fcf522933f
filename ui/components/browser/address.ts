// Keeps the browser's address in step with the page. A control that is changed adds an entry to the history, so that
// "back" undoes it; typing replaces the address. The server is sent the address's query when it has lost the session, as
// after a restart, and when the reader goes back or forward on a page or to another stop of a lesson.

import type { Page } from "../_shared/lifecycle.ts";
import { applyViewState, writeViewState } from "../_shared/view_state.ts";

/** A session's name on the server, its query without "?", and how many runs it had. */
type Visit = { session: string; query: string; run: number };
/** Number of view states that the server has requested, and the last one. */
type ViewRequest = [wishes: number, look: string];
/** A visit, the number of queries that the server has restored, and the names of the settings that are texts. */
type VisitData = Visit & { recalled?: number; texts?: string[]; look?: ViewRequest };
/**
 * The tab's last visit, with the page's path, the times at which a query was sent to the server and a control changed,
 * and the number of view states that the server has requested.
 */
type TabState = Visit & {
  path: string;
  texts: string[];
  recalled?: number;
  sentAt?: number;
  changedAt?: number;
  viewRequests?: number;
  pending?: { path: string; query: string }; // that the reader went back to, until this page is there
};

// Changes within this time, as of a slider that is dragged, are one entry of the history.
const HISTORY_INTERVAL = 1_000; // ms
const ANSWER_TIMEOUT = 10_000; // ms without an answer after which a query is sent a second and last time

/**
 * Return the query that the tab has to send because the server has lost its session; null for none.
 * @param current as the server reports it
 */
export function lostQuery(previous: Visit | undefined, current: Visit) {
  return previous && previous.session !== current.session && previous.query !== current.query ? previous.query : null;
}

/**
 * Whether a control was changed, rather than the page, a text, or the whole query as the server restored it.
 * @param current as the server reports it
 */
export function isControlChange(previous: TabState | undefined, current: VisitData & { path: string }) {
  if (
    !previous ||
    previous.session !== current.session ||
    previous.path !== current.path ||
    previous.recalled !== current.recalled
  )
    return false;
  const [oldSettings, newSettings] = [previous, current].map(({ query }) => new URLSearchParams(query));
  return (
    previous.query !== current.query && !previous.texts.some((name) => oldSettings.get(name) !== newSettings.get(name))
  );
}

/** Whether two queries are of different stops of a lesson, or of one and of none. */
function isOtherStop(first: string, second: string) {
  const [before, after] = [first, second].map((query) => new URLSearchParams(query));
  return ["lesson", "stop"].some((name) => before.get(name) !== after.get(name));
}

// Parameters that are no settings: Streamlit's own and the section, as in a frame of a course's page, and the view state
// (view_state.ts).
const STREAMLIT_PARAMETERS = /^(embed|embed_options|section|look)=/;

/** Split an address's query into the app's settings and other parameters. */
export function splitQuery(search: string) {
  const parts = search.replace(/^\?/, "").split("&");
  const join = (isStreamlits: boolean) =>
    parts.filter((part) => part && STREAMLIT_PARAMETERS.test(part) === isStreamlits).join("&");
  return { query: join(false), streamlit: join(true) };
}

/** Visit that a fragment reported before the page did. */
let earlyVisit: Visit | undefined;

/** The tab, which outlives every page and any reload of this module. */
const tab: { embeddingExplorerAddress?: TabState } = window as object;

/** @param data.part whether a fragment reports: it only changes the address of a visit that the page has begun */
export default function ({ part = false, ...visit }: VisitData & { part?: boolean }, { setTriggerValue }: Page) {
  syncAddress(visit, part, setTriggerValue);
  if (part) return undefined;
  // Streamlit listens to it too and reruns the page with the old settings; the entry's query follows at once.
  const onHistoryMove = () => {
    const known = tab.embeddingExplorerAddress;
    const { pathname, search } = new URL(window.location.href);
    const { query } = splitQuery(search);
    if (!known) return;
    known.pending = undefined;
    if (known.path !== pathname) {
      // Another page keeps the settings, but a stop of a lesson is shown on its own page.
      if (isOtherStop(known.query, query)) known.pending = { path: pathname, query };
      return;
    }
    writeViewState(); // cameras and zooms stay
    if (known.query !== query) sendQuery(known, query, setTriggerValue);
  };
  window.addEventListener("popstate", onHistoryMove);
  return () => window.removeEventListener("popstate", onHistoryMove);
}

/** Send the query of a history entry; once more where the message or its answer is lost. */
function sendQuery(visit: TabState, query: string, setTriggerValue: Page["setTriggerValue"], isLast: boolean = false) {
  const sentAt = performance.now();
  Object.assign(visit, { query, sentAt });
  setTriggerValue("back", query);
  const isSamePage = () => new URL(window.location.href).pathname === visit.path;
  const isUnanswered = () => tab.embeddingExplorerAddress === visit && visit.sentAt === sentAt && isSamePage();
  if (!isLast)
    window.setTimeout(() => isUnanswered() && sendQuery(visit, query, setTriggerValue, true), ANSWER_TIMEOUT);
}

function syncAddress(
  { session, query, run, recalled, texts, look }: VisitData,
  part: boolean,
  setTriggerValue: Page["setTriggerValue"],
) {
  const known = tab.embeddingExplorerAddress;
  if (part && known?.session !== session) {
    earlyVisit = { session, query, run };
    return;
  }
  if (earlyVisit?.session === session && earlyVisit.run > run) ({ query, run } = earlyVisit);
  if (known?.session === session && run < known.run) return;
  const time = performance.now();
  const isStale = known?.session === session && (recalled ?? known.recalled) === known.recalled;
  if (isStale && known?.sentAt && time - known.sentAt < ANSWER_TIMEOUT) return; // sent before the server got the reader's query
  const lost = lostQuery(known, { session, query, run });
  const url = new URL(window.location.href);
  const now = { session, query: lost ?? query, run, path: url.pathname, recalled: recalled ?? known?.recalled };
  const isChanged = isControlChange(known, now);
  const isSettled = time - (known?.changedAt ?? -Infinity) >= HISTORY_INTERVAL;
  const changedAt = isChanged ? time : known?.changedAt;
  const [viewRequests, requestedView] = look ?? [known?.viewRequests ?? 0, ""];
  const visit: TabState = {
    ...now,
    texts: texts ?? known?.texts ?? [],
    changedAt,
    viewRequests,
    pending: known?.pending,
  };
  tab.embeddingExplorerAddress = visit;
  if (viewRequests > (known?.session === session ? (known.viewRequests ?? 0) : 0)) applyViewState(requestedView);
  if (lost !== null) setTriggerValue("lost", lost);
  if (visit.pending?.path === visit.path) {
    if (part) return;
    const { query: wanted } = visit.pending;
    visit.pending = undefined;
    sendQuery(visit, wanted, setTriggerValue);
    return;
  }
  const address = splitQuery(url.search);
  if (lost !== null || address.query === query) return;
  url.search = [query, address.streamlit].filter(Boolean).join("&");
  if (isChanged && isSettled) window.history.pushState(null, "", url);
  else window.history.replaceState(window.history.state, "", url);
}
