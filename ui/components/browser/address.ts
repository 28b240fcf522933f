// Keeps the browser's address in step with the page. A control that is changed adds an entry to the history, so that
// "back" undoes it; what is typed changes the address in place. When the server has forgotten the visit (it was
// restarted), it is told where it was; when the reader goes back, where that leads.

import type { Page } from "../_shared/lifecycle.ts";
import { takeUp, write } from "../_shared/look.ts";

/** A session's name on the server, its query without "?", and how many runs it had. */
type Visit = { session: string; query: string; run: number };
/** How often the server has asked for a look, and what it asked for last. */
type Wished = [wishes: number, look: string];
/** A visit, how often the server has taken up a query, and which settings are texts. */
type Said = Visit & { recalled?: number; texts?: string[]; look?: Wished };
/**
 * What the tab has: also the page's path, when the server was asked to take up a query, when a control was changed, and
 * how many looks the server has asked for.
 */
type Known = Visit & {
  path: string;
  texts: string[];
  recalled?: number;
  asked?: number;
  changed?: number;
  wishes?: number;
};

// Changes that follow each other more closely, as those of a slider, are one entry.
const SETTLED = 1_000; // ms
const PATIENCE = 10_000; // ms; what the server has not heard by then is said once more, and then given up

/**
 * The query that a tab must hand back, because the server knows its visit no more; null where it need not.
 * @param known what the tab had before
 * @param now what the server says now
 */
export function lostQuery(known: Visit | undefined, now: Visit) {
  return known && known.session !== now.session && known.query !== now.query ? known.query : null;
}

/**
 * Whether a control has been changed: it was no other page, no text and no query that the server took up.
 * @param known what the tab had before
 * @param now what the server says now
 */
export function isControl(known: Known | undefined, now: Said & { path: string }) {
  if (!known || known.session !== now.session || known.path !== now.path || known.recalled !== now.recalled)
    return false;
  const [before, after] = [known, now].map(({ query }) => new URLSearchParams(query));
  return known.query !== now.query && !known.texts.some((name) => before.get(name) !== after.get(name));
}

// What Streamlit reads itself, as in a frame of a course's page, is no setting and stays as long as the visit; nor is what
// the browser alone knows of the page, which look.ts writes.
const STREAMLITS = /^(embed|embed_options|look)=/;

/** Split an address's query into the app's settings and what is Streamlit's. */
export function splitQuery(search: string) {
  const parts = search.replace(/^\?/, "").split("&");
  const join = (streamlits: boolean) => parts.filter((part) => part && STREAMLITS.test(part) === streamlits).join("&");
  return { query: join(false), streamlits: join(true) };
}

/** What a part of the page said before the page itself. */
let early: Visit | undefined;

/** The tab, which outlives every page and any reload of this module. */
const tab: { embeddingExplorerAddress?: Known } = window as object;

/** @param said a part of the page only changes the address of the visit that the page has begun */
export default function ({ part = false, ...said }: Said & { part?: boolean }, { setTriggerValue }: Page) {
  follow(said, part, (query) => setTriggerValue("lost", query));
  if (part) return undefined;
  // Streamlit hears of it too, and runs the page as it is; what the entry says comes right after.
  const goBack = () => {
    const known = tab.embeddingExplorerAddress;
    const { pathname, search } = new URL(window.location.href);
    const { query } = splitQuery(search);
    if (known?.path === pathname) write(); // cameras and zooms stay
    if (!known || known.path !== pathname || known.query === query) return; // another page keeps the settings
    // Where a message is lost on its way, there or back, nobody answers.
    const ask = (isLast: boolean) => {
      const asked = performance.now();
      Object.assign(known, { query, asked });
      setTriggerValue("back", query);
      const isHere = () => new URL(window.location.href).pathname === pathname;
      const isUnheard = () => tab.embeddingExplorerAddress === known && known.asked === asked && isHere();
      if (!isLast) window.setTimeout(() => isUnheard() && ask(true), PATIENCE);
    };
    ask(false);
  };
  window.addEventListener("popstate", goBack);
  return () => window.removeEventListener("popstate", goBack);
}

function follow(
  { session, query, run, recalled, texts, look }: Said,
  part: boolean,
  tellLost: (query: string) => void,
) {
  const known = tab.embeddingExplorerAddress;
  if (part && known?.session !== session) {
    early = { session, query, run };
    return;
  }
  if (early?.session === session && early.run > run) ({ query, run } = early);
  if (known?.session === session && run < known.run) return;
  const time = performance.now();
  const isOld = known?.session === session && (recalled ?? known.recalled) === known.recalled;
  if (isOld && known?.asked && time - known.asked < PATIENCE) return; // said before it has heard where the reader went
  const lost = lostQuery(known, { session, query, run });
  const url = new URL(window.location.href);
  const now = { session, query: lost ?? query, run, path: url.pathname, recalled: recalled ?? known?.recalled };
  const isChanged = isControl(known, now);
  const isSettled = time - (known?.changed ?? -Infinity) >= SETTLED;
  const changed = isChanged ? time : known?.changed;
  const [wishes, wished] = look ?? [known?.wishes ?? 0, ""];
  tab.embeddingExplorerAddress = { ...now, texts: texts ?? known?.texts ?? [], changed, wishes };
  if (wishes > (known?.session === session ? (known.wishes ?? 0) : 0)) takeUp(wished);
  if (lost !== null) tellLost(lost);
  const shown = splitQuery(url.search);
  if (lost !== null || shown.query === query) return;
  url.search = [query, shown.streamlits].filter(Boolean).join("&");
  if (isChanged && isSettled) window.history.pushState(null, "", url);
  else window.history.replaceState(window.history.state, "", url);
}
